"""Findings: one row for each rule and unit, column by column, since a hundred thousand sessions have few different ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.triage.facts import Numbers, value_text
from kycpack.triage.judging import Judge, Verdict
from kycpack.triage.levels import CLEAR, HIT, LEVELS, OUTCOMES, UNKNOWN
from kycpack.triage.policy import Leaf, Rule

FINDINGS = (
    "customer_id",
    "session_id",
    "rule_id",
    "outcome",
    "level",
    "owner",
    "reason",
    "title",
    "sentence",
    "cause",
    "action",
    "internal",
    "basis",
    "path",
    "value",
    "evidence_ids",
)
_DTYPES: dict[str, Any] = {"evidence_ids": "object", "internal": "bool"}
Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule, or a floor, judged over all units."""

    rule: Rule
    verdict: Verdict
    level: Numbers
    units: Numbers


def list_findings(judge: Judge, judged: Sequence[Judged]) -> pd.DataFrame:
    """Return the findings, by customer, session and rule, in the order in which they came.

    Args:
        judge: Who judged.
        judged: What came of each rule, in the order of the policy.
    """
    finder = _Finder(judge)
    found = [finder.columns(one) for one in judged]
    unit = np.concatenate([one.units for one in judged])
    order = np.argsort(unit, kind="stable")
    columns = {name: np.concatenate([part[name] for part in found])[order] for name in FINDINGS}
    return pd.DataFrame(
        {
            name: pd.Series(column, dtype=_DTYPES.get(name, "string[pyarrow]"))
            for name, column in columns.items()
        }
    )


class _Finder:
    """Tells what facts say; a fact that is not there has the number -1, and so the last place."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        facts = judge.facts
        sessions, customers = judge.sessions, judge.customers
        self._path = np.concatenate([sessions.path, customers.path, [-1]])
        self._value = np.concatenate([sessions.value, customers.value, [-1]])
        self._evidence = np.concatenate([sessions.evidence, customers.evidence, [-1]])
        self._customer = _column([facts.customers[customer] for customer, _ in facts.units])
        self._session = _column([session for _, session in facts.units])

    def columns(self, one: Judged) -> dict[str, Column]:
        """Return the findings of one rule as columns."""
        rule, verdict, units = one.rule, one.verdict, one.units
        outcome, leaf, fact = verdict.outcome[units], verdict.leaf[units], verdict.fact[units]
        first, kind = _kinds([outcome, leaf, self._path[fact], self._value[fact]])
        paths, values, reasons, causes = [], [], [], []
        for row in first:
            question = verdict.leaves[int(leaf[row])]
            path, value = self._told(int(fact[row]))
            paths.append(path or question.path)
            values.append(value)
            reasons.append(self._reason(rule, int(outcome[row]), question, path, value))
            causes.append(f"{path or question.path} is not known" if int(outcome[row]) == UNKNOWN else "")
        count = len(units)
        return {
            "customer_id": self._customer[units],
            "session_id": np.full(count, None, dtype=object) if rule.about_customer else self._session[units],
            "rule_id": np.full(count, rule.id, dtype=object),
            "outcome": _column(OUTCOMES)[outcome],
            "level": _column(LEVELS)[one.level[units]],
            "owner": np.full(count, rule.owner, dtype=object),
            "reason": _column(reasons)[kind],
            "title": np.full(count, rule.reason, dtype=object),
            "sentence": _column(reasons)[kind],
            "cause": _column(causes)[kind],
            "action": np.full(count, "", dtype=object),
            "internal": np.full(count, fill_value=False, dtype=object),
            "basis": np.full(count, rule.basis, dtype=object),
            "path": _column(paths)[kind],
            "value": _column(values)[kind],
            "evidence_ids": self._ids(verdict, units),
        }

    def _told(self, fact: int) -> tuple[str | None, str | None]:
        """Return the path of a fact and its value in words; None for both where there is no fact."""
        if fact < 0:
            return None, None
        facts = self.judge.facts
        return facts.paths.distinct[self._path[fact]], value_text(facts.contents.distinct[self._value[fact]])

    def _reason(self, rule: Rule, outcome: int, leaf: Leaf, path: str | None, value: str | None) -> str:
        if outcome == HIT:
            return rule.reason
        if outcome == CLEAR:
            return f"Not so: {rule.reason}"
        if path is None:
            return f"Cannot tell: {rule.reason} ({leaf.path} is missing)"
        if value == "null" or value in self.judge.policy.not_processed:
            return f"Cannot tell: {rule.reason} ({path} is {value})"
        return f"Cannot tell: {rule.reason} ({path} has a value that is not understood)"

    def _ids(self, verdict: Verdict, units: Numbers) -> Column:
        """Return the entries of evidence of each unit's facts, as lists in order."""
        entries = [self._evidence[facts[units]] for facts in verdict.facts]
        first, kind = _kinds(entries)
        distinct = self.judge.facts.evidence.distinct
        ids = [
            sorted({entry for each in entries if each[row] >= 0 for entry in distinct[each[row]]})
            for row in first
        ]
        # Where nothing was found, the evidence is the entry in which it should have been.
        absent = self.judge.facts.unit_evidence
        return _column(
            [list(ids[number]) or [absent[unit]] for number, unit in zip(kind, units, strict=True)]
        )


def _kinds(columns: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """Tell rows apart: the first row of each kind, and the kind of each row. Numbers are -1 or more."""
    kind = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        # Told apart after each column, so that the numbers stay small.
        kind = np.unique(kind * (column.max(initial=0) + 2) + column + 1, return_inverse=True)[1]
    first = np.unique(kind, return_index=True)[1]
    return first, kind


def _column(values: Sequence[Any]) -> Column:
    # Made empty first, since numpy would make a table of lists that are of one length.
    column = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        column[place] = value
    return column
