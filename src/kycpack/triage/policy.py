"""A policy as data: floors, rules, lists, thresholds and the tests it brings with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from kycpack.triage.countries import CountryList
from kycpack.triage.paths import LEVEL, is_customers

Operator = Literal[
    "in", "not_in", "equals", "not_equals", "above", "at_least", "below", "at_most", "in_list", "present"
]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One question about facts.

    Args:
        path: Pattern of the facts that are looked at; the worst of them decides.
        operator: What makes a fact a hit.
        argument: What it is compared with: a tuple for `in`, `not_in`; the name of a list for `in_list`.
        clear: Values that are fine; any other that is no hit is not understood. None: whatever is no hit is fine.
        excluded: Patterns of facts that are left out.
        keys_with: Only facts whose last name has one of these words in it, whatever the case; empty for all.
        if_missing: What no fact at all means.
    """

    path: str
    operator: Operator
    argument: Any
    clear: tuple[Any, ...] | None = None
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
class Rule:
    """A rule of a policy; `raise_to` is the only thing it can do."""

    id: str
    when: Condition
    raise_to: str
    owner: str
    reason: str
    basis: str
    place: str

    @property
    def about_customer(self) -> bool:
        """Whether it looks only at facts of the customer, so that it is judged once and not for each session."""
        return all(is_customers(leaf.path) for leaf in leaves_of(self.when))

    @property
    def about_level(self) -> bool:
        """Whether it looks at what the other rules gave, so that it comes after them."""
        return any(leaf.path == LEVEL for leaf in leaves_of(self.when))


@dataclass(frozen=True, slots=True)
class PolicyTest:
    """A case that a policy brings: facts, and what must come of them."""

    given: Mapping[str, Any]
    expect: str
    fired: tuple[str, ...]
    not_fired: tuple[str, ...]
    place: str


@dataclass(frozen=True)
class Policy:
    """A versioned policy.

    Attributes:
        id: Its name.
        version: Its version.
        effective: The date from which it holds, ISO 8601.
        digest: SHA-256 of the file's bytes.
        floor: Level by outcome of a section; `missing` and `*` (any other word) are always there.
        rules: In the order of the file, which is the order of reasons inside a level.
        not_processed: Words that say that a check did not run.
        thresholds: For the red flags of source of wealth, as `derive` takes them.
        lists: Dated country lists by the name that rules use.
        tests: The policy's own tests.
        source: The file's bytes, to be kept beside what was decided by it.
    """

    id: str
    version: str
    effective: str
    digest: str
    floor: Mapping[str, str]
    rules: tuple[Rule, ...]
    not_processed: tuple[str, ...]
    thresholds: Mapping[str, Any]
    lists: Mapping[str, CountryList]
    tests: tuple[PolicyTest, ...]
    source: bytes = field(repr=False)


def leaves_of(condition: Condition) -> Iterator[Leaf]:
    """Go through the questions of a condition, in order."""
    if isinstance(condition, Leaf):
        yield condition
    else:
        for part in condition.parts:
            yield from leaves_of(part)
