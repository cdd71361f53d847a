"""The reasons and the gaps in a review's PDF: side by side on page one, and continued on the page after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, compress
from operator import not_

from kycpack.evidence.citations import CITED_AT_END
from kycpack.models.listed import counted
from kycpack.models.listed import listed as listed_words
from kycpack.render.palette import INK, MUTED, NAVY, TEXT, Colour, Tone
from kycpack.render.pdf_pages import FOOT, MARGIN, POINT, TEXT_WIDTH, Sheet
from kycpack.render.review.contents import ReviewContents
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.text_runs import Run, fitted, lines, runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import level_cell
from kycpack.triage.levels import rank

_OF_ONE_RULE, _OFTEN = 2, 7  # reasons before those of other rules, of one that fired more often than that
# Millimetres with the first reason; where a long decision and several currencies leave less, the reasons are on a second page.
_LEAST_FOR_REASONS = 11.0
_ROOM_FOR_GAPS = 4.0  # millimetres kept for the note on further gaps
_REASON_SIZE, _ALSO_SIZE, _GAP_SIZE, _INDENT, _GAP = 8.2, 7.6, 7.8, 3.4, 0.8
_FURTHER = 30  # reasons on the page after page one
_REASON_LINES, _ALSO_LINES, _BRIEF_LINES, _GAP_LINES = 6, 3, 9, 6
_FURTHER_GAPS = "Further gaps are in “What this pack cannot show”"


def turn_page(sheet: Sheet, height: float, what: str) -> None:
    """Start a page if less than `height` millimetres are left, and say at the foot of this one what is on it."""
    if sheet.left < height and not sheet.at_top:
        said, right = f"{what}: page {sheet.pdf.page + 1}", MARGIN + TEXT_WIDTH
        sheet.put(right, FOOT - 5.0, said, face=Face.STRONG, size=7.2, colour=NAVY, align="right")
        sheet.new_page()


def set_why_and_missing(sheet: Sheet, contents: ReviewContents) -> tuple[Reason | Unknown, ...]:
    """Set the reasons beside what is missing; those without room are counted there by level, and returned."""
    gutter = 8.0
    width = TEXT_WIDTH * 0.6 - gutter / 2
    listed = _spread(contents.why)
    least = [_reason_height(one, width) for one in listed[:1]]
    turn_page(sheet, _LEAST_FOR_REASONS + sum(least), "“Why” and “What is not known”")
    top = sheet.y
    set_label(sheet, contents.why_title)
    full, brief, further = _fitting(listed, sheet, width)
    for one in full:
        _set_reason(sheet, one, width)
    for one in brief:
        _set_item(sheet, _in_brief(one), MARGIN, width, TEXT[level_cell(one.level).tone], _BRIEF_LINES)
    if not listed:
        set_lines(sheet, contents.without_reasons, MARGIN, width, 8.6, most=4)
    set_lines(sheet, _more(further, sheet), MARGIN, width, _GAP_SIZE, most=2)
    reached, sheet.y = sheet.y, top
    x, narrow = MARGIN + width + gutter, TEXT_WIDTH - width - gutter
    set_label(sheet, f"What is not known ({contents.not_known.text})", x)
    if unevaluated := contents.unevaluated.text:
        set_lines(sheet, unevaluated, x, narrow, _GAP_SIZE, most=2, colour=TEXT[Tone.UNKNOWN])
        sheet.y += 1.0
    for line in contents.missing:
        needed = _item_height(line.text, narrow, _GAP_LINES)
        last = line is contents.missing[-1]
        if sheet.left < needed + (0.0 if last else _ROOM_FOR_GAPS):
            set_lines(sheet, _FURTHER_GAPS, x + _INDENT, narrow - _INDENT, _GAP_SIZE, most=2)
            break
        _set_item(sheet, line.text, x, narrow, TEXT[Tone.UNKNOWN], _GAP_LINES)
    if not contents.missing:
        set_lines(sheet, "No gap was found.", x, narrow, 8.2, most=1)
    sheet.y = max(sheet.y, reached)
    return further


def _fitting(
    listed: Sequence[Reason | Unknown], sheet: Sheet, width: float
) -> tuple[Sequence[Reason | Unknown], Sequence[Reason | Unknown], tuple[Reason | Unknown, ...]]:
    """Return the reasons that stand in full, those that stand in brief, and those without room on page one.

    As many as possible stand in full, as long as all others have room in brief; where they do not, the first does, if that costs no other its room.
    """
    full = [_reason_height(one, width) for one in listed]
    brief = [_item_height(_in_brief(one), width, _BRIEF_LINES) for one in listed]
    for count in range(len(listed), -1, -1):
        if sum(full[:count]) + sum(brief[count:]) <= sheet.left:
            return listed[:count], listed[count:], ()
    notes = [height_of(_more(listed[at:], sheet), width, _GAP_SIZE, 2) for at in range(1, len(listed) + 1)]

    def shown(count: int) -> int:
        ends = zip(accumulate((*full[:count], *brief[count:])), notes, strict=True)
        return max((at for at, end in enumerate(ends, 1) if sum(end) <= sheet.left), default=1)

    count = max((1, 0), key=shown)
    left = listed[shown(count) :]
    return listed[:count], listed[count : shown(count)], tuple(sorted(left, key=lambda one: -rank(one.level)))


def _more(further: Sequence[Reason | Unknown], sheet: Sheet) -> str:
    """Return how many reasons have no room on a page, by level, with the rules of those that stay inside the firm, and where they are; empty for none."""
    if not further:
        return ""
    inside = dict.fromkeys(rule for one in further if one.internal for rule in one.rules)
    among = f", with {listed_words([*inside])}" if inside else ""
    return f"{counted(len(further), 'more reason')} ({_by_level(further)}{among}): page {sheet.pdf.page + 1}"


def _by_level(further: Sequence[Reason | Unknown]) -> str:
    levels = Counter(level_cell(one.level).text for one in further)
    return ", ".join(f"{count} {level}" if len(levels) > 1 else level for level, count in levels.items())


def _in_brief(one: Reason | Unknown) -> str:
    return "; ".join((f"{one.label} · {level_cell(one.level).text}: {one.text}", *one.also))


def _set_item(sheet: Sheet, text: str, x: float, width: float, colour: Colour, most: int) -> None:
    """Set an item of a list with a square before it."""
    sheet.box(x, sheet.y + 1.4, 1.3, 1.3, colour)
    set_lines(sheet, text, x + _INDENT, width - _INDENT, _GAP_SIZE, most=most)
    sheet.y += _GAP


def _item_height(text: str, width: float, most: int) -> float:
    return _GAP + height_of(text, width - _INDENT, _GAP_SIZE, most)


def set_further(sheet: Sheet, further: Sequence[Reason | Unknown], began_on: int) -> None:
    """Set the reasons without room on the page where “Why” begins, each with its level, its value and its evidence."""
    if not further:
        return
    set_label(sheet, f"Why, continued from page {began_on}")
    for one in further[:_FURTHER]:
        sheet.need(_reason_height(one, TEXT_WIDTH))
        _set_reason(sheet, one, TEXT_WIDTH)
    if left := further[_FURTHER:]:
        levels = _by_level(left)
        words = f"{counted(len(left), 'further reason is', 'further reasons are')} in “Findings” ({levels})"
        set_lines(sheet, words, MARGIN, TEXT_WIDTH, 8.0, most=2)
    sheet.y += 4.0


def _spread(listed: Sequence[Reason | Unknown]) -> list[Reason | Unknown]:
    """Return reasons in their order, except that those of a rule that fired too often for the page come last, save the first two."""
    rules = [one.rule_id if isinstance(one, Reason) else "" for one in listed]
    often = {rule for rule, count in Counter(rules).items() if rule and count > _OFTEN}
    late = [rule in often and rules[:at].count(rule) >= _OF_ONE_RULE for at, rule in enumerate(rules)]
    return [*compress(listed, map(not_, late)), *compress(listed, late)]


def _set_reason(sheet: Sheet, one: Reason | Unknown, width: float) -> None:
    level, unknown = level_cell(one.level), TEXT[Tone.UNKNOWN]
    known = isinstance(one, Reason)
    colour = TEXT[level.tone] if known else unknown
    taken = sheet.put(MARGIN, sheet.y + 3.4, one.label, face=Face.STRONG, size=7.2, colour=colour)
    about = " · ".join(part for part in (level.text, *one.about) if part)
    sheet.put(MARGIN + taken + 2.0, sheet.y + 3.4, about, size=7.0, colour=MUTED, room=width - taken - 4.0)
    sheet.y += 4.2
    set_lines(
        sheet, one.text, MARGIN, width, _REASON_SIZE, most=_REASON_LINES, colour=INK if known else unknown
    )
    for line in one.also:
        set_lines(sheet, line, MARGIN + 3.0, width - 3.0, _ALSO_SIZE, most=_ALSO_LINES, colour=MUTED)
    sheet.y += 1.5


def _reason_height(one: Reason | Unknown, width: float) -> float:
    also = sum(height_of(line, width - 3.0, _ALSO_SIZE, _ALSO_LINES) for line in one.also)
    return 5.7 + height_of(one.text, width, _REASON_SIZE, _REASON_LINES) + also


def height_of(text: str, width: float, size: float, most: int) -> float:
    """Return the height of a text in at most so many lines, in millimetres."""
    return min(len(lines(text, Face.SANS, size, width / POINT)), most) * _leading(size) if text else 0.0


def _leading(size: float) -> float:
    return size * POINT * 1.34


def set_label(sheet: Sheet, text: str, x: float = MARGIN) -> None:
    """Set the heading of a part of page one."""
    sheet.put(x, sheet.y + 3.4, text, face=Face.SERIF, size=11.5, colour=NAVY)
    sheet.y += 6.4


def set_lines(
    sheet: Sheet,
    text: str,
    x: float,
    width: float,
    size: float,
    *,
    most: int,
    colour: Colour = INK,
    face: Face = Face.SANS,
) -> None:
    """Set a text below the cursor in at most so many lines; of a text that is too long the references at its end stay."""
    leading = _leading(size)
    broken = lines(text, face, size, width / POINT) if text else ()
    if len(broken) > most:
        rest = " ".join("".join(run.text for run in piece) for piece in broken[most - 1 :])
        broken = (*broken[: most - 1], _cut(rest, face, size, width / POINT))
    sheet.put_lines(x, sheet.y, broken, leading, size=size, colour=colour)
    sheet.y += len(broken) * leading


def _cut(rest: str, face: Face, size: float, width: float) -> tuple[Run, ...]:
    """Return the last line of a text that is too long: the references to evidence stay, and the text before them is cut."""
    found = CITED_AT_END.search(rest)
    ending = runs("" if found is None else f" ({found[1]})", face)
    room = width - width_of(ending, size)
    if found is None or room < width / 4:
        return fitted(rest, face, size, width)
    return (*fitted(rest[: found.start()], face, size, room), *ending)
