"""Writes a case together with the ledger entry about the change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select, update

from kycpack.errors import WorkspaceError
from kycpack.workspace import schema
from kycpack.workspace.case_records import Case, case_of_row
from kycpack.workspace.ledger_writer import KYCPACK, Writer
from kycpack.workspace.signing import Actor


def find_case(connection: Connection, case_id: str) -> Case:
    """Return a case.

    Raises:
        WorkspaceError: There is no such case.
    """
    row = connection.execute(select(schema.cases).where(schema.cases.c.case_id == case_id)).mappings().first()
    if row is None:
        raise WorkspaceError(f"there is no case {case_id}; `kycpack case list` shows them")
    return case_of_row(row)


def change(writer: Writer, case: Case, kind: str, data: Mapping[str, Any], actor: Actor = KYCPACK) -> Case:
    """Write the new version of a case, and the ledger entry about the change.

    Args:
        writer: The transaction.
        case: The case after the change.
        kind: What happened.
        data: What the ledger records about it, besides customer and state.
        actor: Who acts.
    """
    made = replace(case, version=case.version + 1, entries=case.entries + 1, changed_at=writer.at)
    given = {"customer_id": case.customer_id, **data, "state": case.state}
    writer.append(kind, given, actor=actor, case_id=case.case_id, case_entry=made.entries)
    is_case = schema.cases.c.case_id == case.case_id
    writer.connection.execute(update(schema.cases).where(is_case).values(made.to_row()))
    return made


def undisposed(case: Case) -> Case:
    """Return a case without the dispositions of its findings."""
    return replace(case, findings=tuple(replace(finding, disposition="") for finding in case.findings))


def reopened(case: Case, at: str) -> Case:
    """Return a closed case as it is after reopening: all findings have to be reviewed again."""
    return replace(
        undisposed(case), state="open", opened_at=at, closed_at=None, reopens_on=None, snoozed_until=None
    )
