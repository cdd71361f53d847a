"""Pay that one employer pays several times within days: the wages of several people that come into one account.

Source: ACFE, Fraud Examiners Manual (2023), payroll schemes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from statistics import median

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, by_party, day_of
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.prepare.coded import Mask

_SAME_PAY_DAYS = 5
_LIKE_PAY = 0.5  # a bonus or expenses alongside the wage are not another person's wage
_MOST_WAGES = 2


def _may_be_paid_again(lives: Lives) -> Mask:
    """Return which lives have more pay than two wages within days, often enough."""
    pay = lives.income & lives.of_type("employment")
    again = pay.copy()
    again[pay] = lives.after(pay, pay, _SAME_PAY_DAYS)[0] > _MOST_WAGES
    return lives.has(again, lives.limits.pay_again_count)


@found_where(_may_be_paid_again)
def paid_several_times(life: Life) -> Iterator[Flag]:
    """Yield pay that one employer pays several times within days, month after month: a person has one wage; a couple who share the account have two."""
    for rows in by_party([one for one in life.income if one.type == "employment"]).values():
        usual = median(one.amount for one in rows)
        whole = [one for one in rows if _LIKE_PAY * usual <= one.amount]
        together: list[Movement] = []
        times = start = 0
        while start < len(whole):
            end = bisect_right(whole, whole[start].day + _SAME_PAY_DAYS, lo=start, key=day_of)
            if end - start > _MOST_WAGES:
                together += whole[start:end]
                times += 1
            start = end
        if times >= life.limits.pay_again_count:
            yield make_flag(
                "paid_several_times",
                "Pay that comes several times a month: {credits_words} from one employer, {credits_minor} in all, more than two at a time, {dates}",
                life.currency,
                together,
            )
            return
