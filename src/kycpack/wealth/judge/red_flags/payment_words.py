"""Words by which red flags tell what a payment looks like, from `data/lexicon/red_flags.yaml`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kycpack.assets import asset_yaml
from kycpack.wealth.prepare.plain_text import to_words

TOPICS = {
    "cash_in": "cash paid in",
    "counter": "money paid in over a counter",
    "cheque": "cheques",
    "cash_out": "cash taken out",
    "purchases": "what is bought, or has to be paid, in large sums",
    "remittance": "firms that carry money to people",
    "carrier": "names of known firms that carry money, beside other payments",
    "saving": "names of houses that keep savings",
    "betting": "last words of the names of houses where people bet",
    "given": "a grant, or a gift to a cause",
    "mourning": "names of those who bury the dead",
    "joint": "accounts held, or houses kept, with somebody else",
    "property": "what a home or land is bought through",
    "abroad": "a payment to another country",
    "debited": "what is collected by direct debit",
    "by_card": "what is paid with a card",
    "card_first": "what the text of a card payment begins with",
    "event": "what is bought for a wedding or another feast",
    "voucher": "gift cards and vouchers",
    "lent": "a loan",
    "repaid": "what is paid back",
    "lottery": "lottery firms",
    "trade": "what a trade buys",
    "taxes": "taxes of a trade",
    "company": "words of the names of companies, as beside a surname",
    "stored": "names of those who sell gold, coins and watches",
    "resold": "wholesalers of what a shop sells as it is",
    "counter_goods": "wholesalers of what only shops sell",
}
"""What the words of a payment may speak of."""
_KEPT_TEXTS = 8_192
_AT_THE_START = frozenset({"card_first"})  # elsewhere the word says something else, as in `J HOLT VISA FEE`


@lru_cache(maxsize=1)
def payment_words() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return topic and phrase, as plain words between blanks, by the first word of the phrase."""
    document = asset_yaml("lexicon/red_flags.yaml")
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for topic in TOPICS:
        for phrase in to_words(document[topic]):
            found[phrase.split()[0]].append((topic, f" {phrase} "))
    return {first: tuple(phrases) for first, phrases in found.items()}


def topics_of(texts: Sequence[str]) -> dict[str, npt.NDArray[np.bool_]]:
    """Return, for each topic, which plain texts hold one of its phrases as whole words."""
    found = {topic: np.zeros(len(texts), dtype=np.bool_) for topic in TOPICS}
    for index, text in enumerate(texts):
        for topic in topics_in(text):
            found[topic][index] = True
    return found


@lru_cache(maxsize=_KEPT_TEXTS)
def topics_in(text: str) -> frozenset[str]:
    """Return the topics of which a plain text holds a phrase as whole words."""
    phrases, padded = payment_words(), f" {text} "
    return frozenset(
        topic
        for first in phrases.keys() & text.split()
        for topic, phrase in phrases[first]
        if (padded.startswith(phrase) if topic in _AT_THE_START else phrase in padded)
    )
