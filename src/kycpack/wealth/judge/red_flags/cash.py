"""Cash, and credits that stay just below a limit.

In the United Kingdom no cash amount is reportable by itself (POCA 2002 s. 330 requires suspicion), so structuring means many similar deposits
of cash that add up to a large sum within days. Sources: FFIEC BSA/AML Manual, appendix G (structuring); JMLSG Guidance part II, sector 1 (retail banking: cash
that does not fit what is known of the customer); FATF, Professional Money Laundering (2018), cash-intensive firms as a cover; National Crime
Agency, National Strategic Assessment (2024), cash paid in across many accounts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.red_flags.flag import Flag, beside_income, make_flag
from kycpack.wealth.judge.red_flags.life import Life, largest, once_a_life
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    TRADE_INCOME,
    card_takings,
    is_taxed,
    is_trader,
    paid_bills,
    rent_payees,
    savers,
    suppliers,
    takings_minor,
    trade_bills,
    trade_costs,
    usual_payees,
    wages_minor,
)
from kycpack.wealth.judge.red_flags.stock import debits_of, passages, sides_of
from kycpack.wealth.match.exchange_rates import ABOVE_ALL, round_unit

_WEEK_DAYS = 7
_NOTE = 10  # value of the smallest usual note
_SATURDAY = 2  # day 2 since 1970-01-01, a Thursday
_HABIT_SHARE = 0.8
_HABIT_DAYS = 120
_HABIT_WEEKDAYS = 2
_TAKE_AWAY = ("crypto", "payment_processor")
_PAID_AGAIN = 3
_FEWEST_SHARERS = 3
_WEEKLY = 1.5  # deposits a week: takings are banked when the till is full


@found_where(
    lambda lives: (
        lives.has(
            lives.open & lives.cash, min(lives.limits.structuring_count, lives.limits.structuring_year_count)
        )
        & lives.comes_to(
            lives.open & lives.cash, min(lives.limits.structuring_total, lives.limits.structuring_year_total)
        )
    )
)
def cash_structuring(life: Life) -> Iterator[Flag]:
    """Yield cash paid in as many similar deposits that add up to a large sum."""
    limits = life.limits
    cash = [one for one in life.open_credits if one.cash]
    band = _alike(cash, limits.structuring_spread)
    if len(band) < limits.structuring_share * len(cash) or is_shared_and_taxed(life):
        return
    months = limits.structuring_count, limits.structuring_total, "within the rule's {window_days} days, "
    for rows, (count, total, when) in (
        (largest(band, limits.structuring_days), months),
        (band, (limits.structuring_year_count, limits.structuring_year_total, "")),
    ):
        enough = len(rows) >= count and sum(one.amount for one in rows) >= life.minor(total)
        if enough and not _takings(life, cash):
            yield make_flag(
                "cash_structuring",
                "Cash in many similar deposits: {credits_words} of cash, {credits_minor} in all, each of nearly the same amount, "
                + when
                + "{dates}",
                life.currency,
                rows,
                (),
                **({"window_days": limits.structuring_days} if when else {}),
            )
            return


@found_where(
    lambda lives: lives.has(
        lives.unproven
        & (lives.amount >= lives.nearly(lives.limits.near_limit_share, _lowest_limit(lives))[lives.life])
        & (lives.amount < lives.most(lives.limits.reporting_limit)[lives.life])
        & (lives.marked("cash") | ~lives.marked("related")),
        lives.limits.near_limit_count,
    )
)
def near_threshold(life: Life) -> Iterator[Flag]:
    """Yield open credits just below the firm's limit, or the round sum of about that value in another currency, several within days, from payers that are neither regular nor family."""
    limits = life.limits
    limit = life.most(limits.reporting_limit)
    if limit == ABOVE_ALL:  # every credit counts as above the limit, so none is just below it
        return
    round_limit = life.round_sum(int(limits.reporting_limit))
    for below in (limit, round_limit) if limit <= 2 * round_limit < 2 * limit else (limit,):
        near = [
            one
            for one in life.unproven_credits
            if int(below * limits.near_limit_share) <= one.amount < below
            and (one.cash or (one.party not in life.regular_payers and not one.related))
        ]
        window = largest(near, limits.near_limit_days)
        if len(window) >= limits.near_limit_count:
            yield make_flag(
                "near_threshold",
                "Credits just below a limit: {credits_words}"
                + _in_cash(window)
                + " just below {limit_minor}, {credits_minor} in all, within the rule's {window_days} days, {dates}",
                life.currency,
                window,
                window_days=limits.near_limit_days,
                limit_minor=below,
            )
            return


def _lowest_limit(lives: Lives) -> npt.NDArray[np.int64]:
    """Return the lower of the firm's limit and the round sum of about that value in each life's currency, minor units."""
    limit = lives.limits.reporting_limit
    sums = {currency: int(limit) * round_unit(currency) for _, currency in lives.owners}
    return np.minimum(lives.minor(limit), [sums[currency] for _, currency in lives.owners]).astype(np.int64)


def _in_cash(rows: Sequence[Movement]) -> str:
    if all(one.cash for one in rows):
        return " of cash"
    return ", some of them of cash," if any(one.cash for one in rows) else ""


@found_where(
    lambda lives: (
        lives.comes_to(lives.cash, lives.limits.cash_amount)
        & (lives.total(lives.cash) >= lives.nearly(lives.limits.cash_share, lives.all_credits_minor))
    )
)
def cash_intensive(life: Life) -> Iterator[Flag]:
    """Yield cash that makes up a large share of all credits."""
    total = sum(one.amount for one in life.cash_paid_in)
    if (
        total >= max(life.minor(life.limits.cash_amount), 1)
        and total >= life.limits.cash_share * life.all_credits_minor
    ):
        yield make_flag(
            "cash_intensive",
            "A large share of cash: {credits_words} of cash, {credits_minor} in all, {share_percent} of all credits but own transfers and refunds ({all_credits_minor}, "
            "{observed_from_on} to {observed_to_on}), {dates}",
            life.currency,
            life.cash_paid_in,
            (),
            share_percent=round(100 * total / life.all_credits_minor),
            all_credits_minor=life.all_credits_minor,
            **life.observed,
        )


@found_where(
    lambda lives: (
        lives.comes_to(lives.cash, lives.limits.untraded_cash)
        & (lives.total(lives.cash) >= lives.nearly(lives.limits.untraded_income, lives.income_minor))
    )
)
def cash_without_trade(life: Life) -> Iterator[Flag]:
    """Yield cash over months that is far above other income while little is spent on a trade.

    A trade has costs, and a person who lives on cash spends it. Spending up to the other income may be paid from that income, and
    a person with a wage of nearly the same size does not live on cash.
    """
    limits = life.limits
    cash = life.cash_paid_in
    total = sum(one.amount for one in cash)
    if total < max(life.minor(limits.untraded_cash), 1) or total < limits.untraded_income * life.income_minor:
        return
    # Habitual payments to a stranger in sums that always differ are not a cost of a trade or of living, unless they are called a wage or rent.
    costs_by_habit = usual_payees(life) | trade_bills(life)
    habits = {
        party
        for party in life.regular_payees
        if sum(one.amount for one in life.payments_to[party]) < limits.swept_share * total
        and (party in costs_by_habit or not all(one.stranger for one in life.payments_to[party]))
    }
    habits |= suppliers(life)
    spent = [one for one in life.debits if one.purchase or one.trade or one.party in habits]
    other_income = sum(one.amount for one in life.income if one.type not in TRADE_INCOME)
    beyond = sum(one.amount for one in spent) - other_income
    wage = wages_minor(life)
    costs = trade_costs(life) if wage >= limits.untraded_wage * total else max(beyond, trade_costs(life))
    if costs < limits.untraded_costs * total and not is_shared_and_taxed(life):
        yield make_flag(
            "cash_without_trade",
            "Cash without a trade: {credits_words} of cash, {credits_minor} in all, {dates}, "
            + beside_income(life.income_minor)
            + " and few purchases that a trade would need",
            life.currency,
            cash,
            (),
            income_minor=life.income_minor,
            **life.observed,
        )


@once_a_life
def is_shared_and_taxed(life: Life) -> bool:
    """Return whether cash alongside a wage is shared among several people in small sums, with tax paid on the rest, as a tour leader does with tips."""
    cash = life.cash_paid_in
    if not cash or not wages_minor(life):
        return False
    parts = {
        party: rows
        for party, rows in life.payments_to.items()
        if party not in usual_payees(life)
        and len(rows) >= _PAID_AGAIN
        and all(one.stranger and one.amount <= life.minor(life.limits.small_gift) for one in rows)
    }
    shared = sum(one.amount for rows in parts.values() for one in rows)
    kept = sum(one.amount for one in cash) - shared
    return len(parts) >= _FEWEST_SHARERS and is_taxed(life, kept, cash[0].day)


@found_where(
    lambda lives: (
        lives.comes_to(lives.cash, lives.limits.sent_on_cash)
        & lives.has(
            lives.followed(lives.cash, lives.exits, lives.limits.swept_days, lives.limits.swept_share)
        )
    )
)
def cash_sent_on(life: Life) -> Iterator[Flag]:
    """Yield cash, with or without card takings, most of which goes to strangers or abroad within weeks: work, premises and stock cost less."""
    limits = life.limits
    cash = life.cash_paid_in
    total = sum(one.amount for one in cash)
    if total < max(life.minor(limits.sent_on_cash), 1) or is_shared_and_taxed(life):
        return
    costs = paid_bills(life) | trade_bills(life) | suppliers(life)
    # If a customer without a trade pays most of the cash to one party, that is not an ordinary habit, however regular, unless a letting firm gets the rent.
    takers = {
        party
        for party, rows in life.payments_to.items()
        if not is_trader(life)
        and sum(one.amount for one in rows) >= limits.swept_share * total
        and (party not in rent_payees(life) or any(one.stranger for one in rows))
    }
    exits = [
        one
        for one in life.exits
        if one.party not in costs | savers(life)
        and (_takes_cash(life, one) or (one.party in takers and not one.cash))
    ]
    swept = passages(cash, exits, limits.swept_days, limits.swept_share)
    moved = sum(one.credit.amount for one in swept)
    gone = sum(one.amount for one in debits_of(swept))
    if moved >= limits.swept_share * total and gone >= limits.sent_on_share * takings_minor(life):
        yield make_flag(
            "cash_sent_on",
            "Cash sent on to others: {credits_words} of cash, {credits_minor} in all, and {debits_words} to {payees_words}, {debits_minor} in all, each "
            "within {window_days} days of the cash that it came from, {dates}",
            life.currency,
            *sides_of(swept),
            window_days=limits.swept_days,
        )


def _takes_cash(life: Life, one: Movement) -> bool:
    """Return whether a debit may take cash away: to a stranger, through an exchange or a remitter, or to a firm that is paid repeatedly without a rhythm."""
    again = one.party not in life.regular_payees and len(life.payments_to[one.party]) >= _PAID_AGAIN
    return (one.stranger or one.kind in _TAKE_AWAY or again) and not one.cash


def _alike(rows: Sequence[Movement], spread: Decimal) -> list[Movement]:
    """Return the largest set of payments whose amounts differ by no more than a share of the largest."""
    ordered = sorted(rows, key=lambda one: (one.amount, one.day, one.account, one.txn_id))
    best: list[Movement] = []
    start = 0
    for end, last in enumerate(ordered):
        while ordered[start].amount < (1 - spread) * last.amount:
            start += 1
        if end - start + 1 >= len(best):
            best = ordered[start : end + 1]
    return sorted(best, key=lambda one: (one.day, one.account, one.txn_id))


def _takings(life: Life, cash: Sequence[Movement]) -> bool:
    """Return whether cash looks like the takings of a trade: its costs support it, or it comes in uneven sums for months, on the trade's days or with card takings."""
    if trade_costs(life) >= life.limits.untraded_costs * sum(one.amount for one in cash):
        return True
    if cash[-1].day - cash[0].day < _HABIT_DAYS:
        cards = [one for one in card_takings(life) if cash[0].day <= one.day <= cash[-1].day]
        return bool(cards) and _uneven(life, cash)
    weekdays = Counter((one.day - _SATURDAY) % _WEEK_DAYS for one in cash)
    usual = sum(count for _, count in weekdays.most_common(_HABIT_WEEKDAYS))
    weeks = (cash[-1].day - cash[0].day) / _WEEK_DAYS
    return (
        (is_trader(life) and len(cash) <= _WEEKLY * weeks)
        or usual >= _HABIT_SHARE * len(cash)
        or _uneven(life, cash)
    )


def _uneven(life: Life, cash: Sequence[Movement]) -> bool:
    return sum(one.amount % life.round_sum(_NOTE) != 0 for one in cash) >= _HABIT_SHARE * len(cash)
