"""The queue of cases: the order to work on them, and the reason for each place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
from sqlalchemy import Connection, select

from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.render.document_parts import Cell
from kycpack.render.wording import recommended_cell
from kycpack.triage.levels import rank
from kycpack.triage.observations.due_dates import KINDS, NAMES, DueDate
from kycpack.workspace import schema
from kycpack.workspace.cases.case_history import role_words
from kycpack.workspace.entries.verify_ledger import People
from kycpack.workspace.rows import read_json

_TEXTS = ("case_id", "customer_id", "opened_at", "top_reason")
_FEW = ("occasion", "state", "level", "assignee", "effect", "due_on", "due_kind", "snoozed_until")
_COUNTS = ("finding_count", "open_count", "unknown_count", "version")
_READ = (*_TEXTS, *_FEW, *_COUNTS)
QUEUE = (
    "place", "case_id", "customer_id", "occasion", "state", "level", "top_reason", "assignee", "effect", "due_on",
    "due_kind", "snoozed_until", "opened_at", "finding_count", "open_count", "unknown_count", "version",
    "overdue_days", "age_days", "waits_for", "reason",
)  # fmt: skip
"""The columns of the queue."""

CALENDAR = ("due_on", "due_at", "kind", "meaning", "customer_id", "case_id", "subject")
"""The columns of the calendar."""

_OPENS_AGAIN = {
    "snooze_ends": "The snoozed case is taken up again",
    "approval_ends": "The approval or escalation ends and the case opens again",
}


def queue_frame(connection: Connection, as_of: dt.date, people: People) -> pd.DataFrame:
    """Return the cases that are not closed, in the order to work on them.

    The highest level comes first; then what ends first; then the oldest; then the customer about whom least is known.

    Args:
        connection: The database.
        as_of: The day of the list.
        people: The enrolled people and their roles.

    Returns:
        The columns of `QUEUE`; columns with few values are categories; overdue_days is NA if nothing is overdue.
    """
    rows = _rows(connection)
    columns = {name: [row[place] for row in rows] for place, name in enumerate(_READ)}
    few = {name: _category(columns[name]) for name in _FEW}
    level, due = few["level"], few["due_on"]
    opened = _category([at[:10] for at in columns["opened_at"]])
    counts = {name: np.array(columns[name], dtype="int64") for name in _COUNTS}

    # The last key counts most; rows that agree in all keys stay in the order of their ids.
    severity = _by_value(level, rank)
    order = np.lexsort((-counts["unknown_count"], opened.codes, due.codes, due.codes < 0, -severity))

    def days_since(day: str) -> int:
        return (as_of - dt.date.fromisoformat(day)).days

    age, late = _by_value(opened, days_since), _by_value(due, days_since)
    # Many cases have the same reason for their place, or wait for the same: each text is made once.
    reason, waits_for = cache(partial(_reason, as_of)), cache(_waits_for)
    recommended = map(cache(recommended_cell), columns["level"], columns["top_reason"])
    placed = (columns[name] for name in ("effect", "due_on", "due_kind", "unknown_count"))
    held = (columns[name] for name in ("state", "assignee", "snoozed_until", "effect"))
    roles = second_roles(connection, people)
    seconds = [roles.get(case_id, "") for case_id in columns["case_id"]]
    few |= {
        "waits_for": _category([*map(waits_for, seconds, *held)]),
        "reason": _category([*map(reason, recommended, *placed, age.tolist())]),
    }
    made: dict[str, Any] = {
        **{name: pd.array(columns[name], dtype="str").take(order) for name in _TEXTS},
        **{name: each.take(order) for name, each in few.items()},
        **{name: each[order] for name, each in counts.items()},
        "place": np.arange(1, len(rows) + 1),
        "overdue_days": pd.arrays.IntegerArray(late[order], mask=(late <= 0)[order]),
        "age_days": age[order],
    }
    return pd.DataFrame(made, columns=list(QUEUE))


def calendar_frame(connection: Connection) -> pd.DataFrame:
    """Return every date by which something is due, the earliest first.

    Args:
        connection: The database.

    Returns:
        The columns of `CALENDAR`; case_id is empty for a customer without an open case.
    """
    cases, dates = schema.cases, schema.due_dates
    of_case = {
        row.customer_id: row.case_id
        for row in connection.execute(
            select(cases.c.customer_id, cases.c.case_id)
            .where(cases.c.state != "closed")
            .order_by(cases.c.case_id.desc())
        )
    }
    found = [
        (row.due_at, row.kind, row.customer_id, of_case.get(row.customer_id, ""), row.subject)
        for row in connection.execute(select(dates))
    ]
    for name, kind in (("snoozed_until", "snooze_ends"), ("reopens_on", "approval_ends")):
        column = cases.c[name]
        found += [
            (f"{row[2]}T00:00:00Z", kind, row[1], row[0], "")
            for row in connection.execute(
                select(cases.c.case_id, cases.c.customer_id, column).where(column.is_not(None))
            )
        ]
    meanings = KINDS | _OPENS_AGAIN
    rows = [
        (due_at[:10], due_at, kind, meanings.get(kind, kind), customer_id, case_id, subject)
        for due_at, kind, customer_id, case_id, subject in sorted(found)
    ]
    return pd.DataFrame(rows, columns=list(CALENDAR))


def preview_words(calendar: pd.DataFrame, as_of: dt.date, today: dt.date) -> str:
    """Describe what a queue for a future day cannot show yet; empty for any other day.

    Args:
        calendar: From `calendar_frame`.
        as_of: The day of the queue.
        today: The current day.
    """
    if as_of <= today:
        return ""
    ends = calendar[calendar["kind"].isin(_OPENS_AGAIN) & (calendar["due_on"] <= as_of.isoformat())]
    count = ends["case_id"].nunique()
    cases = counted(count, "case is", "cases are") if count else "no case is"
    return (
        f"A preview of {day_words(as_of)}: the cases as they are today, {day_words(today)}, with the ages and dates of that day. "
        f"By then, {cases} to be opened again or taken up, since a snooze or an approval ends; what runs find until then is "
        "not known."
    )


def case_due(dates: Sequence[DueDate]) -> DueDate | None:
    """Return the earliest date by which something is due in a case, not counting the next review."""
    ends = (each for each in dates if each.kind != "next_review")
    return min(ends, key=lambda each: (each.due_at, each.kind), default=None)


def second_roles(connection: Connection, people: People) -> dict[str, str]:
    """Return the role that the second person of a case needs, in words, by the id of the case; empty if no particular role is needed.

    A decision may need a role that the person who decided does not have.
    """
    cases, payloads = schema.cases, schema.ledger_payloads
    query = (
        select(payloads.c.case_id, payloads.c.payload)
        .join(cases, cases.c.case_id == payloads.c.case_id)
        .where(cases.c.state == "second_review", payloads.c.kind == "case.decided")
        .order_by(payloads.c.seq)
    )
    found: dict[str, str] = {}
    for case_id, text in connection.execute(query):
        payload = read_json(text, "payload")
        lacking = people.lacking(payload["data"]["roles"], [payload["actor"]])
        found[str(case_id)] = ", ".join(map(role_words, lacking))
    return found


def _rows(connection: Connection) -> Sequence[Sequence[Any]]:
    """Return the columns `_READ` of the cases that are not closed, in the order of their ids."""
    cases = schema.cases.c
    is_postgres = connection.dialect.name == "postgresql"
    query = (
        select(*(cases[name] for name in _READ))
        .where(cases.state != "closed")
        # Both databases order ids alike.
        .order_by(cases.case_id.collate("C") if is_postgres else cases.case_id)
    )
    # The driver's own rows: text and integers, which SQLAlchemy would only wrap.
    rows: Sequence[Sequence[Any]] = connection.execute(query).cursor.fetchall()
    return rows


def _waits_for(
    second: str, state: str, assignee: str | None, snoozed_until: str | None, effect: str | None
) -> str:
    if state == "waiting_for_customer":
        return "the customer"
    if state == "second_review":
        return f"a second person ({second})" if second else "a second person"
    if state == "snoozed" and snoozed_until:
        return f"the end of the snooze, {day_words(dt.date.fromisoformat(snoozed_until))}"
    return assignee or ("the MLRO" if effect == "hold" else "somebody to take it on")


def _reason(
    as_of: dt.date,
    recommended: Cell,
    effect: str | None,
    due_on: str | None,
    due_kind: str | None,
    unknown: int,
    age: int,
) -> str:
    """Describe why a case has its place: severity, what ends next, age, and how incomplete the data is."""
    parts = (
        recommended.text.lower(),
        f"{effect} in force" if effect else "",
        _end_words(due_on, due_kind, as_of),
        f"open for {counted(age, 'day')}" if age else "opened today",
        f"{counted(unknown, 'check')} without a result" if unknown else "",
    )
    return "; ".join(part for part in parts if part)


def _end_words(due_on: str | None, due_kind: str | None, as_of: dt.date) -> str:
    """Describe what ends next; that is no deadline for the decision, so it is not called due."""
    if due_on is None:
        return "no date runs out"
    what = NAMES[due_kind] if due_kind else "something"
    day = dt.date.fromisoformat(due_on)
    ago = (as_of - day).days
    if ago > 0:
        return f"{what} ended {counted(ago, 'day')} ago"
    return f"{what} ends {day_words(day)}"


def _category(column: Sequence[str | None]) -> pd.Categorical:
    """Return a column with few distinct values, in the order of the values."""
    return pd.Categorical(pd.array(column, dtype="str"))


def _by_value(column: pd.Categorical, number: Callable[[str], int]) -> np.ndarray:
    """Return an integer for each row, computed once for each value of the column; 0 for a row without a value."""
    # A row without a value has the code -1, which is the last element.
    of_values: np.ndarray = np.array([*map(number, column.categories), 0], dtype="int64")
    of_rows: np.ndarray = of_values[column.codes]
    return of_rows
