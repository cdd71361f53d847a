"""The rules of a policy as data: their conditions, their texts, and when they are in force."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.paths import LEVEL, SANCTIONS_ENTRIES, is_customers

Operator = Literal[
    "in", "not_in", "equals", "not_equals", "above", "at_least", "below", "at_most", "in_list", "present",
    "judged_as", "unlisted", "forgery", "country",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leaf:
    """One question about the observations.

    Args:
        path: Pattern of the observations that are checked; the worst of them decides.
        operator: What makes an observation a hit.
        argument: The value for the comparison: a tuple for `in`, `not_in`; the name of a list for `in_list`; the kind of check for
            `judged_as`.
        clear: Values that are fine; any other value that is not a hit is not understood. None: any value that is not a hit is fine.
        within: Lowest and highest number that make sense; any other number is not understood.
        excluded: Patterns of observations that are left out.
        keys_with: Only observations whose last name, or any name that a pattern of `**` alone or with `.*` at its end leaves open, contains one of these words, in any case; empty for all.
        if_missing: The result if there is no observation at all.
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


def arguments_of(leaf: Leaf) -> tuple[Any, ...]:
    """Return the values that an operator compares with, also if it has only one."""
    return leaf.argument if isinstance(leaf.argument, tuple) else (leaf.argument,)


@dataclass(frozen=True, slots=True)
class Texts:
    """The text of a rule for each outcome, with values filled in.

    `{value}`, `{label}`, `{note}`, `{shown}` (the evidence of the value), `{found}` (everything that decided), `{why}`, `{looked}` and
    `{unseen}` (the kinds of data that the rule looked at, and those that it asks about and that are not there, with a comma at the end).

    Args:
        hit: Text if the rule hits.
        clear: Text if it is clear, in positive words.
        unknown: Text if the answer is not known.
        not_applicable: Text if it was not checked and the policy marks it as optional.
    """

    hit: str
    clear: str
    unknown: str
    not_applicable: str


@dataclass(frozen=True)
class Rule:
    """A rule of a policy; it can only raise the level.

    Attributes:
        id: Its id.
        when: The condition for a hit.
        applies_if: The condition under which it applies; None for always. If it is not met, the rule is NOT_APPLICABLE.
        raise_to: The level on a hit.
        if_unknown: The level if the answer is not known.
        if_not_understood: The level for a value that the policy does not know.
        owner: The person or team who reviews it.
        action: The action that a hit requires, from `levels.ACTIONS`.
        internal: Whether it stays inside the firm: never in a document for the customer, a webhook or a log.
        each: Whether every hit is a finding by itself.
        gives_way: Whether a hit gives way to a later session: "" for never, `complete` to a complete one, `renewal` to a
            document that is not expired.
        title: The subject of the check, in a few words.
        reason: The meaning of a hit, in a few words.
        texts: Its texts for each outcome.
        basis: The law, guidance or standard it rests on.
        first_day: The first day on which it is in force; None for any.
        last_day: The last day on which it is in force; None for any.
        series: Rules in one series replace one another by date; empty for none.
        place: Its place in the file.
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
        """All its questions, in order."""
        asked = tuple(leaves_of(self.when))
        return asked if self.applies_if is None else (*leaves_of(self.applies_if), *asked)

    @cached_property
    def about_customer(self) -> bool:
        """Whether it checks only what is known about the customer, so that it is judged once and not for each session."""
        return all(is_customers(leaf.path) for leaf in self.leaves)

    @cached_property
    def about_level(self) -> bool:
        """Whether it checks the results of the other rules, so that it comes after them."""
        return any(leaf.path == LEVEL for leaf in self.leaves)

    @cached_property
    def section(self) -> str:
        """The one check whose results it uses; empty if it uses several or something else."""
        looked_at = {section_of(leaf.path) for leaf in self.leaves}
        return looked_at.pop() if len(looked_at) == 1 else ""

    def in_force(self, day: dt.date) -> bool:
        """Return whether it is in force on a day."""
        return (self.first_day is None or self.first_day <= day) and (
            self.last_day is None or day <= self.last_day
        )


def section_of(path: str) -> str:
    """Return the section of the results that a path belongs to; empty for none."""
    if path.startswith("consistency.address.") or path == "country.address":
        return "address"
    if path == SANCTIONS_ENTRIES:
        return "screening"
    root = path.partition(".")[0]
    if root in {"expiry", "plausible"}:
        return "document"
    return root if root in SECTIONS else ""


def leaves_of(condition: Condition) -> Iterator[Leaf]:
    """Yield the questions of a condition, in order."""
    if isinstance(condition, Leaf):
        yield condition
    else:
        for part in condition.parts:
            yield from leaves_of(part)
