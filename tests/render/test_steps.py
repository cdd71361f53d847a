"""What is done in a case, in which order, and who does it."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest
from tests.render.said_steps import steps_of
from tests.render.specimen_review import contents_of, inputs_of, with_body
from tests.render.step_findings import (
    BY_ONE,
    BY_ONE_LATER,
    BY_TWO,
    DECIDED,
    DECLINE,
    LIST,
    NAMES,
    NO_GAPS,
    NOT_OPENED,
    UNSEEN,
    findings,
    steps,
)
from tests.render.test_decision import DECISION
from tests.render.test_matters import troubled

from kycpack.evidence import Evidence
from kycpack.models.dates import day_words
from kycpack.render.document_parts import Cell, Table
from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms, second_person
from kycpack.render.review.case_record import terms_of
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.findings import findings_section
from kycpack.render.review.not_known import held_words
from kycpack.render.review.reasons import reasons_of, unknowns_of
from kycpack.render.review.steps import found_of
from kycpack.triage import load_policy
from kycpack.triage.levels import ANALYST

FILE = "get the customer's risk file from the department that keeps it, and enter it in the register of customers"


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


@pytest.mark.parametrize("level", ["edd", "escalate"])
def test_page_one_says_which_decision_takes_two_people(level: str) -> None:
    held = {"rule_id": "WLT-1", "owner": "MLRO", "action": "hold", "level": level}
    for row, by_two in (
        (
            held,
            "Once the hold is recorded, an approval or a rejection takes two people, because it ends the hold; both wait until the MLRO agrees.",
        ),
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


def test_a_check_that_could_not_be_evaluated_stands_in_the_findings_with_its_rule() -> None:
    row = {"outcome": "UNKNOWN", "path": "wealth.payment_support", "cause": "It is not known."}
    found = findings(row | {"rule_id": "PAY-1"}, row | {"rule_id": "EDD-1"}, row | {"rule_id": "RES-7"})
    section = findings_section(found, (), unknowns_of(found, NAMES, NO_GAPS), Cell(""))
    (listed,) = [block for block in section.blocks if isinstance(block, Table) and block.rows]
    (cells,) = listed.rows
    assert [cell.text for cell in cells][1] == "A check (PAY-1, EDD-1, RES-7)"


@pytest.mark.parametrize("outcome", ["HIT", "UNKNOWN"])
def test_evidence_for_enhanced_due_diligence_is_one_duty_whatever_of_it_is_missing(outcome: str) -> None:
    row = {"rule_id": "EDD-1", "outcome": outcome, "owner": "MLRO", "level": "edd"}
    made = {steps(row | {"path": path})[0] for rule, path in paths() if rule == "EDD-1"}
    assert made == {"1. MLRO: get documents that prove the source of wealth (EDD-1)."}


def test_getting_the_risk_file_is_a_step_before_the_decision(specimen: Evidence) -> None:
    file, made_anew, decided = steps_of((), Terms(needed_of_file=FILE))
    assert file == f"1. Analyst: {FILE}."
    assert made_anew == "2. Analyst: collect the evidence again and make a new pack."
    assert (
        decided
        == f"3. {DECIDED.replace('decide whether', 'decide on the new pack whether').replace(BY_ONE, BY_ONE_LATER)}"
    )
    assert steps_of(()) == (f"Analyst: record the decision. {BY_ONE.replace('level', 'level (approve)')}",)
    made = contents_of(specimen)
    assert (made.tables["limits"]["code"] == "risk_not_given").any()
    assert sum("the customer's risk file" in step for step in made.steps) == 1


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


def test_the_default_policy_gives_the_steps_their_terms(specimen: Evidence) -> None:
    inputs = inputs_of(specimen)
    made = terms_of(inputs)
    due = next(iter(inputs.triage.recommendations["next_review_on"]))
    assert made.alone_up_to == "review"
    assert {"SAN-1", "SAN-2", "SAN-3"} <= made.of_lists
    assert made.next_review == f"the next review on {day_words(date.fromisoformat(due))}"


def test_a_detail_that_could_not_be_compared_is_not_asked_about_as_if_it_disagreed() -> None:
    row = {"rule_id": "RES-7", "path": "plausible.mixed_alphabets"}
    assert "those that disagree (RES-7)" in steps(row)[0]
    unknown = row | {"rule_id": "RES-8", "outcome": "UNKNOWN", "cause": "The name cannot be read."}
    assert (
        "look at the pictures of the documents for a check, which could not be checked (RES-8)"
        in steps(unknown)[0]
    )
    assert "those that disagree (RES-7); look at the pictures" in steps(row, unknown)[0]


def test_closer_monitoring_says_what_by_whom_and_until_when() -> None:
    flag = {"rule_id": "WLT-1", "path": "wealth.flags.pass_through", "owner": "MLRO", "action": "hold"}
    found = reasons_of(findings(flag | {"level": "edd", "sentence": "Money moved on (E-07)"}), NAMES)
    assert steps_of(found, Terms(next_review="the next review on 1 Dec 2027"))[-1] == (
        "3. MLRO: after an approval, monitor payments, above all those like “Money moved on”, more closely until the next review on "
        "1 Dec 2027 (WLT-1)."
    )
    assert not any("monitor" in step for step in steps(LIST))


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


def test_what_takes_two_people_because_of_a_hold_does_so_from_the_day_it_is_recorded() -> None:
    why = reasons_of(findings({"rule_id": "WLT-1", "owner": "MLRO", "action": "hold"}), NAMES)
    said = [second_person(why, found_of(why, terms), terms) for terms in (Terms(), Terms(is_held=True))]
    assert said == [
        f"{begins} approval or a rejection takes two people, because it ends the hold; both wait until the MLRO agrees."
        for begins in ("Once the hold is recorded, an", "An")
    ]


def test_the_box_says_that_a_case_is_held_first_until_somebody_decides() -> None:
    held, asked = (
        reasons_of(findings({"rule_id": "WLT-1", "owner": "MLRO", "action": action}), NAMES)
        for action in ("hold", "ask")
    )
    to_do = to_do_of(None, (), held, (), Terms())
    said = "First hold the case: until the hold is lifted, nothing is approved, paid or rejected."
    assert held_words(held, to_do, None) == held_words(held, to_do, CaseRecord()) == said
    assert held_words(held, to_do, CaseRecord(DECISION)) == ""
    assert held_words(asked, to_do_of(None, (), asked, (), Terms()), None) == ""
