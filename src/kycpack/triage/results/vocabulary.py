"""The vocabulary of results documents, the words in the names of their members, the meaning of single words and values, and a group of members to be read together."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from typing import Any

from kycpack.assets import asset_text
from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation, Unreadable
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN
from kycpack.triage.located_yaml import Node, read_nodes

_WORDS_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")

READING_WORDS = "policies/reading-words.yaml"

KINDS = ("match", "check")
"""Kinds of listed checks."""

_TEXT_WORDS = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(r"[\s_\-]+")
_YES = frozenset({"yes", "y", "true", "1", "match", "matched", "confirmed", "matchconfirmed", "found"})
_DENIALS = frozenset({"", "no", "n", "none", "false", "0", "clear", "nomatch", "nohit"})
_LONG_STEM = 5
_LONGEST_NAME = 8


@dataclass(frozen=True, slots=True)
class Kind:
    """The values of a kind of check: plain words, booleans and numbers that are fine, and those that are trouble."""

    name: str
    fine: frozenset[Any]
    trouble: frozenset[Any]


@dataclass(frozen=True, slots=True, eq=False)
class RemarkWords:
    """The words of free text that says that all is well.

    Attributes:
        subjects: Words for what the text is about.
        neutral: Words that are neither good nor bad.
        good: Words that say that something is fine.
        matching: Words in `good` that mean trouble in a search of lists.
        troubles: Words for trouble that a text may deny.
        entries: Words for entries that a text may deny in a search of lists.
        negatives: Words that begin a denial.
        signs: Words that may come between a negative and the trouble.
        found: Words for finding something.
    """

    subjects: frozenset[str]
    neutral: frozenset[str]
    good: frozenset[str]
    matching: frozenset[str]
    troubles: frozenset[str]
    entries: frozenset[str]
    negatives: frozenset[str]
    signs: frozenset[str]
    found: frozenset[str]


# Compared by identity, so that a cache key with a vocabulary does not hash its content.
@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The vocabulary of results documents, read from its file.

    Attributes:
        version: Its version.
        digest: SHA-256 of the file's bytes.
        kinds: The kinds of checks, by name.
        check_kinds: Patterns of the listed leaves that judge, each with its kind.
        values: Patterns of the listed leaves that contain a value.
        words: The other lists of the file by name, plain words.
        forms: The form of the values of plain data, by the last word of the name.
        fine_names: Plain names, each with its values that are fine.
        details: Plain names of details of the person or the document, each with its detail.
        details_of_readings: Further plain names of such details in a reading of the document, each with its detail.
        sexes: Words for a sex in several languages, each with its letter: F, M or X.
        moments: Plain names of dates, each with what it is the date of: `issued`, `started`, `ended`, `happened` or `recorded`.
        axes: Plain names of coordinates, each with its axis: `latitude` or `longitude`.
        captures: Plain names of captures, each with its capture, such as `selfie`.
        remarks: The words of free text that says that all is well.
    """

    version: str
    digest: str
    kinds: Mapping[str, Kind]
    check_kinds: tuple[tuple[str, str], ...]
    values: tuple[str, ...]
    words: Mapping[str, frozenset[str]]
    forms: Mapping[str, str]
    fine_names: Mapping[str, frozenset[Any]]
    details: Mapping[str, str]
    details_of_readings: Mapping[str, str]
    sexes: Mapping[str, str]
    moments: Mapping[str, str]
    axes: Mapping[str, str]
    captures: Mapping[str, str]
    remarks: RemarkWords

    def __getitem__(self, name: str) -> frozenset[str]:
        """Return one of the lists of `words` by its name in the file."""
        return self.words[name]

    def judge(self, kind: str, value: Any) -> tuple[str, bool]:
        """Judge the value of a listed check.

        Args:
            kind: One of `KINDS`.
            value: A word, a boolean or a number.

        Returns:
            HIT, CLEAR or UNKNOWN, and whether the value was understood.
        """
        said = self.kinds[kind]
        if isinstance(value, Decimal):
            if kind == "match" and value > 0:
                return HIT, True
            return (CLEAR, True) if value_key(value) in said.fine else (UNKNOWN, False)
        key = value_key(value)
        if key in said.trouble:
            return HIT, True
        return (CLEAR, True) if key in said.fine else (UNKNOWN, False)

    @cached_property
    def compared_words(self) -> frozenset[str]:
        """Names of what is compared or checked."""
        return self.remarks.subjects | self["check_words"] | self["compared_words"]

    @cached_property
    def trouble_sought(self) -> frozenset[str]:
        """Names of searches that say which trouble they look for; a mere register may list what should be there."""
        return self["searches_for_trouble"] - self["searches_of_anything"]

    @cached_property
    def listed_words(self) -> frozenset[str]:
        """The words in the paths of listed members outside screening."""
        listed = [*self.values, *(path for path, _ in self.check_kinds)]
        return frozenset(
            part for path in listed if not path.startswith("screening.") for part in name_words(path)
        )

    def has_stem(self, parts: Sequence[str], words: str) -> bool:
        """Return whether a name has a word that starts with a stem, or contains a long stem.

        Args:
            parts: The words of the name.
            words: Name of the list of stems, as `trouble_names`.
        """
        return _has_stem(self, words, tuple(parts))

    def is_placeholder(self, text: str) -> bool:
        """Return whether a text is only a placeholder, such as `n/a`."""
        said = " ".join(text.split()).casefold()
        return said in self["placeholders"] or not any(map(str.isalnum, said))

    def may_name_check(self, text: str, *, of_register: bool = False) -> bool:
        """Return whether a text may be the name of a check and has no word of a verdict.

        Args:
            text: The text.
            of_register: Whether it names a register, which may be named after what it lists.
        """
        said = text_words(text)
        wrong = self["verdict_words"] | self["trouble_values"]
        if of_register:
            wrong -= self["register_topics"]
        return len(said) <= _LONGEST_NAME and wrong.isdisjoint(said)

    def is_feature(self, text: str) -> bool:
        """Return whether a text names a security feature of a document."""
        said = {*text_words(text)}
        features = said & self["security_features"]
        known = self["feature_words"] | self["plain_words"]
        return (
            bool(said) and said - features <= known and bool(features or "ink" in said or "feature" in said)
        )


@lru_cache(maxsize=16_384)
def _has_stem(vocabulary: Vocabulary, words: str, parts: tuple[str, ...]) -> bool:
    # A word such as `unaltered` contains a stem and means the opposite.
    parts = tuple(part for part in parts if words == "good_names" or part not in vocabulary["good_words"])
    plain = "".join(parts)
    return any(
        any(part.startswith(stem) for part in parts) or (len(stem) >= _LONG_STEM and stem in plain)
        for stem in vocabulary[words]
    )


def affirms(value: Any) -> bool:
    """Return whether a value affirms its name: true, a number above 0, or a word for yes or for a match."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Decimal):
        return value > 0
    return isinstance(value, str) and plain_word(value) in _YES


def denies(value: Any) -> bool:
    """Return whether a value says that there is nothing, or is empty."""
    if isinstance(value, str):
        return plain_word(value) in _DENIALS
    return (
        value is None
        or value is False
        or isinstance(value, Unreadable)
        or (isinstance(value, Decimal) and value <= 0)
    )


def text_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without digits and marks."""
    return [word.casefold() for word in _TEXT_WORDS.findall(text)]


def plain_word(word: str) -> str:
    """Return a word without spaces, dashes and underscores, in lower case."""
    return _PLAIN.sub("", word).casefold()


def value_key(value: Any) -> Any:
    """Return a value as a key for comparison: words in plain form, and booleans distinct from numbers."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, int | Decimal):
        return Decimal(value).normalize()
    return plain_word(value) if isinstance(value, str) else ("other", type(value).__name__)


def name_words(name: str) -> list[str]:
    """Return the words of a member's name in lower case, in whichever style it is written: `fraudType`, `fraud_type`, `FRAUD-TYPE`.

    Args:
        name: The name, or a path: then those of all its names in order, list indexes among them.
    """
    return [word.casefold() for word in _WORDS_OF_NAME.findall(name)]


def names_finding(part: str) -> bool:
    """Return whether a word of a name says that something was found and not what, as in `hitCount`."""
    return part.startswith(("hit", "match"))


def own_words(path: str) -> list[str]:
    """Return the words of a leaf's own name, without numbers."""
    return [word for word in name_words(path.rpartition(".")[2]) if not word.isdigit()]


def steps_of(path: str) -> tuple[list[str], str]:
    """Return the names of the groups around a leaf, and its own name, without list indexes.

    Args:
        path: Path of the leaf. A leaf at the top of the results has no group; a list item without a name has an empty one.
    """
    *groups, name = [step for step in path.split(".") if not step.isdigit()] or [""]
    return groups, name


def group_words(path: str) -> list[str]:
    """Return the words of the nearest group around a leaf; a list item without a name has the name of its list, and the group around that."""
    return name_words(next(reversed(steps_of(path)[0]), ""))


def words_around(path: str) -> list[str]:
    """Return the words of the groups around a leaf, apart from sections, without numbers."""
    return [part for step in steps_of(path)[0] if step not in SECTIONS for part in own_words(step)]


def last_group(path: str) -> str:
    """Return the name of the group in which the last step of a path stands, without list indexes; empty at the top."""
    return next((step for step in reversed(path.split(".")[:-1]) if not step.isdigit()), "")


def words_of(module: str) -> Mapping[str, frozenset[str]]:
    """Return the lists of words of a module of this folder, by their names.

    Args:
        module: Its name, as in `plain_claims`.
    """
    return {
        name: frozenset(item.text() for item in node.items())
        for name, node in _modules()[module].members().items()
    }


@cache
def _modules() -> Mapping[str, Node]:
    return read_nodes(asset_text(READING_WORDS), READING_WORDS).members()


@dataclass(frozen=True, slots=True)
class LeafGroup:
    """A group and its surroundings.

    Attributes:
        path: Path of the group.
        groups: The members of each group of the results, by its path.
        vocabulary: How names and values are read.
        listed: The values of the results by path.
        fine: Paths of the leaves that are clear by themselves.
        passed: Whether the group has verdicts, and all of them are clear.
        day: The day of the review.
    """

    path: str
    groups: Mapping[str, Sequence[Observation]]
    vocabulary: Vocabulary
    listed: Mapping[str, Any]
    fine: Collection[str]
    passed: bool
    day: dt.date

    @property
    def members(self) -> Sequence[Observation]:
        """The members of the group."""
        return self.groups.get(self.path, ())

    @property
    def around(self) -> list[Observation]:
        """The members of the group and of the groups around it."""
        steps = self.path.split(".")
        places = [".".join(steps[: end + 1]) for end in range(len(steps))]
        return [one for place in places for one in self.groups.get(place, ())]

    @property
    def named(self) -> frozenset[str]:
        """The words of its name; for the item of a list, those of the list's name."""
        return frozenset(name_words(last_group(f"{self.path}.")))
