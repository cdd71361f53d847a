"""A policy as data: floors, rules, rules for decisions, lists, required checks, thresholds, the legal texts that it cites, and its own tests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from types import MappingProxyType
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.models.cards import card
from kycpack.triage.countries import CountryList
from kycpack.triage.diligence import Diligence
from kycpack.triage.levels import LEVELS, OF_SECTION, UNKNOWN
from kycpack.triage.located_yaml import Node
from kycpack.triage.policies.questions import Questions
from kycpack.triage.policies.rules import Rule
from kycpack.triage.results.vocabulary import Vocabulary

OUTCOMES = ("approve", "hold", "escalate", "reject")
"""The decisions that a person can make. A hold or an escalation takes effect at once."""

SANCTIONS, PEP = "sanctions", "pep"

_DECISIONS = ("alone_up_to", "override_days", "sanctions", "pep", "senior_approval", "checklist")
_CODE = ("text", "outcomes", "about")
_OUTCOMES_OF_SECTIONS = tuple(OF_SECTION + section for section in SECTIONS)

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
    return tuple(one for one in sources if one.cites.casefold() in basis.casefold())


@dataclass(frozen=True, slots=True)
class DecisionRules:
    """A policy's rules for decisions; for anything that the policy leaves out, the strictest rule applies.

    Attributes:
        reason_codes: The outcomes that each code may be used for, by code, with its wording.
        alone_up_to: The highest recommended level at which one person may approve alone.
        override_days: Number of days for which an approval against a recommendation lasts before the case reopens.
        sanctions: Rules about sanctions and terrorism, besides those recognised by the paths that they check.
        pep: Rules about politically exposed persons, besides those recognised by the paths that they check.
        senior_approval: Rules whose hit needs the approval of senior management.
        checklist: What enhanced due diligence requires before an approval.
        grounds: The rules that a code is about, by code: ids, with `*` at the end for all that begin so, and `UNKNOWN` for whatever could not be
            evaluated. A code that is not in it may be used for any.
    """

    reason_codes: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    alone_up_to: str = "approve"
    override_days: int = 90
    sanctions: tuple[str, ...] = ()
    pep: tuple[str, ...] = ()
    senior_approval: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ()
    grounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def subject(self, rule_id: str, path: str) -> str:
        """Return the subject of a finding, if decisions on it have stricter rules: `sanctions`, `pep`, or empty.

        A rule that a policy forgets to list is not treated more leniently: the path that the rule checks also counts.

        Args:
            rule_id: The rule.
            path: The path that it checked.
        """
        words = path.casefold().split(".")
        if rule_id in self.sanctions or any("sanction" in word or "terror" in word for word in words):
            return SANCTIONS
        return PEP if rule_id in self.pep or "pep" in words else ""


def read_decision_rules(codes: Node | None, node: Node | None, rules: set[str]) -> DecisionRules:
    """Return the content of a policy's blocks `reason_codes` and `decisions`.

    Args:
        codes: The block `reason_codes`; None if there is none.
        node: The block `decisions`; None if there is none.
        rules: Ids of the policy's rules.

    Raises:
        PolicyError: Part of them has no meaning.
    """
    entries = {
        code: entry.members(_CODE, _CODE[:2])
        for code, entry in ({} if codes is None else codes.members()).items()
    }
    top = {} if node is None else node.members(_DECISIONS)
    alone = top.get("alone_up_to")
    if alone is not None and alone.scalar() not in LEVELS:
        raise alone.error(f"expected one of the levels {', '.join(LEVELS)}")
    days = top.get("override_days")
    if days is not None and (
        isinstance(days.scalar(), bool)
        or not isinstance(days.scalar(), int)
        or not 1 <= days.scalar() <= 1095
    ):
        raise days.error("expected a number of days from 1 to 1095")
    return DecisionRules(
        reason_codes={code: _reason_code(entry) for code, entry in entries.items()},
        alone_up_to=LEVELS[0] if alone is None else str(alone.scalar()),
        override_days=90 if days is None else int(days.scalar()),
        sanctions=_rules(top.get("sanctions"), rules),
        pep=_rules(top.get("pep"), rules),
        senior_approval=_rules(top.get("senior_approval"), rules),
        checklist=tuple(item.text() for item in (top["checklist"].items() if "checklist" in top else ())),
        grounds={
            code: _grounds(entry["about"], rules) for code, entry in entries.items() if "about" in entry
        },
    )


def is_among(rule_id: str, patterns: Sequence[str]) -> bool:
    """Return whether a rule is one of some ids, of which one that ends in `*` stands for all that begin so."""
    return any(fnmatchcase(rule_id, pattern) for pattern in patterns)


def _grounds(node: Node, rules: set[str]) -> tuple[str, ...]:
    for item in node.items():
        known = (*rules, *_OUTCOMES_OF_SECTIONS, UNKNOWN)
        if not any(is_among(rule_id, (item.text(),)) for rule_id in known):
            raise item.error(f"there is no rule {item.text()!r}")
    return tuple(item.text() for item in node.items())


def _reason_code(entry: Mapping[str, Node]) -> tuple[str, tuple[str, ...]]:
    for outcome in entry["outcomes"].items():
        if outcome.scalar() not in OUTCOMES:
            raise outcome.error(f"expected one of the outcomes {', '.join(OUTCOMES)}")
    return entry["text"].text(), tuple(item.text() for item in entry["outcomes"].items())


def _rules(node: Node | None, known: set[str]) -> tuple[str, ...]:
    named = () if node is None else tuple(node.items())
    for item in named:
        if item.text() not in known:
            raise item.error(f"there is no rule {item.text()!r}")
    return tuple(item.text() for item in named)
