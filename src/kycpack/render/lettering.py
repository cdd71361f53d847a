"""Turning outside text into something that can be set: visible, complete, broken into lines.

Nothing of a text is dropped and nothing in it is obeyed. Control and bidirectional override characters, and
characters that no face has, appear as a mark with their code point.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from kycpack.render.typefaces import FALLBACKS, Face, metrics

_BIDI_CONTROLS = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_SPACES = {"\t": " ", "\n": " ", "\r": " ", "\u00a0": "\u00a0", "\u2028": " ", "\u2029": " "}
_JOINERS = frozenset("\u200c\u200d")  # of use inside Arabic and Indic words, to be shown anywhere else
_RTL = frozenset({"R", "AL", "AN"})
# After a space, and inside paths, ids and long words where a reader would break them too.
_OPPORTUNITY = re.compile(
    r"(?<= )(?=[^ ])|(?<=[./_&?=])(?=[^./_&?=0-9 ])|(?<=[a-z])(?=[A-Z])|(?<=-)(?=[^- 0-9])"
)


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text that is set in one face.

    Attributes:
        text: The characters, all of which the face has.
        face: The face.
        shaped: Whether the letters must be joined and ordered by a shaping engine.
        mark: Whether it stands for a character that cannot be shown.
    """

    text: str
    face: Face
    shaped: bool = False
    mark: bool = False

    def width(self, size: float) -> float:
        """Return its width in points at a type size in points (before shaping)."""
        advances = metrics(self.face).advances
        return sum(advances.get(ord(character), 0.0) for character in self.text) * size / 1000


def mark_of(character: str) -> str:
    """Return the visible mark of a character that cannot be shown, as in `<U+202E>`."""
    return f"<U+{ord(character):04X}>"


def visible(text: str) -> str:
    """Return a text in which control and override characters are shown as marks and line breaks as spaces."""
    return "".join(
        mark_of(c) if _is_control(c) else _SPACES.get(c, c) for c in unicodedata.normalize("NFC", text)
    )


def unprintable(texts: Iterable[str]) -> tuple[str, ...]:
    """List the characters of texts that no face has.

    Args:
        texts: Texts as they came.

    Returns:
        Code points with their names, as in `U+738B CJK UNIFIED IDEOGRAPH-738B`, sorted, each once.
    """
    known = metrics(Face.SANS).advances
    characters = {c for text in texts for c in visible(text) if ord(c) not in known}
    missing = sorted(
        c for c in characters if not any(ord(c) in metrics(face).advances for face in FALLBACKS[Face.SANS])
    )
    return tuple(f"U+{ord(c):04X} {unicodedata.name(c, 'unnamed')}" for c in missing)


@lru_cache(maxsize=4096)
def runs(text: str, face: Face) -> tuple[Run, ...]:
    """Split a text into runs of one face each; every character is in exactly one of them."""
    shown = visible(text)
    advances = metrics(face).advances
    if all(ord(c) in advances for c in shown):
        return (Run(shown, face),) if shown else ()
    if any(unicodedata.bidirectional(c) in _RTL for c in shown):
        return _right_to_left(shown, FALLBACKS[face][0])
    found: list[Run] = []
    for character in shown:
        run = _run_of(character, face)
        if found and not run.mark and found[-1].face == run.face and not found[-1].mark:
            found[-1] = Run(found[-1].text + run.text, run.face)
        else:
            found.append(run)
    return tuple(found)


def width_of(line: Iterable[Run], size: float) -> float:
    """Return the width of runs, in points, at a type size in points."""
    return sum(run.width(size) for run in line)


def lines(text: str, face: Face, size: float, width: float) -> tuple[tuple[Run, ...], ...]:
    """Break a text into lines.

    Args:
        text: The text as it came.
        face: Face to prefer.
        size: Type size in points.
        width: Width of a line in points.

    Returns:
        At least one line, each a sequence of runs; a word wider than a line is broken.
    """
    whole_line = runs(text, face)
    if width_of(whole_line, size) <= width:
        return (whole_line,)
    broken: list[tuple[Run, ...]] = []
    line = ""
    for piece in _OPPORTUNITY.split(visible(text)):
        candidate = line + piece
        if width_of(runs(candidate.rstrip(" "), face), size) <= width:
            line = candidate
            continue
        if line.strip(" "):
            broken.append(runs(line.rstrip(" "), face))
        *whole, line = _pieces(piece.lstrip(" "), face, size, width)
        broken.extend(runs(part, face) for part in whole)
    return (*broken, runs(line.rstrip(" "), face))


def fitted(text: str, face: Face, size: float, width: float) -> tuple[Run, ...]:
    """Return a text as one line, cut with an ellipsis where it is wider than `width` points."""
    whole = runs(text, face)
    if width_of(whole, size) <= width:
        return whole
    shown = visible(text)
    low, high = 0, len(shown)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(runs(shown[:middle].rstrip() + "…", face), size) <= width:
            low = middle
        else:
            high = middle - 1
    return runs(shown[:low].rstrip() + "…", face)


def _is_control(character: str) -> bool:
    if character in _SPACES or character in _JOINERS:
        return False
    return character in _BIDI_CONTROLS or unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}


def _run_of(character: str, face: Face) -> Run:
    for candidate in (face, *FALLBACKS[face]):
        if ord(character) in metrics(candidate).advances and character not in _JOINERS:
            return Run(character, candidate)
    return Run(mark_of(character), face, mark=True)


def _right_to_left(shown: str, face: Face) -> tuple[Run, ...]:
    # Order and joining depend on the whole line, so that it stays one run; marks stand inside it as text.
    advances = metrics(face).advances
    return (Run("".join(c if ord(c) in advances else mark_of(c) for c in shown), face, shaped=True),)


def _pieces(word: str, face: Face, size: float, width: float) -> list[str]:
    pieces = [""]
    for character in word:
        if pieces[-1] and width_of(runs(pieces[-1] + character, face), size) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces
