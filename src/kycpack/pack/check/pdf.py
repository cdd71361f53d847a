"""PDF files of a pack, read as untrusted input: their structure, the files attached to them, and their visible text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from typing import Any, cast

import pikepdf
import pypdfium2

from kycpack.errors import PackError
from kycpack.pack.limits import Allowance

_OBJECT = re.compile(rb"(?m)^[0-9]+ [0-9]+ obj\b")
_COMPRESSED_OBJECTS = (b"ObjStm", b"XRef")
_ACTIVE = {"/JS", "/JavaScript", "/AA", "/Launch", "/RichMedia", "/XFA", "/AcroForm", "/A", "/URI", "/GoToR"}
_TRAILER = {"/ID", "/Root", "/Size"}
_CATALOGUE = {
    *("/AF", "/Lang", "/Metadata", "/Names", "/OpenAction", "/Outlines", "/OutputIntents"),
    *("/PageLayout", "/Pages", "/Type"),
}
_PAGE = {"/Annots", "/Contents", "/Group", "/MediaBox", "/Parent", "/Resources", "/Type"}
_LINK = {"/Border", "/Dest", "/F", "/Rect", "/Subtype", "/Type"}
_MOST_PAGES = 2_000


@dataclass(frozen=True, slots=True)
class PdfContent:
    """What an unsigned PDF of a pack shows and carries.

    Attributes:
        pages: The text of each page.
        attachments: The files attached to it, by name.
        metadata: Its XMP metadata; empty if it has none.
    """

    pages: tuple[str, ...]
    attachments: dict[str, bytes]
    metadata: bytes = b""

    @property
    def text(self) -> str:
        """The text of all pages."""
        return "\n".join(self.pages)


def read_pdf(content: bytes, name: str) -> PdfContent:
    """Read a PDF of the form that kycpack writes: one revision, no unreferenced objects, no actions.

    Args:
        content: The unsigned file.
        name: What errors call it.

    Raises:
        PackError: It is damaged or not of that form; the message says how.
    """
    # Checked before a PDF library opens it: these forms could expand without a limit, and kycpack never writes them.
    if any(word in content for word in _COMPRESSED_OBJECTS):
        raise PackError(f"{name} has compressed objects, which kycpack does not write")
    _check_one_revision(content, name)
    try:
        with pikepdf.open(BytesIO(content), suppress_warnings=False) as document:
            if document.is_encrypted or document.get_warnings():
                raise PackError(f"{name} is damaged or encrypted")
            _check_objects(content, document, name)
            attachments = {
                title: spec.get_file().read_bytes() for title, spec in document.attachments.items()
            }
            metadata = document.Root.get("/Metadata")
            described = b"" if metadata is None else metadata.read_bytes()
    except (pikepdf.PdfError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise PackError(f"{name} is not a PDF file that can be read") from error
    return PdfContent(_page_texts(content, name), attachments, described)


def _check_one_revision(content: bytes, name: str) -> None:
    if not content.startswith(b"%PDF-"):
        raise PackError(f"{name} does not begin like a PDF file")
    if content.count(b"%%EOF") != 1 or content.count(b"startxref") != 1:
        raise PackError(f"{name} was updated after it was made: it has more than one revision")
    if not content.endswith(b"%%EOF\n"):
        raise PackError(f"{name} has bytes after its end")


def _check_objects(content: bytes, document: pikepdf.Pdf, name: str) -> None:
    everything = {
        one.objgen for one in cast("list[Any]", document.objects) if isinstance(one, pikepdf.Object)
    }
    if len(_OBJECT.findall(content)) != int(document.trailer.Size) - 1:  # the table also counts object 0
        raise PackError(f"{name} has objects that its table of objects does not list")
    allowance = Allowance(name)
    reached: set[tuple[int, int]] = set()
    for one in _reachable(document.trailer, reached):
        if isinstance(one, pikepdf.Stream):
            _check_stream(one, allowance, name)
        active = _ACTIVE & {str(key) for key in one.keys()}  # noqa: SIM118 - a PDF dictionary is not a mapping
        if active:
            raise PackError(f"{name} has an action or a form ({', '.join(sorted(active))})")
    _check_layers(document, name)
    hidden = everything - reached - {(0, 0)}
    if hidden:
        raise PackError(f"{name} has objects that no page refers to")
    if len(document.pages) > _MOST_PAGES:
        raise PackError(f"{name} has more than {_MOST_PAGES:,} pages")


def _check_layers(document: pikepdf.Pdf, name: str) -> None:
    """Refuse anything that could cover a page, or that one PDF reader shows and another does not."""
    catalogue, trailer = ({str(key) for key in one.keys()} for one in (document.Root, document.trailer))  # noqa: SIM118 - as above
    unknown = (catalogue - _CATALOGUE) | (trailer - _TRAILER)
    if unknown:
        raise PackError(f"{name} has parts that kycpack does not write ({', '.join(sorted(unknown))})")
    for page in document.pages:
        if unknown := {str(key) for key in page.obj.keys()} - _PAGE:  # noqa: SIM118 - as above
            raise PackError(
                f"{name} has a page with parts that kycpack does not write ({', '.join(sorted(unknown))})"
            )
        for note in cast("list[Any]", page.get("/Annots") or []):
            if str(note.get("/Subtype")) != "/Link" or {str(key) for key in note.keys()} - _LINK:  # noqa: SIM118 - as above
                raise PackError(f"{name} has a note on a page, which kycpack does not write")


def _reachable(start: Any, reached: set[tuple[int, int]]) -> Iterator[Any]:
    """Yield every dictionary and stream that can be reached, and add the indirect ones to `reached`."""
    waiting: list[Any] = [start]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, pikepdf.Object):
            continue
        if one.is_indirect:
            if one.objgen in reached:
                continue
            reached.add(one.objgen)
        if isinstance(one, pikepdf.Array):
            waiting.extend(one)
        elif isinstance(one, pikepdf.Dictionary | pikepdf.Stream):
            yield one
            waiting.extend(value for _, value in one.items())


def _check_stream(stream: Any, allowance: Allowance, name: str) -> None:
    filters = stream.get("/Filter")
    if filters is None:
        allowance.spend(len(stream.read_raw_bytes()))
    elif str(filters) == "/FlateDecode":
        allowance.inflate(stream.read_raw_bytes())
    else:
        raise PackError(f"{name} has a compressed part of a kind that kycpack does not write")


def _page_texts(content: bytes, name: str) -> tuple[str, ...]:
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        raise PackError(f"{name} is not a PDF file that can be read") from error
    try:
        return tuple(_page_text(page) for page in document)
    except pypdfium2.PdfiumError as error:
        raise PackError(f"{name} has a page that cannot be read") from error
    finally:
        document.close()


def _page_text(page: Any) -> str:
    with closing(page), closing(page.get_textpage()) as text:
        return str(text.get_text_range())
