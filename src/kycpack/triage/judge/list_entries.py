"""Entries of lists in the results: what a rule finds in the members of one entry, such as one screening match, is one finding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kycpack.frames.labels import spoken
from kycpack.triage.case_file import Observation

_ENTRY = re.compile(r"(.*?(?<!\\)\.[0-9]+)(?:\.|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EntryMembers:
    """The members of an entry that decided a rule, in place of a single value.

    Args:
        place: Path of the entry, as in `screening.matches.0`.
        members: The observations.
    """

    place: str
    members: tuple[Observation, ...]

    def named(self) -> list[tuple[str, Any]]:
        """Return each member's name below the entry, in words, with its value."""
        return [(_name(one.path.removeprefix(self.place)), one.value) for one in self.members]


def entry_of(seen: Observation | None) -> str:
    """Return the path of the outermost list entry that an observation lies in; empty if it lies in none."""
    found = _ENTRY.match(seen.path) if seen is not None and seen.of_results else None
    return found[1] if found else ""


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
