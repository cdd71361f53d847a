from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from kycpack.render.review.decision import (
    CaseDecision,
    CaseRecord,
    DisposedFinding,
    decision_cell,
    decision_lines,
    is_settled,
)
from kycpack.render.review.decision_section import decision_section

DECISION = CaseDecision(
    decision_id="c-1-D1",
    outcome="approve",
    reason="Another person than the listed one",
    text="F-1, F-2, F-3, F-7: the listed person was born in 1951",
    decided_by="Anna Example",
    decided_at=datetime(2026, 6, 1, 12, tzinfo=UTC),
    second_by="Mia Officer",
    second_at=datetime(2026, 6, 2, 9, 30, tzinfo=UTC),
    second_text="Compared the entry with the passport",
    authenticated=True,
    second_needed=("F-1: a false positive on sanctions or terrorism",),
    standing="",
    reopens_on="",
    text_used_before=0,
    corrects="",
    level="escalate",
    policy="default-uk 2.1.0 (approved)",
    evidence_root="1" * 64,
)


def lines(**other: object) -> tuple[str, ...]:
    return decision_lines(CaseRecord(replace(DECISION, **other)))  # type: ignore[arg-type]


def test_page_one_names_who_what_when_with_whom_and_why() -> None:
    assert lines() == (
        "Approved by Anna Example on 1 Jun 2026, 12:00 UTC; approved by Mia Officer as the second person on 2 Jun 2026, 09:30 UTC",
        "Another person than the listed one: F-1 to F-3, F-7: the listed person was born in 1951",
        "In the words of Mia Officer: Compared the entry with the passport",
    )


def test_page_one_says_what_was_said_of_each_finding() -> None:
    findings = (
        DisposedFinding(
            "F-1", "SAN-1", "A hit", "false_positive", "OFSI 13444, list of 2026-05-02, file " + "a" * 64
        ),
        *(DisposedFinding(f"F-{number}", "WLT-1", "A flag", "accepted") for number in range(2, 10)),
        DisposedFinding("F-10", "ADR-1", "Not known", ""),
    )
    assert lines(findings=findings)[2] == (
        "False positive: F-1 SAN-1. Accepted: F-2 to F-9 WLT-1. No verdict yet: F-10 ADR-1"
    )
    assert lines(findings=findings)[3] == ("Evidence from outside for F-1: OFSI 13444, list of 2026-05-02")


def test_page_one_names_the_reason_code_as_one() -> None:
    assert lines(reason_code="FALSE-POSITIVE")[1].startswith(
        "Reason code FALSE-POSITIVE: Another person than the listed one: F-1"
    )


def test_somebody_is_needed_only_while_a_decision_does_not_stand() -> None:
    assert is_settled(CaseRecord(DECISION))
    assert not is_settled(CaseRecord(replace(DECISION, standing="The decision waits for its second person")))
    assert not is_settled(CaseRecord(DECISION, is_before=True))
    assert not is_settled(CaseRecord())
    assert not is_settled(None)


def test_the_words_of_the_second_person_are_cut_on_page_one() -> None:
    shown = lines(second_text="the register of the council says so, and the letter agrees. " * 30)[-1]
    assert len(shown) < 320
    assert shown.endswith("(the whole text is in “Decision”)")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"authenticated": False}, "not authenticated"),
        ({"reopens_on": "2026-08-30"}, "ends on 30 Aug 2026"),
        ({"text_used_before": 1}, "used in 1 earlier decision."),
        ({"standing": "The case was opened again."}, "The case was opened again."),
        ({"second_by": "", "second_at": None}, "a second person has not approved it, and is needed (F-1"),
        ({"second_by": "", "second_at": None, "second_needed": ()}, "no second person was needed"),
    ],
)
def test_what_a_reader_has_to_know_besides_is_said(other: dict[str, object], said: str) -> None:
    assert any(said in line for line in lines(**other))


@pytest.mark.parametrize(
    ("outcome", "shown"),
    [("approve", "Approved, not in force"), ("reject", "Rejected, not in force"), ("escalate", "Escalated")],
)
def test_a_decision_that_does_not_stand_is_not_shown_as_if_it_did(outcome: str, shown: str) -> None:
    opened_again = replace(
        DECISION,
        outcome=outcome,
        standing="The case was opened again after this decision.",
        reopens_on="2027-06-01",
    )
    assert decision_cell(CaseRecord(opened_again)).text == shown
    said = " ".join(decision_lines(CaseRecord(opened_again)))
    assert ("ends on 1 Jun 2027" in said) == (outcome == "escalate")


def test_a_long_text_is_cut_on_page_one_and_whole_in_its_section() -> None:
    text = "F-1: " + "the register of the council says so, and the letter agrees. " * 30
    shown = lines(text=text)[1]
    assert len(shown) < 600
    assert shown.endswith("(the whole text is in “Decision”)")
    section = decision_section(CaseRecord(replace(DECISION, text=text)), "1" * 64, "", "")
    assert any(getattr(block, "text", "") == text.strip() for block in section.blocks)


def test_a_pack_without_a_decision_says_whether_the_case_was_open_or_unknown() -> None:
    assert decision_cell(None).text == decision_cell(CaseRecord()).text == "No decision recorded"
    assert "before any decision" in decision_lines(None)[0]
    assert "nobody has decided it yet" in decision_lines(CaseRecord())[0]


def test_a_decision_on_other_evidence_is_marked() -> None:
    section = decision_section(CaseRecord(DECISION), "2" * 64, "", "")
    cells = [cell.text for block in section.blocks for _, cell in getattr(block, "pairs", ())]
    assert "1" * 64 in cells
    assert "That of this pack" not in cells


@pytest.mark.parametrize("kept_apart", [True, False])
def test_a_finding_that_stays_inside_the_firm_is_said_to_be_none_of_the_cases(*, kept_apart: bool) -> None:
    section = decision_section(CaseRecord(DECISION), "1" * 64, "", "", kept_apart=kept_apart)
    said = " ".join(block.text for block in section.blocks if hasattr(block, "text"))
    assert ("nobody may show this review to the customer" in said) is kept_apart
    assert "Findings" not in said  # page one names the finding as well
