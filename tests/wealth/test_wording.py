"""Each number and claim of the sentences about streams, worked out again from the rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from itertools import pairwise
from statistics import median

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kycpack.render.statement_pdf import type_words
from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.changes import dips_of, gap_of, steps_of
from kycpack.wealth.prepare.known_payers import with_benefit

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
ENDS = (
    "01-31",
    "02-28",
    "03-31",
    "04-30",
    "05-30",
    "06-30",
    "07-31",
    "08-29",
    "09-30",
    "10-31",
    "11-28",
    "12-31",
)


def pay(amounts: list[int], text: str = "ACME LTD SALARY") -> list[tuple[object, ...]]:
    return [(f"2025-{day}", amount, text) for day, amount in zip(ENDS, amounts, strict=False)]


def text_of(wealth: Wealth) -> str:
    return wealth.explain(wealth.streams["stream_id"].iloc[0])


def minor(words: str) -> int:
    return int(Decimal(words.replace(",", "")) * 100)


def found(pattern: str, text: str) -> tuple[str, ...]:
    hit = re.search(pattern, text)
    assert hit is not None, f"no {pattern} in:\n{text}"
    return hit.groups()


@settings(max_examples=25)
@given(st.lists(st.integers(90_000, 400_000), min_size=6, max_size=12))
def test_every_amount_that_is_said_is_that_of_the_rows(amounts: list[int]) -> None:
    rows = [
        {
            "customer_id": "C1",
            "account_id": "A1",
            "txn_id": f"T{number:02d}",
            "booked_on": f"2025-{day}",
            "amount_minor": amount,
            "currency": "GBP",
            "description_raw": "ACME LTD SALARY",
        }
        for number, (day, amount) in enumerate(zip(ENDS, amounts, strict=False))
    ]
    wealth = derive(pd.DataFrame(rows), as_of=AS_OF)
    text = text_of(wealth)
    stream = wealth.streams.iloc[0]
    assert stream["latest_minor"] == amounts[-1]
    assert f"{len(amounts)} credits from ACME LTD SALARY" in text
    assert minor(found(r"Total ([\d,.]+) GBP", text)[0]) == sum(amounts)
    if len(set(amounts)) > 1:
        shown = found(r"median ([\d,.]+) GBP, latest ([\d,.]+) GBP, on average ([\d,.]+) GBP", text)
        assert abs(minor(shown[0]) - median(amounts)) <= 0.5
        assert minor(shown[1]) == amounts[-1]
        assert abs(minor(shown[2]) * len(amounts) - sum(amounts)) <= len(amounts) / 2
        assert ("an amount that was never paid" in text) == (minor(shown[2]) not in amounts)
        low, high = found(r"; from ([\d,.]+) GBP to ([\d,.]+) GBP", text)
        assert (minor(low), minor(high)) == (min(amounts), max(amounts))
    if "Expected next" in text:
        assert minor(found(r"Expected next: ([\d,.]+) GBP", text)[0]) == sorted(amounts[-3:])[1]
    if "In the last 3 months" in text:
        month, whole, count = found(
            r"In the last 3 months, .*? to .*?: ([\d,.]+) GBP a month \(([\d,.]+) GBP in (\d) payments", text
        )
        assert minor(whole) == sum(amounts[-int(count) :])
        assert abs(minor(month) * 3 - minor(whole)) <= 1
    assert "amounts are" not in text


def test_a_rise_is_said_with_its_date_and_both_levels(ledger: Ledger) -> None:
    text = text_of(derive(ledger(*pay([200_000] * 6 + [230_000] * 6)), as_of=AS_OF))
    assert (
        "Since 31 Jul 2025 every payment has been larger than any before: median 2,000.00 GBP before, 2,300.00 GBP since."
        in text
    )
    assert "latest 2,300.00 GBP" in text


def test_a_dip_and_a_gap_are_said(ledger: Ledger) -> None:
    amounts = [
        200_000,
        200_001,
        199_999,
        90_000,
        200_000,
        200_002,
        200_000,
        200_000,
        200_001,
        200_003,
        200_000,
        200_000,
    ]
    assert (
        "A dip: the payment on 30 Apr 2025, 900.00 GBP, is below three quarters of the median; the median of the others is 2,000.00 GBP."
        in text_of(derive(ledger(*pay(amounts)), as_of=AS_OF))
    )
    rows = [row for row in pay([200_000] * 12) if row[0] != "2025-06-30"]
    text = text_of(derive(ledger(*rows), as_of=AS_OF))
    assert (
        "No payment came for 62 days, between 30 May 2025 and 31 Jul 2025; payments are usually 30 days apart."
        in text
    )


def test_many_dips_are_said_in_one_sentence(ledger: Ledger) -> None:
    amounts = [
        200_000,
        90_000,
        200_000,
        120_000,
        110_000,
        200_000,
        200_000,
        80_000,
        200_000,
        100_000,
        200_000,
    ]
    text = text_of(derive(ledger(*pay([*amounts, 200_000])), as_of=AS_OF))
    assert text.count("dip") + text.count("Dip") == 1
    assert (
        "Dips: 5 payments on 4 occasions, the lowest 800.00 GBP, are below three quarters of the median; the median of the others is 2,000.00 GBP."
        in text
    )


def test_a_payment_that_may_be_counted_twice_makes_no_level_of_its_own(ledger: Ledger) -> None:
    amounts = [270_000, 410_000, *(283_000 + 100 * month for month in range(7))]
    rows = [
        (
            day,
            amount,
            text,
            {"account_id": account, "counterparty_name": "ACME LTD", "txn_id": f"{account}-{day}"},
        )
        for account in ("A1", "A2")
        for day, amount, text in pay(amounts)
    ]
    accounts = pd.DataFrame(
        [
            {"customer_id": "C1", "account_id": name, "bank_id": "b", "holder_name": "Ann Ash", "sort_code": "**-**-11",
             "account_number": "****1234", "currency": "GBP"}
            for name in ("A1", "A2")
        ]
    )  # fmt: skip
    wealth = derive(ledger(*rows), accounts=accounts, as_of=AS_OF)
    text = text_of(wealth)
    assert "may be counted twice" in text
    assert "4,100.00 GBP since" not in text


def test_cash_of_very_different_sizes_is_not_called_similar(ledger: Ledger) -> None:
    sizes = [40_000, 42_000, 38_000, 900_000, 41_000, 39_000, 40_000, 880_000, 40_000, 43_000, 40_000, 41_000]
    rows = [(f"2025-{month:02d}-07", size, "CASH DEPOSIT") for month, size in enumerate(sizes, 1)]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    texts = [wealth.explain(stream_id) for stream_id in wealth.streams["stream_id"]]
    assert any("what they have in common is their calendar" in text for text in texts)
    for text in texts:
        low, high = found(r"; from ([\d,.]+) GBP to ([\d,.]+) GBP", text)
        assert ("similar size" in text) == (minor(high) <= 2 * minor(low))


def test_the_description_groups_its_facts_and_names_a_type_as_the_table_does(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-07", 40_000 + 17 * month, "CASH DEPOSIT") for month in range(1, 13)]
    (said,) = derive(ledger(*rows), as_of=AS_OF).streams["description"]
    assert said.split("; ")[1:3] == [
        "median 401.11 GBP, latest 402.04 GBP",
        "12 of 12 expected payments were seen, last on 7 Dec 2025",
    ]
    assert "; cash deposits, from words in the payment text" in said
    assert type_words("cash_deposit") == "Cash deposits"
    assert type_words("property_sale") == "Sale of property"
    assert type_words("other") == "Other, nature not established"
    assert type_words("somebodys_own") == "somebodys_own"


def test_what_has_ceased_is_said_with_the_day_of_the_payment_that_did_not_come(ledger: Ledger) -> None:
    later = [(f"2025-{day}", -1_000, "SHOP") for day in ENDS]
    wealth = derive(ledger(*pay([200_000] * 6), *later), as_of=AS_OF)
    (said,) = wealth.streams["description"]
    assert (
        "6 of 6 expected payments up to 30 Jun 2025 were seen, but the next one, expected on 31 Jul 2025, was not seen, nor any later one; "
        in said
    )
    assert "In the last 3 months, 1 Oct 2025 to 31 Dec 2025: no payment." in text_of(wealth)
    assert "0.00 GBP a month" not in text_of(wealth)


def test_nothing_is_said_twice_of_a_nature_that_is_not_known(ledger: Ledger) -> None:
    text = text_of(derive(ledger(*pay([50_000] * 12, "ZORVIK HOLDCO SERVICES")), as_of=AS_OF))
    assert text.count("nature not established") == 1
    assert "Its nature is not established." in text
    assert "regular credit" not in text


def test_a_payer_is_not_from_from(ledger: Ledger) -> None:
    wealth = derive(ledger(*pay([50_000] * 12, "FROM ZORVIK HOLDCO")), as_of=AS_OF)
    assert "from FROM" not in wealth.streams["description"].iloc[0]


def test_other_streams_of_the_payer_are_said(ledger: Ledger) -> None:
    pension = [
        (f"2025-{day}", 90_000, "MUTUAL PENSION", {"counterparty_name": "MUTUAL"})
        for day in ("01-15", "02-12", "03-12", "04-09", "05-07", "06-04")
    ]
    salary = [(*row, {"counterparty_name": "MUTUAL"}) for row in pay([200_000] * 6, "MUTUAL SALARY")]
    wealth = derive(ledger(*pension, *salary), as_of=AS_OF)
    for stream_id in wealth.streams["stream_id"]:
        text = wealth.explain(stream_id)
        assert "1 other stream of this payer is kept apart" in text
        assert "amount plays no part" not in text


def test_the_last_twelve_months_and_the_trend_need_data_that_goes_back_as_far(ledger: Ledger) -> None:
    early = ("2024-12-01", -100, "SHOP")
    amounts = [200_000] * 6 + [260_000] * 6
    short = derive(ledger(*pay(amounts)), as_of=AS_OF).streams.iloc[0]
    assert pd.isna(short["monthly_12_minor"])
    assert pd.isna(short["trend"])
    wealth = derive(ledger(early, *pay(amounts)), as_of=AS_OF)
    stream = wealth.streams.iloc[0]
    assert (stream["monthly_3_minor"], stream["monthly_12_minor"], stream["trend"]) == (
        260_000,
        230_000,
        "rising",
    )
    assert (
        "In the last 12 months, 1 Jan 2025 to 31 Dec 2025: 2,300.00 GBP a month (27,600.00 GBP in 12 payments, divided by 12)."
        in text_of(wealth)
    )


def test_an_income_that_has_ceased_is_not_expected(ledger: Ledger) -> None:
    later = [(f"2025-{day}", -1_000, "SHOP") for day in ENDS]
    wealth = derive(ledger(*pay([200_000] * 6), *later), as_of=AS_OF)
    assert pd.isna(wealth.streams.iloc[0]["next_minor"])
    assert "Expected next" not in text_of(wealth)


@pytest.mark.parametrize(
    ("data_to", "said"),
    [
        ("2025-07-28", "Expected next: 2,000.00 GBP on 31 Jul 2025"),
        ("2025-08-08", "Overdue: 2,000.00 GBP, expected on 31 Jul 2025"),
    ],
)
def test_a_day_that_the_data_has_passed_is_not_called_the_next(
    ledger: Ledger, data_to: str, said: str
) -> None:
    spent = [(str(day.date()), -1_000, "SHOP") for day in pd.date_range("2025-01-02", data_to, freq="3D")]
    wealth = derive(ledger(*pay([200_000] * 6), *spent, (data_to, -1_000, "SHOP")), as_of=data_to)
    assert said in text_of(wealth)
    assert ("Status late" in text_of(wealth)) == said.startswith("Overdue")


def stepped(ledger: Ledger, amounts: list[int]) -> str:
    return text_of(derive(ledger(*pay(amounts)), as_of=AS_OF))


def test_the_median_of_an_even_number_is_the_mean_of_the_middle_two(ledger: Ledger) -> None:
    amounts = [200_000, 200_401, 200_400, 200_000, 260_000, 260_000, 260_001, 260_003]
    # Half a penny is rounded up, as calculators do.
    assert "median 2,002.00 GBP before, 2,600.01 GBP since" in stepped(ledger, amounts)
    dipped = [200_000, 200_000, 200_000, 90_000, 200_000, 200_100, 200_100, 200_100, 200_100]
    assert "the median of the others is 2,000.50 GBP" in stepped(ledger, dipped)


@pytest.mark.parametrize("place", range(5))
def test_one_odd_payment_does_not_hide_a_raise(ledger: Ledger, place: int) -> None:
    amounts = [200_000] * 6 + [260_000] * 6
    amounts[place] = 400_000
    assert (
        "Since 31 Jul 2025 payments have been larger: median 2,000.00 GBP before, 2,600.00 GBP since; 1 payment does not fit this."
        in stepped(ledger, amounts)
    )


def test_each_raise_is_said(ledger: Ledger) -> None:
    assert (
        "The amounts changed in 2 steps: median 2,000.00 GBP at first, 2,600.00 GBP since 30 May 2025, 2,900.00 GBP since 30 Sep 2025."
        in stepped(ledger, [200_000] * 4 + [260_000] * 4 + [290_000] * 4)
    )


def test_pay_that_varies_has_hardly_ever_a_step() -> None:
    chance = np.random.default_rng(8)
    days = [date(2025, month, 28) for month in range(1, 13)]
    found = [steps_of(days, chance.integers(150_000, 250_000, 12).tolist()) for _ in range(400)]
    assert sum(len(steps) > 0 for steps in found) <= 40
    assert sum(len(steps) > 1 for steps in found) <= 8


def test_payments_on_one_day_make_no_gap(ledger: Ledger) -> None:
    parts = [
        (f"2025-{day}", amount, "ACME LTD SALARY") for day in ENDS for amount in (70_000, 65_000, 65_000)
    ]
    wealth = derive(ledger(*parts), as_of=AS_OF)
    assert len(wealth.streams) == 1
    assert "No payment came for" not in text_of(wealth)
    assert wealth.streams["next_minor"].iloc[0] == 200_000
    assert "the median of the sums of the last 3 days with a payment" in text_of(wealth)


DAYS = st.lists(st.dates(date(2024, 1, 1), date(2025, 12, 31)), min_size=4, max_size=20, unique=True).map(
    sorted
)


@given(DAYS, st.data())
def test_a_step_parts_all_before_from_all_since(days: list[date], data: st.DataObject) -> None:
    amounts = data.draw(st.lists(st.integers(1, 1_000), min_size=len(days), max_size=len(days)))
    steps = steps_of(days, amounts)
    places = [0, *(days.index(step.on) for step in steps), len(days)]
    for step, start, place, end in zip(steps, places, places[1:], places[2:], strict=False):
        before, since = amounts[start:place], amounts[place:end]
        assert abs(step.before_minor - median(before)) <= 0.5
        assert abs(step.since_minor - median(since)) <= 0.5
        if not step.odd_count:
            assert max(before) < min(since) or min(before) > max(since)
    assert all(dip.lowest_minor < median(amounts) for dip in dips_of(days, amounts))
    gap = gap_of(days)
    if gap is not None:
        assert gap.days == max((after - before).days for before, after in pairwise(days))


@settings(max_examples=12, deadline=None)
@given(st.integers(3, 12), st.sampled_from(["words", "code", "silent"]))
def test_the_confidence_that_is_said_is_the_weaker_of_type_and_calendar(count: int, known_by: str) -> None:
    text = "ZORVIK LTD" if known_by == "silent" else "ZORVIK LTD SALARY"
    rows = [
        {
            "customer_id": "C1",
            "account_id": "A1",
            "txn_id": f"T{number:02d}",
            "booked_on": f"2025-{day}",
            "amount_minor": 200_017,
            "currency": "GBP",
            "description_raw": text,
            "bank_code": "PMNT-RCDT-SALA" if known_by == "code" else None,
        }
        for number, day in enumerate(ENDS[-count:])
    ]
    wealth = derive(pd.DataFrame(rows), as_of=AS_OF)
    whole, type_, calendar = found(r"confidence (\w+) \(type (\w+), calendar (\w+)\)", text_of(wealth))
    by_type = {"silent": "low", "code": "high", "words": "medium" if count >= 6 else "low"}[known_by]
    assert type_ == by_type
    order = ["low", "medium", "high"]
    lowered = max(order.index(type_) - (calendar == "low"), 0)
    expected = min(lowered, 1) if calendar == "medium" else lowered
    assert whole == order[expected]
    score, filled, expected_days = found(
        r"scores ([\d.]+) out of 1.*?; (\d+) of (\d+) expected days", text_of(wealth)
    )
    assert (int(filled), int(expected_days)) == (count, count)
    assert (float(score) >= 0.8) == (calendar == "high") or calendar == "medium"


def test_cash_is_from_nobody(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-07", 40_000, "CASH DEPOSIT") for month in range(1, 13)]
    (said,) = derive(ledger(*rows), as_of=AS_OF).streams["description"]
    assert said.startswith("12 cash credits, monthly")


def test_self_employment_is_one_word(ledger: Ledger) -> None:
    wealth = derive(
        ledger(*pay([90_000 + 17 * n for n in range(12)], "BIRCHALL STUDIO INVOICE")), as_of=AS_OF
    )
    assert "self employment" not in " ".join(wealth.streams["description"])


@pytest.mark.parametrize(
    ("payer", "text", "shown"),
    [
        ("Bundesagentur für Arbeit - Familienkasse", "SVWZ+KINDERGELD", "Bundesagentur für Arbeit - Familienkasse: SVWZ+KINDERGELD"),
        ("Deutsche Rentenversicherung Bund", "SVWZ+RENTE 03/25", "Deutsche Rentenversicherung Bund: SVWZ+RENTE"),
        ("DWP", "DWP PIP", "DWP PIP"),
    ],
)  # fmt: skip
def test_a_benefits_office_that_the_data_names_is_named(
    ledger: Ledger, payer: str, text: str, shown: str
) -> None:
    rows = [(f"2025-{month:02d}-28", 25_500, text, {"counterparty_name": payer}) for month in range(1, 13)]
    (stream,) = derive(ledger(*rows), as_of="2025-12-31").streams.itertuples()
    assert stream.payer == shown
    assert stream.description.startswith(f"12 credits from {with_benefit(shown)}, monthly")


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["BET365 WINNINGS"], "BET365 WINNINGS"),
        (["TRADING 212 12MAR", "TRADING 212 14APR"], "TRADING 212"),
        (["G4S PAYROLL REF 88123"], "G4S PAYROLL REF"),
        (["M4C LTD SALARY WK 12", "M4C LTD SALARY WK 16"], "M4C LTD SALARY WK"),
        (["ACME SALARY 0012"], "ACME SALARY"),  # a reference
        (["DWP PIP ZY123456C"], "DWP PIP"),  # a person's number
        (["DWP PIP ZY 12 34 56 C"], "DWP PIP ZY C"),
    ],
)
def test_a_number_that_belongs_to_a_name_is_shown_and_a_reference_is_not(
    ledger: Ledger, texts: list[str], shown: str
) -> None:
    rows = [(f"2025-{month:02d}-28", 125_517, texts[month % len(texts)]) for month in range(1, 13)]
    (stream,) = derive(ledger(*rows), as_of="2025-12-31").streams.itertuples()
    assert stream.payer == shown


def test_a_payment_that_came_on_another_day_than_the_named_one_is_said(ledger: Ledger) -> None:
    """Every Thursday is false of a stream with one Wednesday that no holiday explains; Christmas explains one."""
    thursdays = [str(day.date()) for day in pd.date_range("2025-01-09", "2025-12-18", freq="7D")]
    moved = [*thursdays, "2025-12-24"]
    for days, said in (
        (moved, "51 of 51 expected payments were seen, last on 24 Dec 2025"),
        (
            ["2025-08-06" if day == "2025-08-07" else day for day in moved],
            "51 of 51 expected payments were seen (1 of them early or late), last on 24 Dec 2025",
        ),
    ):
        rows = [(day, 40_000 + place, "ACME LTD SALARY") for place, day in enumerate(days)]
        (stream,) = derive(ledger(*rows), as_of="2025-12-31").streams["description"]
        assert "weekly (every Thursday)" in stream
        assert said in stream


def test_the_latest_payment_is_named_where_the_amounts_vary_although_it_is_the_median(ledger: Ledger) -> None:
    days = [f"2025-{month:02d}-25" for month in range(1, 6)]
    said = {}
    for name, amounts in {"varied": (100, 300, 500, 700, 500), "level": (500,) * 5}.items():
        rows = [(day, 1000 * one, "TESCO STORES SALARY") for day, one in zip(days, amounts, strict=True)]
        said[name] = derive(ledger(*rows), as_of="2025-06-01").streams["description"].iloc[0]
    assert "median 5,000.00 GBP, latest the same;" in said["varied"]
    assert "median 5,000.00 GBP;" in said["level"]
