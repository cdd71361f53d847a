"""Page one of a review as HTML, for the notebook."""

from __future__ import annotations

from kycpack.models.dates import instant_words
from kycpack.render.charts import WIDTH, chart_share
from kycpack.render.document_parts import Cell, Figure, facts
from kycpack.render.html_sections import block_markup, figure_markup, linked
from kycpack.render.review.contents import ReviewContents
from kycpack.render.review.cover import (
    LEVEL_SCALE,
    codes_words,
    demonstration_words,
    people,
    reason_words,
    review_words,
)
from kycpack.render.review.decision import decision_cell
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.shares import NO_CREDITS
from kycpack.render.wording import approval_words


def render_summary_html(contents: ReviewContents) -> str:
    """Return page one as HTML; everything in it is escaped."""
    level, beside = contents.verdict
    about = (
        ("As of", instant_words(contents.as_of)),
        ("Policy", contents.policy),
        *people(contents),
        ("Case", contents.case.case_id),
        *((label, cell.text) for label, cell in contents.looked_at),
        ("Evidence root", contents.evidence_root),
    )
    return (
        _demonstration(contents)
        + f'<p class="kp-name">{_text(contents.name or "Name not known")}</p>'
        + _latin(contents)
        + f'<p class="kp-text kp-quiet">Customer {_text(contents.customer_id)}</p>'
        + _incomplete(contents)
        + block_markup(facts(*contents.person, across=4))
        + f'<div class="kp-verdict kp-{level.tone}"><p class="kp-eyebrow">Recommendation · {LEVEL_SCALE}</p>'
        f'<p class="kp-level">{_text(level.text)}</p>'
        + "".join(f"<p>{_text(said)}</p>" for said in beside)
        + "</div>"
        + _decision(contents)
        + _first_step(contents)
        + _strip(contents)
        + '<dl class="kp-facts">'
        + "".join(f"<div><dt>{_text(label)}</dt><dd>{_text(value)}</dd></div>" for label, value in about)
        + "</dl>"
        + "".join(
            f'<p class="kp-text kp-quiet">{_text(said)}</p>'
            for said in (contents.risk.text, contents.late.text)
            if said
        )
        + _approval(contents)
        + f'<div class="kp-two"><div><h3 class="kp-sub">{_text(contents.why_title)}</h3>'
        + _list(list(map(_reason, contents.why)) or list(map(_text, contents.without_reasons)), "")
        + f'</div><div><h3 class="kp-sub">What is not known ({_text(contents.not_known.text)})</h3>'
        + "".join(
            f'<p class="kp-text kp-unknown">{_text(line.text)}</p>'
            for line in contents.missing
            if line.is_note
        )
        + _list([_text(line.text) for line in contents.missing if not line.is_note])
        + "</div></div>"
        + _shares(contents)
        + f'<p class="kp-text kp-quiet">{_text(codes_words(contents))}</p>'
    )


def _demonstration(contents: ReviewContents) -> str:
    said = demonstration_words(contents)
    return f'<p class="kp-text kp-watch"><strong>{_text(said)}</strong></p>' if said else ""


def _latin(contents: ReviewContents) -> str:
    latin = contents.latin_line
    return "" if latin is None else f'<p class="kp-text kp-{latin.tone}">{_text(latin.text)}</p>'


def _decision(contents: ReviewContents) -> str:
    cell = decision_cell(contents.case.record)
    return (
        f'<div class="kp-verdict kp-{cell.tone}"><p class="kp-eyebrow">Decision</p><p class="kp-level">{_text(cell.text)}</p>'
        + "".join(map(_decided, contents.decided))
        + (f"<p>{_text(said)}</p>" if (said := review_words(contents)) else "")
        + "</div>"
    )


def _decided(cell: Cell) -> str:
    text = f"<strong>{_text(cell.text)}</strong>" if cell.strong else _text(cell.text)
    return f'<p class="kp-text kp-{cell.tone}">{text}</p>'


def _approval(contents: ReviewContents) -> str:
    approval = contents.case.policy_approval
    if approval is None:
        return ""
    tone = "quiet" if approval["state"] == "approved" else "alarm"
    return f'<p class="kp-text kp-{tone}">{_text(approval_words(contents.policy, approval))}</p>'


def _incomplete(contents: ReviewContents) -> str:
    if not contents.incomplete:
        return ""
    return f'<div class="kp-verdict kp-alarm"><p><strong>{_text(contents.incomplete)}</strong></p></div>'


def _shares(contents: ReviewContents) -> str:
    accepted, whose = (
        "".join(f'<p class="kp-text kp-{line.tone}">{_text(line.text)}</p>' for line in lines)
        for lines in (contents.accepted, contents.whose_money)
    )
    head = f'{accepted}<h3 class="kp-sub">Share of credits whose nature is known</h3>{whose}'
    if not contents.shares:
        return head + f'<p class="kp-text kp-unknown">{NO_CREDITS}</p>'
    return head + "".join(
        f'<p class="kp-text"><strong>{share.known_percent}</strong> of '
        f"{_text(share.total_words)} {share.known_words}{_text(share.questioned_words)}. {_text(' '.join(part for part in (share.twice_words, share.on_page_one) if part))}</p>"
        + figure_markup(Figure(chart_share(share.parts, WIDTH, with_legend=True)))
        + '<p class="kp-text">'
        + "; ".join(_text(said) for said, _ in share.legend)
        + (f". {share.rounding}" if share.rounding else "")
        + "</p>"
        for share in contents.shares
    )


def _reason(one: Reason | Unknown) -> str:
    head, said, tone = reason_words(one)
    return f'<span class="kp-word kp-{tone}">{_text(head)}</span>{_text(said)}'


def _first_step(contents: ReviewContents) -> str:
    to_do = contents.to_do
    if not to_do.steps:
        return f'<p class="kp-text">{_text(to_do.without_steps)}</p>' if to_do.without_steps else ""
    every = f" All {count} steps are in “Decision”." if (count := len(to_do.steps)) > 1 else ""
    return f'<h3 class="kp-sub">{to_do.first_heading}</h3><p class="kp-text">{_text(to_do.first)}{every}</p>'


def _strip(contents: ReviewContents) -> str:
    parts = "".join(
        f'<div class="kp-check kp-{cell.tone}"><p class="kp-eyebrow">{label}</p>'
        f'<p class="kp-word">{_text(cell.text)}</p></div>'
        for label, cell in contents.strip
    )
    return f'<div class="kp-strip">{parts}</div>'


def _list(lines: list[str], empty: str = "") -> str:
    if not lines:
        return f'<p class="kp-text kp-quiet">{_text(empty)}</p>'
    return '<ul class="kp-list">' + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


def _text(text: str) -> str:
    return linked(text)
