"""A wedding or another celebration: many people give once, and the money goes to those who cater for it.

A word explains nothing by itself: several parties must be paid for the celebration within months, and the family must give money alongside the gifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kycpack.wealth.judge.red_flags.life import Life, once_a_life, within
from kycpack.wealth.judge.red_flags.movements import Movement

_MOST_PAYMENTS = 4  # a deposit, instalments and the balance


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
