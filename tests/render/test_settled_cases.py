"""A decision settles a case only as far as the evidence of the pack bears it out, and the pack says so."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from tests.render.specimen_review import AS_OF, contents_of, inputs_of, words_of
from tests.render.step_findings import NAMES, findings
from tests.render.test_after_decision import ADDRESS, LIST, MONEY, PAPER, SUPPORT, SUSPICION, after
from tests.render.test_decision import DECISION

from kycpack.evidence import Evidence
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import squeezed
from kycpack.render import CasePeople, build_contents
from kycpack.render.review import case_record, contents
from kycpack.render.review.after_decision import ToDo, to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.decision import CaseRecord, DisposedFinding
from kycpack.render.review.decision_support import with_support
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.left_open import is_done
from kycpack.render.review.pdf import render_review_pdf
from kycpack.render.review.reasons import reasons_of
from kycpack.triage.customers.changes import finding_key


@pytest.mark.parametrize(
    ("support", "ends", "settled"),
    [
        (SUPPORT, "", True),
        (SUPPORT, (AS_OF + timedelta(days=1)).date().isoformat(), True),
        (SUPPORT, AS_OF.date().isoformat(), False),
        ("The evidence of this pack no longer supports decision c-1-D1. New: a match", "", False),
        ("", "", False),
    ],
)
def test_a_decision_on_other_evidence_settles_the_case_only_while_it_is_supported(
    support: str, ends: str, *, settled: bool
) -> None:
    decided = replace(DECISION, reopens_on=ends)
    record = with_support(CaseRecord(decided), "3" * 64, support, (), ("MLRO",), day=AS_OF.date())
    assert is_done(record, ()) is settled
    assert (to_do_of(record, (), (), (), Terms()).steps == ()) is settled


def test_an_approval_does_not_settle_a_sum_that_grew_since() -> None:
    about = {
        "rule_id": "WLT-1",
        "path": "wealth.flags.structuring",
        "sentence": "9 credits in (9,000.00 GBP) (E-03)",
    }
    small = findings(about)
    (row,) = small.to_dict("records")
    disposed = (DisposedFinding("F-1", "WLT-1", row["sentence"], "accepted", key=finding_key(row)),)
    record = CaseRecord(
        replace(DECISION, outcome="approve", findings=disposed, effect=""), is_before=True, is_supported=True
    )

    def settled(sentence: str) -> str:
        frame = findings(about | {"sentence": sentence})
        return to_do_of(record, (), reasons_of(frame, NAMES, None, disposed), (), Terms()).settled

    assert "the customer is approved, with a verdict on its finding" in settled(
        "9 credits in (9,000.00 GBP) (E-05)"
    )
    assert settled("40 credits in (900,000.00 GBP) (E-05)") == ""


def test_the_pack_of_a_decided_case_says_what_was_settled_and_has_what_is_left_to_do(
    specimen: Evidence,
) -> None:
    inputs = inputs_of(specimen)
    undecided = contents_of(specimen)
    assert len(undecided.steps) > 2
    disposed = tuple(
        DisposedFinding(f"F-{number}", str(row.rule_id), str(row.sentence), "accepted")
        for number, row in enumerate(inputs.triage.findings.itertuples(), 1)
        if row.outcome in {"HIT", "UNKNOWN"} and not row.internal
    )
    decided = replace(DECISION, outcome="reject", findings=disposed, evidence_root=specimen.root)
    made = build_contents(replace(inputs, case=CasePeople("case-1", record=CaseRecord(decided))))
    assert made.steps
    assert not set(made.steps) & set(undecided.steps)
    assert made.steps[-1].endswith("give the customer no reason that could be tipping off.")
    page = squeezed(read_pdf(render_review_pdf(made), "review.pdf").pages[0])
    html = squeezed(unescape(re.sub("<[^>]*>", "", render_summary_html(made))))
    section = words_of(made.section("decision"))
    assert squeezed(made.to_do.settled) not in page
    assert squeezed(made.to_do.first) in page
    assert squeezed(made.to_do.first) in html
    for said in (made.to_do.settled, *made.steps):
        assert said in section
        assert any(said == cell.text for cell in made.summary)
    for said in (page, html, squeezed(section)):
        assert squeezed("Still to do after this decision") in said
        assert squeezed("What to do, in this order") not in said


def test_what_is_to_be_done_is_worked_out_once_for_a_review(
    specimen: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def counting(*given: Any, **named: Any) -> ToDo:
        calls.append(1)
        return to_do_of(*given, **named)

    for module in (case_record, contents):
        monkeypatch.setattr(module, "to_do_of", counting, raising=False)
    made = build_contents(inputs_of(specimen))
    assert made.to_do.steps
    assert len(calls) == 1


def test_a_decision_that_left_out_the_mlro_or_the_new_evidence_says_that_it_did_not_follow_the_steps() -> (
    None
):
    alone = {"second_by": "", "second_role": "", "second_needed": (), "needed_of_file": "get the risk file"}
    said = after("reject", (ADDRESS, "accepted"), (SUSPICION, "none"), **alone).settled
    assert said.endswith(
        "Decided before steps that should come first. Before the decision there is no record of the MLRO's part (INT-1) or of "
        "any answer about F-1 or of evidence collected again."
    )
    again = after("reject", (ADDRESS, "accepted"), (SUSPICION, "none"), standing="Opened again.", **alone)
    assert again.settled.startswith(
        "Decided before steps that should come first. Before the decision there is no record of the MLRO's part"
    )
    assert again.steps
    assert again.beside_decision == again.out_of_order == again.settled  # page one says it also beside a step
    declined = after("reject", (PAPER, "false_positive"), needed_of_file="get the risk file")
    # The file is only needed if the customer is not rejected.
    assert "the order of the steps" not in declined.settled


def test_a_decision_with_the_mlro_says_of_the_same_steps_that_they_are_not_recorded() -> None:
    asked = after("reject", (ADDRESS, "accepted"), (SUSPICION, "none"))
    said = "Decided before steps that should come first. Before the decision there is no record of the MLRO's decision on a report (INT-1) or of "
    assert asked.settled.endswith(f"{said}any answer about F-1.")
    # Page one names the findings in the line above.
    assert asked.out_of_order == f"{said}the answers due."
    assert after("reject", (ADDRESS, "false_positive")).out_of_order == ""
    given = ((PAPER, "accepted"), (ADDRESS, "accepted"), (MONEY, "inconclusive"), (LIST, "false_positive"))
    # The address is only asked about if the customer is not rejected; the match was settled.
    assert after("reject", *given).settled.endswith("there is no record of any answer about F-3.")
    assert after("approve", *given).settled.endswith("any answer about F-2, F-3.")
