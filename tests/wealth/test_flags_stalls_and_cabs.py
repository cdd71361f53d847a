"""Stalls and cabs whose wholesalers and clients are on no list, and the same money where no trade explains it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, Stories, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def _stall(d: Diary, payee: str, *, share: float, step: float, cash_step: float = 0.01) -> None:
    """Bank the takings three times a week, and pay a part of them to one party."""
    for week in range(1, 51):
        takings = [round(d.rng.uniform(420, 1250) / cash_step) * cash_step for _ in range(3)]
        for weekday, taken in zip((1, 3, 6), takings, strict=True):
            d.pay(7 * week + weekday, taken, "CASH DEPOSIT", "HIGH STREET")
        part = sum(takings) * share * d.rng.uniform(0.9, 1.1)
        d.pay(7 * week + 9, -round(part / step) * step, payee)
        d.pay(7 * week + 2, -93, "City Council Markets", "PITCH")


def stall_of_an_unlisted_wholesaler(d: Diary) -> None:
    _stall(d, "New Spitalgate", share=0.6, step=0.01)


def stall_that_pays_tax(d: Diary) -> None:
    """Round notes, and tax in January and July as a sole trader pays it."""
    _stall(d, "New Spitalgate", share=0.6, step=0.01, cash_step=5)
    for day in (20, 205):
        d.pay(day, -4_000, "HMRC", "SELF ASSESSMENT")


def till_for_a_person(d: Diary) -> None:
    _stall(d, "Goran Petrosyan", share=0.6, step=0.01)


def till_without_a_margin(d: Diary) -> None:
    _stall(d, "New Spitalgate", share=0.95, step=0.01)


def notes_sent_on_in_round_sums(d: Diary) -> None:
    _stall(d, "New Spitalgate", share=0.6, step=50, cash_step=10)


def hired_cab(d: Diary) -> None:
    """The fares are steady; account work is paid by one of two firms, of which only one is a known platform."""
    for week in range(1, 51):
        for weekday in (2, 5):
            d.pay(7 * week + weekday, d.rng.randint(28, 72) * 5, "CASH DEPOSIT", "HIGH STREET")
        firm = d.rng.choice(("Free Now", "Citywide Account"))
        d.pay(7 * week + 3, d.rng.randint(180, 420), firm)
        d.pay(7 * week, -245, "Metro Cab Rentals")


def mule_who_pays_tax_once(d: Diary) -> None:
    """Strangers' money goes to two companies on the next day in uneven sums; the salary is no margin on it, and one payment of tax no trade."""
    for number in range(45):
        day, amount = 5 + 7 * number, round(d.rng.uniform(800, 2400), 2)
        d.pay(day, amount, d.person())
        d.pay(day + 1, -round(amount * 0.97, 2), ("Brackwell Trading Ltd", "Orbit Parts Ltd")[number % 2])
    for month in range(12):
        d.pay(20 + 30 * month, 3_000, "Acme Ltd", "SALARY")
    d.pay(200, -2_000, "HMRC", "SELF ASSESSMENT")


_KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (stall_of_an_unlisted_wholesaler, False),
    (stall_that_pays_tax, False),
    (hired_cab, False),
    (till_for_a_person, True),
    (till_without_a_margin, True),
    (notes_sent_on_in_round_sums, True),
    (mule_who_pays_tax_once, True),
)


@pytest.fixture(scope="module")
def found() -> Stories:
    return derived_kinds(_KINDS, salary=None)


@pytest.mark.parametrize("make", [make for make, guilty in _KINDS if guilty])
def test_cash_that_leaves_without_the_signs_of_a_trade_is_moved_on(
    found: Stories, make: Callable[[Diary], None]
) -> None:
    assert [one.get("pass_through") for one in codes_by_kind(found)[make.__name__]] == ["edd"] * len(SEEDS)


@pytest.mark.parametrize("make", [stall_of_an_unlisted_wholesaler, stall_that_pays_tax])
def test_goods_that_a_stall_pays_for_out_of_its_takings_are_not(
    found: Stories, make: Callable[[Diary], None]
) -> None:
    assert not any("pass_through" in one for one in codes_by_kind(found)[make.__name__])


def test_a_cab_whose_clients_are_not_all_known_has_no_season(found: Stories) -> None:
    assert not any("cash_beyond_takings" in one for one in codes_by_kind(found)["hired_cab"])
