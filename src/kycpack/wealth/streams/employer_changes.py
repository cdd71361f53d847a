"""A payer that continues under another text: pay that was called wages and is now called salary, or a benefit under a new code.

Two texts belong to one payer only if one starts where the other stops. Another employer is another payer, even with the
same pay day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, bounds_of, distinct_of
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, without_words
from kycpack.wealth.streams.cadence import IRREGULAR, classify_cadences
from kycpack.wealth.streams.streams import grouped_median

_BENEFIT = "\x1f"  # no key contains it
_SURE = 0.95
_LARGEST_STEP = 1.4
_FEWEST_TOGETHER = 3


def join_successions(
    owner: Codes,
    key: Codes,
    keys: Sequence[str],
    day: Codes,
    amount: Codes,
    type_code: Codes,
    lexicon: Lexicon,
    country: str,
) -> Codes:
    """Return keys in which texts that one payer used one after another are the same.

    Args:
        owner: Customer and currency of each credit.
        key: Code of each credit's payer.
        keys: The payers, sorted.
        day: Booking day of each credit, days since 1970-01-01.
        amount: Minor units of each credit.
        type_code: Type of each credit.
        lexicon: Words that show what a payment is for; what is left of a text names the payer.
        country: Country whose business days move the slots.
    """
    if not len(key):
        return key
    cells, where, count = np.unique(owner * len(keys) + key, return_inverse=True, return_counts=True)
    first, last = bounds_of(where, day, len(cells))
    typed = _only_types(where, type_code, len(cells))
    median = grouped_median(where, amount, count)
    # Only if a type is known can anything less than the whole text name the payer.
    asked = distinct_of(cells[typed != NO_TYPE] % len(keys)).tolist()
    bases = dict(zip(asked, without_words([keys[one] for one in asked], lexicon.nature_pattern), strict=True))
    families: dict[tuple[int, str], list[int]] = defaultdict(list)
    for index in np.lexsort((cells, first)).tolist():
        code = int(cells[index]) % len(keys)
        base = _base(int(typed[index]), bases.get(code, ""), lexicon)
        if base:
            families[int(cells[index]) // len(keys), base].append(index)
    label = np.arange(len(cells))
    doubtful: list[tuple[int, int]] = []
    for (_, base), members in families.items():
        for before, after in pairwise(members):
            if first[after] > last[before] and typed[before] == typed[after]:
                if base == _BENEFIT:
                    if _one_within_the_other(keys, cells, before, after):
                        doubtful.append((before, after))
                else:
                    label[after] = label[before]
    steady = [
        pair
        for pair in doubtful
        if int(count[list(pair)].sum()) >= _FEWEST_TOGETHER
        and max(median[list(pair)]) <= _LARGEST_STEP * min(median[list(pair)])
    ]
    for before, after in _continued(steady, where, day, country):
        label[after] = label[before]
    return bounds_of(label, cells % len(keys), len(cells))[0][label[where]]


def _one_within_the_other(keys: Sequence[str], cells: Codes, one: int, other: int) -> bool:
    """Return whether two texts differ only by words that one of them leaves out; two benefits each have a name of their own."""
    first, second = (set(keys[int(cells[index]) % len(keys)].split()) for index in (one, other))
    return first <= second or second <= first


def _base(type_code: int, base: str, lexicon: Lexicon) -> str:
    """Return the words that name the payer; empty if there are none that another text could share."""
    if type_code == NO_TYPE:
        return ""
    if type_code == lexicon.code("state_benefit"):
        return _BENEFIT
    # Interest names no payer, because the bank itself pays it.
    return base or f"{_BENEFIT}{lexicon.types[type_code]}"


def _only_types(where: Codes, type_code: Codes, size: int) -> Codes:
    """Return the type of each group whose credits have one type, `NO_TYPE` for the others."""
    low, high = bounds_of(where, type_code, size)
    return np.where(low == high, low, NO_TYPE)


def _continued(pairs: list[tuple[int, int]], where: Codes, day: Codes, country: str) -> list[tuple[int, int]]:
    """Return the pairs in which one continues the calendar of the other without a missed day."""
    if not pairs:
        return []
    days = pd.Series(day).groupby(where)
    joined = [np.concatenate([days.get_group(one).to_numpy() for one in pair]) for pair in pairs]
    groups = np.repeat(np.arange(len(pairs)), [len(one) for one in joined])
    found = classify_cadences(groups, np.concatenate(joined), len(pairs), country)
    sure = (found.code != IRREGULAR) & (found.score >= _SURE)
    return [pair for pair, yes in zip(pairs, sure, strict=True) if yes]
