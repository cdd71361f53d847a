"""Savings that are gone in a day or two to parties never seen before; and moves, cars, gifts and builders that empty savings as fast."""

from __future__ import annotations

import pytest
from tests.wealth.flag_parts import codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def fetched(d: Diary, amount: float) -> int:
    """Bring savings into the account that is lived from."""
    d.accounts.append("A2")
    for month in range(11):
        d.pay(10 + 30 * month, -200, d.customer, "SAVINGS")
        d.pay(10 + 30 * month, 200, d.customer, "SAVINGS", account="A2")
    day = d.day(120, 320)
    d.pay(day, -amount, d.customer, "TRANSFER", account="A2")
    d.pay(day, amount, d.customer, "TRANSFER")
    return day


def drained_after_a_trial(d: Diary) -> None:
    day, payee = fetched(d, 9_000), d.person()
    for number, amount in enumerate((1, 1_400, 1_450, 1_500, 1_550, 1_600)):
        d.pay(day + number // 4, -amount, payee)


def over_several_mules(d: Diary) -> None:
    day, names = fetched(d, 12_000), d.people(3)
    d.pay(day, -2, names[0])
    for number, name in enumerate(names):
        d.pay(day + number % 2, -3_100 - 250 * number, name, "INVOICE")


def tried_the_day_before(d: Diary) -> None:
    """The payee is tested before the savings are fetched."""
    day, names = fetched(d, 10_000), d.people(2)
    d.pay(day - 1, -1, names[0])
    for number, amount in enumerate((2_300, 2_500, 2_400, 2_100)):
        d.pay(day + 1, -amount, names[number % 2])


def loan_drained(d: Diary) -> None:
    day = d.day(120, 320)
    d.pay(day, 7_500, "Harbourline Lending Ltd", "LOAN ADVANCE")
    names = d.people(2)
    for number in range(6):
        d.pay(day + number // 3, -1_150 - 10 * number, names[number % 2])


def moves_house(d: Diary) -> None:
    day = fetched(d, 6_000)
    landlord = d.person()
    d.pay(day, -1_500, landlord, "DEPOSIT")
    d.pay(day + 1, -1_200, landlord, "RENT")
    for amount in (450, 900, 700):
        d.pay(day + 1, -amount, d.person(), d.rng.choice(("VAN", "SOFA", "")))


def buys_a_car(d: Diary) -> None:
    """A private seller is tested with a pound and paid at the bank's daily limit."""
    day, seller = fetched(d, 13_000), d.person()
    for number, amount in enumerate((1, 5_000, 5_000)):
        d.pay(day + number // 2, -amount, seller, "CAR")


def gives_to_grandchildren(d: Diary) -> None:
    day = fetched(d, 6_000)
    for name in d.people(6):
        d.pay(day, -1_000, name, d.rng.choice(("", "GIFT", "LOVE")))


def pays_a_known_builder(d: Diary) -> None:
    day, builder = fetched(d, 8_000), d.person()
    d.pay(day - 60, -300, builder, "DEPOSIT")
    for number in range(5):
        d.pay(day + number // 3, -1_500, builder, "KITCHEN")


@pytest.mark.parametrize(
    "kind", [drained_after_a_trial, over_several_mules, tried_the_day_before, loan_drained]
)
def test_savings_gone_in_a_rush_to_new_payees_are_found(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, True)])).values()  # type: ignore[list-item]
    assert all(one.get("savings_sent_away") == "edd" for one in found)


@pytest.mark.parametrize("kind", [moves_house, buys_a_car, gives_to_grandchildren, pays_a_known_builder])
def test_savings_spent_at_once_on_a_life_event_are_not(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, False)])).values()  # type: ignore[list-item]
    assert not any("savings_sent_away" in one for one in found)
