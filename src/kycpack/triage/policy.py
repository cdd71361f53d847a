"""A policy as data: floors, rules, lists, required checks, thresholds and the tests it brings with it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from kycpack.frames.answer_members import SECTIONS
from kycpack.models.cards import card
from kycpack.triage.countries import CountryList
from kycpack.triage.decision_rules import DecisionRules
from kycpack.triage.diligence import Diligence
from kycpack.triage.legal_sources import LegalSource
from kycpack.triage.paths import LEVEL, is_customers
from kycpack.triage.vocabulary import Vocabulary

Operator = Literal[
    "in", "not_in", "equals", "not_equals", "above", "at_least", "below", "at_most", "in_list", "present",
    "judged_as", "unlisted", "forgery", "country",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leaf:
    """One question about what was observed.

    Args:
        path: Pattern of the observations that are looked at; the worst of them decides.
        operator: What makes an observation a hit.
        argument: What it is compared with: a tuple for `in`, `not_in`; the name of a list for `in_list`; the kind of check for
            `judged_as`.
        clear: Values that are fine; any other that is no hit is not understood. None: whatever is no hit is fine.
        within: Lowest and highest number that make sense; any other is not understood.
        excluded: Patterns of observations that are left out.
        keys_with: Only observations whose last name has one of these words in it, whatever the case; empty for all.
        if_missing: What no observation at all means.
    """

    path: str
    operator: Operator
    argument: Any
    clear: tuple[Any, ...] | None = None
    within: tuple[Any, Any] | None = None
    excluded: tuple[str, ...] = ()
    keys_with: tuple[str, ...] = ()
    if_missing: Literal["unknown", "clear", "hit"] = "unknown"


@dataclass(frozen=True, slots=True)
class Group:
    """Several questions: `all` is as clear as its clearest part, `any` as bad as its worst."""

    kind: Literal["all", "any"]
    parts: tuple[Condition, ...]


Condition = Leaf | Group


@dataclass(frozen=True, slots=True)
class Texts:
    """What a rule says in each outcome. `{value}`, `{label}`, `{note}` and `{why}` are filled in.

    Args:
        hit: Where it hits.
        clear: Where it is clear, in positive words.
        unknown: Where it is not known.
        not_applicable: Where nobody looked and the policy marks it optional.
    """

    hit: str
    clear: str
    unknown: str
    not_applicable: str


@dataclass(frozen=True)
class Rule:
    """A rule of a policy; raising the level is the only thing it can do.

    Attributes:
        id: Its name.
        when: What makes it hit.
        applies_if: What makes it apply; None for always. Where it does not, the rule is NOT_APPLICABLE.
        raise_to: The level of a hit.
        if_unknown: The level where it is not known.
        if_not_understood: The level of a value that the policy does not know.
        owner: Who looks at it.
        action: What a hit asks for, of `levels.ACTIONS`.
        internal: Whether it stays inside the firm: never in a document for the customer, a webhook or a log.
        each: Whether every hit is a finding by itself.
        gives_way: Whether a hit gives way to a later session: "" for never, `complete` to a complete one, `renewal` to a
            document that is not expired.
        title: What is looked at, in a few words.
        reason: What a hit is, in a few words.
        texts: Its sentences.
        basis: The law, guidance or standard it rests on.
        first_day: The first day on which it is in force; None for any.
        last_day: The last such day; None for any.
        series: Rules of one series take turns by date; empty for none.
        place: Where it stands in the file.
    """

    id: str
    when: Condition
    raise_to: str
    owner: str
    reason: str
    basis: str
    place: str
    texts: Texts = Texts(
        "{reason}: {label} {value}",
        "{title}: nothing found",
        "{title}: not known. {why}",
        "{title}: not looked at",
    )
    title: str = ""
    applies_if: Condition | None = None
    if_unknown: str = "review"
    if_not_understood: str = "review"
    action: str = "none"
    internal: bool = False
    each: bool = False
    gives_way: str = ""
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    series: str = ""

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every question it asks, in order."""
        asked = tuple(leaves_of(self.when))
        return asked if self.applies_if is None else (*leaves_of(self.applies_if), *asked)

    @cached_property
    def about_customer(self) -> bool:
        """Whether it looks only at what is known of the customer, so that it is judged once and not for each session."""
        return all(is_customers(leaf.path) for leaf in self.leaves)

    @cached_property
    def about_level(self) -> bool:
        """Whether it looks at what the other rules gave, so that it comes after them."""
        return any(leaf.path == LEVEL for leaf in self.leaves)

    @cached_property
    def section(self) -> str:
        """The one check whose results it looks at; empty where it looks at several or at something else."""
        looked_at = {section_of(leaf.path) for leaf in self.leaves}
        return looked_at.pop() if len(looked_at) == 1 else ""

    def in_force(self, day: dt.date) -> bool:
        """Tell whether it is in force on a day."""
        return (self.first_day is None or self.first_day <= day) and (
            self.last_day is None or day <= self.last_day
        )


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


def section_of(path: str) -> str:
    """Return the section of the results that something rests on; empty for none."""
    if path.startswith("consistency.address.") or path == "country.address":
        return "address"
    root = path.partition(".")[0]
    if root in {"expiry", "plausible"}:
        return "document"
    return root if root in SECTIONS else ""


def leaves_of(condition: Condition) -> Iterator[Leaf]:
    """Go through the questions of a condition, in order."""
    if isinstance(condition, Leaf):
        yield condition
    else:
        for part in condition.parts:
            yield from leaves_of(part)
