"""Money that comes back from the party to which it went.

Sources: FATF, Trade-Based Money Laundering (2020) and FFIEC BSA/AML Manual, appendix F, "Funds transfers" (round trips: funds that return to
where they came from without a reason).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np

from kycpack.wealth.judge.red_flags.cycles import Waiting
from kycpack.wealth.judge.red_flags.flag import Flag, Pair, came_first, make_flag
from kycpack.wealth.judge.red_flags.life import INCOME_TYPES, Life, by_party, falls_within, within
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.occasions import is_conveyed
from kycpack.wealth.prepare.coded import Mask

_OVERPAID_PARTS = 4
_NAME_LETTERS = 4
_SHOPS = (
    "",
    "retailer",
    "marketplace",
    "employer",
)  # firms that give money back on a card; others pay out on one
_PAYS_OUT = ("gambling", "crypto")  # on a card, and call it a refund
_OF_PERSONS = ("person_transfer", "gift", "savings")
_CANCELLED_DAYS = 60
_CANCELLED_SPREAD = Decimal("0.1")
_Pairs = list[Pair]


def _may_be_round(lives: Lives) -> Mask:
    """Return which lives have a party with enough sums that it was paid about the same days."""
    limits = lives.limits
    large = lives.named & lives.at_least(min(limits.round_trip_amount, limits.pass_through_amount))
    out = large & lives.debits & lives.unknown
    out &= ~lives.marked("collected") | lives.at_least(2 * limits.large_credit)
    into = large & lives.every_credit & lives.marked("unproven") & ~lives.marked("loan")
    into &= ~lives.marked("related") | lives.marked("self_named")
    days = limits.round_trip_days
    both = lives.followed(into, out, days, 1 - limits.round_trip_spread, before=days, by=lives.party)
    least = lives.minor(min(limits.round_trip_person, limits.round_trip_single))[lives.life]
    often = min(limits.round_trip_count, limits.round_trip_often)
    return lives.has(both & ((lives.paid(both) >= least) | (lives.times(both) >= often)))


@found_where(_may_be_round)
def round_trips(life: Life) -> Iterator[Flag]:
    """Yield money that one party paid in and received back, in nearly equal amounts, whatever the customer calls what goes back.

    Money that goes out first and comes back is a loan, a purchase or a deposit; it counts only if it happens repeatedly, and a refund of it never does.
    """
    limits = life.limits
    for party in sorted((life.payments_of.keys() | life.returned_of.keys()) & life.payments_to.keys()):
        first_in, both = _there_and_back(life, party, limits.round_trip_amount)
        if len(both) < limits.round_trip_count:
            _, small = _there_and_back(life, party, limits.pass_through_amount)
            both = small if len(small) >= limits.round_trip_often else both
        often = len(both) >= limits.round_trip_count
        into = [credit for pair in both for credit in pair if credit.is_credit]
        total = sum(credit.amount for credit, _ in first_in)
        single = life.minor(
            limits.round_trip_person
            if (into and into[0].stranger and _is_between_people(into)) or any(one.returned for one in into)
            else limits.round_trip_single
        )
        if not often and (
            not (first_in and total >= single)
            or _is_overpaid(life, party, total)
            or _is_sold_on(life, both)
            or is_conveyed(life, both)
        ):
            continue
        yield make_flag(
            "round_trip",
            "Money to and from one party: {credits_words}, {credits_minor} in all, came in, and {debits_words}, {debits_minor} in all, went out, "
            "in nearly equal amounts within the rule's {window_days} days, {dates}",
            life.currency,
            into,
            [one for pair in both for one in pair if not one.is_credit],
            window_days=limits.round_trip_days,
        )


def _is_overpaid(life: Life, party: str, total: int) -> bool:
    """Return whether what went back is a small part of what an employer pays habitually: a double payment of wages is returned."""
    every = sum(one.amount for one in life.payments_of[party])
    return party in life.regular_payers and _OVERPAID_PARTS * total <= every


def _is_sold_on(life: Life, both: _Pairs) -> bool:
    """Return whether a firm that was paid then paid in more than that: shares are bought at a share plan's price, and sold."""
    spread = 1 + life.limits.round_trip_spread
    return all(
        any(
            later.amount > spread * out.amount and not later.stranger
            for later in within(life.payments_of[out.party], out.day, life.limits.round_trip_days)
        )
        for pair in both
        for out in pair
        if not out.is_credit
    )


def _there_and_back(life: Life, party: str, amount: Decimal) -> tuple[_Pairs, _Pairs]:
    """Return what a party paid in and received back, and that or, if there is none, what it received and paid back, in nearly equal amounts of at least a given one."""
    least, days, spread = life.minor(amount), life.limits.round_trip_days, life.limits.round_trip_spread
    into = [
        one
        for one in [*life.payments_of[party], *life.returned_of[party]]
        if one.unproven and one.amount >= least and not one.loan
    ]
    # Anybody may name a firm after a trade: only what it collects itself is bought. Who orders a transfer may call it a purchase too.
    large = life.minor(2 * life.limits.large_credit)
    out = [
        one
        for one in life.payments_to[party]
        if one.amount >= least and not one.kind and (not one.collected or one.amount >= large)
    ]
    if not into or not out or any(one.related and not one.self_named for one in into):
        return [], []
    into.sort(key=lambda one: one.day)
    pairs = [pair for pair in _in_turn(into, out, days, spread) if not pair[1].returned]
    first_in = [pair for pair in pairs if pair[0].is_credit]
    return first_in, first_in or pairs


def _in_turn(into: Sequence[Movement], out: Sequence[Movement], days: int, spread: Decimal) -> _Pairs:
    """Return pairs of nearly equal amounts in opposite directions, one to one, the earlier payment first.

    Each payment is paired with an earlier one that nothing has answered yet: if every payment of a month comes back, the next month's does not answer what
    came back.

    Args:
        into: Credits in order of day.
        out: Debits in order of day.
        days: Days from the first of a pair to the second.
        spread: How far the amounts may differ, as a share of the first.
    """
    credits_, debits = Waiting(into), Waiting(out)
    found = []
    for one in sorted([*into, *out], key=lambda one: (one.day, not one.is_credit)):
        mine, others = (credits_, debits) if one.is_credit else (debits, credits_)
        others.take_before(one.day - days)
        earlier = others.earliest_like(one.amount, spread)
        # Of one day, a credit counts as the first.
        if earlier is not None and earlier.day <= one.day - one.is_credit:
            others.take(earlier)
            mine.take(one)
            found.append((earlier, one))
    return found


def _is_between_people(rows: Sequence[Movement]) -> bool:
    """Return whether money came in as people give and lend it to each other, and not as pay or the price of anything."""
    return all(one.type in {"person_transfer", "loan"} for one in rows)


def _large_of_firms(lives: Lives) -> Mask:
    """Return the large payments for which `_gives_back` holds."""
    named = lives.named & ~lives.of_kind(*_PAYS_OUT) & ~lives.of_type(*_OF_PERSONS)
    return (
        named
        & ~lives.marked("own", "cash", "related", "self_named", "loan")
        & lives.at_least(lives.limits.cancelled_least)
    )


def _may_be_cancelled(lives: Lives) -> Mask:
    """Return which lives have enough large credits from firms that share a word with a firm that is paid much."""
    large = _large_of_firms(lives)
    paid, back = (_of_parties(lives, large & chosen) for chosen in (lives.debits, lives.every_credit))
    bought = {(life, word) for life, party, _ in paid for word in _long_words(party)}
    shared = [
        code for life, party, code in back if any((life, word) in bought for word in _long_words(party))
    ]
    given = large & lives.every_credit & np.isin(lives.party, shared)
    return lives.has(given, lives.limits.cancelled_count) & lives.comes_to(
        given, lives.limits.cancelled_total
    )


def _of_parties(lives: Lives, chosen: Mask) -> Iterator[tuple[int, str, int]]:
    """Yield life, name and number of each party of the chosen payments."""
    rows = np.flatnonzero(chosen)
    rows = rows[np.unique(lives.party[rows], return_index=True)[1]]
    return zip(lives.life[rows].tolist(), lives.each.party[rows], lives.party[rows].tolist(), strict=True)


@found_where(_may_be_cancelled)
def purchases_cancelled(life: Life) -> Iterator[Flag]:
    """Yield several large purchases that were given back almost in full within weeks: money paid out by a firm looks like the firm's own."""
    least = life.minor(life.limits.cancelled_least)
    given = [one for one in life.every_credit if one.amount >= least and _gives_back(one)]
    paid = [one for one in life.debits if one.amount >= least and _gives_back(one)]
    by_word: dict[str, list[Movement]] = defaultdict(list)
    for one in paid:
        for word in _long_words(one.party):
            by_word[word].append(one)
    waiting = {word: Waiting(rows) for word, rows in by_word.items()}
    pairs: _Pairs = []
    for back in given:
        for word in sorted(_long_words(back.party) & waiting.keys()):
            bought = _cancelled(waiting[word], back)
            if bought is not None:
                pairs.append((bought, back))
                for name in _long_words(bought.party):
                    waiting[name].take(bought)
                break
    pairs = [pair for pair in pairs if came_first(*pair) is not False]
    if len(pairs) >= life.limits.cancelled_count and sum(back.amount for _, back in pairs) >= life.minor(
        life.limits.cancelled_total
    ):
        yield make_flag(
            "purchases_cancelled",
            "Large payments given back: {debits_words} to {payees_words}, {debits_minor} in all, and {credits_words} from the same names, {credits_minor} in "
            "all, in nearly equal amounts within the rule's {window_days} days, {dates}",
            life.currency,
            [back for _, back in pairs],
            [one for one, _ in pairs],
            pairs,
            window_days=_CANCELLED_DAYS,
        )


def _cancelled(paid: Waiting, back: Movement) -> Movement | None:
    """Return the first purchase in the weeks before a credit that the credit gives back almost in full."""
    paid.take_before(back.day - _CANCELLED_DAYS)
    one = paid.earliest_like(back.amount, _CANCELLED_SPREAD)
    return one if one is not None and one.day <= back.day else None


def _long_words(party: str) -> set[str]:
    return {word for word in party.split() if len(word) >= _NAME_LETTERS}


def _gives_back(one: Movement) -> bool:
    """Return whether a payment is to or from a firm, by name, that is not an exchange or bookmaker; own savings also come and go."""
    return (
        bool(one.party)
        and one.kind not in _PAYS_OUT
        and not (one.own or one.cash or one.related or one.self_named or one.loan or one.type in _OF_PERSONS)
    )


def _may_be_refunds(lives: Lives) -> Mask:
    """Return which lives have enough refunds from parties that were paid less than they gave back."""
    given = lives.every_credit & (
        lives.marked("returned", "collected") | (lives.of_kind("retailer") & lives.marked("is_open"))
    )
    more = lives.paid(given) > lives.nearly(lives.limits.refund_factor, lives.paid_out)
    without = given & (more | ~lives.named)
    return lives.has(without, lives.limits.refund_count) & lives.comes_to(without, lives.limits.refund_total)


@found_where(_may_be_refunds)
def refunds_without_purchase(life: Life) -> Iterator[Flag]:
    """Yield refunds from parties that were paid less than they gave back: the refunded purchase was made with other money, or not at all."""
    given = by_party(
        one
        for one in life.every_credit
        if not one.own
        and one.kind not in _PAYS_OUT
        and (
            one.returned
            or (one.kind == "retailer" and one.is_open and one.party not in life.regular_payers)
            or (one.collected and one.kind in _SHOPS)
        )
    )
    chosen: list[Movement] = []
    for party, back in given.items():
        paid = sum(one.amount for one in life.payments_to[party])
        unmatched = [one for one in back if not _was_laid_out(life, one)]
        total = sum(one.amount for one in unmatched)
        if total > life.limits.refund_factor * paid and total > _earned(life, party, unmatched):
            chosen += unmatched
    total = sum(one.amount for one in chosen)
    if len(chosen) >= life.limits.refund_count and total >= life.minor(life.limits.refund_total):
        yield make_flag(
            "refunds_without_purchase",
            "Refunds without a purchase: {credits_words} from {payers_words}, {credits_minor} in all, called refunds or credited to a card by parties that "
            "were paid less from these accounts, {dates}",
            life.currency,
            chosen,
        )


def _was_laid_out(life: Life, back: Movement) -> bool:
    """Return whether exactly what comes back was paid to somebody shortly before, as when a customer buys for a club or an employer."""
    days = life.limits.refund_days
    return falls_within(life.paid_on.get(back.amount, ()), back.day - days, days)


def _earned(life: Life, party: str, back: Sequence[Movement]) -> int:
    """Return what a client paid for work besides refunds by transfer, minor units: a client reimburses travel costs."""
    if any(one.collected or one.kind for one in back):
        return 0
    return sum(one.amount for one in life.payments_of[party] if one.type in INCOME_TYPES)
