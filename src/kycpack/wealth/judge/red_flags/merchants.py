"""Takings of a sham trade: they come by card, through a platform or on invoice, with no real trade behind them.

Sources: Electronic Transactions Association, Merchant and ISO Underwriting and Risk Guidelines (2016), transaction laundering; FATF, Trade-Based Money
Laundering: Risk Indicators (2020), round sums and goods that are never shipped; FATF, Professional Money Laundering (2018), payouts of platforms that go back
to the guests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    sells_by_name,
    suppliers,
    takings_minor,
    trade_bills,
    usual_payees,
    wages_minor,
)
from kycpack.wealth.judge.red_flags.pass_through import keeps_margin
from kycpack.wealth.judge.red_flags.payment_words import topics_in
from kycpack.wealth.judge.red_flags.stock import PARTLY, debits_of, pairs_of, passages

_FEWEST_PARTS = 3
_MOST_PEOPLE = 8
_FEWEST_DAYS = 60
_BEFORE_DAYS = 21  # a new payee may be paid shortly before the takings rise
_ROUND, _ROUND_TAKING, _ROUNDER = 10, 50, 100
_NO_STOCK = 0.05
_MOSTLY = 0.8
_PLATFORMS = ("payment_processor", "letting_platform")


@found_where(
    lambda lives: lives.comes_to(lives.credits & lives.of_kind(*_PLATFORMS), lives.limits.handed_total)
)
def takings_to_persons(life: Life) -> Iterator[Flag]:
    """Yield takings by card or through a platform that mostly go to a few individuals: wages follow a rhythm, and stock has a seller."""
    takings = [one for one in life.credits if one.kind in _PLATFORMS]
    total = sum(one.amount for one in takings)
    if not takings or total < life.minor(life.limits.handed_total):
        return
    every = max(total, takings_minor(life))
    known = usual_payees(life) | suppliers(life)
    by_habit = trade_bills(life) | life.regular_payees
    out = []
    people = 0
    for party, rows in life.payments_to.items():
        paid = [
            one
            for one in rows
            if one.day >= takings[0].day and one.amount >= life.minor(life.limits.smallest_flow)
        ]
        if party in known or len(paid) < _FEWEST_PARTS or not all(_may_be_handed(one) for one in paid):
            continue
        if _follows(life, takings, paid) or (
            party not in by_habit and not any(one.purchase or sells_by_name(party) for one in paid)
        ):
            out += paid
            people += 1
    handed = sum(one.amount for one in out)
    if 0 < people <= _MOST_PEOPLE and life.limits.handed_share * every <= handed <= life.all_credits_minor:
        yield make_flag(
            "takings_to_persons",
            "Takings passed on to others: {credits_words} by card or through a platform, {credits_minor} in all, and {debits_words} to {payees_words}, "
            "{debits_minor} in all, {dates}",
            life.currency,
            takings,
            out,
        )


def _may_be_handed(one: Movement) -> bool:
    return not (one.collected or one.kind or one.cash or one.related)


def _follows(life: Life, takings: Sequence[Movement], paid: Sequence[Movement]) -> bool:
    """Return whether one party gets nearly all takings within days: a trade keeps a margin, whatever its rent and its wages are called and however often it pays them."""
    if sum(one.amount for one in paid) < life.limits.pass_through_share * sum(one.amount for one in takings):
        return False
    found = passages(takings, paid, life.limits.pass_through_days, life.limits.pass_through_share)
    return sum(one.credit.amount for one in found) >= life.limits.handed_share * sum(
        one.amount for one in takings
    )


@found_where(
    lambda lives: (
        lives.has(lives.credits & lives.of_kind("payment_processor"), lives.limits.repeated_count)
        & lives.comes_to(lives.credits & lives.of_kind("payment_processor"), lives.limits.handed_total)
        & lives.has(lives.exits & (lives.marked("cash") | (lives.marked("stranger") & lives.unknown)))
    )
)
def takings_drawn(life: Life) -> Iterator[Flag]:
    """Yield card takings in round sums, or in sums that repeat, that are drawn in cash or sent to strangers at once, with next to nothing paid for stock.

    A card is charged for cash and nothing is sold: a till is uneven, and a market trader who draws cash for stock has uneven takings too.
    """
    limits = life.limits
    takings = [
        one
        for one in life.credits
        if one.kind == "payment_processor" and not one.loan and "between_people" not in topics_in(one.party)
    ]
    total = sum(one.amount for one in takings)
    if (
        len(takings) < limits.repeated_count
        or total < life.minor(limits.handed_total)
        or not _repeat(life, takings)
        or sum(one.amount for one in life.trade_purchases) > _NO_STOCK * total
    ):
        return
    known = usual_payees(life) | suppliers(life)
    out = [
        one
        for one in life.exits
        if one.cash
        or (one.stranger and _may_be_handed(one) and one.party not in known and not sells_by_name(one.party))
    ]
    found = passages(takings, out, limits.pass_through_days, PARTLY)
    debits = debits_of(found)
    charged_back = sum(
        one.amount for party in {one.party for one in takings} for one in life.payments_to[party]
    )
    if (
        debits
        and sum(one.amount for one in debits) >= limits.handed_share * (total - charged_back)
        and not keeps_margin(life, found)
    ):
        yield make_flag(
            "takings_to_persons",
            "Card takings taken out at once: {credits_words} by card, {credits_minor} in all, mostly in round sums or in sums that repeat, and {debits_words} in cash "
            "or to strangers, {debits_minor} in all, each within {window_days} days of the takings, with next to nothing paid for stock, {dates}",
            life.currency,
            takings,
            debits,
            pairs_of(found),
            window_days=limits.pass_through_days,
        )


def _repeat(life: Life, takings: Sequence[Movement]) -> bool:
    """Return whether most takings are round or have the sum of another: what is left of a round sum after a fee repeats."""
    times = Counter(one.amount for one in takings)
    round_to = life.round_sum(_ROUND_TAKING)
    like = sum(times[one.amount] > 1 or one.amount % round_to == 0 for one in takings)
    return like >= life.limits.repeated_share * len(takings)


@found_where(lambda lives: lives.has(lives.credits & lives.of_kind("payment_processor"), _FEWEST_PARTS))
def takings_leap(life: Life) -> Iterator[Flag]:
    """Yield card takings that jump to a multiple while most of what comes in goes to parties that were never paid before."""
    takings = [one for one in life.credits if one.kind == "payment_processor"]
    if len(takings) < _FEWEST_PARTS:
        return
    place = _leap(takings)
    before, after = (sum(one.amount for one in some) for some in (takings[:place], takings[place:]))
    if not place or after < life.minor(life.limits.leap_total):
        return
    start = takings[place].day
    days_before, days_after = start - takings[0].day, takings[-1].day - start + 1
    if after * days_before < life.limits.leap_factor * before * days_after:
        return
    # An invoice does not prove a purchase: only words and direct debits identify a supplier here.
    known = usual_payees(life) | suppliers(life) | trade_bills(life)
    out = [
        one
        for party, rows in life.payments_to.items()
        if party not in known and rows[0].day >= start - _BEFORE_DAYS
        for one in rows
        if _may_be_handed(one) and not one.purchase
    ]
    if life.limits.handed_share * after <= sum(one.amount for one in out) <= life.all_credits_minor:
        yield make_flag(
            "takings_leap",
            "Card takings that jump and go to new parties: {credits_words} by card, {credits_minor} in all, a multiple of what was taken before, and "
            "{debits_words} to {payees_words} never paid before, {debits_minor} in all, {dates}",
            life.currency,
            takings[place:],
            out,
        )


def _leap(takings: Sequence[Movement]) -> int:
    """Return the index of the payment from which takings are the largest multiple of those before, with some months on each side; 0 if there is none."""
    first, last = takings[0].day, takings[-1].day
    whole = sum(one.amount for one in takings)
    best, most = 0, Decimal(0)
    before = 0
    for place, one in enumerate(takings):
        days_before, days_after = one.day - first, last - one.day + 1
        if min(days_before, days_after) >= _FEWEST_DAYS and before:
            rise = Decimal((whole - before) * days_before) / (before * days_after)
            if rise > most:
                best, most = place, rise
        before += one.amount
    return best


@found_where(
    lambda lives: lives.has(
        lives.debits & lives.marked("abroad") & lives.unknown & ~lives.marked("related", "cash"),
        max(lives.limits.round_abroad_count, 1),
    )
)
def round_sums_abroad(life: Life) -> Iterator[Flag]:
    """Yield round sums to firms abroad, for work or goods, that take most of what comes in, with nothing paid to carry, store or clear any goods."""
    away = [
        one
        for one in life.sent_abroad
        if not (one.stranger and one.type == "gift") and not (one.related or one.cash or one.kind)
    ]
    if not away:
        return
    total = sum(one.amount for one in away)
    parties = {one.party for one in away}
    round_to = life.round_sum(_ROUNDER)
    even = sum(one.amount for one in away if one.amount % round_to == 0)
    taken = [
        one
        for one in life.credits
        if one.unproven and one.party and not (one.cash or one.related or one.kind)
    ]
    came = sum(one.amount for one in taken)
    if (
        len(away) >= life.limits.round_abroad_count
        and total >= life.minor(life.limits.round_abroad_total)
        and even >= _MOSTLY * total
        and life.limits.handed_share * came <= total
        and not life.trade_purchases
        and all(len(life.payments_to[party]) >= _FEWEST_PARTS for party in parties if party)
    ):
        yield make_flag(
            "round_sums_abroad",
            "Round sums to firms abroad without any goods: {debits_words} to {payees_words}, {debits_minor} in all, out of {credits_words} whose nature is "
            "not proven, {credits_minor} in all, {dates}",
            life.currency,
            taken,
            away,
        )


@found_where(
    lambda lives: (
        lives.parties(lives.credits & lives.of_kind("payment_processor") & ~lives.marked("loan"))
        >= lives.limits.wallet_count
    )
)
def wallets_drawn(life: Life) -> Iterator[Flag]:
    """Yield round sums withdrawn from several payment services alongside a wage: a shop's payouts are uneven, and a shop has costs."""
    drawn = [
        one for one in life.credits if one.kind in ("payment_processor", "crypto", "bank") and not one.loan
    ]
    total = sum(one.amount for one in drawn)
    services = {one.party for one in drawn if one.kind == "payment_processor"}
    even = [one for one in drawn if one.amount % life.round_sum(_ROUND) == 0]
    if (
        len(services) >= life.limits.wallet_count
        and total >= life.minor(life.limits.wallet_total)
        and total >= life.limits.wallet_share * wages_minor(life) > 0
        and len(even) >= _MOSTLY * len(drawn)
        and not life.trade_purchases
    ):
        yield make_flag(
            "wallets_drawn",
            "Round sums from several payment services: {credits_words} from {payers_words}, {credits_minor} in all, alongside a wage and without a trade, {dates}",
            life.currency,
            drawn,
        )
