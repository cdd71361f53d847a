"""Benefits and tax refunds of many people that come into one account.

A household is due a few benefits, and a person a refund or two of tax each year. Sources: National Crime Agency, National Strategic Assessment (2024),
accounts of vulnerable people that others use; FATF, Professional Money Laundering (2018), accounts that collect the proceeds of fraud.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import YEAR_DAYS, Life, is_habit, largest
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import is_trader
from kycpack.wealth.judge.red_flags.pay import day_of
from kycpack.wealth.judge.red_flags.stock import debits_of, passages

_BENEFIT, _REFUND = "state_benefit", "tax_refund"
_PARTLY, _MOSTLY = Decimal("0.5"), 0.6
_FEWEST_TIMES = 3  # two benefits that were granted late are paid together once


@found_where(
    lambda lives: (
        lives.has(
            lives.credits & lives.of_type(_BENEFIT),
            _FEWEST_TIMES * min(lives.limits.claim_sums, lives.limits.claim_sums_drawn),
        )
        | lives.has(lives.credits & lives.of_type(_REFUND), lives.limits.claim_refunds)
    )
)
def claims_of_many(life: Life) -> Iterator[Flag]:
    """Yield benefits in more different sums at a time than a household is due, time after time, and more tax refunds in a year than a person is due.

    A trader may have tax repaid every month.
    """
    limits = life.limits
    least = life.minor(limits.pass_through_amount)
    claims = [one for one in life.credits if one.amount >= least and not one.cash]
    every = [one for one in claims if one.type == _BENEFIT]
    fewest = limits.claim_sums
    benefits = _times_of_many(life, every, fewest)
    if not benefits:
        fewest = limits.claim_sums_drawn
        benefits = _all_drawn(life, _times_of_many(life, every, fewest))
    if benefits:
        yield make_flag(
            "claims_of_many",
            "Benefits for more people than one household: {credits_words} in {limit_count} or more different sums within {window_days} days at a time, "
            "{credits_minor} in all, {dates}",
            life.currency,
            benefits,
            limit_count=fewest,
            window_days=limits.claim_days,
        )
    refunds = [one for one in claims if one.type == _REFUND]
    if is_habit(refunds) or is_trader(life):
        return
    refunds = largest(refunds, YEAR_DAYS)
    if len(refunds) >= limits.claim_refunds:
        yield make_flag(
            "claims_of_many",
            "More tax refunds than one person is due: {credits_words} within {window_days} days, {credits_minor} in all, {dates}",
            life.currency,
            refunds,
            window_days=YEAR_DAYS,
        )


def _all_drawn(life: Life, benefits: list[Movement]) -> list[Movement]:
    """Return benefits if most of them leave in cash within weeks; none otherwise. Whoever collects for others hands the money over."""
    found = passages(benefits, life.cash_drawn, life.limits.claim_days, _PARTLY)
    drawn = sum(one.amount for one in debits_of(found))
    return benefits if drawn >= _MOSTLY * sum(one.amount for one in benefits) else []


def _times_of_many(life: Life, benefits: list[Movement], sums: int) -> list[Movement]:
    """Return the benefits of each time at which too many different sums were paid; each benefit is paid once in such a time, or again in the same sum."""
    limits = life.limits
    found: list[Movement] = []
    times = start = 0
    while start < len(benefits):
        end = bisect_right(benefits, benefits[start].day + limits.claim_days - 1, lo=start, key=day_of)
        if len({one.amount for one in benefits[start:end]}) < sums:
            start += 1
            continue
        found += benefits[start:end]
        times += 1
        start = end
    return found if times >= _FEWEST_TIMES else []
