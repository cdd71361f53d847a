"""Payments on one side that wait for payments on the other: the earliest one of a similar amount is found in few steps, however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.wealth.judge.red_flags.movements import Movement

_Earliest = tuple[int, int]  # index of the earliest payment, and of the earliest one of another party


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

    def _earlier(self, one: _Earliest, two: _Earliest) -> _Earliest:
        first, second = (one, two) if one[0] <= two[0] else (two, one)
        if second[0] == self._none:
            return first
        apart = self._rows[first[0]].party != self._rows[second[0]].party
        return first[0], min(first[1], second[0] if apart else second[1])
