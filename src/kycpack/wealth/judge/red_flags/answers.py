"""Two parties whose sums match: what one pays in, another receives, time after time.

Sources: FATF, Trade-Based Money Laundering (2020), matching payments in and out of a firm without a trade of its own; FFIEC BSA/AML Manual,
appendix F, "Funds transfers" (funds that go in and out in similar amounts).
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import kept_up
from kycpack.wealth.prepare.coded import Mask

_AMOUNT = attrgetter("amount")
_LARGEST = 10  # parties on each side that are compared with each other
_SIZE = 2
_SAME_SUM = 0.5  # rent and other bills cost the same each time and would match any sum of that size


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
    limits = life.limits
    least = life.minor(limits.answer_amount)
    into = {
        party: rows
        for party, rows in _largest(life.payments_of)
        if all(one.unproven and not (one.kind or one.related or one.cash) for one in rows)
    }
    if not into:
        return
    out = {
        party: rows
        for party, rows in _largest(life.payments_to)
        if len(rows) >= limits.answer_count
        and min(one.amount for one in rows) >= least
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
                if apart <= 1 < limits.answer_days
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
                window_days=limits.answer_days,
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
    return ordered[:_LARGEST]


def _alike(credits_: Sequence[Movement], debits: Sequence[Movement]) -> bool:
    """Return whether the sums of two parties are of similar size; if they are not, few of their payments can match."""
    into, out = sum(one.amount for one in credits_), sum(one.amount for one in debits)
    return into <= _SIZE * out and out <= _SIZE * into


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
