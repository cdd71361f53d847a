"""Reads a bank's own export by a named layout in `data/layouts`.

What the file does not show (date form, decimal mark, sign, currency if there is no column for it) is part of the layout and
never guessed. With separate columns, money in and money out have no sign and exactly one of them is filled (a zero in the
other counts as empty). Where a file says the amount or its direction twice, both must agree.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kycpack.errors import InputError, StatementFileError
from kycpack.frames.adapters import fields
from kycpack.frames.adapters.cell_values import check_currency, fit_64_bits, read_amount, read_date
from kycpack.frames.adapters.csv_layout import CsvLayout, load_layouts
from kycpack.frames.adapters.file_bytes import decode, read_bytes
from kycpack.frames.adapters.result import OnMisfit
from kycpack.frames.adapters.statement_file import Reject, StatementFile, StatementRow, read_rows
from kycpack.frames.adapters.unread_columns import refuse_unread_columns
from kycpack.frames.labels import spoken
from kycpack.frames.transactions import MisfitError
from kycpack.models.money import known_currency

Records = Iterator[tuple[int, list[str]]]
_BALANCE_LINE = "a balance, not a transaction"


def get_layout(name: str) -> CsvLayout:
    """Return the layout of a bank's own export.

    Raises:
        InputError: There is no layout with this name.
    """
    layout = load_layouts().get(name)
    if layout is None:
        raise InputError(f"no layout {name!r}; the layouts are {', '.join(sorted(load_layouts()))}")
    return layout


def read_export(
    source: str | Path | bytes,
    layout: str,
    *,
    currency: str | None = None,
    on_misfit: OnMisfit = "raise",
) -> StatementFile:
    """Read a bank's export.

    Args:
        source: Path of the file, or its bytes.
        layout: A name in `load_layouts`.
        currency: ISO 4217 code of the account. It must match the file's currency; it is required if neither the file nor
            the layout has one.
        on_misfit: `raise` stops at the first line that does not fit, `reject` lists it.

    Returns:
        Every record of the file, as a row or a reject.

    Raises:
        StatementFileError: The file does not have this layout; the message names the file and the line.
        InputError: The layout does not exist, or the currency is not an ISO 4217 code.
    """
    form = get_layout(layout)
    if currency is not None and not known_currency(currency):
        raise InputError("not an ISO 4217 currency code")
    name, data = read_bytes(source)
    text = decode(data, name)
    if form.labelled_lines:
        records = _labelled_records(text, form.headers[0], name)
        header_line, header = next(records)
    else:
        lines = _Lines(text)
        # Not strict up to the header: another bank's file is refused because of its header.
        header_line, header = _header(
            _records(lines, name, form.delimiter, strict=not form.headers), form, name
        )
        records = _records(lines, name, form.delimiter, strict=True)
    place = f"{name}:{header_line}"
    columns = form.find_columns(header, place)
    used = {index for indices in columns.values() for index in indices}
    unread = [index for index, title in enumerate(header) if title.strip() and index not in used]
    if currency and form.currency and currency != form.currency and "currency" not in columns:
        raise StatementFileError(f"{form.name} is in {form.currency}, not {currency}", place=name)
    listed = list(records)
    if form.refused_words:
        refuse_unread_columns(form, header, unread, columns, listed, currency, place)
    reader = _RowReader(form, columns, header, currency, unread)
    rows, rejects = read_rows(listed, reader.read, name, on_misfit)
    titles = tuple(header[index] for index in unread)
    return StatementFile(name, form.name, rows, rejects, titles, currency or form.currency)


class _Lines:
    """The lines of a text, counted as they are read."""

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text, newline="")
        self.taken = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.taken += 1
        return line


def _records(lines: _Lines, name: str, delimiter: str, *, strict: bool) -> Records:
    """Yield the line on which each record starts and its fields; blank lines are skipped."""
    reader = csv.reader(lines, strict=strict, delimiter=delimiter)
    while True:
        line = lines.taken + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise StatementFileError(f"is not CSV: {error}", place=f"{name}:{line}") from error
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield line, cells


def _labelled_records(text: str, labels: Sequence[str], name: str) -> Records:
    """Yield the labels, then the values of each block of `Label: value` lines; for a block with other labels, no values."""
    blocks: list[tuple[int, list[tuple[str, str]]]] = []
    for line, raw in enumerate(text.splitlines(), 1):
        label, _, value = raw.replace("\N{NO-BREAK SPACE}", " ").partition(":")
        if label.strip() == labels[0]:
            blocks.append((line, []))
        if blocks and raw.strip():
            blocks[-1][1].append((label.strip(), value.strip()))
    if not blocks:
        raise StatementFileError(f"no line begins with {labels[0]}:", place=name)
    yield 1, list(labels)
    for line, block in blocks:
        yield line, [value for _, value in block] if [label for label, _ in block] == list(labels) else []


def _header(records: Records, layout: CsvLayout, name: str) -> tuple[int, list[str]]:
    """Return the header and its line, after the records that the layout allows before it."""
    first = next(records, (1, []))
    if not layout.lines_before_header or layout.matches(first[1]):
        return first
    for _ in range(layout.lines_before_header):
        found = next(records, None)
        if found is None:
            break
        if layout.matches(found[1]):
            return found
    expected = " | or | ".join(", ".join(header) for header in layout.headers)
    raise StatementFileError(
        f"none of the first {layout.lines_before_header + 1} lines is the header of {layout.name}. "
        f"The layout expects: {expected}. The file begins with {len(first[1])} fields, which are not shown because they may contain names of people",
        place=f"{name}:{first[0]}",
    )


@dataclass(frozen=True, slots=True)
class _RowReader:
    layout: CsvLayout
    columns: Mapping[str, tuple[int, ...]]
    header: Sequence[str]
    currency: str | None
    unread: Sequence[int]

    def read(self, line: int, cells: Sequence[str]) -> StatementRow | Reject:
        """Return a record as a row, or as a reject if the line is a balance.

        Raises:
            MisfitError: The record does not fit the layout.
        """
        width = len(self.header)
        if self.layout.empty_last_fields and not any(cell.strip() for cell in cells[width:]):
            cells = cells[:width]
        if len(cells) != width:
            raise MisfitError(f"{len(cells)} fields where the header has {width}")
        at = self._cell_getter(cells)
        self._check_unread(cells)
        currency = self._currency(at("currency"))
        balance = at("balance")
        if self.layout.balance_lines and balance and not at("amount"):
            return Reject(line, _BALANCE_LINE)
        value_date = at("value_date")
        parts = list(
            dict.fromkeys(
                self._text(cells[index])
                for index in self.columns["description"]
                if len(self.columns["description"]) == 1 or cells[index].strip()
            )
        )
        minor = self._signed_amount(at, currency)
        self._check_direction(cells, minor)
        return StatementRow(
            line,
            read_date(at("date"), self.layout.date_form),
            minor,
            currency,
            " ".join(parts),
            read_amount(balance, "balance", currency, self.layout.decimal_mark) if balance else None,
            account=self._account(cells),
            txn_id=at("txn_id"),
            status=self._status(at("status")),
            value_on=read_date(value_date, self.layout.date_form) if value_date else None,
            counterparty_name=at("counterparty") or None,
            counterparty_account=fields.hashed(at("counterparty_account") or None),
            proprietary_code=at("type") or None,
        )

    def _cell_getter(self, cells: Sequence[str]) -> Callable[[str], str]:
        """Return what gives the first text in the columns of a role, empty if there is none."""
        said = {
            role: next(filter(None, (self._text(cells[index]).strip() for index in indices)), "")
            for role, indices in self.columns.items()
        }
        return lambda role: said.get(role, "")

    def _text(self, cell: str) -> str:
        return cell.removeprefix("'") if self.layout.leading_apostrophe else cell

    def _account(self, cells: Sequence[str]) -> str | None:
        """Return the account in a record: what a bank calls its product as it is, anything else hashed, since it may name a person."""
        parts = (self._text(cells[index]).strip() for index in self.columns.get("account", ()))
        said = " ".join(part for part in parts if part)
        if said and self.layout.headers and not any(letter.isdigit() for letter in said):
            return said
        return fields.hashed(said or None)

    def _currency(self, said: str) -> str:
        if said:
            check_currency(said, self.currency, "the currency is not an ISO 4217 code")
            return said
        stated = self.currency or (None if "currency" in self.columns else self.layout.currency)
        if stated is None:
            raise MisfitError("the line has no currency; give the account's currency")
        return stated

    def _status(self, said: str) -> str:
        if "status" not in self.columns:
            return "booked"
        status = self.layout.statuses.get(said.casefold())
        if status is None:
            raise MisfitError("the status is not in the layout" if said else "the status is empty")
        return status

    def _check_unread(self, cells: Sequence[str]) -> None:
        for index in self.unread:
            if self.layout.statuses.get(cells[index].strip().casefold(), "booked") != "booked":
                raise MisfitError(
                    f"the column {self.header[index].strip()[:40]!r} says that it is not a booked transaction"
                )

    def _check_direction(self, cells: Sequence[str], minor: int) -> None:
        for index in self.columns.get("direction", ()):
            way = self.layout.directions.get(self._text(cells[index]).strip().casefold())
            if way is not None and minor and (minor > 0) != (way == "in"):
                raise MisfitError(
                    f"the amount has another direction than the column {self.header[index].strip()[:40]!r}"
                )

    def _signed_amount(self, at: Callable[[str], str], currency: str) -> int:
        mark = self.layout.decimal_mark
        if "amount" in self.columns:
            minor = read_amount(at("amount"), "amount", currency, mark)
            if self.layout.amounts_are == "out":
                minor = -minor
            for role, expected in (("money_in", max(minor, 0)), ("money_out", max(-minor, 0))):
                # Monzo writes money out with a sign in some exports and without in others.
                said = read_amount(at(role), spoken(role), currency, mark) if at(role) else expected
                if said != expected and (role == "money_in" or -said != expected):
                    raise MisfitError(f"amount and {spoken(role)} do not agree")
            minor -= read_amount(at("fee"), "fee", currency, mark) if at("fee") else 0
            return fit_64_bits(minor, "amount")
        sides = {
            role: read_amount(at(role), spoken(role), currency, mark)
            for role in ("money_in", "money_out")
            if at(role)
        }
        for role, minor in sides.items():
            if minor < 0:
                raise MisfitError(f"{spoken(role)} has a sign")
        if not sides:
            raise MisfitError("neither money in nor money out")
        if all(sides.values()) and len(sides) > 1:
            raise MisfitError("both money in and money out")
        return sides.get("money_in", 0) - sides.get("money_out", 0)
