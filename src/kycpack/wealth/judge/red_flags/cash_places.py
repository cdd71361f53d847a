"""Cash that is paid in as several deposits, at many places, or into several accounts: each deposit looks small by itself.

Sources: FFIEC BSA/AML Manual, appendix G (structuring); National Crime Agency, National Strategic Assessment (2024), cash paid in across many accounts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kycpack.wealth.judge.red_flags.cash import is_shared_and_taxed
from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, within
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import card_takings, paid_bills, steady_payees, trade_costs

_FEW_FIRMS, _NEARLY_ALL = 2, 0.9


@found_where(
    lambda lives: (
        lives.comes_to(lives.cash, lives.limits.spread_total)
        & lives.has(lives.cash, lives.limits.pieces_a_day * lives.limits.pieces_days)
    )
)
def cash_in_pieces(life: Life) -> Iterator[Flag]:
    """Yield cash that is paid in as several deposits on one day, repeatedly: takings are normally banked once a day."""
    limits = life.limits
    cash = [one for one in life.credits if one.cash]
    days = Counter(one.day for one in cash)
    often = {day for day, count in days.items() if count >= limits.pieces_a_day}
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
    limits = life.limits
    cash = [one for one in life.credits if one.cash]
    total = sum(one.amount for one in cash)
    if (
        len({one.place for one in cash if one.place}) >= limits.places_count
        and len(cash) >= limits.places_deposits
        and total >= max(life.minor(limits.places_total), 1)
        and not is_shared_and_taxed(life)
        and (_at_once(life, cash) or _has_no_trade(life, total))
    ):
        yield make_flag(
            "cash_many_places",
            "Cash paid in at many places: {credits_words} of cash, {credits_minor} in all, at {limit_count} places or more, {dates}",
            life.currency,
            cash,
            limit_count=limits.places_count,
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
    bills = steady_payees(life) | paid_bills(life)
    paid = sorted(
        sum(one.amount for one in rows if not one.cash)
        for party, rows in life.payments_to.items()
        if party not in bills
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
        if len({other.account for other in _near(cash, one, limits.spread_days)}) >= limits.spread_accounts
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


def _near(rows: Sequence[Movement], one: Movement, days: int) -> Sequence[Movement]:
    return within(rows, one.day - days, 2 * days)
