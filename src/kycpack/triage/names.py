"""Comparing the names of people: equal, similar for a reason that can be read, or different.

Two names are similar when every word of the shorter one has its counterpart in the longer one: the same word, its initial, a
short form of it, another spelling or transliteration of it, or a slip of a letter or two; in any order; particles may be
missing. Words that only one has are allowed on one side, as second names are, and not on both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from kycpack.triage.lettering import Word, edits, folded, name_lexicon, skeleton, words

EQUAL, SIMILAR, DIFFERENT = "equal", "similar", "different"

_FEWEST_WORDS = 2
_MOST_JOINED = 4
_SHORT_WORD, _LONG_WORD = 4, 8
_SHORTEST_SKELETON, _LONG_SKELETON = 2, 5


@dataclass(frozen=True, slots=True)
class Pairing:
    """A word of one name and its counterpart in the other: how alike, and why."""

    left: int
    right: int
    score: float
    reason: str


def compare_names(left: str, right: str) -> tuple[str, float, str]:
    """Compare two names of one person each.

    Args:
        left: A name in any script, in any order of its parts.
        right: Another.

    Returns:
        Verdict (equal, similar, different), score 0..1, and the reason in words, without the names themselves.
    """
    one, other = _name_words(left), _name_words(right)
    if not one or not other:
        return DIFFERENT, 0.0, "a name has no letter that can be compared"
    texts, other_texts = [word.text for word in one], [word.text for word in other]
    if texts == other_texts:
        return EQUAL, 1.0, "the same after folding case, accents, titles and script"
    if "".join(texts) == "".join(other_texts):
        return SIMILAR, 0.97, "the same letters, parted otherwise"
    if sorted(texts) == sorted(other_texts):
        return SIMILAR, 0.95, "the same words in another order"
    return _compare(one, other)


def compare_holder(person: str, holder: str) -> tuple[str, float, str]:
    """Compare a person's name with the holder of an account, who may be several people."""
    holders = [part for part in _joint(holder) if part.strip()]
    if len(holders) < _FEWEST_WORDS:
        return compare_names(person, holder)
    whole = compare_names(person, holder)
    verdict, score, reason = max((compare_names(person, part) for part in holders), key=lambda one: one[1])
    if whole[1] >= score:
        return whole
    return (SIMILAR if verdict == EQUAL else verdict), score, f"one of several holders; {reason}"


def _joint(holder: str) -> list[str]:
    parted = holder
    for separator in (" & ", " and ", " AND ", " And ", ";", "/", "+"):
        parted = parted.replace(separator, "\n")
    return parted.split("\n")


def _name_words(name: str) -> tuple[Word, ...]:
    found = words(name)
    return tuple(word for word in found if not word.is_title) or found


def _compare(one: tuple[Word, ...], other: tuple[Word, ...]) -> tuple[str, float, str]:
    one, other = _joined(one, other)
    pairings = _pair(one, other)
    score = _score(one, other, pairings)
    left_over = [_told(_rest(one, {pairing.left for pairing in pairings}))]
    left_over.append(_told(_rest(other, {pairing.right for pairing in pairings})))
    reasons = list(dict.fromkeys(pairing.reason for pairing in pairings if pairing.reason))
    matched = [pairing for pairing in pairings if not one[pairing.left].is_particle]
    spelled_out = [pairing for pairing in matched if not _is_initial_pair(one, other, pairing)]
    if left_over[0] and left_over[1]:
        return DIFFERENT, score, "each has a word that the other does not have"
    if not spelled_out or (len(matched) < _FEWEST_WORDS and (left_over[0] or left_over[1])):
        return DIFFERENT, score, "too few words in common"
    if left_over[0] or left_over[1]:
        reasons.append("one has a further name")
    elif len(one) != len(other):
        reasons.append("particles differ")
    if [pairing.right for pairing in sorted(pairings, key=lambda pairing: pairing.left)] != sorted(
        pairing.right for pairing in pairings
    ):
        reasons.append("another order")
    return SIMILAR, score, "; ".join(reasons) or "the same words but for particles"


def _is_initial_pair(one: tuple[Word, ...], other: tuple[Word, ...], pairing: Pairing) -> bool:
    return one[pairing.left].is_initial or other[pairing.right].is_initial


def _rest(all_words: tuple[Word, ...], used: set[int]) -> list[Word]:
    return [word for number, word in enumerate(all_words) if number not in used]


def _told(rest: Iterable[Word]) -> list[Word]:
    """Return the words that say something by being there: no particles."""
    return [word for word in rest if not word.is_particle]


def _score(one: tuple[Word, ...], other: tuple[Word, ...], pairings: list[Pairing]) -> float:
    total = sum(_weight(word) for word in (*one, *other))
    alike = sum(
        pairing.score * (_weight(one[pairing.left]) + _weight(other[pairing.right])) for pairing in pairings
    )
    return round(alike / total, 2) if total else 0.0


def _weight(word: Word) -> float:
    return 1.0 if word.is_particle or word.is_initial else float(min(len(word.text), _LONG_WORD))


def _pair(one: tuple[Word, ...], other: tuple[Word, ...]) -> list[Pairing]:
    """Pair words one to one, the most alike first; ties go to those that stand at the same place."""
    candidates = [
        Pairing(i, j, *alike)
        for i, left in enumerate(one)
        for j, right in enumerate(other)
        if (alike := compare_words(left, right)) is not None
    ]
    candidates.sort(key=lambda pairing: (-pairing.score, abs(pairing.left - pairing.right), pairing.left))
    chosen: list[Pairing] = []
    lefts: set[int] = set()
    rights: set[int] = set()
    for pairing in candidates:
        if pairing.left not in lefts and pairing.right not in rights:
            chosen.append(pairing)
            lefts.add(pairing.left)
            rights.add(pairing.right)
    return chosen


def compare_words(left: Word, right: Word) -> tuple[float, str] | None:
    """Return how alike two words are, and why; None when they are not."""
    if left.text == right.text:
        return 1.0, ""
    if left.is_initial or right.is_initial:
        return (0.7, "an initial stands for a name") if left.text[0] == right.text[0] else None
    if left.is_particle or right.is_particle:
        return None
    return _spelling(left, right) or _slip(left.text, right.text)


def _spelling(left: Word, right: Word) -> tuple[float, str] | None:
    if folded(left.text) == folded(right.text):
        return 0.95, "another spelling of the same sounds"
    forms = name_lexicon().short_forms
    if forms.get(left.text, frozenset()) & forms.get(right.text, frozenset()):
        return 0.9, "a short form of a name"
    if left.foreign != right.foreign and _same_consonants(left.text, right.text):
        return 0.85, "another script, with the same consonants"
    return None


def _same_consonants(left: str, right: str) -> bool:
    bones, others = skeleton(left), skeleton(right)
    if bones == others:
        return len(bones) >= _SHORTEST_SKELETON or left[0] == right[0]
    # One letter may be written in two ways, as the Cyrillic G that is an H in Ukrainian.
    return max(len(bones), len(others)) >= _LONG_SKELETON and edits(bones, others) == 1


def _slip(left: str, right: str) -> tuple[float, str] | None:
    shorter, longer = sorted((len(left), len(right)))
    allowed = 0 if shorter < _SHORT_WORD else 1 if shorter < _LONG_WORD else 2
    if longer - shorter > allowed:
        return None
    count = edits(left, right)
    if not count or count > allowed:
        return None
    return round(1 - count / longer, 2), "a slip of a letter" if count == 1 else "a slip of two letters"


def _joined(one: tuple[Word, ...], other: tuple[Word, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Put words together that the other name writes as one."""
    return _join_like(one, other), _join_like(other, one)


def _join_like(one: tuple[Word, ...], other: tuple[Word, ...]) -> tuple[Word, ...]:
    whole = {folded(word.text) for word in other} - {folded(word.text) for word in one}
    for run in _runs(one):
        for order in permutations(run):
            joined = "".join(one[number].text for number in order)
            if folded(joined) in whole:
                first, last = run[0], run[-1]
                foreign = any(one[number].foreign for number in run)
                return _join_like((*one[:first], Word(joined, foreign), *one[last + 1 :]), other)
    return one


def _runs(one: tuple[Word, ...]) -> Iterator[tuple[int, ...]]:
    for length in range(min(len(one), _MOST_JOINED), 1, -1):
        for start in range(len(one) - length + 1):
            yield tuple(range(start, start + length))
