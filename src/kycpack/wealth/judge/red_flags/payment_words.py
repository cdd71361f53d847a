"""Words by which red flags tell what a payment looks like, from `data/lexicon/red_flags.yaml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import yaml

from kycpack.assets import asset_text
from kycpack.wealth.prepare.lexicon import to_words

TOPICS = {
    "cash_out": "cash taken out",
    "purchases": "what is bought, or has to be paid, in large sums",
    "remittance": "firms that carry money to people",
    "joint": "accounts held, or houses kept, with somebody else",
}
"""What the words of a payment may speak of."""


@dataclass(frozen=True)
class PaymentWords:
    """Phrases by topic and first word.

    Args:
        topics: First word -> phrases that begin with it, each as plain words between blanks, by topic of `TOPICS`.
    """

    topics: Mapping[str, Mapping[str, tuple[str, ...]]]


@lru_cache(maxsize=1)
def payment_words() -> PaymentWords:
    """Return the words that come with the package."""
    document = yaml.safe_load(asset_text("lexicon/red_flags.yaml"))
    return PaymentWords({name: _by_first_word(document[name]) for name in TOPICS})


def topics_of(texts: Sequence[str]) -> dict[str, npt.NDArray[np.bool_]]:
    """Return, for each topic, which plain texts hold one of its phrases as whole words."""
    words = [text.split() for text in texts]
    found = {}
    for topic, phrases in payment_words().topics.items():
        begins = frozenset(phrases)
        found[topic] = np.array(
            [
                not begins.isdisjoint(every) and _holds(text, every, phrases)
                for text, every in zip(texts, words, strict=True)
            ],
            dtype=np.bool_,
        )
    return found


def _holds(text: str, words: Sequence[str], phrases: Mapping[str, tuple[str, ...]]) -> bool:
    padded = f" {text} "
    return any(phrase in padded for word in words for phrase in phrases.get(word, ()))


def _by_first_word(listed: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for words in to_words(listed):
        if words:
            first = words.split()[0]
            found[first] = (*found.get(first, ()), f" {words} ")
    return found
