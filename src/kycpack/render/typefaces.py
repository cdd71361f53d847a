"""The faces documents are set in: which characters each has, and how wide they are."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fontTools.ttLib import TTFont

from kycpack.errors import RenderError

_OWN = Path(__file__).resolve().parent / "fonts"


class Face(StrEnum):
    """A face: three of our own, DejaVu for the scripts they lack, and optional Noto faces for the rest."""

    SANS = "sans"
    STRONG = "strong"
    SERIF = "serif"
    WIDE = "wide"
    WIDE_STRONG = "widestrong"
    HAN = "han"
    DEVANAGARI = "devanagari"
    THAI = "thai"
    EMOJI = "emoji"


_OWN_FILES = {
    Face.SANS: "ledger-sans-regular.ttf",
    Face.STRONG: "ledger-sans-semibold.ttf",
    Face.SERIF: "ledger-serif-semibold.ttf",
}
_WIDE_FILES = {Face.WIDE: "DejaVuSans.ttf", Face.WIDE_STRONG: "DejaVuSans-Bold.ttf"}

_OPTIONAL = {
    Face.HAN: ("notojp_matplotlib", "fonts", "NotoSansCJKjp-Regular.otf"),
    Face.DEVANAGARI: ("fontpkg_noto_sans_devanagari", "files", "NotoSansDevanagari[wdth,wght].ttf"),
    Face.THAI: ("fontpkg_noto_sans_thai", "files", "NotoSansThai[wdth,wght].ttf"),
    Face.EMOJI: ("manimgx_fonts", "NotoEmoji[wght].ttf"),
}

FONT_DISTRIBUTIONS = (
    "matplotlib",
    "notojp-matplotlib",
    "fontpkg-noto-sans-devanagari",
    "fontpkg-noto-sans-thai",
    "manimgx-fonts",
)
"""What brings the faces that are not our own: all but the first are the extra `fonts`.

Without them Han, kana, Hangul, Devanagari, Thai and most emoji stand as marks with their code points, so the set of fonts is part of
what a document was made with.
"""

SHAPED = frozenset({Face.DEVANAGARI, Face.THAI})
"""Faces whose letters are reordered or stacked, which needs a shaping engine."""

_REST = (Face.HAN, Face.DEVANAGARI, Face.THAI, Face.EMOJI)
FALLBACKS: dict[Face, tuple[Face, ...]] = {
    Face.SANS: (Face.WIDE, *_REST),
    Face.STRONG: (Face.WIDE_STRONG, *_REST),
    Face.SERIF: (Face.WIDE_STRONG, *_REST),
    Face.WIDE: _REST,
    Face.WIDE_STRONG: _REST,
    **dict.fromkeys(_REST, ()),
}
"""Where a character is looked for that a face lacks, in this order."""


def face_path(face: Face) -> Path | None:
    """Return the font file of a face; None for an optional one that is not installed.

    Raises:
        RenderError: matplotlib, whose DejaVu fonts are used, is not installed.
    """
    if face in _OWN_FILES:
        return _OWN / _OWN_FILES[face]
    if face in _OPTIONAL:
        package, *inside = _OPTIONAL[face]
        folder = _folder_of(package)
        return None if folder is None else folder.joinpath(*inside)
    folder = _folder_of("matplotlib")
    if folder is None:
        raise RenderError("the DejaVu fonts are missing: matplotlib is not installed")
    return folder / "mpl-data" / "fonts" / "ttf" / _WIDE_FILES[face]


@cache
def advances_of(face: Face) -> Mapping[int, float]:
    """Return the width of each character that a face has; one that is not installed has no characters.

    Returns:
        Thousandths of the type size, by code point.
    """
    path = face_path(face)
    if path is None:
        return {}
    with TTFont(path, lazy=True) as font:
        scale = 1000 / font["head"].unitsPerEm
        widths = font["hmtx"].metrics
        return {code: widths[glyph][0] * scale for code, glyph in font.getBestCmap().items()}


@cache
def _folder_of(package: str) -> Path | None:
    # Looked up without importing it: only its files are wanted, and importing may be slow or change settings.
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
