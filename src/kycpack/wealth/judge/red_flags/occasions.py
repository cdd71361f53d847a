"""Occasions on which money comes and goes for a known reason: a celebration that the customer pays for, a prize that a group won together, and a move to another home.

A word explains nothing by itself. For a celebration, several parties must be paid within months, and the family must give money alongside the gifts of many; a
prize is shared with people who had put in small sums before, in similar shares within days.

When a home is sold and the next one bought, a lawyer pays out the price of the old home, and is paid that of the new one, on one day or nearly. In England and Wales
the buyer pays a deposit when contracts are exchanged, and the rest on completion, weeks later: both are one price. Source: Law Society, Standard Conditions of Sale
(fifth edition), condition 2.2.1, a deposit of 10 per cent of the purchase price. A lawyer's client account is also used to wash money, so the lawyer's name is not
enough: a mortgage that ends or begins, or stamp duty, has to bear it out. Source: Solicitors Regulation Authority, Warning notice: improper use of a client account (2018).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kycpack.wealth.judge.red_flags.life import FEWEST_REGULAR, Life, grouped, is_habit, once_a_life, within
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.payment_words import topics_in

_MOST_PAYMENTS = 4  # a deposit, instalments and the balance
_SHARED_DAYS = 30
_BEFORE_DAYS = 180
_FEWEST_SHARES = 5
_LIKE = 0.5  # of the shares have one amount
_PUT_IN = 0.5  # of those who get a share are known to have paid in
_SMALL_PART = 4
_NEIGHBOURING_DAYS = 4  # a long weekend
_DEPOSIT_PART = 10  # a deposit, fees and a balance come to at most one part in this many
_LENDERS = ("bank", "lender")
_LEAST_INSTALMENT = 1_000  # of the price, in parts
_INSTALMENT_DAYS, _FIRST_INSTALMENT_DAYS = 45, 75
_TAXED_DAYS = 30  # stamp duty is due within 14 days of completion (Finance Act 2003, section 76)
_FUNDED_DAYS = 90
_EXCHANGED_DAYS = (14, 56)  # before completion
_ROUNDED = 1.05  # a price without fees, or with the furniture
# Of one monthly instalment, the loan that it repays over 25 years at 4 per cent.
_LOAN_INSTALMENTS = 190


@dataclass(frozen=True)
class Feast:
    """A celebration that a customer pays for.

    Args:
        payees: Parties that are paid for it.
        first_day: Day of the first payment, days since 1970-01-01.
        last_day: Day of the last one.
    """

    payees: frozenset[str] = frozenset()
    first_day: int = 0
    last_day: int = 0
    around_days: int = 0

    def covers(self, gifts: Sequence[Movement]) -> bool:
        """Return whether credits came at the time of the celebration."""
        if not self.payees:
            return False
        first, last = self.first_day - self.around_days, self.last_day + self.around_days
        return all(first <= one.day <= last for one in gifts)


@once_a_life
def feast_of(life: Life) -> Feast:
    """Return the celebration that a customer pays for; without payees if there is none."""
    limits = life.limits
    paid = [
        one
        for one in life.debits
        if one.event and one.party and not one.abroad and len(life.payments_to[one.party]) <= _MOST_PAYMENTS
    ]
    rows = max(
        (within(paid, one.day, limits.feast_days) for one in paid),
        key=lambda some: len({one.party for one in some}),
        default=(),
    )
    payees = frozenset(one.party for one in rows)
    if len(payees) < limits.feast_payees:
        return Feast()
    first, last = rows[0].day, rows[-1].day
    around = within(life.credits, first - limits.feast_days, last - first + 2 * limits.feast_days)
    if len({one.party for one in around if one.kin and one.party}) < limits.feast_family:
        return Feast()
    return Feast(payees, first, last, limits.feast_days)


@dataclass(frozen=True)
class Prize:
    """A prize and the shares that were paid out of it.

    Args:
        won: The credit; None if there is no shared prize.
        shares: The debits that share it out.
    """

    won: Movement | None = None
    shares: tuple[Movement, ...] = ()


@once_a_life
def shared_prize(life: Life) -> Prize:
    """Return the prize that was shared with those who had put in; an empty one if there is none."""
    least = life.minor(life.limits.large_credit)
    for one in life.credits:
        if one.amount < least or one.cash or not (one.is_open or one.kind == "gambling"):
            continue
        paid = [
            out
            for out in within(life.debits, one.day, _SHARED_DAYS)
            if out.party and not (out.purchase or out.collected or out.cash)
        ]
        usual, times = Counter(out.amount for out in paid).most_common(1)[0] if paid else (0, 0)
        shares = tuple(out for out in paid if out.amount % usual == 0) if usual else ()
        if times < _FEWEST_SHARES or times < _LIKE * len(shares):
            continue
        before = {
            row.party
            for row in within(life.credits, one.day - _BEFORE_DAYS, _BEFORE_DAYS)
            if row.amount * _SMALL_PART <= usual
        }
        payees = {out.party for out in shares}
        if len(payees & before) >= _PUT_IN * len(payees) and sum(out.amount for out in shares) <= one.amount:
            return Prize(one, shares)
    return Prize()


def is_conveyed(life: Life, both: Sequence[tuple[Movement, Movement]]) -> bool:
    """Return whether a lawyer paid out the price of a home and received that of the next: what came through a lawyer is reviewed as a large credit.

    Many a firm is an LLP: what it paid in has to read like the price of a home, or all else has to look like a move.

    Args:
        life: The payments.
        both: What one party paid in and received, in nearly equal amounts.
    """
    rows = [one for pair in both for one in pair]
    return all(one.type == "property_sale" if one.is_credit else one.property for one in rows) or (
        len(both) == 1 and _is_a_move(life, *sorted(rows, key=lambda one: not one.is_credit))
    )


def _is_a_move(life: Life, came: Movement, went: Movement) -> bool:
    """Return whether a lawyer's only large payment, and the only one to the lawyer, are the prices of two homes."""
    others = [one for one in life.every_credit if one.party == came.party and one is not came]
    deposit = _deposit(life, came, went)
    more = [one for one in life.payments_to[came.party] if one is not went and one is not deposit]
    return (
        "lawyer" in topics_in(came.party)
        and abs(came.day - went.day) <= _NEIGHBOURING_DAYS
        and all(_DEPOSIT_PART * sum(one.amount for one in rows) <= came.amount for rows in (others, more))
        and _DEPOSIT_PART * _from_strangers(life, came.party, came.day) <= came.amount
        and (_is_stamped(life, went) or _has_another_mortgage(life, came))
    )


def _deposit(life: Life, came: Movement, went: Movement) -> Movement | None:
    """Return what was paid to the lawyer on exchange, if it is a deposit on the price and the customer had the money."""
    first, last = _EXCHANGED_DAYS
    paid = [one for one in life.payments_to[came.party] if first <= went.day - one.day <= last]
    if not paid:
        return None
    deposit = max(paid, key=lambda one: one.amount)
    price = deposit.amount + went.amount + _lent(life, came)
    is_part = _DEPOSIT_PART * deposit.amount <= _ROUNDED * price
    strange = _from_strangers(life, came.party, deposit.day)
    return deposit if is_part and _DEPOSIT_PART * strange <= deposit.amount else None


def _from_strangers(life: Life, lawyer: str, day: int) -> int:
    """Return how much other money of unknown nature had come in before a day, minor units."""
    before = within(life.open_credits, day - _FUNDED_DAYS, _FUNDED_DAYS)
    return sum(one.amount for one in before if one.party != lawyer and not one.related)


def _is_stamped(life: Life, went: Movement) -> bool:
    """Return whether the tax on buying a home was paid to the tax office soon after."""
    return any(one.property for one in within(life.taxes, went.day, _TAXED_DAYS))


def _lent(life: Life, came: Movement) -> int:
    """Return about how much a lender paid to the lawyer for a home bought with a new mortgage, minor units."""
    rows = next((some for some in _instalments(life, came) if _begins(life, came, some)), [])
    return _LOAN_INSTALMENTS * rows[0].amount if rows else 0


def _has_another_mortgage(life: Life, came: Movement) -> bool:
    """Return whether equal instalments to a lender ended with the sale, or began with the purchase."""
    last = life.movements[-1].day
    return any(
        (came.day - _INSTALMENT_DAYS <= rows[-1].day <= came.day and last >= came.day + _INSTALMENT_DAYS)
        or _begins(life, came, rows)
        for rows in _instalments(life, came)
    )


def _begins(life: Life, came: Movement, rows: Sequence[Movement]) -> bool:
    """Return whether instalments began with the purchase."""
    is_new = life.movements[0].day <= came.day - _INSTALMENT_DAYS
    return is_new and came.day <= rows[0].day <= came.day + _FIRST_INSTALMENT_DAYS


def _instalments(life: Life, came: Movement) -> list[list[Movement]]:
    """Return equal instalments to a lender, as those of a mortgage on such a price."""
    lent = (
        one for one in life.debits if one.kind in _LENDERS and _LEAST_INSTALMENT * one.amount >= came.amount
    )
    by_sum = grouped(lent, lambda one: (one.party, one.amount))
    return [rows for rows in by_sum.values() if len(rows) >= FEWEST_REGULAR and is_habit(rows)]
