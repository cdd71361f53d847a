"""A name in another script has its Latin form beside it on page one, from the document and never of our own making."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker
from tests.render.specimen_review import AS_OF, contents_of
from tests.triage.test_evaluate import changed

from kycpack.evidence import Evidence
from kycpack.pack import build_review
from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.review.html import render_summary_html

NONE = "No Latin form in the evidence"
ZONE = "P<UKRKOVALENKO<<OKSANA<<<<<<<<<<<<<<<<<<<<<<<"[:44].ljust(44, "<")


def review(name: tuple[str, str], holder: Any, *accounts: str, more: Any = None) -> ReviewContents:
    return contents_of(evidence_of(name, holder, *accounts, more=more))


def evidence_of(name: tuple[str, str], holder: Any, *accounts: str, more: Any = None) -> Evidence:
    made = EvidenceMaker()
    made.answer("customers.get", {**RECORD, "firstName": name[0], "lastName": name[1]})
    if holder is not None:
        named = {"firstName": holder[0], "lastName": holder[1]}
        results = changed("document.holder", {**RESULTS["document"]["holder"], **named})
        made.session({**results, "document": {**results["document"], **(more or {})}})
    listed = [{"id": f"A-{at}", "accountHolderName": one} for at, one in enumerate(accounts)]
    made.answer("bank_accounts.list", {"items": listed})
    made.known()
    return made.make()


def said(contents: ReviewContents) -> str:
    assert contents.latin_name is not None
    return contents.latin_name.text


OKSANA = ("Оксана", "Коваленко")


@pytest.mark.parametrize(
    ("name", "holder"),
    [
        (OKSANA, ("OKSANA", "KOVALENKO")),
        (("小梅", "欧阳"), ("XIAOMEI", "OUYANG")),
        (("राजेश", "शर्मा"), ("RAJESH", "SHARMA")),
        (("مريم", "الخطيب"), ("MARYAM", "AL-KHATIB")),
    ],
)
def test_the_latin_form_of_the_document_stands_beside_the_name(name: Any, holder: Any) -> None:
    contents = review(name, holder)
    expected = f"{' '.join(holder)}, on the document (E-03)"
    assert said(contents) == expected
    page = PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text()
    assert f"Latin form: {expected}" in " ".join(page.split())
    assert "Latin form" in render_summary_html(contents)


@pytest.mark.parametrize("is_known", [True, False])
def test_the_statement_has_the_latin_form_too_without_ids_that_its_reader_does_not_have(
    *, is_known: bool
) -> None:
    holder = ("OKSANA", "KOVALENKO") if is_known else None
    made = build_review(evidence_of(OKSANA, holder, "Oksana Kovalenko"), as_of=AS_OF)
    text = PdfReader(BytesIO(made.statement_pdf())).pages[0].extract_text()
    assert ("OKSANA KOVALENKO, on the document" in " ".join(text.split())) == is_known
    assert "E-0" not in text


def test_the_machine_readable_zone_has_one_where_the_document_is_read_in_its_own_script() -> None:
    contents = review(OKSANA, OKSANA, more={"mrz": {"line1": ZONE}})
    assert said(contents) == "OKSANA KOVALENKO, in the machine-readable zone (E-03)"


def test_a_transliteration_that_the_document_gives_is_one() -> None:
    contents = review(OKSANA, OKSANA, more={"latin": {"fullName": "Oksana Kovalenko"}})
    assert said(contents) == "Oksana Kovalenko, on the document (E-03)"


def test_where_there_is_none_the_page_says_so() -> None:
    for contents in (review(OKSANA, None), review(OKSANA, OKSANA)):
        assert said(contents) == NONE
        assert NONE in render_summary_html(contents)


def test_the_form_of_a_bank_is_named_as_such() -> None:
    assert said(review(OKSANA, None, "Oksana Kovalenko")) == (
        f"{NONE} of record and document; “Oksana Kovalenko” on the bank account A1 (E-02)"
    )


def test_the_form_of_a_bank_is_that_of_every_account_with_this_name() -> None:
    assert said(review(OKSANA, None, "Oksana Kovalenko", "Oksana Kovalenko", "Alice Oakenshaw")) == (
        f"{NONE} of record and document; “Oksana Kovalenko” on the bank accounts A1 and A2 (E-02)"
    )


def test_the_name_of_somebody_else_is_no_latin_form() -> None:
    assert (
        said(review(OKSANA, ("MAREK", "UNDERHILL"), "Alice Oakenshaw"))
        == f"{NONE} that agrees with this name"
    )


@pytest.mark.parametrize("name", [("Ada", "Byron"), ("Zdeněk", "Říhánek"), ("<b>", "1"), ("", "")])
def test_a_name_in_latin_letters_needs_none(name: Any) -> None:
    assert review(name, ("Ada", "Byron")).latin_name is None


def test_nor_does_a_record_that_gives_both() -> None:
    assert review(("Оксана Коваленко", "(Oksana Kovalenko)"), OKSANA).latin_name is None
