"""Pages of a PDF/A document: faces, colours, page breaks, header, footer, metadata.

fpdf2 only places runs and rectangles; their positions are decided here, so that outside text is never treated as markup or
an alias, and lines are broken by our own rules only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from fpdf import FPDF
from fpdf.annotations import AnnotationDict
from fpdf.drawing_primitives import DeviceCMYK, DeviceGray, DeviceRGB, convert_to_device_color
from fpdf.enums import RenderStyle, ResourceAccessPolicy
from fpdf.errors import FPDFException

from kycpack.errors import RenderError
from kycpack.render.document_parts import REFERENCE, Table
from kycpack.render.drawing import Box, Dot, Drawing, Label, Line
from kycpack.render.embedded_fonts import FaceWriter, set_face
from kycpack.render.palette import BRASS, FILL, HAIRLINE, INK, MUTED, NAVY, TEXT, Colour, Tone
from kycpack.render.pdf_metadata import LEVEL, PART, describe
from kycpack.render.text_runs import Run, fitted, runs, visible, width_of
from kycpack.render.typefaces import Face

POINT = 25.4 / 72
PAGE_WIDTH = 210.0
PAGE_HEIGHT = 297.0
MARGIN = 18.0
TOP = 24.0
BOTTOM = 24.0
FOOT = PAGE_HEIGHT - 16.0
"""Where the rule above the foot of a page is."""
TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN


@dataclass(frozen=True, slots=True)
class Stamp:
    """The information on every page of a document.

    Attributes:
        title: Title of the document, without personal data.
        classification: Words at the top and bottom of each page.
        footer: Facts in the footer, such as `As of 2026-01-31 12:00 UTC`.
        as_of: The instant to which all dates in the file are set.
    """

    title: str
    classification: str
    footer: tuple[str, ...]
    as_of: datetime


class _Document(FPDF):
    """A document with plain lines: fpdf2 would check for each line whether it is underlined or part of an annotation."""

    def _out(self, s: str | bytes) -> None:
        """Add operators to the page, which is there; fpdf2 would check that for each."""
        contents: Any = self.pages[self.page].contents
        contents += (s if isinstance(s, bytes) else s.encode("latin1")) + b"\n"

    def text(self, x: float, y: float, text: str = "") -> None:
        """Set a line in the current face and colour; `x` and `y` are the start of its baseline in millimetres."""
        font: Any = self.current_font
        if not self.current_font_is_set_on_page:
            self._out(self._set_font_for_page(font, self.font_size_pt))
        shown = f"BT {x * self.k:.2f} {(self.h - y) * self.k:.2f} Td {font.encode_text(text)} ET"
        colour = self.text_color
        self._out(shown if colour == self.fill_color else f"q {_operator(colour)} {shown} Q")


class _Link(AnnotationDict):
    """A link within the document: fpdf2 would look for each through all that an annotation may have."""

    def serialize(self, *_: Any, **__: Any) -> str:
        """Return the link as fpdf2 writes it."""
        to: Any = self.dest
        return (
            f"<</Border {self.border}\n/Dest {to.serialize()}\n/F {self.f}\n"
            f"/Rect {self.rect}\n/Subtype /Link\n/Type /Annot>>"
        )


class Sheet:
    """A document in the making, with a cursor that moves down its pages.

    Args:
        stamp: The information on every page.

    Attributes:
        measured: The table that was measured last, with the widths of its columns in millimetres.
    """

    def __init__(self, stamp: Stamp) -> None:
        self._stamp = stamp
        self.pdf = _Document(unit="mm", format="A4", enforce_compliance=f"PDFA_{PART}{LEVEL}")
        self.pdf.resource_access_policy = ResourceAccessPolicy.NONE
        self.pdf.alias_nb_pages("")
        self.pdf.set_auto_page_break(auto=False)
        self.pdf.set_margin(0)
        describe(self.pdf, stamp.title, stamp.as_of)
        self._references: list[tuple[int, float, float, float, float, str]] = []
        self._anchors: dict[str, tuple[int, float]] = {}
        self._ends: dict[str, int] = {}
        self._pointers: list[tuple[int, float, float, str, str]] = []
        self.y = 0.0
        self.measured: tuple[Table | None, list[float]] = (None, [])
        self.new_page()

    @property
    def left(self) -> float:
        """The height left on the page below the cursor, in millimetres."""
        return PAGE_HEIGHT - BOTTOM - self.y

    @property
    def at_top(self) -> bool:
        """Whether nothing has been set on this page yet."""
        return self.y <= TOP

    def new_page(self) -> None:
        """Start a page."""
        self.pdf.add_page()
        self.y = TOP

    def need(self, height: float) -> bool:
        """Start a page if less than `height` millimetres are left; return whether a page was started."""
        if self.left >= height or self.at_top:
            return False
        self.new_page()
        return True

    def put(
        self,
        x: float,
        baseline: float,
        text: str | tuple[Run, ...],
        *,
        face: Face = Face.SANS,
        size: float = 8.5,
        colour: Colour = INK,
        align: str = "left",
        room: float = 0.0,
    ) -> float:
        """Set one line of text.

        Args:
            x: Left edge, middle or right edge in millimetres, depending on `align`.
            baseline: Distance from the top of the page in millimetres.
            text: The text, or runs made from a text.
            face: The preferred face.
            size: Type size in points.
            colour: Colour of the text.
            align: `left`, `middle` or `right`.
            room: Maximum width in millimetres; a wider text is cut with an ellipsis; 0 for no limit.

        Returns:
            The width of the text in millimetres.
        """
        if isinstance(text, str):
            line = fitted(text, face, size, room / POINT) if room else runs(text, face)
        else:
            line = text
        points = [run.width(size) for run in line]
        width = sum(points) * POINT
        x -= {"left": 0.0, "middle": width / 2, "right": width}[align]
        self.pdf.text_color = _device(colour)
        for run, wide in zip(line, points, strict=True):
            set_face(self.pdf, run.face, size)
            if run.shaped:
                self._set_shaped(run, x, baseline, size)
            else:
                self.pdf.text(x, baseline, run.text)
                if "-" in run.text:
                    self._refer(run, x, baseline, size)
            x += wide * POINT
        return width

    def put_lines(
        self,
        x: float,
        top: float,
        broken: Iterable[tuple[Run, ...]],
        leading: float,
        rise: float = 0.76,
        **how: Any,
    ) -> None:
        """Set lines of text below one another.

        Args:
            x: As in `put`.
            top: Upper end of the first line in millimetres.
            broken: The lines.
            leading: Height of a line in millimetres.
            rise: Share of the height of a line above its baseline.
            **how: As in `put`.
        """
        for index, line in enumerate(broken):
            self.put(x, top + (index + rise) * leading, line, **how)

    def put_title(self, text: str) -> None:
        """Set the title of a document, and leave a gap below it."""
        self.put(MARGIN, self.y + 9.0, text, face=Face.SERIF, size=22.0, colour=NAVY, room=TEXT_WIDTH)
        self.y += 18.0

    def tint(self, width: float, height: float, tone: Tone, bar: float) -> None:
        """Fill an area at the cursor with the light colour of a tone, and a bar at its left side with the dark one."""
        self.box(MARGIN, self.y, width, height, FILL[tone])
        self.box(MARGIN, self.y, bar, height, TEXT[tone])

    def anchor(self, name: str) -> None:
        """Make links to an entry of the evidence lead here; if there are several places, the first counts."""
        self._anchors.setdefault(name, (self.pdf.page, self.y))

    def reach(self, name: str) -> None:
        """Note that what begins at an anchor goes on to the cursor."""
        self._ends[name] = self.pdf.page

    def box(self, x: float, y: float, width: float, height: float, fill: Colour) -> None:
        """Fill a rectangle."""
        if width > 0 and height > 0:
            self.pdf.set_fill_color(_device(fill))
            self.pdf.rect(x, y, width, height, RenderStyle.F)

    def rule(
        self, x1: float, y1: float, x2: float, y2: float, colour: Colour = HAIRLINE, width: float = 0.2
    ) -> None:
        """Draw a line."""
        self.pdf.set_draw_color(_device(colour))
        self.pdf.set_line_width(width)
        self.pdf.line(x1, y1, x2, y2)

    def draw(self, drawing: Drawing, x: float, y: float) -> None:
        """Draw a drawing with its top left corner at a point."""
        for mark in drawing.marks:
            match mark:
                case Box():
                    self.box(x + mark.x, y + mark.y, mark.width, mark.height, mark.fill)
                case Line():
                    self.rule(x + mark.x1, y + mark.y1, x + mark.x2, y + mark.y2, mark.colour, mark.width)
                case Dot():
                    self.pdf.set_draw_color(_device(mark.colour))
                    self.pdf.set_fill_color(_device(mark.colour))
                    self.pdf.set_line_width(0.3)
                    self.pdf.circle(x + mark.x, y + mark.y, mark.radius, style="D" if mark.hollow else "F")
                case Label():
                    self.put(
                        x + mark.x,
                        y + mark.y,
                        mark.text,
                        face=Face.STRONG if mark.strong else Face.SANS,
                        size=mark.size,
                        colour=mark.colour,
                        align=mark.align,
                        room=mark.room,
                    )

    def taken_by(self, setting: Callable[[], object]) -> float:
        """Return the height that something takes below the cursor, and leave nothing of it on the page."""
        page: Any = self.pdf.pages[self.pdf.page]
        top, written, referred = self.y, len(page.contents), len(self._references)
        setting()
        taken, self.y = self.y - top, top
        del page.contents[written:], self._references[referred:]
        self._forget_settings()
        return taken

    def point(self, baseline: float, words: str, anchor: str, right: float = PAGE_WIDTH - MARGIN) -> None:
        """Set on which pages that is which begins at an anchor, as a link to it that ends at the right edge; the page is known when the document is finished."""
        self._pointers.append((self.pdf.page, right, baseline, words, anchor))

    def outline(self, title: str) -> None:
        """Add an entry to the document's outline, at the cursor."""
        self.pdf.set_y(self.y)
        self.pdf.start_section(visible(title))

    def embed(self, name: str, content: bytes, mime_type: str, description: str) -> None:
        """Attach a file as the data of this document."""
        self.pdf.embed_file(
            bytes=content,
            basename=name,
            mime_type=mime_type,
            desc=description,
            associated_file_relationship="Data",
            creation_date=self._stamp.as_of,
            modification_date=self._stamp.as_of,
            compress=True,
        )

    def finish(self) -> bytes:
        """Return the document.

        Raises:
            RenderError: fpdf2 could not write the document.
        """
        total = self.pdf.pages_count
        for number in range(1, total + 1):
            self.pdf.page = number
            self._forget_settings()
            with self.pdf.local_context():
                self._furnish(number, total)
                self._set_pointers(number)
        self._link()
        try:
            return bytes(self.pdf.output(output_producer_class=FaceWriter))
        except FPDFException as error:
            raise RenderError("the PDF could not be written") from error

    def _forget_settings(self) -> None:
        """Have face, colours and line width written again: fpdf2 skips what it considers already set, but tracks what was written last, also on another page."""
        self.pdf.current_font_is_set_on_page = False
        self.pdf.fill_color = self.pdf.draw_color = None
        self.pdf.line_width = 0.0

    def _furnish(self, number: int, total: int) -> None:
        stamp = self._stamp
        right = PAGE_WIDTH - MARGIN
        self.box(0, 0, PAGE_WIDTH, 3.2, NAVY)
        self.box(0, 3.2, PAGE_WIDTH, 0.5, BRASS)
        self.put(MARGIN, 12.5, stamp.classification.upper(), face=Face.STRONG, size=6.8, colour=MUTED)
        self.put(right, 12.5, stamp.title, size=6.8, colour=MUTED, align="right")
        self.rule(MARGIN, FOOT, right, FOOT, HAIRLINE, 0.2)
        self.put(MARGIN, FOOT + 4.2, stamp.classification.upper(), face=Face.STRONG, size=6.2, colour=MUTED)
        self.put(right, FOOT + 4.2, f"Page {number} of {total}", size=6.8, colour=INK, align="right")
        for index, line in enumerate(_wrapped(stamp.footer, 6.2)):
            self.put(MARGIN, FOOT + 7.6 + 3.0 * index, line, size=6.2, colour=MUTED)

    def _refer(self, run: Run, x: float, baseline: float, size: float) -> None:
        for match in REFERENCE.finditer(run.text):
            left = x + Run(run.text[: match.start()], run.face).width(size) * POINT
            width = Run(match[0], run.face).width(size) * POINT
            top = baseline - 0.8 * size * POINT
            self._references.append((self.pdf.page, left, top, width, size * POINT, match[0]))

    def _set_pointers(self, number: int) -> None:
        for page, right, baseline, words, anchor in self._pointers:
            if page == number:
                first = self._anchors[anchor][0]
                last = self._ends.get(anchor, first)
                pages = f"pages {first} to {last}" if last > first else f"page {first}"
                said = runs(f"{words}: {pages}", Face.STRONG)
                size = min(7.4, (right - MARGIN) / POINT / width_of(said, 1.0))
                width = self.put(right, baseline, said, size=size, colour=NAVY, align="right")
                top = baseline - 0.8 * size * POINT
                self._references.append((page, right - width, top, width, size * POINT, anchor))

    def _link(self) -> None:
        """Turn every mention of an entry of the evidence into a link, if the document has a place for it."""
        links = {name: self.pdf.add_link(y=y - 2.0, page=page) for name, (page, y) in self._anchors.items()}
        for page, *place, name in self._references:
            if name in links:
                x, y, width, height = (one * self.pdf.k for one in place)
                link = _Link("Link", x, self.pdf.h_pt - y, width, height, dest=self.pdf.links[links[name]])
                self.pdf.pages[page].add_annotation(link)

    def _set_shaped(self, run: Run, x: float, baseline: float, size: float) -> None:
        # cell() shapes the text; it puts the baseline 0.3 of the size below the middle of the cell.
        height = size * POINT
        turned = run.face in {Face.WIDE, Face.WIDE_STRONG}  # which are shaped only from right to left
        self.pdf.set_text_shaping(use_shaping_engine=True, direction="rtl" if turned else "ltr")
        self.pdf.c_margin = 0
        self.pdf.set_xy(x, baseline - 0.8 * height)
        # Glyphs that stand before the letter they follow say nothing of themselves; readers turn letters from right to left on their own.
        said = "" if turned else f"/ActualText <feff{run.text.encode('utf-16-be').hex()}>"
        self.pdf._out(f"/Span <<{said}>> BDC")  # noqa: SLF001 - fpdf2 marks content of tagged documents only
        self.pdf.cell(run.width(size) * POINT, height, run.text)
        self.pdf._out("EMC")  # noqa: SLF001
        self.pdf.set_text_shaping(use_shaping_engine=False)


@cache
def _device(colour: Colour) -> DeviceCMYK | DeviceGray | DeviceRGB:
    """Return a colour of the palette in fpdf2's form; there are few of them."""
    return convert_to_device_color(*colour)


@cache
def _operator(colour: Any) -> str:
    """Return the operator that sets the colour of text, as fpdf2 writes it."""
    return str(colour.serialize().lower())


def _wrapped(parts: Iterable[str], size: float) -> list[str]:
    found: list[str] = []
    for part in parts:
        joined = f"{found[-1]}   ·   {part}" if found else part
        if found and width_of(runs(joined, Face.SANS), size) * POINT <= TEXT_WIDTH:
            found[-1] = joined
        else:
            found.append(part)
    return found
