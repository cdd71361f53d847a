"""Checks that signing a PDF appended an invisible signature, and nothing that changes a page."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from typing import Any

import pikepdf
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation.status import SignatureCoverageLevel

_FORM_KEYS = {"/Fields", "/SigFlags"}
_FIELD_KEYS = {"/FT", "/T", "/Type", "/Subtype", "/F", "/P", "/Rect", "/V", "/AP", "/Ff"}


def only_signed(content: bytes, unsigned_bytes: int) -> bool:
    """Return whether the bytes after the unsigned part of a PDF are one signature over the whole file and nothing else.

    pyHanko's difference analysis covers changes after a signature. A page could be changed in the same update that
    adds the signature, so the unsigned document is compared with the signed one object by object.

    Args:
        content: The whole file.
        unsigned_bytes: Length of the unsigned document in bytes.
    """
    if len(content) == unsigned_bytes:
        return True
    # Compressed objects could expand without a limit; the signatures that kycpack adds have none.
    if not content.endswith(b"%%EOF\n") or b"ObjStm" in content or content.count(b"%%EOF") != 2:
        return False
    try:
        signed = PdfFileReader(BytesIO(content)).embedded_signatures
        if len(signed) != 1 or signed[0].evaluate_signature_coverage() != SignatureCoverageLevel.ENTIRE_FILE:
            return False
        with (
            pikepdf.open(BytesIO(content[:unsigned_bytes]), inherit_page_attributes=False) as before,
            pikepdf.open(BytesIO(content), inherit_page_attributes=False) as after,
        ):
            return not any(_changes(before, after))
    except (PdfError, pikepdf.PdfError, ValueError, KeyError, IndexError, TypeError, AttributeError):
        return False


def _changes(before: pikepdf.Pdf, after: pikepdf.Pdf) -> Iterator[str]:
    """Yield what the update changes, apart from an invisible signature field."""
    # Not through `pages`, which would move inherited attributes into each page.
    root, page = before.Root.objgen, before.Root.Pages.Kids[0].objgen
    if after.Root.objgen != root:
        yield "the catalogue"
    for number in range(1, int(before.trailer.Size)):
        old, new = before.get_object(number, 0), after.get_object(number, 0)
        allowed = {"/AcroForm"} if (number, 0) == root else {"/Annots"} if (number, 0) == page else set()
        if _content(old, allowed) != _content(new, allowed):
            yield f"object {number}"
    form = after.Root.AcroForm
    fields = list(form.Fields)
    if set(form.keys()) - _FORM_KEYS or len(fields) != 1 or not _is_invisible(fields[0]):
        yield "a form"
    old_notes, new_notes = (
        list(document.get_object(page).get("/Annots", [])) for document in (before, after)
    )
    if [_value(one) for one in new_notes] != [_value(one) for one in (*old_notes, *fields)]:
        yield "annotations"


def _is_invisible(field: Any) -> bool:
    return (
        set(field.keys()) <= _FIELD_KEYS
        and str(field.FT) == "/Sig"
        and [float(side) for side in field.Rect] == [0.0, 0.0, 0.0, 0.0]
    )


def _content(one: Any, without: set[str]) -> Any:
    """Return an object in a form that can be compared, without the given keys."""
    if isinstance(one, pikepdf.Stream):
        return one.read_raw_bytes(), _content(one.stream_dict, without)
    if isinstance(one, pikepdf.Dictionary):
        return {key: _value(value) for key, value in one.items() if key not in without}
    return _value(one, follow=True)


def _value(one: Any, *, follow: bool = False) -> Any:
    """Return a value in plain types that do not depend on how numbers are written; a reference is its object's number."""
    if not isinstance(one, pikepdf.Object):
        return float(one) if isinstance(one, int | Decimal) and not isinstance(one, bool) else one
    if one.is_indirect and not follow:
        return ("reference", one.objgen)
    if isinstance(one, pikepdf.Array):
        return [_value(member) for member in one]
    if isinstance(one, pikepdf.Dictionary):
        return {key: _value(member) for key, member in one.items()}
    return (type(one).__name__, bytes(one)) if isinstance(one, pikepdf.String) else str(one)
