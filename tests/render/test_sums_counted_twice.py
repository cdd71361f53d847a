"""A sum of credits that may be counted twice is a range wherever it is printed, never its upper end as a fact."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import RECORD, EvidenceMaker
from tests.render.specimen_review import inputs_of
from tests.triage.test_money_questions import BENEFIT, MONTHS, PAY

from kycpack.evidence import Evidence
from kycpack.models.money import format_minor
from kycpack.render import ReviewContents, ReviewInputs, build_contents, render_review_pdf
from kycpack.render.document_parts import Facts, Figure, Paragraph, Section, Table
from kycpack.render.plots import plot_credits
from kycpack.render.review.cover import cover_lines
from kycpack.render.review.html import render_summary_html
from kycpack.render.statement_pdf import statement_sections
from kycpack.wealth.judge.coverage import with_nature

AS_OF = dt.datetime(2026, 6, 1, 12, tzinfo=dt.UTC)
PAID = (
    *PAY,
    *BENEFIT,
    *((day, "CASH DEPOSIT", "413.00") for day in MONTHS[::2]),
    *((day, "KITTERINGHAM RENT", "771.00") for day in MONTHS),
    ("2025-09-09", "K FERRANT", "11003.17"),
    ("2025-10-10", "QUORNDON 77/2", "12007.31"),
    ("2025-11-11", "TRF 8812", "31.07"),
    ("2025-12-12", "REFUND HARLOW OUTDOORS", "195.43"),
    ("2026-01-13", "TRANSFER FROM SAVINGS MS A BYRON", "640.21"),
    ("2026-03-30", "INTEREST PAID", "3001.77"),
)
SPENT = (("2025-12-02", "CARD PAYMENT HARLOW OUTDOORS", "195.43"),)
SAVED = (("2026-01-13", "TRANSFER TO CURRENT ACCOUNT MS A BYRON", "640.21"),)
GROUPED = ("disposition", "type", "nature", "payer", "month")


def items(paid: tuple[tuple[str, str, str], ...], direction: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{direction}-{number}",
            "bookingDate": day,
            "amount": amount,
            "creditDebitIndicator": direction,
            "currency": "GBP",
            "description": text,
        }
        for number, (day, text, amount) in enumerate(sorted(paid))
    ]


def linked_twice() -> Evidence:
    """Return evidence of an account, of one that may be a second link to it, and of savings."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    numbers = {"a0": "****4411", "a1": "XXXX4411", "a2": "****9922"}
    accounts = [
        {"id": id_, "currency": "GBP", "accountHolderName": "MS A BYRON", "accountNumber": number, "tokenExpiry": "2026-08-01T00:00:00Z"}
        for id_, number in numbers.items()
    ]  # fmt: skip
    made.answer("bank_accounts.list", {"items": accounts})
    for id_ in numbers:
        mine = items(SAVED, "Debit") if id_ == "a2" else [*items(PAID, "Credit"), *items(SPENT, "Debit")]
        made.answer("bank_accounts.transactions", {"items": mine}, account_id=id_)
    made.answer(
        "source_of_wealth.get",
        {
            "customerId": RECORD["id"],
            "customer": {"firstName": "Ada", "lastName": "Byron"},
            "accounts": [],
            "generatedAt": "2026-06-01T11:00:00Z",
            "primarySource": {
                "description": "Pay",
                "type": "employment",
                "amount": "2000.00",
                "frequency": 24,
                "totalValue": "48000.00",
            },
            "additionalSources": [],
        },
    )
    made.known()
    return made.make()


@pytest.fixture(scope="module")
def inputs() -> ReviewInputs:
    return inputs_of(linked_twice(), AS_OF)


@pytest.fixture(scope="module")
def contents(inputs: ReviewInputs) -> ReviewContents:
    return build_contents(inputs)


def upper_ends(inputs: ReviewInputs) -> set[str]:
    """Return the sums of all groups of credits that have copies, copies included, as printed without the currency."""
    credits_ = with_nature(inputs.credits, inputs.wealth.streams)
    credits_ = credits_.assign(month=credits_["booked_on"].dt.strftime("%Y-%m")).fillna({"nature": "own"})
    found = {int(credits_["amount_minor"].sum())}
    for size in range(1, len(GROUPED) + 1):
        for names in combinations(GROUPED, size):
            for part in (credits_, credits_[credits_["disposition"] != "own_transfer"]):
                sums = (
                    part.astype(dict.fromkeys(names, str))
                    .groupby([*names])[["amount_minor", "least_minor"]]
                    .sum()
                )
                found |= set(sums.loc[sums["amount_minor"] > sums["least_minor"], "amount_minor"].tolist())
                found.add(int(part["amount_minor"].sum()))
    lower = {int(one) for one in credits_["amount_minor"]}
    return {format_minor(minor, "GBP").removesuffix(" GBP") for minor in found - lower}


def texts_of(section: Section) -> Iterator[str]:
    for block in section.blocks:
        match block:
            case Paragraph():
                yield block.text
            case Table():
                yield from (cell.text for row in block.rows for cell in row)
            case Facts():
                yield from (f"{label} {cell.text}" for label, cell in block.pairs)


def printed(inputs: ReviewInputs, contents: ReviewContents) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of all that a review and a statement print, except charts."""
    for section in contents.sections:
        yield from ((section.key, text) for text in texts_of(section))
    for share in contents.shares:
        yield from (("page one", cell.text) for cell in share.cells)
        yield "page one", share.in_words
    yield from (("reasons", str(one)) for one in contents.reasons)
    yield from (("summary", text) for text in re.split(r"<[^>]+>", render_summary_html(contents)))
    wealth, of = inputs.wealth, inputs.customer_id
    stated = statement_sections(
        wealth.statement(of),
        wealth.statement_currencies(of),
        wealth.statement_totals(of),
        wealth.statement_counts(of),
    )
    for section in stated:
        yield from (("statement", text) for text in texts_of(section))
    for table in (inputs.triage.findings, inputs.limits, wealth.flags):
        for column in {"sentence", "message"} & set(table.columns):
            yield from (("frames", str(text)) for text in table[column])


def test_no_sum_that_has_copies_in_it_is_printed_as_a_fact(
    inputs: ReviewInputs, contents: ReviewContents
) -> None:
    credits_ = inputs.credits
    assert set(credits_["disposition"]) >= {"stream", "own_transfer", "refund", "unexplained", "small_other"}
    assert (credits_["may_be_twice_minor"] > 0).sum() * 2 == len(credits_)
    ends = upper_ends(inputs)
    bare = [
        (place, text)
        for place, text in printed(inputs, contents)
        for found in re.finditer(r"[0-9,]+\.[0-9]{2}", text)
        if found[0] in ends and not re.search(r"(?:\bto|/) $", text[: found.start()])
        if not re.search(r"(?:of it|in all,?) may be counted twice", text[found.end() :])
    ]
    assert bare == []


def test_the_numbers_of_credits_that_have_copies_among_them_are_ranges(contents: ReviewContents) -> None:
    (ledger,) = [block for block in contents.section("coverage").blocks if isinstance(block, Table)]
    count, total = (cell.text for cell in ledger.rows[-1][1:3])
    once = len(PAID)
    assert count == f"{once} to {2 * once}"
    assert " to " in total
    assert [row[0].text for row in ledger.rows if " to " not in row[1].text] == ["Own transfers"]


def test_what_may_be_counted_twice_is_said_beside_each_credit_that_is_named(contents: ReviewContents) -> None:
    said = contents.shares[0].largest_words
    assert "the largest of 2 to 5, several of the same payers, are" in said
    assert said.count("(may be counted twice)") == 1
    assert "beside small ones of 31.07 to 62.14 GBP in all" in said


def test_the_workbook_says_what_its_totals_include(contents: ReviewContents) -> None:
    said = dict(cover_lines(contents))["May be counted twice"]
    assert said.startswith("67,486.71 GBP of the credits; ")
    sure = replace(contents, shares=tuple(replace(one, may_be_twice_minor=0) for one in contents.shares))
    assert "May be counted twice" not in dict(cover_lines(sure))


def test_our_side_of_the_comparison_is_a_range(contents: ReviewContents) -> None:
    (compared,) = [block for block in contents.section("statement").blocks if isinstance(block, Table)]
    pay = next(row for row in compared.rows if row[1].text == "Employment")
    assert [pay[place].text for place in (2, 5)] == ["12 to 24 / 24", "24,000.00 to 48,000.00 / 48,000.00"]


def test_each_chart_of_credits_says_that_it_has_copies_in_it(
    inputs: ReviewInputs, contents: ReviewContents
) -> None:
    charts = [block for key in ("streams", "coverage", "accounts") for block in contents.section(key).blocks]
    said = [block.caption for block in charts if isinstance(block, Figure) and block.caption]
    said = [one for one in [*said, plot_credits(inputs.wealth).caption] if not one.startswith("As given")]
    assert len(said) == 4
    assert [one for one in said if "What may be counted twice is included." not in one] == []


def test_the_chart_on_page_one_says_that_it_has_copies_in_it(contents: ReviewContents) -> None:
    once = replace(contents.shares[0], may_be_twice_minor=0)
    for shares, said in ((contents.shares, True), ((once,), False)):
        made = render_review_pdf(replace(contents, shares=shares))
        first = PdfReader(BytesIO(made)).pages[0].extract_text()
        assert ("What may be counted twice is included" in first) == said
