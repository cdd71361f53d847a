"""The running stock of money that just came in: which of it was moved on, each payment counted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from kycpack.wealth.judge.red_flags.movements import Movement

# A payment that is mostly made with other money moves nothing on: a lead tenant adds his own share to what he collects.
_FROM_STOCK = Decimal("0.85")


@dataclass(frozen=True)
class Passage:
    """A credit that was moved on, and the debits that took it."""

    credit: Movement
    debits: tuple[Movement, ...]


def passages(
    credits_: Sequence[Movement], exits: Sequence[Movement], within_days: int, least_share: Decimal
) -> list[Passage]:
    """Return the credits of which at least a share was moved on within days.

    A debit takes from the credits that came last; what it takes is gone, so that no debit counts twice. Nothing is taken from a credit of
    the debit's own party.

    Args:
        credits_: By day.
        exits: Debits that can move money on, by day.
        within_days: Days from a credit to a debit.
        least_share: Share of a credit, 0..1.
    """
    left = [one.amount for one in credits_]
    taken: list[list[Movement]] = [[] for _ in credits_]
    first = 0
    for out in exits:
        while first < len(credits_) and credits_[first].day < out.day - within_days:
            first += 1
        stock = []
        for index in range(first, len(credits_)):
            if credits_[index].day > out.day:
                break
            if left[index] and (not out.party or credits_[index].party != out.party):
                stock.append(index)
        if sum(left[index] for index in stock) < _FROM_STOCK * out.amount:
            continue
        wanted = out.amount
        for index in reversed(stock):
            part = min(wanted, left[index])
            left[index] -= part
            wanted -= part
            taken[index].append(out)
            if not wanted:
                break
    return [
        Passage(credit, tuple(debits))
        for credit, rest, debits in zip(credits_, left, taken, strict=True)
        if debits and credit.amount - rest >= least_share * credit.amount
    ]


def debits_of(found: Sequence[Passage]) -> list[Movement]:
    """Return the debits of passages, each once."""
    return list({(one.account, one.txn_id): one for passage in found for one in passage.debits}.values())
