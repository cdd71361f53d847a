"""Reads cases from the workspace: by state, by customer, and as a frame."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from sqlalchemy import Connection, select

from kycpack.triage.levels import rank
from kycpack.workspace.case_records import Case, case_of_row
from kycpack.workspace.rows import portions
from kycpack.workspace.schema import cases
from kycpack.workspace.verify_ledger import case_id_of

_LISTED = (
    "case_id", "customer_id", "occasion", "state", "level", "top_reason", "assignee", "effect", "due_on",
    "due_kind", "snoozed_until", "outcome", "reopens_on", "opened_at", "changed_at", "version",
)  # fmt: skip


def listed_cases(connection: Connection, state: str | None, *, closed: bool) -> tuple[Case, ...]:
    """Return cases: the highest level first, then what is due first, then the oldest.

    Args:
        connection: To the workspace.
        state: Only those in this state; all if None.
        closed: Whether to include closed cases if no state is given.
    """
    query = select(cases)
    if state is not None:
        query = query.where(cases.c.state == state)
    elif not closed:
        query = query.where(cases.c.state != "closed")
    found = [case_of_row(row) for row in connection.execute(query).mappings()]
    found.sort(key=lambda one: (-rank(one.level), one.due_on or "9", one.opened_at, one.case_id))
    return tuple(found)


def cases_of_customer(connection: Connection, customer_id: str) -> tuple[Case, ...]:
    """Return the cases of a customer, the most recently changed first."""
    query = select(cases).where(cases.c.customer_id == customer_id).order_by(cases.c.changed_at.desc())
    return tuple(case_of_row(row) for row in connection.execute(query).mappings())


def cases_of_customers(
    connection: Connection, customer_ids: Sequence[str], occasion: str
) -> tuple[Case, ...]:
    """Return the cases of many customers on one occasion, in the order of the customers; some may have none."""
    ids = [case_id_of(name, occasion) for name in customer_ids]
    found = cases_of_ids(connection, ids)
    return tuple(found[each] for each in ids if each in found)


def cases_of_ids(connection: Connection, case_ids: Sequence[str]) -> dict[str, Case]:
    """Return the cases that exist of some ids, by id."""
    return {
        row["case_id"]: case_of_row(row)
        for some in portions(case_ids)
        for row in connection.execute(select(cases).where(cases.c.case_id.in_(some))).mappings()
    }


def cases_frame(cases: Sequence[Case]) -> pd.DataFrame:
    """Return cases as a frame, one row each, with the number of their open findings."""
    rows = [[getattr(case, name) for name in _LISTED] for case in cases]
    counts = pd.Series([len(case.open_findings) for case in cases], dtype="int64")
    return pd.DataFrame(rows, columns=list(_LISTED)).assign(open_findings=counts)
