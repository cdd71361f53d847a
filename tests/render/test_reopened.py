"""Page one of a case that was opened again: how it was decided, which evidence came since, and who decides now."""

from __future__ import annotations

from dataclasses import replace

from tests.frames.evidence_maker import RECORD, RESULTS, STATUS, EvidenceMaker, clear_customer
from tests.render.reopened_cases import reopened
from tests.render.test_decision import DECISION, page_one
from tests.workspace.case_material import MEDIA, SANCTIONS, Office, decision, open_cases

from kycpack.frames import flatten
from kycpack.pack.compute.decision import record_of
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.decision_support import with_support
from kycpack.render.review.reopened import NewerFinding, Reopening, new_evidence
from kycpack.render.review.short_names import short_names

OWNERS = {"SAN-1": "MLRO", "ADV-2": "Analyst"}
LATER = {**RESULTS, "screening": {**RESULTS["screening"], "outcome": "consider"}}


def test_the_pack_decided_on_names_what_a_later_run_found_and_who_decides_now(office: Office) -> None:
    record = with_support(reopened(office), "1" * 64, "", (), ("Analyst",), OWNERS)
    lines = page_one(record)
    assert lines[0].startswith("Rejected by anna on 1 Jun 2026")
    said = " ".join(lines)
    assert "Found since then by run run-2: F-2 SAN-1 (see above)." in said
    assert lines[-1] == (
        "Reason code OUTSIDE-APPETITE: The risk is more than the firm accepts. Verdicts: 1 accepted as correct (see “Decision”)."
    )
    assert "Who decides now: MLRO and Analyst. Found since then by" in said
    assert record is not None
    assert record.deciders == ("MLRO", "Analyst")
    assert "The case was reopened after this decision (new evidence): it must be decided again." in said


def test_the_record_of_a_case_names_each_decision_by_its_outcome_and_each_finding_by_its_key(
    office: Office,
) -> None:
    record = reopened(office)
    assert [one.what for one in record.steps] == ["Case opened", "Decided: rejected", "Reopened"]
    (case,) = office.cases.list()
    assert record.decision is not None
    keys = {one.finding_id: one.key for one in case.findings}
    assert [one.key for one in record.decision.findings] == [keys["F-1"]]


def test_a_decision_that_new_evidence_took_back_before_its_second_person_names_it_as_well(
    office: Office,
) -> None:
    open_cases(office, {"c-1": ("escalate", [MEDIA])})
    (case,) = office.cases.list()
    wanted = decision("approve", "EXPLAINED", F_1="accepted")
    waits = office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    assert waits.state == "second_review"
    found = (*SANCTIONS, {"sentence": "Sanctions screening reports 'attention' (E-06)"})
    open_cases(office, {"c-1": ("escalate", [MEDIA, found])}, root="2" * 64, run="run-2")
    record = with_support(record_of(office.ledger.excerpt(case.case_id)), "1" * 64, "", (), (), OWNERS)
    said = " ".join(page_one(record))
    assert "Something else was found after this decision: it must be decided again." in said
    assert "Found since then by run run-2: F-2 SAN-1 (see above)." in said
    assert "Who decides now: MLRO and Analyst." in said


def test_what_does_not_fit_on_page_one_is_in_the_section_on_the_decision() -> None:
    found = (
        *(
            NewerFinding(f"F-{number}", "CON-1", "HIT", "review", "Names differ (E-01)")
            for number in range(2, 6)
        ),
        NewerFinding("F-6", "WLT-1", "HIT", "edd", "Gambling (E-02); Cash (E-03); Loans (E-04)"),
    )
    again = replace(
        DECISION,
        reopening=Reopening(DECISION.decided_at, "run-2", "2" * 64, "edd", found, ("CON-1",), "new evidence"),
    )
    said = " ".join(page_one(with_support(CaseRecord(again), DECISION.evidence_root, "", (), (), {})))
    assert (
        "Found since then by run run-2: F-6 WLT-1: Gambling (run-2-E-02); 2 more points under WLT-1: see “Decision”. Also new: F-2 to F-5 CON-1: Names differ (run-2-E-01)."
        in said
    )
    assert "Who decides now: Analyst." in said


def test_a_ledger_that_has_no_sentence_of_what_was_found_names_the_rule(office: Office) -> None:
    record = reopened(office)
    assert record.decision is not None
    assert record.decision.reopening is not None
    bare = replace(record.decision.reopening, found=(NewerFinding("F-2", "SAN-1", "HIT", "escalate"),))
    older = replace(record, decision=replace(record.decision, reopening=bare))
    said = " ".join(page_one(with_support(older, "1" * 64, "", (), (), OWNERS)))
    assert "Found since then by run run-2: F-2 SAN-1 (see above)." in said


def test_a_pack_on_new_evidence_names_each_answer_that_the_decision_did_not_have() -> None:
    first = clear_customer()
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.session(LATER, {**STATUS, "id": "s2"}, session_id="s2")
    made.answer("bank_accounts.list", {"items": []})
    plain = made.make()
    entries = tuple(replace(one, requested_at="2026-06-03T09:00:00Z") for one in plain.entries)
    evidence = replace(plain, entries=entries)
    known = sorted({entry.sha256 for entry in first.entries if entry.sha256})
    new = new_evidence(evidence, {"answers": known}, short_names(flatten(evidence)), ["E-05"])
    assert [one.partition(", received")[0] for one in new] == [
        "E-05, the session's results document (S2)",
        "E-04, the session's record (S2)",
    ]
    assert all(one.endswith(", received on 3 Jun 2026, 09:00 UTC") for one in new)
    record = with_support(CaseRecord(DECISION), "3" * 64, "", new, ("MLRO", "Analyst"))
    first, news, *_ = page_one(record)
    assert first.startswith(
        "Decided before this pack, on other evidence: Approved by Anna Example on 1 Jun 2026"
    )
    assert news == f"Who decides now: MLRO and Analyst. New evidence since then: {'; '.join(new)}."


def test_what_an_earlier_pack_without_hashes_had_is_not_guessed() -> None:
    evidence = clear_customer()
    names = short_names(flatten(evidence))
    assert new_evidence(evidence, None, names, ()) == ()
    assert new_evidence(evidence, {"state": {}}, names, ()) == ()


def test_where_new_evidence_still_supports_a_decision_nobody_decides_again() -> None:
    support = "The evidence of this pack still supports decision c-1-D1."
    record = with_support(CaseRecord(DECISION), "3" * 64, support, ("E-05, the session's record",), ("MLRO",))
    said = " ".join(page_one(record))
    assert "New evidence since then: E-05, the session's record." in said
    assert "Who decides now" not in said


def test_a_decision_that_stands_leaves_it_to_nobody() -> None:
    record = with_support(CaseRecord(DECISION), DECISION.evidence_root, "", (), ("MLRO",))
    assert record is not None
    assert (record.since, record.deciders) == ((), ())


def test_of_many_answers_page_one_names_the_first() -> None:
    record = with_support(CaseRecord(DECISION), "3" * 64, "", [f"E-{number}" for number in range(10, 20)], ())
    said = " ".join(page_one(record))
    assert "New evidence since then: E-10; E-11; E-12; and 7 more, in the annexes." in said
    assert "Who decides now: Analyst." in said


def test_a_decision_that_a_person_opened_again_names_no_evidence() -> None:
    standing = (
        "The case was reopened after this decision (Another customer was meant): it must be decided again."
    )
    again = replace(DECISION, standing=standing, reopening=Reopening(DECISION.decided_at))
    said = page_one(with_support(CaseRecord(again), DECISION.evidence_root, "", (), ("MLRO",)))
    assert not any("New evidence" in line for line in said)
    assert any("Who decides now: MLRO." in line for line in said)
