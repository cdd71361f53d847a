"""Judging a condition over facts: HIT, CLEAR or UNKNOWN for every unit at once.

`all` is the lowest and `any` the highest of CLEAR < UNKNOWN < HIT, which is three-valued logic: what is not known stays not
known unless another part settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from kycpack.frames.catalogue import SECTIONS
from kycpack.triage.facts import FactColumns, Facts, Nested, Numbers
from kycpack.triage.levels import CLEAR, HIT, LEVELS, UNKNOWN
from kycpack.triage.paths import LEVEL, is_customers, matches
from kycpack.triage.policy import Condition, Leaf, Policy

_MISSING = {"unknown": UNKNOWN, "clear": CLEAR, "hit": HIT}
_NO_FACT = -1


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a condition, by unit.

    Attributes:
        outcome: CLEAR, UNKNOWN or HIT.
        leaf: Which question decided, by its place in `leaves`.
        fact: The fact that decided, -1 where there was none; facts of customers come after those of sessions.
        leaves: The questions.
        facts: For each question, the fact that was worst, -1 for none.
    """

    outcome: Numbers
    leaf: Numbers
    fact: Numbers
    leaves: tuple[Leaf, ...]
    facts: tuple[Numbers, ...]


class Judge:
    """Judges conditions of a policy over facts.

    Args:
        facts: The facts.
        policy: For its lists and its words for a check that did not run.
    """

    def __init__(self, facts: Facts, policy: Policy) -> None:
        self.facts = facts
        self.policy = policy
        self.sessions = facts.of_sessions.columns()
        self.customers = facts.of_customers.columns()
        self._customer = facts.customer_of_unit

    def judge(self, condition: Condition) -> Verdict:
        """Return the verdict of a condition."""
        if isinstance(condition, Leaf):
            return self._leaf(condition)
        parts = [self.judge(part) for part in condition.parts]
        stacked = np.stack([part.outcome for part in parts])
        outcome = stacked.min(axis=0) if condition.kind == "all" else stacked.max(axis=0)
        deciding = (stacked == outcome).argmax(axis=0)
        if condition.kind == "all":
            # Where every part hits, the first ones only say that the rule applies; the last one says what was found.
            deciding = np.where(outcome == HIT, len(parts) - 1, deciding)
        before = np.cumsum([0, *(len(part.leaves) for part in parts)])
        leaf = np.choose(deciding, [part.leaf + before[number] for number, part in enumerate(parts)])
        fact = np.choose(deciding, [part.fact for part in parts])
        return Verdict(
            outcome=outcome,
            leaf=leaf,
            fact=fact,
            leaves=tuple(leaf for part in parts for leaf in part.leaves),
            facts=tuple(facts for part in parts for facts in part.facts),
        )

    def _leaf(self, leaf: Leaf) -> Verdict:
        if is_customers(leaf.path):
            of_customer, fact = self._worst(leaf, self.customers, len(self.facts.customers))
            fact = np.where(fact >= 0, fact + len(self.sessions.unit), _NO_FACT)
            outcome, fact = of_customer[self._customer], fact[self._customer]
        else:
            outcome, fact = self._worst(leaf, self.sessions, len(self.facts.units))
        outcome = np.where(outcome == _NO_FACT, self._if_missing(leaf), outcome)
        return Verdict(outcome, np.zeros(len(outcome), dtype=np.int64), fact, (leaf,), (fact,))

    def _if_missing(self, leaf: Leaf) -> Numbers:
        """Return for each unit what a fact that is not there means; in a section that is not there, never clear."""
        means = np.full(len(self.facts.units), _MISSING[leaf.if_missing], dtype=np.int64)
        section = leaf.path.partition(".")[0]
        if leaf.if_missing == "clear" and section in SECTIONS:
            within = np.array(
                [path.startswith(f"{section}.") for path in self.facts.paths.distinct], dtype=bool
            )
            told = np.zeros(len(means), dtype=bool)
            if len(self.sessions.path):
                told[self.sessions.unit[within[self.sessions.path]]] = True
            means[~told] = UNKNOWN
        return means

    def _worst(self, leaf: Leaf, columns: FactColumns, owners: int) -> tuple[Numbers, Numbers]:
        """Return for each owner the worst outcome of the facts asked about, and the first fact that has it; -1 for none."""
        outcome = np.full(owners, _NO_FACT, dtype=np.int64)
        fact = np.full(owners, _NO_FACT, dtype=np.int64)
        rows = np.flatnonzero(self._selected(leaf)[columns.path]) if len(columns.path) else columns.path
        if not len(rows):
            return outcome, fact
        numbers, place = np.unique(columns.value[rows], return_inverse=True)
        by_value = np.array([self._value(leaf, self.facts.contents.distinct[number]) for number in numbers])
        found = by_value[place]
        np.maximum.at(outcome, columns.unit[rows], found)
        deciding = rows[found == outcome[columns.unit[rows]]][::-1]
        # Written back to front, so that the first one stands.
        fact[columns.unit[deciding]] = deciding
        return outcome, fact

    def _selected(self, leaf: Leaf) -> npt.NDArray[np.bool_]:
        """Tell which paths a question is about."""
        return np.array(
            [
                matches(leaf.path, path)
                and not any(matches(pattern, path) for pattern in leaf.excluded)
                and (not leaf.keys_with or _has_word(path, leaf.keys_with))
                for path in self.facts.paths.distinct
            ],
            dtype=bool,
        )

    def _value(self, leaf: Leaf, value: Any) -> int:
        if leaf.operator == "present":
            return UNKNOWN if self._is_unknown(value) else CLEAR
        if leaf.operator in {"in", "equals"} and _among(value, _arguments(leaf)):
            return HIT
        if self._is_unknown(value):
            return UNKNOWN
        hit = self._is_hit(leaf, value)
        if hit is None:
            return UNKNOWN
        if hit:
            return HIT
        return CLEAR if leaf.clear is None or _among(value, leaf.clear) else UNKNOWN

    def _is_unknown(self, value: Any) -> bool:
        return value is None or isinstance(value, Nested) or value in self.policy.not_processed

    def _is_hit(self, leaf: Leaf, value: Any) -> bool | None:
        if leaf.operator in {"in", "equals"}:
            return False
        if leaf.operator in {"not_in", "not_equals"}:
            return not _among(value, _arguments(leaf))
        if leaf.operator == "in_list":
            return self.policy.lists[leaf.argument].holds(value) if isinstance(value, str) else None
        if leaf.path == LEVEL:
            return LEVELS.index(value) >= LEVELS.index(leaf.argument)
        return _compared(leaf.operator, value, leaf.argument)


def _arguments(leaf: Leaf) -> tuple[Any, ...]:
    return leaf.argument if isinstance(leaf.argument, tuple) else (leaf.argument,)


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(_same(value, other) for other in values)


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, int | Decimal) and isinstance(other, int | Decimal):
        return value == other
    return isinstance(value, str) and value == other


def _compared(operator: str, value: Any, argument: Any) -> bool | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return bool(
        {
            "above": value > argument,
            "at_least": value >= argument,
            "below": value < argument,
            "at_most": value <= argument,
        }[operator]
    )


def _has_word(path: str, words: Sequence[str]) -> bool:
    last = path.rpartition(".")[2].casefold()
    return any(word in last for word in words)
