"""Words by which red flags recognise the kind of a payment, from `data/lexicon/red_flags.yaml`."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kycpack.assets import asset_yaml
from kycpack.wealth.prepare.coded import Codes, Mask, Words
from kycpack.wealth.prepare.plain_text import to_words

TOPICS = {
    "cash_in": "cash paid in",
    "counter": "money paid in over a counter",
    "cheque": "cheques",
    "cash_out": "cash withdrawn",
    "purchases": "purchases or dues in large sums",
    "remittance": "firms that carry money to people",
    "carrier": "names of known firms that carry money, among other payments",
    "changer": "names of firms that change or carry money",
    "exchange_house": "names of known exchanges of money",
    "exchange": "names of exchanges, of money or of anything else",
    "money": "words for money in the name of an exchange",
    "saving": "names of firms that keep savings",
    "betting": "last words of the names of betting firms",
    "given": "a grant, or a gift to a cause",
    "upkeep": "names of homes, schools and parishes that are paid month after month",
    "home_costs": "names of lenders on homes and of letting agents",
    "new_homes": "names of sellers of new homes",
    "between_people": "services through which people pay each other",
    "joint": "accounts or households shared with somebody else",
    "property": "firms through which a home or land is bought",
    "lawyer": "names of lawyers who convey homes",
    "stamp_duty": "the tax on buying a home",
    "abroad": "a payment to another country",
    "debited": "payments collected by direct debit",
    "by_card": "payments by card",
    "card_first": "the beginning of the text of a card payment",
    "ordered": "the beginning of the text of a transfer that the customer ordered",
    "way": "which way or by what means money goes, before a name",
    "lodging": "hotels and other places that are paid by the night",
    "event": "purchases for a wedding or another celebration",
    "voucher": "gift cards and vouchers",
    "lent": "a loan",
    "repaid": "repayments",
    "lottery": "lottery firms",
    "trade": "what a trade buys",
    "taxes": "taxes of a trade",
    "company": "words in the names of companies, for example next to a surname",
    "stored": "names of sellers of gold, coins and watches",
    "resold": "wholesalers of goods that a shop resells unchanged",
    "counter_goods": "wholesalers of goods that only shops sell",
}
"""The topics that the words of a payment may describe."""
_KEPT_TEXTS = 8_192
_AT_THE_START = frozenset(
    {"card_first", "ordered"}
)  # elsewhere the word means something else, as in `J HOLT VISA FEE`, or may be the payer's


@lru_cache(maxsize=1)
def payment_words() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return topic and phrase, as plain words with a space on each side, by the first word of the phrase."""
    document = asset_yaml("lexicon/red_flags.yaml")
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for topic in TOPICS:
        for phrase in to_words(document[topic]):
            found[phrase.split()[0]].append((topic, f" {phrase} "))
    return {first: tuple(phrases) for first, phrases in found.items()}


@lru_cache(maxsize=8)
def words_about(*topics: str) -> frozenset[str]:
    """Return all words of the phrases of the given topics."""
    every = itertools.chain.from_iterable(payment_words().values())
    return frozenset(word for topic, phrase in every if topic in topics for word in phrase.split())


@lru_cache(maxsize=8)
def _phrases_about(topic: str) -> frozenset[str]:
    every = itertools.chain.from_iterable(payment_words().values())
    return frozenset(phrase.strip() for one, phrase in every if one == topic)


def topics_of(texts: Sequence[str] | npt.NDArray[np.object_]) -> list[frozenset[str]]:
    """Return the topics of plain texts, as in `topics_in`."""
    return [topics_in(text) for text in texts]


@lru_cache(maxsize=_KEPT_TEXTS)
def topics_in(text: str) -> frozenset[str]:
    """Return the topics that have a phrase in a plain text as whole words; an exchange changes money if the text speaks of money too, and a lawyer conveys homes."""
    phrases, padded = payment_words(), f" {text} "
    found = frozenset(
        topic
        for first in phrases.keys() & text.split()
        for topic, phrase in phrases[first]
        if (padded.startswith(phrase) if topic in _AT_THE_START else phrase in padded)
    )
    found |= {"changer"} if found >= {"exchange", "money"} else set()
    return found | {"property"} if "lawyer" in found else found


def speak_of(topic: str, names: list[str], codes: Codes) -> Mask:
    """Return which rows have a name that contains a phrase of a topic."""
    return np.array([topic in topics_in(name) for name in names], dtype=np.bool_)[codes]


def are_called(topic: str, party: Words) -> Mask:
    """Return which parties' names consist only of a phrase of a topic: a merchant may have the same name as a person."""
    phrases = _phrases_about(topic)
    called = np.array([name in phrases and " " in name for name in party.distinct], dtype=np.bool_)
    return called[party.codes]
