"""Rewrites the tables of a workspace on PostgreSQL, so that no file of the server's database contains what was deleted."""

from __future__ import annotations

import re
import time
from typing import Any

from sqlalchemy import Connection, MetaData, String
from sqlalchemy.exc import OperationalError

from kycpack.errors import WorkspaceError

_WAIT_SECONDS = 20
_POLL_SECONDS = 0.2
_STATISTICS = "pg_statistic"
_LOCKED = "55P03"  # lock_not_available
_NUMBER = re.compile(r"[0-9]+")


def vacuum_server(connection: Connection, metadata: MetaData) -> None:
    """Rewrite tables without deleted rows, and clear their values from the server's statistics.

    `VACUUM (FULL)` keeps deleted rows that an earlier transaction can still see; even the server's own analysis counts as one.
    PostgreSQL also keeps common values of each column for its planner after the rows are gone.

    Args:
        connection: In autocommit mode.
        metadata: The tables.

    Raises:
        WorkspaceError: Another transaction has been reading since before the deletion, or the role does not own the database.
    """
    connection.exec_driver_sql(f"SET lock_timeout = '{_WAIT_SECONDS}s'")
    try:
        for table in metadata.sorted_tables:
            # Setting the same type rewrites nothing, and drops the column's statistics.
            texts = [column.name for column in table.columns if isinstance(column.type, String)]
            kind = String().compile(connection.dialect)
            changes = ", ".join(f'ALTER COLUMN "{name}" TYPE {kind}' for name in texts)
            connection.exec_driver_sql(f'ALTER TABLE "{table.name}" {changes}')
            _write_anew(connection, table.name, "FULL, ANALYZE, VERBOSE")
        _write_anew(connection, _STATISTICS, "FULL, VERBOSE")
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCKED:
            raise
        raise _is_read() from None
    finally:
        connection.exec_driver_sql("RESET lock_timeout")


def _write_anew(connection: Connection, table: str, options: str) -> None:
    until = time.monotonic() + _WAIT_SECONDS
    while (kept := _kept_rows(connection, f'VACUUM ({options}) "{table}"')) != 0:
        if kept is None:
            raise WorkspaceError(
                f"PostgreSQL did not rewrite {table}, so it may still hold what was erased; "
                f"let the owner of the database run VACUUM (FULL) {table}"
            )
        if time.monotonic() > until:
            raise _is_read()
        time.sleep(_POLL_SECONDS)


def _is_read() -> WorkspaceError:
    return WorkspaceError(
        "another process has been reading the database since before the erasure, so PostgreSQL still keeps what was "
        "erased; end it and try again"
    )


def _kept_rows(connection: Connection, statement: str) -> int | None:
    """Return how many deleted rows the server kept; None if it rewrote nothing."""
    kept: list[int] = []

    def hear(notice: Any) -> None:
        # The message is in the server's language, but its place in the source and its first number are not.
        if notice.source_function == "copy_table_data" and notice.message_detail:
            kept.append(int(_NUMBER.findall(notice.message_detail)[0]))

    driver: Any = connection.connection.driver_connection
    driver.add_notice_handler(hear)
    try:
        connection.exec_driver_sql(statement)
    finally:
        driver.remove_notice_handler(hear)
    return sum(kept) if kept else None
