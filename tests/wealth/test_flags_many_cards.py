"""An account that many cards pay into: each card is a payer, although the text names nobody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def _card(d: Diary) -> str:
    return d.rng.choice(("*{}", "**** {}", "XXXX{}")).format(d.rng.randint(1000, 9999))


def cards_of_many(d: Diary) -> None:
    start, takers = d.day(40, 200), d.people(2)
    topped = 0
    for _ in range(d.rng.randint(30, 50)):
        amount = d.rng.randint(6, 45) * 10
        topped += amount
        d.pay(start + d.rng.randint(0, 80), amount, "CARD TOP UP", _card(d))
    for number in range(9):
        d.pay(start + 10 + 9 * number, -topped / 10, d.rng.choice(takers))


def own_cards(d: Diary) -> None:
    """The customer tops up from two cards of their own, and pays a friend's share of the holiday."""
    cards, friend = [_card(d), _card(d)], d.person()
    for number in range(40):
        d.pay(10 + 8 * number, d.rng.randint(6, 30) * 10, "CARD TOP UP", d.rng.choice(cards))
    for number in range(8):
        d.pay(30 + 40 * number, -d.rng.randint(300, 600), friend)


def wage_with_own_account(d: Diary) -> None:
    for month in range(12):
        d.pay(month * 30.4 + 27, 2_300, "Fenwick Logistics", "SALARY TO ****4417")
        d.pay(month * 30.4 + 28, -500, d.person())


def invoices_of_a_firm(d: Diary) -> None:
    """A firm pays numbered invoices every four weeks."""
    for number in range(12):
        d.pay(20 + 28 * number, 1_500 + number, "Bramley Freight Ltd", f"INV *{2000 + number}")


_KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (cards_of_many, True),
    (own_cards, False),
    (wage_with_own_account, False),
    (invoices_of_a_firm, False),
)


@pytest.fixture(scope="module")
def topped_up() -> dict[str, list[dict[str, str]]]:
    return codes_by_kind(derived_kinds(_KINDS))


@pytest.mark.parametrize(("make", "guilty"), _KINDS)
def test_only_cards_of_many_are_a_flag(
    topped_up: dict[str, list[dict[str, str]]], make: Callable[[Diary], None], *, guilty: bool
) -> None:
    found = ["edd" in one.values() for one in topped_up[make.__name__]]
    assert found == [guilty] * len(SEEDS), topped_up[make.__name__]
