"""Strangers' money that leaves slowly, as goods, as somebody's bill, or as crypto bit by bit.

Money mules are told to wait, or to buy goods and send them on, so that nothing leaves within days. What shows it is that many who pay in and receive nothing meet
many purchases or payees of the same sums. Sources: FATF, Professional Money Laundering (2018), money mules; Europol, European Money Mule Action
(2023), reshipping and crypto; FATF, Guidance for a Risk-Based Approach: Real Estate Sector (2022), third parties that pay a mortgage; FinCEN, Advisory on Elder Financial
Exploitation (FIN-2022-A002), money that a carer takes.

People who are sold are moved from place to place, are paid by customers who do not return, and hand over what they are paid: sums of ever new strangers around paid
nights, part of which one party takes. Whoever works on the road for themselves keeps it. Sources: FATF, Financial Flows from Human Trafficking (2018), sexual
exploitation; FinCEN, Supplemental Advisory on Human Trafficking (FIN-2020-A008); National Crime Agency, National Strategic Assessment (2024), modern slavery.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kycpack.wealth.judge.red_flags.flag import Flag, beside_income, make_flag
from kycpack.wealth.judge.red_flags.life import Life, falls_within, keeps_rising, later_half_is
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.occasions import feast_of
from kycpack.wealth.judge.red_flags.outgoings import (
    DEAL_IN_MONEY,
    homes_by_name,
    is_taxed,
    is_trader,
    sells_by_name,
    usual_payees,
)
from kycpack.wealth.judge.red_flags.pass_through import moved_on, passed
from kycpack.wealth.judge.red_flags.payment_words import topics_in
from kycpack.wealth.judge.red_flags.stock import PARTLY, Passage, by_one_payment, debits_of, passages
from kycpack.wealth.prepare.coded import Mask

_SELDOM = 2  # a party that pays or is paid more often is known to the customer
_LIKE = 0.9
_FEWEST_TAKEN = 4
_WHILE_PAID = 0.9  # a landlord is paid before and after as well
_MOSTLY = 0.8
_NEAR_DAYS = 2  # a card payment is booked a day or two later
_SOON_DAYS = 4


def _of_strangers(life: Life) -> list[Movement]:
    """Return the sums of strangers who pay in seldom and receive nothing, without small ones."""
    return [one for one in _of_any_size(life) if one.amount >= life.minor(life.limits.pass_through_amount)]


def _of_any_size(life: Life) -> list[Movement]:
    """Return the sums of strangers who pay in seldom and receive nothing."""
    return [
        one
        for one in life.unproven_credits
        if one.stranger
        and one.party
        and not (one.cash or one.related or one.kind)
        and len(life.payments_of[one.party]) <= _SELDOM
        and one.party not in life.payments_to
    ]


def _is_of_many(life: Life, found: Sequence[Passage]) -> bool:
    many = len({one.credit.party for one in found}) >= life.limits.slow_parties
    return many and sum(one.credit.amount for one in found) >= life.minor(life.limits.pass_through_total)


def _may_be_of_many(lives: Lives) -> Mask:
    """Return which lives have enough payers and sums for `_is_of_many`."""
    given = lives.from_strangers & lives.unproven & lives.unknown & ~lives.marked("related")
    given &= (lives.times_paid_in <= _SELDOM) & lives.at_least(lives.limits.pass_through_amount)
    many: Mask = lives.parties(given) >= lives.limits.slow_parties
    return many & lives.comes_to(given, lives.limits.pass_through_total)


@found_where(_may_be_of_many)
def moved_on_slowly(life: Life) -> Iterator[Flag]:
    """Yield large sums of strangers that leave within weeks to other strangers, none of whom pays or is paid often."""
    limits = life.limits
    if is_trader(life) or next(moved_on.find(life), None):
        return
    exits = [
        one
        for one in life.exits
        if one.stranger
        and one.party
        and not (one.cash or one.collected or one.kind or one.property or sells_by_name(one.party))
        and one.party not in usual_payees(life)
        and one.party not in life.payments_of
        and len(life.payments_to[one.party]) <= _SELDOM
    ]
    given = [one for one in _of_strangers(life) if one.amount >= life.minor(limits.slow_amount)]
    found = passages(given, exits, limits.slow_days, PARTLY)
    out = debits_of(found)
    whole = limits.pass_through_share * sum(one.credit.amount for one in found)
    if (
        _is_of_many(life, found)
        and len({one.party for one in out}) >= limits.slow_parties
        and sum(one.amount for one in out) >= whole
    ):
        yield passed(life, found, limits.slow_days)


@found_where(_may_be_of_many)
def bought_for_strangers(life: Life) -> Iterator[Flag]:
    """Yield sums of strangers each of which is spent on one purchase of nearly as much within days: friends pay their share after the purchase."""
    least = life.minor(life.limits.smallest_flow)
    bought = [
        one for one in life.debits if one.purchase and one.amount >= least and one.kind not in DEAL_IN_MONEY
    ]
    found = by_one_payment(
        passages(_of_strangers(life), bought, life.limits.goods_days, life.limits.pass_through_share)
    )
    if not is_trader(life) and _is_of_many(life, found) and len(debits_of(found)) == len(found):
        yield passed(life, found, life.limits.goods_days)


@found_where(_may_be_of_many)
def bills_met_by_strangers(life: Life) -> Iterator[Flag]:
    """Yield a bill that other strangers pay in, time after time, just before it is paid: one that is collected regularly, or a card, a loan or a home."""
    given = _of_strangers(life)
    for party, paid in sorted(life.payments_to.items()):
        rows = [
            one
            for one in paid
            if one.kind in DEAL_IN_MONEY
            or (one.collected and party in life.regular_payees)
            or party in homes_by_name(life)
        ]
        near = [
            one
            for one in given
            if any(_LIKE * bill.amount <= one.amount and _LIKE * one.amount <= bill.amount for bill in rows)
        ]
        found = passages(near, rows, life.limits.goods_days, life.limits.pass_through_share)
        if _is_of_many(life, found) and 2 * len(found) >= len(rows):
            yield passed(life, found, life.limits.goods_days)
            return


@found_where(lambda lives: lives.parties(lives.from_strangers) >= lives.limits.very_many_parties)
def kept_from_many(life: Life) -> Iterator[Flag]:
    """Yield what very many strangers pay in and receive nothing for, with neither the costs nor the tax of a trade: what is sold to them is not known.

    Gifts for a celebration that the customer pays for are explained, unless they are large.
    """
    limits, feast = life.limits, feast_of(life)
    if is_trader(life) or life.trade_purchases:
        return
    given = [
        one
        for one in _of_any_size(life)
        if not (one.given or one.type == "rental_income")
        and not (feast.covers([one]) and one.amount < life.minor(limits.feast_gift))
    ]
    total = sum(one.amount for one in given)
    if (
        len({one.party for one in given}) >= limits.very_many_parties
        and total >= life.minor(limits.very_many_total)
        and not is_taxed(life, total, given[0].day)
    ):
        yield make_flag(
            "kept_from_many",
            "Sums from very many strangers: {credits_words} from {payers_words}, {credits_minor} in all, whose nature is not proven, with neither the costs nor the tax "
            "of a trade, {dates}",
            life.currency,
            given,
        )


@found_where(
    lambda lives: lives.has(
        lives.rising(lives.from_strangers)
        & lives.open
        & lives.unknown
        & (lives.times_paid_in >= lives.limits.beyond_payments)
        & (lives.paid(lives.from_strangers) >= lives.minor(lives.limits.drained_total)[lives.life])
    )
)
def gifts_rising(life: Life) -> Iterator[Flag]:
    """Yield what one stranger pays in ever larger sums and receives nothing for: whoever looks after somebody is paid the same each time."""
    least = max(life.minor(life.limits.drained_total), int(life.limits.growing_share * life.yearly_income))
    for party, rows in sorted(life.payments_of.items()):
        if (
            len(rows) >= life.limits.beyond_payments
            and party not in life.payments_to
            and all(
                one.is_open and one.stranger and not (one.cash or one.related or one.kind) for one in rows
            )
            and sum(one.amount for one in rows) >= least
            and later_half_is(life.limits.growing_factor, rows)
            and keeps_rising(rows)
        ):
            yield make_flag(
                "gifts_rising",
                "Ever larger sums from one stranger: {credits_words} whose nature is not established, {credits_minor} in all, and nothing paid back, {dates}, "
                + beside_income(life.income_minor),
                life.currency,
                rows,
                (),
                income_minor=life.income_minor,
                **life.observed,
            )


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
    for party, rows in sorted(life.payments_to.items()):
        taken = [one for one in rows if days[0] <= one.day <= days[-1] + limits.collected_days]
        if (
            party not in usual_payees(life)
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
