"""Faces in a document: each is parsed once a process, and every document embeds the characters that it uses."""

from __future__ import annotations

from copy import copy
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fonts import SubsetMap, TTFFont

from kycpack.errors import RenderError
from kycpack.render.typefaces import Face, face_path

_FAMILIES = {
    Face.SANS: ("sans", ""),
    Face.STRONG: ("sans", "B"),
    Face.SERIF: ("serif", "B"),
    Face.WIDE: ("wide", ""),
    Face.WIDE_STRONG: ("wide", "B"),
    Face.HAN: ("han", ""),
    Face.DEVANAGARI: ("devanagari", ""),
    Face.THAI: ("thai", ""),
    Face.EMOJI: ("emoji", ""),
}
_COMMON = frozenset(
    (
        *range(0x20, 0x7F),
        *range(0xA0, 0x180),
        *map(ord, "\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac"),
    )
)
"""Characters that nearly all documents do with: the Latin letters of Europe's names and the signs of typesetting."""

# In the files of these faces nothing is changed while they are parsed, and no shaping engine keeps hold of them.
_PARSED_ONCE = frozenset({Face.SANS, Face.STRONG, Face.SERIF, Face.WIDE, Face.WIDE_STRONG})


class _Codes(dict[int, int | None]):
    """The codes of characters in a document's part of a face; each is given when the character is first met."""

    def __init__(self, subset: SubsetMap) -> None:
        self._subset = subset

    def __missing__(self, character: int) -> int | None:
        self[character] = self._subset.pick(character)
        return self[character]


class _Font(TTFFont):
    """A face as fpdf2 embeds it, which looks up the characters of a line at once."""

    __slots__ = ("codes",)
    codes: _Codes

    def encode_text(self, text: str) -> str:
        """Return the operator that shows a line in the characters of this document's part of the face."""
        return f"({self.escape_text(text.translate(self.codes))}) Tj"


class _Part(NamedTuple):
    """The common characters of a face: a file with nothing else, its glyphs in order, and those that no other character has."""

    file: bytes
    glyphs: tuple[str, ...]
    own: frozenset[str]


def embed_face(pdf: FPDF, face: Face) -> None:
    """Make a face known to a document that does not have it yet."""
    if face not in _PARSED_ONCE:
        pdf.add_font(*_FAMILIES[face], face_path(face))
        return
    font = copy(_parsed(face))
    font.i = len(pdf.fonts) + 1
    # fpdf2 cuts the file down to the characters of one document. Outlines stay as they are, so no box has to be computed.
    font.ttfont = _opened(_file(face))
    font.missing_glyphs = []
    font.subset = SubsetMap(font)
    font.codes = _Codes(font.subset)
    pdf.fonts[font.fontkey] = font


def narrow_faces(pdf: FPDF) -> None:
    """Let fpdf2 cut the faces of a finished document down from their common characters, where it uses no others.

    What is embedded stays the same; cutting down a small file takes half as long.
    """
    for face in (Face.SANS, Face.STRONG, Face.SERIF):
        font: Any = pdf.fonts.get("".join(_FAMILIES[face]))
        if font is None:
            continue
        part = _common_part(face)
        if part.own.issuperset(font.subset.get_all_glyph_names()):
            font.ttfont.close()
            font.ttfont = _opened(part.file)
            # The file has no names of glyphs: without these it would be read once more to make them up.
            font.ttfont.setGlyphOrder([*part.glyphs])


def _opened(file: bytes) -> TTFont:
    return TTFont(BytesIO(file), recalcTimestamp=False, recalcBBoxes=False, lazy=True)


@cache
def _common_part(face: Face) -> _Part:
    font = _opened(_file(face))
    names = font.getBestCmap()
    shared = {name for code, name in names.items() if code not in _COMMON}
    options = Options(notdef_outline=True, recommended_glyphs=True, glyph_names=True, passthrough_tables=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=_COMMON)
    subsetter.subset(font)
    reduced = BytesIO()
    font.save(reduced)
    own = frozenset(names[code] for code in _COMMON if code in names) - shared
    return _Part(reduced.getvalue(), tuple(_opened(reduced.getvalue()).getGlyphOrder()), own | {".notdef"})


@cache
def _file(face: Face) -> bytes:
    """Return the file of a face, read whole: a file that stays open is closed by nobody, and forked processes would share its position."""
    return _path(face).read_bytes()


def _path(face: Face) -> Path:
    path = face_path(face)
    if path is None:
        raise RenderError(f"the font {face.value} is missing")
    return path


def set_face(pdf: FPDF, face: Face, size: float) -> None:
    """Let what follows be set in a face that the document has, at a size in points."""
    family, style = _FAMILIES[face]
    if (pdf.font_family, pdf.font_style, pdf.font_size_pt) != (family, style, size):
        pdf.set_font(family, style, size)


@cache
def _parsed(face: Face) -> Any:
    family, style = _FAMILIES[face]
    font = _Font(FPDF(), _path(face), family + style, style)
    font.ttfont.close()  # every document has one of its own
    return font
