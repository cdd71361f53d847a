"""Page one of a review as HTML, for the notebook."""

from __future__ import annotations

from kycpack.models.dates import instant_words
from kycpack.models.money import format_minor
from kycpack.render.blocks import Figure, facts
from kycpack.render.charts import chart_share
from kycpack.render.markup import block_markup, figure_markup, linked
from kycpack.render.review.dossier import NO_DECISION, Dossier, recommendation_cell
from kycpack.render.wording import level_cell

_NOBODY = "Nobody named"


def render_summary_html(dossier: Dossier) -> str:
    """Return page one as HTML; everything in it is escaped."""
    level = recommendation_cell(dossier)
    about = (
        ("As of", instant_words(dossier.as_of)),
        ("Policy", dossier.policy),
        ("Prepared by", dossier.case.prepared_by or _NOBODY),
        ("Reviewed by", dossier.case.reviewed_by or _NOBODY),
        ("Case", dossier.case.case_id),
        *dossier.looked_at,
        ("Evidence root", dossier.evidence_root),
    )
    return (
        f'<p class="kp-name">{_text(dossier.name or "Name not known")}</p>'
        f'<p class="kp-text kp-quiet">Customer {_text(dossier.customer_id)}</p>'
        + _incomplete(dossier)
        + block_markup(facts(*dossier.person, across=4))
        + f'<div class="kp-verdict kp-{level.tone}"><p class="kp-eyebrow">Recommended level</p>'
        f'<p class="kp-level">{_text(level.text)}</p><p>{_text(dossier.headline)}</p></div>'
        f'<div class="kp-verdict"><p class="kp-eyebrow">Decision</p><p class="kp-level">{NO_DECISION}</p>'
        f"<p>To be seen by: {_text(', '.join(dossier.routes) or 'no named owner')}</p></div>"
        + _strip(dossier)
        + '<dl class="kp-facts">'
        + "".join(f"<div><dt>{_text(label)}</dt><dd>{_text(value)}</dd></div>" for label, value in about)
        + "</dl>"
        + _shares(dossier)
        + '<h3 class="kp-sub">Why</h3>'
        + _list(
            [f"{r.text} · {r.rule_id} · {level_cell(r.level).text}" for r in dossier.reasons],
            "No rule was hit.",
        )
        + "".join(f'<p class="kp-text kp-unknown">{_text(one.text)}</p>' for one in dossier.unknowns)
        + f'<h3 class="kp-sub">What is not known ({dossier.gap_count})</h3>'
        + _list(list(dossier.missing), "No gap was found.")
    )


def _incomplete(dossier: Dossier) -> str:
    if not dossier.incomplete:
        return ""
    return f'<div class="kp-verdict kp-alarm"><p><strong>{_text(dossier.incomplete)}</strong></p></div>'


def _shares(dossier: Dossier) -> str:
    head = '<h3 class="kp-sub">How much of the credits is explained</h3>'
    if not dossier.shares:
        return head + '<p class="kp-text kp-unknown">No booked credits were seen: nothing is explained.</p>'
    return head + "".join(
        f'<p class="kp-text"><strong>{share.percents[0]}</strong> of '
        f"{_text(format_minor(share.total_minor, share.currency))} explained; "
        f"{share.percents[2]} unexplained, "
        f"{share.percents[1]} small and not examined</p>"
        + figure_markup(
            Figure(chart_share(share.explained_minor, share.small_minor, share.unexplained_minor, 174.0))
        )
        for share in dossier.shares
    )


def _strip(dossier: Dossier) -> str:
    parts = "".join(
        f'<div class="kp-check kp-{cell.tone}"><p class="kp-eyebrow">{label}</p>'
        f'<p class="kp-word">{_text(cell.text)}</p></div>'
        for label, cell in dossier.strip
    )
    return f'<div class="kp-strip">{parts}</div>'


def _list(lines: list[str], empty: str) -> str:
    if not lines:
        return f'<p class="kp-text kp-quiet">{empty}</p>'
    return '<ul class="kp-list">' + "".join(f"<li>{_text(line)}</li>" for line in lines) + "</ul>"


def _text(text: str) -> str:
    return linked(text)
