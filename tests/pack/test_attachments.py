from __future__ import annotations

import zlib

import pytest

from kycpack.pack.verify import _attachments


def _ending_with(last: int) -> bytes:
    # The last byte of a zlib stream is the low byte of one more than the sum of what it holds.
    documents = (b"figures " + bytes([first, second]) for first in range(256) for second in range(256))
    return next(document for document in documents if zlib.compress(document)[-1] == last)


@pytest.mark.parametrize("last", [0x0A, 0x0D, 0x20])
def test_what_is_attached_is_found_whatever_byte_its_compressed_form_ends_with(last: int) -> None:
    document = _ending_with(last)
    pdf = b"<< /Length 1 >>\nstream\n" + zlib.compress(document) + b"\nendstream\n"
    assert list(_attachments(pdf)) == [document]
