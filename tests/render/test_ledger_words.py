"""What a review says of sums: the ledger of the credits, what may be counted twice, and the annex."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.render.specimen_review import inputs_of, words_of

from kycpack.evidence import Evidence
from kycpack.render import ReviewContents, build_contents, render_review_pdf
from kycpack.render.document_parts import Paragraph, Table
from kycpack.render.html_sections import section_markup
from kycpack.render.review.coverage import coverage_section
from kycpack.render.review.credit_sources import _type_words
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.money import money_of, money_sections
from kycpack.render.review.shares import NATURE_WORDS, Shares
from kycpack.wealth.judge.coverage import IRREGULAR, KNOWN, NATURES
from kycpack.wealth.judge.unexplained import SingleCredit, Unexplained

_OF_THE_PROGRAM = re.compile(
    r"\b(?:disposition|payload|frame|webhook|coverage ledger|control api)s?\b", re.IGNORECASE
)


def test_the_ledger_says_that_cashback_is_not_income(contents: ReviewContents) -> None:
    said = "Cashback is money that a shop or a card issuer returns: it is not income."
    assert said in " ".join(
        block.text for block in contents.section("coverage").blocks if isinstance(block, Paragraph)
    )


def test_a_total_that_may_be_counted_twice_is_a_range_on_page_one() -> None:
    natures = dict.fromkeys(NATURES, 0) | {KNOWN: 8_000_00}
    shares = Shares("GBP", natures, {"code": 8_000_00}, 0, 3_000_00)
    assert shares.total_words == "5,000.00 to 8,000.00 GBP"
    said = (
        "The total is a range: 3,000.00 GBP of it may be counted twice. The shares are of the larger total."
    )
    assert shares.twice_words == said
    sure = Shares("GBP", natures, {"code": 8_000_00}, 0)
    assert sure.total_words == "8,000.00 GBP"
    assert not sure.twice_words


@pytest.mark.parametrize("minor", [3_000_00, 0])
def test_both_pages_say_how_much_of_the_total_may_be_counted_twice(
    contents: ReviewContents, minor: int
) -> None:
    made = replace(contents, shares=(replace(contents.shares[0], may_be_twice_minor=minor),))
    first = PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text()
    for said in (first, render_summary_html(made)):
        assert ("3,000.00 GBP of it may be counted twice" in " ".join(said.split())) == bool(minor)


def test_the_sources_name_the_largest_single_credits_whose_nature_is_not_established(
    specimen: Evidence,
) -> None:
    single = SingleCredit("acc_main", "T1", date(2026, 3, 4), 12_345_00)
    found = Unexplained("GBP", (single,), 3, 3, ("other",))
    said = "not established: the largest of 3 are 12,345.00 GBP on 4 Mar 2026."
    inputs = inputs_of(specimen)
    money = money_of(inputs)
    for unexplained in (found, None):
        shares = (replace(money.shares[0], unexplained=unexplained),)
        made = money_sections(inputs, replace(money, shares=shares), dict(build_contents(inputs).strip))
        (streams,) = [section for section in made if section.key == "streams"]
        assert (said in words_of(streams)) == (unexplained is not None)


def test_the_ledger_names_the_evidence_of_what_is_set_aside() -> None:
    line = {"currency": "GBP", "disposition": "pending", "count": 1, "total_minor": 225_88}
    aside = [
        {
            "currency": "GBP",
            "disposition": "pending",
            "evidence_id": "E-08",
            "account_id": "A1",
            "txn_id": "T1",
            "amount_minor": 225_88,
            "kept_txn_id": None,
        }
    ]
    (listed,) = [one for one in coverage_section([line], [], aside=aside).blocks if isinstance(one, Table)]
    assert [cell.text for cell in listed.rows[0]] == [
        "Pending credits set aside",
        "1",
        "225.88 GBP",
        "set aside",
        "E-08",
    ]


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ([None], ["1 pending credit of 225.88 GBP is not booked yet, and is not counted."]),
        (["T9"], ["1 pending credit of 225.88 GBP is also in the data as booked, and is counted once."]),
        (
            ["T9", None, None],
            [
                "1 pending credit of 225.88 GBP is also in the data as booked, and is counted once.",
                "2 pending credits of 451.76 GBP are not booked yet, and are not counted.",
            ],
        ),
    ],
)
def test_the_ledger_says_whether_a_pending_credit_is_also_counted_as_booked(
    kept: list[str | None], said: list[str]
) -> None:
    line = {
        "currency": "GBP",
        "disposition": "pending",
        "count": len(kept),
        "total_minor": 225_88 * len(kept),
    }
    aside = [
        {
            "currency": "GBP",
            "disposition": "pending",
            "evidence_id": "E-08",
            "account_id": "A1",
            "txn_id": f"T{place}",
            "amount_minor": 225_88,
            "kept_txn_id": twin,
        }
        for place, twin in enumerate(kept)
    ]
    blocks = coverage_section([line], [], aside=aside).blocks
    assert [one.text for one in blocks if isinstance(one, Paragraph) and "pending credit" in one.text] == said


def test_the_ledger_says_how_much_of_it_may_be_counted_twice() -> None:
    base = {"currency": "GBP", "disposition": "stream", "evidence_id": "E-07", "nature": KNOWN}
    base |= {"amount_minor": 300_00, "most_minor": 300_00}
    rows = [
        {**base, "least_minor": 300_00, "may_be_twice_minor": 0},
        {**base, "least_minor": 0, "may_be_twice_minor": 300_00},
    ]
    line = {"currency": "GBP", "disposition": "stream", "count": 2, "total_minor": 600_00}
    said = " ".join(getattr(block, "text", "") for block in coverage_section([line], rows).blocks)
    assert "These sums include 1 credit that may be counted twice: 300.00 GBP." in said
    moved = [{**row, "disposition": "own_transfer"} for row in rows]
    own = " ".join(getattr(block, "text", "") for block in coverage_section([line], moved).blocks)
    assert "counted twice: 300.00 GBP, of which 300.00 GBP is own transfers." in own
    sure = coverage_section([line], [{**row, "may_be_twice_minor": 0} for row in rows])
    assert "twice" not in " ".join(getattr(block, "text", "") for block in sure.blocks)


def test_the_annex_answers_yes_or_no_only_to_a_question(contents: ReviewContents) -> None:
    answers = [
        (row[place].text, row[place + 1].text)
        for block in contents.section("clear").blocks
        if isinstance(block, Table)
        for row in block.rows
        for place in range(0, len(row), 2)
    ]
    yes_or_no = [title for title, said in answers if said.partition(":")[0] in {"yes", "no"}]
    assert yes_or_no
    assert [title for title in yes_or_no if "Whether" not in title] == []


def test_no_section_speaks_of_the_program_where_a_compliance_officer_reads(contents: ReviewContents) -> None:
    said = [
        (one.key, word) for one in contents.sections for word in _OF_THE_PROGRAM.findall(section_markup(one))
    ]
    assert said == []
    assert contents.section("coverage").title == "How each credit was counted"
    results = section_markup(contents.section("results")) + section_markup(contents.section("screening"))
    assert "the service" not in results


def test_a_transfer_from_a_person_has_one_name_on_page_one_and_in_the_tables() -> None:
    row = {"type": "person_transfer", "evidence_level": "keyword"}
    assert _type_words(row) == "Transfers from persons, nature not established"
    assert _type_words(row | {"type": "employment"}) == "Employment (words in the payment text)"
    assert NATURE_WORDS[IRREGULAR] == "irregular, nature not established"
