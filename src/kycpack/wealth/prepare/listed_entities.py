"""Entities as listed in the files in `data/entities/`: a name with kind, country and type, its aliases by their words, and words that may surround it.

The aliases are those of the files, and the same as banks spell, join and truncate them; the words around are in `data/lexicon/entity_words.yaml`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import yaml

from kycpack.assets import YAML_LOADER, asset_yaml
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.parties import WordClasses
from kycpack.wealth.prepare.plain_text import to_plain_words
from kycpack.wealth.prepare.trades import Trades

WHOLE_ONLY = "~"  # before an alias: an ordinary word or name, matched only if it is the whole text
OF_PAYMENT = "^"  # before an alias: the name of a payment, which any sender can write: it indicates the payer and proves nothing
NO_ALIAS = "!"  # before a name: the entity's name in kycpack, never matched
SHORTEST_CUT_WORD = 2
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
# Widths to which payment schemes truncate the payer's name: NACHA company name 16, Bacs user name 18 (17 after a leading space), DTA 27.
_FIELD_WIDTHS = (16, 17, 18, 27)
_SHORTEST_JOINED = 6
_MOST_JOINED_WORDS = 3
_LONGEST_INITIALS = 2
Words = tuple[str, ...]
ENTITY_WORDS = "lexicon/entity_words.yaml"


@dataclass(frozen=True)
class Entity:
    """A known payer.

    Args:
        id: Kind and name, as in `gambling.bet365`; unique.
        name: Canonical name.
        kind: Its kind, such as `bank` or `gambling`; the files in `data/entities/` list all kinds.
        country: ISO 3166 codes of the countries the entry is for, separated by spaces.
        type: Type of wealth of its credits unless something else says otherwise; None if none is implied.
        source: File that lists it, with the date of the list.
        by_payment: Whether only the name of what it pays was found, as in `STATE PENSION`.
    """

    id: str
    name: str
    kind: str
    country: str
    type: str | None
    source: str
    by_payment: bool = False


@dataclass(frozen=True)
class Listed:
    """An entity with its aliases, as written in a file."""

    entity: Entity
    aliases: tuple[str, ...]
    whole_only: tuple[str, ...]
    of_payment: tuple[str, ...] = ()


def read_entities(name: str, text: str) -> list[Listed]:
    """Return the entities of one file.

    Each line of a group's `entities` has a name and its aliases, separated by semicolons; anything after ` # ` is a note.

    Args:
        name: Name of the file, for the entities' source.
        text: Its content.
    """
    document = yaml.load(text, Loader=YAML_LOADER)  # noqa: S506 - a safe loader
    source = f"{name}, {document['as_of']}"
    return [
        one
        for group in document["groups"]
        for one in read_lines(group["kind"], group["entities"], group.get("type"), source, group["country"])
    ]


def read_lines(kind: str, lines: str, type_: str | None, source: str, country: str = "") -> list[Listed]:
    """Return the entities of lines, each with a name and its aliases.

    Args:
        kind: Kind of the entities.
        lines: The lines.
        type_: Type of wealth of their credits unless something else says otherwise.
        source: Where the lines come from.
        country: ISO 3166 codes, separated by spaces.
    """
    fields = [
        [field.strip() for field in line.partition(" # ")[0].split(";")]
        for line in lines.splitlines()
        if line.strip()
    ]
    names = [one[0].lstrip(WHOLE_ONLY + OF_PAYMENT + NO_ALIAS) for one in fields]
    slugs = [plain.replace(" ", "-") for plain in to_plain_words(names)]
    listed = []
    for one, called, slug in zip(fields, names, slugs, strict=True):
        aliases = [field for field in one if field and not field.startswith(NO_ALIAS)]
        listed.append(
            Listed(
                Entity(f"{kind}.{slug}", called, kind, country, type_, source),
                tuple(alias for alias in aliases if not alias.startswith((WHOLE_ONLY, OF_PAYMENT))),
                tuple(alias[1:].strip() for alias in aliases if alias.startswith(WHOLE_ONLY)),
                tuple(alias[1:].strip() for alias in aliases if alias.startswith(OF_PAYMENT)),
            )
        )
    return listed


@dataclass(frozen=True)
class Alias:
    """A name of a payer.

    Args:
        words: Its plain words.
        entity: The payer; None for words that name nobody, or two payers.
        whole_only: It names the payer only if no other word in the text counts.
    """

    words: Words
    entity: Entity | None
    whole_only: bool


def aliases_of(listed: Sequence[Listed], not_entities: Iterable[str]) -> dict[Words, Alias]:
    """Return aliases and their other spellings, by their words."""
    spelled: dict[Words, Alias] = {}
    written = [
        (alias, one.entity, whole)
        for one in listed
        for aliases, whole in ((one.aliases, False), (one.whole_only, True))
        for alias in aliases
    ]
    written += [
        (alias, replace(one.entity, by_payment=True), False) for one in listed for alias in one.of_payment
    ]
    plain = _plain_words_of([alias for alias, _, _ in written])
    for (_, entity, whole_only), words in zip(written, plain, strict=True):
        spelled.setdefault(words, Alias(words, entity, whole_only))
    for words in _plain_words_of(list(not_entities)):
        spelled[words] = Alias(words, None, False)
    derived: dict[Words, Alias] = {}
    for make in (_respelled, _cut):
        for words, alias in make(written, plain):
            if words not in spelled and (words not in derived or derived[words].entity == alias.entity):
                derived[words] = alias
            elif words in derived:
                derived[words] = Alias(
                    words, None, alias.whole_only
                )  # two entities share it, so it names neither
    return {words: alias for words, alias in (derived | spelled).items() if words}


def fold_short_forms(words: Words, folded: Container[str]) -> Words:
    """Return words with each short form, and each word that has one, reduced to its first letter."""
    return tuple([word[0] if word in folded else word for word in words])


def by_folded_words(aliases: Mapping[Words, Alias], folded: Container[str]) -> dict[Words, list[Alias]]:
    """Return aliases with words that have short forms, by their form from `fold_short_forms`; the first word must not be one of these."""
    found: dict[Words, list[Alias]] = {}
    for words, alias in aliases.items():
        made = fold_short_forms(words, folded)
        if made != words and words[0] not in folded and len(words[0]) > 1 and alias.entity is not None:
            found.setdefault(made, []).append(replace(alias, words=words))
    return found


def _plain_words_of(texts: list[str]) -> list[Words]:
    return [tuple(text.split()) for text in to_plain_words(texts)]


_Written = list[tuple[str, Entity, bool]]


def _respelled(written: _Written, plain: list[Words]) -> Iterator[tuple[Words, Alias]]:
    """Yield other spellings of aliases: umlauts written out, "and" left out, words joined."""
    umlauts = [
        (alias.translate(_UMLAUTS), entity, whole)
        for alias, entity, whole in written
        if alias.translate(_UMLAUTS) != alias
    ]
    spelled = [
        *zip(written, plain, strict=True),
        *zip(umlauts, _plain_words_of([alias for alias, _, _ in umlauts]), strict=True),
    ]
    for (_, entity, whole_only), words in spelled:
        forms = {words}
        without_and = tuple(word for word in words if word != "and")
        if len(without_and) > 1 and len("".join(without_and)) >= _SHORTEST_JOINED:
            forms.add(without_and)
        if 1 < len(words) <= _MOST_JOINED_WORDS and len("".join(words)) >= _SHORTEST_JOINED:
            forms |= {("".join(words),), ("".join(without_and),)}
        if (
            len(words) > 2
            and len(words[0]) <= _LONGEST_INITIALS
            and len(words[0] + words[1]) >= _SHORTEST_JOINED
        ):
            forms.add((words[0] + words[1], *words[2:]))  # "AJBELL SECURITIES"
        for form in sorted(forms):
            yield form, Alias(form, entity, whole_only)


def _cut(written: _Written, plain: list[Words]) -> Iterator[tuple[Words, Alias]]:
    """Yield aliases as a narrow field truncates them within a word."""
    cuts = [
        (alias[:width].upper(), entity, whole)
        for (alias, entity, whole), words in zip(written, plain, strict=True)
        for width in _FIELD_WIDTHS
        if len(words) > 1 and len(alias) > width and alias[width].isalnum() and alias[width - 1].isalnum()
    ]
    for (text, entity, whole), words in zip(cuts, _plain_words_of([text for text, *_ in cuts]), strict=True):
        if len(words) > 1 and len(words[-1]) >= SHORTEST_CUT_WORD and text[-1].isalnum():
            yield words, Alias(words, entity, whole)


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
    document = asset_yaml(ENTITY_WORDS)
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
