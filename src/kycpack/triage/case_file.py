"""What is known about one customer, in the form that a policy asks about: observations, each with a path, a value and its evidence.

An observation belongs to a session or to the customer.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from kycpack.frames.json_leaves import AGAIN


class Nested:
    """An empty object or list in place of a word."""

    def __repr__(self) -> str:
        return "Nested()"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A value that could not be read.

    Args:
        reason: Why, as in `a number with more than 40 digits`.
    """

    reason: str


NESTED = Nested()


class Observation(NamedTuple):
    """One observation. Two that compare as equal may differ, since true equals 1.

    Args:
        path: What was observed: names joined by dots.
        value: A word, boolean, Decimal, None, `NESTED` or `Unreadable`.
        evidence_ids: The entries that show it.
        note: Words to add to a sentence, as in `expired on 4 May 2026`.
        of_results: Whether it is a leaf of a results document.
    """

    path: str
    value: Any
    evidence_ids: tuple[str, ...] = ()
    note: str = ""
    of_results: bool = False


@dataclass(slots=True)
class SessionFile:
    """What is known about one session; without an id it represents a customer who has no session.

    Args:
        id: The session's id.
        evidence_id: The entry that contains its checks, or should contain them.
        seen: Its observations.
        sections: Sections that the results have.
        ordered: Sections that were ordered, and `extensive`, `enhanced` or `bank` if these were; None if the register does
            not say.
        created_at: When it was created.
        finished_at: When its identity part was finished.
        status: As the service writes it; empty if not known.
        holder: First name, last name and date of birth on its document.
        attempts: Number of attempts according to the service.
        no_results: Why there are no results, in words; empty if there are results.
    """

    id: str | None
    evidence_id: str
    seen: list[Observation] = field(default_factory=list)
    sections: set[str] = field(default_factory=set)
    ordered: frozenset[str] | None = None
    created_at: dt.datetime | None = None
    finished_at: dt.datetime | None = None
    status: str = ""
    holder: tuple[str, str, str] | None = None
    attempts: int | None = None
    no_results: str = ""

    @property
    def complete(self) -> bool:
        """Whether it is complete according to the service."""
        return self.status == "complete"

    def add(self, path: str, value: Any, *evidence_ids: str, note: str = "") -> None:
        """Add an observation."""
        self.seen.append(_observation(path, value, evidence_ids, note))


@dataclass(slots=True)
class CaseFile:
    """What is known about one customer.

    Args:
        customer_id: The customer.
        evidence_id: The entry of the customer's record.
        seen: Observations that do not belong to a session.
        sessions: At least one, in the order of the evidence.
        risk: What the firm's file says about country, product, channel, purpose and pep; factors that it does not mention are left out.
        because: Why something about the customer is not known, in words, by the root of the path, such as `bank`.
    """

    customer_id: str
    evidence_id: str
    seen: list[Observation] = field(default_factory=list)
    sessions: list[SessionFile] = field(default_factory=list)
    risk: Mapping[str, str] = field(default_factory=dict)
    because: dict[str, str] = field(default_factory=dict)

    def add(self, path: str, value: Any, *evidence_ids: str, note: str = "") -> None:
        """Add an observation."""
        self.seen.append(_observation(path, value, evidence_ids, note))


# Many customers have equal observations, which then share memory.
@lru_cache(maxsize=65_536, typed=True)
def _observation(path: str, value: Any, evidence_ids: tuple[str, ...], note: str) -> Observation:
    return Observation(path, value, evidence_ids, note)


def value_of(kind: str, text: Any) -> Any:
    """Return a leaf of `checks` as a value that a policy can compare.

    Args:
        kind: string, boolean, number, null, list, object or unreadable.
        text: The leaf as text; NA for null.
    """
    if kind == "string":
        return str(text)
    if kind == "boolean":
        return text == "true"
    if kind == "number":
        # Numbers are compared by value: 0, 0.0 and 0.00 are equal.
        return Decimal(str(text)).normalize()
    if kind == "unreadable":
        return Unreadable(str(text))
    return None if kind == "null" else NESTED


def one_path(path: str) -> str:
    """Return the path of a leaf without the marks of repeated names."""
    return AGAIN.sub("", path) if "\\" in path else path
