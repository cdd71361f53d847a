"""Facts: what a policy is asked about, in long columns, one fact a row.

A fact belongs to a session or to a customer. Paths, values and evidence ids are kept once and referred to by number, so that
a rule is judged on the few values there are and not on each of a hundred thousand sessions.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


class Words:
    """Distinct values, each with its number."""

    def __init__(self) -> None:
        self.distinct: list[Any] = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, value: Any) -> int:
        """Return the number of a value, a new one where it is new."""
        # True and 1 are equal to Python and not to a policy.
        key = (type(value).__name__, value)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.distinct)
            self.distinct.append(value)
        return found


class Nested:
    """An object or a list without members, where a word was expected."""

    def __repr__(self) -> str:
        return "Nested()"


NESTED = Nested()


@dataclass(slots=True)
class FactColumns:
    """The facts of sessions, or those of customers, as parallel arrays."""

    unit: Numbers
    path: Numbers
    value: Numbers
    evidence: Numbers


@dataclass(slots=True)
class Gathered:
    """Facts while they are being gathered."""

    unit: list[int] = field(default_factory=list)
    path: list[int] = field(default_factory=list)
    value: list[int] = field(default_factory=list)
    evidence: list[int] = field(default_factory=list)

    def columns(self) -> FactColumns:
        """Return what was gathered as arrays."""
        return FactColumns(*(np.array(part, dtype=np.int64) for part in self._parts()))

    def _parts(self) -> tuple[list[int], ...]:
        return self.unit, self.path, self.value, self.evidence


@dataclass(slots=True)
class Facts:
    """All facts of a set of customers.

    A unit is a session, or a customer that has none. Units and customers are numbers here.

    Args:
        customers: Ids, by number.
        units: Pairs of customer number and session id, by number; the id is None for a customer without a session.
    """

    customers: Sequence[str]
    units: Sequence[tuple[int, str | None]]
    unit_evidence: Sequence[str]
    paths: Words = field(default_factory=Words)
    contents: Words = field(default_factory=Words)
    evidence: Words = field(default_factory=Words)
    of_sessions: Gathered = field(default_factory=Gathered)
    of_customers: Gathered = field(default_factory=Gathered)

    def about_session(self, unit: int, path: str, value: Any, *evidence_ids: str) -> None:
        """Add a fact of a session."""
        self._add(self.of_sessions, unit, path, value, evidence_ids)

    def about_customer(self, customer: int, path: str, value: Any, *evidence_ids: str) -> None:
        """Add a fact of a customer."""
        self._add(self.of_customers, customer, path, value, evidence_ids)

    def _add(self, to: Gathered, owner: int, path: str, value: Any, evidence_ids: tuple[str, ...]) -> None:
        to.unit.append(owner)
        to.path.append(self.paths.number(path))
        to.value.append(self.contents.number(value))
        to.evidence.append(self.evidence.number(evidence_ids))

    @property
    def customer_of_unit(self) -> Numbers:
        """The customer of each unit."""
        return np.array([customer for customer, _ in self.units], dtype=np.int64)


def value_of(kind: str, text: Any) -> Any:
    """Return a leaf of `checks` as the value that a policy compares.

    Args:
        kind: string, boolean, number, null, list or object.
        text: The leaf as text; NA for null.
    """
    if kind == "string":
        return str(text)
    if kind == "boolean":
        return text == "true"
    if kind == "number":
        # Numbers are compared by value: 0, 0.0 and 0.00 are one.
        return Decimal(str(text)).normalize()
    return None if kind == "null" else NESTED


def value_text(value: Any) -> str:
    """Return a fact's value as people read it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    return "nested" if isinstance(value, Nested) else str(value)
