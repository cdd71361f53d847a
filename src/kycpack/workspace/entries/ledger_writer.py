"""Writes to the ledger: an entry is checked, chained to the previous one, and written in the same transaction as what it records."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import rfc8785
from sqlalchemy import ColumnElement, Connection, delete, insert, select

from kycpack.errors import InputError, WorkspaceError
from kycpack.models.cards import MethodsCard
from kycpack.models.instants import format_microseconds
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.entries.verify_ledger import (
    PEOPLE_KINDS,
    START,
    SYSTEM,
    SYSTEM_KINDS,
    People,
    entry_hash,
    erasure_refusal,
    kind_refusal,
    name_fault,
    payload_digest,
)
from kycpack.workspace.rows import read_json
from kycpack.workspace.schema import ledger_entries, ledger_payloads

if TYPE_CHECKING:
    from kycpack.workspace.ledger.ledger import Ledger

_AT_ONCE = 5_000
KYCPACK = Actor(SYSTEM)
"""The actor if no person acts."""


class Writer:
    """A transaction that may write to the ledger; nobody else writes at the same time.

    Args:
        connection: The transaction.
        now: The clock's time.
        people: The enrolled people.
    """

    def __init__(self, connection: Connection, now: datetime, people: People) -> None:
        self.connection = connection
        self.now = now
        self.people = people
        self._seq, self._hash, latest = _last(connection)
        self._at = str(latest.get("at", ""))
        if latest and latest.get("kind") not in PEOPLE_KINDS:
            people.count(latest)  # an erased entry about keys or roles is missing from the people
        self._entries: list[dict[str, Any]] = []
        self._payloads: list[dict[str, Any]] = []

    @property
    def at(self) -> str:
        """The clock's time in the format of entries."""
        return format_microseconds(self.now)

    def append(
        self,
        kind: str,
        data: Mapping[str, Any],
        *,
        actor: Actor = KYCPACK,
        case_id: str | None = None,
        case_entry: int | None = None,
    ) -> str:
        """Append an entry.

        Args:
            kind: What happened, as in `case.decided`.
            data: The data to record; without floats, and with ASCII names.
            actor: Who acts.
            case_id: The case it is about.
            case_entry: The number of the entry within its case, from 1.

        Returns:
            Hash of the entry.

        Raises:
            InputError: The data has a float, or the actor's name cannot be used.
            WorkspaceError: The actor must sign and cannot, or may not do this.
        """
        if self._seq == 0 and kind != "ledger.opened":
            self.append("ledger.opened", {"ledger_id": secrets.token_hex(16)})
        payload: dict[str, Any] = {
            "kind": kind,
            "at": self.at,
            "actor": actor.name,
            "data": dict(data),
            "people_entries": self.people.entries,
        }
        if self.at < self._at:
            payload["clock_behind_seconds"] = int(
                (datetime.fromisoformat(self._at) - datetime.fromisoformat(self.at)).total_seconds()
            )
        if case_id is not None:
            payload |= {"case_id": case_id, "case_entry": case_entry}
        self._check(payload, actor)
        document = _canonical(payload)
        salt = secrets.token_hex(16)
        seq, digest = self._seq + 1, payload_digest(salt, document)
        hash_ = entry_hash(seq, self._hash, digest)
        signs = actor.key is not None and self.people.signed
        self._entries.append(
            {
                "seq": seq,
                "prev": self._hash,
                "digest": digest,
                "hash": hash_,
                "key": actor.key.fingerprint if signs and actor.key else None,
                "signature": actor.key.sign(hash_) if signs and actor.key else None,
            }
        )
        self._payloads.append(
            {"seq": seq, "kind": kind, "case_id": case_id, "salt": salt, "payload": document.decode()}
        )
        self._seq, self._hash, self._at = seq, hash_, self.at
        if len(self._entries) >= _AT_ONCE:
            self.flush()
        return hash_

    def flush(self) -> None:
        """Write the appended entries to the database; the transaction does so when it ends."""
        if self._entries:
            self.connection.execute(insert(ledger_entries), self._entries)
            self.connection.execute(insert(ledger_payloads), self._payloads)
        self._entries, self._payloads = [], []

    def erase(self, seq: int, reason: str, actor: Actor, case_entry: int | None = None) -> None:
        """Erase the payload of an entry; that it was erased, by whom and why is an entry itself.

        Args:
            seq: The entry.
            reason: Why.
            actor: Who erases it.
            case_entry: The number of the new entry within the case; None for an entry about a customer of a sample.

        Raises:
            WorkspaceError: There is no such payload, it is about nobody, or the actor is not an administrator.
        """
        self.flush()
        row = (
            self.connection.execute(select(ledger_payloads).where(ledger_payloads.c.seq == seq))
            .mappings()
            .first()
        )
        if row is None or (row["case_id"] is None and row["kind"] != "sample.reviewed"):
            raise WorkspaceError(f"entry {seq} has no payload of a case or of a sample that could be erased")
        if not self.people.administers(actor.name):
            raise WorkspaceError(f"only an administrator may erase a payload, and {actor.name} is not one")
        data: dict[str, Any] = {"seq": seq, "reason": reason}
        if row["case_id"] is not None:
            data["case_entry"] = read_json(row["payload"], "payload")["case_entry"]
        self.append("payload.erased", data, actor=actor, case_id=row["case_id"], case_entry=case_entry)
        self.connection.execute(delete(ledger_payloads).where(ledger_payloads.c.seq == seq))

    def _check(self, payload: Mapping[str, Any], actor: Actor) -> None:
        kind, name = payload["kind"], actor.name
        if refusal := kind_refusal(payload):
            raise WorkspaceError(refusal)
        if name == SYSTEM:
            if kind not in SYSTEM_KINDS:
                raise WorkspaceError("a person has to do this; name yourself with KYCPACK_ANALYST")
            return
        check_name(name)
        if refusal := self.people.take_in(payload) or erasure_refusal(payload):
            raise WorkspaceError(refusal)
        if kind in PEOPLE_KINDS:
            self.people.count(payload)
        if not self.people.signed:
            return
        person = self.people.persons.get(name)
        if person is None or not person.public_key:
            raise WorkspaceError(
                f"{name} has no key in this workspace, and its people sign; an administrator enrols one with "
                "`kycpack keys enrol`"
            )
        if actor.key is None or actor.key.public_key != person.public_key:
            raise WorkspaceError(
                f"{name} has to sign with the enrolled key; name its file with KYCPACK_SIGNING_KEY"
            )


def payloads(connection: Connection, *conditions: ColumnElement[bool]) -> Iterator[dict[str, Any]]:
    """Yield the payloads that meet all conditions, in the order of their entries; erased ones are missing."""
    for text in connection.scalars(
        select(ledger_payloads.c.payload).where(*conditions).order_by(ledger_payloads.c.seq)
    ):
        yield read_json(text, "payload")


def check_name(name: str) -> str:
    """Return the name of a person who acts.

    Raises:
        InputError: It is empty, too long, has control characters, mixes scripts within a word, or cannot be a person's name.
    """
    if fault := name_fault(name):
        raise InputError(fault, place="name of the person")
    return name


class LedgerPart(MethodsCard):
    """What people do in a workspace, each step an entry in its ledger.

    Args:
        ledger: The workspace's ledger.
        actor: Who acts if a method names nobody.
    """

    def __init__(self, ledger: Ledger, actor: Actor | None = None) -> None:
        self._ledger = ledger
        self._actor = actor

    def _who(self, actor: Actor | None = None) -> Actor:
        """Return the person who acts.

        Raises:
            InputError: Nobody is named, or it is kycpack itself.
        """
        who = actor or self._actor
        if who is None or who.name == SYSTEM:
            raise InputError("no analyst is named; set KYCPACK_ANALYST")
        return who


def _canonical(payload: Mapping[str, Any]) -> bytes:
    _refuse_floats(payload)
    try:
        return rfc8785.dumps(dict(payload))
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise InputError(f"the ledger cannot hold this: {type(error).__name__}") from None


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise InputError("the ledger cannot contain floats")
    if isinstance(value, Mapping):
        for name, member in value.items():
            if not isinstance(name, str) or not name.isascii():
                raise InputError("names in the ledger must be ASCII")
            _refuse_floats(member)
    elif isinstance(value, list | tuple):
        for member in value:
            _refuse_floats(member)


def _last(connection: Connection) -> tuple[int, str, dict[str, Any]]:
    row = connection.execute(
        select(ledger_entries.c.seq, ledger_entries.c.hash).order_by(ledger_entries.c.seq.desc()).limit(1)
    ).first()
    if row is None:
        return 0, START, {}
    latest = connection.scalar(
        select(ledger_payloads.c.payload).order_by(ledger_payloads.c.seq.desc()).limit(1)
    )
    return int(row.seq), str(row.hash), {} if latest is None else read_json(latest, "payload")
