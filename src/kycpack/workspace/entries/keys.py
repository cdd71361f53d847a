"""Who may do what: keys and roles, granted and revoked in ledger entries by another person."""

from __future__ import annotations

from typing import Any

import pandas as pd

from kycpack.errors import InputError
from kycpack.workspace.entries.ledger_writer import LedgerPart, check_name
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.entries.verify_ledger import ROLES
from kycpack.workspace.rows import check_choice

_KEY_DIGITS = 64


class Keys(LedgerPart):
    """The people of a workspace, their keys and their roles.

    Args:
        ledger: The workspace's ledger.
        actor: Who acts if a method names nobody.
    """

    def frame(self) -> pd.DataFrame:
        """Return the enrolled people as a frame: name, fingerprint, enrolled_by, roles."""
        return pd.DataFrame(self.rows(), columns=["name", "fingerprint", "enrolled_by", "roles"])

    def rows(self) -> list[dict[str, Any]]:
        """Return the enrolled people, one entry per person."""
        people = self._ledger.people()
        of_person = {key: print_ for print_, (_, key) in people.keys.items()}
        return [
            {
                "name": person.name,
                "fingerprint": of_person.get(person.public_key, ""),
                "enrolled_by": person.enrolled_by,
                "roles": sorted(person.roles),
            }
            for person in people.persons.values()
        ]

    def enrol(self, name: str, public_key: str = "", *, actor: Actor | None = None) -> None:
        """Enrol a person, or a new key of that person. The first person enrols themselves and becomes the administrator.

        Args:
            name: The person's name in settings and decisions.
            public_key: 64 hex digits; empty in a workspace whose people have no keys.
            actor: Who enrols: an administrator other than the person enrolled.

        Raises:
            InputError: The name or the key cannot be used.
            WorkspaceError: The actor may not do this.
        """
        check_name(name)
        if public_key and (len(public_key) != _KEY_DIGITS or set(public_key) - set("0123456789abcdef")):
            raise InputError("a public key has 64 hex digits", place="public key")
        data = {"name": name, "public_key": public_key} if public_key else {"name": name}
        self._record("key.enrolled", data, actor)

    def revoke(self, name: str, *, actor: Actor | None = None) -> None:
        """Revoke a person's key; what was signed with it before stays valid."""
        self._record("key.revoked", {"name": check_name(name)}, actor)

    def grant(self, name: str, role: str, *, actor: Actor | None = None) -> None:
        """Grant a role.

        Args:
            name: The person.
            role: administrator, MLRO or senior_manager.
            actor: Who grants it: an administrator other than that person.
        """
        self._record(
            "role.granted", {"name": check_name(name), "role": check_choice(role, ROLES, "role")}, actor
        )

    def withdraw(self, name: str, role: str, *, actor: Actor | None = None) -> None:
        """Withdraw a role."""
        self._record(
            "role.revoked", {"name": check_name(name), "role": check_choice(role, ROLES, "role")}, actor
        )

    def _record(self, kind: str, data: dict[str, str], actor: Actor | None) -> None:
        who = self._who(actor)
        with self._ledger.writing() as writer:
            writer.append(kind, data, actor=who)
