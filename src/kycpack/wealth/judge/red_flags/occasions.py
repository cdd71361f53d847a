"""Occasions on which many people pay or are paid for a known reason: a celebration that the customer pays for, and a prize that a group won together.

A word explains nothing by itself. For a celebration, several parties must be paid within months, and the family must give money alongside the gifts of many; a
prize is shared with people who had put in small sums before, in similar shares within days.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kycpack.wealth.judge.red_flags.life import Life, once_a_life, within
from kycpack.wealth.judge.red_flags.movements import Movement

_MOST_PAYMENTS = 4  # a deposit, instalments and the balance
_SHARED_DAYS = 30
_BEFORE_DAYS = 180
_FEWEST_SHARES = 5
_LIKE = 0.5  # of the shares have one amount
_PUT_IN = 0.5  # of those who get a share are known to have paid in
_SMALL_PART = 4


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
