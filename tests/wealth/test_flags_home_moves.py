"""Homes that are sold and bought through one solicitor, and money that only passes through a solicitor's account."""

from __future__ import annotations

import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, pay

from kycpack.wealth import derive


def _completion(*further: tuple[object, ...], went_on: str = "2025-05-16") -> list[tuple[object, ...]]:
    """Return the price of a home from a solicitor, and that of the next one to the same, without a word for either."""
    named = {"counterparty_name": "HEELIS SOLICITORS LLP"}
    return [
        *pay(),
        ("2025-05-16", 14_000_000, "PAYMENT", named),
        (went_on, -13_400_000, "PAYMENT", named),
        *further,
    ]


def _instalments(minor: int, months: range) -> list[tuple[object, ...]]:
    return [(f"2025-{month:02d}-03", -minor, "HALIFAX MORTGAGE") for month in months]


_STAMPED = ("2025-05-20", -170_000, "HMRC SDLT")


@pytest.mark.parametrize(
    "further",
    [
        [_STAMPED],
        [("2025-05-20", -170_000, "SDLT 221", {"counterparty_name": "HMRC"})],
        [*_instalments(90_000, range(1, 6)), *_instalments(104_211, range(7, 13))],
        _instalments(90_000, range(1, 6)),
        _instalments(104_211, range(6, 13)),
        [_STAMPED, ("2025-04-22", -1_300_000, "DEPOSIT", {"counterparty_name": "HEELIS SOLICITORS LLP"})],
    ],
)
def test_a_home_sold_and_one_bought_through_one_solicitor_is_reviewed(
    ledger: Ledger, further: list[tuple[object, ...]]
) -> None:
    for day in ("2025-05-16", "2025-05-19"):
        wealth = derive(ledger(*_completion(*further, went_on=day)), as_of=AS_OF)
        assert codes(wealth) == {"large_unexplained": "review"}


@pytest.mark.parametrize(
    "further",
    [
        [],
        [("2025-05-20", -170_000, "HMRC SELF ASSESSMENT")],
        [("2025-05-20", -170_000, "SDLT 221", {"counterparty_name": "I DRAGAN"})],
        _instalments(90_000, range(1, 13)),  # neither ends nor begins
        _instalments(90_000, range(1, 4)),
        [_STAMPED, ("2025-05-09", 2_500_000, "", {"counterparty_name": "I DRAGAN"})],
        [_STAMPED, ("2025-06-20", 9_000_000, "PAYMENT", {"counterparty_name": "HEELIS SOLICITORS LLP"})],
        [_STAMPED, ("2025-04-20", -9_000_000, "PAYMENT", {"counterparty_name": "HEELIS SOLICITORS LLP"})],
    ],
)
def test_a_solicitors_account_through_which_money_only_passes_is_found(
    ledger: Ledger, further: list[tuple[object, ...]]
) -> None:
    assert codes(derive(ledger(*_completion(*further)), as_of=AS_OF)).get("round_trip") == "edd"


def test_a_move_takes_days_and_goes_through_a_lawyer(ledger: Ledger) -> None:
    late = derive(ledger(*_completion(_STAMPED, went_on="2025-05-30")), as_of=AS_OF)
    assert codes(late)["round_trip"] == "edd"
    rows = ledger(*_completion(_STAMPED)).replace(
        {"counterparty_name": {"HEELIS SOLICITORS LLP": "HEELIS LLP"}}
    )
    assert codes(derive(rows, as_of=AS_OF))["round_trip"] == "edd"


def _exchanged(deposit: int, day: str = "2025-04-11") -> tuple[object, ...]:
    """Return a deposit to the solicitor on exchange of contracts, five weeks before completion."""
    return (day, -deposit, "PAYMENT", {"counterparty_name": "HEELIS SOLICITORS LLP"})


@pytest.mark.parametrize(
    "further",
    [
        [_STAMPED, _exchanged(1_480_000)],
        [_STAMPED, _exchanged(1_480_000, "2025-03-24")],
        [_STAMPED, _exchanged(1_480_000, "2025-05-01")],
        [_exchanged(3_100_000), *_instalments(104_211, range(6, 13))],  # a tenth of the price with the loan
    ],
)
def test_the_deposit_on_exchange_is_part_of_the_price(
    ledger: Ledger, further: list[tuple[object, ...]]
) -> None:
    assert codes(derive(ledger(*_completion(*further)), as_of=AS_OF)) == {"large_unexplained": "review"}


@pytest.mark.parametrize(
    "further",
    [
        [_exchanged(1_480_000)],  # nothing bears it out
        [_STAMPED, _exchanged(3_100_000)],  # more than a tenth, and no loan
        [_STAMPED, _exchanged(1_480_000, "2025-01-10")],
        [_STAMPED, _exchanged(1_480_000), _exchanged(1_480_000, "2025-04-14")],
        [_STAMPED, _exchanged(1_480_000), ("2025-04-09", 1_390_000, "", {"counterparty_name": "I DRAGAN"})],
        [_exchanged(3_100_000), *_instalments(90_000, range(1, 6))],  # the old loan pays for nothing
    ],
)
def test_a_deposit_excuses_no_money_that_only_passes_through(
    ledger: Ledger, further: list[tuple[object, ...]]
) -> None:
    assert codes(derive(ledger(*_completion(*further)), as_of=AS_OF)).get("round_trip") == "edd"
