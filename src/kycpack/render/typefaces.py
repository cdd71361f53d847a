"""The faces documents are set in: which characters each has, and how wide they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fontTools.ttLib import TTFont

from kycpack.errors import RenderError

_OWN = Path(__file__).resolve().parent / "fonts"


class Face(StrEnum):
    """A face: three of our own, and DejaVu for the scripts that they lack."""

    SANS = "sans"
    STRONG = "strong"
    SERIF = "serif"
    WIDE = "wide"
    WIDE_STRONG = "widestrong"


_OWN_FILES = {
    Face.SANS: "ledger-sans-regular.ttf",
    Face.STRONG: "ledger-sans-semibold.ttf",
    Face.SERIF: "ledger-serif-semibold.ttf",
}
_WIDE_FILES = {Face.WIDE: "DejaVuSans.ttf", Face.WIDE_STRONG: "DejaVuSans-Bold.ttf"}

FALLBACK = {
    Face.SANS: Face.WIDE,
    Face.STRONG: Face.WIDE_STRONG,
    Face.SERIF: Face.WIDE_STRONG,
    Face.WIDE: Face.WIDE,
    Face.WIDE_STRONG: Face.WIDE_STRONG,
}


@dataclass(frozen=True, slots=True)
class Metrics:
    """What setting text needs to know of a face.

    Attributes:
        advances: Width of each character the face has, by code point, in thousandths of the type size.
    """

    advances: Mapping[int, float]


def face_path(face: Face) -> Path:
    """Return the font file of a face.

    Raises:
        RenderError: matplotlib, whose DejaVu fonts are used, is not installed.
    """
    if face in _OWN_FILES:
        return _OWN / _OWN_FILES[face]
    # Looked up without importing it: matplotlib takes long to import, and only its files are wanted.
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise RenderError("the DejaVu fonts are missing: matplotlib is not installed")
    return Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf" / _WIDE_FILES[face]


@cache
def metrics(face: Face) -> Metrics:
    """Return the metrics of a face."""
    with TTFont(face_path(face), lazy=True) as font:
        scale = 1000 / font["head"].unitsPerEm
        widths = font["hmtx"].metrics
        return Metrics({code: widths[glyph][0] * scale for code, glyph in font.getBestCmap().items()})
