"""The review as a PDF: page one, which answers the questions, and the sections behind it."""

from __future__ import annotations

from kycpack.models.dates import instant_words
from kycpack.models.json import canonical_json
from kycpack.models.money import format_minor
from kycpack.render.charts import chart_share
from kycpack.render.lettering import lines
from kycpack.render.palette import BRASS, FILL, HAIRLINE, INK, MUTED, NAVY, SHARE_SMALL, TEXT, Colour, Tone
from kycpack.render.review.dossier import NO_DECISION, Dossier, recommendation_cell
from kycpack.render.sheet import MARGIN, POINT, TEXT_WIDTH, Sheet, Stamp
from kycpack.render.typefaces import Face
from kycpack.render.typeset import set_section
from kycpack.render.wording import level_cell, percent

_TITLE = "Customer review"
_REASONS = 7
_NOBODY = "Nobody named"


def render_review_pdf(dossier: Dossier) -> bytes:
    """Render a review.

    Args:
        dossier: What the review says.

    Returns:
        A PDF/A-3u document that carries its figures as `figures.json`.
    """
    sheet = Sheet(_stamp(dossier))
    sheet.outline("Summary")
    _set_title(sheet, dossier)
    _set_incomplete(sheet, dossier)
    _set_verdict(sheet, dossier)
    _set_people(sheet, dossier)
    _set_shares(sheet, dossier)
    _set_why_and_missing(sheet, dossier)
    _set_months(sheet, dossier)
    sheet.new_page()
    for section in dossier.sections:
        set_section(sheet, section)
    sheet.embed(
        "figures.json", canonical_json(dossier.figures()), "application/json", "The figures of this review"
    )
    return sheet.finish()


def _stamp(dossier: Dossier) -> Stamp:
    footer = (
        f"Case {dossier.case.case_id}",
        f"As of {instant_words(dossier.as_of)}",
        f"Policy {dossier.policy}",
        f"Evidence root {dossier.evidence_root}",
    )
    return Stamp(f"{_TITLE} {dossier.customer_id}", dossier.case.classification, footer, dossier.as_of)


def _set_title(sheet: Sheet, dossier: Dossier) -> None:
    right = MARGIN + TEXT_WIDTH
    sheet.put(MARGIN, sheet.y + 8.0, _TITLE, face=Face.SERIF, size=22.0, colour=NAVY)
    sheet.put(right, sheet.y + 4.0, f"Customer {dossier.customer_id}", size=8.0, colour=MUTED, align="right")
    sheet.put(right, sheet.y + 8.0, f"Case {dossier.case.case_id}", size=8.0, colour=MUTED, align="right")
    sheet.y += 10.0
    for line in lines(dossier.name or "Name not known", Face.STRONG, 12.0, TEXT_WIDTH / POINT):
        sheet.put(MARGIN, sheet.y + 5.0, line, size=12.0)
        sheet.y += 5.6
    sheet.y += 4.4


def _set_incomplete(sheet: Sheet, dossier: Dossier) -> None:
    if not dossier.incomplete:
        return
    shown = lines(dossier.incomplete, Face.STRONG, 9.0, (TEXT_WIDTH - 10.0) / POINT)
    height = 4.6 * len(shown) + 3.6
    sheet.box(MARGIN, sheet.y, TEXT_WIDTH, height, FILL[Tone.ALARM])
    sheet.box(MARGIN, sheet.y, 1.4, height, TEXT[Tone.ALARM])
    for index, line in enumerate(shown):
        sheet.put(
            MARGIN + 6.0,
            sheet.y + 5.4 + 4.6 * index,
            line,
            face=Face.STRONG,
            size=9.0,
            colour=TEXT[Tone.ALARM],
        )
    sheet.y += height + 4.0


def _set_verdict(sheet: Sheet, dossier: Dossier) -> None:
    level = recommendation_cell(dossier)
    top = sheet.y
    left_width = TEXT_WIDTH * 0.64
    reason = lines(dossier.top_reason, Face.SANS, 9.4, (left_width - 14.0) / POINT)[:3]
    height = 24.0 + 4.6 * len(reason)
    sheet.box(MARGIN, top, left_width, height, FILL[level.tone])
    sheet.box(MARGIN, top, 1.4, height, TEXT[level.tone])
    sheet.put(MARGIN + 6.0, top + 6.2, "RECOMMENDED LEVEL", face=Face.STRONG, size=6.8, colour=MUTED)
    sheet.put(MARGIN + 6.0, top + 15.4, level.text, face=Face.SERIF, size=19.0, colour=TEXT[level.tone])
    for index, line in enumerate(reason):
        sheet.put(MARGIN + 6.0, top + 21.6 + 4.6 * index, line, size=9.4, colour=INK)
    x = MARGIN + left_width + 4.0
    width = TEXT_WIDTH - left_width - 4.0
    sheet.box(x, top, width, height, FILL[Tone.PLAIN])
    sheet.put(x + 5.0, top + 6.2, "DECISION", face=Face.STRONG, size=6.8, colour=MUTED)
    sheet.put(x + 5.0, top + 14.0, NO_DECISION, face=Face.SERIF, size=11.5, colour=NAVY, room=width - 8.0)
    routes = ", ".join(dossier.routes) or "no named owner"
    for index, line in enumerate(
        lines(f"To be seen by: {routes}", Face.SANS, 7.8, (width - 9.0) / POINT)[:3]
    ):
        sheet.put(x + 5.0, top + 20.4 + 3.9 * index, line, size=7.8, colour=MUTED)
    sheet.y = top + height + 5.0


def _set_people(sheet: Sheet, dossier: Dossier) -> None:
    people = (
        ("As of", instant_words(dossier.as_of)),
        ("Policy", dossier.policy),
        ("Prepared by", dossier.case.prepared_by or _NOBODY),
        ("Reviewed by", dossier.case.reviewed_by or _NOBODY),
    )
    _set_pairs(sheet, people, (1.3, 1.0, 1.0, 1.0))
    _set_pairs(sheet, dossier.looked_at, (0.7, 0.9, 0.9, 1.6, 1.0))
    sheet.rule(MARGIN, sheet.y, MARGIN + TEXT_WIDTH, sheet.y, HAIRLINE)
    sheet.y += 5.0


def _set_pairs(sheet: Sheet, pairs: tuple[tuple[str, str], ...], shares: tuple[float, ...]) -> None:
    x = MARGIN
    for (label, value), share in zip(pairs, shares, strict=True):
        width = TEXT_WIDTH * share / sum(shares)
        sheet.put(x, sheet.y + 2.6, label, size=6.8, colour=MUTED)
        sheet.put(x, sheet.y + 7.0, value, size=9.0, colour=INK, room=width - 3.0)
        x += width
    sheet.y += 10.4


def _set_shares(sheet: Sheet, dossier: Dossier) -> None:
    _set_label(sheet, "How much of the credits is explained")
    if not dossier.shares:
        sheet.put(
            MARGIN,
            sheet.y + 4.0,
            "No booked credits were seen: nothing is explained.",
            size=8.6,
            colour=TEXT[Tone.UNKNOWN],
        )
        sheet.y += 9.0
    for share in dossier.shares[:3]:
        total = share.total_minor
        explained = percent(share.explained_minor, total)
        width = sheet.put(MARGIN, sheet.y + 6.0, explained, face=Face.SERIF, size=16.0, colour=NAVY)
        sheet.put(
            MARGIN + width + 2.0,
            sheet.y + 6.0,
            f"of {format_minor(total, share.currency)} explained",
            size=8.6,
        )
        parts = (
            ("explained", share.explained_minor, NAVY),
            ("small, not examined", share.small_minor, SHARE_SMALL),
            (
                f"unexplained ({format_minor(share.unexplained_minor, share.currency)})",
                share.unexplained_minor,
                BRASS,
            ),
        )
        x = MARGIN + TEXT_WIDTH
        for words, minor, fill in reversed(parts):
            told = f"{percent(minor, total)} {words}"
            x -= sheet.put(x, sheet.y + 6.0, told, size=8.0, colour=MUTED, align="right") + 3.2
            sheet.box(x, sheet.y + 4.0, 2.2, 2.2, fill)
            x -= 4.0
        bar = chart_share(share.explained_minor, share.small_minor, share.unexplained_minor, TEXT_WIDTH)
        sheet.draw(bar, MARGIN, sheet.y + 8.4)
        sheet.y += 16.0
    sheet.y += 2.0


def _set_why_and_missing(sheet: Sheet, dossier: Dossier) -> None:
    top = sheet.y
    gutter = 8.0
    width = (TEXT_WIDTH - gutter) / 2
    _set_label(sheet, "Why")
    shown = dossier.reasons[:_REASONS]
    for reason in shown:
        level = level_cell(reason.level)
        taken = sheet.put(
            MARGIN, sheet.y + 3.6, reason.rule_id, face=Face.STRONG, size=7.6, colour=TEXT[level.tone]
        )
        sheet.put(
            MARGIN + taken + 2.0,
            sheet.y + 3.6,
            f"{level.text} · {reason.owner}".rstrip(" ·"),
            size=7.2,
            colour=MUTED,
            room=width - taken - 4.0,
        )
        sheet.y += 4.6
        _set_lines(sheet, reason.text, MARGIN, width, 8.6, most=2)
        sheet.y += 1.8
    if not shown:
        _set_lines(sheet, "No rule was hit.", MARGIN, width, 8.6, most=1)
    if rest := len(dossier.reasons) - len(shown):
        told = f"and {rest} further rule{'' if rest == 1 else 's'}, in “Findings”"
        _set_lines(sheet, told, MARGIN, width, 8.0, most=1)
        sheet.y += 1.4
    for line in dossier.untold[:3]:
        _set_lines(sheet, line, MARGIN, width, 8.2, most=2, colour=TEXT[Tone.UNKNOWN])
        sheet.y += 1.4
    reached, sheet.y = sheet.y, top
    x = MARGIN + width + gutter
    _set_label(sheet, f"What is missing ({dossier.gap_count})", x)
    for line in dossier.missing:
        sheet.box(x, sheet.y + 1.4, 1.3, 1.3, TEXT[Tone.UNKNOWN])
        _set_lines(sheet, line, x + 4.0, width - 4.0, 8.2, most=2)
        sheet.y += 1.4
    if not dossier.missing:
        _set_lines(sheet, "No gap was found.", x, width, 8.2, most=1)
    sheet.y = max(sheet.y, reached)


def _set_months(sheet: Sheet, dossier: Dossier) -> None:
    """Set the chart of credits by month where page one has room for it; it stands in its section in any case."""
    if dossier.months is None or sheet.left < dossier.months.height + 9.0:
        return
    sheet.y += 2.0
    _set_label(sheet, f"Credits by month, {dossier.shares[0].currency}")
    sheet.draw(dossier.months, MARGIN, sheet.y)


def _set_label(sheet: Sheet, text: str, x: float = MARGIN) -> None:
    sheet.put(x, sheet.y + 3.4, text, face=Face.SERIF, size=11.5, colour=NAVY)
    sheet.y += 6.4


def _set_lines(
    sheet: Sheet, text: str, x: float, width: float, size: float, *, most: int, colour: Colour = INK
) -> None:
    leading = size * POINT * 1.34
    broken = lines(text, Face.SANS, size, width / POINT)
    for index, line in enumerate(broken[:most]):
        if index == most - 1 and len(broken) > most:
            rest = " ".join("".join(run.text for run in piece) for piece in broken[index:])
            sheet.put(x, sheet.y + 0.76 * leading, rest, size=size, colour=colour, room=width)
        else:
            sheet.put(x, sheet.y + 0.76 * leading, line, size=size, colour=colour)
        sheet.y += leading
