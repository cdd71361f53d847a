"""The running stock of newly received money: which of it was moved on, with each payment counted once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from kycpack.wealth.judge.red_flags.flag import Pair
from kycpack.wealth.judge.red_flags.movements import Movement

# A payment made mostly with other money does not move money on: a lead tenant adds their own share to what they collect.
_FROM_STOCK_PERCENT = 85
PARTLY = Decimal("0.5")
"""The share of a sum that was moved on if sums are pooled, so that a payment uses a part of some of them."""

_AT_ONCE = (
    "on the same day as the money it moved on",
    "on the same day as the money it moved on or the day after",
)


@dataclass(frozen=True)
class Passage:
    """A credit that was moved on, and the debits by which it left."""

    credit: Movement
    debits: tuple[Movement, ...]


def passages(
    credits_: Sequence[Movement],
    exits: Sequence[Movement],
    within_days: int,
    least_share: Decimal,
    *,
    whoever: bool = False,
) -> list[Passage]:
    """Return the credits of which at least a given share was moved on within days.

    A debit draws on the latest credits first; what it takes is used up, so that no debit counts twice.

    Args:
        credits_: Credits in order of day.
        exits: Debits that can move money on, in order of day.
        within_days: Days from a credit to a debit.
        least_share: Share of a credit, 0..1.
        whoever: Whether a debit may draw on a credit from its own party.
    """
    left, parties = [one.amount for one in credits_], [one.party for one in credits_]
    # The last day is after every payment.
    days = [*(one.day for one in credits_), math.inf]
    taken: list[list[Movement]] = [[] for _ in credits_]
    there: list[int] = []  # credits in the window that have something left, the latest last
    held: Counter[str] = Counter()  # sum left in the window, by party
    first = end = total = 0
    for out in exits:
        while days[end] <= out.day:
            there.append(end)
            held[parties[end]] += left[end]
            total += left[end]
            end += 1
        while first < end and days[first] < out.day - within_days:
            held[parties[first]] -= left[first]
            total -= left[first]
            first += 1
        party = "" if whoever else out.party
        if 100 * (total - (held[party] if party else 0)) < _FROM_STOCK_PERCENT * out.amount:
            continue
        wanted = out.amount
        for place in range(len(there) - 1, -1, -1):
            index = there[place]
            if index < first or not wanted:
                break
            if party and parties[index] == party:
                continue
            part = min(wanted, left[index])
            left[index] -= part
            held[parties[index]] -= part
            total -= part
            wanted -= part
            taken[index].append(out)
            if not left[index]:
                del there[place]
    return [
        Passage(credit, tuple(debits))
        for credit, rest, debits in zip(credits_, left, taken, strict=True)
        if debits and credit.amount - rest >= least_share * credit.amount
    ]


def debits_of(found: Sequence[Passage]) -> list[Movement]:
    """Return the debits in the passages, each once."""
    return list({(one.account, one.txn_id): one for passage in found for one in passage.debits}.values())


def pairs_of(found: Iterable[Passage]) -> list[Pair]:
    """Return each credit with each debit by which it left."""
    return [(passage.credit, debit) for passage in found for debit in passage.debits]


def sides_of(found: Sequence[Passage]) -> tuple[list[Movement], list[Movement], list[Pair]]:
    """Return the credits in the passages, the debits, and the pairs of the two, as `make_flag` takes them."""
    return [one.credit for one in found], debits_of(found), pairs_of(found)


def soon_words(found: Iterable[Passage], window_days: int) -> str:
    """Return how soon the money was moved on, with a placeholder for the window: by the days that were seen, where it left at once.

    Args:
        found: The passages.
        window_days: The window of the rule.
    """
    longest = max(debit.day - credit.day for credit, debit in pairs_of(found))
    if longest >= min(window_days, len(_AT_ONCE)):
        return "within {window_days} days of the money it moved on"
    return _AT_ONCE[longest] + " (the rule looks at up to {window_days} days)"


def other_money_words(found: Sequence[Passage]) -> str:
    """Return what a sentence adds where more went out than came in; nothing if it did not."""
    is_more = sum(one.amount for one in debits_of(found)) > sum(one.credit.amount for one in found)
    return "; part of what went out was other money" if is_more else ""


def by_one_payment(found: Sequence[Passage]) -> list[Passage]:
    """Return the credits that were moved on by a single debit, which is no larger than the credit."""
    return [one for one in found if len(one.debits) == 1 and one.debits[0].amount <= one.credit.amount]
