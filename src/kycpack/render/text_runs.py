"""Preparing outside text for setting: visible, complete, broken into lines.

No part of a text is dropped, and no part is interpreted. Control characters, bidirectional override characters, and
characters that are missing from every face, are shown as a mark with their code point.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import uharfbuzz
from fpdf.bidi import BidiParagraph
from fpdf.enums import TextDirection

from kycpack.models.dates import MONTHS
from kycpack.models.visible_text import JOINERS, mark_of, marked
from kycpack.render.typefaces import FALLBACKS, SHAPED, Face, advances_of, face_path

# Emoji drawn as one picture: joined by U+200D, with a skin colour or a variation selector, the two letters of a flag, a keycap digit.
_PICTURE = "[\u00a9\u00ae\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
_ONE_PICTURE = f"{_PICTURE}[\U0001f3fb-\U0001f3ff]?\ufe0f?"
_SEQUENCE = re.compile(
    f"{_ONE_PICTURE}(?:\u200d{_ONE_PICTURE})+|{_PICTURE}(?:[\U0001f3fb-\U0001f3ff]\ufe0f?|\ufe0f)"
    "|[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f\u20e3"
)
_UNIT = re.compile(f"{_SEQUENCE.pattern}|.", re.DOTALL)
_RTL = frozenset({"R", "AL", "AN"})
_LTR = frozenset({"L", "EN"})
_WITH_WORD = frozenset(
    {"Mn", "Mc", "Me", "Cf", "Zs"}
)  # categories of characters that take the face of a shaped word before them
_MONTH = "(?:" + "|".join(MONTHS) + ")"
# After a space but not inside a date, the number of an account or a British postcode, and inside paths, ids and long words where a reader would break them too.
_OPPORTUNITY = re.compile(
    rf"(?<= )(?=[^ ])(?<![0-9] (?={_MONTH} [0-9]{{4}}))(?<!{_MONTH} (?=[0-9]{{4}}))(?<!-[0-9*]{{2}} (?=[0-9*]{{4}}))"
    r"(?<![0-9A-Z] (?=[0-9][A-Z]{2}(?![A-Za-z0-9])))"
    r"|(?<=[./_&?=])(?=[^./_&?=0-9 ])|(?<=/)(?=[0-9a-f]{8}-)|(?<=[a-z])(?=[A-Z])|(?<=-)(?=[^-* 0-9])"
)
# Ids of rules, and words with a digit: they are broken only where they are wider than a line, and then at their separators,
# or, as hashes have none, between groups of eight digits.
_ID = re.compile(
    r"(?<![A-Za-z0-9_-])(?:[A-Z]{3}-[a-z]+(?![\w-])|(?=[A-Za-z_-]*[0-9])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*)"
)
_PARTS = re.compile(r"(?<=[-_./?&=])|(?<=[0-9a-f]{8})(?=(?:[0-9a-f]{8})+(?![0-9a-f]))")


class Run(NamedTuple):
    """A piece of text set in one face.

    Attributes:
        text: The characters; the face has all of them.
        face: The face.
        shaped: Whether the letters must be joined and ordered by a shaping engine.
        mark: Whether it stands for a character that cannot be shown.
    """

    text: str
    face: Face
    shaped: bool = False
    mark: bool = False

    def width(self, size: float) -> float:
        """Return its width in points at a type size in points."""
        thousandths = _shaped_width if self.shaped else _width
        return thousandths(self.text, self.face) * size / 1000


def visible(text: str) -> str:
    """Return a text in which control and override characters are shown as marks and line breaks as spaces."""
    if text.isascii() and text.isprintable():
        return text
    return _visible(text)


@lru_cache(maxsize=8192)
def _visible(text: str) -> str:
    return marked(unicodedata.normalize("NFC", text))


def unprintable(texts: Iterable[str]) -> tuple[str, ...]:
    """List the characters of texts that are missing from every face.

    Args:
        texts: The texts, unchanged.

    Returns:
        Code points with their names, such as `U+738B CJK UNIFIED IDEOGRAPH-738B`, sorted and without duplicates.
    """
    known = advances_of(Face.SANS)
    characters = set().union(*(visible(text) for text in texts if not text.isascii()))
    missing = sorted(
        c
        for c in characters
        if ord(c) not in known
        and c not in JOINERS
        and not any(ord(c) in advances_of(face) for face in FALLBACKS[Face.SANS])
    )
    return tuple(f"U+{ord(c):04X} {unicodedata.name(c, 'unnamed')}" for c in missing)


@lru_cache(maxsize=8192)
def runs(text: str, face: Face, *, from_left: bool = False) -> tuple[Run, ...]:
    """Split a text into runs of one face each, in the order in which they stand; every character is in exactly one run.

    Args:
        text: The text, unchanged.
        face: The preferred face.
        from_left: Whether a text with letters from right to left reads from the left although it begins with one of them.
    """
    shown = visible(text)
    if _has_all(shown, face):
        return (Run(shown, face),) if shown else ()
    if _is_turned(shown):
        return tuple(_in_order(shown, face, TextDirection.LTR if from_left else None))
    return tuple(_joined(_single(shown, face)))


def width_of(line: Iterable[Run], size: float) -> float:
    """Return the width of runs, in points, at a type size in points."""
    return sum(run.width(size) for run in line)


@lru_cache(maxsize=8192)
def lines(text: str, face: Face, size: float, width: float) -> tuple[tuple[Run, ...], ...]:
    """Break a text into lines.

    Args:
        text: The text, unchanged.
        face: The preferred face.
        size: Type size in points.
        width: Width of a line in points.

    Returns:
        At least one line, each a sequence of runs; a word wider than a line is broken.
    """
    whole_line = runs(text, face)
    if width_of(whole_line, size) <= width:
        return (whole_line,)
    broken: list[str] = []
    line, reached = "", 0.0
    turned = _is_turned(text)
    for piece in _breakable(visible(text)):
        bare, full = _piece_widths(piece, face, size)
        end = width_of(runs(line + piece.rstrip(" "), face), size) if turned else reached + bare
        if end <= width:
            line, reached = line + piece, reached + full
            continue
        if line.strip(" "):
            broken.append(line.rstrip(" "))
        *whole, line = _pieces(piece.lstrip(" "), face, size, width)
        broken.extend(whole)
        reached = width_of(runs(line, face), size)
    # Each line of a text that reads from the left does, whatever its own first letter is.
    from_left = turned and not _begins_at_the_right(text)
    return tuple(runs(part, face, from_left=from_left) for part in (*broken, line.rstrip(" ")))


def fitted(text: str, face: Face, size: float, width: float) -> tuple[Run, ...]:
    """Return a text as one line, cut with an ellipsis if it is wider than `width` points: after a word, unless that word is long."""
    return runs(cut(text, face, size, width), face)


def cut(text: str, face: Face, size: float, width: float) -> str:
    """Return the characters of a text that `fitted` sets, in the order in which they are read."""
    shown = visible(text)
    if width_of(runs(text, face), size) <= width:
        return shown
    low, high = 0, len(shown)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(runs(shown[:middle].rstrip() + "…", face), size) <= width:
            low = middle
        else:
            high = middle - 1
    between_words = shown.rfind(" ", 0, low + 1)
    return shown[: between_words if 2 * between_words > low else low].rstrip(" ,;") + "…"


@lru_cache(maxsize=16384)
def _width(text: str, face: Face) -> float:
    advances = advances_of(face)
    return sum([advances.get(code, 0.0) for code in map(ord, text)])


@lru_cache(maxsize=1024)
def _shaped_width(text: str, face: Face) -> float:
    font, per_em = _shaper(face)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    return float(sum(position.x_advance for position in buffer.glyph_positions)) * 1000 / per_em


@cache
def _shaper(face: Face) -> tuple[Any, int]:
    loaded = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(face_path(face))))
    return uharfbuzz.Font(loaded), loaded.upem


def _has_all(shown: str, face: Face) -> bool:
    return advances_of(face).keys() >= set(map(ord, shown))


def _single(shown: str, face: Face) -> Iterator[Run]:
    """Yield a run for each character, and one run for each group of emoji that is drawn as one picture."""
    reached = 0
    for found in _SEQUENCE.finditer(shown):
        if _has_all(found[0], Face.EMOJI):
            yield from (
                _run_of(c, before, face)
                for before, c in _with_face_before(shown[reached : found.start()], face)
            )
            yield Run(found[0], Face.EMOJI, shaped=True)
            reached = found.end()
    yield from (_run_of(c, before, face) for before, c in _with_face_before(shown[reached:], face))


def _with_face_before(shown: str, face: Face) -> Iterator[tuple[Face | None, str]]:
    before: Face | None = None
    for character in shown:
        yield before, character
        before = _run_of(character, before, face).face


def _run_of(character: str, before: Face | None, face: Face) -> Run:
    code = ord(character)
    if before in SHAPED and code in advances_of(before) and unicodedata.category(character) in _WITH_WORD:
        # Marks, joiners and spaces belong to the word that they are in; Latin letters after it stay in their own face, as where a line is measured.
        return Run(character, before, shaped=True)
    if character not in JOINERS:
        for candidate in (face, *FALLBACKS[face]):
            if code in advances_of(candidate):
                return Run(character, candidate, shaped=candidate in SHAPED)
    return Run(mark_of(character), face, mark=True)


def _joined(single: Iterable[Run]) -> list[Run]:
    found: list[Run] = []
    for run in single:
        alike = found and (found[-1].face, found[-1].shaped) == (run.face, run.shaped)
        if alike and not run.mark and not found[-1].mark:
            found[-1] = Run(found[-1].text + run.text, run.face, run.shaped)
        else:
            found.append(run)
    return found


def _in_order(shown: str, face: Face, base: TextDirection | None) -> Iterator[Run]:
    """Yield the runs of a line that has letters from right to left: only these are set in the face that has them."""
    turned_face = FALLBACKS[face][0]
    known = advances_of(turned_face)
    shown = "".join(
        c if ord(c) in known or unicodedata.bidirectional(c) in _LTR else mark_of(c) for c in shown
    )
    placed = BidiParagraph(shown, base, preserve_bn_chars=True).get_reordered_characters()
    for level, group in groupby(placed, key=attrgetter("embedding_level")):
        said = "".join(placed.character for placed in group)
        if level % 2:
            yield Run(said[::-1], turned_face, shaped=True)
        else:
            yield from _joined(_single(said, face))


@lru_cache(maxsize=16384)
def _piece_widths(piece: str, face: Face, size: float) -> tuple[float, float]:
    """Return the width of a piece without and with its trailing spaces."""
    return width_of(runs(piece.rstrip(" "), face), size), width_of(runs(piece, face), size)


def _breakable(shown: str) -> list[str]:
    """Return the pieces between which a text may be broken: none of them ends within an id."""
    pieces = _OPPORTUNITY.split(shown)
    inside = {place for found in _ID.finditer(shown) for place in range(found.start() + 1, found.end())}
    whole = [""]
    reached = 0
    for piece in pieces:
        if reached in inside:
            whole[-1] += piece
        else:
            whole.append(piece)
        reached += len(piece)
    return whole[1:]


def _pieces(word: str, face: Face, size: float, width: float) -> list[str]:
    """Return the lines of a word that is wider than one: broken at its separators, and elsewhere only within a part that is too wide."""
    if width_of(runs(word, face), size) <= width:
        return [word]
    pieces = [""]
    for part in _PARTS.split(word):
        if width_of(runs(pieces[-1] + part, face), size) <= width:
            pieces[-1] += part
        elif width_of(runs(part, face), size) <= width:
            pieces.append(part)
        else:
            pieces += _units(part, face, size, width)
    return pieces if pieces[0] else pieces[1:]


def _units(word: str, face: Face, size: float, width: float) -> list[str]:
    pieces, reached = [""], 0.0
    turned = _is_turned(word)
    for unit in _UNIT.findall(word):
        set_alone = runs(unit, face)
        wide = width_of(set_alone, size)
        grown = width_of(runs(pieces[-1] + unit, face), size) if turned else reached + wide
        # A combining character stays with the letter before it; if no face has it, its code is shown instead.
        combines = unicodedata.combining(unit[0]) and not any(run.mark for run in set_alone)
        if pieces[-1] and grown > width and not combines:
            pieces.append("")
            grown = wide
        pieces[-1] += unit
        reached = grown
    return pieces


def _begins_at_the_right(text: str) -> bool:
    kinds = map(unicodedata.bidirectional, text)
    return next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L"


def _is_turned(text: str) -> bool:
    """Return whether a text has a letter from right to left: its runs then stand in another order than its letters."""
    return any(unicodedata.bidirectional(character) in _RTL for character in text)
