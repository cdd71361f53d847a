"""The aliases of known payers by their words: as listed in the files, and as banks spell, join and truncate them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kycpack.wealth.prepare.listed_entities import Entity, Listed
from kycpack.wealth.prepare.plain_text import to_plain_words

SHORTEST_CUT_WORD = 2
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
# Widths to which payment schemes truncate the payer's name: NACHA company name 16, Bacs user name 18 (17 after a leading space), DTA 27.
_FIELD_WIDTHS = (16, 17, 18, 27)
_SHORTEST_JOINED = 6
_MOST_JOINED_WORDS = 3
_LONGEST_INITIALS = 2

Words = tuple[str, ...]


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
