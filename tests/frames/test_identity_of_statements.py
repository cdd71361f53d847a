"""Statements of a person or payment that is provably another: left out and named, while what may be the customer's stays."""

from __future__ import annotations

from typing import Any

import pytest
from fpdf import FPDF
from tests.frames.evidence_maker import RECORD, EvidenceMaker
from tests.frames.identity_answers import ACCOUNT, STATEMENT, read, wrong

from kycpack.frames import flatten

OTHERS = {"firstName": "Kwame", "lastName": "Nkosi", "city": "Accra"}
OTHER_ACCOUNT = [{"account": {**ACCOUNT, "accountNumber": "****8765", "sortCode": "**-**-99"}}]


@pytest.mark.parametrize(
    ("changed", "stays"),
    [
        ({}, True),
        ({"customer": OTHERS}, True),
        ({"accounts": OTHER_ACCOUNT}, True),
        ({"customer": OTHERS, "accounts": OTHER_ACCOUNT}, False),
        ({"customer": OTHERS, "accounts": [*OTHER_ACCOUNT, *STATEMENT["accounts"]]}, True),  # type: ignore[misc]
        ({"customer": OTHERS, "accounts": []}, True),
    ],
)
def test_a_statement_of_another_person(changed: dict[str, Any], *, stays: bool) -> None:
    frames = read(("source_of_wealth.get", {**STATEMENT, **changed}, {"format": "json"}))
    assert len(frames.statements) == len(frames.sources) == stays
    assert len(wrong(frames)) == (not stays)


@pytest.mark.parametrize(("said", "stays"), [("50.00", True), ("50", True), ("60.00", False), (None, True)])
def test_a_statement_of_another_payment(said: str | None, *, stays: bool) -> None:
    subject = {"payment_id": "p1"}
    frames = read(
        ("payments.get", {"id": "p1", "amount": "50.00", "currency": "GBP"}, subject),
        ("source_of_wealth.get", {**STATEMENT, "paymentAmount": said}, {"format": "json", **subject}),
    )
    assert len(frames.statements) == stays
    assert len(wrong(frames)) == (not stays)


@pytest.mark.parametrize(
    ("statement", "payment", "stays"),
    [("m-1", "m-1", True), ("m-2", "m-1", False), (None, "m-1", True), ("m-2", None, True)],
)
def test_a_payments_statement_names_the_payments_merchant(
    statement: str | None, payment: str | None, *, stays: bool
) -> None:
    frames = read(
        ("payments.get", {"id": "p1", "amount": "10.00", "merchantId": payment}, {"payment_id": "p1"}),
        (
            "source_of_wealth.get",
            {**STATEMENT, "merchantId": statement},
            {"format": "json", "payment_id": "p1"},
        ),
    )
    assert len(frames.statements) == stays
    assert len(wrong(frames)) == (not stays)


def pdf_of(*lines: str, after: tuple[str, ...] = ()) -> bytes:
    """A PDF with some lines on its first page, and others on its second."""
    document = FPDF()
    document.set_font("helvetica", size=12)
    for page in (lines, after):
        document.add_page()
        for line in page:
            document.cell(text=line, new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


def without_second_page(pdf: bytes) -> bytes:
    """The same PDF, whose list of pages names something else as its second page."""
    pages = b"/Kids [3 0 R\n5 0 R]"
    assert pdf.count(pages) == 1
    return pdf.replace(pages, b"/Kids [3 0 R\n1 0 R]")


@pytest.mark.parametrize(
    ("pdf", "stays"),
    [
        (pdf_of("Source of wealth", "Kwame Nkosi", "Rent 1,250.00 GBP"), False),
        (pdf_of("Source of wealth", "Ada Byron", "Rent 1,250.00 GBP"), True),  # one fact alone
        (pdf_of("Source of wealth", "Kwame Nkosi", "Pay 10.00 GBP"), True),
        (pdf_of("Source of wealth", "Kwame Nkosi", "Rent 1,250.00", after=("Ada Byron",)), True),
        (pdf_of("Source of wealth", "Kwame Nkosi", "Rent 1,250.00", after=("Pay 10.00",)), True),
        (pdf_of("Source of wealth", "Kwame Nkosi", after=("Rent 1,250.00 GBP",)), False),
        (without_second_page(pdf_of("Source of wealth", "Kwame Nkosi", "Rent 1,250.00")), True),
        (pdf_of("Source of wealth"), True),
        (b"%PDF-1.7 nothing that can be read", True),
    ],
)
def test_a_pdf_of_another_persons_statement(pdf: bytes, *, stays: bool) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("source_of_wealth.get", STATEMENT, format="json")
    made.answer("source_of_wealth.get", pdf, content_type="application/pdf", format="pdf")
    frames = flatten(made.make())
    assert frames.statements["format"].tolist() == (["json", "pdf"] if stays else ["json"])
    assert len(wrong(frames)) == (not stays)
