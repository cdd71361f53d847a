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
    """A face: three of our own, DejaVu for the scripts that they lack, and for Han, kana and Hangul Noto, if installed."""

    SANS = "sans"
    STRONG = "strong"
    SERIF = "serif"
    WIDE = "wide"
    WIDE_STRONG = "widestrong"
    HAN = "han"


_OWN_FILES = {
    Face.SANS: "ledger-sans-regular.ttf",
    Face.STRONG: "ledger-sans-semibold.ttf",
    Face.SERIF: "ledger-serif-semibold.ttf",
}
_WIDE_FILES = {Face.WIDE: "DejaVuSans.ttf", Face.WIDE_STRONG: "DejaVuSans-Bold.ttf"}

HAN_DISTRIBUTION = "notojp-matplotlib"
"""What brings the face for Han, kana and Hangul: the extra `cjk`. Without it those characters stand as marks."""

_HAN_FILE = ("notojp_matplotlib", "fonts", "NotoSansCJKjp-Regular.otf")

FALLBACKS: dict[Face, tuple[Face, ...]] = {
    Face.SANS: (Face.WIDE, Face.HAN),
    Face.STRONG: (Face.WIDE_STRONG, Face.HAN),
    Face.SERIF: (Face.WIDE_STRONG, Face.HAN),
    Face.WIDE: (Face.HAN,),
    Face.WIDE_STRONG: (Face.HAN,),
    Face.HAN: (),
}
"""Where a character is looked for that a face lacks, in this order."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """What setting text needs to know of a face.

    Attributes:
        advances: Width of each character the face has, by code point, in thousandths of the type size.
    """

    advances: Mapping[int, float]


def face_path(face: Face) -> Path | None:
    """Return the font file of a face; None for the optional one where it is not installed.

    Raises:
        RenderError: matplotlib, whose DejaVu fonts are used, is not installed.
    """
    if face in _OWN_FILES:
        return _OWN / _OWN_FILES[face]
    if face is Face.HAN:
        package, *inside = _HAN_FILE
        folder = _folder_of(package)
        return None if folder is None else folder.joinpath(*inside)
    folder = _folder_of("matplotlib")
    if folder is None:
        raise RenderError("the DejaVu fonts are missing: matplotlib is not installed")
    return folder / "mpl-data" / "fonts" / "ttf" / _WIDE_FILES[face]


@cache
def metrics(face: Face) -> Metrics:
    """Return the metrics of a face; one that is not installed has no characters."""
    path = face_path(face)
    if path is None:
        return Metrics({})
    with TTFont(path, lazy=True) as font:
        scale = 1000 / font["head"].unitsPerEm
        widths = font["hmtx"].metrics
        return Metrics({code: widths[glyph][0] * scale for code, glyph in font.getBestCmap().items()})


def _folder_of(package: str) -> Path | None:
    # Looked up without importing it: only its files are wanted, and importing may be slow or change settings.
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
