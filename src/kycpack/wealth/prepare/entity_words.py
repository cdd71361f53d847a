"""Words that may surround the name of a known payer, from `data/lexicon/entity_words.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kycpack.assets import asset_yaml
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.parties import WordClasses
from kycpack.wealth.prepare.trades import Trades

WORDS = "lexicon/entity_words.yaml"


@dataclass(frozen=True)
class EntityWords:
    """Words that may surround an entity's name without making it another firm.

    Args:
        in_description: Words for how a payment was made, months, and purposes.
        in_name: Departments, countries, branches and towns.
        legal: Legal forms.
        of_kind: Kind -> what firms of that kind add to their name.
        public_kinds: Kinds of public bodies, which have no legal form of a company.
        reference_marks: Words after which the rest of a description is a reference.
        pays_for_others: Kinds of payers after whose name the rest of a description is a reference.
        pays_traders: Kinds of payers after whose name, if it has several words, the rest of a description is the customer's trading name.
        between: Words that may come between a payer's name and the word for what it pays.
        cut_words: What a narrow field leaves of the last word.
        short_words: Short form -> the words of firms' names that it stands for.
        not_entities: Phrases that contain an alias but name nobody.
        trades: What payers of each kind pay, and the words for it.
        classes: Classes of words, to recognise names of firms.
    """

    in_description: frozenset[str]
    in_name: frozenset[str]
    legal: frozenset[str]
    of_kind: Mapping[str, frozenset[str]]
    public_kinds: frozenset[str]
    reference_marks: frozenset[str]
    pays_for_others: frozenset[str]
    pays_traders: frozenset[str]
    between: frozenset[str]
    cut_words: frozenset[str]
    short_words: Mapping[str, frozenset[str]]
    not_entities: tuple[str, ...]
    trades: Trades
    classes: WordClasses


def load_entity_words() -> EntityWords:
    """Return the words that come with the package."""
    document = asset_yaml(WORDS)
    lexicon = load_lexicon()

    def plain(phrases: Iterable[str]) -> frozenset[str]:
        return frozenset(word for phrase in phrases for word in phrase.split())

    return EntityWords(
        in_description=plain(lexicon.dropped_words - {*document["never_around"]})
        | plain(document["purposes"])
        | lexicon.payment_words,
        in_name=plain(
            word for key in ("departments", "countries", "branches", "towns") for word in document[key]
        ),
        legal=plain(lexicon.legal_suffixes),
        of_kind={kind: plain(words) for kind, words in document["kinds"].items()},
        public_kinds=frozenset(document["public_kinds"]),
        reference_marks=frozenset(document["reference_marks"]),
        pays_for_others=frozenset(document["pays_for_others"]),
        pays_traders=frozenset(document["pays_traders"]),
        between=plain(document["between"]),
        cut_words=plain(document["cut_words"]),
        short_words={short: frozenset(whole) for short, whole in document["short_words"].items()},
        not_entities=tuple(document["not_entities"]),
        trades=lexicon.trades,
        classes=lexicon.classes,
    )
