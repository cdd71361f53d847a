from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.service.pages.capture import PAPER, PHOTO, VIDEO, Upload, accept_upload, sniff


@pytest.mark.parametrize(
    ("content", "kind", "name"),
    [
        (b"\xff\xd8\xff\xe0JFIF", "image/jpeg", "x.jpg"),
        (b"\x89PNG\r\n\x1a\n", "image/png", "x.png"),
        (b"%PDF-1.7", "application/pdf", "x.pdf"),
        (b"\x00\x00\x00\x20ftypisom", "video/mp4", "x.mp4"),
        (b"\x00\x00\x00\x14ftypqt  ", "video/quicktime", "x.mov"),
        (b"\x1a\x45\xdf\xa3webm", "video/webm", "x.webm"),
    ],
)
def test_a_file_is_told_by_its_first_bytes_and_named_by_us(content: bytes, kind: str, name: str) -> None:
    assert sniff(content) == kind
    taken = accept_upload(content, (kind,))
    assert isinstance(taken, Upload)
    assert taken.file_name("x") == name


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"PK\x03\x04", b" %PDF-1.7", b"\x7fELF"],
)
def test_nothing_else_is_taken(content: bytes) -> None:
    for allowed in (PHOTO, PAPER, VIDEO):
        assert isinstance(accept_upload(content, allowed), str)


@given(st.binary(max_size=64))
def test_whatever_is_taken_was_allowed(content: bytes) -> None:
    taken = accept_upload(content, PAPER)
    assert isinstance(taken, str) or taken.content_type in PAPER
