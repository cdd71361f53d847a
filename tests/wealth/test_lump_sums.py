"""A sum far beyond what a payer usually pays is not explained by who pays it."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

AS_OF = dt.date(2026, 6, 30)
PAY_DAYS = [dt.date(2025 + (6 + month) // 12, (6 + month) % 12 + 1, 28) for month in range(12)]


def derived(text: str, pounds: int, *, paid: int = 2_100, usual: str = "Orbital Valves Ltd Salary") -> Wealth:
    rows = [(day, paid, usual) for day in PAY_DAYS] + [(dt.date(2026, 3, 4), pounds, text)]
    return derive(
        pd.DataFrame(
            [
                {
                    "customer_id": "C-1",
                    "account_id": "A-1",
                    "txn_id": f"T-{number:02}",
                    "booked_on": pd.Timestamp(day),
                    "status": "booked",
                    "amount_minor": amount * 100,
                    "currency": "GBP",
                    "description_raw": said,
                    "counterparty_name": "Orbital Valves Ltd",
                    "bank_code": None,
                }
                for number, (day, amount, said) in enumerate(rows)
            ]
        ),
        as_of=AS_OF,
    )


@pytest.mark.parametrize(
    "text", ["Orbital Valves Ltd", "Orbital Valves Ltd 88120", "Orbital Valves Ltd Loan"]
)
@pytest.mark.parametrize("pounds", [14_000, 24_000, 90_000])
def test_half_a_year_of_pay_at_once_is_not_pay_because_the_employer_sends_it(text: str, pounds: int) -> None:
    wealth = derived(text, pounds)
    lump = wealth.credits[wealth.credits["amount_minor"] == pounds * 100].iloc[0]
    assert lump["type"] != "employment"
    assert lump["disposition"] != "stream"
    assert wealth.streams["total_minor"].tolist() == [12 * 210_000]
    assert lump["txn_id"] in {one for flag in wealth.flags["txn_ids"] for one in flag}


@pytest.mark.parametrize(
    ("text", "pounds"),
    [
        ("Orbital Valves Ltd", 4_000),
        ("Orbital Valves Ltd", 12_000),
        ("Orbital Valves Ltd Annual Bonus", 20_000),
    ],
)
def test_a_usual_bonus_stays_in_the_stream_of_pay(text: str, pounds: int) -> None:
    wealth = derived(text, pounds)
    extra = wealth.credits[wealth.credits["amount_minor"] == pounds * 100].iloc[0]
    assert (extra["type"], extra["disposition"]) == ("employment", "stream")
    assert wealth.flags.empty


@pytest.mark.parametrize(
    "text", ["Northern Vale Pension Fund Retirement Lump Sum", "NVPF PCLS", "NVPF Pension"]
)
def test_what_a_pension_pays_at_retirement_is_not_in_the_stream_of_what_it_pays_each_month(text: str) -> None:
    named = {"counterparty_name": "Northern Vale Pension Fund"}
    fields = {"customer_id": "C-1", "account_id": "A-1", "currency": "GBP"} | named
    rows = [(day, 140_440, "NVPF Pension") for day in PAY_DAYS] + [(dt.date(2025, 7, 14), 6_412_050, text)]
    frame = pd.DataFrame(
        [
            fields
            | {
                "txn_id": f"T-{number:02}",
                "booked_on": pd.Timestamp(day),
                "amount_minor": minor,
                "description_raw": said,
            }
            for number, (day, minor, said) in enumerate(rows)
        ]
    )
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.streams["total_minor"].tolist() == [12 * 140_440]
    lump = wealth.credits[wealth.credits["amount_minor"] == 6_412_050].iloc[0]
    assert lump["disposition"] == "one_off"
    assert lump["type"] == "pension"


def test_a_payer_of_unknown_nature_has_no_lump_sums() -> None:
    wealth = derived("Orbital Valves Ltd", 24_000, usual="Orbital Valves Ltd")
    assert wealth.streams["count"].tolist() == [13]


@pytest.mark.parametrize("days", [(0, 76, 175), (0, 90, 180), (0, 30, 62, 91)])
def test_large_sums_of_unknown_nature_are_flagged_though_a_few_gaps_are_alike(days: tuple[int, ...]) -> None:
    first = dt.date(2025, 9, 11)
    rows = [(day, 210_000, "Orbital Valves Ltd Salary") for day in PAY_DAYS]
    rows += [
        (first + dt.timedelta(days=day), 2_100_000 + 10_000 * day, "Kestrel Bridge Trading FZE")
        for day in days
    ]
    frame = pd.DataFrame(rows, columns=["booked_on", "amount_minor", "description_raw"])
    frame["booked_on"] = pd.to_datetime(frame["booked_on"])
    frame["txn_id"] = [f"T-{number:02}" for number in range(len(frame))]
    wealth = derive(frame.assign(customer_id="C-1", account_id="A-1", currency="GBP"), as_of=AS_OF)
    large = set(frame.loc[frame["amount_minor"] > 1_000_000, "txn_id"])
    assert large <= {one for flag in wealth.flags["txn_ids"] for one in flag}


@pytest.mark.parametrize(("each", "flagged"), [(9_900, True), (3_000, False)])
def test_sums_of_one_payer_that_come_to_a_years_income_are_flagged_though_each_is_small(
    each: int, *, flagged: bool
) -> None:
    rows = [(pd.Timestamp(day), 210_000, "Orbital Valves Ltd Salary") for day in PAY_DAYS]
    rows += [
        (pd.Timestamp(day), each * 100 + number, "Kestrel Bridge Trading FZE")
        for number, day in enumerate(("2025-09-11", "2025-10-02", "2026-02-19"))
    ]
    frame = pd.DataFrame(rows, columns=["booked_on", "amount_minor", "description_raw"])
    frame["txn_id"] = [f"T-{number:02}" for number in range(len(frame))]
    wealth = derive(frame.assign(customer_id="C-1", account_id="A-1", currency="GBP"), as_of=AS_OF)
    assert (wealth.flags["code"] == "large_unexplained").any() == flagged
