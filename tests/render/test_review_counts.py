"""Every number of transactions says what it counts, and one paragraph says how the numbers fit together."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from pypdf import PdfReader
from tests.render.specimen_review import contents_of, words_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.models.dates import day_words
from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.document_parts import Table
from kycpack.render.review.accounts import accounts_section, booking_days
from kycpack.render.review.counts import late_evidence, looked_at, request_times, transaction_blocks
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.short_names import ShortNames
from kycpack.wealth import derive


def given(*kinds: tuple[str, int, int]) -> pd.DataFrame:
    """Return transactions from status, amount in minor units and how often the bank gave the row."""
    rows = [
        {"txn_id": f"T{number}", "status": status, "amount_minor": minor, "description_raw": "TARN LTD"}
        for number, (status, minor, often) in enumerate(kinds)
        for _ in range(often)
    ]
    day = pd.Timestamp("2025-03-03")
    return pd.DataFrame(rows).assign(customer_id="C1", account_id="A1", booked_on=day, currency="GBP")


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (
            [("booked", 5_000, 1), ("booked", -700, 1), ("pending", 100, 1), ("rejected", 300, 1)],
            (
                "The bank gave 4 transactions: 2 booked, 1 pending (1 credit) and 1 rejected by the bank. Only booked ones count. "
                "Booked transactions: 1 credit and 1 payment out."
            ),
        ),
        (
            [("booked", 5_000, 2), ("booked", 8_000, 1), ("booked", -700, 1), ("future", -900, 1)],
            (
                "The bank gave 5 transactions: 4 booked and 1 dated ahead. Only booked ones count. "
                "Booked transactions: 3 credits and 1 payment out. 1 of the credits repeats another one and is set aside, so 2 are counted."
            ),
        ),
        (
            [("booked", 5_000, 1)],
            "The bank gave 1 transaction, which is booked. Booked transactions: 1 credit and 0 payments out.",
        ),
        ([("SUSPENDED", 5_000, 1)], "The bank gave 1 transaction: 1 “SUSPENDED”. Only booked ones count."),
    ],
)
def test_one_paragraph_reconciles_the_numbers_of_transactions(
    kinds: list[tuple[str, int, int]], words: str
) -> None:
    rows = given(*kinds)
    frames: Any = SimpleNamespace(transactions=rows)
    usual = rows[rows["status"] != "SUSPENDED"]
    said = " ".join(
        block.text for block in transaction_blocks(frames, derive(usual, as_of="2025-03-31"), "C1")
    )
    assert said.startswith(words)


def test_page_one_and_the_accounts_say_how_many_are_booked(
    contents: ReviewContents, pages: list[str], specimen: Evidence
) -> None:
    frames = flatten(specimen)
    booked = int((frames.transactions["status"] == "booked").sum())
    every = len(frames.transactions)
    seen = dict(looked_at(specimen, frames))
    assert (seen["Transactions"].text, seen["Of these booked"].text) == (f"{every:,}", f"{booked:,}")
    words = "all booked" if booked == every else f"{booked:,} of them booked"
    assert f"{every:,} transactions" in " ".join(pages[0].split())
    assert words in " ".join(pages[0].split())
    said = contents.section("accounts").blocks[1]  # after what was requested
    numbers = [int(one.replace(",", "")) for one in re.findall(r"[\d,]+(?= credits| payments)", str(said))]
    assert sum(numbers) == booked


def test_the_period_is_that_of_the_booked_transactions_as_in_what_is_derived_from_them(
    specimen: Evidence,
) -> None:
    """A payment that is still pending shows a later day, but nothing that was derived goes on to it."""
    frames = flatten(specimen)
    last = frames.transactions.loc[frames.transactions["status"] == "booked", "booked_on"].max()
    later = frames.transactions.tail(1).assign(
        txn_id="P1", status="pending", booked_on=last + pd.Timedelta(days=1)
    )
    transactions = pd.concat([frames.transactions, later], ignore_index=True)
    longer = type(frames)(**{**dict(frames.items()), "transactions": transactions})
    assert (
        dict(looked_at(specimen, longer))["Period"].text == dict(looked_at(specimen, frames))["Period"].text
    )
    account = str(later["account_id"].iloc[0])
    assert booking_days(transactions)[account] == booking_days(frames.transactions)[account]
    *_, listed = accounts_section(longer, ShortNames(()), ()).blocks
    assert isinstance(listed, Table)
    assert not any(day_words(last + pd.Timedelta(days=1)) in cell.text for row in listed.rows for cell in row)


COUNTED = "the as-of time, from which ages are counted."


@pytest.mark.parametrize(
    ("as_of", "said"),
    [
        ("2026-06-30T11:59:59Z", f"Evidence requested on 30 Jun 2026, 12:00 to 12:02 UTC, after {COUNTED}"),
        (
            "2026-06-30T12:01:00Z",
            f"Evidence requested on 30 Jun 2026, 12:00 to 12:02 UTC, in part after {COUNTED}",
        ),
        (
            "2026-06-30T12:02:03Z",
            f"Evidence requested on 30 Jun 2026, 12:00:00 to 12:02:09 UTC, in part after {COUNTED}".replace(
                "time,", "time of 30 Jun 2026, 12:02:03 UTC,"
            ),
        ),
    ],
)
def test_page_one_says_when_the_evidence_was_requested_and_what_as_of_means(
    specimen: Evidence, as_of: str, said: str
) -> None:
    times = iter(["2026-06-30T12:02:09Z", "2026-06-30T12:00:00Z"])
    entries = tuple(
        replace(one, requested_at=next(times, "2026-06-30T12:01:00Z") if one.method else None)
        for one in specimen.entries
    )
    evidence = Evidence(specimen.customer_id, entries, specimen.bodies)
    made = contents_of(evidence, as_of=datetime.fromisoformat(as_of))
    assert made.late.text == said
    first = PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text()
    assert said in " ".join(first.split())
    assert said in render_summary_html(made)
    assert made.late in made.summary
    assert "Evidence requested on 30 Jun 2026, 12:00 to 12:02 UTC." in words_of(made.section("evidence"))


def test_page_one_says_nothing_of_evidence_from_before_the_as_of_time(contents: ReviewContents) -> None:
    assert contents.late.text == ""
    assert re.search(r"Evidence requested (on|from) \d+ Jun 2026", words_of(contents.section("evidence")))
    assert "Evidence requested" not in render_summary_html(contents)


def test_evidence_from_the_second_of_the_as_of_time_is_not_said_to_be_later(specimen: Evidence) -> None:
    entries = tuple(
        replace(one, requested_at="2026-06-30T12:02:03.700Z" if one.method else None)
        for one in specimen.entries
    )
    evidence = Evidence(specimen.customer_id, entries, specimen.bodies)
    assert late_evidence(evidence, datetime.fromisoformat("2026-06-30T12:02:03.200Z")).text == ""
    assert late_evidence(evidence, datetime.fromisoformat("2026-06-30T12:02:02.900Z")).text


def test_evidence_without_a_request_or_from_one_minute_is_said_so(specimen: Evidence) -> None:
    for requested, said in (
        ((), "No request was sent."),
        (("2026-06-30T12:00:05Z",), "Evidence requested on 30 Jun 2026, 12:00 UTC."),
        (
            ("2026-06-30T23:59:05Z", "2026-06-29T12:00:05Z"),
            "Evidence requested from 29 Jun 2026, 12:00 UTC to 30 Jun 2026, 23:59 UTC.",
        ),
    ):
        times = iter(requested)
        entries = tuple(
            replace(one, requested_at=next(times, None) if one.method else None) for one in specimen.entries
        )
        evidence = Evidence(specimen.customer_id, entries, specimen.bodies)
        assert request_times(evidence).text == said
        assert late_evidence(evidence, datetime(2026, 7, 1, tzinfo=UTC)).text == ""


def test_a_balance_leads_to_the_answer_that_gave_it(specimen: Evidence) -> None:
    frames = flatten(specimen)
    *_, listed = accounts_section(frames, ShortNames(()), ()).blocks
    assert isinstance(listed, Table)
    given = dict(zip(frames.balances["account_id"], frames.balances["evidence_id"], strict=True))
    assert given
    for row, account in zip(listed.rows, frames.accounts["account_id"].unique(), strict=True):
        assert given.get(account, "E") in row[-1].text
