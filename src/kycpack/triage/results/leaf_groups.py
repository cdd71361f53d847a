"""A group of members of the results, with what may settle them: the groups around it, and what is listed elsewhere."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kycpack.triage.case_file import Observation
from kycpack.triage.results.vocabulary import Vocabulary, last_group, name_words


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
