"""The first reason of a recommendation, and the one sentence for checks that could not be evaluated for one cause."""

from __future__ import annotations

from typing import Any

from tests.triage.test_evaluate import changed, triage

from kycpack.triage.judge.findings import Finding, reasons_of


def unknown(title: str, sentence: str, *entries: str) -> Finding:
    return Finding(
        customer_id="C-1", session_id=None, rule_id="SCR-1", outcome="UNKNOWN", level="review", owner="Analyst", action="ask",
        internal=False, title=title, reason="", sentence=sentence, cause="There are no results.", basis="", path="screening",
        value="", evidence_ids=entries, superseded_by=None,
    )  # fmt: skip


def test_one_check_keeps_its_sentence_and_several_of_one_cause_are_named_together() -> None:
    first, again = unknown("Age", "The age is not known.", "E-01"), unknown("Age", "Nor is it in S2.", "E-02")
    other = unknown("PEP level 1", "Whether the person is a PEP is not known.", "E-02")
    assert reasons_of([first, again]) == ["The age is not known."]
    assert reasons_of([first, other]) == [
        "There are no results: 2 checks could not be evaluated, namely age, PEP level 1 (E-01, E-02)"
    ]


def test_of_two_escalations_the_first_is_the_top_reason_and_a_rejection_names_both() -> None:
    results: Any = changed("screening.summary.watchlist.sanctionsLists", "attention")
    results = changed("screening.summary.watchlist.terror", "attention", results)
    escalated = triage(results=results).recommendations.iloc[0]
    assert (escalated["level"], escalated["top_reason"]) == ("escalate", escalated["reasons"][0])
    rejected = triage(results=changed("document.outcome", "rejected", results)).recommendations.iloc[0]
    assert rejected["level"] == "reject"
    assert rejected["top_reason"].count("; also: ") == 2
