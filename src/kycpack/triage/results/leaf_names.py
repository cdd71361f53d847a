"""The names in the path to a leaf of a results document."""

from __future__ import annotations

import re

from kycpack.frames.answer_members import SECTIONS

WORDS_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def name_words(name: str) -> list[str]:
    """Return the words of a member's name in lower case, in whichever style it is written: `fraudType`, `fraud_type`, `FRAUD-TYPE`.

    Args:
        name: The name, or a path: then those of all its names in order, list indexes among them.
    """
    return [word.casefold() for word in WORDS_OF_NAME.findall(name)]


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
