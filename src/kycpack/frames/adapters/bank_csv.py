"""A bank's own CSV export, read by a named adapter.

What cannot be told from the file (date form, currency, sign) belongs to the adapter's name and is never guessed:

- `uk-csv`: dates d/m/yyyy, pounds sterling.
- `uk-iso-csv`: dates yyyy-mm-dd, pounds sterling.

Sign rule of both: with two columns, money in and money out are unsigned and exactly one of them is filled (a zero in
the other counts as empty); with one amount column, plus is into the account.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from kycpack.errors import StatementFileError
from kycpack.frames.adapters.statement_file import StatementFile, StatementRow

_HEADER_NAMES: Mapping[str, frozenset[str]] = {
    "date": frozenset(
        {"date", "transaction date", "booking date", "posting date", "posted date", "date posted"}
    ),
    "description": frozenset(
        {
            "description",
            "transaction description",
            "details",
            "narrative",
            "memo",
            "payee",
            "transaction details",
        }
    ),
    "money in": frozenset({"amount in", "money in", "paid in", "credit", "credit amount", "in", "deposits"}),
    "money out": frozenset(
        {"amount out", "money out", "paid out", "debit", "debit amount", "out", "withdrawals", "withdrawn"}
    ),
    "amount": frozenset({"amount", "value", "transaction amount"}),
    "balance": frozenset({"balance", "running balance", "account balance", "balance after"}),
}
_AMOUNT = re.compile(
    r"([+-]?)(?:£|GBP ?)?([+-]?)([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.([0-9]{1,2}))?"
)
_UK_DATE = re.compile(r"(?P<day>[0-9]{1,2})/(?P<month>[0-9]{1,2})/(?P<year>[0-9]{4})")
_ISO_DATE = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")


@dataclass(frozen=True, slots=True)
class CsvForm:
    """What an adapter's name stands for.

    Args:
        name: The adapter's name.
        currency: ISO 4217 code of every amount in the file.
        date_pattern: Groups day, month and year.
        date_words: The date form, for messages.
    """

    name: str
    currency: str
    date_pattern: re.Pattern[str]
    date_words: str


CSV_FORMS: Mapping[str, CsvForm] = {
    form.name: form
    for form in (
        CsvForm("uk-csv", "GBP", _UK_DATE, "d/m/yyyy"),
        CsvForm("uk-iso-csv", "GBP", _ISO_DATE, "yyyy-mm-dd"),
    )
}


def read_statement(source: str | Path | bytes, adapter: str = "uk-csv") -> StatementFile:
    """Read a bank's export whole, or not at all.

    Args:
        source: Path of the file, or its bytes.
        adapter: One of `CSV_FORMS`.

    Returns:
        Every row of the file.

    Raises:
        StatementFileError: The file cannot be read by this adapter; the message names file and line.
    """
    form = CSV_FORMS.get(adapter)
    if form is None:
        raise StatementFileError(f"no adapter {adapter!r}; there are {', '.join(sorted(CSV_FORMS))}")
    if isinstance(source, bytes):
        name, data = "statement", source
    else:
        name = Path(source).name
        try:
            data = Path(source).read_bytes()
        except OSError as error:
            raise StatementFileError(f"cannot be read: {error.strerror}", place=name) from error
    records = _records(_decode(data, name), name)
    header_line, header = next(records, (1, []))
    columns, unread = _columns(header, f"{name}:{header_line}")
    seen: Counter[str] = Counter()
    rows = tuple(
        _row(line, fields, header, columns, form, seen, f"{name}:{line}") for line, fields in records
    )
    return StatementFile(form.name, form.currency, rows, unread)


def _decode(data: bytes, name: str) -> str:
    # Banks write UTF-8 or Windows-1252; no text with a pound sign is valid in both.
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            return data.decode("cp1252")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise StatementFileError("is neither UTF-8 nor Windows-1252", place=f"{name}:{line}") from error


def _records(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which a record starts and its fields; blank lines are no records."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader, None)
        except csv.Error as error:
            raise StatementFileError(f"is not CSV: {error}", place=f"{name}:{line}") from error
        if fields is None:
            return
        if any("\0" in field for field in fields):
            raise StatementFileError("holds a NUL, which no statement has", place=f"{name}:{line}")
        if any(field.strip() for field in fields):
            yield line, fields


def _columns(header: Sequence[str], place: str) -> tuple[dict[str, int], tuple[str, ...]]:
    columns: dict[str, int] = {}
    unread = []
    for index, title in enumerate(header):
        spoken = re.sub(r"\((?:£|gbp)\)|[_\-./\s]+", " ", title.strip().lower()).strip()
        role = next((role for role, names in _HEADER_NAMES.items() if spoken in names), None)
        if role is None:
            unread.append(title)
        elif role in columns:
            raise StatementFileError(f"two columns could be {role}", place=place)
        else:
            columns[role] = index
    missing = [role for role in ("date", "description") if role not in columns]
    if missing:
        raise StatementFileError(f"the header names no column for {' and '.join(missing)}", place=place)
    two_sided = {"money in", "money out"} & columns.keys()
    if bool(two_sided) == ("amount" in columns) or len(two_sided) == 1:
        raise StatementFileError("the header must name money in and money out, or one amount", place=place)
    return columns, tuple(unread)


def _row(
    line: int,
    fields: Sequence[str],
    header: Sequence[str],
    columns: Mapping[str, int],
    form: CsvForm,
    seen: Counter[str],
    place: str,
) -> StatementRow:
    if len(fields) != len(header):
        raise StatementFileError(f"{len(fields)} fields where the header has {len(header)}", place=place)

    def at(role: str) -> str:
        return fields[columns[role]] if role in columns else ""

    booked_on = _date(at("date"), form, place)
    amount = _signed_amount(at, columns, place)
    balance = _minor(at("balance"), "balance", place) if at("balance").strip() else None
    content = "\x1f".join((booked_on.isoformat(), str(amount), at("description"), str(balance)))
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    seen[digest] += 1
    return StatementRow(line, f"{digest}-{seen[digest]}", booked_on, amount, at("description"), balance)


def _signed_amount(at: Callable[[str], str], columns: Mapping[str, int], place: str) -> int:
    if "amount" in columns:
        return _minor(at("amount"), "amount", place)
    sides = {role: _minor(at(role), role, place) for role in ("money in", "money out") if at(role).strip()}
    for role, minor in sides.items():
        if minor < 0:
            raise StatementFileError(f"{role} has a sign", place=place)
    if not sides:
        raise StatementFileError("neither money in nor money out", place=place)
    if all(sides.values()) and len(sides) > 1:
        raise StatementFileError("both money in and money out", place=place)
    return sides.get("money in", 0) - sides.get("money out", 0)


def _date(text: str, form: CsvForm, place: str) -> date:
    match = form.date_pattern.fullmatch(text.strip())
    if match is None:
        raise StatementFileError(f"the date is not of the form {form.date_words}", place=place)
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError as error:
        raise StatementFileError("there is no such date", place=place) from error


def _minor(text: str, role: str, place: str) -> int:
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or (match[1] and match[2]):
        raise StatementFileError(f"{role} is not an amount in pounds", place=place)
    minor = int(match[3].replace(",", "")) * 100 + int((match[4] or "").ljust(2, "0") or 0)
    return -minor if "-" in (match[1], match[2]) else minor
