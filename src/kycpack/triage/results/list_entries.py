"""Entries of lists in the results, and single matches: what a rule finds in the members of one, such as one screening match, is one finding."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.labels import spoken
from kycpack.frames.listed_matches import names_matches, names_one_match, names_somebody
from kycpack.triage.case_file import Observation

_STEP = re.compile(r"(?<!\\)\.")
_ENTRY = re.compile(r"(.*?(?<!\\)\.[0-9]+)(?:\.|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EntryMembers:
    """The members of an entry that decided a rule, in place of a single value.

    Args:
        place: Path of the entry, as in `screening.matches.0`, or of a match in no list, as in `screening.match`.
        members: The observations.
    """

    place: str
    members: tuple[Observation, ...]

    def named(self) -> list[tuple[str, Any]]:
        """Return each member's name below the entry, in words, with its value."""
        return [(_name(one.path.removeprefix(self.place)), one.value) for one in self.members]


def entries_of(found: Sequence[Observation | None]) -> tuple[str, ...]:
    """Return for each observation the path of the match or the outermost list entry that it lies in; empty if it lies in none.

    Args:
        found: Everything that a rule found in a session, since a match that is in no list shows by a member that names who was found.
    """
    return _entries_of(tuple(seen.path if seen is not None and seen.of_results else "" for seen in found))


# Most sessions have the same leaves.
@lru_cache(maxsize=256)
def _entries_of(paths: tuple[str, ...]) -> tuple[str, ...]:
    single = {place for path in paths for place, member in _below_matches(path) if names_somebody(member)}
    return tuple(_entry_of(path, single) for path in paths)


def list_entry_of(path: str) -> str:
    """Return the path of the outermost list entry that a leaf lies in; empty if it lies in none."""
    listed = _ENTRY.match(path)
    return listed[1] if listed else ""


def _entry_of(path: str, single: Collection[str]) -> str:
    groups = [place for place, _ in _below_matches(path)]
    if match := next((place for place in groups if place in single), ""):
        return match
    if listed := list_entry_of(path):
        return listed
    return groups[0] if groups and names_one_match(groups[0].rpartition(".")[2]) else ""


def _below_matches(path: str) -> Iterator[tuple[str, str]]:
    """Yield the groups of a path from the first that is named after matches, before any list, each with the name of its next member."""
    steps = _STEP.split(path)
    if not path or (steps[0] in SECTIONS and steps[0] != "screening"):
        return
    first = next((at for at, step in enumerate(steps[:-1]) if names_matches(step)), len(steps))
    if any(map(str.isdecimal, steps[:first])):
        return
    for at in range(first, len(steps) - 1):
        if steps[at + 1].isdecimal():
            return
        yield ".".join(steps[: at + 1]), steps[at + 1]


def in_one(place: str, members: Sequence[Observation]) -> Observation:
    """Return the observations in one entry as one observation.

    Args:
        place: Path of the entry.
        members: The observations, several; the path of the first stands for all.
    """
    ids = tuple(sorted({id_ for one in members for id_ in one.evidence_ids}))
    return Observation(members[0].path, EntryMembers(place, tuple(members)), ids, of_results=True)


def _name(below: str) -> str:
    return " ".join(spoken(step) for step in below.split(".") if step and not step.isdecimal())
