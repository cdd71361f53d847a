"""A finding keeps its number in a decision as long as it is the same finding."""

from __future__ import annotations

from typing import Any

from kycpack.render.review.decision import (
    DisposedFinding,
    numbers_of,
)
from kycpack.triage.customers.changes import finding_key


def _row(rule_id: str, sentence: str, path: str = "screening.matchCount") -> dict[str, Any]:
    about = {"rule_id": rule_id, "sentence": sentence, "path": path}
    return {**about, "session_id": "s-1", "outcome": "HIT", "level": "review", "value": "2"}


def test_a_finding_keeps_its_id_in_a_decision_when_its_evidence_has_other_ids() -> None:
    before = _row("SCR-1", "Number of matches: 2 (E-03)")
    disposed = (DisposedFinding("F-1", "SCR-1", before["sentence"], "accepted", key=finding_key(before)),)
    assert numbers_of(disposed, [{**before, "sentence": "Number of matches: 2 (E-06)"}]) == "F-1"
    assert numbers_of(disposed, [{**before, "path": "screening.outcome"}]) == ""
    assert numbers_of(disposed, [{**before, "level": "edd"}]) == ""


def test_a_sum_that_grew_is_not_the_finding_of_a_decision_and_evidence_that_moved_changes_nothing() -> None:
    before = _row("WLT-1", "Credits below a limit: 9 in (9,000.00 GBP) (E-03)", "wealth.flags.structuring")
    both = f"{before['sentence']}; Credits below a limit: 4 in (80.00 EUR) (E-05, E-07 to E-15)"
    disposed = (DisposedFinding("F-1", "WLT-1", both, "accepted", key=finding_key(before)),)
    moved = {**before, "sentence": "Credits below a limit: 9 in (9,000.00 GBP) (E-04, E-08 to E-11)"}
    assert numbers_of(disposed, [before]) == numbers_of(disposed, [moved]) == "F-1"
    other = {**before, "sentence": "Credits below a limit: 4 in (80.00 EUR) (E-06)"}
    assert numbers_of(disposed, [other]) == "F-1"
    grown = {**before, "sentence": "Credits below a limit: 40 in (900,000.00 GBP) (E-03)"}
    assert numbers_of(disposed, [grown]) == ""


def test_a_finding_of_a_ledger_without_keys_is_known_by_its_rule_and_its_whole_sentence() -> None:
    disposed = (
        DisposedFinding("F-1", "SCR-1", "Number of matches: 2 (E-03)", ""),
        DisposedFinding("F-2", "WLT-2", "One sum (E-04); Another sum (E-05)", ""),
    )
    assert numbers_of(disposed, [_row("SCR-1", "Number of matches: 2")]) == ""
    assert numbers_of(disposed, [_row("SCR-2", "Number of matches: 2 (E-03)")]) == ""
    assert numbers_of(disposed, [_row("WLT-2", "Another sum (E-05)")]) == "F-2"
    both = [_row("SCR-1", "Number of matches: 2 (E-03)"), _row("WLT-2", "One sum (E-04)")]
    assert numbers_of(disposed, both) == "F-1, F-2"
