"""The cells of a pack's frames as numbers that may be printed; needs only the standard library and pyarrow."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

OPERATIONS = ("value", "sum", "count", "distinct", "share", "min", "max", "median", "latest")
"""What is done with the cells of a figure; `distinct` counts different values, `latest` is the last cell."""

MADE_OF = {"open_gaps": ("gaps", "limits")}
"""Names that stand for several frames, stacked; the name `evidence` stands for the index of the evidence."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NAMES = "|".join(_MONTHS)
_NUMBER = re.compile(
    r"(?<![\w*#])(?<![\w*#][-./@])(?:"
    rf"(?:(?P<day>\d{{1,2}})\s+)?(?P<month>{_NAMES})\s+(?P<year>\d{{4}})"
    r"|(?P<date>\d{4}-\d\d-\d\d)(?:T(?P<time>\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
    r"|(?P<number>\d+(?:[.,:]\d+)*%?)(?:st|nd|rd|th|k|m)?(?!-\w)(?![.,:]\d))(?![\w*#])"
)

_WITH_SECONDS = re.compile(r"(?<=T)\d\d:\d\d:\d\d")
_KEPT = 1000

Columns = Mapping[str, Sequence[Any]]
Conditions = Mapping[str, Sequence[Any]]


def numbers(text: str) -> list[str]:
    """Return the numbers in a text, in order; digits in ids, masked account numbers and hashes are not numbers.

    A date, in words or in figures, is one number such as `2026-07-08`; a month with its year is `2026-07`.
    """
    found: list[str] = []
    for match in _NUMBER.finditer(text):
        if match["month"]:
            month = f"{match['year']}-{_MONTHS.index(match['month']) + 1:02d}"
            found.append(f"{month}-{int(match['day']):02d}" if match["day"] else month)
        elif match["date"]:
            found += [match["date"], *([match["time"]] if match["time"] else [])]
        else:
            found.append(match["number"])
    return found


class Tables:
    """The frames of a pack, as plain Python values.

    Args:
        frames: Returns the columns of a frame by its name; called once for each frame.
        decimals: Decimals of each currency, as in `{"GBP": 2}`.
        repeats: For a frame whose equal rows are given once, how often each row occurs, by the frame's name.
    """

    def __init__(
        self,
        frames: Callable[[str], Columns],
        decimals: Mapping[str, int],
        repeats: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self._frames = frames
        self._repeats = repeats or {}
        self.decimals = decimals
        self._known: dict[str, Columns] = {}
        self._places: dict[tuple[str, str], dict[Any, list[int]]] = {}
        self._forms: dict[tuple[str, str], dict[int, AbstractSet[str]]] = {}
        self._rows: dict[tuple[Any, ...], list[int]] = {}
        self._by_column: dict[tuple[Any, ...], Mapping[str, AbstractSet[str]]] = {}

    def columns(self, frame: str) -> Columns:
        """Return the columns of a frame, or of the frames that `MADE_OF` stacks under this name."""
        if frame not in self._known:
            parts = [self.columns(part) for part in MADE_OF.get(frame, ())]
            self._known[frame] = (
                {name: [cell for part in parts for cell in part[name]] for name in parts[0]}
                if parts
                else self._frames(frame)
            )
        return self._known[frame]

    def rows(self, frame: str, conditions: Conditions) -> Sequence[int]:
        """Return the positions of the rows that hold one of the given values in each of the given columns.

        The values `>0` and `<0` stand for all numbers above and below zero.
        """
        # Several numbers in one row of a table rest on the same rows. Very long results, as in a run, are not kept.
        key = _key(frame, conditions)
        found = self._rows.get(key)
        if found is None:
            found = self._selected(frame, conditions)
            if len(found) <= _KEPT:
                self._rows[key] = found
        return found

    def count(self, frame: str, rows: Sequence[int]) -> int:
        """Return how many rows of the frame the given rows stand for."""
        repeats = self._repeats.get(frame)
        return len(rows) if repeats is None else sum(repeats[row] for row in rows)

    def total(self, frame: str, rows: Sequence[int], column: str) -> Any:
        """Return the sum of the cells of a column in the given rows, without empty cells."""
        repeats = self._repeats.get(frame)
        cells = zip(rows, self.cells(frame, rows, column), strict=True)
        return sum(
            cell if repeats is None else cell * repeats[row] for row, cell in cells if cell is not None
        )

    def _selected(self, frame: str, conditions: Conditions) -> list[int]:
        columns = self.columns(frame)
        found: set[int] | None = None
        for column, wanted in conditions.items():
            places = self._index(frame, column)
            mine = {place for value in wanted for place in places.get(value, ())}
            for sign, above in ((">0", True), ("<0", False)):
                if sign in wanted:
                    mine |= {
                        place for place, cell in enumerate(columns[column]) if cell and (cell > 0) is above
                    }
            found = mine if found is None else found & mine
        if found is not None:
            return sorted(found)
        return list(range(len(next(iter(columns.values()), ()))))

    def cells(self, frame: str, rows: Sequence[int], column: str) -> list[Any]:
        """Return the cells of a column in the given rows."""
        values = self.columns(frame)[column]
        return [values[row] for row in rows]

    def forms(self, frame: str, row: int, column: str) -> set[str]:
        """Return the forms in which a cell may be printed as a number."""
        return self.forms_in(frame, (row,), column)

    def forms_in(self, frame: str, rows: Sequence[int], column: str) -> set[str]:
        """Return the forms in which the cells of a column may be printed as numbers."""
        return _union(self._each_forms(frame, rows, column))

    def printing(self, frame: str, rows: Sequence[int], column: str, held: AbstractSet[str]) -> list[int]:
        """Return those of the rows in which the cell of a column may be printed as one of some numbers."""
        each = self._each_forms(frame, rows, column)
        return [row for row, forms in zip(rows, each, strict=True) if not forms.isdisjoint(held)]

    def _each_forms(self, frame: str, rows: Sequence[int], column: str) -> Iterator[AbstractSet[str]]:
        columns = self.columns(frame)
        cells, currencies = columns[column], columns.get("currency")
        known = self._forms.setdefault((frame, column), {})
        for row in rows:
            cell = cells[row]
            if isinstance(cell, str):  # many rows share its forms
                yield _text_forms(cell)
                continue
            if row not in known:
                currency = None if currencies is None else currencies[row]
                known[row] = forms_of(cell, column, self.decimals.get(str(currency)))
            yield known[row]

    def forms_by_column(
        self, frame: str, conditions: Conditions, columns: Sequence[str]
    ) -> Mapping[str, AbstractSet[str]]:
        """Return, by column, the forms in which its cells may be printed, for the rows that `rows` returns.

        Args:
            frame: Name of the frame.
            conditions: As for `rows`.
            columns: Names of the columns; all columns if empty.
        """
        key = (*_key(frame, conditions), *columns)
        found = self._by_column.get(key)
        if found is None:
            rows = self.rows(frame, conditions)
            found = {column: self.forms_in(frame, rows, column) for column in columns or self.columns(frame)}
            if len(rows) <= _KEPT:
                self._by_column[key] = found
        return found

    def _index(self, frame: str, column: str) -> dict[Any, list[int]]:
        key = (frame, column)
        if key not in self._places:
            places: dict[Any, list[int]] = {}
            for place, value in enumerate(self.columns(frame)[column]):
                places.setdefault(None if value is None else str(value), []).append(place)
            self._places[key] = places
        return self._places[key]


def _key(frame: str, conditions: Conditions) -> tuple[Any, ...]:
    return (frame, *((column, *wanted) for column, wanted in conditions.items()))


def forms_of(value: Any, column: str = "", decimals: int | None = None) -> AbstractSet[str]:
    """Return the forms in which a value may be printed as a number.

    Args:
        value: A cell of a frame.
        column: The column's name; the suffix `_minor` means minor units.
        decimals: Decimals of its currency; None if the currency is not known.
    """
    match value:
        case None | bool():
            found: AbstractSet[str] = frozenset()
        case date():
            found = _date_forms(value)
        case int() if decimals is not None and column.endswith("_minor"):
            found = {f"{Decimal(abs(value)).scaleb(-decimals):,.{decimals}f}"}
        case int():
            found = {str(abs(value)), f"{abs(value):,}"}
        case float() | Decimal():
            found = {f"{abs(value):{form}}" for form in (",.2f", ",.1f", ",f", "")} | {f"{100 * value:.1f}%"}
        case list():
            found = _union(forms_of(one, column, decimals) for one in value)
        case _:
            found = _text_forms(str(value))
    return found


def _union(sets: Iterable[AbstractSet[str]]) -> set[str]:
    """Return the union of many sets, with only one of them in memory at a time."""
    found: set[str] = set()
    for one in sets:
        found |= one
    return found


# The same words, ids and descriptions recur within a review and from one review to the next.
@lru_cache(maxsize=8192)
def _text_forms(text: str) -> frozenset[str]:
    found = frozenset(numbers(text)) | frozenset(_WITH_SECONDS.findall(text))
    try:
        return found | forms_of(Decimal(text))
    except InvalidOperation:
        return found


def evaluate(tables: Tables, origin: Mapping[str, Any]) -> Any:
    """Return the value of an origin that is a calculation; None if the origin is a cell.

    Args:
        tables: The frames.
        origin: An origin from the figure map: frame, rows, columns, operation and, for a share, `of`.

    Raises:
        ValueError: The operation is not one of `OPERATIONS`.
    """
    frame, operation = origin["frame"], origin["operation"]
    rows = tables.rows(frame, origin["rows"])
    if operation == "value":
        return None
    if operation == "count":
        return tables.count(frame, rows)
    (column,) = origin["columns"]
    if operation == "sum":
        return tables.total(frame, rows, column)
    if operation == "share":
        whole = tables.total(frame, tables.rows(frame, origin["of"]), column)
        return float(tables.total(frame, rows, column) / whole) if whole else None
    cells = [cell for cell in tables.cells(frame, rows, column) if cell is not None]
    if operation == "distinct":
        return len(set(map(str, cells)))
    calculations: dict[str, Callable[[list[Any]], Any]] = {
        "min": min,
        "max": max,
        "latest": lambda values: values[-1],
        "median": lambda values: (statistics.median_low(values) + statistics.median_high(values) + 1) // 2,
    }
    if operation not in calculations:
        raise ValueError(f"there is no operation {operation!r}")
    return _plain(calculations[operation](cells)) if cells else None


def printed_forms(tables: Tables, origin: Mapping[str, Any]) -> AbstractSet[str]:
    """Return the forms in which an origin may be printed as a number."""
    frame, operation = origin["frame"], origin["operation"]
    rows = tables.rows(frame, origin["rows"])
    if operation == "value":
        columns = origin["columns"] or list(tables.columns(frame))
        return _union(tables.forms_in(frame, rows, column) for column in columns)
    value = evaluate(tables, origin)
    if operation == "share":
        # Shares that are shown together are rounded to add up to 100.0%, so each is off by less than 0.1.
        return set() if value is None else {f"{(int(1000 * value) + step) / 10:.1f}%" for step in (-1, 0, 1)}
    if operation in {"count", "distinct"} or "currency" not in tables.columns(frame):
        return forms_of(value)
    return _amount_forms(tables, origin, rows, value)


def _amount_forms(
    tables: Tables, origin: Mapping[str, Any], rows: Sequence[int], value: Any
) -> AbstractSet[str]:
    operation, (column,) = origin["operation"], origin["columns"]
    if isinstance(value, str):
        return _date_forms(datetime.fromisoformat(value))
    if not rows and operation == "sum":
        return {f"{0:.{decimals}f}" for decimals in tables.decimals.values()}
    currencies = set(map(str, tables.cells(origin["frame"], rows, "currency")))
    # Amounts of two currencies are never added up, so a sum over both has no form.
    if operation == "sum" and len(currencies) > 1:
        return set()
    decimals = {tables.decimals.get(currency) for currency in currencies}
    return forms_of(value, column, decimals.pop() if len(decimals) == 1 else None)


def evidence_ids(tables: Tables, origin: Mapping[str, Any]) -> set[str]:
    """Return the entries of the evidence that the rows of an origin come from."""
    frame = origin["frame"]
    rows = tables.rows(frame, origin["rows"])
    if origin["operation"] == "share":
        rows = [*rows, *tables.rows(frame, origin["of"])]
    if "evidence_id" in tables.columns(frame):
        return {str(one) for one in set(tables.cells(frame, rows, "evidence_id")) if one}
    return _union(row_evidence(tables, frame, row) for row in rows)


def row_evidence(tables: Tables, frame: str, row: int) -> set[str]:
    """Return the entries of the evidence that a row comes from; for a stream or a source, those of its credits."""
    columns = tables.columns(frame)
    if frame == "evidence":
        return {str(columns["id"][row])}
    found: set[str] = set()
    for column in ("evidence_id", "evidence_ids"):
        cell = columns[column][row] if column in columns else None
        found |= {str(one) for one in cell} if isinstance(cell, list) else {str(cell)} if cell else set()
    if found:
        return found
    for column, conditions in _CREDITS_OF.items():
        if column in columns:
            cell = columns[column][row]
            for one in cell if isinstance(cell, list) else [cell]:
                for place in tables.rows("credits", conditions(str(one))):
                    found.add(str(tables.columns("credits")["evidence_id"][place]))
    return found


def _credits_of_source(source_id: str) -> dict[str, list[str]]:
    account, slash, txn = source_id.partition("/")
    return {"account_id": [account], "txn_id": [txn]} if slash else {"stream_id": [source_id]}


_CREDITS_OF: Mapping[str, Callable[[str], dict[str, list[str]]]] = {
    "stream_id": lambda stream_id: {"stream_id": [stream_id]},
    "source_id": _credits_of_source,
    "source_ids": _credits_of_source,
}


def frames_of(data: Path) -> Callable[[str], Columns]:
    """Return a function that reads a frame of a pack by name."""

    def read(name: str) -> Columns:
        if name == "evidence":
            return index_columns(json.loads((data / "evidence" / "index.json").read_text(encoding="utf-8")))
        with pq.ParquetFile(data / "frames" / f"{name}.parquet") as file:
            columns: Columns = file.read(use_threads=False).to_pydict()
        return columns

    return read


def index_columns(index: Mapping[str, Any]) -> Columns:
    """Return the entries of an index of evidence as columns."""
    entries = index["entries"]
    return {name: [entry.get(name) for entry in entries] for name in sorted({n for e in entries for n in e})}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


# A transaction is mostly booked on the day of its value, and many on one day.
@lru_cache(maxsize=1024)
def _date_forms(value: date) -> frozenset[str]:
    moment = value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo else value
    text = moment.isoformat()
    if isinstance(moment, datetime):
        return frozenset((text[:10], text[:7], text[11:16], text[11:19]))
    return frozenset((text[:10], text[:7]))
