"""Cases of customers who were cleared without a person's decision, when a person disagrees in a sample."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert, select

from kycpack.triage.levels import HIT
from kycpack.workspace.cases.case_changes import cases_of_ids, change, reopened, undisposed
from kycpack.workspace.cases.case_history import erased_entries
from kycpack.workspace.cases.case_records import (
    Case,
    CaseFinding,
    looked_at,
    renumbered,
)
from kycpack.workspace.cases.policies import kept_policy
from kycpack.workspace.entries.ledger_writer import Writer
from kycpack.workspace.entries.verify_ledger import SAMPLE_RULE, case_id_of
from kycpack.workspace.schema import cases, cleared_customers

_OCCASION = "event"
_LEVEL = "review"
_REASON = "A person disagreed that no decision was needed"


def open_disagreement(writer: Writer, customer_id: str, sample_id: str, run_id: str, reviewer: str) -> str:
    """Open a case for a disagreement, or add it to the customer's event case; within a transaction.

    Args:
        writer: The transaction.
        customer_id: The customer.
        sample_id: The sample.
        run_id: The run that cleared the customer.
        reviewer: The person who disagreed.

    Returns:
        The id of the case.
    """
    row = _looked_at(writer.connection, customer_id, run_id)
    case_id = case_id_of(customer_id, _OCCASION)
    finding = CaseFinding(
        finding_id="",
        key=hashlib.sha256(f"{SAMPLE_RULE} {sample_id}".encode()).hexdigest()[:32],
        rule_id=SAMPLE_RULE,
        outcome=HIT,
        level=_LEVEL,
        owner="Analyst",
        subject="",
        title="Sample of cleared customers",
        sentence=f"{reviewer} looked at the pack for {sample_id} and disagreed that no decision was needed",
    )
    before = cases_of_ids(writer.connection, [case_id]).get(case_id)
    if before is None:
        _open(writer, case_id, row, run_id, finding, sample_id)
        return case_id
    findings = renumbered((*before.findings, finding), before.findings)
    after = replace(before, findings=findings)
    if before.state == "closed":
        after = reopened(after, writer.at)
    elif before.state == "second_review":
        after = replace(undisposed(after), state="in_review", reopens_on=None)
    elif before.state in {"snoozed", "waiting_for_customer"}:
        after = replace(after, state="in_review", snoozed_until=None)
    kind = "case.reopened" if before.state == "closed" else "case.updated"
    change(writer, after, kind, {"reason": _REASON, "sample_id": sample_id})
    return case_id


def _looked_at(connection: Connection, customer_id: str, run_id: str) -> Any:
    """Return the evidence and policy under which the customer was cleared, by the run or by a person since."""
    by_run = select(
        cleared_customers.c.customer_id, cleared_customers.c.evidence_root, cleared_customers.c.policy_digest
    ).where(cleared_customers.c.run_id == run_id, cleared_customers.c.customer_id == customer_id)
    by_person = (
        select(cases.c.customer_id, cases.c.evidence_root, cases.c.policy_digest)
        .where(cases.c.customer_id == customer_id)
        .order_by(cases.c.changed_at.desc())
    )
    return connection.execute(by_run).mappings().first() or connection.execute(by_person).mappings().first()


def _open(
    writer: Writer, case_id: str, cleared: Any, run_id: str, finding: CaseFinding, sample_id: str
) -> None:
    made = Case(
        case_id=case_id,
        customer_id=cleared["customer_id"],
        occasion=_OCCASION,
        state="open",
        version=1,
        entries=erased_entries(writer.connection, [case_id]).get(case_id, 0) + 1,
        level=_LEVEL,
        top_reason=_REASON,
        run_id=run_id,
        evidence_root=cleared["evidence_root"],
        policy_digest=cleared["policy_digest"],
        opened_at=writer.at,
        changed_at=writer.at,
        findings=renumbered((finding,), ()),
    )
    _, policy = kept_policy(writer.connection, made.policy_digest)
    data = {
        "customer_id": made.customer_id,
        **looked_at(made, policy, prepared_by=""),
        "reason": _REASON,
        "sample_id": sample_id,
        "state": made.state,
    }
    writer.append("case.opened", data, case_id=case_id, case_entry=made.entries)
    writer.connection.execute(insert(cases), [made.to_row()])
