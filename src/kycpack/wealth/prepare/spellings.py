"""Joins different spellings of one payer: a letter lost or changed, or a text truncated by a narrow field."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of, lowest_of_joined
from kycpack.wealth.prepare.lexicon import compiled
from kycpack.wealth.streams.cadence import IRREGULAR, classify_cadences

_SHORTEST = 8  # in a shorter name, one letter often makes another name
_SHORTEST_WHOLE_WORDS = 12  # a text that ends between words may be a shorter name and not a truncated one
_SHORTEST_WORD = 4
_SURE = 0.9
_LONG_TOGETHER_DAYS = 28
_MOST_WITH_ONE_HALF = 40  # half a text that more payers share is a phrase, not a spelling


def join_spellings(
    customer: Codes,
    key: Codes,
    keys: Sequence[str],
    joinable: Iterable[int],
    day: Codes,
    nature_words: str,
) -> Codes:
    """Return keys in which all spellings of one payer of a customer have the same key.

    Args:
        customer: Customer of each credit.
        key: Code of each credit's payer.
        keys: The payers, sorted.
        joinable: Codes of keys that may be joined.
        day: Booking day of each credit; spellings that pay in parallel, each on its own calendar, are two payers.
        nature_words: Pattern of words for the purpose of a payment: a firm and its pension fund are two payers.

    Returns:
        For each credit the code of the spelling that represents all: the one that sorts first.
    """
    allowed = np.zeros(len(keys), dtype=np.bool_)
    allowed[[code for code in joinable if len(keys[code]) >= _SHORTEST]] = True
    pairs, where = np.unique(customer * len(keys) + key, return_inverse=True)
    mine = np.flatnonzero(allowed[pairs % len(keys)])
    owner = pairs[mine] // len(keys)
    texts = [keys[code] for code in (pairs[mine] % len(keys)).tolist()]
    near = [
        (one, other)
        for one, other in sorted(set(_candidates(owner, texts)))
        if _alike(texts[one], texts[other])
    ]
    nature = compiled(nature_words or r"(?!)")
    said = {text: _said(nature, text) for text in {texts[one] for pair in near for one in pair}}
    alike = [(one, other) for one, other in near if not _say_two_things(said[texts[one]], said[texts[other]])]
    side_by_side = _side_by_side(alike, mine, where, day)
    root = np.arange(len(pairs))
    root[mine] = mine[lowest_of_joined(len(texts), (pair for pair in alike if pair not in side_by_side))]
    return np.asarray(pairs[root[where]] % len(keys), dtype=np.int64)


def _said(nature: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(found.strip() for found in nature.findall(text))


def _say_two_things(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether both texts name the purpose of a payment, and the purposes differ; a truncated word does not count."""
    return bool(one and other) and one != other


def _side_by_side(
    pairs: Sequence[tuple[int, int]], mine: Codes, where: Codes, day: Codes
) -> set[tuple[int, int]]:
    """Return the pairs in which both pay at the same time, each on its own calendar."""
    asked = (
        mine[np.array(sorted({one for pair in pairs for one in pair}), dtype=np.int64)] if pairs else mine[:0]
    )
    if not asked.size:
        return set()
    member = np.isin(where, asked)
    group, days = np.searchsorted(asked, where[member]), day[member]
    found = classify_cadences(group, days, len(asked))
    first, last = bounds_of(group, days, len(asked))
    sure = (found.code != IRREGULAR) & (found.score >= _SURE)
    number = {int(one): index for index, one in enumerate(asked)}
    both = [(pair, number[int(mine[pair[0]])], number[int(mine[pair[1]])]) for pair in pairs]
    return {
        pair
        for pair, one, other in both
        if sure[one]
        and sure[other]
        and min(last[one], last[other]) - max(first[one], first[other]) >= _LONG_TOGETHER_DAYS
    }


def _candidates(owner: Codes, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of one owner's texts that may be spellings of each other."""
    before = _longest_beginnings(owner, texts)
    for index, shorter in enumerate(before):
        at = shorter
        while at >= 0:
            yield at, index
            at = before[at]
    # A change in one half of a text leaves the other half as it was. If one text is a letter longer, its half is stored under
    # both lengths.
    sharing: dict[tuple[int, str, str], set[int]] = defaultdict(set)
    for index, (text, mine) in enumerate(zip(texts, owner.tolist(), strict=True)):
        for size in (len(text) // 2, (len(text) - 1) // 2):
            sharing[mine, "first", text[:size]].add(index)
            sharing[mine, "last", text[len(text) - size :]].add(index)
    for members in sharing.values():
        if len(members) <= _MOST_WITH_ONE_HALF:
            yield from combinations(sorted(members), 2)


def join_beginnings(customer: Codes, key: Codes, keys: Sequence[str], mine: Mask) -> Codes:
    """Return keys in which a text that is the beginning of exactly one other text has that text's key, for credits identified by text.

    Args:
        customer: Customer of each credit.
        key: Code of each credit's payer.
        keys: The payers, sorted.
        mine: Which credits this is for.
    """
    pairs, where = np.unique(customer[mine] * len(keys) + key[mine], return_inverse=True)
    before = _longest_beginnings(
        pairs // max(len(keys), 1), [keys[code] for code in (pairs % max(len(keys), 1)).tolist()]
    )
    ends = [0] * len(before)  # texts that continue each text, and that no other text continues
    end = list(range(len(before)))
    for index in range(len(before) - 1, -1, -1):
        ends[index] = ends[index] or 1
        if before[index] >= 0:
            ends[before[index]] += ends[index]
            end[before[index]] = end[index]
    only = np.array(
        [last if count == 1 else index for index, (count, last) in enumerate(zip(ends, end, strict=True))]
    )
    result = key.copy()
    if len(pairs):
        result[mine] = pairs[only][where] % len(keys)
    return result


def _longest_beginnings(owner: Codes, texts: Sequence[str]) -> list[int]:
    """Return for each text the longest other text of its owner that it begins with; -1 if there is none.

    Args:
        owner: Owner of each text, ascending.
        texts: Texts, ascending within an owner, so that a text comes before those that begin with it.
    """
    before = [-1] * len(texts)
    open_: list[int] = []
    last = -1
    for index, (text, mine) in enumerate(zip(texts, owner.tolist(), strict=True)):
        if mine != last:
            open_, last = [], mine
        while open_ and not text.startswith(texts[open_[-1]]):
            open_.pop()
        if open_:
            before[index] = open_[-1]
        if text:
            open_.append(index)
    return before


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        return long[len(short)] != " " or len(short) >= _SHORTEST_WHOLE_WORDS
    return _one_change(short, long)


def _one_change(short: str, long: str) -> bool:
    """Return whether the texts differ in one letter, lost, added or changed within a longer word."""
    if len(long) - len(short) > 1:
        return False
    at = next((index for index, letter in enumerate(short) if letter != long[index]), len(short))
    rest = short[at + 1 :] if len(short) == len(long) else short[at:]
    if rest != long[at + 1 :] or long[at] == " ":
        return False
    start = long.rfind(" ", 0, at) + 1
    end = long.find(" ", at)
    return (len(long) if end < 0 else end) - start > _SHORTEST_WORD
