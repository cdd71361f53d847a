"""Sums of ever new strangers around paid nights in ever other places, part of which one party takes.

People who are sold are moved from place to place, are paid by customers who do not return, and hand over what they are paid. Whoever works on the road for
themselves keeps it. Sources: FATF, Financial Flows from Human Trafficking (2018), sexual exploitation; FinCEN, Supplemental Advisory on Human Trafficking (FIN-2020-A008);
National Crime Agency, National Strategic Assessment (2024), modern slavery.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, falls_within
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import paid_bills, sells_by_name, steady_payees
from kycpack.wealth.judge.red_flags.payment_words import topics_in

_FEWEST_TAKEN = 4
_WHILE_PAID = 0.9  # a landlord is paid before and after as well
_MOSTLY = 0.8
_SELDOM = 2
_NEAR_DAYS = 2  # a card payment is booked a day or two later
_SOON_DAYS = 4


@found_where(
    lambda lives: (
        (lives.parties(lives.from_strangers) >= lives.limits.nights_payers)
        & lives.comes_to(lives.from_strangers, lives.limits.taker_total)
        & lives.has(lives.debits & lives.marked("purchase"), lives.limits.nights_count)
        & lives.has(lives.to_unknown & (lives.times_paid_out >= _FEWEST_TAKEN))
    )
)
def nights_away(life: Life) -> Iterator[Flag]:
    """Yield strangers' sums around paid nights of which one party repeatedly takes a part in uneven sums: rent, a stand and a helper cost the same each time."""
    limits = life.limits
    small = [
        one
        for one in life.credits
        if one.stranger
        and one.unproven
        and one.party
        and not (one.cash or one.kind or one.related or one.loan or one.lent or one.given)
        and one.party not in life.payments_to
        and len(life.payments_of[one.party]) <= _SELDOM
        and one.amount <= life.most(limits.fan_in_total)
    ]
    total = sum(one.amount for one in small)
    if len({one.party for one in small}) < limits.nights_payers or total < life.minor(limits.taker_total):
        return
    days = [one.day for one in small]
    nights = [
        one
        for one in life.debits
        if one.purchase
        and "lodging" in topics_in(one.party)
        and falls_within(days, one.day - _NEAR_DAYS, 2 * _NEAR_DAYS)
    ]
    if len({one.day for one in nights}) < limits.nights_count:
        return
    known = steady_payees(life) | paid_bills(life)
    for party, rows in sorted(life.payments_to.items()):
        taken = [one for one in rows if days[0] <= one.day <= days[-1] + limits.collected_days]
        if (
            party not in known
            and not sells_by_name(party)
            and len(taken) >= max(_FEWEST_TAKEN, _WHILE_PAID * len(rows))
            and all(_may_be_taken(one) for one in taken)
            and _follow(days, taken)
            and _vary(taken)
            and limits.nights_share * total <= sum(one.amount for one in taken) <= total
        ):
            yield make_flag(
                "collected_for_one",
                "Sums from strangers around nights away, shared with one party: {credits_words} from {payers_words}, {credits_minor} in all, and {debits_words}, "
                "{debits_minor} in all, for lodging on at least {limit_count} of those days and to one party, {dates}",
                life.currency,
                small,
                [*nights, *taken],
                limit_count=limits.nights_count,
            )
            return


def _may_be_taken(one: Movement) -> bool:
    return one.stranger and not (one.collected or one.kind or one.cash or one.related or one.trade)


def _follow(days: Sequence[int], taken: Sequence[Movement]) -> bool:
    """Return whether most of the sums that are taken come within days of one that was paid in."""
    return sum(falls_within(days, one.day - _SOON_DAYS, _SOON_DAYS) for one in taken) >= _MOSTLY * len(taken)


def _vary(rows: Sequence[Movement]) -> bool:
    """Return whether no more than half of the payments are of one sum."""
    return 2 * Counter(one.amount for one in rows).most_common(1)[0][1] <= len(rows)
