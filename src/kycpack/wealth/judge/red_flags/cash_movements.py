"""Cash that is paid in as several deposits, at many places, or into several accounts; and cash that is lent and collected.

Each deposit looks small by itself. Sources: FFIEC BSA/AML Manual, appendix G (structuring); National Crime Agency, National Strategic Assessment (2024), cash
paid in across many accounts.

Somebody who is paid in cash has cash to spend, and has no need to draw much more of it. Whoever lends draws it, or sends it to ever new people, and pays in what
they bring back; or is paid by them, each for some weeks, whereas a teacher's pupils stay and are lent nothing. Sources: Financial Conduct Authority and National
Trading Standards, illegal money lenders; JMLSG Guidance part II, sector 1 (cash that does not fit what is known of the customer). The numbers are the firm's standard.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kycpack.wealth.judge.red_flags.cash import is_shared_and_taxed
from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, falls_within, within
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.loans import FEWEST_INSTALMENTS, like_instalments
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    card_takings,
    is_trader,
    trade_costs,
    usual_payees,
)

_FEW_FIRMS, _NEARLY_ALL = 2, 0.9
_ROUND = 10
_FEWEST_PEOPLE, _MOST_TIMES = 6, 2  # who is paid more often works for the customer or is family
_LEAST_DAYS = 120  # a club's money is drawn at one time
_COIN_OR_NOTE = 5
_NOT_ALL_ALONG = 0.7  # of the time observed
_FIRST_WEEKS_DAYS = 14
_MOSTLY = 0.6
_LEAST_LENT, _MOST_LENT = 0.4, 0.95  # of what is paid back


@found_where(
    lambda lives: (
        lives.comes_to(lives.cash, lives.limits.spread_total)
        & lives.has(lives.cash, lives.limits.pieces_a_day * lives.limits.pieces_days)
    )
)
def cash_in_pieces(life: Life) -> Iterator[Flag]:
    """Yield cash that is paid in as several deposits on one day, repeatedly: takings are normally banked once a day."""
    limits = life.limits
    cash = life.cash_paid_in
    often = {day for day, count in Counter(one.day for one in cash).items() if count >= limits.pieces_a_day}
    pieces = [one for one in cash if one.day in often]
    total = sum(one.amount for one in pieces)
    if (
        len(often) >= limits.pieces_days
        and total >= max(life.minor(limits.spread_total), 1)
        and total >= limits.structuring_share * sum(one.amount for one in cash)
    ):
        yield make_flag(
            "cash_in_pieces",
            "Cash in several deposits a day: {credits_words} of cash, {credits_minor} in all, paid in as {limit_count} or more deposits on one day, {dates}",
            life.currency,
            pieces,
            limit_count=limits.pieces_a_day,
        )


@found_where(
    lambda lives: (
        lives.has(lives.cash, lives.limits.places_deposits)
        & lives.comes_to(lives.cash, lives.limits.places_total)
    )
)
def cash_many_places(life: Life) -> Iterator[Flag]:
    """Yield cash that is paid in at many places at once, or by somebody whose costs show no trade: takings are banked near the stall or shop.

    Cash whose text names no place belongs to it, as takings do that are banked at home.
    """
    cash = life.cash_paid_in
    total = sum(one.amount for one in cash)
    if (
        len({one.place for one in cash if one.place}) >= life.limits.places_count
        and len(cash) >= life.limits.places_deposits
        and total >= max(life.minor(life.limits.places_total), 1)
        and not is_shared_and_taxed(life)
        and (_at_once(life, cash) or _has_no_trade(life, total))
    ):
        yield make_flag(
            "cash_many_places",
            "Cash paid in at many places: {credits_words} of cash, {credits_minor} in all, at {limit_count} places or more, {dates}",
            life.currency,
            cash,
            limit_count=life.limits.places_count,
        )


def _at_once(life: Life, cash: Sequence[Movement]) -> bool:
    """Return whether cash comes in at several named places on one day, repeatedly: nobody can be at all of them."""
    places = defaultdict(set)
    for one in cash:
        if one.place:
            places[one.day].add(one.place)
    several = [one for one in cash if len(places[one.day]) > 1]
    days = len({one.day for one in several})
    return days >= life.limits.pieces_days and sum(one.amount for one in several) >= life.minor(
        life.limits.places_total
    )


def _has_no_trade(life: Life, total: int) -> bool:
    return not card_takings(life) and (
        trade_costs(life) < life.limits.untraded_costs * total or _leaves_no_margin(life, total)
    )


def _leaves_no_margin(life: Life, total: int) -> bool:
    """Return whether a few firms receive nearly all the cash: a trade buys from several suppliers and lives on what is left."""
    paid = sorted(
        sum(one.amount for one in rows if not one.cash)
        for party, rows in life.payments_to.items()
        if party not in usual_payees(life)
    )
    return sum(paid[-_FEW_FIRMS:]) >= _NEARLY_ALL * total


@found_where(
    lambda lives: (
        lives.comes_to(lives.open & lives.cash, lives.limits.spread_total)
        & (lives.parties(lives.open & lives.cash, by=lives.account) > lives.limits.spread_accounts)
    )
)
def cash_over_accounts(life: Life) -> Iterator[Flag]:
    """Yield cash that is paid into several of the customer's accounts within days, repeatedly: each deposit looks small by itself."""
    limits = life.limits
    cash = [one for one in life.open_credits if one.cash]
    spread = [
        one
        for one in cash
        if len(
            {other.account for other in within(cash, one.day - limits.spread_days, 2 * limits.spread_days)}
        )
        >= limits.spread_accounts
    ]
    total = sum(one.amount for one in spread)
    if (
        len(spread) >= limits.spread_count
        and total >= life.minor(limits.spread_total)
        and total >= limits.structuring_share * sum(one.amount for one in cash)
        and len({one.account for one in spread}) > limits.spread_accounts
    ):
        yield make_flag(
            "cash_over_accounts",
            "Cash across several accounts: {credits_words} of cash, {credits_minor} in all, into {accounts} accounts, each within {window_days} days of cash "
            "into another account, {dates}",
            life.currency,
            spread,
            window_days=limits.spread_days,
        )


@found_where(
    lambda lives: (
        lives.has(lives.cash, lives.limits.lent_cash_count)
        & lives.comes_to(lives.debits, lives.limits.lent_cash_total)
    )
)
def lent_in_cash(life: Life) -> Iterator[Flag]:
    """Yield large cash withdrawals, and round sums to ever new people, beside which cash in a like total is paid in for months without a trade."""
    limits = life.limits
    cash = life.cash_paid_in
    if len(cash) < limits.lent_cash_count:
        return
    lent = [one for one in _lent(life) if one.day < cash[-1].day]
    back = [one for one in cash if lent and one.day > lent[0].day]
    out, into = (sum(one.amount for one in rows) for rows in (lent, back))
    if (
        min(len(lent), len(back)) >= limits.lent_cash_count
        and out >= life.minor(limits.lent_cash_total)
        and limits.lent_cash_back * out <= into <= limits.lent_cash_most * out
        and lent[-1].day - lent[0].day >= _LEAST_DAYS
        and not card_takings(life)
        and trade_costs(life) < limits.untraded_costs * into
    ):
        sent = "" if all(one.cash for one in lent) else " or in round sums to people who are paid seldom"
        yield make_flag(
            "cash_without_trade",
            "Cash that goes out and comes back without a trade: {debits_words} in large withdrawals"
            + sent
            + ", {debits_minor} in all, and {credits_words} of cash, {credits_minor} in all, {dates}",
            life.currency,
            back,
            lent,
        )


def _lent(life: Life) -> list[Movement]:
    """Return withdrawals larger than people draw for their shopping, and the round sums that each of many strangers is sent once or twice, in order of day."""
    least, round_to = life.minor(life.limits.lent_cash_least), life.round_sum(_ROUND)
    seldom = [
        one
        for party, rows in life.payments_to.items()
        if len(rows) <= _MOST_TIMES and party not in life.payments_of
        for one in rows
        if one.stranger
        and one.amount >= least
        and one.amount % round_to == 0
        and not (one.purchase or one.collected or one.kind or one.cash or one.trade)
    ]
    if is_trader(life) or len({one.party for one in seldom}) < _FEWEST_PEOPLE:
        seldom = []
    drawn = [one for one in life.cash_drawn if one.amount >= least]
    return sorted([*drawn, *seldom], key=lambda one: (one.day, one.account, one.txn_id))


@found_where(
    lambda lives: (
        (
            lives.parties(lives.credits & lives.unknown & (lives.times_paid_in >= FEWEST_INSTALMENTS))
            >= lives.limits.lent_cash_count
        )
        & lives.comes_to(lives.debits & lives.marked("cash"), lives.limits.lent_cash_total)
    )
)
def cash_lent_to_many(life: Life) -> Iterator[Flag]:
    """Yield the instalments of many people, each for some weeks only, that begin soon after large cash withdrawals which they more than pay back."""
    limits = life.limits
    least, most = life.minor(limits.lent_cash_least), life.most(limits.instalment_most)
    borrowers = [rows for party, rows in life.payments_of.items() if _pays_for_weeks(life, party, rows, most)]
    if len(borrowers) < limits.lent_cash_count or is_trader(life):
        return
    paid = [one for rows in borrowers for one in rows]
    last = max(one.day for one in paid)
    lent = [one for one in life.cash_drawn if one.amount >= least and one.day <= last]
    days = [one.day for one in lent]
    began = sum(falls_within(days, rows[0].day - _FIRST_WEEKS_DAYS, _FIRST_WEEKS_DAYS) for rows in borrowers)
    out, into = (sum(one.amount for one in rows) for rows in (lent, paid))
    if (
        len(lent) >= limits.lent_cash_count
        and out >= life.minor(limits.lent_cash_total)
        and _LEAST_LENT * into <= out <= _MOST_LENT * into
        and began >= _MOSTLY * len(borrowers)
    ):
        yield make_flag(
            "loans_to_many",
            "Instalments from many people, and cash that they may have been lent: {credits_words} in small sums of similar size from {payers_words}, "
            "{credits_minor} in all, and {debits_words} of cash in large withdrawals, {debits_minor} in all, {dates}",
            life.currency,
            paid,
            lent,
        )


def _pays_for_weeks(life: Life, party: str, rows: Sequence[Movement], most: int) -> bool:
    """Return whether a person who is paid nothing pays similar round sums, and does so for a part of the time observed."""
    return (
        len(rows) >= FEWEST_INSTALMENTS
        and party not in life.payments_to
        and rows[-1].day - rows[0].day < _NOT_ALL_ALONG * life.span_days
        and all(one.amount % life.round_sum(_COIN_OR_NOTE) == 0 for one in rows)
        and like_instalments(rows, most)
    )
