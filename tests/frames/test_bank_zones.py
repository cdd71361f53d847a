"""The day of a payment is the bank's, whatever clock its provider writes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.frames.evidence_maker import EvidenceMaker

from kycpack.frames import flatten
from kycpack.frames.bank_zones import zone_of_account

STAMP = "2026-06-30T23:30:00Z"  # half past midnight of 1 July in London, half past one in Berlin


def booked_on(account: dict[str, Any], stamp: str = STAMP) -> str:
    page = {
        "results": [
            {
                "transaction_id": "t1",
                "timestamp": stamp,
                "description": "PAY",
                "amount": 10.0,
                "currency": "GBP",
                "transaction_type": "CREDIT",
            }
        ]
    }
    made = EvidenceMaker()
    made.answer("bank_accounts.list", {"items": [{"id": "a1", **account}]})
    made.answer("bank_accounts.transactions", page, account_id="a1")
    made.entries[-1] = replace(made.entries[-1], adapter="truelayer")
    frame = flatten(made.make()).transactions
    return str(frame["booked_on"].iloc[0].date())


@pytest.mark.parametrize(
    ("account", "day"),
    [
        ({"currency": "GBP"}, "2026-07-01"),
        ({"currency": "EUR", "accountNumber": "DE89370400440532013000"}, "2026-07-01"),
        ({"currency": "USD", "sortCode": "20-00-00"}, "2026-07-01"),
        ({"currency": "USD"}, "2026-06-30"),
    ],
)
def test_an_instant_in_utc_falls_on_the_day_that_it_is_where_the_bank_is(
    account: dict[str, Any], day: str
) -> None:
    assert booked_on(account) == day


@pytest.mark.parametrize(
    "stamp", ["2026-06-30T00:00:00Z", "2026-06-30T22:30:00Z", "2026-06-30T23:30:00+01:00"]
)
def test_a_date_and_a_banks_own_clock_keep_their_day(stamp: str) -> None:
    assert booked_on({"currency": "GBP"}, stamp) == "2026-06-30"


@pytest.mark.parametrize(
    ("number", "sort_code", "currency", "zone"),
    [
        ("IE29 AIBK 9311 5212 3456 78", None, "EUR", "Europe/Dublin"),
        ("FR**************************", None, "EUR", "Europe/Paris"),
        ("12345678", "**-**-56", "GBP", "Europe/London"),
        ("12345678", None, "EUR", None),
        (None, None, "PLN", "Europe/Warsaw"),
        (None, None, None, None),
    ],
)
def test_where_a_bank_is_follows_from_its_account_or_is_not_known(
    number: str | None, sort_code: str | None, currency: str | None, zone: str | None
) -> None:
    assert zone_of_account(number, sort_code, currency) == zone
