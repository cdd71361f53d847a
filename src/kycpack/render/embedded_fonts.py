"""Faces in a document: each is parsed once a process, and so is the part with the basic characters that nearly all documents embed.

A document that uses other characters of a face embeds these besides.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy, deepcopy
from functools import cache
from io import BytesIO
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fonts import SubsetMap, TTFFont
from fpdf.output import OutputProducer
from fpdf.syntax import PDFContentStream

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
_BASIC = tuple(
    map(
        ord,
        f"{ascii_letters}{digits} %&'()*+,-./:;=?@_\u00a3\u00b7\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u20ac",
    )
)
"""Characters that most documents do with."""
_OWN = (Face.SANS, Face.STRONG, Face.SERIF)

# In the files of these faces nothing is changed while they are parsed, and no shaping engine keeps hold of them.
_PARSED_ONCE = frozenset({*_OWN, Face.WIDE, Face.WIDE_STRONG, Face.HAN})


class _Codes(dict[int, int | None]):
    """The codes of characters in a document's part of a face.

    Args:
        subset: What fpdf2 cuts the face down to; it has the basic characters already, if the face has such a part.
    """

    def __init__(self, subset: SubsetMap) -> None:
        super().__init__()
        self._subset = subset
        self._glyphs = len(subset)

    def __missing__(self, character: int) -> int | None:
        self[character] = self._subset.pick(character)
        return self[character]

    @property
    def are_basic(self) -> bool:
        """Whether no other characters have been met."""
        return len(self._subset) == self._glyphs


class _Font(TTFFont):
    """A face as fpdf2 embeds it, which looks up the characters of a line at once."""

    __slots__ = ("codes",)
    codes: _Codes

    def encode_text(self, text: str) -> str:
        """Return the operator that shows a line in the characters of this document's part of the face."""
        return f"({self.escape_text(text.translate(self.codes))}) Tj"


class FaceWriter(OutputProducer):
    """Writes a document; of a face of which it uses basic characters only, the part that was made once."""

    def _add_fonts(self, *resources: Any) -> Any:
        basic: dict[int, list[Any]] = {}
        for face in _OWN:
            font: Any = self.fpdf.fonts.get("".join(_FAMILIES[face]))
            if font is not None and font.codes.are_basic:
                basic[font.i] = deepcopy(_basic_part(face))
                del self.fpdf.fonts[font.fontkey]
        made = super()._add_fonts(*resources)
        for number, objects in basic.items():
            for each in objects:
                self._add_pdf_obj(each, "fonts")
            made[number] = objects[0]
        return made


def _embed_face(pdf: FPDF, face: Face) -> None:
    if face in _PARSED_ONCE:
        _embed(pdf, face, _BASIC if face in _OWN else ())
    else:
        pdf.add_font(*_FAMILIES[face], face_path(face))


def _embed(pdf: FPDF, face: Face, basic: Iterable[int]) -> Any:
    font = copy(_parsed(face))
    font.i = len(pdf.fonts) + 1
    # A document gives numbers to its objects, and several may be written at the same time.
    font.desc = copy(font.desc)
    # fpdf2 cuts the file down to the characters of one document. Outlines stay as they are, so most boxes do too.
    boxes = face is Face.HAN  # whose box fpdf2 computes from the characters that it embeds
    font.ttfont = TTFont(BytesIO(_file(face)), recalcTimestamp=False, recalcBBoxes=boxes, lazy=True)
    font.missing_glyphs = []
    font.subset = SubsetMap(font)
    for character in basic:
        font.subset.pick(character)
    font.codes = _Codes(font.subset)
    pdf.fonts[font.fontkey] = font
    if font.is_cid_keyed:
        pdf._set_min_pdf_version("1.6")  # noqa: SLF001 - as fpdf2 does for a face that it adds itself
    return font


@cache
def _basic_part(face: Face) -> list[Any]:
    """Return the objects of a PDF that embed the basic characters of a face, the font itself first."""
    pdf = FPDF()
    _embed(pdf, face, _BASIC)
    producer = OutputProducer(pdf)
    producer._add_fonts({}, {}, {})  # noqa: SLF001 - what is public writes a whole document
    objects: list[Any] = producer.pdf_objs
    # fpdf2 leaves the table of the characters' code points as long as it is.
    plain = objects[0].to_unicode
    objects[0].to_unicode = PDFContentStream(plain.content_stream(), compress=True)
    objects[objects.index(plain)] = objects[0].to_unicode
    return objects


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
    """Let what follows be set in a face, at a size in points, in a document that is written by `FaceWriter`."""
    family, style = _FAMILIES[face]
    if (pdf.font_family, pdf.font_style, pdf.font_size_pt) != (family, style, size):
        if family + style not in pdf.fonts:
            _embed_face(pdf, face)
        # As set_font does, which checks each time what is known here.
        pdf.font_family, pdf.font_style, pdf.font_size_pt = family, style, size
        pdf.current_font = pdf.fonts[family + style]
        pdf.current_font_is_set_on_page = False


@cache
def _parsed(face: Face) -> Any:
    family, style = _FAMILIES[face]
    font = _Font(FPDF(), _path(face), family + style, style)
    font.ttfont.close()  # every document has one of its own
    return font
