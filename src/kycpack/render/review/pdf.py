"""The review as a PDF: page one, which answers the main questions, and the sections after it."""

from __future__ import annotations

from collections.abc import Mapping

from kycpack.models.dates import instant_words
from kycpack.models.json import canonical_json
from kycpack.render.charts import PART_MONTH, chart_share, has_part_month
from kycpack.render.palette import (
    FILL,
    HAIRLINE,
    INK,
    MUTED,
    NAVY,
    TEXT,
    Tone,
)
from kycpack.render.pdf_pages import FOOT, MARGIN, POINT, TEXT_WIDTH, Sheet, Stamp
from kycpack.render.pdf_sections import set_section
from kycpack.render.review.contents import ReviewContents
from kycpack.render.review.cover import CODES, people, review_words
from kycpack.render.review.decision import decision_cell, decision_lines, news_lines
from kycpack.render.review.left_open import is_done
from kycpack.render.review.pdf_reasons import set_further, set_label, set_lines, set_why_and_missing
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.shares import NO_CREDITS, Shares
from kycpack.render.text_runs import lines, runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import DEMONSTRATION_WORDS, approval_words

_TITLE, _KNOWN_SHARE = "Customer review", "Share of credits whose nature is known"
_STEP_LINES, _STEPS_IN_SHORT, _LINES_BESIDE_A_DECISION, _NEWS_LINES = 4, 8, 6, 8
_CODES_SIZE, _STATE_SIZE, _STEP_SIZE = 6.4, 8.4, 8.0
_SENTENCE_LINES = 4  # with all kinds of evidence, refunds, own transfers and the note on rounding
_SHARES = 3  # currencies with a bar on page one
_LEAST_FOR_SHARES = 30.0  # millimetres; where a long decision leaves less, what follows is on a second page
_COUNTED = {
    "Sessions": "session",
    "Bank accounts": "bank account",
    "Transactions": "transaction",
    "Evidence entries": "evidence entry",
}
"""The labels that are counted in the sentence on what the review is based on, each with its singular."""


def render_review_pdf(contents: ReviewContents) -> bytes:
    """Render a review; its steps are on page one in full unless they would leave no room there for the reasons.

    Args:
        contents: The content of the review.

    Returns:
        A PDF/A-3u document with its figures attached as `figures.json`.
    """
    in_short = _is_long_beside_a_decision(contents)
    sheet, further = _begin(contents, steps_are_short=in_short)
    if sheet.pdf.page > 1 and not in_short:
        sheet, further = _begin(contents, steps_are_short=True)
    began_on = sheet.pdf.page
    _set_months(sheet, contents)
    sheet.new_page()
    set_further(sheet, further, began_on)
    for section in contents.sections:
        set_section(sheet, section)
    sheet.embed(
        "figures.json", canonical_json(contents.figures()), "application/json", "The figures of this review"
    )
    return sheet.finish()


def _begin(contents: ReviewContents, *, steps_are_short: bool) -> tuple[Sheet, tuple[Reason | Unknown, ...]]:
    """Return page one down to its reasons, which stand on a second page where there is no room, and the reasons to set further on."""
    sheet = Sheet(_stamp(contents))
    sheet.outline("Summary")
    _set_codes(sheet, contents)
    _set_title(sheet, contents)
    _set_incomplete(sheet, contents)
    _set_verdict(sheet, contents)
    _set_decision(sheet, contents)
    _set_steps(sheet, contents, in_short=steps_are_short)
    _set_strip(sheet, contents)
    _set_people(sheet, contents)
    _set_shares(sheet, contents)
    return sheet, set_why_and_missing(sheet, contents)


def _is_long_beside_a_decision(contents: ReviewContents) -> bool:
    """Return whether the steps take too much of page one beside a decision to stand there in full."""
    record = contents.case.record
    most = (
        _STEPS_IN_SHORT
        if is_done(record, (*contents.reasons, *contents.unknowns))
        else _LINES_BESIDE_A_DECISION
    )
    count = sum(len(lines(step, Face.SANS, _STEP_SIZE, TEXT_WIDTH / POINT)) for step in contents.steps)
    return record is not None and record.decision is not None and count > most


def _stamp(contents: ReviewContents) -> Stamp:
    footer = (
        f"Case {contents.case.case_id}",
        f"As of {instant_words(contents.as_of)}",
        f"Policy {contents.policy}",
        f"Evidence root {contents.evidence_root}",
    )
    return Stamp(review_title(contents.customer_id), contents.case.classification, footer, contents.as_of)


def review_title(customer_id: str) -> str:
    """Return the title of a review in its metadata."""
    return f"{_TITLE} {customer_id}"


def _set_title(sheet: Sheet, contents: ReviewContents) -> None:
    right = MARGIN + TEXT_WIDTH
    sheet.put(MARGIN, sheet.y + 2.0, _TITLE.upper(), face=Face.STRONG, size=7.2, colour=MUTED)
    sheet.put(right, sheet.y + 2.0, f"Customer {contents.customer_id}", size=7.6, colour=MUTED, align="right")
    sheet.put(right, sheet.y + 6.0, f"Case {contents.case.case_id}", size=7.6, colour=MUTED, align="right")
    if contents.is_demonstration:
        sheet.put(
            MARGIN, sheet.y + 6.0, DEMONSTRATION_WORDS, face=Face.STRONG, size=7.6, colour=TEXT[Tone.WATCH]
        )
    sheet.y += 7.0
    # A long name is shown in full in “The customer”.
    name = contents.name or "Name not known"
    size = 20.0 if len(lines(name, Face.SERIF, 20.0, TEXT_WIDTH / POINT)) == 1 else 13.0
    set_lines(sheet, name, MARGIN, TEXT_WIDTH, size, most=2, colour=NAVY, face=Face.SERIF)
    if latin := contents.latin_line:
        set_lines(sheet, latin.text, MARGIN, TEXT_WIDTH, 9.0, most=2, colour=TEXT[latin.tone])
    sheet.y += 1.6
    shares = (0.75, 1.0, 2.0, 1.95)
    x, top = MARGIN, sheet.y
    for (label, cell), share in zip(contents.person, shares, strict=True):
        width = TEXT_WIDTH * share / sum(shares)
        sheet.put(x, top + 2.6, label, size=6.8, colour=MUTED)
        sheet.y = top + 3.2
        set_lines(sheet, cell.text, x, width - 3.0, 8.6, most=2, colour=TEXT[cell.tone])
        x += width
    sheet.y = top + 13.0


def _set_codes(sheet: Sheet, contents: ReviewContents) -> None:
    """Set what the codes of page one mean, between its content and its foot, and above that whether a decision may follow."""
    broken = lines(CODES, Face.SANS, _CODES_SIZE, TEXT_WIDTH / POINT)
    if contents.case.record is None:
        said = decision_lines(None)[0]
        sheet.put(MARGIN, FOOT - 2.4 * len(broken) - 2.6, said, size=_CODES_SIZE, colour=MUTED)
    sheet.put_lines(MARGIN, FOOT - 2.4 * len(broken) - 0.7, broken, 2.4, size=_CODES_SIZE, colour=MUTED)


def _set_incomplete(sheet: Sheet, contents: ReviewContents) -> None:
    if not contents.incomplete:
        return
    shown = lines(contents.incomplete, Face.STRONG, 9.0, (TEXT_WIDTH - 10.0) / POINT)
    height = 4.6 * len(shown) + 3.6
    sheet.tint(TEXT_WIDTH, height, Tone.ALARM, 1.4)
    alarm = TEXT[Tone.ALARM]
    sheet.put_lines(MARGIN + 6.0, sheet.y + 5.4, shown, 4.6, 0.0, face=Face.STRONG, size=9.0, colour=alarm)
    sheet.y += height + 4.0


def _set_verdict(sheet: Sheet, contents: ReviewContents) -> None:
    level, beside = contents.verdict
    top = sheet.y
    left_width = TEXT_WIDTH * 0.68
    broken = [len(lines(said, Face.SANS, 9.0, (left_width - 12.0) / POINT)) for said in beside]
    height = 19.0 + 4.3 * sum(min(max(count, 1), 4) for count in broken)
    sheet.tint(left_width, height, level.tone, 1.6)
    sheet.put(MARGIN + 6.0, top + 5.4, "RECOMMENDED LEVEL", face=Face.STRONG, size=6.8, colour=MUTED)
    sheet.put(MARGIN + 6.0, top + 13.4, level.text, face=Face.SERIF, size=18.0, colour=TEXT[level.tone])
    sheet.y = top + 16.0
    for said in beside:
        set_lines(sheet, said, MARGIN + 6.0, left_width - 12.0, 9.0, most=4)
    x = MARGIN + left_width + 4.0
    width = TEXT_WIDTH - left_width - 4.0
    decided = decision_cell(contents.case.record)
    colour = NAVY if decided.tone == Tone.PLAIN else TEXT[decided.tone]
    sheet.box(x, top, width, height, FILL[decided.tone])
    sheet.put(x + 5.0, top + 5.4, "DECISION", face=Face.STRONG, size=6.8, colour=MUTED)
    sheet.put(x + 5.0, top + 12.6, decided.text, face=Face.SERIF, size=11.0, colour=colour, room=width - 8.0)
    sheet.y = top + 15.0
    set_lines(sheet, review_words(contents), x + 5.0, width - 9.0, 7.8, most=2, colour=MUTED)
    sheet.y = top + height + 3.0


def _set_decision(sheet: Sheet, contents: ReviewContents) -> None:
    """Set who decided, when, with whom and why; a text too long for page one is continued in its section."""
    first, *others = decision_lines(contents.case.record)
    if contents.case.record is None:  # said at the foot
        return
    set_lines(sheet, first, MARGIN, TEXT_WIDTH, 9.0, most=4)
    for cell in contents.left_open:
        set_lines(sheet, cell.text, MARGIN, TEXT_WIDTH, 8.4, most=4, colour=TEXT[cell.tone], face=Face.STRONG)
    news = news_lines(contents.case.record)
    for line in others:
        if line in news:
            set_lines(sheet, line, MARGIN, TEXT_WIDTH, 8.4, most=_NEWS_LINES, face=Face.STRONG)
        else:
            set_lines(sheet, line, MARGIN, TEXT_WIDTH, 8.4, most=4, colour=MUTED)
    sheet.y += 1.6


def _set_steps(sheet: Sheet, contents: ReviewContents, *, in_short: bool) -> None:
    """Set what a decision settled, and what has to be done, in order."""
    to_do = contents.to_do
    if to_do.settled:
        set_lines(sheet, to_do.settled, MARGIN, TEXT_WIDTH, _STEP_SIZE, most=_STEP_LINES)
    if to_do.steps and in_short:
        set_lines(sheet, to_do.in_short, MARGIN, TEXT_WIDTH, _STEP_SIZE, most=_STEPS_IN_SHORT)
    elif to_do.steps:
        sheet.put(MARGIN, sheet.y + 2.4, to_do.heading.upper(), face=Face.STRONG, size=6.8, colour=MUTED)
        sheet.y += 3.6
        for step in to_do.steps:
            set_lines(sheet, step, MARGIN, TEXT_WIDTH, _STEP_SIZE, most=_STEP_LINES)
    sheet.y += 1.8 if to_do.settled or to_do.steps else 0.0


def _set_strip(sheet: Sheet, contents: ReviewContents) -> None:
    """Set the state of each kind of check, side by side; the colour only repeats what the word says."""
    gap = 2.0
    width = (TEXT_WIDTH - gap * (len(contents.strip) - 1)) / len(contents.strip)
    states = [(label, *_in_two(cell.text, width - 3.0), cell.tone) for label, cell in contents.strip]
    height = 13.6 if any(below for _, _, below, _ in states) else 11.4
    for place, (label, state, below, tone) in enumerate(states):
        x, top, room, colour = MARGIN + place * (width + gap), sheet.y, width - 3.0, TEXT[tone]
        sheet.box(x, top, width, height, FILL[tone])
        sheet.box(x, top, width, 0.8, colour)
        sheet.put(x + 2.2, top + 4.2, label, size=6.8, colour=MUTED)
        sheet.put(x + 2.2, top + 8.4, state, face=Face.STRONG, size=_STATE_SIZE, colour=colour, room=room)
        sheet.put(x + 2.2, top + 11.8, below, size=7.4, colour=colour, room=room)
    sheet.y += height + 3.2


def _in_two(text: str, room: float) -> tuple[str, str]:
    """Return a state, and what stands below it: what it refers to, or the words that have no room beside the others; room in mm."""
    state, _, below = text.partition(", ")
    words = state.split(" ")
    most = len(words)
    while most > 1 and width_of(runs(" ".join(words[:most]), Face.STRONG), _STATE_SIZE) > room / POINT:
        most -= 1
    return " ".join(words[:most]), " ".join((*words[most:], *filter(None, (below,))))


def _set_people(sheet: Sheet, contents: ReviewContents) -> None:
    pairs = (
        ("As of", instant_words(contents.as_of)),
        ("Policy", contents.policy),
        *people(contents),
    )
    _set_pairs(sheet, pairs, (1.3, 1.0, 1.0, 1.0))
    seen = _looked_at({label: cell.text for label, cell in contents.looked_at})
    for said in filter(None, (contents.risk.text, seen, contents.late.text)):
        set_lines(sheet, said, MARGIN, TEXT_WIDTH, 8.2, most=2, colour=MUTED)
    approval = contents.case.policy_approval
    if approval is not None:
        colour = MUTED if approval["state"] == "approved" else TEXT[Tone.ALARM]
        words = approval_words(contents.policy, approval)
        set_lines(sheet, words, MARGIN, TEXT_WIDTH, 8.2, most=1, colour=colour)
    sheet.y += 1.8
    sheet.rule(MARGIN, sheet.y, MARGIN + TEXT_WIDTH, sheet.y, HAIRLINE)
    sheet.y += 1.8


def _looked_at(seen: Mapping[str, str]) -> str:
    """Return what the review is based on as a sentence, such as `Based on: 1 session, 2 bank accounts ...`."""
    sessions, accounts, transactions, entries = (
        f"{seen[label]} {one if seen[label] == '1' else label.lower()}" for label, one in _COUNTED.items()
    )
    period, booked = f" from {seen['Period']}", seen["Of these booked"]
    if booked == seen["Transactions"]:
        period = f"{period}, all booked" if booked != "0" else ""
    else:
        period = f", {booked} of them booked" + (period if booked != "0" else "")
    return f"Based on: {sessions}, {accounts}, {transactions}{period}, {entries}."


def _set_pairs(sheet: Sheet, pairs: tuple[tuple[str, str], ...], shares: tuple[float, ...]) -> None:
    x = MARGIN
    for (label, value), share in zip(pairs, shares, strict=True):
        width = TEXT_WIDTH * share / sum(shares)
        sheet.put(x, sheet.y + 2.6, label, size=6.8, colour=MUTED)
        sheet.put(x, sheet.y + 7.0, value, size=9.0, colour=INK, room=width - 3.0)
        x += width
    sheet.y += 9.4


def _set_shares(sheet: Sheet, contents: ReviewContents) -> None:
    set_label(sheet, _KNOWN_SHARE)
    for line in contents.whose_money:
        set_lines(sheet, line.text, MARGIN, TEXT_WIDTH, 8.6, most=2, colour=TEXT[line.tone])
        sheet.y += 0.8
    if not contents.shares:
        sheet.put(MARGIN, sheet.y + 4.0, NO_CREDITS, size=8.6, colour=TEXT[Tone.UNKNOWN])
        sheet.y += 9.0
    for share in contents.shares[:_SHARES]:
        if sheet.need(_LEAST_FOR_SHARES):
            set_label(sheet, f"{_KNOWN_SHARE}, continued")
        width = sheet.put(MARGIN, sheet.y + 6.0, share.known_percent, face=Face.SERIF, size=16.0, colour=NAVY)
        sheet.put(
            MARGIN + width + 2.0,
            sheet.y + 6.0,
            ". ".join(part for part in (f"of {share.total_words}", share.twice_words) if part),
            size=8.6,
            room=TEXT_WIDTH - width - 2.0,
        )
        sheet.draw(chart_share(share.parts, TEXT_WIDTH), MARGIN, sheet.y + 8.4)
        sheet.y += 14.0
        _set_legend(sheet, share)
        set_lines(sheet, share.sentence, MARGIN, TEXT_WIDTH, 7.4, most=_SENTENCE_LINES, colour=MUTED)
        set_lines(sheet, share.largest_words, MARGIN, TEXT_WIDTH, 7.4, most=2, colour=MUTED)
        sheet.y += 1.6
    if len(contents.shares) > _SHARES:
        further = ", ".join(share.currency for share in contents.shares[_SHARES:])
        said = f"Credits in further currencies are in “Sources of credits” and “How each credit was counted”: {further}."
        set_lines(sheet, said, MARGIN, TEXT_WIDTH, 8.0, most=2, colour=TEXT[Tone.UNKNOWN])
        sheet.y += 2.0
    sheet.y += 1.0


def _set_legend(sheet: Sheet, share: Shares) -> None:
    x, right = MARGIN, MARGIN + TEXT_WIDTH
    for said, fill in share.legend:
        if x + 3.2 + POINT * width_of(runs(said, Face.SANS), 7.4) > right:
            x, sheet.y = MARGIN, sheet.y + 3.6
        sheet.box(x, sheet.y, 2.2, 2.2, fill)
        x += 3.2 + sheet.put(x + 3.2, sheet.y + 2.0, said, size=7.4, colour=MUTED) + 4.0
    sheet.y += 3.4


def _set_months(sheet: Sheet, contents: ReviewContents) -> None:
    """Set the chart of credits by month as tall as there is room for, or say where it is if it does not fit on page one."""
    if not contents.months:
        return
    months = next((one for one in contents.months if one.height + 9.0 <= sheet.left), None)
    if months is None:
        words = "The chart of credits by month does not fit on this page: it is in “Sources of credits”."
        set_lines(sheet, words, MARGIN, TEXT_WIDTH, 8.0, most=1, colour=MUTED)
        return
    sheet.y += 2.0
    notes = ["Coloured by nature, as the bar above"] if months is contents.months[-1] else []
    notes += [PART_MONTH] if has_part_month(months) else []
    right = MARGIN + TEXT_WIDTH
    sheet.put(right, sheet.y + 3.4, " · ".join(notes), size=7.0, colour=MUTED, align="right")
    set_label(sheet, f"Credits by month, {contents.shares[0].currency}")
    sheet.draw(months, MARGIN, sheet.y)
