"""Steps about matches of the screening, and about holds: what is found out first, who lifts a hold, and who decides."""

from __future__ import annotations

import re
from datetime import date

import pytest
from tests.render.said_steps import steps_of
from tests.render.step_findings import (
    BY_ONE,
    BY_ONE_LATER,
    BY_TWO,
    DECIDED,
    DECLINE,
    LIST,
    NAMES,
    NOT_OPENED,
    findings,
    steps,
)

from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.matters import why_of
from kycpack.render.review.reasons import reasons_of
from kycpack.render.review.steps import FREEZE, ON_ANY_LIST, ON_OTHER_LISTS
from kycpack.triage import load_policy
from kycpack.triage.policies.policy import is_among
from kycpack.workspace import Decision, Disposition
from kycpack.workspace.cases.case_records import Case, CaseFinding
from kycpack.workspace.cases.decisions import rule_on
from kycpack.workspace.entries.verify_ledger import MLRO


def test_what_the_money_leaves_open_is_asked_before_the_decision_and_in_a_hold_only_if_the_mlro_agrees() -> (
    None
):
    where = "where the money came from that was in A1 before the first transaction"
    asked = f"ask the customer {where}, with evidence (see “What this pack cannot show”)."
    terms = Terms(questions=(where,))
    assert steps_of((), terms) == (f"1. Analyst: {asked}", f"2. {DECIDED.replace(BY_ONE, BY_ONE_LATER)}")
    found = findings({"rule_id": "WLT-1", "owner": "MLRO", "action": "hold", "level": "edd"})
    held = steps_of(reasons_of(found, NAMES), terms)
    assert held[1] == f"2. Analyst: when the MLRO agrees, {asked}"
    assert "record the decision" in held[2]


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
        "2. MLRO: say whether the hold is lifted, on advice from the Analyst, and record the decision. Once the hold is recorded, an approval or a rejection takes two people, because it ends the hold."
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
