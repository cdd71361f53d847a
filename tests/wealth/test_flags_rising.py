"""Payments to one stranger that rise from each to the next, partly from a loan or savings, and honest payments in parts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def _borrow(d: Diary, day: float, amount: float) -> None:
    d.pay(day, amount, "Zopa Bank", "LOAN")


def lover(d: Diary) -> None:
    """A romance fraud: ever larger sums to one person who was never paid before, without a word, and a loan when the money runs out."""
    start, amount, name = d.day(80, 150), d.rng.randint(250, 450), d.person()
    for number in range(d.rng.randint(9, 11)):
        d.pay(start + 14 * number, -amount, name)
        amount = round(amount * d.rng.uniform(1.3, 1.45))
    _borrow(d, start + 60, d.rng.randint(7, 11) * 1000)


def builder(d: Diary) -> None:
    """A kitchen on credit: a deposit, stages as the work goes on, and a balance."""
    start, name, price = d.day(80, 150), d.person(), d.rng.randint(14, 24) * 1000
    _borrow(d, start - 5, price)
    for number, share in enumerate((0.1, 0.2, 0.15, 0.2, 0.15, 0.2)):
        d.pay(start + 15 * number, -price * share, name)


def wedding(d: Diary) -> None:
    """Deposits first and balances later, to those who cater for it."""
    start = d.day(80, 120)
    _borrow(d, start, 12_000)
    for name in d.people(6):
        price = d.rng.randint(900, 3500)
        d.pay(start + d.rng.randint(1, 20), -price * 0.2, name)
        d.pay(start + 120 + d.rng.randint(0, 10), -price * 0.8, name)


def stages_of_a_house(d: Diary) -> None:
    """Most of the price is paid late, but each large stage is followed by a smaller one."""
    start, name, price = d.day(80, 150), d.person(), d.rng.randint(14, 24) * 1000
    _borrow(d, start - 5, price)
    for number, share in enumerate((0.05, 0.03, 0.06, 0.04, 0.3, 0.12, 0.28, 0.12)):
        d.pay(start + 15 * number, -price * share, name)


def rent_that_rises(d: Diary) -> None:
    name, rent = d.person(), d.rng.randint(900, 1400)
    for month in range(3, 12):
        d.pay(month * 30.4, -rent * (1 + 0.01 * month), name)
    _borrow(d, 120, 8_000)


_KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (lover, True),
    (builder, False),
    (stages_of_a_house, False),
    (wedding, False),
    (rent_that_rises, False),
)


@pytest.fixture(scope="module")
def sent() -> dict[str, list[dict[str, str]]]:
    return codes_by_kind(derived_kinds(_KINDS, salary=2_400))


@pytest.mark.parametrize(("make", "guilty"), _KINDS)
def test_only_what_keeps_rising_is_a_flag_without_a_word(
    sent: dict[str, list[dict[str, str]]], make: Callable[[Diary], None], *, guilty: bool
) -> None:
    every = [one.get("sent_beyond_means") for one in sent[make.__name__]]
    assert every == ["edd" if guilty else None] * len(SEEDS)
