"""Forms of a name by which a similar name is found where names themselves are not kept: each form can be compared as a digest.

They cover the kinds of likeness in `names.compare_names` that a form can represent: particles, spellings of the same sounds, short
forms, initials, extra names, and one wrong letter after the first in a word that is not a known given name. Names in Arabic, Hebrew and East Asian scripts
are matched with Latin ones only if both reduce to the same letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from kycpack.triage.likeness import EXTRA_NAME, INITIAL, NICKNAME, PARTICLE, SLIP, TRANSLITERATION
from kycpack.triage.names.person_names import read_name
from kycpack.triage.names.transliteration import folded, name_lexicon

_FEWEST_WORDS, _MOST_WORDS = 2, 5
_MOST_FORMS = 12  # for one name with one set of words: a short form may stand for several names
_SHORTEST_SLIP = 5


@dataclass(frozen=True, slots=True)
class NameForm:
    """A form of a name.

    Attributes:
        kinds: The kinds of likeness, from `likeness.KINDS`, of two names that share this form; empty if only the order differs.
        whole: Whether it is the whole name, or has a wrong letter in a word that is not a known name; of two equal forms at least one has to be whole.
        value: The form: its words in alphabetical order.
    """

    kinds: tuple[str, ...]
    whole: bool
    value: tuple[str, ...]


def name_forms(text: str) -> list[NameForm]:
    """Return the forms of a name; empty for a name of one word, or of more words than people have.

    Args:
        text: A name in any script, with its parts in any order.
    """
    name = [word for word in read_name(text).words if not word.is_particle]
    # In alphabetical order, so that a name with many forms loses the same ones whatever the order of its words.
    words = sorted({word.text for word in name})
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return []
    found: dict[tuple[str, ...], NameForm] = {}
    for form in (*_wholes(words), *_parts(words), *_initials(words), *_slips(words)):
        found.setdefault(form.value, form)
    return list(found.values())


def are_compared(one: NameForm, other: NameForm) -> bool:
    """Return whether two equal forms mean that the names are alike: only one may leave something out, and one of two known names is not a slip."""
    return one.whole or other.whole


def _wholes(words: Sequence[str]) -> Iterator[NameForm]:
    yield NameForm((PARTICLE,), whole=True, value=tuple(sorted(words)))
    for kind, options in ((TRANSLITERATION, _spellings), (NICKNAME, _full_names)):
        for chosen in islice(product(*map(options, words)), _MOST_FORMS):
            yield NameForm((kind,), whole=True, value=tuple(sorted(chosen)))


def _parts(words: Sequence[str]) -> Iterator[NameForm]:
    for some in _subsets(words):
        for form in _wholes(some):
            beside = () if form.kinds == (PARTICLE,) else form.kinds
            yield NameForm((*beside, EXTRA_NAME), whole=False, value=form.value)


def _initials(words: Sequence[str]) -> Iterator[NameForm]:
    for some in (words, *_subsets(words)):
        kinds = (INITIAL,) if len(some) == len(words) else (INITIAL, EXTRA_NAME)
        for shortened in product((False, True), repeat=len(some)):
            if any(shortened) and not all(shortened):
                chosen = (word[0] if short else word for word, short in zip(some, shortened, strict=True))
                yield NameForm(kinds, whole=False, value=tuple(sorted(chosen)))


def _slips(words: Sequence[str]) -> Iterator[NameForm]:
    """Yield the names with one letter of one word left out: two names that differ in one letter share one of these forms."""
    for place, word in enumerate(words):
        if len(word) < _SHORTEST_SLIP:
            continue
        whole = word not in name_lexicon().known
        others = [*words[:place], *words[place + 1 :]]
        for short in dict.fromkeys((word, *(word[:at] + word[at + 1 :] for at in range(1, len(word))))):
            yield NameForm((SLIP,), whole=whole, value=tuple(sorted([*others, f"-{short}"])))


def _subsets(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for count in range(_FEWEST_WORDS, len(words)):
        yield from combinations(words, count)


def _spellings(word: str) -> list[str]:
    """Return the text that represents all spellings of the sounds of a word."""
    groups = sorted(name_lexicon().spellings.get(word, ()))
    return [f"~{folded(word)}", *(f"~{group}" for group in groups)]


def _full_names(word: str) -> list[str]:
    """Return the texts that represent the names that a word may be short for."""
    groups = sorted(name_lexicon().short_forms.get(word, ()))
    return [f"={group}" for group in groups] or _spellings(word)
