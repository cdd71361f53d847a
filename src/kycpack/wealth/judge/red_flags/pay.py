"""Pay and benefits that do not stay, and benefits and tax refunds of many people that come into one account.

They are sent on, withdrawn in cash, or given back to whoever paid them. A household is due a few benefits, and a person a refund or two of tax each year. Sources:
FATF, Professional Money Laundering (2018), shell firms' payrolls, money mules and accounts that collect the proceeds of fraud; JMLSG Guidance part I, 5.7
(transactions that are passed through); National Crime Agency, National Strategic Assessment (2024), accounts of vulnerable people that others use.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

import numpy as np

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import YEAR_DAYS, Life, by_party, day_of, grouped, is_habit, largest
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    is_trader,
    kept_up,
    paid_bills,
    savers,
    sells_by_name,
    steady_payees,
    trade_bills,
)
from kycpack.wealth.judge.red_flags.pass_through import keeps_margin, passed
from kycpack.wealth.judge.red_flags.stock import PARTLY, Passage, debits_of, passages, sides_of
from kycpack.wealth.prepare.coded import Mask, joint_code, words_of

PAY = frozenset({"employment", "self_employment", "business_income"})
_BENEFITS = frozenset({"state_benefit", "pension"})
_MOST_EXITS = 4  # pay that is moved on leaves in a few sums; living costs leave in many
_MOST_SHARES = 8  # a benefit is shared out among more
_MONTH_DAYS = 31
_MOST_PAYEES = 3  # and goes to a few parties
SHORTEST_NAME = 4  # letters; a shorter first word is an initial or is not distinctive
_BENEFIT, _REFUND = "state_benefit", "tax_refund"
_MOSTLY = 0.6
_FEWEST_TIMES = 3  # two benefits that were granted late are paid together once


def _may_move_pay_on(lives: Lives) -> Mask:
    """Return which lives have enough pay that debits followed, which is at least half of what its payer pays."""
    limits = lives.limits
    pay = lives.credits & lives.of_type(*PAY) & ~lives.unproven
    large = pay & lives.at_least(limits.pay_amount)
    parts = pay & lives.at_least(limits.pass_through_amount) & ~lives.of_kind("payment_processor")
    rows = large | (parts & (lives.times(large) == 0))
    found = lives.followed(
        rows,
        lives.debits
        & lives.at_least(limits.smallest_flow)
        & ~lives.marked("kin")
        & (~lives.marked("purchase") | (~lives.marked("collected") & lives.unknown)),
        limits.pay_passed_days,
        min(limits.pay_passed_share, limits.pay_unknown_share),
    )
    return lives.has(found & (2 * lives.times(found) >= lives.times(rows)), limits.pass_through_count)


@found_where(_may_move_pay_on)
def pay_moved_on(life: Life) -> Iterator[Flag]:
    """Yield pay that is sent on almost in full as soon as it arrives.

    Each payer is examined separately, so that other pay in the same account hides nothing; the payer whose pay is followed most closely comes first, and
    a debit counts once.
    """
    unproven = {id(one) for one in life.unproven_credits}
    of_payer = _large_enough(
        life, [one for one in life.credits if one.type in PAY and id(one) not in unproven]
    )
    # What the members of a savings club get is not paid out of the pay; what goes back to whoever pays it is.
    bills = paid_bills(life) | trade_bills(life) | kept_up(life) | (savers(life) - of_payer.keys())
    smallest = life.minor(life.limits.smallest_flow)
    exits = [one for one in life.debits if one.party not in bills and _can_take_pay(one, smallest)]
    found: list[Passage] = []
    alone = {party: _sent_whole(life, rows, _out_of(life, rows, exits)) for party, rows in of_payer.items()}
    for party in sorted(alone, key=lambda party: (-len(alone[party]) / len(of_payer[party]), party)):
        rows = of_payer[party]
        sent = _sent_whole(life, rows, _out_of(life, rows, exits)) if found else alone[party]
        if 2 * len(sent) < len(rows):
            continue
        found += sent
        gone = {id(one) for one in debits_of(sent)}
        exits = [one for one in exits if id(one) not in gone]
    if len(found) >= life.limits.pass_through_count and not keeps_margin(life, found):
        yield passed(life, found, life.limits.pay_passed_days)


def _large_enough(life: Life, pay: Sequence[Movement]) -> dict[str, list[Movement]]:
    """Return the pay by payer, without small payments; the payments of a payer that are all small, as weekly pay is, count if those of a month are large.

    A payment firm that pays out the takings of each day pays no wage.
    """
    least, part = life.minor(life.limits.pay_amount), life.minor(life.limits.pass_through_amount)
    found = {}
    for party, rows in by_party(pay).items():
        parts = [one for one in rows if one.amount >= part and one.kind != "payment_processor"]
        of_month = sum(one.amount for one in largest(parts, _MONTH_DAYS))
        large = [one for one in rows if one.amount >= least] or (parts if of_month >= least else [])
        if large:
            found[party] = large
    return found


def _out_of(life: Life, pay: Sequence[Movement], exits: Sequence[Movement]) -> list[Movement]:
    """Return the debits that pay can have left by: those of its own accounts, unless money goes from these to other own accounts."""
    accounts = {one.account for one in pay}
    if any(one.own and not one.is_credit and one.account in accounts for one in life.movements):
        return [*exits]
    return [one for one in exits if one.account in accounts]


def _can_take_pay(one: Movement, smallest: int) -> bool:
    """Return whether a debit can move pay on; a word such as rent, or a name like a shop's, does not make a purchase of what no firm collects."""
    return one.amount >= smallest and not one.kin and not (one.purchase and (one.collected or one.kind))


def _may_return_pay(lives: Lives) -> Mask:
    """Return which lives have an unknown employer and enough payments to parties that share its first name."""
    pay = lives.from_unknown & lives.habitual & ~lives.marked("stranger")
    back = lives.to_unknown & lives.at_least(lives.limits.smallest_flow)
    first = np.array([first_name(one) for one in lives.each.party.distinct], dtype=object)
    shared = lives.times(back, joint_code(lives.life, words_of(first, lives.each.party.codes).codes))
    return lives.has(pay & (shared >= lives.limits.pass_through_count), lives.limits.pass_through_count)


@found_where(_may_return_pay)
def pay_returned(life: Life) -> Iterator[Flag]:
    """Yield pay from an unknown employer that goes back to it or to a party with a similar name, either alone or alongside people who are paid with it."""
    limits = life.limits
    unknown = _unknown_pay(life)
    least = life.minor(limits.smallest_flow)
    sent = [one for one in life.uncollected if one.amount >= least and not (one.cash or one.kind)]
    of_name = grouped(sent, lambda one: first_name(one.party))
    people = {one.party for one in life.debits if one.stranger} - steady_payees(life)
    for payer, rows in unknown.items():
        name = first_name(payer)
        back = of_name.get(name, []) if name else []
        if len(back) < limits.pass_through_count:
            continue
        beside = [one for one in sent if one.party in people and first_name(one.party) != name]
        alone = _sent_in_few(rows, back, limits.returned_days, limits.returned_share)
        whole = _sent_in_few(
            rows, sorted([*back, *beside], key=day_of), limits.returned_days, limits.returned_beside
        )
        given = sum(one.amount for one in debits_of(whole) if first_name(one.party) == name)
        shared = given >= limits.returned_part * sum(one.credit.amount for one in whole)
        found = alone if len(alone) >= len(whole) or not shared else whole
        if len(found) >= limits.pass_through_count and 2 * len(found) >= len(rows):
            yield make_flag(
                "pay_returned",
                "Pay that goes back: {credits_words} from one party, {credits_minor} in all, and {debits_words}, {debits_minor} in all, to that party, to one "
                "with a similar name or to people paid alongside it, each within {window_days} days of the pay, {dates}",
                life.currency,
                *sides_of(found),
                window_days=limits.returned_days,
            )


def _may_draw_pay(lives: Lives) -> Mask:
    """Return which lives have a party of whose sums enough were followed by withdrawals."""
    found = lives.followed(
        lives.credits & lives.marked("unproven") & lives.unknown & ~lives.marked("cash"),
        lives.debits & lives.marked("cash"),
        lives.limits.pay_passed_days,
        lives.limits.drawn_share,
    )
    fewest = lives.limits.drawn_count
    return lives.has(found & ((lives.times(found) >= fewest) | ~lives.named), fewest)


@found_where(_may_draw_pay)
def pay_drawn(life: Life) -> Iterator[Flag]:
    """Yield pay from an unknown employer that is withdrawn in cash within days while the customer lives on other income."""
    limits = life.limits
    # A wage that comes on irregular days is just as much only the sender's word.
    worded = [
        one
        for one in life.credits
        if one.type == "employment" and one.unproven and not (one.kind or one.cash)
    ]
    for rows in (by_party(worded) | _unknown_pay(life)).values():
        total = sum(one.amount for one in rows)
        if (
            total < life.minor(limits.pass_through_total)
            or life.income_minor - total < limits.drawn_beside * total
        ):
            continue
        found = _sent_in_few(
            rows, life.cash_drawn, limits.pay_passed_days, limits.drawn_share, most=len(life.cash_drawn)
        )
        if len(found) >= limits.drawn_count and 2 * len(found) >= len(rows):
            yield make_flag(
                "pay_drawn",
                "Pay withdrawn in cash: {credits_words} of pay from one party, {credits_minor} in all, and {debits_words} of cash withdrawn, {debits_minor} in "
                "all, each within {window_days} days of the pay, alongside other income, {dates}",
                life.currency,
                *sides_of(found),
                window_days=limits.pay_passed_days,
            )


def _may_move_benefits_on(lives: Lives) -> Mask:
    """Return which lives have enough benefits that debits to strangers followed."""
    limits = lives.limits
    found = lives.followed(
        lives.credits & lives.of_type(*_BENEFITS) & lives.at_least(limits.pass_through_amount),
        lives.debits
        & lives.marked("stranger")
        & ~lives.marked("collected", "related", "cash")
        & lives.at_least(limits.fan_in_least),
        limits.benefit_days,
        limits.benefit_share,
    )
    return lives.has(found, limits.benefit_count) & lives.comes_to(found, limits.pass_through_total)


@found_where(_may_move_benefits_on)
def benefits_moved_on(life: Life) -> Iterator[Flag]:
    """Yield benefits and pensions that go to strangers in full within days: they are meant for living costs."""
    limits = life.limits
    least = life.minor(limits.pass_through_amount)
    benefits = [one for one in life.credits if one.type in _BENEFITS and not one.cash and one.amount >= least]
    exits = [
        one
        for one in life.uncollected
        if one.stranger
        and one.amount >= life.minor(limits.fan_in_least)
        and not (one.related or one.cash or sells_by_name(one.party))
        and one.party not in paid_bills(life)
    ]
    found = _sent_in_few(benefits, exits, limits.benefit_days, limits.benefit_share, most=_MOST_SHARES)
    total = sum(one.credit.amount for one in found)
    if len(found) >= limits.benefit_count and total >= life.minor(limits.pass_through_total):
        yield passed(life, found, limits.benefit_days)


@found_where(
    lambda lives: lives.has(
        lives.credits & lives.of_type("tax_refund") & lives.at_least(lives.limits.pass_through_amount),
        lives.limits.benefit_count,
    )
)
def tax_refunds_shared(life: Life) -> Iterator[Flag]:
    """Yield tax refunds, more than anyone is due, of which a large part goes to strangers within days."""
    limits = life.limits
    least = life.minor(limits.pass_through_amount)
    refunds = [one for one in life.credits if one.type == "tax_refund" and one.amount >= least]
    exits = [one for one in life.exits if one.stranger and not one.cash and one.party not in paid_bills(life)]
    found = _sent_in_few(refunds, exits, limits.pay_passed_days, limits.tax_shared, most=_MOST_SHARES)
    if len(found) >= limits.benefit_count:
        yield make_flag(
            "tax_refunds_shared",
            "Tax refunds shared with others: {credits_words}, {credits_minor} in all, and {debits_words} to {payees_words} that are not "
            "known firms, {debits_minor} in all, each within {window_days} days of a refund, {dates}",
            life.currency,
            *sides_of(found),
            window_days=limits.pay_passed_days,
        )


def _unknown_pay(life: Life) -> dict[str, list[Movement]]:
    """Return pay by payer, for payers that are not known firms and pay habitually."""
    return by_party(
        one
        for one in life.credits
        if one.unproven
        and not (one.kind or one.cash or one.related or one.stranger)
        and one.party in life.regular_payers
        and (one.type in PAY or one.is_open)
    )


@lru_cache(maxsize=4_096)
def first_name(party: str) -> str:
    """Return the first word, which a firm and other parties of a similar name share; a short word is not distinctive unless it stands alone."""
    first = party.split(" ", maxsplit=1)[0]
    return first if len(first) >= SHORTEST_NAME else party


def _sent_whole(life: Life, pay: Sequence[Movement], exits: Sequence[Movement]) -> list[Passage]:
    """Return the pay that was sent on in a few sums, and, for an unknown payer, also pay of which a smaller share was sent on to a few parties."""
    whole = _sent_in_few(pay, exits, life.limits.pay_passed_days, life.limits.pay_passed_share)
    if not all(one.unproven and not one.kind for one in pay):
        return whole
    less = _sent_in_few(pay, exits, life.limits.pay_passed_days, life.limits.pay_unknown_share)
    return less if len({one.party for one in debits_of(less)}) <= _MOST_PAYEES else whole


def _sent_in_few(
    pay: Sequence[Movement],
    exits: Sequence[Movement],
    days: int,
    share: Decimal,
    *,
    most: int = _MOST_EXITS,
) -> list[Passage]:
    """Return the pay that left in a few sums, whoever received them; a payer may be among them."""
    return [one for one in passages(pay, exits, days, share, whoever=True) if len(one.debits) <= most]


def _may_claim_for_many(lives: Lives) -> Mask:
    """Return which lives have many benefits within days, often enough, or many tax refunds."""
    claims = lives.credits & lives.at_least(lives.limits.pass_through_amount) & ~lives.marked("cash")
    benefits = claims & lives.of_type(_BENEFIT)
    many = benefits.copy()
    many[benefits] = lives.after(benefits, benefits, lives.limits.claim_days - 1)[0] >= min(
        lives.limits.claim_sums, lives.limits.claim_sums_drawn
    )
    return lives.has(many, _FEWEST_TIMES) | lives.has(
        claims & lives.of_type(_REFUND), lives.limits.claim_refunds
    )


@found_where(_may_claim_for_many)
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
            "Benefits for more people than one household: {credits_words} in {limit_count} or more different sums within the rule's {window_days} days at a time, "
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
            "More tax refunds than one person is due: {credits_words} within the rule's {window_days} days, {credits_minor} in all, {dates}",
            life.currency,
            refunds,
            window_days=YEAR_DAYS,
        )


def _all_drawn(life: Life, benefits: list[Movement]) -> list[Movement]:
    """Return benefits if most of them leave in cash within weeks; none otherwise. Whoever collects for others hands the money over."""
    found = passages(benefits, life.cash_drawn, life.limits.claim_days, PARTLY)
    drawn = sum(one.amount for one in debits_of(found))
    return benefits if drawn >= _MOSTLY * sum(one.amount for one in benefits) else []


def _times_of_many(life: Life, benefits: list[Movement], sums: int) -> list[Movement]:
    """Return the benefits of each time at which too many different sums were paid; each benefit is paid once in such a time, or again in the same sum."""
    found: list[Movement] = []
    times = start = 0
    while start < len(benefits):
        end = bisect_right(benefits, benefits[start].day + life.limits.claim_days - 1, lo=start, key=day_of)
        if len({one.amount for one in benefits[start:end]}) < sums:
            start += 1
            continue
        found += benefits[start:end]
        times += 1
        start = end
    return found if times >= _FEWEST_TIMES else []
