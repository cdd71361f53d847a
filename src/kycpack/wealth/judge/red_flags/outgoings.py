"""What a customer pays as a rule: rent, wages and other bills, which are paid out of whatever is there and move no money on."""

from __future__ import annotations

from collections import Counter

from kycpack.wealth.judge.red_flags.life import Life, once_a_life
from kycpack.wealth.judge.red_flags.takings import card_takings

_STEADY = 0.8  # rent and care cost the same each time
_HOME_SHARE = 0.6  # whatever a payment is called: who gets more of all that comes in is no landlord
_BILL_PARTS = 3  # and are at most one part in so many of what comes in
_HOME, _WAGES = (
    "rental_income",
    "employment",
)  # what the words of a debit speak of, by the type that a credit with these words has


@once_a_life
def paid_bills(life: Life) -> frozenset[str]:
    """Return the parties that are paid rent or the like: the words say so as a rule, or one amount is paid as a habit that is no large part of all income."""
    bills = {
        party for party in rent_payees(life) if _paid(life, party) <= _HOME_SHARE * life.all_credits_minor
    }
    steady = steady_payees(life)
    return frozenset(
        bills | {party for party in steady if _paid(life, party) * _BILL_PARTS <= life.income_minor}
    )


@once_a_life
def rent_payees(life: Life) -> frozenset[str]:
    """Return the parties most payments to whom are called rent or the like."""
    worded = Counter(one.party for one in life.debits if one.type == _HOME)
    return frozenset(
        party for party, count in worded.items() if 2 * count >= len(life.payments_to.get(party, ()))
    )


@once_a_life
def steady_payees(life: Life) -> frozenset[str]:
    """Return the parties that are paid one amount as a habit."""
    found = set()
    for party in life.regular_payees:
        amounts = Counter(one.amount for one in life.payments_to[party])
        if amounts.most_common(1)[0][1] >= _STEADY * len(life.payments_to[party]):
            found.add(party)
    return frozenset(found)


@once_a_life
def trade_bills(life: Life) -> frozenset[str]:
    """Return the parties that a trade pays as a habit for its premises and its work: each gets no large part of what comes in."""
    if not is_trader(life):
        return frozenset()
    worded = {one.party for one in life.debits if one.type in (_HOME, _WAGES)}
    return frozenset(
        party
        for party in worded & life.regular_payees
        if _paid(life, party) * _BILL_PARTS <= life.all_credits_minor
    )


@once_a_life
def suppliers(life: Life) -> frozenset[str]:
    """Return the parties that a trade buys from: the words of most payments to them say so, for a single word is easily put in."""
    worded = Counter(one.party for one in life.debits if one.trade or one.collected)
    return frozenset(
        party for party, count in worded.items() if 2 * count >= len(life.payments_to.get(party, ()))
    )


def trade_costs(life: Life) -> int:
    """Return what was paid for stock, premises and work of a trade, minor units."""
    bills = trade_bills(life)
    return sum(one.amount for one in life.debits if one.trade or one.party in bills)


@once_a_life
def is_trader(life: Life) -> bool:
    """Return whether a customer takes cards or buys what a trade buys."""
    return bool(card_takings(life)) or any(one.trade for one in life.debits)


def takings_minor(life: Life) -> int:
    """Return cash and card takings, minor units."""
    return sum(one.amount for one in (*card_takings(life), *(one for one in life.credits if one.cash)))


def _paid(life: Life, party: str) -> int:
    return sum(one.amount for one in life.payments_to.get(party, ()))
