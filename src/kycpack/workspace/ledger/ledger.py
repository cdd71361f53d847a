"""The ledger: what people decided and what runs found, in order, each entry chained to the previous one.

An entry is written in the same transaction as what it records. Entries are numbered in the order of writing, whatever the
clock says; if the clock is behind the previous entry, the entry says by how much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

import pandas as pd
from sqlalchemy import Connection, select

from kycpack.errors import WorkspaceError
from kycpack.models.cards import MethodsCard
from kycpack.storage.transactions import take_turn
from kycpack.workspace.database import Workspace
from kycpack.workspace.entries.ledger_writer import Writer, payloads
from kycpack.workspace.entries.signing import verify_fast
from kycpack.workspace.entries.verify_ledger import (
    EXCERPT_SCHEMA,
    PEOPLE_KINDS,
    RETENTION_KINDS,
    People,
    Report,
    check_ledger,
    merkle_levels,
    merkle_path,
    merkle_root,
)
from kycpack.workspace.ledger.case_agreement import table_problems
from kycpack.workspace.rows import portions, read_json
from kycpack.workspace.schema import ledger_entries, ledger_payloads

_LOCK = 0x6B7964  # PostgreSQL's advisory lock for writing to the ledger
_AT_ONCE = 5_000
_Made = TypeVar("_Made")
_COLUMNS = ("seq", "at", "kind", "actor", "case_id", "signed", "hash")


@dataclass(frozen=True, slots=True)
class Head:
    """The state of a ledger in four values; stored elsewhere, it is an anchor.

    Attributes:
        ledger: Hash of the first entry, which identifies the ledger.
        size: Number of entries.
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
        """Begin a transaction that may write to the ledger; others wait until it ends.

        Raises:
            WorkspaceError: The database reported an error; nothing was written.
        """
        with self.workspace.transaction() as connection:
            take_turn(connection, _LOCK)
            writer = Writer(connection, self.workspace.now(), _people(connection))
            yield writer
            writer.flush()

    def people(self) -> People:
        """Return the enrolled people, with their keys and roles."""
        with self.workspace.reading() as connection:
            return _people(connection)

    def entries(self, case_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the entries in order.

        Args:
            case_id: Only the entries of this case; all if None.

        Yields:
            As in an export: seq, prev, digest, hash, key, signature, salt, payload; an erased entry has neither salt
            nor payload.
        """
        with self.workspace.reading() as connection:
            if case_id is None:
                yield from _entries(connection)
            else:
                erased = sorted(_erased_of(connection, [case_id]))
                yield from _entries(connection, case_ids=[case_id], seqs=erased)

    def frame(self, case_id: str | None = None) -> pd.DataFrame:
        """Return the entries as a frame: seq, at, kind, actor, case_id, signed, hash.

        Args:
            case_id: Only the entries of this case; all if None.
        """
        rows = [summary(entry) for entry in self.entries(case_id)]
        return pd.DataFrame([[row[name] for name in _COLUMNS] for row in rows], columns=list(_COLUMNS))

    def head(self) -> Head | None:
        """Return the head; None for a ledger without entries."""
        with self.workspace.reading() as connection:
            return head_of(_hashes(connection))

    def verify(self, anchors: Sequence[Mapping[str, Any]] = (), trusted: Sequence[str] = ()) -> Report:
        """Check the ledger, and that cases and policies agree with it.

        Args:
            anchors: Heads that were stored elsewhere.
            trusted: Fingerprints of keys, one of which must have founded the ledger.
        """
        with self.workspace.reading() as connection:
            listed = list(_entries(connection))
            report = check_ledger(listed, anchors=anchors, trusted=trusted, verify=verify_fast)
            report.problems += table_problems(connection, listed)
        return report

    def excerpt(self, case_id: str) -> dict[str, Any]:
        """Return the entries of a case, and those about keys and roles, each with its path to the root of the ledger.

        It shows only hashes of the entries of other cases.

        Args:
            case_id: The case.

        Raises:
            WorkspaceError: The ledger has no entry of the case.
        """
        found = self.excerpts([case_id])
        if case_id not in found:
            raise WorkspaceError(f"the ledger has no entry of the case {case_id}")
        return found[case_id]

    def excerpts(self, case_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the excerpts of many cases, as from `excerpt`, for one head: the ledger is read once for all.

        Args:
            case_ids: The cases.

        Returns:
            By id of the case; a case without ledger entries is left out.
        """
        with self.reading_excerpts() as read:
            return read(case_ids)

    @contextmanager
    def reading_excerpts(self) -> Iterator[Callable[[Sequence[str]], dict[str, dict[str, Any]]]]:
        """Yield a function that returns the excerpts of some cases at a time, as from `excerpts`, all for one head."""
        with self.workspace.reading() as connection:

            @cache
            def whole() -> tuple[Head | None, Sequence[bytes], Sequence[dict[str, Any]]]:
                head, levels = _tree(connection)
                kept = [_with_path(each, levels) for each in _entries(connection, kinds=tuple(PEOPLE_KINDS))]
                return head, levels, kept

            def read(case_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
                of_case: dict[str, list[dict[str, Any]]] = {}
                for some in portions(case_ids):
                    erased = _erased_of(connection, some)
                    for entry in _entries(connection, case_ids=some, seqs=sorted(erased)):
                        payload = entry["payload"]
                        case_id = erased[entry["seq"]] if payload is None else payload.get("case_id")
                        of_case.setdefault(str(case_id), []).append(entry)
                head, levels, kept = whole() if of_case else (None, (), ())
                if head is None:
                    return {}
                own = {
                    name: [_with_path(one, levels) for one in entries] for name, entries in of_case.items()
                }
                return {
                    name: _excerpt(name, head, sorted([*kept, *entries], key=itemgetter("seq")))
                    for name, entries in own.items()
                }

            yield read

    def disposition(self, proposal: str) -> dict[str, Any]:
        """Return the entries of an erasure, and those about keys and roles, each with its path to the root of the ledger.

        Args:
            proposal: Digest of the list that was erased.

        Raises:
            WorkspaceError: The ledger has no entry.
        """
        with self.workspace.reading() as connection:
            head, levels = _tree(connection)
            kept = [
                _with_path(entry, levels)
                for entry in _entries(connection, kinds=tuple(PEOPLE_KINDS | RETENTION_KINDS))
                if entry["payload"]["kind"] in PEOPLE_KINDS
                or entry["payload"]["data"]["proposal"] == proposal
            ]
        if head is None:
            raise WorkspaceError("the ledger has no entry of an erasure")
        return _excerpt(None, head, kept)


def _excerpt(case_id: str | None, head: Head, kept: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "schema": EXCERPT_SCHEMA,
        "case_id": case_id,
        "head": asdict(head),
        "entries": list(kept),
    }


def _with_path(entry: Mapping[str, Any], levels: Sequence[bytes]) -> dict[str, Any]:
    return {**entry, "path": merkle_path(levels, entry["seq"] - 1)}


def summary(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry as one row: seq, at, kind, actor, case_id, signed, hash; erased values are None."""
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
    people = People()
    for payload in payloads(connection, ledger_payloads.c.kind.in_(PEOPLE_KINDS | RETENTION_KINDS)):
        people.count(payload)
        people.apply(payload)
    return people


def _entries(
    connection: Connection,
    *,
    case_ids: Sequence[str] | None = None,
    kinds: Sequence[str] = (),
    seqs: Sequence[int] = (),
) -> Iterator[dict[str, Any]]:
    """Yield the entries of some cases, kinds or numbers; all if none are given."""
    query = (
        select(ledger_entries, ledger_payloads.c.salt, ledger_payloads.c.payload)
        .select_from(ledger_entries.outerjoin(ledger_payloads, ledger_entries.c.seq == ledger_payloads.c.seq))
        .order_by(ledger_entries.c.seq)
    )
    if case_ids is not None or kinds or seqs:
        wanted = ledger_payloads.c.case_id.in_(case_ids or ()) | ledger_payloads.c.kind.in_(kinds)
        query = query.where(wanted | ledger_entries.c.seq.in_(seqs))
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)).mappings():
        entry = {str(name): value for name, value in row.items()}
        entry["payload"] = None if entry["payload"] is None else read_json(entry["payload"], "payload")
        yield entry


def _erased_of(connection: Connection, case_ids: Sequence[str]) -> dict[int, str]:
    """Return the numbers of erased entries, each with the id of its case."""
    is_erasure = ledger_payloads.c.case_id.in_(case_ids), ledger_payloads.c.kind == "payload.erased"
    return {int(each["data"]["seq"]): str(each["case_id"]) for each in payloads(connection, *is_erasure)}


def _hashes(connection: Connection) -> Iterator[str]:
    query = select(ledger_entries.c.hash).order_by(ledger_entries.c.seq)
    yield from connection.scalars(query.execution_options(yield_per=_AT_ONCE))


def head_of(hashes: Iterable[str]) -> Head | None:
    """Return the head of a ledger by the hashes of its entries, which are taken one by one; None if it has none."""
    (first, size, last), root = _hashed(hashes, merkle_root)
    return Head(first, size, last, root) if size else None


def _tree(connection: Connection) -> tuple[Head | None, Sequence[bytes]]:
    """Return the head of the ledger and the levels of its tree; no head for a ledger without entries."""
    (first, size, last), levels = _hashed(_hashes(connection), merkle_levels)
    return Head(first, size, last, levels[-1].hex()) if size else None, levels


def _hashed(
    hashes: Iterable[str], make: Callable[[Iterable[str]], _Made]
) -> tuple[tuple[str, int, str], _Made]:
    """Return the first of some hashes, their number, and the last, with what is made of them, reading them once."""
    first, last, size = "", "", 0

    def counted() -> Iterator[str]:
        nonlocal first, last, size
        for last in hashes:
            first, size = first or last, size + 1
            yield last

    made = make(counted())
    return (first, size, last), made
