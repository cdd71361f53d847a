"""What is appended to a PDF when it is signed: a signature and timestamps, and nothing that changes a page."""

from __future__ import annotations

from io import BytesIO

from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import DEFAULT_DIFF_POLICY, ModificationLevel, SuspiciousModification
from pyhanko.sign.validation.status import SignatureCoverageLevel


def only_signed(content: bytes, unsigned_bytes: int) -> bool:
    """Tell whether what lies behind the unsigned part of a PDF adds signatures or timestamps and changes nothing else.

    The difference analysis of pyHanko compares the unsigned document with the last revision, object by object, so that a
    page that was changed together with the signature is found as well.

    Args:
        content: The whole file.
        unsigned_bytes: How long the unsigned document is.
    """
    if len(content) == unsigned_bytes:
        return True
    # Compressed objects could unfold without a limit; the signatures that kycpack adds have none.
    if not content.endswith(b"%%EOF\n") or b"ObjStm" in content:
        return False
    try:
        reader = PdfFileReader(BytesIO(content))
        first = PdfFileReader(BytesIO(content[:unsigned_bytes]))
        if (
            first.xrefs.total_revisions != 1
            or not reader.embedded_signatures
            or not _covers_all(content, reader)
        ):
            return False
        result = DEFAULT_DIFF_POLICY.apply(
            reader.get_historical_resolver(0),
            reader.get_historical_resolver(reader.xrefs.total_revisions - 1),
        )
    except (PdfError, SuspiciousModification, ValueError, KeyError, IndexError, TypeError):
        return False
    return bool(result.modification_level <= ModificationLevel.FORM_FILLING)


def _covers_all(content: bytes, reader: PdfFileReader) -> bool:
    """Tell whether the last signature or timestamp covers the file to its end, with a gap for itself alone."""
    last = reader.embedded_signatures[-1]
    return bool(
        last.evaluate_signature_coverage() == SignatureCoverageLevel.ENTIRE_FILE
        and last.byte_range[0] == 0
        and sum(last.byte_range[2:4]) == len(content)
    )
