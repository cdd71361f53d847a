"""Each step says who does what in words; the rules stand behind it, and no two people are asked for the same."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pandas as pd
import pytest
from tests.frames.evidence_maker import IDENTITY, KNOWN, clear_customer
from tests.render.said_steps import steps_of
from tests.render.specimen_review import contents_of, inputs_of, with_body
from tests.render.test_matters import troubled

from kycpack.evidence import Evidence
from kycpack.models.dates import day_words
from kycpack.render.document_parts import Cell, Table
from kycpack.render.origin import value_of
from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.case_record import terms_of
from kycpack.render.review.findings import findings_section
from kycpack.render.review.matters import why_of
from kycpack.render.review.reasons import Reason, reasons_of, unknowns_of
from kycpack.render.review.short_names import ShortName, ShortNames
from kycpack.render.review.steps import FREEZE, ON_ANY_LIST, ON_OTHER_LISTS
from kycpack.render.review.sums import Sums, sums_of
from kycpack.render.review.task_kinds import Task
from kycpack.render.review.tasks import COMPLETE
from kycpack.triage import load_policy
from kycpack.triage.levels import ANALYST
from kycpack.triage.policies.decision_rules import is_among
from kycpack.workspace import Decision, Disposition
from kycpack.workspace.cases.case_records import Case, CaseFinding
from kycpack.workspace.cases.decisions import rule_on
from kycpack.workspace.entries.verify_ledger import MLRO

NAMES = ShortNames((ShortName("S1", "ses-1", "A session", value_of("sessions")),))
COLUMNS = {
    "outcome": "HIT",
    "rule_id": "X-1",
    "session_id": None,
    "level": "review",
    "owner": "Analyst",
    "action": "ask",
    "title": "A check",
    "sentence": "A thing was found (E-03)",
    "cause": "",
    "evidence_ids": ["E-03"],
    "path": "",
    "value": None,
    "internal": False,
    "superseded_by": None,
    "basis": "",
}
FILE = "get the customer's risk file from the department that keeps it, and add it to the register"
NOT_OPENED = "Until the identity is confirmed, no business relationship is established and nothing is approved or paid."
BY_ONE = "One person may approve or reject, because the level is not above manual review."
DECIDED = f"Analyst: decide whether to approve the customer, and record the decision. {BY_ONE}"
UNSEEN = (
    "MLRO: decide as nominated officer whether to report to the National Crime Agency: the checks that look for grounds could not all be completed. "
    "Decide on the report now, on what is known, and again when the answers are in. "
    "The customer must not learn of it, and the customer is contacted only if the MLRO agrees. "
    "Any other member of staff who knows or suspects money laundering or terrorist financing, or has reasonable grounds for knowing or suspecting it, reports it internally to the MLRO."
)
NO_GAPS = pd.DataFrame({"message": [], "subject": [], "evidence_id": []})


def findings(*rows: dict) -> pd.DataFrame:
    return pd.DataFrame([COLUMNS | row for row in rows])


def steps(*rows: dict, absent: dict | None = None) -> tuple[str, ...]:
    found = findings(*rows)
    why = (*reasons_of(found, NAMES), *unknowns_of(found, NAMES, NO_GAPS, (), absent or {}))
    return steps_of(why, Terms(of_lists=frozenset({"SAN-1"})))


def paths() -> list[tuple[str, str]]:
    """Return the rules of the default policy with the paths that they ask about."""
    rules = load_policy().rules
    asked = {(rule.id, leaf.path) for rule in rules for leaf in rule.leaves if leaf.path != "triage.level"}
    return sorted((rule, path.replace("**", "x").replace("*", "x")) for rule, path in asked if path != "**")


@pytest.mark.parametrize("outcome", ["HIT", "UNKNOWN"])
def test_every_rule_of_the_policy_has_a_step_in_words(outcome: str) -> None:
    for rule, path in paths():
        step = steps({"rule_id": rule, "path": path, "outcome": outcome, "session_id": "ses-1"})[0]
        step = re.sub(r"^[1-9]\. ", "", step).removesuffix(f" {NOT_OPENED}")
        assert re.fullmatch(rf"Analyst: [a-z][^{{}}]{{15,}} \({rule}\)\.", step), step
        assert "what stands behind “" not in step, path
        assert "could not be evaluated: “" not in step, path


def test_a_rule_of_another_policy_is_given_by_what_it_found() -> None:
    row = {"rule_id": "OWN-7", "path": "newPart.verdict", "sentence": "The new part: bad (E-03)"}
    assert steps(row) == ("1. Analyst: find out what stands behind “The new part” (OWN-7).", f"2. {DECIDED}")
    row |= {"outcome": "UNKNOWN", "value": "perhaps", "cause": "Not known."}
    step, _ = steps(row)
    assert step.startswith("1. Analyst: ask the provider what the value 'perhaps' of the ")


def test_what_two_people_would_find_out_is_one_persons() -> None:
    match = {"path": "screening.summary.watchlist.sanctionsLists", "evidence_ids": ["E-03"]}
    hold = match | {"rule_id": "SAN-1", "owner": "MLRO", "action": "hold", "level": "escalate"}
    first, *others = steps(hold, match | {"rule_id": "OWN-1", "sentence": "The same in other words (E-03)"})
    assert first.startswith(
        "1. MLRO: hold the case; check with the provider whether any match on sanctions lists is"
    )
    assert "(SAN-1 and OWN-1)" in first
    assert not any("whether any match" in step for step in others)


def test_who_lacks_a_session_waits_for_the_analyst_who_gets_it() -> None:
    missing = {"outcome": "UNKNOWN", "session_id": "ses-1", "cause": "The session is pending."}
    rows = (
        missing | {"path": "screening.outcome", "owner": "MLRO", "level": "edd"},
        {"rule_id": "SES-3", "path": "session.identity_completed", "session_id": "ses-1"},
    )
    assert steps(*rows, absent={"ses-1": COMPLETE}) == (
        f"1. Analyst: have the customer complete session S1 (SES-3 and X-1). {NOT_OPENED}",
        "2. Analyst: collect the results once they are there, and make a new pack.",
        "3. MLRO: review the screening of session S1 in the new pack (X-1).",
        "4. MLRO: decide on the new pack whether to approve the customer, and record the decision. An approval takes two people, because the level is above manual review.",
    )


def test_no_two_owners_are_asked_for_the_same_and_each_step_begins_with_one(specimen: Evidence) -> None:
    for evidence in (
        specimen,
        troubled(specimen),
        with_body(specimen, "onboarding.get", {"status": "pending"}),
    ):
        made = contents_of(evidence).steps
        assert all(
            re.match(r"(?:[1-9][0-9]?\. )?(?:MLRO|Analyst|Senior management): [a-z]", step) for step in made
        )
        asked = Counter(
            re.sub(r" \([^)]*\)\.?$", "", one)
            for step in made
            for one in step.partition(": ")[2].partition(". Until")[0].split("; ")
        )
        assert set(asked.values()) == {1}
        assert not any(re.search(r"clarif", step) for step in made)
    assert made[0] == f"1. {UNSEEN}"
    assert ANALYST in made[1]


DECLINE = {"rule_id": "OUT-document", "path": "document.outcome", "action": "decline", "level": "reject"}
RECORDED = "Analyst: record the decision. An approval takes two people, because the level is above manual review. A rejection takes one person, once the MLRO has said that the customer may be rejected."
REPORTED = (
    (
        "{}. Analyst: if you know or suspect money laundering or terrorist financing, or have reasonable grounds for knowing or suspecting it, "
        "report it internally to the MLRO. The customer must not learn of it."
    ),
    "{}. MLRO: if a suspicion is reported, decide as nominated officer whether to report to the National Crime Agency; say in any case whether the customer may be rejected.",
    "{}. Analyst: reject the customer because of “A thing was found” (OUT-document), once the MLRO has said that the customer may be rejected.",
)


def declined_from(place: int, follow: str = "") -> tuple[str, ...]:
    """Return the steps of a decline, numbered from a place."""
    only = f" {follow} only if the customer is not rejected." if follow else ""
    made = [step.format(at) for at, step in enumerate(REPORTED, place)]
    return (*made[:-1], f"{made[-1]}{only}")


def test_what_only_serves_an_approval_is_asked_after_a_decline_and_only_if_there_is_none() -> None:
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed", "session_id": "ses-1"}
    office = {
        "rule_id": "PEP-2",
        "path": "screening.summary.pep.pepLevel2",
        "owner": "MLRO",
        "action": "senior_approval",
        "level": "edd",
    }
    *declined, asked, judged, approved, recorded, watched = steps(identity, office, DECLINE)
    assert tuple(declined) == declined_from(1, "Steps 4 and 5 follow")
    assert asked.startswith("4. Analyst: when the MLRO agrees, have the customer repeat")
    assert asked.endswith(NOT_OPENED)
    assert judged.startswith("5. MLRO: check with the provider")
    assert approved.startswith("6. Senior management: only if the customer is not rejected, decide whether")
    assert (
        recorded
        == "7. Analyst: record the decision. An approval takes two people, one of them a senior manager."
    )
    assert watched.startswith(
        "8. MLRO: after an approval, monitor payments and screening results more closely until "
    )
    assert not any("not rejected" in step for step in steps(identity, office))


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


def test_what_the_money_leaves_open_is_asked_before_the_decision_and_in_a_hold_only_if_the_mlro_agrees() -> (
    None
):
    where = "where the money came from that was in A1 before the first transaction"
    asked = f"ask the customer {where}, with evidence (see “What this pack cannot show”)."
    terms = Terms(questions=(where,))
    assert steps_of((), terms) == (f"1. Analyst: {asked}", f"2. {DECIDED}")
    found = findings({"rule_id": "WLT-1", "owner": "MLRO", "action": "hold", "level": "edd"})
    held = steps_of(reasons_of(found, NAMES), terms)
    assert held[1] == f"2. Analyst: when the MLRO agrees, {asked}"
    assert "record the decision" in held[2]


@pytest.mark.parametrize("level", ["edd", "escalate"])
def test_page_one_says_which_decision_takes_two_people(level: str) -> None:
    held = {"rule_id": "WLT-1", "owner": "MLRO", "action": "hold", "level": level}
    for row, by_two in (
        (held, "An approval or a rejection takes two people, because it ends the hold."),
        (LIST, BY_TWO),
        ({"level": level}, "An approval takes two people, because the level is above manual review."),
    ):
        reasons = reasons_of(findings(row), NAMES)
        made = to_do_of(None, (), reasons, (), Terms(of_lists=frozenset({"SAN-1"})))
        assert made.first.startswith(made.steps[0])
        assert made.first.endswith(by_two)
        assert any(step.endswith(by_two) for step in made.steps)


def test_the_first_step_on_page_one_says_what_contact_with_the_customer_waits_for() -> None:
    payment = {"rule_id": "PAY-1", "path": "wealth.payment_support", "owner": "MLRO"}
    report = {"rule_id": "INT-1", "path": "internal.suspicion", "internal": True, "owner": "MLRO"}
    report |= {"action": "internal_report"}
    quietly = "The customer is contacted only if the MLRO agrees."
    for rows, is_added in (((payment, report), True), ((LIST, report), False), ((payment,), False)):
        made = to_do_of(None, (), reasons_of(findings(*rows), NAMES), (), Terms())
        assert (quietly in made.first) == is_added
        assert ("only if the MLRO agrees" in made.first) == any("MLRO agrees" in step for step in made.steps)
    alone = to_do_of(None, (), (), (), Terms())
    assert (alone.first, alone.first_heading) == (alone.steps[0], "What to do")


def test_a_decline_waits_for_no_session_that_the_customer_has_to_make() -> None:
    missing = {
        "outcome": "UNKNOWN",
        "session_id": "ses-1",
        "cause": "The session has expired.",
        "owner": "MLRO",
    }
    rows = (
        missing | {"path": "screening.outcome", "level": "edd"},
        missing | {"path": "document.outcome", "internal": True},
        DECLINE | {"rule_id": "CDD-1", "path": "diligence.completion", "level": "review"},
    )
    reported, decided, declined, made, collected, seen, _ = steps(
        *rows, absent={"ses-1": Task("have the customer complete a new session in place of {}")}
    )
    assert reported == f"1. {UNSEEN}"
    assert decided == "2. MLRO: say whether the customer may be rejected."
    assert declined.startswith("3. Analyst: reject the customer")
    assert declined.endswith(" Steps 4 to 6 follow only if the customer is not rejected.")
    assert made.startswith("4. Analyst: when the MLRO agrees, have the customer complete a new")
    assert collected.startswith("5. Analyst: collect the results once they are there, ")
    assert seen.startswith("6. MLRO: review the screening")


def test_a_session_is_completed_only_if_the_customer_is_not_declined() -> None:
    wait = {"rule_id": "CDD-2", "path": "diligence.completion", "action": "complete_session", "level": "edd"}
    *declined, completed, asked, collected, recorded = steps(wait, DECLINE, {"path": "address.outcome"})
    assert tuple(declined) == declined_from(1, "Steps 4 to 6 follow")
    assert completed.startswith("4. Analyst: ask the customer to complete")
    assert asked.startswith("5. Analyst: get another, recent proof of address")
    assert collected == "6. Analyst: collect the results once the session is complete, and make a new pack."
    assert recorded == f"7. {RECORDED}"


def test_a_check_that_could_not_be_evaluated_stands_in_the_findings_with_its_rule() -> None:
    row = {"outcome": "UNKNOWN", "path": "wealth.payment_support", "cause": "It is not known."}
    found = findings(row | {"rule_id": "PAY-1"}, row | {"rule_id": "EDD-1"}, row | {"rule_id": "RES-7"})
    section = findings_section(found, (), unknowns_of(found, NAMES, NO_GAPS), Cell(""))
    (listed,) = [block for block in section.blocks if isinstance(block, Table) and block.rows]
    (cells,) = listed.rows
    assert [cell.text for cell in cells][1] == "A check (PAY-1, EDD-1, RES-7)"


def test_a_decline_waits_for_the_mlro_who_has_a_step_and_for_what_the_rejected_result_means() -> None:
    rejected = DECLINE | {"sentence": "Document rejected: data integrity 'attention' (E-03)"}
    asked, *others = steps(rejected)
    assert asked == (
        "1. Analyst: ask the provider what data integrity 'attention' means (OUT-document). If the provider changes the result, collect the "
        "results again, make a new pack, and decide on that."
    )
    assert [step.replace("Document rejected", "A thing was found") for step in others] == [
        *declined_from(2),
        f"5. {RECORDED}",
    ]
    report = {"rule_id": "INT-1", "path": "wealth.flags.x", "owner": "MLRO", "action": "internal_report"}
    decided, asked, allowed, declined, _ = steps(rejected, report | {"internal": True})
    assert decided.startswith(
        "1. MLRO: decide as nominated officer whether to report to the National Crime Agency (INT-1). "
        "Decide on the report now, on what is known, and again when the answers are in. The customer must not learn of it"
    )
    assert asked.startswith("2. Analyst: ask the provider what data integrity")
    assert allowed == "3. MLRO: say whether the customer may be rejected."
    assert declined.endswith("(OUT-document), once the MLRO has said that the customer may be rejected.")


def test_a_session_is_completed_in_one_step_and_the_mlro_reads_the_new_pack() -> None:
    missing = {
        "outcome": "UNKNOWN",
        "session_id": "ses-1",
        "cause": "The session is pending.",
        "path": "screening.outcome",
        "owner": "MLRO",
        "level": "edd",
    }
    rows = (
        {"rule_id": "CDD-2", "path": "diligence.completion", "action": "complete_session", "level": "edd"},
        {"rule_id": "SES-1", "path": "session.status", "session_id": "ses-1"},
        {"rule_id": "SES-3", "path": "session.identity_completed", "session_id": "ses-1"},
        missing | {"rule_id": "OUT-screening"},
    )
    assert steps(*rows, absent={"ses-1": COMPLETE}) == (
        (
            "1. Analyst: ask the customer to complete session S1 (CDD-2, OUT-screening, SES-1 and SES-3). "
            "Until it is complete, no business relationship is established and nothing is approved or paid."
        ),
        "2. Analyst: collect the results once the session is complete, and make a new pack.",
        "3. MLRO: review the screening of session S1 in the new pack (OUT-screening).",
        (
            "4. MLRO: decide on the new pack whether to approve the customer, and record the decision. An approval takes two people, because the level is above manual review. "
            "The level is enhanced due diligence until the session is complete; the new pack sets it again."
        ),
    )
    # Another finding of that level keeps it when the session is complete.
    other = {"rule_id": "CTY-1", "path": "country", "level": "edd", "sentence": "A country (E-03)"}
    assert not any("sets it again" in step for step in steps(*rows, other, absent={"ses-1": COMPLETE}))


@pytest.mark.parametrize("owner", ["Analyst", "MLRO"])
@pytest.mark.parametrize("action", ["ask", "complete_session"])
@pytest.mark.parametrize(
    "path", ["wealth.questions.pay_beside_benefit", "wealth.source_found", "address.outcome", "expiry.x"]
)
def test_what_is_asked_beside_a_session_is_asked_before_the_new_pack_is_made(
    path: str, action: str, owner: str
) -> None:
    made = steps(
        {"rule_id": "SES-1", "path": "session.status", "session_id": "ses-1", "action": action},
        {"rule_id": "OUT-address", "path": "address.outcome", "session_id": "ses-1", "outcome": "UNKNOWN"},
        {"rule_id": "OWN-1", "path": path, "sentence": "A thing (E-07)", "owner": owner},
        absent={"ses-1": COMPLETE},
    )
    (asked,) = (place for place, step in enumerate(made) if "OWN-1" in step)
    (collected,) = (place for place, step in enumerate(made) if "collect the results" in step)
    assert asked < collected


@pytest.mark.parametrize("outcome", ["HIT", "UNKNOWN"])
def test_evidence_for_enhanced_due_diligence_is_one_duty_whatever_of_it_is_missing(outcome: str) -> None:
    row = {"rule_id": "EDD-1", "outcome": outcome, "owner": "MLRO", "level": "edd"}
    made = {steps(row | {"path": path})[0] for rule, path in paths() if rule == "EDD-1"}
    assert made == {"1. MLRO: get documents that prove the source of wealth (EDD-1)."}


def test_getting_the_risk_file_is_a_step_before_the_decision(specimen: Evidence) -> None:
    file, made_anew, decided = steps_of((), Terms(needed_of_file=FILE))
    assert file == f"1. Analyst: {FILE}."
    assert made_anew == "2. Analyst: collect the evidence again and make a new pack."
    assert decided == f"3. {DECIDED.replace('decide whether', 'decide on the new pack whether')}"
    assert steps_of(()) == (f"Analyst: record the decision. {BY_ONE}",)
    made = contents_of(specimen)
    assert (made.tables["limits"]["code"] == "risk_not_given").any()
    assert sum("the customer's risk file" in step for step in made.steps) == 1


def test_a_payment_is_not_released_before_its_source_is_shown() -> None:
    sums = Sums(payments={"E-17": ("payment P1 (85,000.00 GBP)",)})
    found = findings(
        {"rule_id": "PAY-1", "path": "wealth.payment_support", "evidence_ids": ["E-17"]},
        {
            "rule_id": "PEP-2",
            "path": "screening.summary.pep.level2",
            "owner": "MLRO",
            "action": "senior_approval",
            "level": "edd",
        },
    )
    made = steps_of(reasons_of(found, NAMES, sums=sums))
    assert made[0] == (
        "1. Analyst: do not release payment P1 (85,000.00 GBP) until its source is shown, the possible matches are settled and "
        "senior management has approved (PAY-1)."
    )
    assert "where the money of payment P1 (85,000.00 GBP) comes from (PAY-1)" in made[1]
    assert made[-1].startswith(
        "5. MLRO: after an approval, monitor payments and screening results more closely"
    )
    payment = {"payment_id": "pay-1", "amount_minor": 8500000, "currency": "GBP", "amount": "85000.00"}
    one = pd.DataFrame([payment | {"evidence_id": "E-17"}])
    nothing = pd.DataFrame(
        columns=[
            *("message", "account_ids", "txn_ids", "account_id", "txn_id"),
            *("amount_minor", "currency", "payer", "booked_on"),
        ]
    )
    assert sums_of(nothing, nothing, one, NAMES).payments == {"E-17": ("payment pay-1 (85,000.00 GBP)",)}


def test_a_match_that_holds_the_case_has_a_step_for_each_answer_and_one_who_decides() -> None:
    match = {"path": "screening.summary.watchlist.sanctionsLists", "rule_id": "SAN-1"}
    hold = match | {"owner": "MLRO", "action": "hold", "level": "escalate"}
    made = steps(hold, {"path": "session.identity_confirmed", "rule_id": "SES-2"})
    assert [step.partition(", ")[0] for step in made] == [
        "1. MLRO: hold the case; check with the provider whether any match on sanctions lists is this person (the list",
        "2. MLRO: if there is reasonable cause to suspect that any match is this person and its list freezes funds",
        "3. Analyst: when the MLRO agrees",
        "4. MLRO: say whether the hold is lifted",
    ]
    assert (
        "freeze the funds and report to OFSI as soon as practicable; if no match is this person, record that; the hold stays until the MLRO has decided on it"
        in made[1]
    )


def test_a_second_red_flag_of_the_same_payments_says_so() -> None:
    said = (
        "Money moved on: each within 10 days",
        "Matching sums: within 92 days",
        "Much money: 1 credit",
        "Crypto: 2 payments",
    )
    ids = (["T1", "T2"], ["T2", "T1"], ["T1"], ["T1", "T3"])
    none = pd.DataFrame(
        columns=[
            "account_id",
            "txn_id",
            "payer",
            "payment_id",
            "amount_minor",
            "currency",
            "booked_on",
            "amount",
            "evidence_id",
        ]
    )
    accounts, facts = [["A"] * len(one) for one in ids], [{}] * len(ids)
    flags = pd.DataFrame({"message": said, "account_ids": accounts, "txn_ids": ids, "facts": facts})
    sums = sums_of(flags, none, none, NAMES)
    levels = ("edd", "edd", "review", "edd")
    rows = (
        {
            "rule_id": "WLT-1",
            "path": "wealth.flags.x",
            "sentence": f"{one} (E-07)",
            "evidence_ids": ["E-07"],
            "level": level,
        }
        for one, level in zip(said, levels, strict=True)
    )
    assert [one.text for one in reasons_of(findings(*rows), NAMES, sums=sums)] == [
        "Money moved on: each within 10 days (E-07)",
        "Matching sums: within 92 days; these are the payments of “Money moved on” (E-07)",
        "Crypto: 2 payments (E-07)",
        "Much money: 1 credit; this payment is among those of “Money moved on” (E-07)",
    ]


def test_a_finding_about_one_payment_is_named_by_its_amount_payer_and_day() -> None:
    said = "Large unexplained credit: 24,718.00 GBP on 16 Jul 2026"
    flags = pd.DataFrame(
        {
            "message": [said, "Two credits: seen"],
            "account_ids": [["A"], ["A", "A"]],
            "txn_ids": [["T1"], ["T1", "T2"]],
            "facts": [{"payers": 1}, {"payers": 2}],
        }
    )
    credit = {"amount_minor": 2471800, "currency": "GBP", "booked_on": date(2026, 7, 16)}
    credits_ = pd.DataFrame(
        [
            {"account_id": account, "txn_id": txn, "payer": payer, **credit}
            for account, txn, payer in (
                ("A", "T1", "K Ferrant"),
                ("A", "T2", None),
                ("B", "T1", "Another With That Id"),
            )
        ]
    )
    payments = pd.DataFrame(columns=["payment_id", "amount_minor", "currency", "amount", "evidence_id"])
    sums = sums_of(flags, credits_, payments, NAMES)
    path = {"path": "wealth.flags.large_unexplained", "rule_id": "WLT-2", "evidence_ids": ["E-12"]}
    found = findings(path | {"sentence": f"{said} (E-12)"}, path | {"sentence": "Two credits: seen (E-12)"})
    reasons = reasons_of(found, NAMES, sums=sums)
    assert [one.text for one in reasons] == [
        f"{said}; payer: K Ferrant (E-12)",
        "Two credits: seen; payer: K Ferrant; 1 credit has no payer's name (E-12)",
    ]
    # A list of cases, the index of a run and the ledger name nobody.
    assert [one.impersonal for one in reasons] == [f"{said} (E-12)", "Two credits: seen (E-12)"]
    step, _ = steps_of(reasons)
    assert step == (
        "1. Analyst: establish the background and purpose of 24,718.00 GBP from K Ferrant on 16 Jul 2026 and “Two credits”, "
        "with evidence (WLT-2)."
    )


LIST = {
    "path": "screening.summary.watchlist.sanctionsLists",
    "rule_id": "SAN-1",
    "owner": "MLRO",
    "action": "hold",
    "level": "escalate",
}
BY_TWO = "An approval or a rejection takes two people, one of them the MLRO, because a possible match may be this person, on a list that may freeze funds (SAN-1)."
OTHERS = {"path": "gaps.bank.wrong_subject", "rule_id": "OTH-1", "action": "hold"}


def test_a_case_is_put_on_hold_once_and_the_mlro_alone_says_whether_the_hold_is_lifted() -> None:
    made = steps(LIST, OTHERS | {"sentence": "Data of somebody else (E-03)"})
    assert sum("hold the case" in step for step in made) == 1
    assert sum("Until the hold is lifted" in step for step in made) == 1
    assert made[2] == (
        "3. Analyst: find out from the provider about whom the data is, and request it again (OTH-1)."
    )
    assert (
        made[-1]
        == f"4. MLRO: say whether the hold is lifted, on advice from the Analyst, and record the decision. {BY_TWO}"
    )
    first, last = steps(OTHERS)
    assert first.startswith("1. Analyst: hold the case; find out from the provider")
    assert last == (
        "2. MLRO: say whether the hold is lifted, on advice from the Analyst, and record the decision. An approval or a rejection takes two people, because it ends the hold."
    )


def test_a_list_that_is_not_named_is_not_said_to_freeze_funds() -> None:
    unnamed = LIST | {"path": "screening.matchCount", "rule_id": "SCR-6"}
    terms = Terms(of_lists=frozenset({"SAN-1", "SCR-6"}))
    last = [
        to_do_of(None, (), reasons_of(findings(*rows), NAMES), (), terms).steps[-1]
        for rows in ((unnamed,), (LIST, unnamed | {"session_id": "S2"}))
    ]
    assert "on a list that is not named, which may be a list that freezes funds (SCR-6)." in last[0]
    assert (
        "on a list that may freeze funds (SAN-1) or one that is not named and may be such a list (SCR-6)."
        in last[1]
    )


def test_a_match_of_somebody_else_lifts_no_hold_that_rests_on_something_else_too() -> None:
    money = {"path": "wealth.flags.pass_through", "rule_id": "WLT-1", "owner": "MLRO", "action": "hold"}
    for other in (money, OTHERS):
        made = steps(LIST, other | {"level": "edd", "sentence": "Another thing (E-07)"})
        assert made[1].endswith(
            f"report to OFSI as soon as practicable; if no match is this person, the hold rests on the other findings alone. {ON_OTHER_LISTS}"
        )


def test_senior_management_decides_once_the_hold_is_lifted() -> None:
    office = {
        "rule_id": "PEP-2",
        "path": "screening.summary.pep.level2",
        "owner": "MLRO",
        "action": "senior_approval",
        "level": "edd",
        "sentence": "An office (E-04)",
    }
    *_, lifted, decided, watched = steps(LIST, office)
    assert lifted == "4. MLRO: say whether the hold is lifted."
    assert decided == (
        "5. Senior management: once the hold is lifted, decide whether to approve, on advice from the MLRO, and record the decision (PEP-2). "
        f"{BY_TWO} An approval also takes a senior manager."
    )
    assert watched.startswith("6. MLRO: after an approval, ")
    assert not any("hold is lifted" in step for step in steps(office))


def test_a_customer_is_declined_in_one_step_and_the_mlro_waits_for_nobody() -> None:
    unfinished = {"rule_id": "CDD-1", "path": "diligence.completion", "action": "decline", "owner": "MLRO"}
    alone = steps(unfinished)
    assert (
        alone[-2]
        == "3. MLRO: reject the customer because of “A thing was found” (CDD-1), if the customer may be rejected."
    )
    *_, both, recorded = steps(unfinished, DECLINE | {"sentence": "Document rejected (E-04)"})
    assert both == (
        "3. MLRO: reject the customer because of “Document rejected” and “A thing was found” (OUT-document and CDD-1), "
        "if the customer may be rejected."
    )
    assert (
        recorded
        == "4. MLRO: record the decision. An approval takes two people, because the level is above manual review. A rejection takes one person, once the MLRO has said that the customer may be rejected."
    )
    *_, held, _ = steps(unfinished, LIST)
    assert held.endswith("(CDD-1), once the hold is lifted and if the customer may be rejected.")


@pytest.mark.parametrize(
    ("row", "last"),
    [
        ({}, DECIDED),
        ({"owner": "MLRO"}, DECIDED.replace("Analyst", "MLRO")),
        (
            {"level": "edd"},
            f"{DECIDED.removesuffix(BY_ONE)}An approval takes two people, because the level is above manual review.",
        ),
        (LIST, "MLRO: say whether the hold is lifted, and record the decision. " + BY_TWO),
    ],
)
def test_the_steps_of_an_open_case_end_with_who_decides_and_records_it(
    row: dict[str, str], last: str
) -> None:
    assert steps({"path": "session.identity_confirmed", "rule_id": "SES-2"} | row)[-1].endswith(last)


def test_a_hit_of_a_list_takes_two_people_whatever_its_action_is_and_a_policy_says_how_far_one_may_approve() -> (
    None
):
    found = reasons_of(findings(LIST | {"action": "ask"}), NAMES)
    terms = Terms(of_lists=frozenset({"SAN-1"}))
    assert steps_of(found, terms)[-1] == f"2. {DECIDED.replace('Analyst', 'MLRO').replace(BY_ONE, BY_TWO)}"
    plain = reasons_of(findings({"path": "address.outcome"}), NAMES)
    assert (
        steps_of(plain, Terms(alone_up_to="approve"))[-1]
        == f"2. {DECIDED.removesuffix(BY_ONE)}An approval takes two people, because the level is above approve."
    )


@pytest.mark.parametrize(
    ("rule", "path", "by_mlro"),
    [
        ("SAN-1", "screening.summary.watchlist.sanctionsLists", True),
        ("WLT-1", "wealth.flags.structuring", False),
        ("PEP-2", "screening.summary.pep.level2", False),
    ],
)
def test_who_decides_according_to_the_steps_is_who_decides_according_to_the_ledger(
    rule: str, path: str, *, by_mlro: bool
) -> None:
    policy = load_policy()
    asked = next(each for each in policy.rules if each.id == rule)
    rules, is_held = policy.decisions, asked.action == "hold"
    row = {
        "rule_id": rule,
        "path": path,
        "level": asked.raise_to,
        "owner": asked.owner,
        "action": asked.action,
    }
    case = Case(
        case_id="c-1-1",
        customer_id="c-1",
        occasion="onboarding",
        state="in_review",
        version=1,
        entries=1,
        level=asked.raise_to,
        top_reason=rule,
        run_id="run-1",
        evidence_root="1" * 64,
        policy_digest="2" * 64,
        opened_at="2026-06-01T12:00:00.000000Z",
        changed_at="2026-06-01T12:00:00.000000Z",
        effect="hold" if is_held else None,
        findings=(
            CaseFinding(
                "F-1", "k", rule, "HIT", asked.raise_to, asked.owner, rules.subject(rule, path), rule, rule
            ),
        ),
    )
    found = findings(row)
    said = " ".join(steps_of(reasons_of(found, NAMES), Terms(of_lists=frozenset(rules.sanctions))))
    outside = {"list_entry": "OFSI group 12345", "list_date": "2026-05-30", "file_sha256": "ab" * 32}
    for outcome, words in (("approve", "n approval"), ("reject", "or a rejection")):
        verdict = (
            Disposition("false_positive", outside)
            if outcome == "approve" and rule == "SAN-1"
            else Disposition("accepted")
        )
        code = next(
            code
            for code, (_, outcomes) in rules.reason_codes.items()
            if outcome in outcomes and (code not in rules.grounds or is_among(rule, rules.grounds[code]))
        )
        ruling = rule_on(
            case,
            Decision(
                outcome,
                code,
                "F-1: looked at the documents, which explain what was reported",
                {"F-1": verdict},
            ),
            rules,
            checked=rules.checklist,
            day=date(2026, 6, 1),
        )
        assert bool(ruling.second_person) == (words in said)
        assert (MLRO in ruling.roles) == by_mlro
    assert ("one of them the MLRO" in said) == by_mlro


def test_the_default_policy_gives_the_steps_their_terms(specimen: Evidence) -> None:
    inputs = inputs_of(specimen)
    made = terms_of(inputs)
    due = next(iter(inputs.triage.recommendations["next_review_on"]))
    assert made.alone_up_to == "review"
    assert {"SAN-1", "SAN-2", "SAN-3"} <= made.of_lists
    assert made.next_review == f"the next review on {day_words(date.fromisoformat(due))}"


def test_the_customer_is_asked_nothing_while_a_match_is_open_with_the_mlro_unless_the_mlro_agrees() -> None:
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed"}
    media = {"rule_id": "ADV-2", "path": "screening.summary.adverseMedia.x", "owner": "MLRO"}
    where = "where the money came from"
    found = reasons_of(findings(identity, media), NAMES)
    asked, again, judged, _ = steps_of(found, Terms(questions=(where,)))
    assert asked.startswith("1. Analyst: when the MLRO agrees, ask the customer where the money came from")
    assert again.startswith("2. Analyst: when the MLRO agrees, have the customer repeat the identity check")
    assert judged.startswith("3. MLRO: get the reports")
    mine = steps(identity, media | {"owner": "Analyst"})
    assert not any("MLRO agrees" in step for step in mine)
    missing = media | {"path": "screening.outcome", "outcome": "UNKNOWN", "cause": "Not received."}
    assert not any("MLRO agrees" in step for step in steps(identity, missing))


def test_nothing_is_approved_before_the_identity_is_confirmed_in_a_hold_and_after_a_decline_too() -> None:
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed"}
    for others in ((), (LIST,), (DECLINE,)):
        (asked,) = (step for step in steps(identity, *others) if "why the identity was not" in step)
        assert asked.endswith(NOT_OPENED)


def test_a_hold_is_lifted_in_one_step() -> None:
    for made in (steps(LIST), steps(LIST, DECLINE)):
        assert "lift the hold" not in " ".join(made)
        assert sum("say whether the hold is lifted" in step for step in made) == 1 or any(
            "say in any case whether the hold is lifted and the customer may be rejected" in step
            for step in made
        )


def test_a_detail_that_could_not_be_compared_is_not_asked_about_as_if_it_disagreed() -> None:
    row = {"rule_id": "RES-7", "path": "plausible.mixed_alphabets"}
    assert "those that disagree (RES-7)" in steps(row)[0]
    unknown = row | {"rule_id": "RES-8", "outcome": "UNKNOWN", "cause": "The name cannot be read."}
    assert (
        "look at the pictures of the documents for a check, which could not be checked (RES-8)"
        in steps(unknown)[0]
    )
    assert "those that disagree (RES-7); look at the pictures" in steps(row, unknown)[0]


def test_a_payment_waits_for_the_decision_on_a_report() -> None:
    report = {"rule_id": "INT-1", "path": "wealth.flags.x", "internal": True, "owner": "MLRO"}
    report |= {"action": "internal_report"}
    first, *_ = steps({"rule_id": "PAY-1", "path": "wealth.payment_support"}, report)
    assert "until its source is shown and the MLRO has decided whether to report (PAY-1)" in first


def test_closer_monitoring_says_what_by_whom_and_until_when() -> None:
    flag = {"rule_id": "WLT-1", "path": "wealth.flags.pass_through", "owner": "MLRO", "action": "hold"}
    found = reasons_of(findings(flag | {"level": "edd", "sentence": "Money moved on (E-07)"}), NAMES)
    assert steps_of(found, Terms(next_review="the next review on 1 Dec 2027"))[-1] == (
        "3. MLRO: after an approval, monitor payments, above all those like “Money moved on”, more closely until the next review on "
        "1 Dec 2027 (WLT-1)."
    )
    assert not any("monitor" in step for step in steps(LIST))


def test_a_payment_waits_for_the_identity_the_matches_the_hold_and_the_approval_that_are_open() -> None:
    payment = {"rule_id": "PAY-1", "path": "wealth.payment_support"}
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed"}
    only = "until its source is shown (PAY-1)"
    assert only in steps(payment)[0]
    assert only in steps(payment, {"rule_id": "GAP-1", "path": "gaps.bank.failed"})[0]
    assert "until its source is shown and the identity is confirmed (PAY-1)" in steps(payment, identity)[0]
    (said,) = (step for step in steps(payment, LIST) if "do not release" in step)
    assert (
        "until its source is shown, the possible matches are settled and the hold is lifted (PAY-1)" in said
    )


def test_what_stands_behind_a_rejected_screening_is_settled_before_the_decline() -> None:
    rejected = {"rule_id": "OUT-screening", "path": "screening.outcome", "action": "decline"}
    asked, frozen, *others = steps(rejected | {"owner": "MLRO", "level": "reject"})
    assert asked.startswith("1. MLRO: ask the provider what stands behind the screening result, and decide")
    assert frozen == f"2. MLRO: {FREEZE}; until that is settled, nothing is approved or paid. {ON_ANY_LIST}"
    assert "reject the customer" in others[2]


def test_a_match_of_a_list_beside_a_rejected_screening_has_the_freeze_once() -> None:
    rejected = {"rule_id": "OUT-screening", "path": "screening.outcome", "action": "decline"}
    made = steps(LIST, rejected | {"owner": "MLRO", "level": "reject"})
    assert sum(FREEZE in step for step in made) == 1
    made = steps(LIST, rejected | {"owner": "Analyst", "level": "reject"})
    assert [step[:12] for step in made if FREEZE in step] == ["2. MLRO: if ", "4. Analyst: "]


def test_a_value_that_may_be_a_match_and_that_nobody_knows_holds_the_case() -> None:
    row = {"path": "screening.summary.watchlist.sanctionsLists", "rule_id": "SAN-1", "outcome": "UNKNOWN"}
    hold = steps(row | {"value": "banana", "level": "escalate", "owner": "MLRO", "cause": "Not known."})
    assert hold[0].startswith(
        "1. MLRO: hold the case; ask the provider what the value 'banana' of the sanctions lists means (SAN-1)."
    )
    assert (
        hold[1]
        == f"2. MLRO: {FREEZE}; if no match is this person, record that; the hold stays until the MLRO has decided on it. {ON_OTHER_LISTS}"
    )
    assert "hold the case" not in " ".join(steps(row | {"level": "edd", "owner": "MLRO"}))


@pytest.mark.parametrize("path", ["watchlistSearch.alerts", "plausible.unnamed_matches"])
def test_a_match_of_a_list_that_is_not_known_is_told_apart_by_the_mlro(path: str) -> None:
    hold = {"path": path, "rule_id": "SCR-5", "owner": "MLRO", "action": "hold", "level": "escalate"}
    first, frozen, *others = steps(hold)
    assert (
        "find out from the provider on which list each match is, and check whether it is this person" in first
    )
    assert FREEZE in frozen
    assert frozen.endswith(f". {ON_ANY_LIST}")
    assert not any("monitor" in step for step in others)


def test_steps_about_matches_fit_any_number_of_them() -> None:
    office = {
        "rule_id": "PEP-1",
        "path": "screening.summary.pep.level1",
        "owner": "MLRO",
        "action": "senior_approval",
    }
    said = " ".join(steps(office | {"level": "edd", "sentence": "An office (E-04)"}, LIST))
    assert "check with the provider whether any match is this person and for which office" in said
    assert "check with the provider whether any match on sanctions lists is this person" in said
    assert "if no match is this person" in said
    assert not re.search("the entry is|another person|that it is this person", said)


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
        "The hold comes first, so that nothing moves while the report is decided on. Until the hold" in held
    )
    assert reported.startswith(f"2. MLRO: {decided}")
    assert FREEZE in frozen
    identity = {"path": "consistency.name.record.document", "rule_id": "CON-1"}
    *_, last = steps(report, identity)
    assert last.endswith(
        "Analyst: once the MLRO has decided whether to report, decide whether to approve the customer, and record the decision. "
        + BY_ONE
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
    held, frozen, considered, *_ = steps_of(found, Terms(reported_to="MLRO"))
    assert held.startswith("1. MLRO: hold the case")
    assert FREEZE in frozen
    assert considered.startswith(
        f"3. MLRO: {asked}“Possible match on a sanctions list” and “Large unexplained credit” ({one[0]}) (SAN-1 and WLT-2). "
        "The customer must not learn of it. Any other member of staff who knows or suspects"
    )
    assert not any(asked in step for step in steps_of(found, Terms()))
    counted = {"rule_id": "SCR-1", "path": "screening.matchCount", "owner": "MLRO"}
    *_, third, _ = steps_of(reasons_of(findings(counted), NAMES), Terms(reported_to="MLRO"))
    assert f"{asked}a match of which the list is not named (SCR-1)" in third
    address = reasons_of(findings({"path": "address.outcome"}), NAMES)
    assert not any(asked in step for step in steps_of(address, Terms(reported_to="MLRO")))
    declined = steps_of(reasons_of(findings(DECLINE, credit), NAMES), Terms(reported_to="MLRO"))
    assert sum("reports it internally" in step for step in declined) == 1
    assert not any("report it internally" in step for step in declined)


def test_the_customer_hears_nothing_before_the_mlro_agrees_where_a_report_is_decided_on() -> None:
    """As where a finding asks for a report: a red flag alone, without a match and without a hold."""
    credit = {"rule_id": "WLT-2", "path": "wealth.flags.b", "sentence": "Large unexplained credit: 5 (E-10)"}
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed", "sentence": "Unconfirmed (E-02)"}
    terms = Terms(reported_to="MLRO", questions=("where it came from",))
    for rows in ((credit, identity), (DECLINE, credit, identity)):
        why = reasons_of(findings(*rows), NAMES)
        made = steps_of(why, terms)
        (at,) = (place for place, step in enumerate(made) if "whether to report to the" in step)
        assert (
            "The customer must not learn of it, and the customer is contacted only if the MLRO agrees."
            in made[at]
        )
        later = [step for step in made[at + 1 :] if "Analyst: " in step and " ask the " in step]
        assert len(later) == 2
        assert all("Analyst: when the MLRO agrees, " in step for step in later)
        todo = to_do_of(None, (), why, (), terms)
        assert "the MLRO agrees" in todo.waits
        assert not any("MLRO agrees" in step for step in steps_of(why, Terms(questions=terms.questions)))


def test_the_check_on_the_need_for_a_report_says_who_considers_one() -> None:
    assert terms_of(inputs_of(clear_customer())).reported_to == "MLRO"


def test_the_mlro_lifts_a_hold_of_somebody_else_on_their_advice() -> None:
    """Whoever owns a finding that holds the case has a say in lifting the hold, and only the MLRO lifts it."""
    money = {"path": "wealth.flags.x", "rule_id": "WLT-1", "action": "hold", "level": "edd"}
    for owner, advice in (("MLRO", ""), ("Head of Wealth", ", on advice from the Head of Wealth")):
        first, *_, lifted, _ = steps(money | {"owner": owner})
        assert first.startswith(f"1. {owner}: hold the case; ")
        assert f"MLRO: say whether the hold is lifted{advice}, and record the decision." in lifted
    owners = {
        rule.owner for rule in load_policy().rules if rule.id.startswith("WLT-") and rule.action == "hold"
    }
    assert owners == {"MLRO"}


def test_what_the_risk_file_lacks_and_monitoring_that_was_not_ordered_are_steps_with_an_owner() -> None:
    terms = Terms(needed_of_file=FILE, unmonitored=("session S1",))
    file, monitored, collected, decided = steps_of((), terms)
    assert file == f"1. Analyst: {FILE}."
    assert collected == "3. Analyst: collect the evidence again and make a new pack."
    assert monitored == "2. MLRO: decide whether to order monitoring for session S1, which has none."
    assert decided.startswith("4. Analyst: decide on the new pack whether to approve the customer")
    *_, declined, file, monitored, collected, _ = steps_of(reasons_of(findings(DECLINE), NAMES), terms)
    assert declined.endswith(" Steps 4 to 6 follow only if the customer is not rejected.")
    assert file == f"4. Analyst: {FILE}."
    assert monitored.startswith("5. MLRO: decide whether to order")
    assert collected.startswith("6. Analyst: collect the evidence")


@pytest.mark.parametrize("ordered", [True, False])
def test_a_session_without_monitoring_has_a_step(*, ordered: bool) -> None:
    (session,) = KNOWN["sessions"]
    checks = {**IDENTITY, "amlExtensiveMonitoring": ordered}
    known = {**KNOWN, "sessions": [session | {"ordered": {"identity": checks, "ais": None}}]}
    made = contents_of(clear_customer(known=known))
    step = "MLRO: decide whether to order monitoring for session S1, which has none."
    assert any(one.endswith(step) for one in made.steps) != ordered


def test_the_list_of_a_match_that_may_be_any_is_found_out_before_a_decline() -> None:
    screened = {"evidence_ids": ["E-04"], "owner": "MLRO"}
    office = screened | {
        "rule_id": "PEP-1",
        "path": "screening.summary.pep.level1",
        "action": "senior_approval",
        "level": "edd",
        "sentence": "An office (E-04)",
    }
    counted = screened | {"rule_id": "SCR-1", "path": "screening.matchCount", "sentence": "Matches: 2 (E-04)"}
    made = steps_of(why_of(reasons_of(findings(DECLINE, office, counted), NAMES), ()))
    (asked,) = (place for place, step in enumerate(made) if "on which list each match is" in step)
    (frozen,) = (place for place, step in enumerate(made) if FREEZE in step)
    (declined,) = (place for place, step in enumerate(made) if "reject the customer" in step)
    assert asked < frozen < declined


def test_the_list_of_a_match_that_may_be_any_is_found_out_before_the_customer_is_asked_anything() -> None:
    counted = {"rule_id": "SCR-1", "path": "screening.matchCount", "owner": "MLRO"}
    media = {
        "rule_id": "OUT-screening",
        "path": "screening.summary.adverseMedia.x",
        "owner": "MLRO",
        "sentence": "Media (E-03)",
    }
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed", "sentence": "Unconfirmed (E-02)"}
    found = reasons_of(findings(counted, media, identity), NAMES)
    which, frozen, money, again, judged, _ = steps_of(found, Terms(questions=("where it came from",)))
    assert which == (
        "1. MLRO: find out from the provider on which list each match is, and check whether it is this person (SCR-1)."
    )
    assert frozen == f"2. MLRO: {FREEZE}; until that is settled, nothing is approved or paid. {ON_ANY_LIST}"
    assert money.startswith("3. Analyst: when the MLRO agrees, ask the customer")
    assert again.startswith("4. Analyst: when the MLRO agrees, have the customer repeat")
    assert judged.startswith("5. MLRO: get the reports")


def test_page_one_says_what_a_match_on_a_list_not_named_holds_up_where_no_rule_holds_the_case() -> None:
    counted = {"rule_id": "SCR-1", "path": "screening.matchCount", "owner": "MLRO"}
    until = "Until the list of every match is known, nothing is approved or paid."
    office = {"rule_id": "PEP-1", "path": "screening.summary.pep.level1", "action": "senior_approval"}
    for rows in ((counted,), (counted, {"path": "age", "level": "edd"}), (counted, office)):
        made = to_do_of(None, (), reasons_of(findings(*rows), NAMES), (), Terms())
        assert made.first.endswith(until)
        assert any(step.endswith(until) for step in made.steps)
    held = counted | {"rule_id": "SCR-6", "path": "plausible.unnamed_matches", "action": "hold"}
    made = to_do_of(None, (), reasons_of(findings(counted, held), NAMES), (), Terms())
    assert "Until the hold is lifted, nothing is approved, paid or rejected" in made.first
    assert until not in made.first


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


def test_a_decline_that_takes_the_mlro_says_so_where_the_customer_is_declined() -> None:
    terms = Terms(of_lists=frozenset({"SAN-1"}))
    for rows, is_said in (((DECLINE, LIST), True), ((DECLINE,), False)):
        made = steps_of(reasons_of(findings(*rows), NAMES), terms)
        (declined,) = (step for step in made if "reject the customer because of" in step)
        assert ("may be rejected, with the MLRO as one of the two people." in declined) == is_said


def test_the_provider_is_asked_once_about_the_matches_of_a_matter() -> None:
    screened = {"evidence_ids": ["E-04"], "owner": "MLRO"}
    counted = screened | {"rule_id": "SCR-1", "path": "screening.matchCount", "sentence": "Matches: 2 (E-04)"}
    office = screened | {
        "rule_id": "PEP-2",
        "path": "screening.summary.pep.level2",
        "action": "senior_approval",
        "level": "edd",
    }
    made = " ".join(steps_of(why_of(reasons_of(findings(office, counted), NAMES), ())))
    assert made.count("provider") == 1
    assert "if a match is this person, find out for which office, and establish the source of wealth" in made
    listed = screened | {
        "rule_id": "SAN-1",
        "path": "screening.summary.watchlist.sanctionsLists",
        "action": "hold",
        "level": "escalate",
    }
    first, *_ = steps_of(why_of(reasons_of(findings(listed, counted), NAMES), ()))
    assert "check with the provider whether any match on sanctions lists is this person" in first
    assert "on which list each further match is" in first
