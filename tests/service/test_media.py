"""Generated media: evidently specimens, the same each time, and whatever the text."""

from __future__ import annotations

import io

import pytest
from fpdf.output import OutputProducer
from PIL import Image
from pypdf import PdfReader
from tests.service.signed import Caller, finish, new_customer, new_session, ok

from kycpack.render import embedded_fonts
from kycpack.render.typefaces import Face
from kycpack.service import specimens
from kycpack.service.specimens import draw_document, draw_portrait, draw_portrait_video, draw_proof_of_address

HOSTILE = [
    "<script>alert(1)</script>",
    "{nb}",
    "\u202eabc",
    "a\nb\tc",
    "\u5f20\u4f1f",
    "\u0639\u0644\u064a",
    "x" * 500,
    "",
]
RED = (190, 40, 46)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_document_is_an_image_for_any_text(text: str) -> None:
    drawn = draw_document({"firstName": text, "lastName": text, "documentType": text})
    with Image.open(io.BytesIO(drawn)) as image:
        assert image.format == "PNG"
        assert image.size == (856, 540)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_proof_of_address_is_a_pdf_for_any_text(text: str) -> None:
    page = PdfReader(io.BytesIO(draw_proof_of_address({"name": text, "city": text}))).pages[0]
    assert page.extract_text().count("SPECIMEN - NOT A REAL DOCUMENT") == 2


def test_letters_of_any_script_are_drawn_and_none_is_named_in_a_log(caplog: pytest.LogCaptureFixture) -> None:
    assert draw_document({"lastName": "\u6b27"}) != draw_document({"lastName": "\u9633"})
    page = PdfReader(io.BytesIO(draw_proof_of_address({"name": "\u6b27\u9633 Ann \U000f0000"}))).pages[0]
    text = page.extract_text().replace("\x00", "")  # the reader shows halves of two-byte codes
    assert "\u6b27\u9633 Ann" in text
    assert "<U+F0000>" in text
    assert not caplog.records


@pytest.mark.parametrize("drawn", [draw_document, draw_portrait, draw_portrait_video, draw_proof_of_address])
def test_what_is_drawn_is_the_same_each_time(drawn: object) -> None:
    assert callable(drawn)
    assert drawn({"name": "Ada"}) == drawn({"name": "Ada"})


def test_each_person_has_a_portrait_of_their_own_without_a_name() -> None:
    """Packs of several customers would otherwise hold one and the same picture."""
    assert len({draw_portrait({"seed": seed}) for seed in "abcdefghijkl"}) == 12
    assert draw_portrait({"seed": "a", "name": "Ada"}) == draw_portrait({"seed": "a", "name": "Bob"})
    assert draw_portrait_video({"seed": "a"}) != draw_portrait_video({"seed": "b"})


@pytest.mark.parametrize(
    "name", ["Ada", "\u0141ukasz", "\u6b27\u9633 Ann", "\u0411\u043e\u0440\u0438\u0441", "\u0639\u0644\u064a"]
)
def test_a_proof_of_address_reads_the_same_as_when_its_faces_are_cut_down_whole(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = {"name": name, "city": "Exampleton", "country": "GB"}
    read = PdfReader(io.BytesIO(draw_proof_of_address(shown))).pages[0].extract_text()
    assert "Exampleton" in read
    assert read.count("SPECIMEN - NOT A REAL DOCUMENT") == 2
    monkeypatch.setattr(embedded_fonts, "_PARSED_ONCE", embedded_fonts._PARSED_ONCE - {Face.HAN})
    monkeypatch.setattr(specimens, "FaceWriter", OutputProducer)
    assert PdfReader(io.BytesIO(draw_proof_of_address(shown))).pages[0].extract_text() == read


@pytest.mark.parametrize("drawn", [draw_document, draw_portrait])
def test_an_image_is_marked_in_red(drawn: object) -> None:
    assert callable(drawn)
    with Image.open(io.BytesIO(drawn({}))) as image:
        marked = sum(
            red > 150 and green < 110 and blue < 110
            for red, green, blue in image.convert("RGB").get_flattened_data()
        )
    assert marked > 1000


@pytest.mark.parametrize("enhanced", [True, False])
def test_enhanced_identity_leaves_a_video(call: Caller, *, enhanced: bool) -> None:
    options = {"identity": {"enhancedIdentityCheck": enhanced}}
    session = new_session(call, new_customer(call), options=options)
    finish(call, session)
    items = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"]
    videos = [item for item in items if item["type"] == "portrait_video"]
    assert len(videos) == enhanced
    for item in videos:
        answer = call.plain("GET", item["downloadUrl"].removeprefix(call.base_url))
        assert answer.headers["content-type"] == item["contentType"] == "video/webm"
        assert answer.content.startswith(b"\x1a\x45\xdf\xa3")
        assert b"V_VP8" in answer.content
