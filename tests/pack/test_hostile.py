"""What a customer types is text in every file of a pack, and in no place where it need not be."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from tests.pack.conftest import CANARY

from kycpack.pack import PackResult, verify_pack


def report(pack: PackResult, name: str) -> Path:
    return pack.path / "data" / "report" / name


def test_the_pack_is_made_and_verifies(hostile: PackResult) -> None:
    assert verify_pack(hostile.path).ok


def test_the_page_has_the_name_as_text_and_no_script(hostile: PackResult) -> None:
    page = report(hostile, "review.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(" in page
    assert "<script" not in page
    assert "javascript:alert" not in page.replace("[x](javascript:alert(1))", "")
    assert "\u202e" not in page


def test_the_notebook_opens_to_text_and_not_to_script(hostile: PackResult) -> None:
    for cell in json.loads(report(hostile, "review.ipynb").read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            html = "".join(output["data"].get("text/html", ""))
            assert "<script" not in html
            assert "\u202e" not in html


@pytest.mark.parametrize("name", ["review.pdf", "statement.pdf"])
def test_the_documents_say_the_whole_name(hostile: PackResult, name: str) -> None:
    text = "".join("".join(page.extract_text() for page in PdfReader(report(hostile, name)).pages).split())
    for said in ("{nb}", "<script>alert('kp')</script>", "=HYPERLINK(1)", "<U+202E>gnp.exe"):
        assert said in text


def test_the_workbook_has_it_as_text(hostile: PackResult) -> None:
    with zipfile.ZipFile(BytesIO((hostile.path / "data/workbook.xlsx").read_bytes())) as book:
        sheets = "".join(book.read(name).decode() for name in book.namelist() if "worksheets" in name)
    assert "<f>" not in sheets
    assert "hyperlink" not in sheets.lower()


def test_names_of_files_tags_and_manifest_know_nothing_of_the_person(hostile: PackResult) -> None:
    assert not any(CANARY in path.name for path in hostile.path.rglob("*"))
    for name in (
        "bag-info.txt",
        "manifest-sha256.txt",
        "data/manifest.json",
        "data/figures.json",
        "data/order.json",
    ):
        assert CANARY not in (hostile.path / name).read_text(encoding="utf-8")
    assert CANARY not in repr(hostile)


@pytest.mark.parametrize("name", ["review.pdf", "statement.pdf"])
def test_what_a_document_says_of_itself_names_no_person(hostile: PackResult, name: str) -> None:
    pdf = report(hostile, name).read_bytes()
    assert b"xmpmeta" in pdf
    assert CANARY.encode() not in pdf
    assert CANARY.encode("utf-16-be") not in pdf


def test_the_statement_is_silent_on_screening_and_triage(hostile: PackResult) -> None:
    text = " ".join(page.extract_text() for page in PdfReader(report(hostile, "statement.pdf")).pages).lower()
    for word in (
        "screening",
        "pep",
        "sanction",
        "match",
        "due diligence",
        "recommend",
        "flag",
        "suspicious",
        "policy",
    ):
        assert word not in text
