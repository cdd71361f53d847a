"""A policy as data: floors, rules, lists, required checks, thresholds and the tests it brings with it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from kycpack.models.cards import card
from kycpack.triage.countries import CountryList
from kycpack.triage.decision_rules import DecisionRules
from kycpack.triage.diligence import Diligence
from kycpack.triage.legal_sources import LegalSource
from kycpack.triage.questions import Questions
from kycpack.triage.rules import Rule
from kycpack.triage.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class PolicyTest:
    """A case that a policy brings: what was observed, and what must come of it."""

    given: Mapping[str, Any]
    expect: str
    fired: tuple[str, ...]
    not_fired: tuple[str, ...]
    day: dt.date
    place: str


@dataclass(frozen=True, repr=False)
class Policy:
    """A versioned policy. Nothing in it can be changed once it is loaded: its digest is that of its file.

    Attributes:
        id: Its name.
        version: Its version.
        effective: The date from which it is in force, ISO 8601.
        digest: SHA-256 of the file's bytes.
        floor: Level by outcome of a section; `missing` and `*` (any other word) are always there.
        owners: Who looks at the outcome of a section, by section; `*` for any other.
        rules: In the order of the file, which is the order of reasons inside a level.
        not_processed: Words that say that a check did not run.
        thresholds: For the red flags of source of wealth, as `derive` takes them.
        lists: Dated country lists by the name that rules use.
        diligence: How much diligence a customer needs, and the checks and review periods that follow.
        vocabulary: How values of the results are read.
        tests: The policy's own tests.
        decisions: What it says of decisions.
        legal_sources: The texts that the bases of its rules cite, each with its edition and what of it was read.
        source: The file's bytes, to be kept beside what was decided by it.
    """

    id: str
    version: str
    effective: str
    digest: str
    floor: Mapping[str, str]
    owners: Mapping[str, str]
    rules: tuple[Rule, ...]
    not_processed: frozenset[str]
    thresholds: Mapping[str, Any]
    lists: Mapping[str, CountryList]
    diligence: Diligence
    vocabulary: Vocabulary
    tests: tuple[PolicyTest, ...]
    decisions: DecisionRules
    legal_sources: tuple[LegalSource, ...]
    source: bytes

    def __post_init__(self) -> None:
        for name in ("floor", "owners", "thresholds", "lists"):
            object.__setattr__(self, name, _read_only(getattr(self, name)))

    @cached_property
    def questions(self) -> Questions:
        """What its rules ask."""
        return Questions(self.rules, self.vocabulary, self.lists, self.not_processed)

    def __repr__(self) -> str:
        return f"Policy({self.id} {self.version}, {len(self.rules)} rules, digest {self.digest[:12]})"

    def _repr_html_(self) -> str:
        return card(
            repr(self),
            ("threshold of source of wealth", "value"),
            sorted(
                (name, str(value))
                for name, value in self.thresholds.items()
                if not isinstance(value, Mapping)
            ),
            notes=[f"In force from {self.effective}. Levels of the red flags are in .thresholds['levels']."],
            following=(".rules", ".thresholds", "kycpack policy explain RULE"),
        )


def _read_only(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({name: _read_only(member) for name, member in value.items()})
    return tuple(value) if isinstance(value, list) else value
