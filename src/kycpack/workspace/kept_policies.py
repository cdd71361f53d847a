"""The policies under which cases were judged, stored with the cases byte for byte."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select

from kycpack.errors import WorkspaceError
from kycpack.triage.decision_rules import DecisionRules
from kycpack.triage.policy import Policy
from kycpack.triage.policy_file import read_policy
from kycpack.workspace.rows import read_json
from kycpack.workspace.schema import ledger_entries, ledger_payloads, policies

SEEN, APPROVED, WITHDRAWN = "seen", "approved", "withdrawn"
STATE_BY_KIND = {"policy.approved": APPROVED, "policy.withdrawn": WITHDRAWN}
"""The state of a policy after each kind of entry."""


def keep_policy(connection: Connection, policy: Policy) -> None:
    """Store a policy within a transaction, so that a case is decided under the same bytes that judged it."""
    if connection.scalar(select(policies.c.digest).where(policies.c.digest == policy.digest)) is None:
        connection.execute(
            insert(policies).values(
                digest=policy.digest,
                policy_id=policy.id,
                version=policy.version,
                source=policy.source,
                state=SEEN,
            )
        )


def kept_policy(connection: Connection, digest: str) -> tuple[str, Policy]:
    """Return the state of a stored policy, and the policy.

    Raises:
        WorkspaceError: It is not stored, or was changed in the workspace.
    """
    row = connection.execute(select(policies).where(policies.c.digest == digest)).mappings().first()
    if row is None:
        raise WorkspaceError(
            f"the policy {digest[:12]} of this case is not in the workspace; run the batch again"
        )
    named = f"{row['policy_id']} {row['version']}"
    policy = read_policy(bytes(row["source"]), named)
    if policy.digest != digest:
        raise WorkspaceError(
            f"the policy {named} was changed in the workspace; it is not the one that judged this case"
        )
    return str(row["state"]), policy


def rules_in_force(connection: Connection, digest: str) -> tuple[dict[str, Any], DecisionRules]:
    """Return a stored policy's id, version, digest and state, and its rules for decisions.

    Raises:
        WorkspaceError: It was withdrawn, is not stored, was changed in the workspace, or its state differs from the ledger.
    """
    state, policy = kept_policy(connection, digest)
    recorded = last_entries(connection).get(digest, {"state": SEEN})["state"]
    if state != recorded:
        raise WorkspaceError(
            f"the workspace has the policy {policy.id} {policy.version} as {state}, and the ledger has it as {recorded}; "
            "`kycpack ledger verify` names what was changed"
        )
    if state == WITHDRAWN:
        raise WorkspaceError(
            f"the policy {policy.id} {policy.version} was withdrawn; run the batch again under the one in force"
        )
    return {
        "id": policy.id,
        "version": policy.version,
        "digest": digest,
        "state": state,
    }, policy.decisions


def last_entries(connection: Connection) -> dict[str, dict[str, Any]]:
    """Return the last ledger entry about each policy, by digest."""
    query = (
        select(ledger_payloads.c.seq, ledger_payloads.c.payload, ledger_entries.c.signature)
        .join(ledger_entries, ledger_entries.c.seq == ledger_payloads.c.seq)
        .where(ledger_payloads.c.kind.in_(STATE_BY_KIND))
        .order_by(ledger_payloads.c.seq)
    )
    found: dict[str, dict[str, Any]] = {}
    for row in connection.execute(query):
        payload = read_json(row.payload, "payload")
        found[payload["data"]["digest"]] = {
            "state": STATE_BY_KIND[payload["kind"]],
            "by": payload["actor"],
            "at": payload["at"],
            "seq": int(row.seq),
            "signed": bool(row.signature),
        }
    return found
