"""Words in a name that the other name writes as one word, in the same script or in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from kycpack.triage.names.name_words import has_rules, transliterated
from kycpack.triage.names.romanisation import sound_alike
from kycpack.triage.names.transliteration import Word, folded, name_lexicon

_MOST_JOINED = 4
_SHORTEST_PART = 2
_MOST_ACROSS_SCRIPTS = 3

Words = tuple[Word, ...]


def joined(one: Words, other: Words, by_sound: Sequence[str]) -> tuple[Words, Words]:
    """Join words that the other name writes as one.

    Args:
        one: The words of a name.
        other: The words of the other name.
        by_sound: The traditions by whose sounds words are compared.

    Returns:
        The words of both names, each with its own words joined where the other name joins them.
    """
    one, other = _join_like(one, other, by_sound), _join_like(other, one, by_sound)
    if any(has_rules(word.raw) for word in one) == any(has_rules(word.raw) for word in other):
        return one, other
    return _join_across(one, other), _join_across(other, one)


def _join_like(one: Words, other: Words, by_sound: Sequence[str]) -> Words:
    texts = {word.text for word in one}
    whole = {folded(word.text) for word in other if word.text not in texts}
    if whole:
        whole -= {folded(text) for text in texts}
    for run in _runs(one, _MOST_JOINED) if whole else ():
        for order in permutations(run):
            text = "".join(one[number].text for number in order)
            alike = order == run and (
                _has_short_form(text, other) or _sound_like_one(one, run, other, by_sound)
            )
            if alike or folded(text) in whole:
                return _join_like(_with_joined(one, run, order), other, by_sound)
    return one


def _has_short_form(text: str, other: Words) -> bool:
    """Return whether the other name has the short form of two given names, such as Juanjo."""
    lexicon = name_lexicon()
    return text in lexicon.short_forms and any(
        lexicon.share(lexicon.short_forms, text, word.text) for word in other
    )


def _sound_like_one(one: Words, run: tuple[int, ...], other: Words, by_sound: Sequence[str]) -> bool:
    """Return whether words together sound like a word of the other name that is longer than each of them."""
    parts = [one[number] for number in run]
    if any(part.is_initial or part.foreign for part in parts):
        return False
    text = "".join(part.text for part in parts)
    longer = max(len(part.text) for part in parts) + _SHORTEST_PART
    return any(
        len(word.text) >= longer and not word.foreign and sound_alike(text, word.text, name)
        for word in other
        for name in by_sound
    )


def _join_across(one: Words, other: Words) -> Words:
    """Join words that together may be one word of the other name in another script, if none of them alone is one of its words."""
    alone = [not any(_may_be(word, peer) for peer in other) for word in one]
    for run in _runs(one, _MOST_ACROSS_SCRIPTS):
        if not any(alone[number] for number in run) or any(one[number].is_initial for number in run):
            continue
        candidate = _with_joined(one, run, run)
        if any(_may_be(candidate[run[0]], peer) for peer in other):
            return candidate
    return one


def _may_be(word: Word, peer: Word) -> bool:
    across = has_rules(word.raw) != has_rules(peer.raw) and word.foreign != peer.foreign
    return across and transliterated(word, peer) is not None


def _with_joined(one: Words, run: tuple[int, ...], order: tuple[int, ...]) -> Words:
    parts = [one[number] for number in order]
    whole = Word(
        "".join(part.text for part in parts),
        any(part.foreign for part in parts),
        "".join(part.raw for part in parts),
    )
    return (*one[: run[0]], whole, *one[run[-1] + 1 :])


def _runs(one: Words, most: int) -> Iterator[tuple[int, ...]]:
    for length in range(min(len(one), most), 1, -1):
        for start in range(len(one) - length + 1):
            yield tuple(range(start, start + length))


def short_mac(text: str) -> str:
    """Return a word with Mac at its beginning, joined to the rest or not, as Mc."""
    return f"mc{text[3:]}" if text.startswith("mac") else text
