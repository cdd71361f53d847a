from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.render.specimen_review import contents_of, inputs_of, words_of

from kycpack.evidence import Evidence
from kycpack.frames.rows import records
from kycpack.render import CasePeople, ReviewContents, build_contents
from kycpack.render.document_parts import Cell, Paragraph, Subheading, Table
from kycpack.render.html_sections import block_markup, linked
from kycpack.render.origin import Given
from kycpack.render.pdf_pages import POINT, TEXT_WIDTH
from kycpack.render.review.decision import (
    CaseDecision,
    CaseRecord,
    DisposedFinding,
    decision_cell,
)
from kycpack.render.review.decision_section import FROM_RECORD, decision_section
from kycpack.render.review.decision_support import support_of
from kycpack.render.review.findings import findings_section
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.left_open import decided_cells, is_done, left_open
from kycpack.render.review.matters import matters_of
from kycpack.render.review.reasons import Reason
from kycpack.render.text_runs import lines as lines_of
from kycpack.render.typefaces import Face
from kycpack.triage.customers.changes import Change
from kycpack.triage.judge.findings import findings_frame
from kycpack.workspace.cases.case_records import findings_of, renumbered

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


def page_one(record: CaseRecord | None, *why: Reason) -> tuple[str, ...]:
    """What page one says of a decision."""
    return tuple(cell.text for cell in decided_cells(record, left_open(record, why, ()), why))


def lines(**other: object) -> tuple[str, ...]:
    return page_one(CaseRecord(replace(DECISION, **other)))  # type: ignore[arg-type]


def recorded(record: CaseRecord) -> str:
    """What the section on the decision says of it."""
    return words_of(decision_section(record, "1" * 64, "", ""))


def test_page_one_names_who_what_when_with_whom_and_why() -> None:
    assert lines() == (
        "Approved by Anna Example on 1 Jun 2026, 12:00 UTC; agreed by Mia Officer as the second person on 2 Jun 2026, 09:30 UTC.",
        "Another person than the listed one: F-1 to F-3, F-7: the listed person was born in 1951",
    )
    assert "Compared the entry with the passport" in recorded(CaseRecord(DECISION))


def test_page_one_says_what_was_said_of_each_finding() -> None:
    findings = (
        DisposedFinding(
            "F-1", "SAN-1", "A hit", "false_positive", "OFSI 13444, list of 2026-05-02", "", "a" * 64
        ),
        *(DisposedFinding(f"F-{number}", "WLT-1", "A flag", "accepted") for number in range(2, 10)),
        DisposedFinding("F-10", "ADR-1", "Not known", ""),
    )
    *_, verdicts, outside = lines(findings=findings)
    assert outside == "External evidence for F-1: OFSI 13444, list of 2026-05-02 (not in this pack)."
    assert verdicts.endswith(
        "was born in 1951. Verdicts: 1 false positive (F-1), 8 accepted as correct, 1 without a verdict (see “Decision”)."
    )
    said = recorded(CaseRecord(replace(DECISION, findings=findings)))
    assert "F-1 SAN-1 A hit False positive OFSI 13444, list of 2026-05-02" in said
    assert "F-10 ADR-1 Not known No verdict yet" in said


def test_the_name_of_a_document_from_outside_is_shown_and_not_obeyed(specimen: Evidence) -> None:
    named = "<script>alert(1)</script>\u202egnp.exe, list of 2026-05-02"
    found = DisposedFinding("F-1", "SAN-1", "A hit", "false_positive", named, "", "a" * 64)
    made = contents_of(specimen, record=CaseRecord(replace(DECISION, findings=(found,))))
    for key in ("decision", "evidence"):
        html = "".join(map(block_markup, made.section(key).blocks))
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
        assert "<script" not in html
        assert "\u202e" not in html


def test_page_one_counts_what_has_no_verdict_in_the_decision() -> None:
    later = Reason("ADR-1", "Found by a later version", "Analyst", "review")
    assert page_one(CaseRecord(DECISION), later)[-1].endswith(
        "Verdicts: 1 point of this pack without a verdict (see “Decision”)."
    )


def test_page_one_names_the_reason_code_as_one() -> None:
    assert lines(reason_code="FALSE-POSITIVE")[1].startswith(
        "Reason code FALSE-POSITIVE: Another person than the listed one: F-1"
    )


def test_somebody_is_needed_only_while_a_decision_does_not_stand() -> None:
    assert is_done(CaseRecord(DECISION), ())
    assert not is_done(CaseRecord(replace(DECISION, standing="The decision waits for its second person")), ())
    assert not is_done(CaseRecord(DECISION, is_before=True), ())
    assert not is_done(CaseRecord(), ())
    assert not is_done(None, ())


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"authenticated": False}, "not authenticated"),
        ({"reopens_on": "2026-08-30"}, "ends on 30 Aug 2026"),
        ({"standing": "The case was opened again."}, "The case was opened again."),
        ({"second_by": "", "second_at": None}, "a second person has not approved it, and is needed (F-1"),
        (
            {"second_by": "", "second_at": None, "second_needed": (), "level": "review"},
            "12:00 UTC; no second person was needed",
        ),
        (
            {"second_by": "", "second_at": None, "second_needed": (), "outcome": "reject"},
            "12:00 UTC; no second person was needed, and no MLRO took part",
        ),
        (
            {"second_by": "", "second_at": None, "outcome": "hold"},
            "12:00 UTC; one person may put a case on hold, and the hold takes effect at once",
        ),
    ],
)
def test_what_a_reader_has_to_know_besides_is_said(other: dict[str, object], said: str) -> None:
    assert any(said in line for line in lines(**other))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"text_used_before": 1}, "used in 1 earlier decision."),
        (
            {"second_by": "", "second_at": None, "second_needed": (), "level": "review"},
            "One person decided alone: default-uk 2.1.0 lets one person approve at the level manual review.",
        ),
        (
            {"second_by": "", "second_at": None, "second_needed": (), "outcome": "reject"},
            "lets one person reject a customer; where a report is open, the steps ask for that only once the MLRO agrees. Two people have to decide together where a rejection ends a hold or an escalation, calls a match",
        ),
    ],
)
def test_what_else_is_on_record_is_in_the_section_and_not_on_page_one(
    other: dict[str, object], said: str
) -> None:
    assert said in recorded(CaseRecord(replace(DECISION, **other)))  # type: ignore[arg-type]
    assert not any(said in line for line in lines(**other))


def test_page_one_says_a_decision_in_few_lines_and_the_section_all_of_it() -> None:
    """What page one leaves out stands once in the section on the decision."""
    long = "the register of the council says so, and the letter agrees. " * 30
    findings = tuple(
        DisposedFinding(
            f"F-{n}", f"R-{n}", "Found", "false_positive", f"List entry {n}", "", f"{n % 10}" * 64
        )
        for n in range(1, 30)
    )
    earlier = replace(DECISION, decision_id="c-1-D0", outcome="hold", second_by="", second_at=None)
    decided = replace(
        DECISION, outcome="reject", text=long, second_text=long, findings=findings, second_role="MLRO"
    )
    record = CaseRecord(decided, corrected=earlier)
    broken = [
        lines_of(text, Face.STRONG, 8.0, TEXT_WIDTH / POINT)
        for text in page_one(record, Reason("INT-1", "A report", "MLRO", "review", internal=True))
    ]
    assert sum(map(len, broken)) <= 8
    said = recorded(record)
    assert said.count(long.strip()) == 2
    assert "Earlier decision that this one replaces c-1-D0: On hold by Anna Example" in " ".join(
        f"{label} {cell.text}"
        for block in decision_section(record, "1" * 64, "", "").blocks
        for label, cell in getattr(block, "pairs", ())
    )
    assert all(each.outside in said for each in findings)
    assert said.count("the MLRO took part in the decision: Mia Officer") == 1


@pytest.mark.parametrize(
    ("outcome", "shown"),
    [
        ("approve", "Approved, without effect"),
        ("reject", "Rejected, without effect"),
        ("escalate", "Escalated"),
    ],
)
def test_a_decision_that_does_not_stand_is_not_shown_as_if_it_did(outcome: str, shown: str) -> None:
    opened_again = replace(
        DECISION,
        outcome=outcome,
        standing="The case was reopened after this decision.",
        reopens_on="2027-06-01",
    )
    assert decision_cell(CaseRecord(opened_again)).text == shown
    said = " ".join(page_one(CaseRecord(opened_again)))
    assert ("ends on 1 Jun 2027" in said) == (outcome == "escalate")


def test_a_text_too_long_for_page_one_stands_in_its_section() -> None:
    text = "F-1: " + "the register of the council says so, and the letter agrees. " * 30
    assert lines(text=text)[1] == f"{DECISION.reason} (why: “Decision”)"
    assert "so, and the letter agrees" in lines(text=text[:100])[1]
    section = decision_section(CaseRecord(replace(DECISION, text=text)), "1" * 64, "", "")
    assert any(getattr(block, "text", "") == text.strip() for block in section.blocks)


def test_the_evidence_of_a_verdict_is_named_once() -> None:
    found = DisposedFinding("F-1", "WLT-2", "One (E-13); another (E-14); a third (E-13, E-14)", "accepted")
    section = decision_section(CaseRecord(replace(DECISION, findings=(found,))), "1" * 64, "", "")
    cells = [cell.text for block in section.blocks for row in getattr(block, "rows", ()) for cell in row]
    assert "E-13, E-14 of this pack" in cells


def test_a_pack_without_a_decision_says_whether_the_case_was_open_or_unknown() -> None:
    assert decision_cell(None).text == decision_cell(CaseRecord()).text == "No decision recorded"
    assert "before any decision" in page_one(None)[0]
    assert page_one(CaseRecord()) == ("The case is open: nobody has decided it yet.",)


def test_a_decision_on_other_evidence_is_marked() -> None:
    section = decision_section(CaseRecord(DECISION), "2" * 64, "", "")
    cells = [cell.text for block in section.blocks for _, cell in getattr(block, "pairs", ())]
    assert "1" * 64 in cells
    assert "The evidence of this pack" not in cells


@pytest.mark.parametrize("kept_apart", [True, False])
def test_a_finding_that_stays_inside_the_firm_is_said_to_be_none_of_the_cases(*, kept_apart: bool) -> None:
    section = decision_section(CaseRecord(DECISION), "1" * 64, "", "", kept_apart=kept_apart)
    said = " ".join(block.text for block in section.blocks if hasattr(block, "text"))
    assert ("Do not show this review to the customer" in said) is kept_apart
    assert "Findings" not in said  # page one names the finding as well


def test_a_finding_has_its_id_of_the_decision_wherever_it_is_listed(specimen: Evidence) -> None:
    """The words of a decision name findings by their ids, so a reader has to find these beside the findings."""
    inputs = inputs_of(specimen)
    cases = findings_of(records(inputs.triage.findings), inputs.policy.decisions)
    disposed = tuple(
        DisposedFinding(each.finding_id, each.rule_id, each.sentence, "accepted")
        for each in renumbered(cases, ())
    )
    record = CaseRecord(replace(DECISION, findings=disposed))
    decided = build_contents(replace(inputs, case=CasePeople("case-1", record=record)))
    assert all(one.number for one in decided.reasons if one.rule_id != "INT-1")
    assert all(one.number for one in decided.unknowns if not one.internal)
    named = " ".join(one.number for one in (*decided.reasons, *decided.unknowns))
    shown = set(map(int, re.findall("F-([0-9]+)", named)))
    for first, last in re.findall("F-([0-9]+) to F-([0-9]+)", named):
        shown |= set(range(int(first), int(last)))
    assert shown == set(range(1, len(disposed) + 1))
    first = decided.reasons[0]
    assert any(each.finding_id in first.label and each.rule_id == first.rule_id for each in disposed)
    shown_first = matters_of(decided.reasons)[0]
    assert shown_first.label.startswith(first.label)
    assert f"{linked(shown_first.label)} ·" in render_summary_html(decided)
    hits = next(block for block in decided.section("findings").blocks if isinstance(block, Table))
    assert (hits.columns[0].title, hits.rows[0][0].text) == ("In the decision", first.number)
    first_block = decided.section("findings").blocks[0]
    assert isinstance(first_block, Paragraph)
    assert Given(FROM_RECORD) in first_block.origins
    said = first_block.text
    assert (
        f"The decision gave them {len(disposed)} numbers: findings of one rule that were decided together share"
        in said
    )


def test_findings_of_one_level_are_listed_in_the_order_of_the_decision() -> None:
    numbers = ("F-4", "F-3, F-12", "", "F-10", "F-5")
    reasons = [Reason(f"R-{n}", "Found", "MLRO", "edd", number=number) for n, number in enumerate(numbers)]
    first = Reason("R-9", "Found", "MLRO", "reject", number="F-11")
    section = findings_section(findings_frame([]), [first, *reasons], [], Cell(""))
    hits = next(block for block in section.blocks if isinstance(block, Table))
    assert [row[0].text for row in hits.rows] == ["F-11", "F-3, F-12", "F-4", "F-5", "F-10", "Not in it"]
    section = findings_section(findings_frame([]), [first, replace(reasons[2], internal=True)], [], Cell(""))
    apart = next(block for block in section.blocks if isinstance(block, Table))
    assert [row[0].text for row in apart.rows] == ["F-11", "Inside the firm"]
    assert [row[2].text for row in hits.rows] == ["R-9", "R-1", "R-0", "R-4", "R-3", "R-2"]


def test_a_pack_without_a_decision_has_no_ids_of_one(contents: ReviewContents) -> None:
    assert not any(one.number for one in (*contents.reasons, *contents.unknowns))
    hits = next(block for block in contents.section("findings").blocks if isinstance(block, Table))
    assert "In the decision" not in [column.title for column in hits.columns]


def test_a_decision_that_has_to_be_made_again_is_not_called_supported() -> None:
    record = CaseRecord(replace(DECISION, outcome="reject"))
    earlier = {"evidence_root": DECISION.evidence_root}
    rose = Change("level", "Recommended level", "review", "escalate", worse=True)
    new = Change("finding", "SAN-1: Sanctions", "none", "HIT, escalate", worse=True)
    assert support_of(record, "2" * 64, earlier, (rose, new)) == (
        "Since decision c-1-D1 the recommended level rose from manual review to escalate and 1 finding came up: "
        "the case has to be decided again."
    )
    assert (
        support_of(record, "2" * 64, earlier, ())
        == "The evidence of this pack still supports decision c-1-D1."
    )


def test_a_level_that_fell_and_a_finding_that_went_leave_a_decision_supported() -> None:
    earlier = {"evidence_root": DECISION.evidence_root}
    fell = Change("level", "Recommended level", "escalate", "review", worse=False)
    gone = Change("finding", "SAN-1: Sanctions", "HIT, escalate", "none", worse=False)
    said = support_of(CaseRecord(DECISION), "2" * 64, earlier, (fell, gone))
    assert said == "The evidence of this pack still supports decision c-1-D1."


def test_two_steps_of_one_minute_are_told_apart_by_their_seconds() -> None:
    at = datetime(2026, 6, 30, 12, 0, 5, tzinfo=UTC)
    later = replace(DECISION, decided_at=at, second_by="B", second_at=at + timedelta(seconds=9))
    assert "30 Jun 2026, 12:00:05 UTC" in later.sentence
    assert "30 Jun 2026, 12:00:14 UTC" in later.sentence
    assert "12:00 UTC" in replace(later, second_at=at + timedelta(minutes=9)).sentence


def test_a_rejection_says_that_it_is_not_recorded_whether_a_report_was_considered() -> None:
    alone = {"outcome": "reject", "second_by": "", "second_at": None, "second_text": "", "second_needed": ()}
    said = (
        "Whether a report to the National Crime Agency was considered before this rejection, by whom and when: not recorded in this case; "
        "no MLRO took part in the decision."
    )
    section = decision_section(CaseRecord(replace(DECISION, **alone)), "1" * 64, "", "")
    assert said in [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert "Not recorded: whether a report to the NCA was considered." in lines(**alone)


def test_a_rejection_names_the_mlro_who_took_part_in_it() -> None:
    begins = (
        "Whether a report to the National Crime Agency was considered before this rejection, by whom and when: not recorded in this case; "
        "the MLRO took part in the decision: "
    )
    second = replace(DECISION, outcome="reject", second_role="MLRO")
    assert f"{begins}Mia Officer on 2 Jun 2026, 09:30 UTC." in recorded(CaseRecord(second))
    first = replace(DECISION, outcome="reject", decider_role="MLRO and senior manager")
    assert f"{begins}Anna Example on 1 Jun 2026, 12:00 UTC." in recorded(CaseRecord(first))


def test_the_files_that_false_positives_rest_on_are_in_the_evidence_index(specimen: Evidence) -> None:
    dismissed = [
        DisposedFinding(
            f"F-{number}", "SAN-1", "A hit", "false_positive", "OFSI 13444, list of 2026-05-02", "", "a" * 64
        )
        for number in (1, 2, 3)
    ]
    findings = (*dismissed, DisposedFinding("F-4", "WLT-1", "A flag", "accepted"))
    case = CaseRecord(replace(DECISION, findings=findings))
    shown = contents_of(specimen, record=case).section("evidence").blocks
    title, kept, files = shown[-3:]
    assert title == Subheading("External evidence, on which the decision rests")
    assert isinstance(kept, Paragraph)
    assert "not in this pack" in kept.text
    assert isinstance(files, Table)
    assert [tuple(cell.text for cell in row) for row in files.rows] == [
        ("OFSI 13444, list of 2026-05-02", "a" * 64, "F-1 to F-3")
    ]
    said = words_of(contents_of(specimen, record=case).section("decision"))
    short = f"OFSI 13444, list of 2026-05-02 (file {'a' * 12}..., in full in “Evidence index”)"
    assert said.count(short) == len(dismissed)
    assert "a" * 13 not in said
    assert title not in contents_of(specimen).section("evidence").blocks
