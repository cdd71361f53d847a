"""Reads and changes cases: writes each together with the ledger entry about it, reopens those that have reached a date, and erases."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, select, update

from kycpack.errors import WorkspaceError
from kycpack.workspace.cases.case_records import Case, case_of_row
from kycpack.workspace.entries.ledger_writer import KYCPACK, Writer
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.entries.verify_ledger import DATE_REACHED, end_reason
from kycpack.workspace.rows import portions
from kycpack.workspace.schema import cases, ledger_payloads


def read_cases(connection: Connection, *conditions: ColumnElement[bool]) -> list[Case]:
    """Return the cases that meet all conditions, ordered by id."""
    query = select(cases).where(*conditions).order_by(cases.c.case_id)
    return [case_of_row(row) for row in connection.execute(query).mappings()]


def cases_of_ids(connection: Connection, case_ids: Sequence[str]) -> dict[str, Case]:
    """Return the cases that exist of some ids, by id."""
    found = (read_cases(connection, cases.c.case_id.in_(some)) for some in portions(case_ids))
    return {case.case_id: case for some in found for case in some}


def find_case(connection: Connection, case_id: str) -> Case:
    """Return a case.

    Raises:
        WorkspaceError: There is no such case.
    """
    found = read_cases(connection, cases.c.case_id == case_id)
    if not found:
        raise WorkspaceError(f"there is no case {case_id}; `kycpack case list` shows them")
    return found[0]


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
    is_case = cases.c.case_id == case.case_id
    writer.connection.execute(update(cases).where(is_case).values(made.to_row()))
    return made


def undisposed(case: Case) -> Case:
    """Return a case without the dispositions of its findings."""
    return replace(case, findings=tuple(replace(finding, disposition="") for finding in case.findings))


def reopened(case: Case, at: str) -> Case:
    """Return a closed case as it is after reopening: all findings have to be reviewed again."""
    return replace(
        undisposed(case), state="open", opened_at=at, closed_at=None, reopens_on=None, snoozed_until=None
    )


def cases_due(connection: Connection, today: dt.date) -> tuple[Case, ...]:
    """Return the cases that have reached their date, ordered by id.

    Args:
        connection: To the workspace.
        today: The day, UTC.
    """
    over = (cases.c.state == "closed") & (cases.c.reopens_on <= today.isoformat())
    awake = (cases.c.state == "snoozed") & (cases.c.snoozed_until <= today.isoformat())
    return tuple(read_cases(connection, over | awake))


def reopen_cases_due(writer: Writer) -> tuple[str, ...]:
    """Reopen cases whose decision has ended, and resume those that were snoozed until today; return their ids.

    Args:
        writer: The transaction; its time gives the day.
    """
    due = cases_due(writer.connection, writer.now.date())
    for case in due:
        if case.state == "snoozed":
            woken = replace(case, state="in_review", snoozed_until=None)
            change(writer, woken, "case.updated", {"reason": DATE_REACHED})
        else:
            reason = end_reason(case.outcome or "", case.reopens_on)
            change(writer, reopened(case, writer.at), "case.reopened", {"reason": reason})
    return tuple(case.case_id for case in due)


def erase_case(writer: Writer, case_id: str, reason: str, actor: Actor) -> int:
    """Erase the payloads of a closed case, within a transaction; see `Cases.erase`.

    Raises:
        WorkspaceError: The case is not closed.
    """
    case = find_case(writer.connection, case_id)
    if case.state != "closed":
        raise WorkspaceError(f"case {case_id} is not closed; it is {case.state}")
    count = erase_entries(writer, case_id, case.entries, reason, actor)
    version, entries = case.version + 1, case.entries + count
    after = replace(case, findings=(), top_reason="", entries=entries, version=version)
    writer.connection.execute(update(cases).where(cases.c.case_id == case_id).values(after.to_row()))
    return count


def erase_entries(writer: Writer, case_id: str, entries: int, reason: str, actor: Actor) -> int:
    """Erase the payloads of a case's ledger entries; return how many there were.

    Args:
        writer: The transaction.
        case_id: The case.
        entries: How many entries it has.
        reason: Why.
        actor: Who erases.
    """
    is_case = (ledger_payloads.c.case_id == case_id) & (ledger_payloads.c.kind != "payload.erased")
    query = select(ledger_payloads.c.seq).where(is_case).order_by(ledger_payloads.c.seq)
    numbers = list(writer.connection.scalars(query))
    for place, seq in enumerate(numbers, 1):
        writer.erase(seq, reason, actor, entries + place)
    return len(numbers)
