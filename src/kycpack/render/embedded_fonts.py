"""Faces in a document: each is parsed once a process, and every document embeds the characters that it uses."""

from __future__ import annotations

from copy import copy
from functools import cache
from io import BytesIO
from typing import Any

from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fonts import SubsetMap

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
}
# In the files of these faces nothing is changed while they are parsed, and no shaping engine keeps hold of them.
_PARSED_ONCE = frozenset({Face.SANS, Face.STRONG, Face.SERIF, Face.WIDE, Face.WIDE_STRONG})


def embed_face(pdf: FPDF, face: Face) -> None:
    """Make a face known to a document that does not have it yet."""
    if face not in _PARSED_ONCE:
        pdf.add_font(*_FAMILIES[face], face_path(face))
        return
    font = copy(_parsed(face))
    font.i = len(pdf.fonts) + 1
    # fpdf2 cuts the file down to the characters of one document. Outlines stay as they are, so no box has to be computed.
    font.ttfont = TTFont(BytesIO(_file(face)), recalcTimestamp=False, recalcBBoxes=False, lazy=True)
    font.missing_glyphs = []
    font.subset = SubsetMap(font)
    pdf.fonts[font.fontkey] = font


@cache
def _file(face: Face) -> bytes:
    """Return the file of a face, read whole: a file that stays open is closed by nobody, and forked processes would share its position."""
    path = face_path(face)
    if path is None:
        raise RenderError(f"the font {face.value} is missing")
    return path.read_bytes()


def set_face(pdf: FPDF, face: Face, size: float) -> None:
    """Let what follows be set in a face that the document has, at a size in points."""
    family, style = _FAMILIES[face]
    pdf.set_font(family, style, size)


@cache
def _parsed(face: Face) -> Any:
    pdf = FPDF()
    pdf.add_font(*_FAMILIES[face], face_path(face))
    font: Any = next(iter(pdf.fonts.values()))
    font.ttfont.close()  # every document has one of its own
    return font
