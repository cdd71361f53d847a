"""Words of names in plain Latin letters, whatever their script and spelling, and what is known about them: titles, particles, short forms, spellings, and distinct names.

Transliteration is by anyascii, letter by letter: it does not restore vowels that Arabic or Hebrew leave out, and reads Chinese
characters in Mandarin only. `romanisation` and `east_asian` handle those in more detail.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from anyascii import anyascii

from kycpack.assets import asset_yaml

Groups = dict[str, frozenset[str]]

_ARABIC_ARTICLE = re.compile(r"(?<!\w)\u0627\u0644(?=\w{2})")
_APOSTROPHES = re.compile(r"[\u0027\u0060\u00b4\u02bb-\u02bf\u2018\u2019\u201b\u2032]")
# Greek letters that together represent one sound (ISO 843, ELOT 743); letter by letter they would be read differently.
_GREEK = re.compile(r"[\u0370-\u03ff]")
_GREEK_PAIRS = (
    ("\u03bf\u03c5", "ou"),
    ("\u03b5\u03c5", "ev"),
    ("\u03b1\u03c5", "av"),
    ("\u03b3\u03b3", "ng"),
    ("\u03b3\u03ba", "gk"),
    ("\u03bc\u03c0", "mp"),
)
_ONE_CASED = re.compile(r"[\u0370-\u058f]")
_NO_LETTER = re.compile(r"[^a-z0-9]+")

# Spellings of one sound in different romanisations; the order matters, longer ones come first.
_SPELLINGS = (
    ("shch", "sh"),
    ("sch", "sh"),
    ("tch", "ch"),
    ("cz", "ch"),
    ("sz", "sh"),
    ("ph", "f"),
    ("kh", "h"),
    ("gh", "g"),
    ("dh", "d"),
    ("th", "t"),
    ("ck", "k"),
    ("qu", "k"),
    ("tz", "c"),
    ("ts", "c"),
    ("dj", "d"),
    ("ae", "a"),
    ("oe", "o"),
    ("ue", "u"),
    ("ou", "u"),
    ("oo", "u"),
    ("ee", "i"),
    ("iy", "i"),
    ("ij", "i"),
    ("yi", "i"),
    ("x", "ks"),
    ("q", "k"),
    ("w", "v"),
    ("y", "i"),
)
# Spellings in the machine-readable zone of a document for letters whose marks `anyascii` removes. Source: ICAO Doc 9303
# part 3, section 6.
_PASSPORT_LETTERS = (
    {"Å": "AA", "Ä": "AE", "Ö": "OE", "Ø": "OE", "Ü": "UE", "Ñ": "N"},
    {"Å": "AA", "Ä": "AE", "Ö": "OE", "Ø": "OE", "Ü": "UXX", "Ñ": "NXX"},
)
_DOUBLED = re.compile(r"(.)\1+")
_WEAK = re.compile(r"[aeiouyvwh]")


class Word(NamedTuple):
    """A word in a name.

    Attributes:
        text: The word in lower case, in Latin letters, without accents.
        foreign: Whether it was in another script.
        raw: The word as it was written.
        is_name: Whether it is a name here, although the same word is a particle elsewhere, such as Das in Bengal and An in Vietnam.
    """

    text: str
    foreign: bool = False
    raw: str = ""
    is_name: bool = False

    @property
    def is_initial(self) -> bool:
        """Whether it is a single letter, possibly written with several in Latin, or is abbreviated after its first sound by a full stop."""
        return (
            len(self.text) == 1
            or self.raw.endswith(".")
            or (self.foreign and _ONE_CASED.fullmatch(self.raw) is not None)
        )

    @property
    def is_particle(self) -> bool:
        """Whether it is a particle, such as van or al."""
        return not self.is_name and self.text in name_lexicon().particles


class _Characters(dict[int, str | None]):
    """The replacement of each character, in the form that `str.translate` takes; each is worked out once.

    Args:
        decide: Returns the replacement of a character; None if it is dropped.
    """

    def __init__(self, decide: Callable[[str], str | None]) -> None:
        super().__init__()
        self._decide = decide

    def __missing__(self, code: int) -> str | None:
        made = self[code] = self._decide(chr(code))
        return made


_VISIBLE = _Characters(lambda one: one if unicodedata.category(one)[0] != "C" or one.isspace() else None)
# Marks such as vowel signs belong to their letters and do not separate words.
_SEPARATED = _Characters(lambda one: " " if unicodedata.category(one)[0] in "PSZ" else one)


# A customer's name is compared with many others, and streets and towns recur.
@lru_cache(maxsize=4_096)
def words(text: str) -> tuple[Word, ...]:
    """Return the words of a name or an address; any character that is neither a letter nor a digit separates them.

    Control characters and direction marks are dropped, apostrophes join words, hyphens separate them.
    """
    # Plain letters need none of these steps, and most names and addresses have no others.
    if not text.isascii() or not text.isprintable():
        visible = unicodedata.normalize("NFKC", text).translate(_VISIBLE)
        text = _ARABIC_ARTICLE.sub("", visible)
    joined = _APOSTROPHES.sub("", text)
    found = []
    for piece in joined.translate(_SEPARATED).split():
        if piece.isascii():
            found.append(Word(piece.lower(), raw=piece))
        elif plain := _NO_LETTER.sub("", anyascii(_without_pairs(piece)).lower()):
            found.append(Word(plain, foreign=not _is_latin(piece), raw=piece))
    return tuple(found)


def has_same_articles(left: str, right: str) -> bool:
    """Return whether two names have as many particles, counting the article in Arabic letters, which `words` leaves out; False if both have as many of those."""
    (one, apart), (other, others_apart) = (
        (_articles_within(text), sum(word.is_particle for word in words(text))) for text in (left, right)
    )
    return one != other and one + apart == other + others_apart


def _articles_within(text: str) -> int:
    return len(_ARABIC_ARTICLE.findall(unicodedata.normalize("NFKC", text).translate(_VISIBLE)))


def plain_text(text: str) -> str:
    """Return the words of a text, as from `words`, joined by spaces."""
    return " ".join([word.text for word in words(text)])


def _without_pairs(piece: str) -> str:
    if not _GREEK.search(piece):
        return piece
    plain = "".join(c for c in unicodedata.normalize("NFD", piece.lower()) if not unicodedata.combining(c))
    return respelled(plain, _GREEK_PAIRS)


def _is_latin(piece: str) -> bool:
    return all(not c.isalpha() or unicodedata.name(c, "").startswith("LATIN") for c in piece)


@lru_cache(maxsize=16_384)
def passport_spellings(raw: str) -> frozenset[str]:
    """Return a word as the machine-readable zone of a document may spell it, in lower case; empty if that is no different.

    Args:
        raw: The word as it was written.
    """
    capitals = unicodedata.normalize("NFC", raw).upper()
    if not any(letter in _PASSPORT_LETTERS[0] for letter in capitals):
        return frozenset()
    spelt = ("".join(letters.get(one, one) for one in capitals) for letters in _PASSPORT_LETTERS)
    return frozenset(_NO_LETTER.sub("", anyascii(one).lower()) for one in spelt)


def respelled(text: str, pairs: Iterable[tuple[str, str]]) -> str:
    """Return a text with each spelling replaced by another one, in the order given."""
    for spelling, other in pairs:
        text = text.replace(spelling, other)
    return text


@lru_cache(maxsize=16_384)
def folded(text: str) -> str:
    """Return a word with roughly one spelling for each sound."""
    return _DOUBLED.sub(r"\1", respelled(text, _SPELLINGS))


@lru_cache(maxsize=16_384)
def skeleton(text: str) -> str:
    """Return the consonants of a word, with repeated ones once."""
    return _DOUBLED.sub(r"\1", _WEAK.sub("", folded(text).replace("j", "g")))


def edits(left: str, right: str) -> int:
    """Return how many letters have to be changed, removed, added or swapped with the next to turn one word into the other.

    Source: optimal string alignment distance (Damerau 1964).
    """
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


@dataclass(frozen=True, slots=True)
class NameLexicon:
    """Words with a meaning in names.

    Attributes:
        titles: Forms of address.
        honorifics: Forms of address in other scripts, which may be written together with the name.
        post_nominals: Letters after a name.
        placeholders: Words used where a name is missing.
        placeholders_that_are_names: Placeholders that are names in some places.
        generations: Generational suffixes, and the generation that each means.
        generations_that_are_names: Generational suffixes that are names in some places.
        particles: Words that may be present or missing.
        marks_of_descent: Particles between a person's own name and a parent's.
        short_forms: A name or short form, and the names that it may stand for, each identified by its line in the file.
        spellings: A spelling, and the names that it may be, each identified by its line in the file.
        traditions: A spelling, and the traditions that it comes from.
        known: Distinct names, so that one is not taken as a slip for another.
    """

    titles: frozenset[str]
    honorifics: re.Pattern[str]
    post_nominals: frozenset[str]
    placeholders: frozenset[str]
    placeholders_that_are_names: frozenset[str]
    generations: dict[str, str]
    generations_that_are_names: frozenset[str]
    particles: frozenset[str]
    marks_of_descent: frozenset[str]
    short_forms: Groups
    spellings: Groups
    traditions: dict[str, frozenset[str]]
    known: frozenset[str]

    def share(self, groups: Groups, left: str, right: str) -> bool:
        """Return whether two words may stand for one name."""
        return bool(groups.get(left, frozenset()) & groups.get(right, frozenset()))

    def are_two_names(self, left: str, right: str) -> bool:
        """Return whether both words are known as distinct names."""
        return left in self.known and right in self.known and not self.share(self.spellings, left, right)


@cache
def name_lexicon() -> NameLexicon:
    """Return the lexicon that comes with the package."""
    people = _read("people")
    short_forms = _read("short_forms")
    spellings = _read("spellings")
    known = _read("known")
    several = frozenset(known.pop("several_traditions").split())
    of_traditions: dict[str, set[str]] = {}
    for tradition, lines in spellings.items():
        if tradition != "romance_and_germanic":
            for word in {*lines.split(), *known.get(tradition, "").split()} - several:
                of_traditions.setdefault(word, set()).add(tradition)
    return NameLexicon(
        titles=frozenset(people["titles"]),
        honorifics=_honorifics(people["honorifics"]),
        post_nominals=frozenset(people["post_nominals"]),
        placeholders=frozenset(people["placeholders"]),
        placeholders_that_are_names=frozenset(people["placeholders_that_are_names"]),
        generations={mark: name for name, marks in people["generations"].items() for mark in marks},
        generations_that_are_names=frozenset(people["generations_that_are_names"]),
        particles=frozenset(people["particles"]),
        marks_of_descent=frozenset(people["marks_of_descent"]),
        short_forms=_groups(line for lines in short_forms.values() for line in lines.splitlines()),
        spellings=_groups(line for lines in spellings.values() for line in lines.splitlines()),
        traditions={word: frozenset(names) for word, names in of_traditions.items()},
        known=frozenset(
            word
            for lines in (*known.values(), *short_forms.values(), *spellings.values())
            for word in lines.split()
        ),
    )


@cache
def given_names() -> frozenset[str]:
    """Return given names that differ from another one by a letter or two, so that one is not taken as a slip for the other."""
    return frozenset(_read("given")["given"].split())


def _read(name: str) -> Any:
    return asset_yaml(f"names/{name}.yaml")


def _honorifics(written: dict[str, list[str]]) -> re.Pattern[str]:
    words = {place: "|".join(sorted(some, key=len, reverse=True)) for place, some in written.items()}
    return re.compile(
        rf"^\s*(?:(?:{words['before']})[\s./]+|(?:{words['before_joined']})(?=\S{{2}}))"
        rf"|(?:(?<=\S)\s+(?:{words['after']})|(?<=\S{{3}})(?:{words['after']}))\s*$"
    )


def _groups(lines: Iterable[str]) -> Groups:
    # By the line and not its number, so that forms kept by an earlier version stay the same when lines are added.
    groups: dict[str, set[str]] = {}
    for line in lines:
        for word in line.split():
            groups.setdefault(word, set()).add(line)
    return {word: frozenset(found) for word, found in groups.items()}
