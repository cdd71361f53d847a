"""A policy as data: floors, rules, lists, required checks, thresholds, the legal texts that it cites, and its own tests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from kycpack.models.cards import card
from kycpack.triage.countries import CountryList
from kycpack.triage.diligence import Diligence
from kycpack.triage.levels import OF_SECTION
from kycpack.triage.located_yaml import Node
from kycpack.triage.policies.decision_rules import DecisionRules
from kycpack.triage.policies.questions import Questions
from kycpack.triage.policies.rules import Rule
from kycpack.triage.results.vocabulary import Vocabulary

_NAMES = ("cites", "title", "edition", "checked")


@dataclass(frozen=True, slots=True)
class PolicyTest:
    """A test case in a policy: observations, and the expected result."""

    given: Mapping[str, Any]
    expect: str
    fired: tuple[str, ...]
    not_fired: tuple[str, ...]
    day: dt.date
    place: str


@dataclass(frozen=True, repr=False)
class Policy:
    """A versioned policy. It cannot be changed once it is loaded, so its digest is that of its file.

    Attributes:
        id: Its name.
        version: Its version.
        effective: The date from which it is in force, ISO 8601.
        digest: SHA-256 of the file's bytes.
        floor: Level by outcome of a section; always with `missing` and `*` (any other word).
        owners: Who works on the outcome of a section, by section; `*` for any other.
        rules: In the order of the file, which is the order of reasons within a level.
        not_processed: Words that mean that a check did not run.
        thresholds: Of the red flags of source of wealth, in the form that `derive` takes.
        lists: Dated country lists by the name that rules use.
        diligence: Which level of due diligence a customer needs, with its required checks and review periods.
        vocabulary: How values of the results are read.
        tests: The policy's own tests.
        decisions: Its rules for decisions.
        legal_sources: The texts that its rules cite, each with its edition and the parts that were checked.
        source: The file's bytes, to be stored with the decisions made under it.
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
        """The questions that its rules ask."""
        return Questions(self.rules, self.vocabulary, self.lists, self.not_processed)

    def owner_of(self, rule_id: str) -> str:
        """Return who works on the findings of a rule: of a section's outcome, its owner; of a rule that the policy does not have, the MLRO."""
        section = rule_id.removeprefix(OF_SECTION)
        other = "MLRO" if section == rule_id else self.owners.get(section, self.owners["*"])
        return next((rule.owner for rule in self.rules if rule.id == rule_id), other)

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


@dataclass(frozen=True, slots=True)
class LegalSource:
    """A text that rules cite as their basis.

    Attributes:
        cites: How it is cited, as in `MLR 2017 reg. 28`; if several match, the longest counts.
        title: Its full name.
        edition: The date of the edition, or of the last amendment included.
        checked: Which parts were checked, and where; or that it was not checked.
        amended: Whether the text was amended after the edition that was read, and not read as amended.
        law: Whether it is a text of law or guidance, and not a list or a standard that the firm sets.
    """

    cites: str
    title: str
    edition: str
    checked: str
    amended: bool = False
    law: bool = True


def read_legal_sources(node: Node | None) -> tuple[LegalSource, ...]:
    """Return the sources that a policy's file lists; empty if it lists none.

    Raises:
        PolicyError: A member is missing, not known or of the wrong kind, or a citation is given twice.
    """
    found: dict[str, LegalSource] = {}
    for item in () if node is None else node.items():
        given = item.members((*_NAMES, "amended", "law"), _NAMES)
        cites, title, edition, checked = (given[name].text() for name in _NAMES)
        source = LegalSource(
            cites,
            title,
            edition,
            checked,
            amended="amended" in given and given["amended"].boolean(),
            law="law" not in given or given["law"].boolean(),
        )
        if source.cites in found:
            raise given["cites"].error(f"{source.cites} is given twice")
        found[source.cites] = source
    return tuple(found.values())


def sources_of(basis: str, sources: Iterable[LegalSource]) -> tuple[LegalSource, ...]:
    """Return the sources that a basis cites, each once, in order of citation.

    Args:
        basis: As in a rule: citations, with semicolons between different texts.
        sources: Those of the policy.
    """
    listed = tuple(sources)
    return tuple(one for one in listed if one.cites.casefold() in basis.casefold())
