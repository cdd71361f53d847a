"""Small sums from many that one person collects, or to somebody new abroad each time: sent on, drawn in cash or staked.

A cause has a project, and a family has a name: both are paid again and again, through a charity or a bank's own remittance. Whoever collects small sums and has
neither work nor costs lives on somebody else's money: a fraud's victims, a lender's borrowers, the givers of a charity. Sources: FATF, Risk of Terrorist Abuse in
Non-Profit Organisations (2014); FATF, Emerging Terrorist Financing Risks (2015), small donations and cash collected on a private account; Charity Commission,
compliance toolkit, chapter 3; UK Finance, Annual Fraud Report (2024), purchase scams; FCA, illegal money lenders; AUSTRAC, Combating the sexual exploitation of
children for financial gain (2022), small sums to many recipients abroad.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, grouped
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    is_person,
    is_trader,
    sells_by_name,
    usual_payees,
)
from kycpack.wealth.judge.red_flags.payment_words import topics_in
from kycpack.wealth.judge.red_flags.stock import PARTLY, passages, sides_of
from kycpack.wealth.prepare.coded import Mask

_MOST_TIMES = 2
_PERIODS = 2  # a collection goes on until there is enough for one more payment
_IN_CASH = 0.25
_ALL_AND_MORE = 2
_FRIENDS = 10  # one in so many
_MONTHS_DAYS = 60  # a trip that many pay for is collected and paid once
_FEWEST_TAKEN = 4
_ALL_ALONG = 0.6  # of the time observed: pupils and households pay throughout, a loan is repaid
_NO_COSTS = 0.1
_TAKE_AWAY = frozenset({"gambling", "crypto"})


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
    away = [one for one in life.sent_abroad if _is_to_somebody_new(life, one)]
    pool = [one for one in life.open_credits if _is_collected(life, one)]
    chosen, debits, pairs = sides_of(passages(pool, away, _PERIODS * limits.collected_days, PARTLY))
    total, cash = (sum(one.amount for one in pool if one.cash or whole) for whole in (True, False))
    if (
        not is_trader(life)
        and len({one.party for one in chosen if not one.cash}) >= limits.cause_payers
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
            pairs,
            window_days=_PERIODS * limits.collected_days,
        )


def _is_collected(life: Life, one: Movement) -> bool:
    """Return whether a credit is cash, or a small sum of a stranger who receives nothing."""
    if one.related or one.kind or one.cash:
        return one.cash
    small = one.amount <= life.most(life.limits.fan_in_median)
    return bool(small and one.stranger and one.party) and one.party not in life.payments_to


def _is_to_somebody_new(life: Life, one: Movement) -> bool:
    return (
        bool(one.party)
        and not (one.related or one.cash or one.kind or one.property or sells_by_name(one.party))
        and "lodging" not in topics_in(one.party)
        and len(life.payments_to[one.party]) <= _MOST_TIMES
        and one.party not in life.payments_of
    )


def _may_be_spent(lives: Lives) -> Mask:
    """Return which lives have very many strangers and cash in, and enough cash and stakes out for the share of it that the policy names."""
    spent = lives.debits & (lives.of_kind("gambling") | lives.marked("cash"))
    return (
        (lives.parties(lives.open & lives.from_strangers) >= lives.limits.very_many_parties)
        & lives.comes_to(lives.cash | lives.from_strangers, lives.limits.cause_total)
        & (
            lives.total(spent)
            >= lives.nearly(lives.limits.collected_share, lives.minor(lives.limits.cause_total))
        )
    )


def _may_be_taken_out(lives: Lives) -> Mask:
    """Return which lives have enough strangers' small sums in, enough cash or payments to strangers out, and no tax of a trade."""
    small = (
        lives.from_unknown
        & lives.from_strangers
        & (lives.amount <= lives.most(lives.limits.gathered_most)[lives.life])
    )
    return (
        (lives.parties(small) >= lives.limits.gathered_parties)
        & lives.comes_to(small | lives.cash, lives.limits.gathered_total)
        & lives.has(
            lives.debits & (lives.marked("cash", "stranger") | lives.of_kind(*_TAKE_AWAY)), _FEWEST_TAKEN
        )
        & ~lives.has(lives.debits & lives.of_kind("tax_office"))
    )


@found_where(lambda lives: _may_be_spent(lives) | _may_be_taken_out(lives))
def collection_spent(life: Life) -> Iterator[Flag]:
    """Yield cash and small sums of many strangers that are drawn, staked or handed to individuals by somebody who has no trade."""
    if not is_trader(life):
        yield from itertools.islice(itertools.chain(_spent(life), _taken_out(life)), 1)


def _spent(life: Life) -> Iterator[Flag]:
    """Yield cash and small sums of very many strangers during which much more is drawn in cash or staked than before: as much as most of what they paid.

    Whoever sells small things spends what they earn as before, and members of a club pay again and again.
    """
    limits = life.limits
    pool = [
        one
        for one in life.open_credits
        if _is_collected(life, one) and (one.cash or len(life.payments_of[one.party]) <= _MOST_TIMES)
    ]
    given = [one for one in pool if not one.cash]
    if len({one.party for one in given}) < limits.very_many_parties:
        return
    # A friend who paid once before is no part of the collection.
    start, end = given[len(given) // _FRIENDS].day, given[-1].day
    pool = [one for one in pool if start <= one.day <= end]
    total = sum(one.amount for one in pool)
    spent = [one for one in life.debits if one.cash or one.kind == "gambling"]
    usual = sum(one.amount for one in spent if one.day < start)
    during = [one for one in spent if start <= one.day <= end + limits.collected_days]
    days_before, days = start - life.movements[0].day, end - start + limits.collected_days
    much = sum(one.amount for one in during)
    if (
        min(days_before, end - start) >= _MONTHS_DAYS
        and total >= life.minor(limits.cause_total)
        and limits.collected_share * total <= much <= _ALL_AND_MORE * total
        and much * days_before >= limits.drawn_more_factor * max(usual, 1) * days
    ):
        yield make_flag(
            "gifts_taken",
            "Small sums of very many strangers drawn in cash or staked: {credits_words} of them and of cash, {credits_minor} in all, and {debits_words} of cash and "
            "stakes, {debits_minor} in all, a multiple of what was usual before, {dates}",
            life.currency,
            pool,
            during,
        )


def _taken_out(life: Life) -> Iterator[Flag]:
    """Yield small sums of many, beside which little is earned, that mostly leave in cash, as stakes or to individuals: no work, costs or tax explain them.

    Who lives on work for many is paid by them throughout, and what goes out in one payment or two is bought for them.
    """
    limits = life.limits
    most, settled = life.most(limits.gathered_most), _ALL_ALONG * life.span_days
    every = [
        one
        for one in life.credits
        if one.amount <= most
        and one.unproven
        and (
            one.cash
            or (
                one.stranger
                and one.party
                and not one.kind
                and one.type != "rental_income"
                and one.party not in life.payments_to
            )
        )
    ]
    costs = sum(one.amount for one in life.debits if one.purchase or one.collected)
    lived_on = costs > _NO_COSTS * sum(one.amount for one in every)
    pool = [
        one
        for one in every
        if one.cash or not lived_on or (rows := life.payments_of[one.party])[-1].day - rows[0].day < settled
    ]
    if len({one.party for one in pool if not one.cash}) < limits.gathered_parties:
        return
    exits = [
        one
        for one in life.debits
        if one.cash
        or one.kind in _TAKE_AWAY
        or (
            not (one.collected or one.purchase or one.related)
            and one.party not in usual_payees(life)
            and (one.abroad or (one.stranger and is_person(one.party)))
        )
    ]
    chosen, debits, pairs = sides_of(passages(pool, exits, limits.collected_days, PARTLY))
    sums = [sum(one.amount for one in rows) for rows in (pool, chosen, debits)]
    pooled = {id(one) for one in pool}
    earned = sum(
        one.amount
        for one in life.income
        if pool[0].day <= one.day <= pool[-1].day + limits.collected_days and id(one) not in pooled
    )
    if (
        not life.taxes
        and len({one.party for one in chosen if not one.cash}) >= limits.gathered_parties
        and sums[0] >= max(life.minor(limits.gathered_total), int(limits.gathered_income * earned))
        and min(sums[1:]) >= limits.many_share * sums[0]
        and len(debits) >= _FEWEST_TAKEN
        and pool[-1].day - pool[0].day >= limits.fan_in_days
    ):
        yield make_flag(
            "gifts_taken",
            "Small sums from many people taken out at once: {credits_words} from {payers_words}, cash included, whose nature is not proven, {credits_minor} in all, and "
            "{debits_words} in cash, as stakes or to individuals, {debits_minor} in all, each within {window_days} days of the money it moved on, with no cost or tax "
            "of a trade, {dates}",
            life.currency,
            chosen,
            debits,
            pairs,
            window_days=limits.collected_days,
        )


@found_where(
    lambda lives: (
        lives.has(
            lives.debits & lives.marked("abroad") & ~lives.marked("related", "cash", "collected", "property"),
            lives.limits.changing_payees,
        )
        & lives.comes_to(lives.debits & lives.marked("abroad"), lives.limits.changing_total)
    )
)
def small_sums_abroad(life: Life) -> Iterator[Flag]:
    """Yield small sums that mostly go to ever new people abroad, for months: a family has a few names, and a trade pays invoices."""
    most = life.most(life.limits.changing_most)
    abroad = (
        one
        for one in life.sent_abroad
        if one.amount <= most
        and not (one.related or one.cash or one.collected or one.property or sells_by_name(one.party))
        and one.party not in life.payments_of
        and "lodging" not in topics_in(one.party)
    )
    recipients = grouped(abroad, lambda one: one.place or one.party)
    small = sum(len(rows) for rows in recipients.values())
    new = sorted(
        (one for rows in recipients.values() if len(rows) <= _MOST_TIMES for one in rows),
        key=lambda one: (one.day, one.account, one.txn_id),
    )
    if (
        not is_trader(life)
        and sum(len(rows) <= _MOST_TIMES for rows in recipients.values()) >= life.limits.changing_payees
        and len(new) >= life.limits.collected_share * small
        and sum(one.amount for one in new) >= life.minor(life.limits.changing_total)
        and new[-1].day - new[0].day >= _MONTHS_DAYS
    ):
        yield make_flag(
            "fan_out",
            "Small sums to ever new recipients abroad: {debits_words} of {limit_minor} or less, {debits_minor} in all, to parties that received money no more than "
            "{limit_count} times each, {dates}",
            life.currency,
            (),
            new,
            limit_minor=most,
            limit_count=_MOST_TIMES,
        )
