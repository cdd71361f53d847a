"""What a name appears to belong to: a person, a firm or a public body. A name alone proves none of these."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kycpack.wealth.prepare.phrases import MOST_KEPT, ShortForms

if TYPE_CHECKING:
    from kycpack.wealth.prepare.lexicon import Lexicon

PERSON, FIRM, STATE, OWN, UNKNOWN = "person", "firm", "state", "own", "unknown"
PARTIES = (UNKNOWN, PERSON, FIRM, STATE, OWN)

(
    NOISE,
    LEGAL_FORM,
    FIRM_WORD,
    STATE_WORD,
    TITLE,
    GIVEN_NAME,
    IN_PHRASE,
    OF_TRADE,
    PAID_BY_TRADE,
    FAR_FORM,
    LEADING_FORM,
    QUALIFIER,
    TRADE_WORD,
    SHELL_FORM,
    PRACTICE,
    STAFFED,
) = (1 << bit for bit in range(16))
"""Classes of words, as bits; a word may belong to several."""

MARKS_FIRM = FIRM_WORD | LEGAL_FORM
"""The classes of words by which a name is a firm's."""
_OF_PHRASES = IN_PHRASE | OF_TRADE | PAID_BY_TRADE
# Churches, schools and credit unions have the names of saints.
_SAINTS = frozenset({"st", "saint", "sainte", "sankt", "naomh"})
_BEFORE_A_NAME = frozenset({"de", "du", "von", "van", "di", "da", "emis"})
_LONGEST_NAME = 4
_LONGEST_INITIALS = 3  # two initials and a surname
_SHORTEST_SURNAME = 3
_BOTH_INITIALS = re.compile("[a-z]and[a-z]")  # as plain words write `J&M`
_AND, _SECOND = frozenset({"and", "et", "und", "y", "e"}), 2  # "MR AND MRS": index of the second title
_COUNCILS = frozenset({("c", "c"), ("b", "c"), ("d", "c")})
_DIGITS = "0123456789"
_NO_INITIALS = frozenset(
    {("a", "c"), ("b", "b"), ("c", "o"), ("p", "r"), ("t", "a"), ("w", "d"), ("w", "e")}
)  # account, bed and breakfast, care of, payroll, trading as, withdrawal, week ending
_OF_WORK = ("age", "ers", "ing", "ings", "wks", "works")  # "M KELLAWAY GROUNDWORKS" is a firm
_OF_DOCTORS = frozenset({"dr", "prof"})
_TITLES_THAT_ARE_WORDS = frozenset({"rev", "dame", "master"})  # a reversal, DAME STREET, MASTER CARD


class WordClasses:
    """The classes of words.

    Args:
        words: Class -> its words.
        short_forms: The full word of each short form; a short form is in the same phrases as its word.
    """

    def __init__(self, words: Mapping[int, Iterable[str]], short_forms: ShortForms) -> None:
        self._of: dict[str, int] = {}
        self._whole_of = short_forms
        self._found: dict[str, int] = {}
        for bit, members in words.items():
            for word in members:
                self._of[word] = self._of.get(word, 0) | bit

    def having(self, bit: int) -> frozenset[str]:
        """Return the words of a class."""
        return frozenset(word for word, bits in self._of.items() if bits & bit)

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def of(self, words: Sequence[str]) -> list[int]:
        """Return the classes of each word; a word with digits, such as `mar25`, is noise if it is noise without them."""
        found = self._found
        return [found[word] if word in found else self._look_up(word) for word in words]

    def _look_up(self, word: str) -> int:
        known = self._of
        classes = known.get(word, 0) | (known.get(self._whole_of[word], 0) & _OF_PHRASES)
        if not classes & NOISE and (word[0] in _DIGITS or word[-1] in _DIGITS):
            classes |= known.get(word.strip(_DIGITS), 0) & NOISE
        if len(self._found) >= MOST_KEPT:
            self._found = {}
        self._found[word] = classes
        return classes


def party_of(words: Sequence[str], lexicon: Lexicon) -> str:
    """Return what the words of a name appear to name, one of `PARTIES`.

    Args:
        words: Plain words; words for how the money travelled may be among them.
        lexicon: Legal forms, titles, first names and words of firms and public bodies.
    """
    return party_by_classes(words, lexicon.classes.of(words))


def party_by_classes(words: Sequence[str], classes: Sequence[int]) -> str:
    """Return what words appear to name, one of `PARTIES`, given the classes of each.

    Args:
        words: Plain words.
        classes: Classes of each word, of `WordClasses`.
    """
    core: list[str] = []
    marks: list[int] = []
    kept = without_letter_pairs(words)
    if len(kept) < len(words):
        words, classes = [words[at] for at in kept], [classes[at] for at in kept]
    for word, bits in zip(words, classes, strict=True):
        if not (bits & NOISE or word[0] in _DIGITS or (not core and word in _BEFORE_A_NAME)):
            core.append(word)
            marks.append(bits)
    if not core:
        return UNKNOWN
    first, after_first = marks[0], 0
    for bits in marks[1:]:
        after_first |= bits
    every = first | after_first
    if after_first & LEGAL_FORM or (first & LEADING_FORM and len(core) > 1):
        return FIRM
    if _is_titled(core, marks):
        return FIRM if core[0] in _OF_DOCTORS and after_first & PRACTICE else PERSON
    if every & STATE_WORD:
        return STATE
    if every & FIRM_WORD:
        return FIRM
    is_person = core[0] not in _SAINTS and _reads_like_a_person(core, marks)
    return PERSON if is_person and not _names_work(core, marks) else UNKNOWN


def without_letter_pairs(
    words: Sequence[str], pairs: frozenset[tuple[str, str]] = _NO_INITIALS
) -> Sequence[int]:
    """Return the indices of words that are in no pair of letters that are not initials, as in "DEPOSIT A/C" or "W/E 14APR".

    Args:
        words: Plain words.
        pairs: The pairs.
    """
    if pairs.isdisjoint(itertools.pairwise(words)):
        return range(len(words))
    found = {at for at, pair in enumerate(itertools.pairwise(words)) if pair in pairs}
    return [at for at in range(len(words)) if at not in found and at - 1 not in found]


def _is_titled(core: Sequence[str], marks: Sequence[int]) -> bool:
    """Return whether a name begins with a title, or with two, as in "M ET MME LEROUX"."""
    if len(core) > _SECOND + 1 and core[1] in _AND and marks[_SECOND] & TITLE and len(core[0]) <= _SECOND:
        return True
    return bool(marks[0] & TITLE and len(core) > 1) and (
        core[0] not in _TITLES_THAT_ARE_WORDS or _is_given(core, marks)
    )


def _is_given(core: Sequence[str], marks: Sequence[int]) -> bool:
    """Return whether a first name or an initial follows the first word."""
    return len(core[1]) == 1 or bool(marks[1] & GIVEN_NAME)


def _names_work(core: Sequence[str], marks: Sequence[int]) -> bool:
    """Return whether a word for a trade follows an initial and a surname."""
    surname_is_second = len(core) == _LONGEST_INITIALS and len(core[0]) == 1 and len(core[1]) > 1
    return surname_is_second and not marks[1] & GIVEN_NAME and core[2].endswith(_OF_WORK)


def _reads_like_a_person(core: Sequence[str], marks: Sequence[int]) -> bool:
    size = len(core)
    if not 1 < size <= _LONGEST_NAME:
        return False
    if size == 2 and _BOTH_INITIALS.fullmatch(core[0]) and not marks[1] & ~GIVEN_NAME:
        return True  # "J&M SMITH"
    if size <= _LONGEST_INITIALS:
        initials = [len(word) == 1 for word in core]
        before = initials[0] and max(map(len, core)) >= _SHORTEST_SURNAME
        # "PORTSMOUTH HOSPS T" is a name that was cut off, "LANCASHIRE C C" a county council.
        after = all(initials[1:]) and len(core[0]) >= _SHORTEST_SURNAME and tuple(core[1:]) not in _COUNCILS
        if before or after:
            return True
    if (
        size > 2
        and all(bits & GIVEN_NAME for bits in marks[2:])
        and (len(core[0]) == 1 or marks[1] & GIVEN_NAME)
    ):
        return True  # "M LOYER JEAN MARC", "LOYER JEAN BAPTISTE"
    return bool(marks[0] & GIVEN_NAME) or (size == 2 and bool(marks[1] & GIVEN_NAME))
