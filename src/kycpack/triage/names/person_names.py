"""Comparing the names of people: equal, similar in ways that a policy can name, or different.

Two names are similar if every word of the shorter one has a counterpart in the longer one: the same word, its initial, a
short form of it, another spelling or transliteration of it, or a slip of the pen; in any order; particles may be missing.
Extra words are allowed in one of the names, as with middle names, but not in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from kycpack.triage.likeness import (
    ABBREVIATION,
    DIFFERENT,
    EQUAL,
    EXTRA_NAME,
    FORMAT,
    GENERATION,
    INITIAL,
    MANY_NAMES,
    ORDER,
    PARTICLE,
    SLIP,
    TRANSLITERATION,
    Likeness,
    different,
    similar,
)
from kycpack.triage.names.east_asian import east_asian_kinds, has_no_slips
from kycpack.triage.names.hanzi import in_characters, plain_characters
from kycpack.triage.names.joined_words import joined, short_mac
from kycpack.triage.names.name_words import Custom, compare_words
from kycpack.triage.names.namesakes import (
    MARK_OF_DESCENT,
    is_mononym_with_parent,
    is_of_birth,
    kinds_beside,
    marks_differ,
    names_a_parent,
    swaps_neighbours,
)
from kycpack.triage.names.official_romanisation import naming_the_script, of_two_scripts
from kycpack.triage.names.romanisation import (
    ARABIC,
    BY_SOUND,
    IBERIAN,
    INDIAN,
    arabic_words,
    traditions,
    traditions_of,
)
from kycpack.triage.names.transliteration import Word, has_same_articles, name_lexicon, words

_FEWEST_WORDS = 2
_MOST_FURTHER = 2
_MOST_INITIALS = 3
_LONG_WORD = 8
_LONGEST_SHORTENED = 4
_SHORTEST_CUT = 18  # characters that Bacs allows for an account name; longer names are cut off
_EQUAL_WORDS = "the same apart from case, accents, titles and script"
_VOWELS = frozenset("aeiouy")
_OF_FATHERS = frozenset({ARABIC, INDIAN})  # the second name is often the father's
_ARTICLES = frozenset({"al", "el"})  # Sayed is a title, and al-Sayed a family's name
_NAMES_IN_INDIA = frozenset({"das", "de"})


class Name(NamedTuple):
    """A name in the form in which it is compared.

    Attributes:
        words: The words without titles, letters after the name and generational suffixes.
        generation: The generation that a suffix indicates; empty if there is none.
    """

    words: tuple[Word, ...]
    generation: str = ""


class Pairing(NamedTuple):
    """A word of one name and its counterpart in the other: the degree and the kind of the likeness."""

    left: int
    right: int
    score: float
    kind: str


def compare_names(left: str, right: str) -> Likeness:
    """Compare the names of two people.

    Args:
        left: A name in any script, with its parts in any order.
        right: Another name.

    Returns:
        Their likeness; the reason does not repeat the names.
    """
    one, other = read_name(left), read_name(right)
    if not one.words or not other.words:
        return different("a name has no letters that can be compared")
    return naming_the_script(_likeness(left, right, one, other), one.words, other.words)


def _likeness(left: str, right: str, one: Name, other: Name) -> Likeness:
    if left == right:
        return Likeness(EQUAL, 1.0, _EQUAL_WORDS)
    found = similar(0.9, {ABBREVIATION}) if _is_cut(left, right) else _compare_words_of(one, other)
    if PARTICLE in found.kinds and has_same_articles(left, right):
        found = similar(found.score, {*found.kinds, TRANSLITERATION} - {PARTICLE})
    if found.verdict != DIFFERENT and (beside := kinds_beside((left, one.words), (right, other.words))):
        found = similar(min(found.score, 0.9), {*found.kinds, *beside} - {FORMAT, EXTRA_NAME, MANY_NAMES})
    if found.verdict == DIFFERENT or one.generation == other.generation:
        return found
    if one.generation and other.generation:
        return _parent_and_child(found.score)
    return similar(min(found.score, 0.9), {*found.kinds, GENERATION} - {FORMAT})


def _is_cut(left: str, right: str) -> bool:
    """Return whether one is the beginning of the other, cut off within a word because a field was full."""
    shorter, longer = sorted((left.strip(), right.strip()), key=len)
    if not _SHORTEST_CUT <= len(shorter) < len(longer):
        return False
    cut, whole = (tuple(word.text for word in read_name(text).words) for text in (shorter, longer))
    last = len(cut) - 1
    return (
        0 < last < len(whole)
        and cut[:last] == whole[:last]
        and whole[last].startswith(cut[last])
        and whole[last] != cut[last]
        and cut[last] not in name_lexicon().known
    )


def _parent_and_child(score: float = 0.0) -> Likeness:
    return different("two generations, such as parent and child", score, (GENERATION,))


@lru_cache(4_096)
def read_name(text: str) -> Name:
    """Return the words of a name that are compared, in spoken order."""
    lexicon = name_lexicon()
    text = MARK_OF_DESCENT.sub(" bin ", text)
    if not text.isascii():
        text = lexicon.honorifics.sub("", text) or text
    before, comma, after = text.partition(",")
    first = [word for word in words(after) if word.text not in lexicon.post_nominals]
    turned = (
        comma and first and "," not in after and any(word.text not in lexicon.generations for word in first)
    )
    found = (*words(after), *words(before)) if turned else words(text)
    generation = ""
    kept: list[Word] = []
    for place, word in enumerate(found):
        plain = not word.foreign
        if plain and place and kept and _marks_a_generation(word, text):
            generation = lexicon.generations[word.text]
        elif not plain or (place and found[place - 1].text in _ARTICLES) or not _fills_a_place(word, found):
            kept.append(_with_point(word) if f"{word.raw}." in text else word)
    while len(kept) > _FEWEST_WORDS and kept[-1].text in lexicon.post_nominals:
        kept.pop()
    return Name(tuple(kept), generation) if kept else Name(found)


def _with_point(word: Word) -> Word:
    """Return an abbreviated word, as in Th. or Chr., with its full stop; a name that is complete without it stays as it is."""
    short = 1 < len(word.text) <= _LONGEST_SHORTENED and word.text not in name_lexicon().known
    return Word(word.text, word.foreign, f"{word.raw}.") if short else word


def _marks_a_generation(word: Word, text: str) -> bool:
    """Return whether a word is a generational suffix; one that is also a name, such as Jun, only if a full stop abbreviates it."""
    lexicon = name_lexicon()
    return word.text in lexicon.generations and (
        word.text not in lexicon.generations_that_are_names or f"{word.raw}." in text
    )


def _fills_a_place(word: Word, all_words: tuple[Word, ...]) -> bool:
    """Return whether a word is a title, or a placeholder for a missing name; Na is a name in combination with a Chinese or Korean one."""
    lexicon = name_lexicon()
    if word.text in lexicon.placeholders and word.text in lexicon.placeholders_that_are_names:
        families = {*traditions()["chinese"].families, *traditions()["korean"].families}
        return not any(other.text in families for other in all_words if other is not word)
    return word.text in lexicon.titles or word.text in lexicon.placeholders


def _compare_words_of(left: Name, right: Name) -> Likeness:
    one, other = left.words, right.words
    if in_characters(one) and in_characters(other):
        return _compare_characters(one, other)
    for compare in (of_two_scripts, _of_same_letters, _of_same_words):
        if found := compare(one, other):
            return found
    return _of_other_letters(one, other)


def _of_same_letters(one: tuple[Word, ...], other: tuple[Word, ...]) -> Likeness | None:
    """Compare two names that have the same letters, apart from accents and spaces; None if the letters differ."""
    texts, other_texts = [word.text for word in one], [word.text for word in other]
    if sorted(texts) == sorted(other_texts) and marks_differ(one, other):
        return different("different tones or vowels")
    if texts == other_texts:
        return Likeness(EQUAL, 1.0, _EQUAL_WORDS, (FORMAT,))
    if "".join(texts) == "".join(other_texts):
        return similar(0.97, {PARTICLE if any(word.is_particle for word in (*one, *other)) else FORMAT})
    if "".join(map(short_mac, texts)) == "".join(map(short_mac, other_texts)):
        return similar(0.93, {SLIP})
    return None


def _of_same_words(one: tuple[Word, ...], other: tuple[Word, ...]) -> Likeness | None:
    """Compare two names that have the same words in another order; None if the words differ, or if the order may make a different name.

    A word that matches itself needs no rules of a tradition to be recognised.
    """
    if sorted([word.text for word in one]) != sorted([word.text for word in other]):
        return None
    if any(word.foreign or word.is_particle for word in (*one, *other)):
        return None
    found = _compare(one, other, Custom())
    return None if found.verdict == DIFFERENT else found


def _of_other_letters(one: tuple[Word, ...], other: tuple[Word, ...]) -> Likeness:
    if is_mononym_with_parent(one, other):
        return similar(0.8, {EXTRA_NAME})
    # The same words in another order are compared like all others: a change of order is not a transliteration.
    reordered = sorted(word.text for word in one) == sorted(word.text for word in other)
    if not reordered and (kinds := east_asian_kinds(one, other)):
        return similar(0.9, {*kinds})
    if not reordered and _alike_beside_others(one, other):
        return similar(0.85, {TRANSLITERATION})
    found = traditions_of((*one, *other))
    one, other = _part_initials(one, other), _part_initials(other, one)
    by_syllable = has_no_slips(one), has_no_slips(other)
    slips = min(len(_of_weight(one)), len(_of_weight(other))) >= _FEWEST_WORDS and not all(by_syllable)
    custom = Custom(tuple(name for name in BY_SOUND if name in found), slips, any(by_syllable))
    names = _NAMES_IN_INDIA if INDIAN in found and IBERIAN not in found else frozenset()
    one, other = (
        tuple(
            word._replace(is_name=True) if all(by_syllable) or word.text in names else word for word in some
        )
        for some in (one, other)
    )
    if names_a_parent(one, other, custom):
        return _parent_and_child()
    plain = _compare(one, other, custom)
    if plain.verdict != DIFFERENT or GENERATION in plain.kinds or ARABIC not in found:
        return plain
    return _compare(arabic_words(one), arabic_words(other), custom)


def _alike_beside_others(one: tuple[Word, ...], other: tuple[Word, ...]) -> bool:
    """Return whether the words that only one name has are one East Asian name in two scripts, alongside words that both have."""
    shared = {word.text for word in one} & {word.text for word in other}
    rest, other_rest = (tuple(word for word in some if word.text not in shared) for some in (one, other))
    written = any(word.foreign for word in rest) != any(word.foreign for word in other_rest)
    return (
        bool(shared)
        and written
        and bool(rest)
        and bool(other_rest)
        and bool(east_asian_kinds(rest, other_rest))
    )


def _compare_characters(one: tuple[Word, ...], other: tuple[Word, ...]) -> Likeness:
    """Compare two names in Chinese characters: the same sound in different characters is a different name."""
    if [word.raw for word in one] == [word.raw for word in other]:
        return Likeness(EQUAL, 1.0, _EQUAL_WORDS, (FORMAT,))
    characters, others = (tuple(plain_characters(word.raw) for word in some) for some in (one, other))
    if "".join(characters) == "".join(others):
        return similar(0.97, {FORMAT})
    if sorted(characters) == sorted(others):
        return similar(0.95, {ORDER})
    return different("different characters")


def _compare(one: tuple[Word, ...], other: tuple[Word, ...], custom: Custom) -> Likeness:
    if not one or not other:
        return different("too few words in common")
    letters = _letters(one), _letters(other)
    one, other = joined(one, other, custom.traditions)
    pairings = _pair(one, other, custom)
    score = _score(one, other, pairings)
    rest = _unpaired(one, {pairing.left for pairing in pairings})
    other_rest = _unpaired(other, {pairing.right for pairing in pairings})
    kinds = {pairing.kind for pairing in pairings if pairing.kind}
    matched = [
        pairing
        for pairing in pairings
        if not (one[pairing.left].is_particle and other[pairing.right].is_particle)
    ]
    spelled_out = [pairing for pairing in matched if pairing.kind != INITIAL]
    if rest and other_rest:
        return different("each has a word that the other does not have", score)
    if not spelled_out or (len(matched) < _FEWEST_WORDS and (rest or other_rest)):
        return different("too few words in common", score)
    if [pairing.kind for pairing in matched].count(SLIP) == len(matched):
        return different("every word is spelled differently", score)
    if rest or other_rest:
        further = [word for word in (*rest, *other_rest) if not is_of_birth(word)]
        kinds.add(EXTRA_NAME if len(further) <= _MOST_FURTHER else MANY_NAMES)
    elif len(one) != len(other):
        kinds.add(PARTICLE)
    rights = [pairing.right for pairing in sorted(pairings, key=lambda pairing: pairing.left)]
    if rights != sorted(rights):
        spoken = sorted(pairing.right for pairing in matched)
        matched.sort(key=lambda pairing: pairing.left)
        if place := swaps_neighbours([spoken.index(pairing.right) for pairing in matched]):
            return _swapped(place, (*one, *other), score)
    # Words may also have been joined in another order.
    if rights != sorted(rights) or letters != (_letters(one), _letters(other)):
        kinds.add(ORDER)
    return similar(min(score, 0.95) if kinds == {ORDER} else score, kinds or {FORMAT})


def _swapped(place: int, all_words: Sequence[Word], score: float) -> Likeness:
    if place == 1 and _OF_FATHERS & traditions_of(all_words):
        return _parent_and_child(score)
    return different(f"{'two' if place > 1 else 'the first two'} words changed places", score)


def _letters(some: Iterable[Word]) -> str:
    return "".join(word.text for word in some)


def _unpaired(all_words: tuple[Word, ...], paired: set[int]) -> list[Word]:
    return _of_weight(word for number, word in enumerate(all_words) if number not in paired)


def _of_weight(some: Iterable[Word]) -> list[Word]:
    """Return the words whose presence means something, which particles do not have."""
    return [word for word in some if not word.is_particle]


def _score(one: tuple[Word, ...], other: tuple[Word, ...], pairings: list[Pairing]) -> float:
    total = sum(_weight(word) for word in (*one, *other))
    alike = sum(
        pairing.score * (_weight(one[pairing.left]) + _weight(other[pairing.right])) for pairing in pairings
    )
    return round(alike / total, 2) if total else 0.0


def _weight(word: Word) -> float:
    return 1.0 if word.is_particle or word.is_initial else float(min(len(word.text), _LONG_WORD))


def _pair(one: tuple[Word, ...], other: tuple[Word, ...], custom: Custom) -> list[Pairing]:
    """Pair words one to one, the most alike first; ties go to words in the same position."""
    # Identical words are always the most alike, so only the remaining words are compared letter by letter.
    same = [
        Pairing(i, j, 1.0, "")
        for i, left in enumerate(one)
        for j, right in enumerate(other)
        if left.text == right.text
    ]
    chosen = _chosen(same)
    lefts, rights = {pairing.left for pairing in chosen}, {pairing.right for pairing in chosen}
    candidates = [
        Pairing(i, j, *alike)
        for i, left in enumerate(one)
        if i not in lefts
        for j, right in enumerate(other)
        if j not in rights and (alike := compare_words(left, right, custom)) is not None
    ]
    return chosen + _chosen(candidates)


def _chosen(candidates: list[Pairing]) -> list[Pairing]:
    candidates.sort(key=lambda pairing: (-pairing.score, abs(pairing.left - pairing.right), pairing.left))
    chosen: list[Pairing] = []
    for pairing in candidates:
        if all(pairing.left != each.left and pairing.right != each.right for each in chosen):
            chosen.append(pairing)
    return chosen


def _part_initials(one: tuple[Word, ...], other: tuple[Word, ...]) -> tuple[Word, ...]:
    """Split initials that are written together if the other name has the words that they stand for."""
    if not any(1 < len(word.text) <= _MOST_INITIALS and word.raw.isupper() for word in one):
        return one
    texts = {word.text for word in one}
    missing = [word for word in other if word.text not in texts]
    firsts = "".join(word.text[0] for word in missing if not word.is_initial)
    shouted = all(word.raw.isupper() for word in one)
    found: list[Word] = []
    for word in one:
        text = word.text
        together = 1 < len(text) <= _MOST_INITIALS and text in firsts and word.raw.isupper()
        if together and (not shouted or not _VOWELS & set(text)):
            found += [Word(letter, raw=letter) for letter in text]
        else:
            found.append(word)
    return tuple(found)
