"""Loans of many lenders that leave at once, and honest borrowers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, Stories, derived_kinds, is_found
from tests.wealth.money_patterns import Diary
from tests.wealth.test_flag_sentences import of_its_payments, with_payments

_LENDERS = ("Lendable Ltd", "Novuna", "118 118 Money", "Livelend", "Zopa Bank")


def bust_out(d: Diary) -> None:
    """Everything that can be borrowed within a fortnight leaves to different people and in cash."""
    start, total = d.day(100, 250), 0
    for number, lender in enumerate(d.rng.sample(_LENDERS, 4)):
        amount = d.rng.randint(5, 12) * 1000
        total += amount
        d.pay(start + 3 * number, amount, lender, "LOAN ADVANCE")
    for number, name in enumerate(d.people(4)):
        d.pay(start + 12 + 4 * number, -total * 0.19, name)
    for number in range(12):
        d.pay(start + 12 + number, -400, "ATM", "CASH WITHDRAWAL", code="PMNT-CCRD-CWDL")


def loan_for_a_roof(d: Diary) -> None:
    start, builder = d.day(100, 250), d.person()
    d.pay(start, 14_000, d.rng.choice(_LENDERS), "LOAN ADVANCE")
    d.pay(start + 5, -9_000, builder, "ROOF")
    d.pay(start + 30, -5_000, builder, "ROOF")


def debts_put_together(d: Diary) -> None:
    start = d.day(60, 250)
    for number, lender in enumerate(d.rng.sample(_LENDERS, 3)):
        d.pay(start + 9 * number, 4_000, lender, "LOAN ADVANCE")
        d.pay(start + 9 * number + 2, -3_900, d.rng.choice(("MBNA", "Barclaycard", "Capital One")))


_KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (bust_out, True),
    (loan_for_a_roof, False),
    (debts_put_together, False),
)


@pytest.fixture(scope="module")
def borrowed() -> Stories:
    return derived_kinds(_KINDS, salary=2_600)


@pytest.mark.parametrize(("make", "guilty"), _KINDS)
def test_only_loans_that_leave_to_nobody_known_are_a_flag(
    borrowed: Stories, make: Callable[[Diary], None], *, guilty: bool
) -> None:
    found = [is_found(wealth) for kind, _, _, wealth in borrowed if kind == make.__name__]
    assert found == [guilty] * len(SEEDS)


def test_every_number_of_the_sentence_follows_from_its_payments(borrowed: Stories) -> None:
    seen = 0
    for _, guilty, rows, wealth in borrowed:
        for flag, mine in with_payments(rows, wealth):
            if not guilty or flag["code"] != "savings_sent_away":
                continue
            seen += 1
            own = of_its_payments(mine, int(rows["amount_minor"].clip(lower=0).sum()))
            assert {name: flag["facts"][name] for name in own if name in flag["facts"]} == {
                name: own[name] for name in own if name in flag["facts"]
            }
            assert mine["description_raw"][mine["amount_minor"] > 0].nunique() == flag["facts"]["payers"]
    assert seen
