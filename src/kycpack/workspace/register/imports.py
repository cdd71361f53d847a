"""Imports the firm's CSV files: the register, and what the firm says about each customer's risk. A file is imported whole or not at all."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from kycpack.errors import InputError, WorkspaceError
from kycpack.models.instants import format_instant
from kycpack.models.listed import counted
from kycpack.triage.diligence import read_risk_file
from kycpack.workspace.database import Workspace
from kycpack.workspace.register.learning import learn_record
from kycpack.workspace.rows import check_id, put_row
from kycpack.workspace.schema import risk_profiles

_COLUMNS = {
    "customer_id": "customer_id",
    "customerid": "customer_id",
    "session_id": "session_id",
    "sessionid": "session_id",
    "payment_id": "payment_id",
    "paymentid": "payment_id",
    "org_id": "org_id",
    "orgid": "org_id",
    "created_at": "created_at",
    "createdat": "created_at",
}
_SEPARATORS = ",;\t"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MAX_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The numbers of lines, customers, sessions and payments that an import read."""

    lines: int
    customers: int
    sessions: int
    payments: int


def import_register(workspace: Workspace, path: Path) -> ImportReport:
    """Import customers, sessions and payments from a CSV file with a header line.

    Args:
        workspace: The open workspace.
        path: CSV with a column `customer_id` and, if known, `session_id`, `payment_id`, `org_id` and
            `created_at` (ISO 8601; UTC if it has no offset, the beginning of the day if it has no time). A line may name only a customer, or also a session, a payment or both. The values are
            separated by commas, semicolons or tabs, as the header line is. UTF-8, or UTF-16 with a byte order mark.

    Returns:
        What was read; importing the same file again changes nothing.

    Raises:
        InputError: The file cannot be read or has no lines, or lines are wrong; nothing of it was imported.
    """
    rows = list(read_rows(path, refused="nothing was imported"))
    if not rows:
        raise _no_lines(path)
    now = workspace.timestamp()
    wrong: list[str] = []
    try:
        with workspace.transaction() as connection:
            for line, row in rows:
                customer_id, created_at = row["customer_id"], _created_at(row)
                try:
                    learn_record(
                        connection, now, "customer", customer_id, "import", org_id=row["org_id"] or None
                    )
                    for kind in ("session", "payment"):
                        if subject_id := row[f"{kind}_id"]:
                            known = {"customer_id": customer_id, "created_at": created_at}
                            learn_record(connection, now, kind, subject_id, "import", **known)
                except (InputError, WorkspaceError) as error:
                    wrong.append(f"line {line}: {error}")
            if wrong:
                raise _wrong_lines(path, wrong, "nothing was imported")
    except WorkspaceError as error:
        raise InputError(str(error), place=path.name) from error
    return ImportReport(
        lines=len(rows),
        customers=len({row["customer_id"] for _, row in rows}),
        sessions=len({row["session_id"] for _, row in rows if row["session_id"]}),
        payments=len({row["payment_id"] for _, row in rows if row["payment_id"]}),
    )


def import_risk_profiles(workspace: Workspace, path: Path) -> int:
    """Import the firm's risk file into the register; a customer's earlier profile is replaced.

    Args:
        workspace: The open workspace.
        path: CSV in a form as for `import_register`, with a header line: `customer_id`, and any of `country`, `product`, `channel`, `purpose` and `pep`.

    Returns:
        Number of customers in the file.

    Raises:
        InputError: The file cannot be read or has no lines, or a line is wrong; nothing of it was imported.
    """
    (_, columns), *lines = _csv_lines(path)
    if len(columns) != len(set(columns)):
        raise _column_twice(path)
    if not lines:
        raise _no_lines(path)
    for line, values in lines:
        if len(values) != len(columns):
            raise InputError("more or fewer values than columns", place=f"{path.name} line {line}")
    rows = [dict(zip(columns, values, strict=True)) for _, values in lines]
    profiles = read_risk_file(rows, path.name)
    with workspace.transaction() as connection:
        now = workspace.timestamp()
        for customer_id, profile in profiles.items():
            row = {"customer_id": check_id(customer_id), "profile": json.dumps(profile, sort_keys=True)}
            put_row(connection, risk_profiles, row | {"read_at": now})
    return len(profiles)


def read_rows(
    path: Path, *, refused: str = "the file was not used"
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Read the lines of a register file.

    Args:
        path: As for `import_register`.
        refused: What the error says about the file if lines are wrong.

    Yields:
        The line's number and its values; a missing column or value is empty. Wrong lines are left out until the end, where
        they are an error.

    Raises:
        InputError: The file cannot be read, has no column `customer_id`, or has wrong lines; all are named.
    """
    wrong: list[str] = []
    lines = _csv_lines(path)
    columns = _columns(path, next(lines)[1])
    for line, values in lines:
        if len(values) != len(columns):
            found = counted(len(values), "value")
            wrong.append(f"line {line}: {found} for {len(columns)} columns")
            continue
        row = dict.fromkeys(_COLUMNS.values(), "") | {
            name: value.strip() for name, value in zip(columns, values, strict=True) if name
        }
        problems = [f"line {line}: {problem}" for problem in _problems(row)]
        wrong += problems
        if not problems:
            yield line, row
    if wrong:
        raise _wrong_lines(path, wrong, refused)


def _csv_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a CSV file, each with its number: first the header line, even of an empty file, then those that are not blank."""
    lines = _lines(path)
    header = next(lines, "")
    separator = next((mark for mark in _SEPARATORS if mark in header), ",")
    reader = csv.reader(chain([header], lines), strict=True, delimiter=separator)
    try:
        yield 1, next(reader, [])
        for values in reader:
            if any(value.strip() for value in values):
                yield reader.line_num, values
    except csv.Error as error:
        raise InputError(
            f"is not a CSV file ({error})", place=f"{path.name} line {reader.line_num}"
        ) from error


def _problems(row: Mapping[str, str]) -> Iterator[str]:
    if not row["customer_id"]:
        yield "customer_id is empty"
    for name in ("customer_id", "session_id", "payment_id"):
        try:
            if row[name]:
                check_id(row[name])
        except InputError as error:
            yield f"{name}: {error}"
    try:
        _created_at(row)
    except (ValueError, OverflowError):
        yield "created_at is not a date as in 2026-06-30 or a time as in 2026-06-30T12:00:00Z"


def _created_at(row: Mapping[str, str]) -> str | None:
    """Return when something was created: in UTC if no offset is given, and at the beginning of the day if no time is given."""
    if not row["created_at"]:
        return None
    moment = datetime.fromisoformat(row["created_at"])
    return format_instant(moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment)


def _wrong_lines(path: Path, wrong: list[str], refused: str) -> InputError:
    shown = "; ".join(wrong[:_MAX_SHOWN])
    more = f"; and {len(wrong) - _MAX_SHOWN} more" if len(wrong) > _MAX_SHOWN else ""
    return InputError(f"{refused}: {shown}{more}", place=path.name)


def _columns(path: Path, header: list[str]) -> list[str]:
    columns = [_COLUMNS.get(name.strip().lower(), "") for name in header]
    if "customer_id" not in columns:
        raise InputError("the header line has no column customer_id", place=f"{path.name} line 1")
    named = [name for name in columns if name]
    if len(named) != len(set(named)):
        raise _column_twice(path)
    return columns


def _column_twice(path: Path) -> InputError:
    return InputError("the header line names a column twice", place=f"{path.name} line 1")


def _no_lines(path: Path) -> InputError:
    return InputError("nothing was imported: there are no lines below the header line", place=path.name)


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file, whichever line ends it has."""
    count = 0
    try:
        with path.open("rb") as file:
            encoding = "utf-16" if file.peek(2).startswith(_UTF_16) else "utf-8-sig"
            with io.TextIOWrapper(file, encoding) as text:
                for line in text:
                    count += 1
                    yield line
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", place=path.name) from error
    except UnicodeDecodeError as error:
        count += error.object[: error.start].count(b"\n") + 1
        raise InputError("is not UTF-8 or UTF-16", place=f"{path.name} line {count}") from error
