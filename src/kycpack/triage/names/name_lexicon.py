"""What is known about words in names: titles, particles, short forms, spellings, and distinct names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kycpack.assets import asset_yaml

Groups = dict[str, frozenset[str]]


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
