"""Random pay days, rises and varying amounts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from kycpack.synthetic.ledger import HouseholdLedger
from kycpack.synthetic.pay_days import LAST_DAY, PayRule

MONTHLY_PAY_DAYS = (
    (PayRule("monthly", days=(LAST_DAY,)), 5),
    (PayRule("monthly", days=(28,)), 3),
    (PayRule("monthly", days=(25,)), 3),
    (PayRule("monthly", days=(30,)), 2),
    (PayRule("monthly", days=(15,)), 2),
    (PayRule("monthly", days=(20,)), 1),
    (PayRule("monthly", days=(1,), roll="after"), 1),
    (PayRule("monthly", last_weekday=4), 1),
)


def draw_monthly(rng: Random) -> PayRule:
    """Return a monthly rule."""
    rules = [rule for rule, _ in MONTHLY_PAY_DAYS]
    weights = [weight for _, weight in MONTHLY_PAY_DAYS]
    return rng.choices(rules, weights=weights)[0]


def every(ledger: HouseholdLedger, days: int, cadence: str, roll: str = "before") -> PayRule:
    """Return a rule for a payment every so many days, from a weekday near the beginning of the history."""
    monday = ledger.start - timedelta(days=ledger.start.weekday())
    weekday = ledger.rng.choice((1, 2, 3, 4, 4))
    anchor = monday + timedelta(days=weekday + 7 * ledger.rng.randrange(max(1, days // 7)))
    return PayRule(cadence, step_days=days, anchor=anchor, roll=roll)


def raised(
    dates: Sequence[date], usual: int, yearly: float, *, jitter: float = 0.0, rng: Random | None = None
) -> list[tuple[date, int]]:
    """Return the same amount on each day, raised every April."""
    paid = []
    for day in dates:
        rises = (day.year - dates[0].year) + (day.month >= 4) - (dates[0].month >= 4)
        minor = round(usual * yearly**rises)
        paid.append((day, around(rng, minor, jitter) if rng and jitter else minor))
    return paid


def around(rng: Random, usual: int, spread: float) -> int:
    """Return an amount that differs from the usual one by at most a share of it."""
    return max(1, round(usual * rng.uniform(1 - spread, 1 + spread)))
