"""Cases that have reached a date: decisions that have ended, and cases that were snoozed until today."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from sqlalchemy import Connection, select

from kycpack.workspace.case_changes import change, reopened
from kycpack.workspace.case_records import Case, case_of_row
from kycpack.workspace.ledger_writer import Writer
from kycpack.workspace.schema import cases
from kycpack.workspace.verify_ledger import DATE_REACHED, end_reason


def cases_due(connection: Connection, today: dt.date) -> tuple[Case, ...]:
    """Return the cases that have reached their date, ordered by id.

    Args:
        connection: To the workspace.
        today: The day, UTC.
    """
    over = (cases.c.state == "closed") & (cases.c.reopens_on <= today.isoformat())
    awake = (cases.c.state == "snoozed") & (cases.c.snoozed_until <= today.isoformat())
    rows = connection.execute(select(cases).where(over | awake).order_by(cases.c.case_id))
    return tuple(case_of_row(row) for row in rows.mappings())


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
