"""Deciding a case: the first person's decision, the second person's approval, and sending a decision back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert, select

from kycpack.errors import CaseChangedError, WorkspaceError
from kycpack.workspace.cases.case_changes import change, undisposed
from kycpack.workspace.cases.case_history import history_of, last_change, open_case
from kycpack.workspace.cases.case_records import Case, CaseFinding
from kycpack.workspace.cases.decisions import Decision, decision_data, rule_on
from kycpack.workspace.cases.policies import rules_in_force
from kycpack.workspace.entries.ledger_writer import Writer
from kycpack.workspace.entries.rationale import check_rationale
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.entries.verify_ledger import (
    FREEZES,
    THROUGH_OTHERS,
    hand_of,
    hands_after,
    rationale_digest,
    rests_on_erased,
)
from kycpack.workspace.schema import rationales


def decide_case(writer: Writer, case_id: str, decision: Decision, version: int, actor: Actor) -> Case:
    """Decide a case, within a transaction; see `Cases.decide`.

    Raises:
        CaseChangedError: The case waits for a second person already, or has changed.
        InputError: The decision does not fit the policy or the case.
    """
    case = open_case(writer, case_id, version)
    if case.state == "second_review":
        if decision.outcome not in FREEZES:
            raise CaseChangedError(
                f"{last_change(writer.connection, case)}; approve that decision or send it back first"
            )
        # A hold or an escalation does not wait for anybody; it withdraws the decision that was waiting.
        case = replace(undisposed(case), reopens_on=None)
    policy, rules = rules_in_force(writer.connection, case.policy_digest)
    history = list(history_of(writer.connection, case_id))
    if rests_on_erased(history):
        raise WorkspaceError(
            f"entries of case {case_id} were erased, and no run has judged it since it was opened again; run the batch again"
        )
    ruling = rule_on(case, decision, rules, checked=_checked(history), day=writer.now.date())
    decision_id = _next_decision(case)
    digest = rationale_digest(decision.text)
    data = {
        **decision_data(decision, ruling, rules),
        "decision_id": decision_id,
        "corrects": case.decision_id or "",
        "text_used_before": _used_before(writer.connection, digest),
        "looked_at": {
            "evidence_root": case.evidence_root,
            "run_id": case.run_id,
            "policy": policy,
            "level": case.level,
            "findings": [_finding(finding) for finding in ruling.findings],
        },
    }
    is_closed = ruling.state == "closed"
    decided = replace(
        case,
        state=ruling.state,
        findings=ruling.findings,
        effect=ruling.effect,
        outcome=decision.outcome,
        decision_id=decision_id,
        reopens_on=ruling.reopens_on,
        snoozed_until=None,
        closed_at=writer.at if is_closed else None,
    )
    made = change(writer, decided, "case.decided", data, actor)
    writer.connection.execute(insert(rationales).values(decision_id=decision_id, digest=digest))
    return made


def approve_case(writer: Writer, case_id: str, text: str, version: int, actor: Actor) -> Case:
    """Approve the decision of another person, within a transaction; see `Cases.approve`.

    Raises:
        WorkspaceError: The case does not wait for a second person.
    """
    case = _waiting_case(writer, case_id, version)
    check_rationale(text, (), [finding.finding_id for finding in case.findings])
    rules_in_force(writer.connection, case.policy_digest)
    history = list(history_of(writer.connection, case_id))
    decided = [entry for entry in history if entry["kind"] == "case.decided"][-1]
    _check_second_person(writer, actor, history, decided)
    is_known, digest = writer.people.signed, rationale_digest(text)
    data = {
        "decision_id": case.decision_id or "",
        "outcome": case.outcome or "",
        "text": text,
        "authenticated": is_known,
        "note": "" if is_known else "second person not authenticated",
        "text_used_before": decided["data"]["text_used_before"],
        "own_text_used_before": _used_before(writer.connection, digest),
    }
    closed = replace(
        case,
        state="closed",
        closed_at=writer.at,
        effect=case.effect if case.outcome == "escalate" else None,
    )
    made = change(writer, closed, "case.approved", data, actor)
    kept = {"decision_id": f"{case.decision_id}-A", "digest": digest}
    writer.connection.execute(insert(rationales).values(kept))
    return made


def send_case_back(writer: Writer, case_id: str, text: str, version: int, actor: Actor) -> Case:
    """Send a decision back, within a transaction; see `Cases.send_back`.

    Raises:
        WorkspaceError: The case does not wait for a second person.
    """
    case = _waiting_case(writer, case_id, version)
    data = {"decision_id": case.decision_id or "", "text": text}
    back = replace(undisposed(case), state="in_review", reopens_on=None)
    return change(writer, back, "case.returned", data, actor)


def _waiting_case(writer: Writer, case_id: str, version: int) -> Case:
    case = open_case(writer, case_id, version)
    if case.state != "second_review":
        raise WorkspaceError(f"case {case_id} does not wait for a second person; it is {case.state_words}")
    return case


def _next_decision(case: Case) -> str:
    """Return the id of the next decision; the case keeps the number of the last one even if its entry was erased."""
    number = int(case.decision_id.rpartition("-D")[2]) if case.decision_id else 0
    return f"{case.case_id}-D{number + 1}"


def _checked(history: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the checklist items done since the case was last opened."""
    done: set[str] = set()
    for entry in history:
        if entry["kind"] in {"case.opened", "case.reopened"}:
            done.clear()
        elif entry["kind"] == "case.checked":
            done.add(entry["data"]["item"])
    return done


def _check_second_person(
    writer: Writer, who: Actor, history: Sequence[Mapping[str, Any]], decided: Mapping[str, Any]
) -> None:
    hands: Mapping[str, str] = {}
    for entry in history:
        hands = hands_after(hands, entry)
    if how := hand_of(who.name, hands):
        raise WorkspaceError(f"{who.name} {how} this case, so somebody else has to be the second person")
    people = writer.people
    if by := people.puppet_of(who.name, hands):
        raise WorkspaceError(
            f"{who.name} was enrolled or given a role by {by}{THROUGH_OTHERS}, and {by} worked on this case; somebody "
            "else has to be the second person"
        )
    if missing := people.lacking(decided["data"]["roles"], (who.name, decided["actor"])):
        raise WorkspaceError(
            f"neither {decided['actor']} nor {who.name} holds the role {', '.join(missing)}; an administrator grants it "
            "with `kycpack keys grant`"
        )


def _used_before(connection: Connection, digest: str) -> int:
    return len(
        list(connection.scalars(select(rationales.c.decision_id).where(rationales.c.digest == digest)))
    )


def _finding(finding: CaseFinding) -> dict[str, Any]:
    return {
        "id": finding.finding_id,
        "key": finding.key,
        "rule": finding.rule_id,
        "outcome": finding.outcome,
        "level": finding.level,
        "sentence": finding.sentence,
        "evidence": list(finding.evidence_ids),
        "disposition": finding.disposition,
    }
