"""Money that goes out to one party and comes back from another, and two parties whose sums match: what one pays in, another receives, time after time.

Sources: FFIEC BSA/AML Manual, appendix F, "Funds transfers" (round trips: funds that return to where they came from without a reason; funds that go in and out
in similar amounts); FATF, Trade-Based Money Laundering (2020), matching payments in and out of a firm without a trade of its own.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter

from kycpack.wealth.judge.red_flags.flag import Flag, Pair, came_first, is_in_order, make_flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import kept_up
from kycpack.wealth.judge.red_flags.pass_through import moved_on, passed
from kycpack.wealth.judge.red_flags.stock import Passage
from kycpack.wealth.prepare.coded import Mask

_Earliest = tuple[int, int]  # index of the earliest payment, and of the earliest one of another party
_AMOUNT = attrgetter("amount")
_LARGEST_PARTIES = 10  # parties on each side that are compared with each other
_TIMES_AS_LARGE = 2
_SAME_SUM = 0.5  # rent and other bills cost the same each time and would match any sum of that size
_HABITUALLY = 0.8
_BY_CHANCE = 0.25  # among many payments, some have nearly equal amounts


class Waiting:
    """Payments among which the earliest one with an amount in a given range is found, until it is taken.

    A tree over the payments by amount holds the earliest payment of each part, so that each query takes as many steps as the tree is high.

    Args:
        rows: The payments in order of day.

    Attributes:
        amounts: Their amounts, ascending: indexes into it define the range of amounts of a query.
    """

    def __init__(self, rows: Sequence[Movement]) -> None:
        by_amount = sorted(range(len(rows)), key=lambda place: rows[place].amount)
        self.amounts = [rows[place].amount for place in by_amount]
        self._rows = rows
        self._none = len(rows)
        self._leaf_of = {id(rows[place]): len(rows) + leaf for leaf, place in enumerate(by_amount)}
        self._tree: list[_Earliest] = [(self._none, self._none)] * len(rows)
        self._tree += [(place, self._none) for place in by_amount]
        for node in range(len(rows) - 1, 0, -1):
            self._tree[node] = self._earlier(self._tree[2 * node], self._tree[2 * node + 1])
        self._gone = 0

    def take(self, one: Movement) -> None:
        """Remove a payment."""
        node = self._leaf_of[id(one)]
        self._tree[node] = (self._none, self._none)
        while node > 1:
            node //= 2
            self._tree[node] = self._earlier(self._tree[2 * node], self._tree[2 * node + 1])

    def take_before(self, day: int) -> None:
        """Remove the payments before a day; each call must have a later day than the one before."""
        while self._gone < len(self._rows) and self._rows[self._gone].day < day:
            self.take(self._rows[self._gone])
            self._gone += 1

    def earliest(self, low: int, high: int, *, not_of: str | None = None) -> Movement | None:
        """Return the earliest payment that is left in a range of amounts; None if there is none.

        Args:
            low: First index in `amounts`.
            high: The index after the last one.
            not_of: A party whose payments are skipped.
        """
        found: _Earliest = (self._none, self._none)
        low, high = low + len(self._rows), high + len(self._rows)
        while low < high:
            if low % 2:
                found = self._earlier(found, self._tree[low])
                low += 1
            if high % 2:
                high -= 1
                found = self._earlier(found, self._tree[high])
            low, high = low // 2, high // 2
        place, other = found
        if place < self._none and self._rows[place].party == not_of:
            place = other
        return self._rows[place] if place < self._none else None

    def earliest_like(self, amount: int, spread: Decimal) -> Movement | None:
        """Return the earliest payment that is left of which an amount differs by no more than a share of it; None if there is none.

        Args:
            amount: Minor units.
            spread: Share of the payment.
        """
        return self.earliest(
            bisect_left(self.amounts, Decimal(amount), key=lambda minor: (1 + spread) * minor),
            bisect_right(self.amounts, Decimal(amount), key=lambda minor: (1 - spread) * minor),
        )

    def _earlier(self, one: _Earliest, two: _Earliest) -> _Earliest:
        first, second = (one, two) if one[0] <= two[0] else (two, one)
        if second[0] == self._none:
            return first
        apart = self._rows[first[0]].party != self._rows[second[0]].party
        return first[0], min(first[1], second[0] if apart else second[1])


def _may_come_back(lives: Lives) -> Mask:
    """Return which lives have enough payments to strangers that enough sums followed."""
    limits = lives.limits
    found = lives.followed(
        lives.exits
        & lives.named
        & lives.unknown
        & ~lives.marked("cash")
        & lives.at_least(limits.round_trip_amount),
        lives.unproven
        & lives.named
        & ~lives.marked("related", "cash")
        & lives.at_least(limits.round_trip_amount),
        limits.cycle_days,
        1 - limits.cycle_spread,
    )
    # What came back may be a little more than what went out.
    enough = (1 + float(limits.cycle_spread)) * lives.total(found) >= lives.nearly(
        1, lives.minor(limits.cycle_total)
    )
    return enough & lives.has(found, min(limits.cycle_count, limits.cycle_count_closed))


@found_where(_may_come_back)
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
    total = sum(credit.amount for _, credit in pairs)
    closed = {debit.party for debit, _ in pairs} & set(life.payments_of) | {
        credit.party for _, credit in pairs
    } & set(life.payments_to)
    needed = life.limits.cycle_count_closed if closed else life.limits.cycle_count
    return len(pairs) >= max(needed, _BY_CHANCE * certain) and total >= life.minor(life.limits.cycle_total)


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
    low = bisect_left(
        paid_in.amounts, Decimal(debit.amount), key=lambda amount: (1 + life.limits.cycle_spread) * amount
    )
    high = bisect_right(
        paid_in.amounts, Decimal(debit.amount), key=lambda amount: life.limits.deposit_share * amount
    )
    first = paid_in.earliest(low, high)
    return first is not None and first.day <= debit.day - life.limits.deposit_days


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


def _may_answer(lives: Lives) -> Mask:
    """Return which lives have a party that pays in often enough, and one that is paid enough in large sums only."""
    into = lives.from_unknown & (lives.times_paid_in >= lives.limits.answer_count)
    large = lives.to_unknown & lives.at_least(lives.limits.answer_amount) & ~lives.marked("related")
    out = (
        large
        & (lives.times(large) == lives.times_paid_out)
        & (lives.sums(large) > _SAME_SUM * lives.times_paid_out)
        & (lives.times_paid_out >= lives.limits.answer_count)
        & (lives.paid(large) >= lives.minor(lives.limits.answer_total)[lives.life])
    )
    return lives.has(into & (lives.times(into) == lives.times_paid_in)) & lives.has(out)


@found_where(_may_answer)
def answering_sums(life: Life) -> Iterator[Flag]:
    """Yield sums that one party paid in and another was paid, matching payment by payment although the amounts vary."""
    into = {
        party: rows
        for party, rows in _largest(life.payments_of)
        if all(one.unproven and not (one.kind or one.related or one.cash) for one in rows)
    }
    out = {
        party: rows
        for party, rows in _largest(life.payments_to)
        if len(rows) >= life.limits.answer_count
        and min(one.amount for one in rows) >= life.minor(life.limits.answer_amount)
        and len({one.amount for one in rows}) > _SAME_SUM * len(rows)
        and not any(one.kind or one.related or one.cash or one.collected for one in rows)
        and party not in kept_up(life)
    }
    for (payer, credits_), (payee, debits) in itertools.product(into.items(), out.items()):
        found = [] if payer == payee else _answered(life, credits_, debits)
        if found:
            apart = max(abs(one.day - debit.day) for debit, part in found for one in part)
            near = (
                "within a day of it, before or after (the rule looks at up to {window_days} days)"
                if apart <= 1 < life.limits.answer_days
                else "within {window_days} days of it"
            )
            yield make_flag(
                "answering_sums",
                "Matching sums in and out: {credits_words} from one party, {credits_minor} in all, and {debits_words} to another, "
                "{debits_minor} in all, each payment nearly equal to what came in "
                + near
                + ", with sums that differ from payment to payment, {dates}",
                life.currency,
                [one for _, part in found for one in part],
                [debit for debit, _ in found],
                window_days=life.limits.answer_days,
            )
            return


def _answered(
    life: Life, credits_: Sequence[Movement], debits: Sequence[Movement]
) -> list[tuple[Movement, list[Movement]]]:
    """Return the debits that match credits, each with those credits; none if they are too few or too small to rule out chance."""
    limits = life.limits
    if not _alike(credits_, debits):
        return []
    for before in (False, True):
        found = [
            (debit, part)
            for debit, part in _between(credits_, debits, before=before)
            if abs(sum(one.amount for one in part) - debit.amount) <= limits.answer_spread * debit.amount
            and all(abs(one.day - debit.day) <= limits.answer_days for one in (part[0], part[-1]))
        ]
        if (
            len(found) >= limits.answer_count
            and len(found) >= limits.answer_share * len(debits)
            and sum(debit.amount for debit, _ in found) >= life.minor(limits.answer_total)
        ):
            return found
    return []


def _largest(by_party: Mapping[str, Sequence[Movement]]) -> list[tuple[str, Sequence[Movement]]]:
    """Return the parties with the largest sums."""
    ordered = sorted(by_party.items(), key=lambda one: (-sum(map(_AMOUNT, one[1])), one[0]))
    return ordered[:_LARGEST_PARTIES]


def _alike(credits_: Sequence[Movement], debits: Sequence[Movement]) -> bool:
    """Return whether the sums of two parties are of similar size; if they are not, few of their payments can match."""
    into, out = sum(one.amount for one in credits_), sum(one.amount for one in debits)
    return into <= _TIMES_AS_LARGE * out and out <= _TIMES_AS_LARGE * into


def _between(
    credits_: Sequence[Movement], debits: Sequence[Movement], *, before: bool
) -> list[tuple[Movement, list[Movement]]]:
    """Return the debits, each with the credits between it and the next debit, or since the one before it; debits without credits are left out."""
    days = [one.day for one in debits]
    parts: list[list[Movement]] = [[] for _ in debits]
    for one in credits_:
        place = bisect_left(days, one.day) if before else bisect_right(days, one.day) - 1
        if 0 <= place < len(debits):
            parts[place].append(one)
    return [(debit, part) for debit, part in zip(debits, parts, strict=True) if part]
