"""A prize that a group won together: many put in a little beforehand, and each gets a similar share within days.

A word explains nothing by itself: those who get the shares must also have put in small sums.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from kycpack.wealth.judge.red_flags.life import Life, once_a_life, within
from kycpack.wealth.judge.red_flags.movements import Movement

_SHARED_DAYS = 30
_BEFORE_DAYS = 180
_FEWEST_SHARES = 5
_LIKE = 0.5  # of the shares have one amount
_PUT_IN = 0.5  # of those who get a share are known to have paid in
_SMALL_PART = 4


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
