"""Sorting what is read from a disk: only a part of the sort keys is in memory at a time."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

_AT_ONCE = 5000
"""How many sort keys are in memory together."""

_Item = TypeVar("_Item")


def in_order(items: Sequence[_Item], key: Callable[[_Item], Any]) -> Iterator[_Item]:
    """Yield items sorted by a key; equal ones stay in their order.

    Args:
        items: The items. They are gone through once, and then each is read once more, alone.
        key: Returns the sort key of an item.
    """
    read, blocks = iter(items), []
    for first in range(0, len(items), _AT_ONCE):
        keys = [key(item) for item in islice(read, _AT_ONCE)]
        blocks.append(array("L", (first + place for place in sorted(range(len(keys)), key=keys.__getitem__))))
    return heapq.merge(*(map(items.__getitem__, block) for block in blocks), key=key)
