"""Lists of records, newest first and in pages, and the display of ids, states and names."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from sqlalchemy import ColumnElement, Connection, Row, Select, select, tuple_
from sqlalchemy import Table as SqlTable

from kycpack.service.console.board import BoardCell, Tone
from kycpack.service.console.page import Visited
from kycpack.service.schema import tenants

_SHOWN = 50
_TONES: dict[str, Tone] = {
    "complete": "good",
    "completed": "good",
    "SUCCEEDED": "good",
    "clear": "good",
    "inprogress": "watch",
    "STARTED": "watch",
    "expired": "alarm",
    "failed": "alarm",
    "FAILED": "alarm",
    "rejected": "alarm",
    "consider": "watch",
    "warning": "watch",
}


def badge(word: str) -> BoardCell:
    """Return a state or outcome as a badge."""
    return BoardCell(word, tone=_TONES.get(word, "quiet"))


def newest(table: SqlTable, condition: ColumnElement[bool]) -> Select[Any]:
    """Return a query for the rows of a table that meet a condition, newest first."""
    return select(table).where(condition).order_by(table.c.created_at.desc(), table.c.id.desc()).limit(_SHOWN)


def page(
    visited: Visited,
    connection: Connection,
    chosen: Select[Any],
    table: SqlTable,
    path: str,
    wanted: str = "",
) -> tuple[list[Row[Any]], str]:
    """Return a page of rows, newest first, and the link to the next rows."""
    created, row_id = table.c.created_at, table.c.id
    at, _, last = visited.query.get("before", "").partition("~")
    if at and last:
        chosen = chosen.where(tuple_(created, row_id) < tuple_(at, last))
    rows = list(connection.execute(chosen.order_by(created.desc(), row_id.desc()).limit(_SHOWN + 1)))
    if len(rows) <= _SHOWN:
        return rows, ""
    final = rows[_SHOWN - 1]
    query = f"before={final.created_at}~{final.id}" + (f"&q={quote(wanted, safe='')}" if wanted else "")
    return rows[:_SHOWN], f"{path}?{query}"


def links_base(visited: Visited) -> str:
    """Return the base URL of links to pages of the service."""
    return visited.service.public_url or visited.base_url


def organisations(connection: Connection) -> dict[str, str]:
    """Return the name of each organisation by its id, oldest first."""
    rows = connection.execute(select(tenants.c.id, tenants.c.name).order_by(tenants.c.created_at))
    return {row.id: row.name for row in rows}


def short_id(value: str, room: str) -> BoardCell:
    """Return a shortened id with a link to its record."""
    return BoardCell(f"{value[:8]}\u2026", href=f"/console/{room}/{value}", mono=True)
