"""Cash and small sums from many that one person collects and sends on abroad, to somebody new each time.

A cause has a project, and a family has a name: both are paid again and again, through a charity or a bank's own remittance. Sources: FATF, Risk of Terrorist Abuse in
Non-Profit Organisations (2014); FATF, Emerging Terrorist Financing Risks (2015), small donations and cash collected on a private account; Charity Commission,
compliance toolkit, chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import is_trader, sells_by_name
from kycpack.wealth.judge.red_flags.payment_words import topics_in
from kycpack.wealth.judge.red_flags.stock import debits_of, passages

_MOST_TIMES = 2
_PERIODS = 2  # a collection goes on until there is enough for one more payment
_IN_CASH = 0.25
_PARTLY = Decimal("0.5")  # small sums are pooled: a payment uses part of some of them
_MONTHS_DAYS = 60  # a trip that many pay for is collected and paid once


@found_where(
    lambda lives: (
        (lives.parties(lives.open & lives.from_strangers) >= lives.limits.cause_payers)
        & lives.comes_to(lives.cash | lives.from_strangers, lives.limits.cause_total)
        & lives.has(lives.cash)
        & (
            lives.parties(lives.debits & lives.marked("abroad") & ~lives.marked("related", "cash"))
            >= lives.limits.cause_payees
        )
    )
)
def collected_for_a_cause(life: Life) -> Iterator[Flag]:
    """Yield cash and strangers' small sums that mostly go abroad to ever new parties, month after month, from somebody who has no trade."""
    limits = life.limits
    if is_trader(life):
        return
    away = [one for one in life.sent_abroad if _is_to_somebody_new(life, one)]
    pool = [
        one
        for one in life.open_credits
        if not (one.related or one.kind)
        and (one.cash or (one.stranger and one.party and one.party not in life.payments_to))
    ]
    moved = passages(pool, away, _PERIODS * limits.collected_days, _PARTLY)
    chosen, debits = [one.credit for one in moved], debits_of(moved)
    total, cash = (sum(one.amount for one in pool if one.cash or whole) for whole in (True, False))
    if (
        len({one.party for one in chosen if not one.cash}) >= limits.cause_payers
        and len({one.party for one in debits}) >= limits.cause_payees
        and sum(one.amount for one in chosen)
        >= max(int(limits.collected_share * total), life.minor(limits.cause_total))
        and cash >= _IN_CASH * total
        and max(one.day for one in debits) - min(one.day for one in debits) >= _MONTHS_DAYS
    ):
        yield make_flag(
            "collected_abroad",
            "Cash and small sums from strangers sent abroad to ever new parties: {credits_words}, {credits_minor} in all, and {debits_words} abroad to {payees_words}, "
            "{debits_minor} in all, each within {window_days} days of the money it moved on, {dates}",
            life.currency,
            chosen,
            debits,
            window_days=_PERIODS * limits.collected_days,
        )


def _is_to_somebody_new(life: Life, one: Movement) -> bool:
    return (
        bool(one.party)
        and not (one.related or one.cash or one.kind or one.property or sells_by_name(one.party))
        and "lodging" not in topics_in(one.party)
        and len(life.payments_to[one.party]) <= _MOST_TIMES
        and one.party not in life.payments_of
    )
