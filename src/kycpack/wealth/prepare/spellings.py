"""Spellings of one payer: a letter lost or changed, and a text that a narrow field cut off."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from kycpack.wealth.prepare.intake import Codes, Mask

_SHORTEST = 8  # below it a letter more or less is often another name
_SHORTEST_WHOLE_WORDS = 12  # a text that ends between words may be a shorter name rather than a cut one
_BLOCK = 4
_SHORTEST_WORD = 4


def join_spellings(customer: Codes, key: Codes, keys: Sequence[str], joinable: Iterable[int]) -> Codes:
    """Return keys in which spellings of one payer of a customer are one.

    Args:
        customer: Customer of each credit.
        key: Code of each credit's payer.
        keys: The payers, sorted.
        joinable: Codes of keys that may be joined.

    Returns:
        For each credit the code of the spelling that stands for all: the one that sorts first.
    """
    allowed = set(joinable)
    pairs, where = np.unique(customer * len(keys) + key, return_inverse=True)
    blocks: dict[tuple[int, str, bool], list[int]] = defaultdict(list)
    for index, pair in enumerate(pairs.tolist()):
        owner, code = divmod(pair, len(keys))
        text = keys[code]
        if code in allowed and len(text) >= _SHORTEST:
            # One change leaves the beginning or the end as it was.
            blocks[owner, text[:_BLOCK], True].append(index)
            blocks[owner, text[-_BLOCK:], False].append(index)
    parent = list(range(len(pairs)))
    for members in blocks.values():
        for position, one in enumerate(members):
            for other in members[position + 1 :]:
                if _root(parent, one) != _root(parent, other) and _alike(
                    keys[int(pairs[one] % len(keys))], keys[int(pairs[other] % len(keys))]
                ):
                    low, high = sorted((_root(parent, one), _root(parent, other)))
                    parent[high] = low
    roots = np.array([_root(parent, index) for index in range(len(pairs))], dtype=np.int64)
    return np.asarray(pairs[roots[where]] % len(keys), dtype=np.int64)


def join_beginnings(customer: Codes, key: Codes, keys: Sequence[str], mine: Mask) -> Codes:
    """Return keys in which a text that is the beginning of exactly one other is that one, for credits that are told apart by text.

    Args:
        customer: Customer of each credit.
        key: Code of each credit's payer.
        keys: The payers, sorted.
        mine: Which credits this is for.
    """
    pairs, where = np.unique(customer[mine] * len(keys) + key[mine], return_inverse=True)
    texts: dict[int, list[int]] = defaultdict(list)
    for pair in pairs.tolist():
        texts[pair // len(keys)].append(pair)
    longer = pairs.copy()
    for index, pair in enumerate(pairs.tolist()):
        text = keys[pair % len(keys)]
        others = [
            one for one in texts[pair // len(keys)] if one != pair and keys[one % len(keys)].startswith(text)
        ]
        ends = [
            one
            for one in others
            if not any(
                keys[two % len(keys)].startswith(keys[one % len(keys)]) for two in others if two != one
            )
        ]
        if text and len(ends) == 1:
            longer[index] = ends[0]
    result = key.copy()
    result[mine] = longer[where] % len(keys)
    return result


def _root(parent: list[int], index: int) -> int:
    while parent[index] != index:
        parent[index] = parent[parent[index]]
        index = parent[index]
    return index


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        return long[len(short)] != " " or len(short) >= _SHORTEST_WHOLE_WORDS
    return _one_change(short, long)


def _one_change(short: str, long: str) -> bool:
    """Tell whether one letter within a longer word was lost, added or changed."""
    if len(long) - len(short) > 1:
        return False
    at = next((index for index, letter in enumerate(short) if letter != long[index]), len(short))
    rest = short[at + 1 :] if len(short) == len(long) else short[at:]
    if rest != long[at + 1 :] or long[at] == " ":
        return False
    start = long.rfind(" ", 0, at) + 1
    end = long.find(" ", at)
    return (len(long) if end < 0 else end) - start > _SHORTEST_WORD
