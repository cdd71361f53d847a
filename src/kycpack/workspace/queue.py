"""The queue of cases: what to look at first, and why it stands where it does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, case, func, select

from kycpack.models.dates import day_words
from kycpack.triage.due_dates import KINDS
from kycpack.triage.levels import LEVELS, rank
from kycpack.workspace import schema

if TYPE_CHECKING:
    import pandas as pd

_READ = (
    "case_id", "customer_id", "occasion", "state", "level", "top_reason", "assignee", "effect", "due_on",
    "snoozed_until", "opened_at", "finding_count", "open_count", "unknown_count", "version",
)  # fmt: skip
QUEUE = ("place", *_READ, "overdue_days", "age_days", "waits_for", "reason")
"""The columns of the queue."""

CALENDAR = ("due_on", "due_at", "kind", "meaning", "customer_id", "case_id", "subject")
"""The columns of the calendar."""

_SAID = ("level", "effect", "due_on", "unknown_count")
_FEW = frozenset(
    {
        "occasion",
        "state",
        "level",
        "top_reason",
        "assignee",
        "effect",
        "due_on",
        "snoozed_until",
        "waits_for",
        "reason",
    }
)  # columns of few different values: as categories they are made faster
_NEVER = "9999-12-31"
_LEVEL_WORDS = {
    "approve": "approve",
    "review": "manual review",
    "edd": "enhanced due diligence",
    "escalate": "escalate",
    "reject": "reject",
}


def queue_frame(connection: Connection, as_of: dt.date) -> pd.DataFrame:
    """Return the cases that are not closed, in the order in which they are worked on.

    The hardest level first; then what is due first; then the oldest; then the one of whom least is known.

    Args:
        connection: The database.
        as_of: The day of the list.

    Returns:
        The columns of `QUEUE`; columns of few values are categories, overdue_days is NA where nothing is overdue.
    """
    import pandas as pd  # noqa: PLC0415 - slow to import

    found = _rows(connection)
    columns = {name: [row[place] for row in found] for place, name in enumerate(_READ)}
    opened = [at[:10] for at in columns["opened_at"]]
    ages = {day: (as_of - dt.date.fromisoformat(day)).days for day in set(opened)}
    late = {day: (as_of - dt.date.fromisoformat(day)).days for day in set(columns["due_on"]) if day}
    age = [ages[day] for day in opened]
    said = zip(*(columns[name] for name in _SAID), age, strict=True)
    waits = zip(columns["state"], columns["assignee"], columns["snoozed_until"], strict=True)
    known: dict[tuple[Any, ...], str] = {}
    columns |= {
        "place": list(range(1, len(found) + 1)),
        "waits_for": [_waits_for(*each) for each in waits],
        # Many cases stand where they do for the same reason: each is put into words once.
        "reason": [
            known[each] if each in known else known.setdefault(each, _reason(*each, as_of=as_of))
            for each in said
        ],
    }
    overdue = [late[day] if day and late[day] > 0 else None for day in columns["due_on"]]
    made: dict[str, Any] = {
        name: _categories(values) if name in _FEW else values for name, values in columns.items()
    }
    made |= {"overdue_days": pd.array(overdue, dtype="Int64"), "age_days": pd.array(age, dtype="int64")}
    return pd.DataFrame(made, columns=list(QUEUE))


def calendar_frame(connection: Connection) -> pd.DataFrame:
    """Return every date by which something is due, the earliest first.

    Args:
        connection: The database.

    Returns:
        The columns of `CALENDAR`; case_id is empty for a customer without an open case.
    """
    import pandas as pd  # noqa: PLC0415 - slow to import

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
    meanings = {
        **KINDS,
        "snooze_ends": "The snoozed case is taken up again",
        "approval_ends": "The approval or escalation ends and the case opens again",
    }
    rows = [
        (due_at[:10], due_at, kind, meanings.get(kind, kind), customer_id, case_id, subject)
        for due_at, kind, customer_id, case_id, subject in sorted(found)
    ]
    return pd.DataFrame(rows, columns=list(CALENDAR))


def case_due_on(dates: Sequence[Any]) -> str | None:
    """Return the earliest date by which something is due in a case; the next review is not one of them."""
    return min((each.due_at[:10] for each in dates if each.kind != "next_review"), default=None)


def _categories(values: Sequence[str | None]) -> pd.Categorical:
    """Return values of which few are different as categories; pandas would make an array of all of them first."""
    import pandas as pd  # noqa: PLC0415 - slow to import

    codes: dict[str | None, int] = {
        word: code for code, word in enumerate(sorted(value for value in {*values} if value is not None))
    }
    words = pd.Index([*codes], dtype="str")
    codes[None] = -1
    return pd.Categorical.from_codes([codes[value] for value in values], categories=words)


def _rows(connection: Connection) -> Sequence[Sequence[Any]]:
    """Return the columns `_READ` of the cases that are not closed, in the order of the queue."""
    cases = schema.cases.c
    is_postgres = connection.dialect.name == "postgresql"
    query = (
        select(*(cases[name] for name in _READ))
        .where(cases.state != "closed")
        .order_by(
            case({level: -rank(level) for level in LEVELS}, value=cases.level),
            func.coalesce(cases.due_on, _NEVER),
            func.substr(cases.opened_at, 1, 10),
            cases.unknown_count.desc(),
            # Both databases order ids alike.
            cases.case_id.collate("C") if is_postgres else cases.case_id,
        )
    )
    # The driver's own rows: text and whole numbers, which SQLAlchemy would only wrap.
    rows: Sequence[Sequence[Any]] = connection.execute(query).cursor.fetchall()
    return rows


def _waits_for(state: str, assignee: str | None, snoozed_until: str | None) -> str:
    if state == "waiting_for_customer":
        return "the customer"
    if state == "second_review":
        return "a second person"
    if state == "snoozed":
        return f"the date {snoozed_until}"
    return assignee or "somebody to take it on"


def _reason(
    level: str, effect: str | None, due_on: str | None, unknown: int, age: int, *, as_of: dt.date
) -> str:
    """Say in words why a case stands where it does: severity, due date, age, and how poor the data is."""
    parts = [_LEVEL_WORDS[level]]
    if effect:
        parts.append(f"{effect} in force")
    parts.append(_due_words(due_on, as_of))
    parts.append(f"open for {age} day{'' if age == 1 else 's'}" if age else "opened today")
    if unknown:
        parts.append(f"{unknown} check{'' if unknown == 1 else 's'} could not be evaluated")
    return "; ".join(parts)


def _due_words(due_on: str | None, as_of: dt.date) -> str:
    if due_on is None:
        return "nothing due"
    day = dt.date.fromisoformat(due_on)
    overdue = (as_of - day).days
    if overdue > 0:
        return f"overdue by {overdue} day{'' if overdue == 1 else 's'}"
    return f"due {day_words(day)}"
