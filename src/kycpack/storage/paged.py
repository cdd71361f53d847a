"""Sequences that are read a page at a time, so that the entries of 100,000 customers are never in memory together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

PAGE = 500
"""How many items are read together."""

_Item = TypeVar("_Item")


class Paged(Sequence[_Item]):
    """A sequence that holds no items: they are read each time they are asked for.

    Args:
        count: How many items there are.
        read: Returns the items from one place to before another; going through all of them asks for `PAGE` at a time.
    """

    def __init__(self, count: int, read: Callable[[int, int], Sequence[_Item]]) -> None:
        self._count = count
        self._read = read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> _Item: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[_Item]: ...

    def __getitem__(self, place: int | slice) -> _Item | Sequence[_Item]:
        wanted = range(self._count)[place]
        if isinstance(wanted, range):
            if wanted.step == 1:
                return self._read(wanted.start, wanted.stop) if wanted else []
            return [self[one] for one in wanted]
        (item,) = self._read(wanted, wanted + 1)
        return item

    def __iter__(self) -> Iterator[_Item]:
        for first in range(0, self._count, PAGE):
            yield from self._read(first, min(first + PAGE, self._count))
