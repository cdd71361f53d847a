"""The policies of a workspace: those that judged its cases, stored byte for byte, and those approved and withdrawn in ledger entries."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select, update

from kycpack.errors import WorkspaceError
from kycpack.frames.gaps import STANDING_GAPS
from kycpack.triage.policies.policy import DecisionRules, Policy
from kycpack.triage.policy_file import read_policy
from kycpack.workspace.entries.ledger_writer import LedgerPart
from kycpack.workspace.entries.rationale import check_text
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.rows import read_json
from kycpack.workspace.schema import ledger_entries, ledger_payloads, policies

SEEN, APPROVED, WITHDRAWN = "seen", "approved", "withdrawn"
STATE_BY_KIND = {"policy.approved": APPROVED, "policy.withdrawn": WITHDRAWN}
"""The state of a policy after each kind of entry."""
NOT_APPROVED = {"state": "not approved", "by": "", "at": "", "seq": 0, "signed": False}


class Policies(LedgerPart):
    """The policies of a workspace: which versions are approved, by whom.

    Args:
        ledger: The workspace's ledger.
        actor: Who acts if a method names nobody.
    """

    def approve(self, policy: Policy, text: str, *, actor: Actor | None = None) -> None:
        """Record that a version of a policy is approved, together with the gaps that every pack has.

        Args:
            policy: The policy.
            text: Why.
            actor: Who approves: an enrolled person with the role senior_manager.

        Raises:
            InputError: The text is empty, or nobody is named.
            WorkspaceError: The actor may not do this.
        """
        self._set(policy, APPROVED, "policy.approved", text, actor)

    def withdraw(self, policy: Policy, text: str, *, actor: Actor | None = None) -> None:
        """Record that a version of a policy is withdrawn: no case can be decided under it any more.

        Args:
            policy: The policy.
            text: Why.
            actor: Who withdraws: an enrolled person with the role senior_manager or MLRO.

        Raises:
            InputError: The text is empty, or nobody is named.
            WorkspaceError: The actor may not do this.
        """
        self._set(policy, WITHDRAWN, "policy.withdrawn", text, actor)

    def approval(self, policy: Policy) -> dict[str, Any]:
        """Return the approval of a version of a policy.

        Args:
            policy: The policy.

        Returns:
            state (approved, withdrawn, or `not approved`), by, at (ISO 8601 UTC), seq of the ledger entry and whether it is signed
            with an enrolled key; by and at are empty and seq is 0 if nobody approved or withdrew it.
        """
        with self._ledger.workspace.reading() as connection:
            found = last_entries(connection).get(policy.digest)
        return found or dict(NOT_APPROVED)

    def rows(self) -> list[dict[str, Any]]:
        """Return the policies of the workspace: id, version, digest, state, by, at, seq and signed."""
        with self._ledger.workspace.reading() as connection:
            last = last_entries(connection)
            query = select(policies.c.policy_id, policies.c.version, policies.c.digest).order_by(
                policies.c.policy_id, policies.c.version, policies.c.digest
            )
            return [
                {"id": row.policy_id, "version": row.version, "digest": row.digest}
                | (last.get(row.digest) or dict(NOT_APPROVED))
                for row in connection.execute(query)
            ]

    def _set(self, policy: Policy, state: str, kind: str, text: str, actor: Actor | None) -> None:
        check_text(text)
        who = self._who(actor)
        with self._ledger.writing() as writer:
            keep_policy(writer.connection, policy)
            data: dict[str, Any] = {
                "id": policy.id,
                "version": policy.version,
                "digest": policy.digest,
                "text": text,
            }
            if state == APPROVED:
                data["accepted_gaps"] = list(STANDING_GAPS)
            writer.append(kind, data, actor=who)
            is_policy = policies.c.digest == policy.digest
            writer.connection.execute(update(policies).where(is_policy).values(state=state))


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
