"""Cash that is lent and collected; and people who handle cash, and have pupils, without lending any."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, Stories, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary
from tests.wealth.test_flag_sentences import of_its_payments, with_payments

_LEAST = 20_000


def _draw(d: Diary, day: float, amount: float) -> None:
    d.pay(day, -amount, "ATM", "CASH WITHDRAWAL", code="PMNT-CCRD-CWDL")


def _bank(d: Diary, day: float, amount: float) -> None:
    d.pay(day, amount, "CASH DEPOSIT", "HIGH STREET")


def lends_and_collects_in_cash(d: Diary) -> None:
    for week in range(2, 50):
        if d.rng.random() < 0.6:
            _draw(d, 7 * week + 4, d.rng.choice((200, 250, 300, 400)))
        for _ in range(d.rng.randint(1, 3)):
            _bank(d, 7 * week + d.rng.randint(0, 6), d.rng.randint(8, 40) * 5)


def sends_loans_and_collects_in_cash(d: Diary) -> None:
    """Each borrower is sent one sum; nobody is named when the cash comes back."""
    for name in d.people(16):
        d.pay(d.rng.randint(5, 290), -d.rng.randint(4, 14) * 50, name)
    for week in range(5, 51):
        for _ in range(d.rng.randint(1, 3)):
            _bank(d, 7 * week + d.rng.randint(0, 6), d.rng.randint(8, 40) * 5)


def lends_cash_and_collects_by_transfer(d: Diary) -> None:
    for name in d.people(12):
        first, lent = d.rng.randint(1, 32), d.rng.randint(4, 12) * 50
        _draw(d, 7 * first + 1, lent)
        for week in range(14):
            d.pay(7 * (first + 1 + week) + 4, max(25, round(lent * 1.7 / 14 / 5) * 5), name)


def waitress(d: Diary) -> None:
    """Tips are paid in each week, and pocket money is drawn; twice a holiday's."""
    for week in range(52):
        _bank(d, 7 * week + 1, d.rng.randint(12, 34) * 5)
        if d.rng.random() < 0.6:
            _draw(d, 7 * week + 5, d.rng.choice((20, 30, 50, 100)))
    for day in (100, 250):
        _draw(d, day, 300)


def christmas_club(d: Diary) -> None:
    """What the neighbours save is banked week by week and drawn in a week in December."""
    for week in range(2, 44):
        _bank(d, 7 * week + 2, d.rng.randint(14, 30) * 5)
    for day in range(8):
        _draw(d, 308 + day, 500)


def household_in_cash(d: Diary) -> None:
    """The housekeeping is drawn every week, and what is sold at car boot sales is banked now and then."""
    for week in range(52):
        _draw(d, 7 * week + 4, d.rng.choice((200, 220, 250)))
    for _ in range(12):
        _bank(d, d.rng.randint(5, 350), d.rng.randint(8, 60) * 5)


def stall(d: Diary) -> None:
    """The takings are banked, the owner draws a living, and the goods come from wholesalers."""
    for week in range(52):
        taken = d.rng.randint(80, 140) * 5
        _bank(d, 7 * week + 1, taken)
        d.pay(7 * week + 2, -taken * d.rng.uniform(0.5, 0.6), "Booker Wholesale", "STOCK", code="PMNT-CCRD-POSD")  # fmt: skip
        if week % 3 == 0:
            _draw(d, 7 * week + 5, d.rng.choice((200, 250, 300)))


def teacher(d: Diary) -> None:
    """Pupils pay by the week, all along or for a term, and every month cash is drawn for the household."""
    for number, name in enumerate(d.people(12)):
        fee, first = d.rng.choice((25, 30, 35)), d.rng.randint(0, 30)
        for week in range(50) if number % 2 else range(first, first + 12):
            d.pay(7 * week + 3, fee, name, "LESSON")
    for month in range(12):
        _draw(d, month * 30.4 + 3, 250)


_KINDS: tuple[tuple[Callable[[Diary], None], str], ...] = (
    (lends_and_collects_in_cash, "cash_without_trade"),
    (sends_loans_and_collects_in_cash, "cash_without_trade"),
    (lends_cash_and_collects_by_transfer, "loans_to_many"),
    (waitress, ""),
    (christmas_club, ""),
    (household_in_cash, ""),
    (stall, ""),
    (teacher, ""),
)


@pytest.fixture(scope="module")
def lenders() -> Stories:
    return derived_kinds([(make, bool(code)) for make, code in _KINDS])


@pytest.mark.parametrize(("make", "code"), _KINDS)
def test_money_that_is_lent_in_cash_is_found_and_other_cash_is_not(
    lenders: Stories, make: Callable[[Diary], None], code: str
) -> None:
    every = [
        sorted({"cash_without_trade", "loans_to_many"} & one.keys())
        for one in codes_by_kind(lenders)[make.__name__]
    ]
    assert every == [[code] if code else []] * len(SEEDS)


def test_every_number_of_the_sentence_follows_from_its_payments(lenders: Stories) -> None:
    seen = set()
    for _, guilty, rows, wealth in lenders:
        for flag, mine in with_payments(rows, wealth):
            if flag["code"] not in {"cash_without_trade", "loans_to_many"}:
                continue
            assert guilty
            facts = flag["facts"]
            own = of_its_payments(mine, int(rows["amount_minor"].clip(lower=0).sum()))
            assert {name: facts[name] for name in own if name in facts} == {
                name: own[name] for name in own if name in facts
            }
            out = mine[mine["amount_minor"] < 0]
            assert (out["amount_minor"] <= -_LEAST).all()
            in_cash = out["description_raw"].str.contains("CASH").all()
            assert (" or in round sums to people" in flag["message"]) == (not in_cash)
            seen.add(flag["message"].partition(":")[0])
    assert seen == {
        "Cash that goes out and comes back without a trade",
        "Instalments from many people, and cash that they may have been lent",
    }
