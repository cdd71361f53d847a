"""The name by which a payer is shown, chosen from all the texts under which it pays."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.judge.wording import CASH, NO_NAME
from kycpack.wealth.prepare.coded import Codes, distinct_of, first_of_each, pick
from kycpack.wealth.prepare.lexicon import Lexicon, compiled

_WITHOUT_DIGIT = re.compile(r"\D+")
# A number in a name, as in `BET365`, `G4S` and `TRADING 212`, has few digits and stands alone; longer ones, also in groups as in `QQ 12 34 56 C`,
# are references, and may be a person's number.
_DIGIT = re.compile("[0-9]")
_SHORT_NUMBER = re.compile(r"(?<!\S)[^\W\d_]*[0-9]{1,3}[^\W\d_]*(?!\S)")


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
