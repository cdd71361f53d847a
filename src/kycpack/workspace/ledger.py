"""The ledger: what people decided and what runs found, in order, each entry bound to the one before it.

An entry is written in the transaction of what it records. Entries are numbered by the order of writing, whatever the clock
says; one that the clock dates before its forerunner says by how much.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from kycpack.errors import WorkspaceError
from kycpack.models.cards import MethodsCard
from kycpack.storage.transactions import take_turn
from kycpack.workspace import schema
from kycpack.workspace.case_agreement import table_problems
from kycpack.workspace.database import Workspace
from kycpack.workspace.ledger_writer import Writer
from kycpack.workspace.rows import read_json
from kycpack.workspace.signing import verify_fast
from kycpack.workspace.verify_ledger import (
    PEOPLE_KINDS,
    RETENTION_KINDS,
    People,
    Report,
    check_ledger,
    merkle_levels,
    merkle_path,
    merkle_root,
)

if TYPE_CHECKING:
    import pandas as pd

_LOCK = 0x6B7964  # PostgreSQL's advisory lock of whoever writes to the ledger
_AT_ONCE = 5_000
_COLUMNS = ("seq", "at", "kind", "actor", "case_id", "signed", "hash")


@dataclass(frozen=True, slots=True)
class Head:
    """The state of a ledger in four values; kept elsewhere, it is an anchor.

    Attributes:
        ledger: Hash of the first entry, which names the ledger.
        size: Entries.
        hash: Hash of the last entry.
        root: Root of the Merkle tree over all entries (RFC 6962).
    """

    ledger: str
    size: int
    hash: str
    root: str


class Ledger(MethodsCard):
    """The ledger of a workspace.

    Args:
        workspace: The open workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Begin a transaction that may write to the ledger; others wait for its end.

        Raises:
            WorkspaceError: The database refused; nothing was written.
        """
        with self.workspace.transaction() as connection:
            take_turn(connection, _LOCK)
            writer = Writer(connection, self.workspace.now(), _people(connection))
            yield writer
            writer.flush()

    def people(self) -> People:
        """Return who is enrolled, with which key and which roles."""
        with self.workspace.reading() as connection:
            return _people(connection)

    def entries(self, case_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Go through the entries in their order.

        Args:
            case_id: Only the entries of this case; all when None.

        Yields:
            As an export has them: seq, prev, digest, hash, key, signature, salt, payload; an erased one has neither salt
            nor payload.
        """
        with self.workspace.reading() as connection:
            yield from _entries(connection, case_id)

    def frame(self, case_id: str | None = None) -> pd.DataFrame:
        """Return the entries as a frame: seq, at, kind, actor, case_id, signed, hash.

        Args:
            case_id: Only the entries of this case; all when None.
        """
        import pandas as pd  # noqa: PLC0415 - slow to import, and no command but this needs it

        rows = [summary(entry) for entry in self.entries(case_id)]
        return pd.DataFrame([[row[name] for name in _COLUMNS] for row in rows], columns=list(_COLUMNS))

    def head(self) -> Head | None:
        """Return the head; None for a ledger without entries."""
        with self.workspace.reading() as connection:
            return _head(_hashes(connection))

    def verify(self, anchors: Sequence[Mapping[str, Any]] = (), trusted: Sequence[str] = ()) -> Report:
        """Check the ledger, and that cases and policies are as it says.

        Args:
            anchors: Heads that were kept elsewhere.
            trusted: Fingerprints of keys, one of which the ledger was founded with.
        """
        with self.workspace.reading() as connection:
            listed = list(_entries(connection, None))
            report = check_ledger(listed, anchors=anchors, trusted=trusted, verify=verify_fast)
            report.problems += table_problems(connection, listed)
        return report

    def excerpt(self, case_id: str) -> dict[str, Any]:
        """Return the entries of a case, and those about keys and roles, each with its way to the root of the ledger.

        It shows nothing of other cases: of their entries, only hashes.

        Args:
            case_id: The case.

        Raises:
            WorkspaceError: The ledger has no entry of the case.
        """
        with self.workspace.reading() as connection:
            hashes = _hashes(connection)
            kept = list(_entries(connection, case_id, also=tuple(PEOPLE_KINDS)))
        head = _head(hashes)
        if head is None or not any(_case_of(entry) == case_id for entry in kept):
            raise WorkspaceError(f"the ledger has no entry of the case {case_id}")
        return _excerpt(case_id, head, kept, hashes)

    def disposition(self, proposal: str) -> dict[str, Any]:
        """Return the entries of an erasure, and those about keys and roles, each with its way to the root of the ledger.

        Args:
            proposal: Digest of the list that was erased.

        Raises:
            WorkspaceError: The ledger has no entry.
        """
        with self.workspace.reading() as connection:
            hashes = _hashes(connection)
            kept = [
                entry
                for entry in _entries(connection, "", also=tuple(PEOPLE_KINDS | RETENTION_KINDS))
                if entry["payload"]["kind"] in PEOPLE_KINDS
                or entry["payload"]["data"]["proposal"] == proposal
            ]
        head = _head(hashes)
        if head is None:
            raise WorkspaceError("the ledger has no entry of an erasure")
        return _excerpt(None, head, kept, hashes)


def _excerpt(
    case_id: str | None, head: Head, kept: Sequence[Mapping[str, Any]], hashes: Sequence[str]
) -> dict[str, Any]:
    levels = merkle_levels(hashes)
    return {
        "schema": "kycpack-ledger-excerpt-1",
        "case_id": case_id,
        "head": {"ledger": head.ledger, "size": head.size, "hash": head.hash, "root": head.root},
        "entries": [{**entry, "path": merkle_path(levels, entry["seq"] - 1)} for entry in kept],
    }


def summary(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry in a line: seq, at, kind, actor, case_id, signed, hash; erased values are None."""
    payload = entry["payload"] or {}
    return {
        "seq": entry["seq"],
        "at": payload.get("at"),
        "kind": payload.get("kind"),
        "actor": payload.get("actor"),
        "case_id": payload.get("case_id"),
        "signed": entry["signature"] is not None,
        "hash": entry["hash"],
    }


def _people(connection: Connection) -> People:
    table = schema.ledger_payloads
    people = People()
    about = PEOPLE_KINDS | RETENTION_KINDS
    query = select(table.c.payload).where(table.c.kind.in_(about)).order_by(table.c.seq)
    for text_ in connection.scalars(query):
        payload = read_json(text_, "payload")
        people.count(payload)
        if payload["kind"] in PEOPLE_KINDS:
            people.apply(payload)
        else:
            people.apply_retention(payload)
    return people


def _entries(
    connection: Connection, case_id: str | None, *, also: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    entries, payloads = schema.ledger_entries, schema.ledger_payloads
    query = (
        select(entries, payloads.c.salt, payloads.c.payload)
        .select_from(entries.outerjoin(payloads, entries.c.seq == payloads.c.seq))
        .order_by(entries.c.seq)
    )
    if case_id is not None:
        wanted = (payloads.c.case_id == case_id) | payloads.c.kind.in_(also)
        query = query.where(wanted | entries.c.seq.in_(sorted(_erased_of(connection, case_id))))
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)).mappings():
        entry = {str(name): value for name, value in row.items()}
        entry["payload"] = None if entry["payload"] is None else read_json(entry["payload"], "payload")
        yield entry


def _erased_of(connection: Connection, case_id: str) -> set[int]:
    table = schema.ledger_payloads
    query = select(table.c.payload).where(table.c.kind == "payload.erased", table.c.case_id == case_id)
    return {int(json.loads(payload)["data"]["seq"]) for payload in connection.scalars(query)}


def _hashes(connection: Connection) -> list[str]:
    return list(
        connection.scalars(select(schema.ledger_entries.c.hash).order_by(schema.ledger_entries.c.seq))
    )


def _head(hashes: Sequence[str]) -> Head | None:
    return Head(hashes[0], len(hashes), hashes[-1], merkle_root(hashes)) if hashes else None


def _case_of(entry: Mapping[str, Any]) -> str | None:
    payload = entry["payload"]
    return None if payload is None else payload.get("case_id")
