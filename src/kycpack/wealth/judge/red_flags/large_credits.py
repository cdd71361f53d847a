"""Large credits whose nature is not established: by themselves, in a dormant account, in a new one, and compared with what was declared.

Sources: FFIEC BSA/AML Manual, appendix F (a dormant account with sudden activity; deposits that do not fit the income); JMLSG
Guidance part I, 5.5 (source of funds and of wealth).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np

from kycpack.wealth.judge.red_flags.flag import Flag, beside_income, came_first, make_flag
from kycpack.wealth.judge.red_flags.large_limits import MANY, limit_alone, limit_of_payer
from kycpack.wealth.judge.red_flags.life import (
    NOTHING_PAID,
    SHORTEST_SPAN_DAYS,
    Life,
    by_account,
    by_party,
    largest,
    within,
)
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.occasions import shared_prize
from kycpack.wealth.judge.red_flags.outgoings import is_lent_by_unlisted, is_taxed, lenders
from kycpack.wealth.prepare.coded import Mask

_YEAR_DAYS = 365
_PARTS_OF_A_YEAR = 2
_MINOR_EVENTS = frozenset({"interest"})
_MOVED_SHARE = 0.5
_INTEREST = 1.2
_CLEARLY = 1.2  # a year's income is projected from the time observed and may be a fifth higher


def _may_be_large(lives: Lives) -> Mask:
    """Return which lives have an open credit that is large by itself or compared with all others, or a payer of open credits that are together."""
    limits = lives.limits
    worded = ~lives.habitual | lives.of_type("savings")
    part = lives.nearly(limits.large_credit_share, lives.all_credits_minor)
    floor, beyond, most = (
        lives.minor(one) for one in (limits.large_credit, limits.beyond_income_credit, limits.large_payer)
    )
    unlike = lives.amount >= np.minimum(2 * floor, part)[lives.life]
    given_back = lives.marked("returned") & (lives.paid_out >= lives.amount)
    alone = given_back | (lives.credits & unlike & (lives.marked("is_open") | worded))
    alone &= lives.marked("unproven", "is_open") & lives.at_least(limits.large_credit)
    yearly = lives.nearly(_YEAR_DAYS, lives.income_minor) // np.maximum(lives.span_days, SHORTEST_SPAN_DAYS)
    regular = np.minimum(most, np.maximum(np.minimum(2 * floor, beyond), yearly))
    whole = np.minimum(2 * floor, np.maximum(floor, np.floor(part)))
    many = lives.open & lives.named & ~lives.marked("cash")
    # A flag needs a window that begins with one of these payments and comes to the least of any payer.
    in_a_year, in_parts = (
        lives.after(many, many, days - 1, by=lives.party)[1] for days in (_YEAR_DAYS, limits.burst_days)
    )
    of = lives.life[many]
    together = many.copy()
    together[many] = (in_a_year >= regular[of]) | (~lives.habitual[many] & (in_parts >= whole[of]))
    return lives.has((alone & ~lives.marked("cash")) | together)


@found_where(_may_be_large)
def large_unexplained(life: Life) -> Iterator[Flag]:
    """Yield single open credits that are large by themselves or compared with all others.

    Money that comes through a lawyer or a notary is only to be reviewed: the sale of a house brings more than a year of income. It is more serious than
    a large credit if it leaves again, is not the only one, or is clearly more than a year of income; the customer can be asked about a bonus or a gift that stays.
    """
    floor = life.minor(life.limits.large_credit)
    yield from _large_alone(life)
    yield from _large_in_a_year(life, floor)
    for one in life.every_credit:
        if one.amount >= floor and _is_given_back(life, one):
            yield make_flag(
                "large_unexplained",
                "Large credit that was given back: {credits_minor} {dates}",
                life.currency,
                [one],
                (),
                [(one, back) for back in life.payments_to[one.party] if back.day >= one.day],
            )


def _large_alone(life: Life) -> Iterator[Flag]:
    beyond = max(life.minor(life.limits.beyond_income_credit), life.yearly_income)
    large = [
        one
        for one in life.credits
        if (one.is_open or _is_said_to_be_saved(one) or _is_only_said(life, one))
        and not (one.cash or _is_usual(life, one))
        and one.amount >= life.known(limit_alone).minor
    ]
    lent_by, prize = lenders(life), shared_prize(life).won
    unclear = [
        (one.is_open or is_lent_by_unlisted(life, one))
        and not (one.related or one.property or one.party in lent_by or one is prize or _is_repaid(life, one))
        for one in large
    ]
    several = sum(one and credit.is_open for one, credit in zip(unclear, large, strict=True)) > 1
    for one, is_unclear in zip(large, unclear, strict=True):
        clearly = one.amount >= _CLEARLY * life.yearly_income
        # A loan of a lender that no list has is explained unless it leaves again.
        doubtful = is_unclear and ((one.is_open and (clearly or several)) or _leaves(life, one))
        if one.amount >= beyond and doubtful and not is_taxed(life, one.amount, one.day):
            yield make_flag(
                "unexplained_beyond_income",
                "Large unexplained credit: {credits_minor} {dates}, " + beside_income(life.income_minor),
                life.currency,
                [one],
                (),
                income_minor=life.income_minor,
                **life.observed,
            )
        else:
            what = "unexplained credit" if one.is_open else "credit that only the sender explains"
            yield make_flag(
                "large_unexplained",
                f"Large {what}: {{credits_minor}} {{dates}} (the limit here is {{limit_minor}})",
                life.currency,
                [one],
                (),
                (),
                life.known(limit_alone),
            )


def _is_usual(life: Life, credit: Movement) -> bool:
    """Return whether a credit is one of many from a regular payer, and less than half of what the others bring in a year."""
    if not credit.party or credit.party not in life.regular_payers:
        return False
    others = [one for one in life.payments_of[credit.party] if one is not credit]
    if len(others) < MANY:
        return False
    span = max(others[-1].day - others[0].day + 1, SHORTEST_SPAN_DAYS)
    return _PARTS_OF_A_YEAR * credit.amount * span < sum(one.amount for one in others) * _YEAR_DAYS


def _is_said_to_be_saved(one: Movement) -> bool:
    """Return whether a credit is savings by its words alone: it is not known from which account, or how the savings were built up."""
    return one.type == "savings" and one.unproven


def _is_only_said(life: Life, one: Movement) -> bool:
    """Return whether a credit that is no habit of its payer has a nature that is supported only by its words: what the sender wrote lifts no limit."""
    return one.unproven and not (one.party and one.party in life.regular_payers)


def _is_given_back(life: Life, one: Movement) -> bool:
    """Return whether a credit of no known nature counts as none because its payer got it back later: the customer chose the word for that, whenever it was.

    The refund of a purchase comes after the purchase, and a lawyer gives back what was paid for a home that was not sold.
    """
    if not (one.returned and one.unproven and one.party) or one.own or one.cash or one.property:
        return False
    to_payer = life.payments_to[one.party]
    paid = sum(debit.amount for debit in to_payer if debit.day <= one.day)
    before = sum(
        debit.amount
        for debit in to_payer
        if debit.day == one.day and came_first(debit, one) and not debit.cash
    )
    return paid < one.amount <= life.paid_later.get(one.party, NOTHING_PAID).after(one.day - 1) - before


def _is_repaid(life: Life, lent: Movement) -> bool:
    """Return whether a large sum was paid back to its payer with interest and not at once: it was a bridging loan."""
    paid = life.paid_later.get(lent.party, NOTHING_PAID).after(lent.day + life.limits.loan_days)
    return lent.amount <= paid <= _INTEREST * lent.amount


def _leaves(life: Life, credit: Movement) -> bool:
    """Return whether much of a credit goes to others, or through own accounts, within a month and is not a purchase or a home."""
    out = [
        one
        for one in within(life.movements, credit.day, life.limits.burst_days)
        if not one.is_credit and not (one.purchase or one.property) and (one.own or not one.related)
    ]
    return sum(one.amount for one in out) >= _MOVED_SHARE * credit.amount


def _large_in_a_year(life: Life, floor: int) -> Iterator[Flag]:
    """Yield the open credits from one payer that are large in total within a year, none of which is a flag by itself: regularity does not explain them.

    They are large if they come to all that is earned in a year, at least: `beyond_income_credit` from a stranger, twice that from a firm or family,
    which may be pay or support that the text does not name; for a few irregular sums of an unknown payer, twice `large_credit`: see `limit_of_payer`.
    """
    limits, alone = life.limits, life.known(limit_alone).minor
    small = (
        one
        for one in life.open_credits
        if one.party and not one.cash and (one.party in life.regular_payers or one.amount < alone)
    )
    for rows in by_party(small).values():
        limit, rest = limit_of_payer(life, rows, floor), [*rows]
        for year in _years(rows, limit.minor):
            yield make_flag(
                "large_unexplained",
                "Much unexplained money from one payer within a year: {credits_words}, {credits_minor} in all (the limit here is {limit_minor}), {dates}",
                life.currency,
                year,
                (),
                (),
                limit,
            )
            rest = [one for one in rest if one not in year]
        while parts := _in_parts(life, rest):
            yield make_flag(
                "large_unexplained",
                "Large unexplained credit in parts: {credits_words} from one payer within the rule's {window_days} days, {credits_minor} in all (the limit here is {limit_minor}), {dates}",
                life.currency,
                parts,
                (),
                (),
                life.known(limit_alone),
                window_days=limits.burst_days,
            )
            rest = [one for one in rest if one not in parts]


def _years(rows: Sequence[Movement], least: int) -> Iterator[Sequence[Movement]]:
    """Yield the payments of each year in which they come to a sum, one year after the other."""
    start = end = total = 0
    while start < len(rows):
        while end < len(rows) and rows[end].day < rows[start].day + _YEAR_DAYS:
            total += rows[end].amount
            end += 1
        if total >= least:
            yield rows[start:end]
            start, total = end, 0
        else:
            total -= rows[start].amount
            start += 1


def _in_parts(life: Life, rows: Sequence[Movement]) -> list[Movement]:
    """Return the credits of an irregular payer that would be one large credit if they were not divided; none if they would not."""
    if not rows or rows[0].party in life.regular_payers:
        return []
    parts = largest(rows, life.limits.burst_days)
    return parts if sum(one.amount for one in parts) >= life.known(limit_alone).minor else []


def _received(lives: Lives, first: Mask, then: Mask, days: int, least: Decimal) -> Mask:
    """Return which payments, with those of the same account within days after them, come to an amount in major units."""
    found = first.copy()
    _, paid = lives.after(first, then, days, by=lives.account)
    found[first] = paid >= lives.minor(least)[lives.life[first]]
    return found


def _may_awake(lives: Lives) -> Mask:
    """Return which lives have an account that was dormant for long enough and then receives enough."""
    limits = lives.limits
    moved = lives.comes_to(lives.open, limits.dormant_amount)[lives.life] & ~lives.of_type(*_MINOR_EVENTS)
    rows = np.flatnonzero(moved)
    rows = rows[np.argsort(lives.account[rows], kind="stable")]
    first = np.zeros(len(moved), dtype=np.bool_)
    first[rows[1:]] = (np.diff(lives.account[rows]) == 0) & (np.diff(lives.day[rows]) >= limits.dormant_days)
    return lives.has(_received(lives, first, lives.open, limits.burst_days - 1, limits.dormant_amount))


@found_where(_may_awake)
def awakened_accounts(life: Life) -> Iterator[Flag]:
    """Yield accounts that were dormant for months and then received large open credits."""
    for rows in by_account(life.movements).values():
        moved = [one for one in rows if one.type not in _MINOR_EVENTS]
        for before, after in itertools.pairwise(moved):
            quiet = after.day - before.day
            if quiet < life.limits.dormant_days:
                continue
            burst = [
                one
                for one in moved
                if one.is_open and after.day <= one.day < after.day + life.limits.burst_days
            ]
            earlier = sum(one.amount for one in moved if one.is_credit and one.day <= before.day)
            if sum(one.amount for one in burst) >= max(life.minor(life.limits.dormant_amount), earlier):
                yield make_flag(
                    "dormant_account",
                    "Dormant account reactivated: {credits_words} whose nature is not established, {credits_minor} in all, {dates}, after {quiet_days} days without "
                    "a payment",
                    life.currency,
                    burst,
                    quiet_days=quiet,
                )
                break


def _may_be_new(lives: Lives) -> Mask:
    """Return which lives have an account that appears late and receives enough."""
    _, opened = np.unique(lives.account, return_index=True)
    late = np.zeros(len(lives.day), dtype=np.bool_)
    late[opened] = True
    late &= lives.day - lives.day[lives.starts][lives.life] >= lives.limits.new_account_after_days
    return lives.has(
        _received(lives, late, lives.credits, lives.limits.new_account_days - 1, lives.limits.spike_amount)
    )


@found_where(_may_be_new)
def new_accounts(life: Life) -> Iterator[Flag]:
    """Yield accounts that appear later than the customer's others and receive large open credits at once."""
    limits = life.limits
    for rows in by_account(life.movements).values():
        opened = rows[0].day
        if opened - life.movements[0].day < limits.new_account_after_days:
            continue
        young = [
            one
            for one in rows
            if one.day < opened + limits.new_account_days
            and one.is_credit
            and not one.own
            and not one.returned
        ]
        total = sum(one.amount for one in young)
        beside = sum(
            one.amount for one in life.credits if opened <= one.day < opened + limits.new_account_days
        )
        if not young or total < life.minor(limits.spike_amount) or total < limits.spike_share * beside:
            continue
        open_ = [one for one in young if one.is_open]
        left = sum(
            one.amount
            for one in rows
            if not one.is_credit and not one.purchase and one.day < opened + limits.new_account_days
        )
        high = sum(one.amount for one in open_) >= _MOVED_SHARE * total and (
            left >= _MOVED_SHARE * total or len({one.party for one in open_}) >= limits.spike_parties
        )
        yield make_flag(
            "new_account_passage" if high else "activity_spike",
            "Large sums in a new account: {credits_words}, {credits_minor} in all, in the first {window_days} days of an account, {dates}",
            life.currency,
            young,
            window_days=limits.new_account_days,
        )


@found_where(lambda lives: np.array([one in lives.declared for one in lives.owners], dtype=np.bool_))
def beyond_declared(life: Life) -> Iterator[Flag]:
    """Yield credits that are far above the customer's declared income."""
    limits, declared = life.limits, life.declared_minor
    if declared is None:
        return
    yearly = life.all_credits_minor * _YEAR_DAYS // max(life.span_days, _YEAR_DAYS)
    if yearly >= limits.declared_factor * declared and yearly - declared >= life.minor(
        limits.declared_excess
    ):
        yield make_flag(
            "income_beyond_declared",
            "More than declared: {credits_words}, {credits_minor} in all, came in {dates}, against a declared yearly income of {declared_minor}",
            life.currency,
            life.credits,
            declared_minor=declared,
        )
