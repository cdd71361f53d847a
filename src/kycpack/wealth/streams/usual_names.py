"""The name by which a payer is shown, chosen from all the texts under which it pays."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.judge.wording import CASH, NO_NAME
from kycpack.wealth.prepare.coded import Codes, pick
from kycpack.wealth.prepare.lexicon import Lexicon

_REFERENCE = re.compile(r"\S*\d\S*")


def usual_names(
    group: Codes, names: npt.NDArray[np.object_], keys: npt.NDArray[np.object_], lexicon: Lexicon
) -> npt.NDArray[np.object_]:
    """Return the text that each payer uses most often, without parts that change at its end, such as a month; on a tie, the text that sorts first."""
    codes, raw = pd.factorize(names, sort=True)
    codes, texts = _with_common_beginnings(group, codes, [_without_references(text) for text in raw], lexicon)
    width = len(texts) + 1
    cells, counts = np.unique(group * width + (codes + 1), return_counts=True)
    owner = cells // width
    order = np.lexsort((cells, -counts, owner))
    _, first = np.unique(owner[order], return_index=True)
    usual = pick(np.array(texts, dtype=object), cells[order][first] % width - 1, None)
    nameless = np.array([text is None for text in usual], dtype=np.bool_)
    return np.where(nameless | (keys == CASH), np.where(keys == "", NO_NAME, keys), usual)


def _with_common_beginnings(
    group: Codes, codes: Codes, texts: list[str], lexicon: Lexicon
) -> tuple[Codes, list[str]]:
    """Return texts in which those of one payer that differ only in a last word such as `APR` are one text without it, and the text of each row."""
    cut_short = re.compile(lexicon.fragment_pattern, re.IGNORECASE)
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
    pairs = np.unique(cells * len(texts) + codes[ended])
    several, counts = np.unique(pairs // len(texts), return_counts=True)
    common = ended[np.isin(cells, several[counts > 1])]
    code, named = pd.factorize(np.array([*texts, *distinct], dtype=object), sort=True)
    found = np.where(codes < 0, -1, code[codes])
    found[common] = code[len(texts) + of_row[common]]
    return found, list(named)


def _without_references(text: str) -> str:
    """Return a text without tokens that contain digits: references change, and may be a person's number."""
    kept = " ".join(_REFERENCE.sub(" ", text).split())
    return kept if any(character.isalpha() for character in kept) else text
