"""The several texts of one payer: those that continue each other, and the name by which the payer is shown.

Pay that was called wages may now be called salary, and a benefit may come under a new code. Two texts belong to one payer only if one starts where the other
stops. Another employer is another payer, even with the same pay day.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.judge.wording import CASH, NO_NAME
from kycpack.wealth.prepare.coded import Codes, bounds_of, distinct_of, first_of_each, pick
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, compiled, without_words
from kycpack.wealth.streams.cadence import IRREGULAR, classify_cadences
from kycpack.wealth.streams.streams import grouped_median

_BENEFIT = "\x1f"  # no key contains it
_SURE = 0.95
_LARGEST_STEP = 1.4
_FEWEST_TOGETHER = 3
_WITHOUT_DIGIT = re.compile(r"\D+")
# A number in a name, as in `BET365`, `G4S` and `TRADING 212`, has few digits and stands alone; longer ones, also in groups as in `QQ 12 34 56 C`,
# are references, and may be a person's number.
_DIGIT = re.compile("[0-9]")
_SHORT_NUMBER = re.compile(r"(?<!\S)[^\W\d_]*[0-9]{1,3}[^\W\d_]*(?!\S)")


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
        base = _base(int(typed[index]), bases.get(int(cells[index]) % len(keys), ""), lexicon)
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


def usual_names(
    group: Codes, names: npt.NDArray[np.object_], keys: npt.NDArray[np.object_], lexicon: Lexicon
) -> npt.NDArray[np.object_]:
    """Return the text that each payer uses most often, without references and parts that change at its end, such as a month; on a tie, the text that sorts first."""
    codes, raw = pd.factorize(names, sort=True)
    codes, texts = _without_references(group, codes, list(raw))
    codes, texts = _with_common_beginnings(group, codes, texts, lexicon)
    width = len(texts) + 1
    cells, counts = np.unique(group * width + (codes + 1), return_counts=True)
    most = cells[first_of_each(cells // width, cells, -counts)]
    usual = pick(np.array(texts, dtype=object), most % width - 1, None)
    nameless = np.array([text is None for text in usual], dtype=np.bool_)
    return np.where(nameless | (keys == CASH), np.where(keys == "", NO_NAME, keys), usual)


def _with_common_beginnings(
    group: Codes, codes: Codes, texts: list[str], lexicon: Lexicon
) -> tuple[Codes, list[str]]:
    """Return texts in which those of one payer that differ only in a last word such as `APR` are one text without it, and the text of each row."""
    cut_short = compiled(f"(?i){lexicon.fragment_pattern}")
    ends: dict[str, bool] = {}
    for text in texts:
        last = text.rpartition(" ")[2]
        if last not in ends:
            ends[last] = bool(last.casefold() in lexicon.dropped_words or cut_short.search(f" {last}"))
    stems = [before if ends[last] else "" for before, _, last in (text.rpartition(" ") for text in texts)]
    if not any(stems):
        return codes, texts
    stem, distinct = pd.factorize(np.array(stems, dtype=object))
    of_row = np.where(codes < 0, -1, stem[codes])
    ended = np.flatnonzero((of_row >= 0) & (distinct != "")[of_row])
    cells = group[ended] * len(distinct) + of_row[ended]
    pairs = distinct_of(cells * len(texts) + codes[ended])
    several, counts = np.unique(pairs // len(texts), return_counts=True)
    common = ended[np.isin(cells, several[counts > 1])]
    code, named = pd.factorize(np.array([*texts, *distinct], dtype=object), sort=True)
    found = np.where(codes < 0, -1, code[codes])
    found[common] = code[len(texts) + of_row[common]]
    return found, list(named)


def _without_references(group: Codes, codes: Codes, raw: list[str]) -> tuple[Codes, list[str]]:
    """Return texts without tokens that contain digits, except short ones that all texts of a payer have and that stand alone, and the text of each row."""
    short = [frozenset(_SHORT_NUMBER.findall(text) if _DIGIT.search(text) else ()) for text in raw]
    bare = [_without(text, frozenset()) for text in raw]
    width = len(raw) + 1
    cells, of_row = np.unique(group * width + (codes + 1), return_inverse=True)
    owner, text_of = cells // width, cells % width - 1
    has = np.array([bool(one) for one in short] + [False], dtype=np.bool_)[text_of]
    in_all = ~np.isin(owner, owner[~has])
    kept: dict[int, frozenset[str]] = {}
    for who, code in zip(owner[in_all].tolist(), text_of[in_all].tolist(), strict=True):
        kept[who] = kept.get(who, short[code]) & short[code]
    named = text_of.copy()
    for at in np.flatnonzero(in_all).tolist():
        if kept[int(owner[at])]:
            named[at] = len(bare)
            text = raw[text_of[at]]
            bare.append(_without(text, _alone(text.split(), kept[int(owner[at])])))
    code, texts = pd.factorize(np.array(bare, dtype=object), sort=True)
    return np.append(code, -1)[named][of_row], list(texts)


def _alone(words: list[str], kept: frozenset[str]) -> frozenset[str]:
    """Return the words to keep that have no other such word beside them."""
    is_kept = [word in kept for word in words]
    return frozenset(
        word for at, word in enumerate(words) if is_kept[at] and sum(is_kept[max(at - 1, 0) : at + 2]) == 1
    )


def _without(text: str, kept: frozenset[str]) -> str:
    """Return a text without tokens that contain digits, except the given ones; unchanged if no letter would be left."""
    rest = " ".join(
        [word for word in text.split() if word.isalpha() or word in kept or _WITHOUT_DIGIT.fullmatch(word)]
    )
    return rest if any(map(str.isalpha, rest)) else text
