"""Tracing a printed number to the rows it was made from, and each row to its place in the evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kycpack.errors import PackError
from kycpack.pack.check.parts import Parts
from kycpack.pack.figures.figure_cells import Tables, evaluate, frames_of, numbers, row_evidence
from kycpack.pack.figures.figure_check import MAP, figure_problems, row_pointers, unmapped

_KEYS = (
    *(
        "customer_id",
        "session_id",
        "account_id",
        "txn_id",
        "payment_id",
        "attempt_id",
        "media_id",
        "stream_id",
    ),
    *(
        "source_id",
        "rule_id",
        "code",
        "subject",
        "path",
        "field",
        "left",
        "right",
        "position",
        "disposition",
        "id",
    ),
)
_FLAGS = "wealth.flags."
_OF_PAYMENT = ("booked_on", "amount_minor", "currency")
_HOLDS_POINTER = {
    "credits": ("transactions", ("account_id", "txn_id")),
    "findings": ("checks", ("session_id", "path")),
}


@dataclass(frozen=True, slots=True)
class TracedRow:
    """A row that a figure was made from.

    Attributes:
        frame: Name of its frame.
        key: Columns and values that identify the row in its frame.
        cells: The cells that were used, by column.
        evidence: Ids of the entries of the evidence that it comes from.
        places: Its places in the evidence, as file and JSON pointer; empty for rows that were computed or are not from JSON.
    """

    frame: str
    key: dict[str, str]
    cells: dict[str, Any]
    evidence: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TracedFigure:
    """A printed number, and what it was made from.

    Attributes:
        id: Its id in the figure map.
        printed: What is printed.
        place: The heading or column it is printed under.
        documents: The documents that print it.
        calculations: What was done with the rows, one sentence for each calculation.
        rows: Every row that was used.
    """

    id: str
    printed: str
    place: str
    documents: tuple[str, ...]
    calculations: tuple[str, ...]
    rows: tuple[TracedRow, ...]


def trace_figure(pack: Path | str, figure: str) -> tuple[TracedFigure, ...]:
    """Trace a printed number to its rows and their evidence.

    Args:
        pack: The pack's folder.
        figure: Id of a figure, as in `coverage.3`, or a number as it is printed, as in `54,878.55`.

    Returns:
        The figures with that id or number.

    Raises:
        PackError: The pack has no figure map, or the figure map does not have the figure.
    """
    folder = Path(pack)
    document = _figure_map(folder)
    data = folder / "data"
    tables = Tables(frames_of(data), document["decimals"])
    pointers = {frame: row_pointers(where) for frame, where in document["pointers"].items()}
    wanted = numbers(figure)
    found = [one for one in document["figures"] if one["id"] == figure] or [
        one for one in document["figures"] if wanted and set(wanted) <= set(numbers(one["printed"]))
    ]
    if not found:
        raise PackError(
            f"the figure map of the pack has no figure {figure!r}; give an id, or a number as it is printed"
        )
    rows_of = partial(_rows, tables=tables, pointers=pointers, files=document["files"])
    return tuple(traced_figure(one, tables, rows_of) for one in found)


def list_figures(pack: Path | str) -> tuple[dict[str, Any], ...]:
    """Return the figures of a pack, as in its figure map.

    Raises:
        PackError: The pack has no figure map.
    """
    return tuple(_figure_map(Path(pack))["figures"])


def check_trace(pack: Path | str) -> tuple[str, ...]:
    """Calculate every figure again from the frames, and look up every cited cell in the evidence.

    Args:
        pack: The pack's folder.

    Returns:
        One sentence for each figure or cell that does not follow, and for each printed number that is not in the map.

    Raises:
        PackError: The pack has no figure map.
    """
    folder = Path(pack)
    document = _figure_map(folder)
    return (*figure_problems(document, folder / "data"), *unmapped(document))


def _figure_map(folder: Path) -> dict[str, Any]:
    if not (folder / "data" / MAP).is_file():
        raise PackError(
            f"{folder} has no data/{MAP}: it is not a pack, or it is from an older version of kycpack"
        )
    return Parts(folder / "data", {}).figure_map


def traced_figure(
    figure: Mapping[str, Any], tables: Tables, rows_of: Callable[[Mapping[str, Any]], Iterable[TracedRow]]
) -> TracedFigure:
    """Return a figure of a figure map with its calculations and rows.

    Args:
        figure: The figure, as in the map.
        tables: The frames that it names.
        rows_of: Returns the rows of an origin.
    """
    return TracedFigure(
        figure["id"],
        figure["printed"],
        figure["place"],
        tuple(figure["documents"]),
        tuple(_calculation_words(tables, origin) for origin in figure["origins"]),
        tuple(row for origin in figure["origins"] for row in rows_of(origin)),
    )


def _calculation_words(tables: Tables, origin: Mapping[str, Any]) -> str:
    """Return what was done with the rows of an origin, in a sentence."""
    columns = ", ".join(origin["columns"])
    of = f" of {columns}" if columns else ""
    count = len(tables.rows(origin["frame"], origin["rows"]))
    rows = "1 row" if count == 1 else f"{count} rows"
    value = evaluate(tables, origin)
    result = "" if value is None else f" = {value}"
    return f"{origin['operation']}{of} in {rows} of frame {origin['frame']}{result}"


def _rows(
    origin: Mapping[str, Any],
    tables: Tables,
    pointers: Mapping[str, Mapping[int, tuple[str, str]]],
    files: Mapping[str, str],
) -> Iterator[TracedRow]:
    frame = origin["frame"]
    columns = tables.columns(frame)
    keys = [name for name in _KEYS if name in columns and name not in {"customer_id", *origin["columns"]}]
    for row in tables.rows(frame, origin["rows"]):
        yield TracedRow(
            frame,
            {name: str(columns[name][row]) for name in keys if columns[name][row] is not None},
            {name: columns[name][row] for name in origin["columns"]},
            tuple(sorted(row_evidence(tables, frame, row))),
            tuple(_places(frame, row, tables, pointers, files)),
        )
        for payment in _payments_of(frame, row, tables):
            yield from _rows(payment, tables, pointers, files)


def _payments_of(frame: str, row: int, tables: Tables) -> Iterator[dict[str, Any]]:
    """Yield the payments that a red flag counts, as origins; the row is that of the flag, or of a finding that gives its words."""
    columns = tables.columns(frame)
    path = str(columns["path"][row]) if frame == "findings" else ""
    if path.startswith(_FLAGS):
        known = tables.columns("flags")
        for one in tables.rows("flags", {"code": [path.removeprefix(_FLAGS)]}):
            if str(known["message"][one]) in str(columns["reason"][row]):
                yield from _payments_of("flags", one, tables)
    if frame == "flags":
        counted: dict[str, list[str]] = defaultdict(list)
        for account_id, txn_id in zip(columns["account_ids"][row], columns["txn_ids"][row], strict=True):
            counted[str(account_id)].append(str(txn_id))
        for account_id, txn_ids in counted.items():
            wanted = {"account_id": [account_id], "txn_id": txn_ids}
            yield {"frame": "transactions", "columns": list(_OF_PAYMENT), "rows": wanted}


def _places(
    frame: str,
    row: int,
    tables: Tables,
    pointers: Mapping[str, Mapping[int, tuple[str, str]]],
    files: Mapping[str, str],
) -> Iterator[str]:
    columns = tables.columns(frame)
    rows: Sequence[int] = (row,)
    if frame in _HOLDS_POINTER:
        frame, key = _HOLDS_POINTER[frame]
        rows = tables.rows(frame, {name: [_text(columns[name][row])] for name in key})
    for place in rows:
        where = pointers.get(frame, {}).get(place)
        if where is not None:
            yield f"{files[where[0]]}#{where[1]}"


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
