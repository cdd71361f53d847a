"""Money that goes out to one party and comes back from another.

Source: FFIEC BSA/AML Manual, appendix F, "Funds transfers" (round trips: funds that return to where they came from without a reason).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.pass_through import moved_on, passed
from kycpack.wealth.judge.red_flags.same_day import Pair, came_first, is_in_order
from kycpack.wealth.judge.red_flags.stock import Passage
from kycpack.wealth.judge.red_flags.waiting import Waiting

_HABITUALLY = 0.8
_BY_CHANCE = 0.25  # among many payments, some have nearly equal amounts


@found_where(
    lambda lives: lives.has(
        lives.followed(
            lives.exits
            & lives.named
            & lives.unknown
            & ~lives.marked("cash")
            & lives.at_least(lives.limits.round_trip_amount),
            lives.unproven
            & lives.named
            & ~lives.marked("related", "cash")
            & lives.at_least(lives.limits.round_trip_amount),
            lives.limits.cycle_days,
            1 - lives.limits.cycle_spread,
        ),
        min(lives.limits.cycle_count, lives.limits.cycle_count_closed),
    )
)
def cycles(life: Life) -> Iterator[Flag]:
    """Yield money that went out to one stranger and came back from another in nearly equal amounts, more than once.

    What came in first, on the same day, did not come back: it was moved on.
    """
    limits = life.limits
    least = life.minor(limits.round_trip_amount)
    paid_in = {party: Waiting(rows) for party, rows in life.payments_of.items() if party in life.payments_to}
    out = [
        one
        for one in life.exits
        if one.amount >= least
        and one.party
        and not one.kind
        and not one.cash
        and not (one.party in paid_in and _is_deposit_returned(life, one, paid_in[one.party]))
    ]
    into = [
        one
        for one in life.unproven_credits
        if one.amount >= least and one.party and not one.related and not one.cash
    ]
    pairs = _with_others(out, into, limits.cycle_days, limits.cycle_spread)
    sent = Counter(debit.party for debit, _ in pairs)
    # Rent and the like is paid whether or not something comes in.
    pairs = [
        (debit, credit)
        for debit, credit in pairs
        if debit.party not in life.regular_payees
        or sent[debit.party] >= _HABITUALLY * len(life.payments_to[debit.party])
    ]
    certain = sum(one.amount >= life.most(limits.round_trip_amount) for one in out)
    back = [pair for pair in pairs if came_first(*pair) is not False]
    if _is_cycle(life, back, certain):
        yield _came_back(life, back)
    elif _is_cycle(life, pairs, certain):
        known = {id(one) for flag in moved_on.find(life) for one in flag.rows}
        onward = [Passage(credit, (debit,)) for debit, credit in pairs if not came_first(debit, credit)]
        if any(id(one.credit) not in known for one in onward):
            yield passed(life, onward, limits.cycle_days)


def _is_cycle(life: Life, pairs: Sequence[Pair], certain: int) -> bool:
    """Return whether payments out, each with a credit from another party, are too many and too large for chance, among so many that could be paired."""
    limits = life.limits
    total = sum(credit.amount for _, credit in pairs)
    closed = {debit.party for debit, _ in pairs} & set(life.payments_of) | {
        credit.party for _, credit in pairs
    } & set(life.payments_to)
    needed = limits.cycle_count_closed if closed else limits.cycle_count
    return len(pairs) >= max(needed, _BY_CHANCE * certain) and total >= life.minor(limits.cycle_total)


def _came_back(life: Life, pairs: Sequence[Pair]) -> Flag:
    title = (
        "Money sent to one party that came back from another"
        if is_in_order(pairs)
        else "Like sums to one party and from another"
    )
    return make_flag(
        "cycle",
        title
        + ": {debits_words} to {payees_words}, {debits_minor} in all, and {credits_words} from "
        + "{payers_words}, {credits_minor} in all, in nearly equal amounts within the rule's {window_days} days, {dates}",
        life.currency,
        [credit for _, credit in pairs],
        [debit for debit, _ in pairs],
        pairs,
        window_days=life.limits.cycle_days,
    )


def _is_deposit_returned(life: Life, debit: Movement, paid_in: Waiting) -> bool:
    """Return whether a debit gives back what the same party paid in long before, as a landlord does when a tenant leaves."""
    limits = life.limits
    low = bisect_left(
        paid_in.amounts, Decimal(debit.amount), key=lambda amount: (1 + limits.cycle_spread) * amount
    )
    high = bisect_right(
        paid_in.amounts, Decimal(debit.amount), key=lambda amount: limits.deposit_share * amount
    )
    first = paid_in.earliest(low, high)
    return first is not None and first.day <= debit.day - limits.deposit_days


def _with_others(
    first: Sequence[Movement], second: Sequence[Movement], days: int, spread: Decimal
) -> list[Pair]:
    """Return pairs of nearly equal amounts with different parties, one to one, the second within days after the first.

    Args:
        first: Payments in order of day.
        second: Payments in order of day.
        days: Days from the first of a pair to the second.
        spread: How far the amounts may differ, as a share of the first.
    """
    waiting = Waiting(second)
    found = []
    for one in first:
        waiting.take_before(one.day)
        low = bisect_left(waiting.amounts, (1 - spread) * one.amount, key=Decimal)
        high = bisect_right(waiting.amounts, (1 + spread) * one.amount, key=Decimal)
        other = waiting.earliest(low, high, not_of=one.party)
        if other is not None and other.day <= one.day + days:
            waiting.take(other)
            found.append((one, other))
    return found
