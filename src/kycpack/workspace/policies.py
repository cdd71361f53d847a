"""The policies of a workspace, approved and withdrawn in ledger entries."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update

from kycpack.frames.gaps import STANDING_GAPS
from kycpack.models.cards import MethodsCard
from kycpack.triage.policy import Policy
from kycpack.workspace.kept_policies import APPROVED, WITHDRAWN, keep_policy, last_entries
from kycpack.workspace.ledger import Ledger
from kycpack.workspace.ledger_writer import named_person
from kycpack.workspace.rationale import check_text
from kycpack.workspace.schema import policies
from kycpack.workspace.signing import Actor

NOT_APPROVED = {"state": "not approved", "by": "", "at": "", "seq": 0, "signed": False}


class Policies(MethodsCard):
    """The policies of a workspace: which versions are approved, by whom.

    Args:
        ledger: The workspace's ledger.
        actor: Who acts if a method names nobody.
    """

    def __init__(self, ledger: Ledger, actor: Actor | None = None) -> None:
        self._ledger = ledger
        self._actor = actor

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
        who = named_person(actor, self._actor)
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
