"""The reasons and the gaps in a review's PDF: side by side on page one, and reasons without room there on the page after it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from kycpack.evidence.citations import CITATION, CITED_AT_END
from kycpack.models.listed import counted
from kycpack.render.palette import INK, NAVY, TEXT, Colour, Tone
from kycpack.render.pdf_pages import MARGIN, POINT, TEXT_WIDTH, Sheet
from kycpack.render.review.contents import ReviewContents
from kycpack.render.review.cover import reason_words
from kycpack.render.review.gaps import Headline, further_words
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.text_runs import Run, fitted, lines, runs, visible, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import level_cell
from kycpack.triage.levels import rank

_OF_ONE_RULE, _OFTEN = 2, 7  # reasons before those of other rules, of one that fired more often than that
_STYLES = (
    (9.2, True, 0.6),
    (8.4, True, 0.6),
    (7.9, True, 0.62),
    (7.4, True, 0.62),
    (7.4, True, 0.7),
    (7.0, True, 0.62),
    (6.7, True, 0.64),
    (7.4, False, 0.7),
    (7.0, False, 0.62),
    (7.0, False, 0.72),
    *((6.7, False, share) for share in (0.54, 0.62, 0.66, 0.7, 0.73)),
)
"""Sizes of the reasons and gaps, with or without who has to act, and the share of the width for the reasons: the first with which all fit is taken."""
_GUTTER, _INDENT = 5.6, 3.2
_GAP = 0.33  # of a line, between two items
_BETWEEN = "; "  # gaps that share an item
_FURTHER, _FURTHER_SIZE = 30, 8.4  # reasons on the page after page one
_MOST_LINES, _MOST_SHARED = 9, 60  # of an item, and of one of what is missing, which is cut nowhere
_NOTE_SIZE, _LABEL, _LABEL_SIZE = 7.4, 6.4, 11.5
_MISSING = "What is not known"
_SMALL = 7  # styles of `_STYLES` in which gaps share an item
_WHOLE, _CLOSE, _SHARED, _BARE, _COUNTED = range(
    5
)  # the `_ways` of what is not known, the last with how many lines of gaps are only counted
_NAMED_LINES = 9
_MOST_CLAUSE = 90  # characters of a sentence in place of a title that has no value
_CLAUSES = re.compile(r"(?<=[,;:]) ")
_REST = "further reasons"


class _Item(NamedTuple):
    """An item of a list: its first words in bold, the others, the colour of the square before it, the most lines it may take, and the space after it, in lines."""

    head: str
    text: str
    colour: Colour = TEXT[Tone.UNKNOWN]
    most: int = _MOST_LINES
    gap: float = _GAP


class _Measured(NamedTuple):
    """Reasons and gaps in a style: its size, the widths of both columns, the items of the reasons, the height of each reason and gap, and that of the number of gaps."""

    size: float
    width: float
    narrow: float
    why: list[_Item]
    heights: list[float]
    gaps: list[float]
    below: float


def set_why_and_missing(sheet: Sheet, contents: ReviewContents, room: float) -> tuple[Reason | Unknown, ...]:
    """Set the reasons beside what is missing; those without room are counted there by level, and returned.

    Args:
        sheet: The page, with the cursor where both begin.
        contents: The content of the review.
        room: The height for them, in millimetres.
    """
    top = sheet.y
    set_label(sheet, contents.why_title)
    room -= sheet.y - top
    tried: list[_Measured] = []
    for style in _STYLES:
        made = _measured(sheet, contents, style)
        tried.append(made)
        if has_room := max(sum(made.heights), made.below + sum(made.gaps)) <= room:
            break
    missing = [*map(_missing, contents.missing)]
    if not has_room:
        made, missing = min(
            ((one, *_kept(sheet, contents.missing, one, room)) for one in tried[-_SMALL:]),
            key=lambda tried: (
                max(tried[2], _SHARED),
                len(_parted(contents.why, tried[0], room)[1]),
                tried[2],
            ),
        )[:2]
    shown, further = _parted(contents.why, made, room)
    for item in [made.why[place] for place in shown]:
        _set_item(sheet, item, MARGIN, made.width, made.size)
    if further:
        sheet.point(sheet.y + 2.6, _more(further), _REST, MARGIN + made.width)
        sheet.y += _leading(_NOTE_SIZE)
        size = _named_size(made)
        colour = TEXT[level_cell(max(further, key=lambda one: rank(one.level)).level).tone]
        named = _Item("", _named(further, made.width - _INDENT, size), colour, _NAMED_LINES)
        _set_item(sheet, named, MARGIN, made.width, size)
    reached, sheet.y = sheet.y, top
    x = MARGIN + TEXT_WIDTH - made.narrow
    set_label(sheet, _MISSING, x, made.narrow)
    _set_counts(sheet, contents.not_known.text, x, made.narrow)
    for item in missing:
        _set_item(sheet, item, x, made.narrow, made.size)
    sheet.y = max(sheet.y, reached)
    return further


def _parted(
    listed: Sequence[Reason | Unknown], made: _Measured, room: float
) -> tuple[Sequence[int], tuple[Reason | Unknown, ...]]:
    """Return the places of the reasons that have room, in their order, and the others, the gravest first.

    Where not all have room, what stays inside the firm comes before all others: it may be a duty to report, and no headline has it.
    """
    if sum(made.heights) <= room or not listed:
        return range(len(made.why)), ()
    places = _spread(listed)
    ends = [*accumulate(made.heights[place] for place in places)]
    left = room - 1.4 * _leading(_NOTE_SIZE)
    count = max(1, sum(end <= left - _NAMED_LINES * _leading(_named_size(made)) for end in ends))

    def further(count: int) -> tuple[Reason | Unknown, ...]:
        others = (listed[place] for place in places[count:])
        return tuple(sorted(others, key=lambda one: (not one.internal, -rank(one.level))))

    while count + 1 < len(places) and ends[count] + _height_of_named(further(count + 1), made) <= left:
        count += 1
    return sorted(places[:count]), further(count)


def _named_size(made: _Measured) -> float:
    """Return the size of the reasons without room, which are not larger than those above them."""
    return min(_NOTE_SIZE, made.size)


def _height_of_named(further: Sequence[Reason | Unknown], made: _Measured) -> float:
    size, width = _named_size(made), made.width - _INDENT
    return len(lines(_named(further, width, size), Face.SANS, size, width / POINT)) * _leading(size)


def _measured(sheet: Sheet, contents: ReviewContents, style: tuple[float, bool, float]) -> _Measured:
    size, with_about, share = style
    width, narrow = TEXT_WIDTH * share - _GUTTER, TEXT_WIDTH * (1 - share)
    why = [_item(one, with_about=with_about) for one in contents.why]
    why = why or [_Item("", said) for said in contents.without_reasons]
    heights = _heights(sheet, why, width, size)
    gaps = _heights(sheet, map(_missing, contents.missing), narrow, size)
    return _Measured(size, width, narrow, why, heights, gaps, _below(contents.not_known.text, narrow))


def least_for_reasons(sheet: Sheet, contents: ReviewContents) -> float:
    """Return the least height that all reasons need with their heading, in millimetres."""
    return sum(_measured(sheet, contents, _STYLES[-1]).heights, _LABEL)


def _missing(line: Headline) -> _Item:
    return _Item("", line.text, TEXT[Tone.WATCH if line.is_note else Tone.UNKNOWN], _MOST_SHARED)


def _kept(sheet: Sheet, missing: Sequence[Headline], made: _Measured, room: float) -> tuple[list[_Item], int]:
    """Return what is not known in the first of the `_ways` that has room, or else in the last, with the place of that way."""
    left = room - made.below
    for way, lines_ in _ways(missing):
        items = [_missing(line)._replace(gap=0.0 if way == _CLOSE else _GAP) for line in lines_]
        heights = made.gaps if way == _WHOLE else _heights(sheet, items, made.narrow, made.size)
        if sum(heights) <= left:
            break
    return items, way


def _ways(missing: Sequence[Headline]) -> Iterator[tuple[int, Sequence[Headline]]]:
    """Yield what is not known in ever less room: as it is, closer together, the last gaps in one item, without their evidence, and at last some only counted, by area. Notes, limits and checks stay whole."""
    yield _WHOLE, missing
    yield _CLOSE, missing
    if not (gaps := [line for line in missing if line.gaps]):
        return
    notes, last = (
        [line for line in missing if not line.gaps and line.is_note is one] for one in (True, False)
    )
    titles = [CITATION.sub("", line.text) for line in gaps]
    for way, texts in ((_SHARED, [line.text for line in gaps]), (_BARE, titles)):
        for count in reversed(range(len(gaps))):
            yield way, (*notes, *gaps[:count], Headline(_BETWEEN.join(texts[count:])), *last)
    for count in reversed(range(len(gaps))):
        yield (
            _COUNTED + len(gaps) - count,
            (*notes, Headline(_BETWEEN.join((*titles[:count], _by_area(gaps[count:])))), *last),
        )


def _by_area(gaps: Sequence[Headline]) -> str:
    areas = Counter[str]()
    for line in gaps:
        areas[line.area] += line.gaps
    return f"{further_words(areas.total())}: {', '.join(f'{number} of {area}' for area, number in areas.items())}"


def _item(one: Reason | Unknown, *, with_about: bool) -> _Item:
    head, said, tone = reason_words(one, with_about=with_about)
    return _Item(head, said, TEXT[tone])


def _set_item(sheet: Sheet, item: _Item, x: float, width: float, size: float) -> None:
    """Set an item of a list, with a square before it."""
    sheet.box(x, sheet.y + 0.5 * _leading(size) - 0.55, 1.3, 1.3, item.colour)
    text, room = f"{item.head}{item.text}", width - _INDENT
    set_lines(sheet, text, x + _INDENT, room, size, most=item.most, head=item.head)
    sheet.y += item.gap * size * POINT


def _heights(sheet: Sheet, items: Iterable[_Item], width: float, size: float) -> list[float]:
    return [sheet.taken_by(partial(_set_item, sheet, one, MARGIN, width, size)) for one in items]


def _more(further: Sequence[Reason | Unknown]) -> str:
    """Return how many reasons have no room on a page, by level."""
    return f"{counted(len(further), 'more reason')} ({_by_level(further)})"


def _named(further: Sequence[Reason | Unknown], width: float, size: float = _NOTE_SIZE) -> str:
    """Return the reasons without room on a page: label, title, value and evidence, or as much of that as has room; those of one rule with a title together."""
    sums = [one.sum if isinstance(one, Reason) else one.result for one in further]
    cited = [found[0] if (found := CITED_AT_END.search(one.text)) else "" for one in further]
    ways = (
        _together(further, [f"{each}{of}".strip() for each, of in zip(sums, cited, strict=True)]),
        _together(further, sums),
        _together(further, [""] * len(further)),
    )
    fits = (way for way in ways if len(lines(way, Face.SANS, size, width / POINT)) <= _NAMED_LINES)
    return next(fits, "; ".join(dict.fromkeys(one.label for one in further)))


def _together(further: Sequence[Reason | Unknown], details: Sequence[str]) -> str:
    """Return reasons by label and title, each with its details if all of a title have some, or else their number."""
    found: dict[str, list[str]] = {}
    for one, detail in zip(further, details, strict=True):
        found.setdefault(f"{one.label} {_what(one)}".rstrip(), []).append(detail)
    said = (
        (head, ", ".join(each) if all(each) else f"{len(each)} findings" if len(each) > 1 else "")
        for head, each in found.items()
    )
    return "; ".join(f"{head}: {words}".replace(": (", " (") if words else head for head, words in said)


def _what(one: Reason | Unknown) -> str:
    """Return what a reason is about: its title where a sum or an outcome follows or it stays inside the firm, or else what was found, in as many clauses as are short; of a comparison that stays inside, what was found."""
    if isinstance(one, Reason) and one.internal and one.path.startswith("consistency."):
        return CITED_AT_END.sub("", one.impersonal).partition(": ")[2] or one.title
    if isinstance(one, Unknown) or one.sum or one.internal:
        return one.title
    said = ""
    for clause in _CLAUSES.split(CITED_AT_END.sub("", one.text)):
        if said and len(said) + len(clause) > _MOST_CLAUSE:
            break
        said = f"{said} {clause}".lstrip()
    for first, last in ("“”", "()"):
        said = said if said.count(first) == said.count(last) else said.rpartition(first)[0]
    return said.rstrip(" ,;:")


def _by_level(further: Sequence[Reason | Unknown]) -> str:
    levels = Counter(level_cell(one.level).text for one in further)
    return ", ".join(f"{count} {level}" if len(levels) > 1 else level for level, count in levels.items())


def set_further(sheet: Sheet, further: Sequence[Reason | Unknown], began_on: int) -> None:
    """Set the reasons without room on the page where “Why” begins, each with its level, its value and its evidence."""
    if not further:
        return
    sheet.anchor(_REST)
    set_label(sheet, f"Why, continued from page {began_on}")
    for one in further[:_FURTHER]:
        item = _item(one, with_about=True)
        sheet.need(*_heights(sheet, [item], TEXT_WIDTH, _FURTHER_SIZE))
        _set_item(sheet, item, MARGIN, TEXT_WIDTH, _FURTHER_SIZE)
    if left := further[_FURTHER:]:
        levels = _by_level(left)
        words = f"{counted(len(left), 'further reason is', 'further reasons are')} in “Findings” ({levels})"
        set_lines(sheet, words, MARGIN, TEXT_WIDTH, 8.0, most=2)
    sheet.reach(_REST)
    sheet.y += 4.0


def _spread(listed: Sequence[Reason | Unknown]) -> list[int]:
    """Return the places of reasons: first what stays inside the firm, then the others in their order, and at last those of a rule that fired too often for the page, save the first two."""
    rules = [one.rule_id if isinstance(one, Reason) else "" for one in listed]
    often = {rule for rule, count in Counter(rules).items() if rule and count > _OFTEN}
    late = [rule in often and rules[:at].count(rule) >= _OF_ONE_RULE for at, rule in enumerate(rules)]
    return sorted(range(len(listed)), key=lambda at: (late[at], not listed[at].internal))


def _leading(size: float) -> float:
    return size * POINT * 1.34


def set_label(sheet: Sheet, text: str, x: float = MARGIN, room: float = TEXT_WIDTH) -> None:
    """Set the heading of a part of page one, smaller if it is wider than the room in millimetres."""
    size = min(_LABEL_SIZE, room / POINT / width_of(runs(text, Face.SERIF), 1.0))
    sheet.put(x, sheet.y + 3.4, text, face=Face.SERIF, size=size, colour=NAVY)
    sheet.y += _LABEL


def _below(counts: str, room: float) -> float:
    """Return the height that the number of gaps takes: none if it has room beside the heading."""
    taken = width_of(runs(_MISSING, Face.SERIF), _LABEL_SIZE) + width_of(
        runs(f" ({counts})", Face.SANS), _NOTE_SIZE
    )
    return 0.0 if taken * POINT + 1.6 <= room else _leading(_NOTE_SIZE) + 0.4


def _set_counts(sheet: Sheet, counts: str, x: float, room: float) -> None:
    """Set the number of gaps beside the heading “What is not known”, or below it if it has no room there."""
    below = _below(counts, room)
    beside = 0.0 if below else 1.6 + width_of(runs(_MISSING, Face.SERIF), _LABEL_SIZE) * POINT
    line = runs(f"({counts})", Face.SANS)
    size = min(_NOTE_SIZE, (room - beside) / POINT / width_of(line, 1.0))
    sheet.put(x + beside, sheet.y - _LABEL + 3.4 + below, line, size=size, colour=NAVY)
    sheet.y += below


def set_lines(  # noqa: PLR0913 - keyword arguments for how a text looks
    sheet: Sheet,
    text: str,
    x: float,
    width: float,
    size: float,
    *,
    most: int,
    colour: Colour = INK,
    face: Face = Face.SANS,
    head: str = "",
) -> None:
    """Set a text below the cursor in at most so many lines; of a text that is too long the references at its end stay.

    Args:
        sheet: The page.
        text: The text.
        x: Its left edge in millimetres.
        width: The width of a line in millimetres.
        size: Type size in points.
        most: The number of lines.
        colour: Its colour.
        face: Its face.
        head: Its first words, which are bold; empty for none.
    """
    leading, strong = _leading(size), runs(head, Face.STRONG)
    room = width / POINT - width_of(strong, size) + width_of(runs(head, face), size)
    broken = lines(text, face, size, room) if text else ()
    if len(broken) > most:
        rest = " ".join("".join(run.text for run in piece) for piece in broken[most - 1 :])
        broken = (*broken[: most - 1], _cut(rest, face, size, room))
    if head and broken[0][0].text.startswith(visible(head)):
        first, *others = broken[0]
        after = first._replace(text=first.text.removeprefix(visible(head)))
        broken = ((*strong, after, *others), *broken[1:])
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
