"""The statement can be shown to the customer: complete, archivable, and silent on what must not be told."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any

import pandas as pd
import pikepdf
import pytest
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from kycpack.errors import RenderError
from kycpack.models.json import parse_json
from kycpack.models.money import ROUNDING
from kycpack.models.wealth import SourceOfWealth
from kycpack.render import embedded_fonts, render_statement_absent_pdf, render_statement_pdf
from kycpack.render.statement_pdf import _FOR_WHOM, statement_sections
from kycpack.render.typefaces import Face
from kycpack.wealth import derive
from kycpack.wealth.judge.support import MAIN_SOURCE_CHOICE, MAIN_SOURCE_RULE, marks_of


def statement(**changes: Any) -> SourceOfWealth:
    document = {
        "customer": {"firstName": "Zofia", "lastName": "Łaska", "city": "Bristol"},
        "accounts": [
            {
                "account": {"bankName": "Harbour Bank", "accountNumber": "****4471", "currency": "GBP"},
                "currentBalance": Decimal("6120.44"),
                "dataAvailability": {"balanceAvailable": True, "transactionsAvailable": True},
            }
        ],
        "primarySource": {
            "description": "17 credits from Severn Marine, monthly",
            "amount": Decimal("3226.79"),
            "frequency": 17,
            "totalValue": Decimal("54855.35"),
            "type": "employment",
            "context": "Base currency GBP",
        },
        "additionalSources": [],
        "generatedAt": "2026-06-30T08:00:30Z",
    }
    return SourceOfWealth.read(document | changes)


_FURTHER = {
    "description": "6 credits from Meridian Savings, quarterly",
    "amount": Decimal("37.68"),
    "frequency": 6,
    "totalValue": Decimal("226.08"),
    "type": "interest",
}


def test_a_total_that_is_not_sure_is_a_range_in_the_box_of_the_main_source_and_in_the_table() -> None:
    made = statement(additionalSources=[_FURTHER])
    ranges = ((Decimal("27427.68"), Decimal("54855.35")), (Decimal("113.04"), Decimal("226.08")))
    text = text_of(render_statement_pdf(made, currencies=("GBP", "GBP"), totals=ranges))
    assert "27,427.68 to 54,855.35 GBP" in text
    assert "113.04 to 226.08" in text
    sure = tuple((most, most) for _, most in ranges)
    text = text_of(render_statement_pdf(made, currencies=("GBP", "GBP"), totals=sure))
    assert "54,855.35 GBP" in text
    assert " to 54,855.35" not in text
    assert "as paid" not in text


def test_a_number_of_payments_that_is_not_sure_is_a_range_wherever_it_stands() -> None:
    made = statement(additionalSources=[_FURTHER])
    text = text_of(render_statement_pdf(made, currencies=("GBP", "GBP"), counts=((9, 18), (5, 6))))
    assert "9 to 18" in text
    assert "Interest 5 to 6 GBP" in text
    assert "the average amount is that of all payments" in text.casefold()
    sure = text_of(render_statement_pdf(made, currencies=("GBP", "GBP"), counts=((18, 18), (6, 6))))
    assert "is a range" not in sure


def test_the_rule_of_the_main_source_stands_once_and_says_what_regular_means() -> None:
    with_main = text_of(render_statement_pdf(statement()))
    assert with_main.count(MAIN_SOURCE_RULE) == 1
    assert "regular, such as every week" in with_main
    none = statement(
        primarySource=None, context=f"{MAIN_SOURCE_RULE} Observed, but ceased: pension 1.00 GBP."
    )
    assert text_of(render_statement_pdf(none)).count(MAIN_SOURCE_RULE) == 1


def test_the_statement_says_how_the_main_source_is_chosen_and_how_averages_are_rounded() -> None:
    text = text_of(render_statement_pdf(statement()))
    assert MAIN_SOURCE_CHOICE in text
    assert ROUNDING in text


def test_money_that_shows_no_source_is_not_listed_as_a_source() -> None:
    cash = statement(additionalSources=[_FURTHER, _FURTHER | {"type": "cash_deposit"}])
    text = text_of(render_statement_pdf(cash))
    said = "only because they came in: they show no source of wealth."
    assert said in text
    assert said not in text_of(render_statement_pdf(statement(additionalSources=[_FURTHER])))


@pytest.mark.parametrize("kind", ["interest", "cash_deposit"])
def test_the_heading_of_the_list_says_only_whether_there_is_a_main_source(kind: str) -> None:
    """What is in the list does not change it: interest is under the same heading beside cash and alone."""
    made = statement(additionalSources=[_FURTHER, _FURTHER | {"type": kind}])
    titles = [
        statement_sections(one)[1].title for one in (made, made.model_copy(update={"primary_source": None}))
    ]
    assert titles == ["Other money observed", "Money observed"]


def test_a_source_that_only_words_support_is_marked_and_not_listed_as_a_source() -> None:
    marks = marks_of(
        pd.DataFrame({"type": ["employment", "interest", "pension"], "support": ["proven", "words", "proven"], "doubtful": False, "held_by": ""}),
        0,
    )  # fmt: skip
    two = statement(additionalSources=[_FURTHER, _FURTHER | {"type": "pension"}])
    text = " ".join(text_of(render_statement_pdf(two, marks=marks)).split())
    assert text.count("not established from the data") == 1


@pytest.mark.parametrize("further", range(8, 24))
def test_no_single_note_is_left_on_a_page_of_its_own(further: int) -> None:
    pdf = render_statement_pdf(statement(additionalSources=[_FURTHER] * further))
    *_, last = PdfReader(BytesIO(pdf)).pages
    words = " ".join(last.extract_text().split())
    assert "How to read this statement" in words
    assert MAIN_SOURCE_RULE in words
    assert "Accounts Bank Account holder" in words


def test_the_statement_says_what_is_in_no_source() -> None:
    what = "In none of the listed sources: cash deposits 1,540.00 GBP."
    assert what in text_of(render_statement_pdf(statement(), unlisted=what))


def test_what_was_taken_back_is_not_in_the_total_and_the_sum_as_paid_stands_beside_it() -> None:
    made = statement(additionalSources=[_FURTHER])
    net = ((Decimal("54355.35"), Decimal("54355.35")), (Decimal("100.08"), Decimal("200.08")))
    text = text_of(render_statement_pdf(made, currencies=("GBP", "GBP"), totals=net))
    assert "54,355.35 GBP; as paid 54,855.35 GBP" in text
    assert "100.08 to 200.08; as paid 226.08" in text


def test_every_statement_says_in_the_same_words_for_whom_it_is_made() -> None:
    assert _FOR_WHOM in text_of(render_statement_pdf(statement()))
    assert _FOR_WHOM in text_of(render_statement_pdf(statement(primarySource=None)))
    absent = render_statement_absent_pdf("No bank data was given.", as_of=datetime(2026, 1, 5, tzinfo=UTC))
    assert _FOR_WHOM in text_of(absent)


def test_the_notes_are_not_sent_to_a_second_page_for_which_the_first_has_room() -> None:
    pdf = render_statement_pdf(statement(additionalSources=[_FURTHER] * 14))
    assert len(PdfReader(BytesIO(pdf)).pages) == 1


def text_of(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages).split())


def test_without_a_further_source_it_does_not_say_that_nothing_else_came_in() -> None:
    text = text_of(render_statement_pdf(statement()))
    assert "No further source could be established." in text
    assert "were observed" not in text


def test_it_says_whose_it_is_and_what_was_observed() -> None:
    text = text_of(render_statement_pdf(statement(), reference="cus_1"))
    for said in (
        "Zofia Łaska",
        "Bristol",
        "Employment",
        "54,855.35",
        "17",
        "****4471",
        "cus_1",
        "Page 1 of 1",
    ):
        assert said in text
    assert "not a statement of net worth" in text


def test_the_same_statement_gives_the_same_bytes() -> None:
    assert render_statement_pdf(statement()) == render_statement_pdf(statement())


def test_it_carries_its_own_data() -> None:
    with pikepdf.open(BytesIO(render_statement_pdf(statement()))) as pdf:
        attached = pdf.attachments["statement.json"].get_file().read_bytes()
    assert parse_json(attached)["primarySource"]["totalValue"] == Decimal("54855.35")


def test_it_has_what_pdf_a_3u_asks_of_its_structure() -> None:
    with pikepdf.open(BytesIO(render_statement_pdf(statement()))) as pdf:
        metadata = pdf.open_metadata()
        assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "U")
        assert pdf.Root.OutputIntents[0].S == "/GTS_PDFA1"
        assert pdf.Root.AF[0].AFRelationship == "/Data"
        assert "/Encrypt" not in pdf.trailer
        for page in pdf.pages:
            for font in page.Resources.Font.values():
                assert font.DescendantFonts[0].FontDescriptor.get("/FontFile2") is not None
                assert font.ToUnicode is not None
        assert "/JavaScript" not in pdf.Root.get("/Names", {})


def test_an_alias_a_tag_and_a_formula_in_a_name_are_only_text() -> None:
    hostile = {
        "firstName": "{nb} **bold**",
        "lastName": "<script>alert(1)</script> =1+1 \u202edeifirev",
        "city": None,
    }
    text = text_of(render_statement_pdf(statement(customer=hostile)))
    for said in ("{nb}", "**bold**", "<script>alert(1)</script>", "=1+1", "<U+202E>deifirev", "Not given"):
        assert said in text


def test_a_name_in_arabic_is_set_with_joined_letters_and_can_be_searched() -> None:
    text = text_of(render_statement_pdf(statement(customer={"firstName": "محمد", "lastName": "Ковалёва"})))
    assert "Ковалёва" in text
    assert any("\u0600" <= character <= "\u06ff" or "\ufe70" <= character <= "\ufeff" for character in text)


@pytest.mark.parametrize("name", ["अग्रवालिया", "किरण सिंह", "สมชาย ใจดี"])
def test_a_name_whose_signs_stand_before_their_letters_is_copied_as_it_is_written(name: str) -> None:
    pdf = render_statement_pdf(statement(customer={"firstName": name, "lastName": "Smith"}))
    with PdfDocument(pdf) as document:
        assert name in document[0].get_textpage().get_text_range()


def test_many_sources_go_over_several_pages_under_a_repeated_head() -> None:
    source = {
        "description": "credits " * 30,
        "amount": 1,
        "frequency": 1,
        "totalValue": 1,
        "type": "new_kind",
    }
    pdf = render_statement_pdf(statement(additionalSources=[source] * 60))
    pages = [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]
    assert len(pages) > 2
    assert all("Total observed" in page for page in pages if "new_kind" in page)
    assert sum(page.count("new_kind") for page in pages) == 60
    assert "Prepared" not in pages[0]


def test_nothing_to_state_is_said_on_a_page_of_its_own() -> None:
    as_of = datetime(2026, 6, 30, 12, tzinfo=UTC)
    text = text_of(
        render_statement_absent_pdf(
            "No bank account was linked.", as_of=as_of, name="Zofia Łaska", reference="cus_1"
        )
    )
    assert "Zofia Łaska" in text
    assert "30 Jun 2026, 12:00 UTC" in text
    assert "As of 30 Jun 2026, 12:00 UTC · Reference cus_1" in text
    assert "Prepared" not in text  # the evidence may have been asked for later
    assert "No statement can be made" in text
    assert "No bank account was linked." in text


def test_a_statement_without_a_date_is_refused() -> None:
    with pytest.raises(RenderError, match="generatedAt"):
        render_statement_pdf(statement(generatedAt="yesterday"))


@pytest.mark.parametrize("number", ["****4471", "****9020", None])
def test_an_account_that_seems_to_be_listed_twice_is_said_to_be(number: str | None) -> None:
    def account(number: str | None) -> dict[str, Any]:
        return {
            "account": {"bankName": "Harbour Bank", "accountNumber": number, "currency": "GBP"},
            "currentBalance": Decimal("6120.44"),
            "dataAvailability": {"balanceAvailable": True, "transactionsAvailable": True},
        }

    accounts = [account("****4471" if number else None), account(number)]
    made = render_statement_pdf(statement(accounts=accounts))
    assert ("may be one account that was linked twice" in text_of(made)) == (number == "****4471")


def test_each_amount_stands_beside_its_currency() -> None:
    source = {"description": "Galerie", "amount": 10, "frequency": 2, "totalValue": 20, "type": "pension"}
    text = text_of(render_statement_pdf(statement(additionalSources=[source]), currencies=("GBP", "EUR")))
    assert "54,855.35 GBP" in text
    assert "2 EUR 10.00 20.00" in text
    assert "2 10.00 20.00" in text_of(render_statement_pdf(statement(additionalSources=[source])))


def test_an_amount_has_the_decimals_of_its_currency() -> None:
    source = {
        "description": "Nenkin",
        "amount": 82977,
        "frequency": 10,
        "totalValue": 829772,
        "type": "pension",
    }
    text = text_of(render_statement_pdf(statement(additionalSources=[source]), currencies=("GBP", "JPY")))
    assert "10 JPY 82,977 829,772" in text


@pytest.mark.parametrize(
    "city", ["K\u00f6ln \u2013 \u20ac", "\u0141\u00f3d\u017a \u2206 \u03bc", "\u5317\u4eac"]
)
def test_parsing_a_face_once_embeds_the_same(city: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = statement(customer={"firstName": "Ana", "lastName": "Laska", "city": city})
    parsed_once = render_statement_pdf(made, reference="cus_1")
    monkeypatch.setattr(embedded_fonts, "_PARSED_ONCE", embedded_fonts._PARSED_ONCE - {Face.HAN})
    assert render_statement_pdf(made, reference="cus_1") == parsed_once


def embedded(pdf: bytes) -> dict[str, bytes]:
    """Return the file of each face that a document embeds."""
    with pikepdf.Pdf.open(BytesIO(pdf)) as document:
        fonts: Any = document.pages[0].Resources.Font
        described = [font.DescendantFonts[0].FontDescriptor for _, font in fonts.items()]
        return {str(one.FontName): one.FontFile2.read_bytes() for one in described}


def test_documents_share_the_basic_part_of_a_face_and_add_other_characters_to_it() -> None:
    first, second, other = (
        render_statement_pdf(statement(customer={"firstName": "Ana", "lastName": name, "city": "Ely"}))
        for name in ("Laska", "Quibb", "\u0141aska [x]")
    )
    assert embedded(first) == embedded(second)
    shared = {name for name, file in embedded(first).items() if embedded(other)[name] == file}
    assert 0 < len(shared) < len(embedded(first))
    assert all(len(file) >= len(embedded(first)[name]) for name, file in embedded(other).items())
    assert "Ana Quibb" in text_of(second)
    assert "Ana \u0141aska [x]" in text_of(other)


@pytest.mark.parametrize(
    ("context", "said"),
    [
        ("Cash was seen.", "No main source can be stated. Cash was seen."),
        (None, "No main source can be stated: no source was observed."),
    ],
)
def test_without_a_main_source_it_says_that_none_can_be_stated_and_why(
    context: str | None, said: str
) -> None:
    more = {} if context is None else {"context": context}
    assert said in text_of(render_statement_pdf(statement(primarySource=None, **more)))


def test_it_does_not_doubt_payments_of_two_links_that_are_counted_once() -> None:
    once = pd.DataFrame(
        {
            "customer_id": "C1", "account_id": "A1", "txn_id": [f"T{month}" for month in range(1, 13)],
            "booked_on": [f"2025-{month:02d}-28" for month in range(1, 13)], "amount_minor": 200_000, "currency": "GBP",
            "description_raw": "TESCO STORES SALARY",
        }
    )  # fmt: skip
    again = once.assign(account_id="A2", txn_id="R" + once["txn_id"])
    accounts = pd.DataFrame(
        {"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": "11112222", "sort_code": "010203"}
    )
    wealth = derive(pd.concat([once, again], ignore_index=True), accounts=accounts, as_of="2025-12-31")
    text = text_of(render_statement_pdf(wealth.statement("C1")))
    assert (
        "are two links to one account: 12 credits of 24,000.00 GBP in all, which both list, are counted once."
        in text
    )
    assert "may be one account that was linked twice: its balance is then listed twice." in text
    assert "may then be counted twice" not in text
