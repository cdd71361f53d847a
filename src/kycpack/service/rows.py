"""Rows found by their id, changed, and turned into records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, select, update

from kycpack.service.problems import not_found

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


def is_uuid(text: str) -> bool:
    """Return whether a text has the form of the service's ids."""
    return _UUID.fullmatch(text) is not None


def find_by_id(
    connection: Connection,
    table: Table,
    row_id: str,
    what: str,
    *also: Any,
    form: re.Pattern[str] = _UUID,
    lock: bool = False,
) -> Row[Any]:
    """Return the row with an id.

    Args:
        connection: A connection; a writing one if the row is to be locked.
        table: The table.
        row_id: The id as it was given; one that does not have the form of an id is unknown.
        what: What the table holds, for the error.
        also: Further conditions.
        form: The form of the table's ids.
        lock: Whether to lock the row against other writers until the end of the transaction.

    Raises:
        RefusedError: 404 unknown.
    """
    wanted = select(table).where(table.c.id == row_id.lower(), *also)
    query = wanted.with_for_update() if lock else wanted
    return require_row(connection, query if form.fullmatch(row_id) else None, what)


def require_row(connection: Connection, query: Select[Any] | None, what: str) -> Row[Any]:
    """Return the only row of a query.

    Args:
        connection: A connection.
        query: The query; None if the id as given does not have the form of an id, so that there is nothing to look for.
        what: What the row is, for the error.

    Raises:
        RefusedError: 404 unknown.
    """
    row = None if query is None else connection.execute(query).one_or_none()
    if row is None:
        raise not_found(what)
    return row


def change_row(connection: Connection, table: Table, row: Row[Any], **values: Any) -> Row[Any]:
    """Change columns of an organisation's row, and return the changed row."""
    own = (table.c.id == row.id) & (table.c.tenant_id == row.tenant_id)
    return connection.execute(update(table).where(own).values(values).returning(table)).one()


def present(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without the members that are None: the interface leaves them out."""
    return {name: value for name, value in record.items() if value is not None}


def page_of(items: list[dict[str, Any]], rows: Sequence[Any], limit: int, *place: str) -> dict[str, Any]:
    """Return a page of a list, with a cursor if there are more rows than its limit.

    Args:
        items: The records of the page.
        rows: The rows, one more than the limit if there are more.
        limit: Largest number of items.
        place: The columns by which the list is sorted, which are the cursor.
    """
    more = len(rows) > limit
    cursor = ".".join(str(getattr(rows[limit - 1], name)) for name in place) if more else None
    return present({"items": items, "nextCursor": cursor})
