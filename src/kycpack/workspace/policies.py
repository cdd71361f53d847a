"""The policies that cases rest on: kept with the cases, approved and withdrawn by entries of the ledger."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select, update

from kycpack.errors import WorkspaceError
from kycpack.triage.decision_rules import DecisionRules
from kycpack.triage.policy import Policy
from kycpack.triage.policy_file import read_policy
from kycpack.workspace import schema
from kycpack.workspace.ledger import Ledger
from kycpack.workspace.rationale import check_text
from kycpack.workspace.signing import Actor

SEEN, APPROVED, WITHDRAWN = "seen", "approved", "withdrawn"


def keep_policy(connection: Connection, policy: Policy) -> None:
    """Keep a policy, so that a case can be decided by the very bytes that judged it; within a transaction."""
    table = schema.policies
    if connection.scalar(select(table.c.digest).where(table.c.digest == policy.digest)) is None:
        connection.execute(
            insert(table).values(
                digest=policy.digest,
                policy_id=policy.id,
                version=policy.version,
                source=policy.source,
                state=SEEN,
            )
        )


def rules_in_force(connection: Connection, digest: str) -> tuple[dict[str, Any], DecisionRules]:
    """Return a kept policy's id, version, digest and state, and what it says of decisions.

    Raises:
        WorkspaceError: It was withdrawn, or is not kept.
    """
    table = schema.policies
    row = connection.execute(select(table).where(table.c.digest == digest)).mappings().first()
    if row is None:
        raise WorkspaceError(
            f"the policy {digest[:12]} of this case is not in the workspace; run the batch again"
        )
    if row["state"] == WITHDRAWN:
        raise WorkspaceError(
            f"the policy {row['policy_id']} {row['version']} was withdrawn; run the batch again under the one in force"
        )
    named = {"id": row["policy_id"], "version": row["version"], "digest": digest, "state": row["state"]}
    return named, read_policy(bytes(row["source"]), f"{row['policy_id']} {row['version']}").decisions


def approve_policy(ledger: Ledger, policy: Policy, text: str, actor: Actor) -> None:
    """Record that a version of a policy is approved, and with it the gaps that always stand.

    Args:
        ledger: The ledger.
        policy: The policy.
        text: Why.
        actor: Who approves.
    """
    _set(ledger, policy, APPROVED, "policy.approved", text, actor)


def withdraw_policy(ledger: Ledger, policy: Policy, text: str, actor: Actor) -> None:
    """Record that a version of a policy is withdrawn: no case is decided by it any more."""
    _set(ledger, policy, WITHDRAWN, "policy.withdrawn", text, actor)


def _set(ledger: Ledger, policy: Policy, state: str, kind: str, text: str, actor: Actor) -> None:
    check_text(text)
    with ledger.writing() as writer:
        keep_policy(writer.connection, policy)
        data = {"id": policy.id, "version": policy.version, "digest": policy.digest, "text": text}
        writer.append(kind, data, actor=actor)
        is_policy = schema.policies.c.digest == policy.digest
        writer.connection.execute(update(schema.policies).where(is_policy).values(state=state))
