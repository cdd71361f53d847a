"""The reasons and the gaps in a review's PDF: side by side on page one, and continued on the page after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress
from operator import not_

from kycpack.evidence.citations import CITED_AT_END
from kycpack.models.listed import counted
from kycpack.render.palette import INK, MUTED, NAVY, TEXT, Colour, Tone
from kycpack.render.pdf_pages import MARGIN, POINT, TEXT_WIDTH, Sheet
from kycpack.render.review.contents import ReviewContents
from kycpack.render.review.reasons import Reason, Unknown, with_evidence
from kycpack.render.text_runs import Run, fitted, lines, runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import level_cell
from kycpack.triage.levels import rank

_OF_ONE_RULE = 2  # reasons before those of other rules, of one that fired often
_REASONS, _UNKNOWNS = 7, 3
_LEAST_FOR_REASONS = 26.0  # millimetres; where a long decision and several currencies leave less, the reasons are on a second page
# Millimetres kept for a note on what a column of page one leaves out, with a note on the chart, and for the latter alone.
_ROOM_FOR_REASONS, _ROOM_FOR_GAPS, _ROOM_FOR_CHART_NOTE = 17.0, 11.0, 6.0
_ROOM_FOR_ESCALATED = 12.0
_REASON_SIZE, _ALSO_SIZE, _GAP_SIZE = 8.6, 7.6, 8.0
_ALSO_LINES = 3
_CHART_HEADING = 12.0  # millimetres above the chart of credits, with the gap before it
_FURTHER = 30  # reasons on the page after page one
_REASON_LINES, _GAP_LINES, _LINES_OF_OTHERS = 6, 6, 3
_FURTHER_GAPS = "Further gaps are in “What this pack cannot show”"


def set_why_and_missing(sheet: Sheet, contents: ReviewContents) -> tuple[Reason | Unknown, ...]:
    """Set the reasons beside what is missing; reasons that do not fit on page one are named there by level, and returned."""
    gutter = 8.0
    width = TEXT_WIDTH * 0.58 - gutter / 2
    later = contents.unknowns[_UNKNOWNS:]
    listed = _spread([one for one in contents.why if one not in later])
    count = len(contents.why)
    least = [_reason_height(one, width) for one in listed[:1]]
    sheet.need(_LEAST_FOR_REASONS + sum(least))
    top = sheet.y
    set_label(sheet, "Why")
    chosen = _fitting(listed, count, sheet.left, width)
    for one in chosen:
        _set_reason(sheet, one, width)
    shown = len(chosen)
    if not count:
        set_lines(sheet, contents.without_reasons, MARGIN, width, 8.6, most=4)
    further = tuple(sorted((*listed[shown:], *later), key=lambda one: -rank(one.level)))
    if further:
        room = max(_LINES_OF_OTHERS, int((sheet.left - _ROOM_FOR_CHART_NOTE) / _leading(8.0)))
        forms = [_in_short(further, head) for head in (_whole, _head, _label_with_evidence, _label)]
        counts = [len(lines(words, Face.SANS, 8.0, width / POINT)) for words in forms]
        if any(
            one.height + _CHART_HEADING <= sheet.left - counts[1] * _leading(8.0) for one in contents.months
        ):
            counts[0] = room + 1  # the chart of credits needs the room
        fit = (words for words, count in zip(forms, counts, strict=True) if count <= room)
        set_lines(sheet, next(fit, forms[-1]), MARGIN, width, 8.0, most=room)
        sheet.y += 1.4
    reached, sheet.y = sheet.y, top
    x, narrow = MARGIN + width + gutter, TEXT_WIDTH - width - gutter
    set_label(sheet, f"What is not known ({contents.not_known.text})", x)
    if unevaluated := contents.unevaluated.text:
        set_lines(sheet, unevaluated, x, narrow, _GAP_SIZE, most=2, colour=TEXT[Tone.UNKNOWN])
        sheet.y += 1.2
    for line in contents.missing:
        needed = 1.2 + _height(line.text, narrow - 4.0, _GAP_SIZE, _GAP_LINES)
        if sheet.left < needed + _ROOM_FOR_GAPS:
            set_lines(sheet, _FURTHER_GAPS, x + 4.0, narrow - 4.0, _GAP_SIZE, most=2)
            break
        sheet.box(x, sheet.y + 1.4, 1.3, 1.3, TEXT[Tone.UNKNOWN])
        set_lines(sheet, line.text, x + 4.0, narrow - 4.0, _GAP_SIZE, most=_GAP_LINES)
        sheet.y += 1.2
    if not contents.missing:
        set_lines(sheet, "No gap was found.", x, narrow, 8.2, most=1)
    sheet.y = max(sheet.y, reached)
    return further


def _in_short(
    further: Sequence[Reason | Unknown],
    head: Callable[[Reason | Unknown], str],
    where: str = "on the next page",
) -> str:
    """Return the reasons without room on page one under their own levels; those of one kind are named once, with their number."""
    levels: dict[str, list[str]] = {}
    for one in further:
        levels.setdefault(level_cell(one.level).text, []).append(head(one))
    named = [
        f"{level}: {'; '.join(f'{kind}, {times} times' if times > 1 else kind for kind, times in Counter(heads).items())}"
        for level, heads in levels.items()
    ]
    return f"{counted(len(further), 'further reason is', 'further reasons are')} {where}. {'. '.join(named)}"


def set_further(sheet: Sheet, further: Sequence[Reason | Unknown], began_on: int) -> None:
    """Set the reasons without room on the page where “Why” begins, each with its level, its value and its evidence."""
    if not further:
        return
    set_label(sheet, f"Why, continued from page {began_on}")
    for one in further[:_FURTHER]:
        sheet.need(5.7 + _reason_height(one, TEXT_WIDTH))
        _set_reason(sheet, one, TEXT_WIDTH)
    if left := further[_FURTHER:]:
        words = f"{_in_short(left, _label, 'not listed here')}. They are in “Findings”."
        set_lines(sheet, words, MARGIN, TEXT_WIDTH, 8.0, most=_REASON_LINES)
    sheet.y += 4.0


def _spread(listed: list[Reason | Unknown]) -> list[Reason | Unknown]:
    """Return reasons in their order, except that those of a rule that fired too often for the page come last, save the first two."""
    rules = [one.rule_id if isinstance(one, Reason) else "" for one in listed]
    often = {rule for rule, count in Counter(rules).items() if rule and count > _REASONS}
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


def _whole(one: Reason | Unknown) -> str:
    """Return a reason with its values and its evidence."""
    return one.text if isinstance(one, Reason) else _head(one)


def _head(one: Reason | Unknown) -> str:
    """Return what a reason is about and its evidence, without its values; causes may be alike, so a single check is named."""
    if isinstance(one, Unknown) and len(one.titles) == 1:
        return with_evidence(f"{one.titles[0]} could not be evaluated ({one.cause})", one.evidence)
    return with_evidence(CITED_AT_END.sub("", one.text.partition(":")[0]), one.evidence)


def _label_with_evidence(one: Reason | Unknown) -> str:
    return with_evidence(one.label, one.evidence)


def _label(one: Reason | Unknown) -> str:
    return one.label


def _fitting(
    listed: Sequence[Reason | Unknown], count: int, left: float, width: float
) -> list[Reason | Unknown]:
    """Return the reasons that fit on page one: in full, or if more of them fit then, with the lesser reasons under each only named."""
    full, brief = (
        _first_that_fit(forms, count, left, width) for forms in (listed, list(map(_brief, listed)))
    )
    return brief if len(brief) > len(full) else full


def _first_that_fit(
    listed: Sequence[Reason | Unknown], count: int, left: float, width: float
) -> list[Reason | Unknown]:
    fit: list[Reason | Unknown] = []
    for one in listed[:_REASONS]:
        height = 5.7 + _reason_height(one, width)
        room = _ROOM_FOR_CHART_NOTE if len(fit) + 1 == count else _room_after(one)
        if fit and height + room > left:
            break
        fit.append(one)
        left -= height
    return fit


def _brief(one: Reason | Unknown) -> Reason | Unknown:
    """Return a reason in a form that needs less room: the lesser reasons under it are only named, with their levels."""
    if not isinstance(one, Reason) or not one.also:
        return one
    named = (" · ".join(line.removeprefix("also: ").split(" · ")[:2]) for line in one.also)
    return replace(one, also=(f"also: {', '.join(named)}, in “Findings”",))


def _room_after(one: Reason | Unknown) -> float:
    """Return the room that a reason leaves for the note on further ones; one that is escalated stands on page one before their names."""
    return _ROOM_FOR_ESCALATED if rank(one.level) >= rank("escalate") else _ROOM_FOR_REASONS


def _reason_height(one: Reason | Unknown, width: float) -> float:
    also = sum(_height(line, width - 3.0, _ALSO_SIZE, _ALSO_LINES) for line in one.also)
    return _height(one.text, width, _REASON_SIZE, _REASON_LINES) + also


def _height(text: str, width: float, size: float, most: int) -> float:
    """Return the height of a reason or gap, in millimetres."""
    return min(len(lines(text, Face.SANS, size, width / POINT)), most) * _leading(size)


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
    broken = lines(text, face, size, width / POINT)
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
