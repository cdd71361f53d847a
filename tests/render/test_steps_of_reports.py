"""Steps about a report to the National Crime Agency: who decides on it, when, and what waits for that."""

from __future__ import annotations

import copy
from dataclasses import replace

from tests.frames.evidence_maker import RESULTS, clear_customer
from tests.render.said_steps import steps_of
from tests.render.specimen_review import contents_of, words_of
from tests.render.step_findings import (
    BY_ONE_WITH_MLRO,
    DECLINE,
    LIST,
    NAMES,
    NEED,
    RECORDED,
    UNSEEN,
    declined_from,
    findings,
    steps,
)

from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.pieces import is_of_report
from kycpack.render.review.reasons import Reason, reasons_of
from kycpack.render.review.report_grounds import considered, with_grounds, with_unnamed
from kycpack.render.review.steps import FREEZE, ON_OTHER_LISTS
from kycpack.render.review.sums import Sums
from kycpack.render.review.tasks import COMPLETE


def _with_report(*rows: dict) -> tuple[Reason, ...]:
    found = reasons_of(findings(*rows), NAMES)
    return (*found, *considered(found, NEED))


def test_a_match_of_the_screening_and_the_question_of_a_report_are_settled_before_a_decline() -> None:
    listed = {
        "rule_id": "WAT-1",
        "path": "screening.summary.watchlist.wanted",
        "owner": "MLRO",
        "level": "edd",
    }
    report = {
        "rule_id": "INT-1",
        "path": "internal.suspicion",
        "outcome": "UNKNOWN",
        "internal": True,
        "owner": "MLRO",
        "cause": "The checks are missing.",
    }
    reported, settled, frozen, *declined = steps(listed, report, DECLINE)
    assert reported == f"1. {UNSEEN}"
    assert settled.startswith("2. MLRO: check with the provider whether any match on ")
    assert (
        frozen == f"3. MLRO: {FREEZE}; until that is settled, nothing is approved or paid. {ON_OTHER_LISTS}"
    )
    _, _, declines = declined_from(3)
    assert tuple(declined) == (
        "4. MLRO: say whether the customer may be rejected.",
        declines,
        f"6. {RECORDED}",
    )


def test_the_question_of_a_report_that_missing_results_leave_open_is_a_step_of_the_mlro() -> None:
    missing = {"outcome": "UNKNOWN", "session_id": "ses-1", "cause": "It is pending.", "owner": "MLRO"}
    made = steps(
        missing | {"path": "screening.outcome", "level": "edd"},
        missing | {"path": "document.outcome", "internal": True},
        {"rule_id": "CDD-2", "path": "diligence.completion", "action": "complete_session", "level": "edd"},
        absent={"ses-1": COMPLETE},
    )
    assert [step for step in made if step.endswith(UNSEEN)] == [f"1. {UNSEEN}"]
    assert made[1].startswith("2. Analyst: when the MLRO agrees, ask the customer to complete session S1")


def test_a_payment_waits_for_the_decision_on_a_report() -> None:
    report = {"rule_id": "INT-1", "path": "wealth.flags.x", "internal": True, "owner": "MLRO"}
    report |= {"action": "internal_report"}
    first, *_ = steps({"rule_id": "PAY-1", "path": "wealth.payment_support"}, report)
    assert "until its source is shown and the MLRO has decided whether to report (PAY-1)" in first


def test_a_report_is_decided_on_at_once_and_again_with_the_answers() -> None:
    report = {
        "rule_id": "INT-1",
        "path": "wealth.flags.x",
        "owner": "MLRO",
        "action": "internal_report",
        "internal": True,
    }
    money = {"path": "wealth.flags.x", "rule_id": "WLT-1", "owner": "MLRO", "action": "hold", "level": "edd"}
    decided = "decide as nominated officer whether to report to the National Crime Agency"
    _, asked, *_ = steps(money | {"sentence": "Money moved on (E-07)"}, report)
    assert asked.startswith(
        f"2. MLRO: {decided} (INT-1). Decide on the report now, on what is known, without waiting for the answers that the hold asks for, "
        "and again when the answers are in. The customer must not learn of it"
    )
    held, reported, frozen, *_ = steps(LIST, report)
    assert (
        "The hold comes first, so that no money moves before it is decided whether to report. Until the hold"
        in held
    )
    assert reported.startswith(f"2. MLRO: {decided}")
    assert FREEZE in frozen
    identity = {"path": "consistency.name.record.document", "rule_id": "CON-1"}
    *_, last = steps(report, identity)
    assert last.endswith(
        "Analyst: once the MLRO has decided whether to report, decide whether to approve the customer, and record the decision. "
        + BY_ONE_WITH_MLRO
    )
    alone, _ = steps(report)
    assert alone.startswith(f"1. MLRO: {decided} (INT-1). The customer must not learn of it")


def test_the_mlro_decides_on_a_report_where_something_may_be_a_reason_and_no_finding_asks_for_one() -> None:
    large = "Large unexplained credit: 56,417.00 GBP on 12 Nov 2025"
    one = ("56,417.00 GBP from K Ferrant on 12 Nov 2025",)
    credit = {"rule_id": "WLT-2", "path": "wealth.flags.b", "sentence": f"{large} (E-10)"}
    listed = LIST | {"sentence": "Possible match on a sanctions list: 'attention' (E-03)"}
    asked = "decide as nominated officer whether to report to the National Crime Agency; possible grounds known so far: "
    found = reasons_of(findings(listed, credit), NAMES, sums=Sums(credits={large: one}))
    (reason,) = considered(found, NEED)
    assert reason.text == (
        "Possible need for a report to the NCA, on which the nominated officer, the MLRO, decides: "
        f"“Possible match on a sanctions list” and “Large unexplained credit” ({one[0]}) (SAN-1 and WLT-2) (E-03)"
    )
    held, decided, frozen, *_ = steps_of((*found, reason))
    assert held.startswith("1. MLRO: hold the case")
    assert FREEZE in frozen
    assert decided.startswith(
        f"2. MLRO: {asked}“Possible match on a sanctions list” and “Large unexplained credit” ({one[0]}) (SAN-1 and WLT-2). "
        "Decide on the report now, on what is known, without waiting for the answers that the hold asks for, and again when the answers are in. "
        "The customer must not learn of it. Any other member of staff who knows or suspects"
    )
    (titled,) = considered(found, replace(NEED, title="Need for a report to the NCA"))
    assert titled.title == "Possible need for a report to the NCA"
    assert considered(found, None) == ()
    counted = {"rule_id": "SCR-1", "path": "screening.matchCount", "owner": "MLRO"}
    first, *_ = steps_of(_with_report(counted))
    assert first.startswith(f"1. MLRO: {asked}a match of which the list is not named (SCR-1)")
    assert not any(asked in step for step in steps_of(_with_report({"path": "address.outcome"})))
    declined = steps_of(_with_report(DECLINE, credit))
    assert sum("reports it internally" in step for step in declined) == 1
    assert not any("report it internally" in step for step in declined)


def test_the_customer_hears_nothing_before_the_mlro_agrees_where_a_report_is_decided_on() -> None:
    """As where a finding asks for a report: a red flag alone, without a match and without a hold."""
    credit = {"rule_id": "WLT-2", "path": "wealth.flags.b", "sentence": "Large unexplained credit: 5 (E-10)"}
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed", "sentence": "Unconfirmed (E-02)"}
    terms = Terms(questions=("where it came from",))
    for rows in ((credit, identity), (DECLINE, credit, identity)):
        why = _with_report(*rows)
        made = steps_of(why, terms)
        (at,) = (place for place, step in enumerate(made) if "whether to report to the" in step)
        assert "The customer must not learn of it and is contacted only if the MLRO agrees." in made[at]
        later = [step for step in made[at + 1 :] if "Analyst: " in step and " ask the " in step]
        assert len(later) == 2
        assert all("Analyst: when the MLRO agrees, " in step for step in later)
        todo = to_do_of(None, (), why, (), terms)
        assert "the MLRO agrees" in todo.waits
        assert not any("when the MLRO agrees" in step for step in steps_of(why[:-1], terms))


def test_a_rejected_document_puts_the_decision_on_a_report_on_page_one_and_first_among_the_steps() -> None:
    rejected = {**RESULTS, "document": {**RESULTS["document"], "outcome": "rejected"}}
    made = contents_of(clear_customer(results=rejected))
    (one,) = [each for each in made.why if is_of_report(each)]
    assert isinstance(one, Reason)
    assert (one.label, one.about) == (
        "Decision on a report to the NCA",
        ("MLRO", "decision on a report to the NCA"),
    )
    assert one.text.endswith("decides: “Document rejected by the provider” (OUT-document) (E-03)")
    first, second, *_ = made.steps
    assert "whether to report to the National Crime Agency; possible grounds" in first
    assert "Decide on the report now, on what is known, and again when the answers are in." in first
    assert second == "2. MLRO: say whether the customer may be rejected."
    assert not any(map(is_of_report, contents_of(clear_customer()).why))


def test_a_rule_that_asks_for_an_internal_report_protects_it_without_being_marked() -> None:
    found = Reason("INT-9", "Consider an internal report (E-01)", "MLRO", "review", action="internal_report")
    said = steps_of((found,), Terms(questions=("where the money came from",)))
    (asked,) = [one for one in said if "where the money came from" in one]
    assert "when the MLRO agrees, ask the customer" in asked


def test_a_report_that_missing_results_leave_open_names_what_is_known_and_may_be_a_reason() -> None:
    unseen = {
        "outcome": "UNKNOWN",
        "internal": True,
        "owner": "MLRO",
        "cause": "Not received.",
        "rule_id": "INT-1",
    }
    wages = {
        "rule_id": "WLT-3",
        "path": "wealth.questions.pay_beside_benefit",
        "sentence": "Wages beside an out-of-work benefit: 90,171.23 GBP (E-07)",
    }
    twice = {"rule_id": "BNK-3", "path": "wealth.linked_twice", "sentence": "One account twice (E-05)"}
    (said,) = (step for step in steps(unseen, wages, twice) if "National Crime Agency" in step)
    assert (
        "the checks that look for grounds could not all be completed; possible grounds known so far: “Wages beside an out-of-work benefit” (WLT-3). "
        in said
    )
    (alone,) = (step for step in steps(unseen, twice) if "National Crime Agency" in step)
    assert "could not all be completed. Decide on the report now" in alone


def test_page_one_says_what_an_approval_waits_for_beside_how_many_people_it_takes() -> None:
    report = {"rule_id": "INT-2", "path": "consistency.name.record.document", "owner": "MLRO"}
    report |= {"action": "internal_report", "internal": True}
    identity = {"path": "consistency.name.record.document", "rule_id": "CON-1"}
    for rows, said in (
        (
            (report, identity),
            "Once the MLRO has decided whether to report and the identity is confirmed, an approval takes one person. ",
        ),
        ((report,), "Once the MLRO has decided whether to report, an approval takes one person. "),
        ((identity,), "One person may reject, or approve once the identity is confirmed."),
        ((), "One person may approve or reject, because the level "),
    ):
        made = to_do_of(None, (), reasons_of(findings(*rows), NAMES) if rows else (), (), Terms())
        assert made.people.startswith(said)


def test_the_decision_that_no_finding_asks_for_stands_in_the_findings_with_its_law() -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "warning", "matchCount": 1}
    results["screening"]["summary"]["watchlist"]["sanctionsLists"] = "attention"
    made = contents_of(clear_customer(results))
    assert made.considered
    said = words_of(made.section("findings"))
    assert "Decision on a report to the NCA, not counted as a finding" in said
    assert "Proceeds of Crime Act 2002 s. 330" in said
    assert "Decision on a report to the NCA, not" not in words_of(
        contents_of(clear_customer()).section("findings")
    )


def test_a_match_whose_list_is_not_named_is_the_same_ground_whichever_rule_asks_for_a_report() -> None:
    ground = "“Possible match on a kind of list that the screening does not name”"
    need = {"rule_id": "INT-1", "path": "wealth.flags.x", "owner": "MLRO", "action": "internal_report"}
    need |= {"internal": True, "sentence": "Possible need for a report to the NCA: money moved on (E-07)"}
    need["evidence_ids"] = ["E-07"]
    match = {"rule_id": "SCR-6", "path": "plausible.unnamed_matches", "action": "hold", "level": "edd"}
    match |= {"sentence": f"{ground.strip('“”')} (1 of 2 matches): it may be one (E-03)"}
    *_, asked = with_grounds(reasons_of(findings(match, need), NAMES))
    assert (
        asked.text == f"Possible need for a report to the NCA: money moved on; {ground} (SCR-6) (E-03, E-07)"
    )
    listed = LIST | {
        "path": "screening.summary.watchlist.terror",
        "sentence": "Possible match on a terrorism list (E-03)",
    }
    named = need | {"sentence": "Possible need for a report to the NCA: terrorism lists 'attention' (E-07)"}
    *_, same = with_grounds(reasons_of(findings(listed, named), NAMES))
    assert same.text == named["sentence"]
    # Beside a match on a list it is named too, although that one governs its matter.
    found = reasons_of(findings(LIST, match), NAMES)
    (reason,) = considered(with_unnamed(found[:1], found), NEED)
    assert ground in reason.text
