"""The review as a PDF: page one, which answers the main questions, and the sections after it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from kycpack.models.dates import instant_words
from kycpack.models.json import canonical_json
from kycpack.render.charts import chart_share
from kycpack.render.drawing import Drawing, flattened
from kycpack.render.palette import FILL, HAIRLINE, INK, MUTED, NAVY, TEXT, Tone
from kycpack.render.pdf_pages import BOTTOM, FOOT, MARGIN, PAGE_HEIGHT, POINT, TEXT_WIDTH, Sheet, Stamp
from kycpack.render.pdf_sections import set_section
from kycpack.render.review.contents import ReviewContents
from kycpack.render.review.cover import LEVEL_SCALE, codes_words, demonstration_words, people, review_words
from kycpack.render.review.coverage import TWICE_INCLUDED
from kycpack.render.review.decision import MADE_BEFORE, decision_cell
from kycpack.render.review.pdf_reasons import (
    least_for_reasons,
    set_further,
    set_label,
    set_lines,
    set_why_and_missing,
)
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.shares import NO_CREDITS, Shares
from kycpack.render.text_runs import lines, runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import approval_words

_TITLE, _KNOWN_SHARE = "Customer review", "Share of credits whose nature is known"
_BASED_ON, _BODY = "What this review is based on", "reasons"
_STEP_LINES, _DECIDED_LINES = 5, 5
_CODES_SIZE, _STATE_SIZE, _STEP_SIZE, _LEGEND_SIZE = 6.4, 8.4, 7.8, 7.0
_SENTENCE_LINES = 7  # with all kinds of evidence, refunds, own transfers and the note on rounding
_SHARES = 3  # currencies of page one, of which the first has a bar
_LEAST_FOR_REASONS = 30.0  # mm; where a long decision leaves less, all that follows is on a second page
_FLAT = 0.6  # of the height of the chart where the reasons need the room
_BEFORE_MONEY = 8.0  # millimetres at most
_TOP, _GUTTER, _LEAST_PERSON, _BELOW_PERSON = 17.5, 6.0, 13.2, 2.2
_COUNTED = {
    "Sessions": "session",
    "Bank accounts": "bank account",
    "Transactions": "transaction",
    "Evidence entries": "evidence entry",
}
"""The labels that are counted in the sentence on what the review is based on, each with its singular."""


def render_review_pdf(contents: ReviewContents) -> bytes:
    """Render a review.

    Args:
        contents: The content of the review.

    Returns:
        A PDF/A-3u document with its figures attached as `figures.json`.
    """
    sheet = Sheet(_stamp(contents))
    sheet.y = _TOP
    sheet.outline("Summary")
    _set_codes(sheet, contents)
    _set_title(sheet, contents)
    _set_incomplete(sheet, contents)
    _set_verdict(sheet, contents)
    _set_decision(sheet, contents)
    _set_steps(sheet, contents)
    _set_strip(sheet, contents)
    _set_people(sheet, contents)
    further = _set_body(sheet, contents)
    began_on = sheet.pdf.page
    sheet.new_page()
    set_further(sheet, further, began_on)
    if _is_decided(contents):
        set_label(sheet, _BASED_ON)
        _set_based_on(sheet, contents)
        sheet.y += 4.0
    for section in contents.sections:
        set_section(sheet, section)
    sheet.embed(
        "figures.json", canonical_json(contents.figures()), "application/json", "The figures of this review"
    )
    return sheet.finish()


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
    """Set whom the review is about; the ids of the customer and of the case are at the top and the foot of the page."""
    if invented := demonstration_words(contents):
        sheet.put(MARGIN, sheet.y + 2.0, invented, face=Face.STRONG, size=7.6, colour=TEXT[Tone.WATCH])
        sheet.y += 3.2
    # A long name is shown in full in “The customer”.
    name = contents.name or "Name not known"
    size = 20.0 if len(lines(name, Face.SERIF, 20.0, TEXT_WIDTH / POINT)) == 1 else 13.0
    set_lines(sheet, name, MARGIN, TEXT_WIDTH, size, most=2, colour=NAVY, face=Face.SERIF)
    if latin := contents.latin_line:
        set_lines(sheet, latin.text, MARGIN, TEXT_WIDTH, 9.0, most=2, colour=TEXT[latin.tone])
    sheet.y += 1.6
    shares = (0.75, 1.2, 1.9, 1.85)
    x, top, below = MARGIN, sheet.y, sheet.y + _LEAST_PERSON
    for (label, cell), share in zip(contents.person, shares, strict=True):
        width = TEXT_WIDTH * share / sum(shares)
        sheet.put(x, top + 2.6, label, size=6.8, colour=MUTED)
        sheet.y = top + 3.2
        set_lines(sheet, cell.text, x, width - 3.0, 8.6, most=3, colour=TEXT[cell.tone])
        x, below = x + width, max(below, sheet.y + _BELOW_PERSON)
    sheet.y = below


def _set_codes(sheet: Sheet, contents: ReviewContents) -> None:
    """Set what the codes of page one mean, between its content and its foot, and above that whether a decision may follow."""
    broken = lines(codes_words(contents), Face.SANS, _CODES_SIZE, TEXT_WIDTH / POINT)
    if contents.case.record is None:
        sheet.put(MARGIN, FOOT - 2.4 * len(broken) - 1.4, MADE_BEFORE, size=_CODES_SIZE, colour=MUTED)
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
    top, left_width = sheet.y, TEXT_WIDTH * 0.68
    room, words = (left_width - 12.0) / POINT, runs(level.text, Face.SERIF)
    broken = [len(lines(said, Face.SANS, 9.0, room)) for said in beside]
    height = 15.8 + max(6.2, 4.3 * sum(min(max(count, 1), 4) for count in broken))
    sheet.tint(left_width, height, level.tone, 1.6)
    taken = sheet.put(MARGIN + 6.0, top + 4.6, "RECOMMENDATION", face=Face.STRONG, size=6.8, colour=MUTED)
    sheet.put(MARGIN + 9.0 + taken, top + 4.6, LEVEL_SCALE, size=6.8, colour=MUTED)
    size = min(18.0, room / width_of(words, 1.0))
    sheet.put(MARGIN + 6.0, top + 12.2, words, size=size, colour=TEXT[level.tone])
    sheet.y = top + 14.6
    for said in beside:
        set_lines(sheet, said, MARGIN + 6.0, left_width - 12.0, 9.0, most=4)
    x, width = MARGIN + left_width + 4.0, TEXT_WIDTH - left_width - 4.0
    decided = decision_cell(contents.case.record)
    colour = NAVY if decided.tone == Tone.PLAIN else TEXT[decided.tone]
    sheet.box(x, top, width, height, FILL[decided.tone])
    sheet.put(x + 5.0, top + 4.6, "DECISION", face=Face.STRONG, size=6.8, colour=MUTED)
    sheet.put(x + 5.0, top + 11.6, decided.text, face=Face.SERIF, size=11.0, colour=colour, room=width - 8.0)
    sheet.y = top + 13.6
    set_lines(sheet, review_words(contents), x + 5.0, width - 9.0, 7.8, most=2, colour=MUTED)
    sheet.y = top + height + 2.6


def _set_decision(sheet: Sheet, contents: ReviewContents) -> None:
    """Set what is said of the decision in a few lines; its section has the rest."""
    if contents.case.record is None:  # said at the foot
        return
    for cell in contents.decided:
        face = Face.STRONG if cell.strong else Face.SANS
        set_lines(
            sheet, cell.text, MARGIN, TEXT_WIDTH, 8.0, most=_DECIDED_LINES, colour=TEXT[cell.tone], face=face
        )
    sheet.y += 1.4


def _set_heading(sheet: Sheet, words: str) -> None:
    sheet.put(MARGIN, sheet.y + 2.8, words.upper(), face=Face.STRONG, size=6.8, colour=MUTED)
    sheet.y += 3.6


def _set_steps(sheet: Sheet, contents: ReviewContents) -> None:
    """Set the first step of what has to be done, all of which is in the section on the decision, or that nothing has to."""
    to_do = contents.to_do
    if settled := to_do.without_steps:
        set_lines(sheet, settled, MARGIN, TEXT_WIDTH, _STEP_SIZE, most=_STEP_LINES)
    if to_do.steps:
        if (count := len(to_do.steps)) > 1:
            sheet.point(sheet.y + 2.8, f"All {count} steps", to_do.heading)
        _set_heading(sheet, to_do.first_heading)
        whole = len(lines(to_do.first, Face.SANS, _STEP_SIZE, TEXT_WIDTH / POINT)) <= _STEP_LINES
        for said in (to_do.first,) if whole else (to_do.steps[0], to_do.beside_first):
            set_lines(sheet, said, MARGIN, TEXT_WIDTH, _STEP_SIZE, most=_STEP_LINES)
    sheet.y += 1.8 if to_do.settled or to_do.steps else 0.0


def _set_strip(sheet: Sheet, contents: ReviewContents) -> None:
    """Set the state of each kind of check, side by side; the colour only repeats what the word says."""
    gap = 2.0
    width = (TEXT_WIDTH - gap * (len(contents.strip) - 1)) / len(contents.strip)
    states = [(label, *_in_two(cell.text, width - 3.0), cell.tone) for label, cell in contents.strip]
    height = 13.6 if any(below or rest for _, _, rest, below, _ in states) else 11.4
    small = (Face.SANS, 6.8, (width - 3.0) / POINT)
    long = {below for _, _, rest, below, _ in states if not rest and len(lines(below, *small)) > 1}
    height += 2.6 if long else 0.0
    for place, (label, state, rest, below, tone) in enumerate(states):
        x, top, room, colour = MARGIN + place * (width + gap), sheet.y, width - 3.0, TEXT[tone]
        sheet.box(x, top, width, height, FILL[tone])
        sheet.box(x, top, width, 0.8, colour)
        sheet.put(x + 2.2, top + 4.2, label, size=6.8, colour=MUTED)
        sheet.put(x + 2.2, top + 8.4, state, face=Face.STRONG, size=_STATE_SIZE, colour=colour, room=room)
        if rest:  # a state is set in one weight, so that it is read as a whole
            sheet.put(x + 2.2, top + 11.8, rest, face=Face.STRONG, size=_STATE_SIZE, colour=colour, room=room)
        elif below in long:
            sheet.y = top + 9.4
            set_lines(sheet, below, x + 2.2, room, 6.8, most=2, colour=colour)
            sheet.y = top
        else:
            sheet.put(x + 2.2, top + 11.8, below, size=6.8, colour=colour, room=room)
    sheet.y += height + 2.0


def _in_two(text: str, room: float) -> tuple[str, str, str]:
    """Return a state, its words that have no room beside the others, and what is said beside it; room in mm."""
    state, _, below = text.partition(", ")
    words = state.split(" ")
    most = len(words)
    while most > 1 and width_of(runs(" ".join(words[:most]), Face.STRONG), _STATE_SIZE) > room / POINT:
        most -= 1
    rest = " ".join(words[most:])
    return " ".join(words[:most]), f"{rest}, {below}" if rest and below else rest, below


def _set_people(sheet: Sheet, contents: ReviewContents) -> None:
    pairs = (
        ("As of", instant_words(contents.as_of)),
        ("Policy", contents.policy),
        *people(contents),
    )
    if _is_decided(contents):
        in_line = " · ".join(": ".join(pair) for pair in pairs)
        set_lines(sheet, in_line, MARGIN, TEXT_WIDTH, _STEP_SIZE, most=2)
    else:
        _set_pairs(sheet, pairs, (1.3, 1.0, 1.0, 1.0))
        _set_based_on(sheet, contents)
    sheet.y += 1.2
    approval = contents.case.policy_approval
    if approval is not None and approval["state"] != "approved":
        approved = approval_words(contents.policy, approval)
        set_lines(sheet, approved, MARGIN, TEXT_WIDTH, 8.2, most=1, colour=TEXT[Tone.ALARM])
        sheet.y += 1.2
    sheet.rule(MARGIN, sheet.y, MARGIN + TEXT_WIDTH, sheet.y, HAIRLINE)
    sheet.y += 1.4


def _is_decided(contents: ReviewContents) -> bool:
    """Return whether page one has a decision, for which it needs the room of what the review is based on."""
    return contents.case.record is not None and contents.case.record.decision is not None


def _set_based_on(sheet: Sheet, contents: ReviewContents) -> None:
    """Set what the review is based on: on page one, or after a decision on the page after it."""
    seen = _looked_at({label: cell.text for label, cell in contents.looked_at})
    approval = contents.case.policy_approval
    is_approved = approval is not None and approval["state"] == "approved"
    approved = approval_words(contents.policy, approval) if is_approved else ""
    quiet = filter(None, (contents.risk.text, seen, contents.late.text, approved))
    set_lines(sheet, " ".join(quiet), MARGIN, TEXT_WIDTH, 7.2, most=7, colour=MUTED)


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
        sheet.put(x, sheet.y + 6.4, value, size=8.6, colour=INK, room=width - 3.0)
        x += width
    sheet.y += 7.8


def _set_body(sheet: Sheet, contents: ReviewContents) -> tuple[Reason | Unknown, ...]:
    """Set the reasons, what is missing and the money, at the foot of the page; return the reasons without room."""
    for flat in (1.0, _FLAT):
        money = sheet.taken_by(partial(_set_money, sheet, contents, flat))
        if least_for_reasons(sheet, contents) <= sheet.left - money:
            break
    if sheet.left < money + _LEAST_FOR_REASONS:
        sheet.point(FOOT - 5.0, "“Why”, “What is not known”, and credits with their chart", _BODY)
        sheet.new_page()
        sheet.anchor(_BODY)
    further = set_why_and_missing(sheet, contents, sheet.left - money)
    sheet.y = min(sheet.y + _BEFORE_MONEY, PAGE_HEIGHT - BOTTOM - money)
    _set_money(sheet, contents, flat)
    return further


def _set_money(sheet: Sheet, contents: ReviewContents, flat: float) -> None:
    """Set the share of known nature by currency, with the chart of credits by month beside the first of them, at a share of its height."""
    shares = contents.shares[:_SHARES]
    months = None if contents.months is None else flattened(contents.months, flat)
    width = TEXT_WIDTH if months is None else TEXT_WIDTH - months.width - _GUTTER
    moved = 0.5 * bool(contents.accepted or contents.whose_money)  # notes are read apart from the heading
    sheet.y += 1.6 - moved
    sheet.rule(MARGIN, sheet.y, MARGIN + TEXT_WIDTH, sheet.y, HAIRLINE)
    sheet.y += 1.4 - moved
    for line in contents.accepted:
        set_lines(sheet, line.text, MARGIN, TEXT_WIDTH, _LEGEND_SIZE, most=3, colour=TEXT[line.tone])
        sheet.y += 0.8
    for line in contents.whose_money:
        set_lines(sheet, line.text, MARGIN, TEXT_WIDTH, 8.2, most=3, colour=TEXT[line.tone])
        sheet.y += 0.8
    top = sheet.y = sheet.y + 2 * moved
    set_label(sheet, _KNOWN_SHARE)
    if not shares:
        set_lines(sheet, NO_CREDITS, MARGIN, TEXT_WIDTH, 8.6, most=1, colour=TEXT[Tone.UNKNOWN])
    for share in shares[:1]:
        _set_share(sheet, share, width)
        if flat == 1.0:
            _set_legend(sheet, share, width)
        if months is not None:
            sheet.y = max(sheet.y, _set_months(sheet, months, share, top))
        if flat < 1.0:  # there is no room beside the lower chart
            _set_legend(sheet, share, TEXT_WIDTH)
    further = [share.in_words for share in shares[1:]]
    if codes := ", ".join(share.currency for share in contents.shares[_SHARES:]):
        further.append(
            f"Credits in further currencies are in “Sources of credits” and “How each credit was counted”: {codes}."
        )
    for words in further:
        sheet.y += 0.8
        set_lines(sheet, words, MARGIN, TEXT_WIDTH, 7.4, most=_SENTENCE_LINES)
    sheet.y += 1.2  # what stands at the foot is read apart


def _set_share(sheet: Sheet, share: Shares, width: float) -> None:
    taken = sheet.put(MARGIN, sheet.y + 6.0, share.known_percent, face=Face.SERIF, size=16.0, colour=NAVY)
    total = f"of {share.total_words}{';' if share.questioned_words else ''}"
    room = (width - taken - 2.0) / POINT
    size = min(8.6, room / width_of(runs(total, Face.SANS), 1.0))  # a sum is not cut
    sheet.put(MARGIN + taken + 2.0, sheet.y + 6.0, total, size=size)
    sheet.y += 7.4
    if share.questioned_words:
        of_it = share.questioned_words.removeprefix("; ")
        set_lines(sheet, of_it, MARGIN, width, 8.6, most=2, colour=TEXT[Tone.WATCH])
    for words in (share.twice_words, share.on_page_one):
        set_lines(sheet, words, MARGIN, width, 7.4, most=_SENTENCE_LINES)
    sheet.draw(chart_share(share.parts, width), MARGIN, sheet.y + 1.0)
    sheet.y += 6.4


def _set_legend(sheet: Sheet, share: Shares, width: float) -> None:
    """Set what the colours of the bar and of the chart mean, in lines of a width in millimetres."""
    x = MARGIN
    for said, fill in share.legend:
        broken = lines(said, Face.SANS, _LEGEND_SIZE, (width - 3.2) / POINT)
        taken = 3.2 + POINT * max(width_of(line, _LEGEND_SIZE) for line in broken)
        if x > MARGIN and x + taken > MARGIN + width:
            x, sheet.y = MARGIN, sheet.y + 3.6
        sheet.box(x, sheet.y, 2.2, 2.2, fill)
        sheet.put_lines(x + 3.2, sheet.y + 2.0, broken, 3.0, 0.0, size=_LEGEND_SIZE, colour=MUTED)
        sheet.y += 3.0 * (len(broken) - 1)
        x += taken + 4.0
    sheet.y += 3.4
    if share.rounding:
        set_lines(sheet, share.rounding, MARGIN, width, _LEGEND_SIZE, most=2, colour=MUTED)


def _set_months(sheet: Sheet, months: Drawing, share: Shares, top: float) -> float:
    """Set the chart of credits by month in the right column, and return where it ends."""
    x = MARGIN + TEXT_WIDTH - months.width
    title = f"Credits by month, {share.currency}"
    taken = sheet.put(x, top + 3.4, title, face=Face.SERIF, size=11.5, colour=NAVY)
    if share.may_be_twice_minor:
        said = TWICE_INCLUDED.strip(" .")
        sheet.put(x + taken + 2.0, top + 3.4, said, size=6.4, colour=MUTED, room=months.width - taken - 2.0)
    sheet.draw(months, x, top + 5.0)
    foot = top + 5.0 + months.height
    notes = " · ".join(filter(None, ("Same colours as the bar on the left", months.note)))
    broken = lines(notes, Face.SANS, 6.4, months.width / POINT)  # beside it stands the legend of the bar
    right = MARGIN + TEXT_WIDTH
    sheet.put_lines(right, foot + 2.2, broken, 2.6, 0.0, size=6.4, colour=MUTED, align="right")
    return foot + 3.8 + 2.6 * (len(broken) - 1)
