"""Page one of a review as HTML, for the notebook."""

from __future__ import annotations

from html import escape

from kycpack.models.dates import instant_words
from kycpack.models.money import format_minor
from kycpack.render.blocks import Figure
from kycpack.render.charts import chart_share
from kycpack.render.lettering import visible
from kycpack.render.markup import figure_markup
from kycpack.render.review.dossier import NO_DECISION, Dossier, recommendation_cell
from kycpack.render.wording import level_cell, percent

_NOBODY = "Nobody named"


def render_summary_html(dossier: Dossier) -> str:
    """Return page one as HTML; everything in it is escaped."""
    level = recommendation_cell(dossier)
    facts = (
        ("As of", instant_words(dossier.as_of)),
        ("Policy", dossier.policy),
        ("Prepared by", dossier.case.prepared_by or _NOBODY),
        ("Reviewed by", dossier.case.reviewed_by or _NOBODY),
        ("Case", dossier.case.case_id),
        *dossier.looked_at,
        ("Evidence root", dossier.evidence_root),
    )
    return (
        f'<h3 class="kp-name">{_text(dossier.name or "Name not known")}</h3>'
        f'<p class="kp-text kp-quiet">Customer {_text(dossier.customer_id)}</p>'
        + _incomplete(dossier)
        + f'<div class="kp-verdict kp-{level.tone}"><p class="kp-eyebrow">Recommended level</p>'
        f'<p class="kp-level">{_text(level.text)}</p><p>{_text(dossier.top_reason)}</p></div>'
        f'<div class="kp-verdict"><p class="kp-eyebrow">Decision</p><p class="kp-level">{NO_DECISION}</p>'
        f"<p>To be seen by: {_text(', '.join(dossier.routes) or 'no named owner')}</p></div>"
        '<dl class="kp-facts">'
        + "".join(f"<div><dt>{_text(label)}</dt><dd>{_text(value)}</dd></div>" for label, value in facts)
        + "</dl>"
        + _shares(dossier)
        + '<h4 class="kp-sub">Why</h4>'
        + _list(
            [f"{r.rule_id} · {level_cell(r.level).text} · {r.text}" for r in dossier.reasons],
            "No rule was hit.",
        )
        + "".join(f'<p class="kp-text kp-unknown">{_text(line)}</p>' for line in dossier.untold)
        + f'<h4 class="kp-sub">What is missing ({dossier.gap_count})</h4>'
        + _list(list(dossier.missing), "No gap was found.")
    )


def _incomplete(dossier: Dossier) -> str:
    if not dossier.incomplete:
        return ""
    return f'<div class="kp-verdict kp-alarm"><p><strong>{_text(dossier.incomplete)}</strong></p></div>'


def _shares(dossier: Dossier) -> str:
    head = '<h4 class="kp-sub">How much of the credits is explained</h4>'
    if not dossier.shares:
        return head + '<p class="kp-text kp-unknown">No booked credits were seen: nothing is explained.</p>'
    return head + "".join(
        f'<p class="kp-text"><strong>{percent(share.explained_minor, share.total_minor)}</strong> of '
        f"{_text(format_minor(share.total_minor, share.currency))} explained; "
        f"{percent(share.unexplained_minor, share.total_minor)} unexplained, "
        f"{percent(share.small_minor, share.total_minor)} small and not examined</p>"
        + figure_markup(
            Figure(chart_share(share.explained_minor, share.small_minor, share.unexplained_minor, 174.0))
        )
        for share in dossier.shares
    )


def _list(lines: list[str], empty: str) -> str:
    if not lines:
        return f'<p class="kp-text kp-quiet">{empty}</p>'
    return '<ul class="kp-list">' + "".join(f"<li>{_text(line)}</li>" for line in lines) + "</ul>"


def _text(text: str) -> str:
    return escape(visible(text))
