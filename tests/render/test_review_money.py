"""What a review prints about streams and credits: sums, averages, trends, and what is expected next."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import clear_customer
from tests.render.specimen_review import AS_OF, contents_of, words_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render import ReviewContents
from kycpack.render.document_parts import Paragraph, Subheading, Table
from kycpack.render.review.bank_limits import _counted_twice
from kycpack.render.review.credit_sources import _total_words, months_of, sections
from kycpack.render.review.outlook import outlook_blocks
from kycpack.render.review.short_names import ShortNames
from kycpack.wealth import derive


def test_each_figure_of_the_ledger_is_printed_to_the_penny(
    pages: list[str], contents: ReviewContents
) -> None:
    text = " ".join(pages)
    share = contents.shares[0]
    assert share.total_minor == sum(share.natures.values())
    assert share.natures["known"] == sum(share.evidence.values())
    for minor in (share.total_minor, share.own_transfer_minor):
        assert f"{minor // 100:,}.{minor % 100:02d} GBP" in text
    for percent, (words, minor, _) in zip(share.percents.values(), share.parts, strict=True):
        assert (f"{percent} {words}" in text) == bool(minor)


def test_without_credits_nothing_explains_how_they_are_shown() -> None:
    made = contents_of(clear_customer())
    assert words_of(made.section("streams")).strip() == "There are no booked credits."
    assert words_of(made.section("coverage")).strip() == "There are no booked credits to explain."


def test_streams_stand_by_currency_and_say_what_they_come_to_in_a_month(contents: ReviewContents) -> None:
    blocks = contents.section("streams").blocks
    totals = [row[5].text.split() for row in next(b for b in blocks if isinstance(b, Table)).rows]
    currencies = [currency for _, currency in totals]
    assert currencies == sorted(currencies, key=currencies.index)
    heads = [block.columns[1].title for block in blocks if isinstance(block, Table)]
    assert "Per month, last 3 months" in heads


STREAM = {
    "stream_id": "S-1", "payer": "DWP RP", "currency": "GBP", "status": "active", "cadence": "four_weekly", "count": 26, "expected_count": 26,
    "odd_count": 0, "total_minor": 750_000, "least_total_minor": 750_000, "most_total_minor": 750_000, "monthly_3_minor": 91_395,
    "monthly_3_least_minor": 91_395, "monthly_3_paid_minor": 91_395, "monthly_3_sum_minor": 253_095,
    "monthly_3_from_on": pd.Timestamp("2026-04-17"), "data_to_on": pd.Timestamp("2026-06-30"), "monthly_12_minor": None,
    "trend": "falling", "next_on": pd.Timestamp("2026-06-27"), "next_minor": 84_365,
}  # fmt: skip


def outlook_of_one(as_of: str = "2026-06-30", **changed: Any) -> list[str]:
    *_, shown = outlook_blocks([STREAM | changed], as_of)
    assert isinstance(shown, Table)
    return [cell.text for cell in shown.rows[0]]


def test_an_average_of_pay_periods_says_which_periods_it_is_made_of() -> None:
    assert outlook_of_one()[1] == (
        "913.95 GBP (2,530.95 GBP, counted as 3 periods of 28 days; 75 days of data, 17 Apr 2026 to 30 Jun 2026)"
    )


def test_an_average_of_calendar_months_says_how_many_days_of_data_it_has_and_why_not_just_the_months() -> (
    None
):
    told, shown = [*outlook_blocks([STREAM | {"cadence": "monthly"}], "2026-06-30")][1:]
    assert isinstance(shown, Table)
    assert shown.rows[0][1].text == "913.95 GBP (2,530.95 GBP; 75 days of data, 17 Apr 2026 to 30 Jun 2026)"
    assert isinstance(told, Paragraph)
    assert "over 3 or 12 of them, whose data begin 5 days earlier or later where a payment" in told.text
    assert "two weeks" not in told.text


def test_a_payment_that_was_expected_before_the_review_is_not_announced() -> None:
    assert outlook_of_one()[4] == "843.65 GBP on 27 Jun 2026, was expected before the review"
    assert outlook_of_one("2026-06-27")[4] == "843.65 GBP on 27 Jun 2026"


@pytest.mark.parametrize(
    ("changed", "is_said"),
    [
        ({}, False),
        ({"count": 27}, True),
        ({"odd_count": 1}, True),
        ({"odd_count": 1, "trend": "level"}, False),
        ({"count": 27, "cadence": "irregular", "expected_count": None}, False),
    ],
)
def test_a_trend_says_that_single_payments_may_make_it(changed: dict[str, Any], *, is_said: bool) -> None:
    assert ("may make the difference" in outlook_of_one(**changed)[3]) == is_said


def test_nothing_is_expected_next_of_a_stream_that_has_ceased() -> None:
    stream = {
        "stream_id": "S-1",
        "payer": "TARN LTD",
        "currency": "GBP",
        "status": "active",
        "total_minor": 750_000,
        "least_total_minor": 750_000,
        "most_total_minor": 750_000,
        "monthly_3_minor": 250_000,
        "monthly_3_least_minor": 250_000,
        "monthly_3_paid_minor": 250_000,
        "monthly_3_sum_minor": 750_000,
        "monthly_3_from_on": pd.Timestamp("2026-04-01"),
        "data_to_on": pd.Timestamp("2026-06-30"),
        "cadence": "monthly",
        "monthly_12_minor": None,
        "trend": None,
        "next_on": pd.Timestamp("2026-07-31"),
        "next_minor": 250_000,
    }
    *_, shown = outlook_blocks([stream, {**stream, "payer": "OLD LTD", "status": "ceased"}], "2026-06-30")
    assert isinstance(shown, Table)
    assert [[cell.text for cell in row] for row in shown.rows] == [
        [
            "TARN LTD",
            "2,500.00 GBP (7,500.00 GBP; 91 days of data, 1 Apr 2026 to 30 Jun 2026)",
            "–",
            "–",
            "2,500.00 GBP on 31 Jul 2026",
        ]
    ]
    assert not list(outlook_blocks([{**stream, "status": "ceased"}], "2026-06-30"))


@pytest.mark.parametrize(
    ("least", "most", "words", "why"),
    [
        (
            250_000,
            500_000,
            "2,500.00 to 5,000.00 GBP (up to 15,000.00 GBP; 91 days of data, {})",
            "may be counted twice",
        ),
        (
            490_000,
            490_000,
            "4,900.00 GBP; as paid 5,000.00 GBP (14,700.00 GBP; 91 days of data, {})",
            "as paid is beside it",
        ),
        (
            240_000,
            490_000,
            "2,400.00 to 4,900.00 GBP; as paid 5,000.00 GBP (up to 14,700.00 GBP; 91 days of data, {})",
            "may be counted twice",
        ),
        (500_000, 500_000, "5,000.00 GBP (15,000.00 GBP; 91 days of data, {})", ""),
    ],
)
def test_amounts_a_month_are_a_range_where_they_are_not_sure_and_net_of_what_was_taken_back(
    least: int, most: int, words: str, why: str
) -> None:
    stream = {
        "stream_id": "S-1",
        "payer": "TARN LTD",
        "currency": "GBP",
        "status": "active",
        "total_minor": 1_500_000,
        "least_total_minor": 3 * least,
        "most_total_minor": 3 * most,
        "monthly_3_minor": most,
        "monthly_3_least_minor": least,
        "monthly_3_paid_minor": 500_000,
        "monthly_3_sum_minor": 3 * most,
        "monthly_3_from_on": pd.Timestamp("2026-04-01"),
        "data_to_on": pd.Timestamp("2026-06-30"),
        "cadence": "monthly",
        "monthly_12_minor": None,
        "trend": None,
        "next_on": None,
        "next_minor": None,
    }
    _, said, shown = outlook_blocks([stream], "2026-06-30")
    assert isinstance(shown, Table)
    assert [cell.text for cell in shown.rows[0]] == [
        "TARN LTD",
        words.format("1 Apr 2026 to 30 Jun 2026"),
        "–",
        "–",
        "–",
    ]
    assert why in str(said)
    assert why or "range" not in str(said)


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (750_000, 1_500_000, "7,500.00 to 15,000.00 GBP"),
        (0, 1_500_000, "0.00 to 15,000.00 GBP"),
        (1_500_000, 1_500_000, "15,000.00 GBP"),
        (1_470_000, 1_470_000, "14,700.00 GBP; as paid 15,000.00 GBP"),
    ],
)
def test_a_total_is_a_range_where_it_is_not_sure_and_net_of_what_was_taken_back(
    least: int, most: int, words: str
) -> None:
    row = {"currency": "GBP", "total_minor": 1_500_000, "least_total_minor": least, "most_total_minor": most}
    assert _total_words(row) == words


def test_single_credits_are_named_with_payer_day_and_evidence(specimen: Evidence) -> None:
    frames = flatten(specimen)
    booked = frames.transactions
    sale = booked.head(1).assign(
        txn_id="sale", amount_minor=18_354_900, description_raw="DENHOLM CONVEYANCING HOUSE SALE",
        counterparty_name="Denholm Conveyancing", counterparty_account=None, merchant_name=None, bank_code=None, purpose=None, booked_on=pd.Timestamp("2026-05-19"),
    )  # fmt: skip
    wealth = derive(pd.concat([booked, sale], ignore_index=True), as_of=AS_OF)
    customer = str(booked["customer_id"].iloc[0])
    streams, *_ = sections(wealth, customer, months_of(wealth, customer, {}), ShortNames(()))
    assert (
        "Denholm Conveyancing Sale of property (words in the payment text) 183,549.00 GBP 19 May 2026"
        in words_of(streams)
    )


def test_a_transfer_from_a_person_has_no_established_nature_wherever_it_is_named(specimen: Evidence) -> None:
    booked = flatten(specimen).transactions
    gift = booked.head(1).assign(
        txn_id="person", amount_minor=1_929_200, description_raw="MR IVAN GROMOV", counterparty_name="Mr Ivan Gromov",
        counterparty_account=None, merchant_name=None, bank_code=None, purpose=None, booked_on=pd.Timestamp("2026-05-19"),
    )  # fmt: skip
    wealth = derive(pd.concat([booked, gift], ignore_index=True), as_of=AS_OF)
    customer = str(booked["customer_id"].iloc[0])
    streams, *_ = sections(wealth, customer, months_of(wealth, customer, {}), ShortNames(()))
    said = words_of(streams)
    assert "Transfers from persons, nature not established 19,292.00 GBP 19 May 2026" in said
    assert "Transfers from persons show who paid and not what for" in said


def test_credits_of_different_currencies_are_never_in_one_order(specimen: Evidence) -> None:
    booked = flatten(specimen).transactions
    sale = booked.head(1).assign(description_raw="DENHOLM CONVEYANCING HOUSE SALE", counterparty_name="Denholm Conveyancing",
        counterparty_account=None, merchant_name=None, bank_code=None, purpose=None, booked_on=pd.Timestamp("2026-05-19"))  # fmt: skip
    pounds = sale.assign(txn_id="pounds", amount_minor=18_354_900)
    yen = [sale.assign(txn_id=f"Y{number}", amount_minor=90_000_000 + number, currency="JPY", account_id="J", counterparty_name=f"{chr(65 + number) * 3} Conveyancing") for number in range(25)]  # fmt: skip
    wealth = derive(pd.concat([booked, pounds, *yen], ignore_index=True), as_of=AS_OF)
    customer = str(booked["customer_id"].iloc[0])
    streams, *_ = sections(wealth, customer, months_of(wealth, customer, {}), ShortNames(()))
    for block in streams.blocks:
        for row in getattr(block, "rows", ()):
            assert not ({"GBP", "JPY"} <= set(" ".join(cell.text for cell in row).split()))
    assert "183,549.00 GBP 19 May 2026" in words_of(streams)
    heads = [block.text for block in streams.blocks if isinstance(block, Subheading)]
    assert [head[-3:] for head in heads if "outside the streams" in head] == ["GBP", "JPY"]


@pytest.mark.parametrize(
    ("dispositions", "said"),
    [
        (("stream", "stream"), "2 credits, 50.00 GBP in all, may be counted twice."),
        (
            ("stream", "own_transfer"),
            "2 credits, 50.00 GBP in all, may be counted twice; 30.00 GBP of it is own transfers.",
        ),
    ],
)
def test_own_transfers_that_may_be_counted_twice_are_named_apart(
    dispositions: tuple[str, str], said: str
) -> None:
    """Page one gives the sum of what may be counted twice without them, so the two sums would differ without a word."""
    credits_ = pd.DataFrame(
        {
            "customer_id": "C-1", "account_id": "acc_2", "txn_id": ["t1", "t2"], "booked_on": pd.Timestamp("2026-05-19"),
            "amount_minor": [20_00, 30_00], "currency": "GBP", "may_repeat_txn_id": ["t1", "t2"], "evidence_id": "E-07",
            "disposition": dispositions,
        }
    )  # fmt: skip
    (gap,) = _counted_twice(credits_)
    assert gap.message.endswith(said)
    assert (gap.amount_minor, gap.currency) == (50_00, "GBP")
