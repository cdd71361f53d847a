"""Checks that each printed number follows from the frames, and each cited cell from the evidence: for an auditor.

It needs `figure_cells`, the standard library and pyarrow, and nothing else of kycpack, so that it can be read in an hour.
The figure map says which rows of which frame a number was made from, and how. This check covers arithmetic only; to
check the classification, `kycpack replay` makes the pack again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from kycpack.pack.figures.figure_cells import Tables, evaluate, frames_of, numbers, printed_forms

MAP = "figure_map.json"


def check_figures(folder: Path) -> list[str]:
    """Check the figure map of a pack against its frames and its evidence.

    Args:
        folder: The pack.

    Returns:
        One sentence for each number or cell that does not follow.
    """
    data = folder / "data"
    return list(figure_problems(json.loads((data / MAP).read_text(encoding="utf-8")), data))


def figure_problems(document: Mapping[str, Any], data: Path) -> Iterator[str]:
    """Yield a sentence for each number or cell that does not follow.

    Args:
        document: The content of the figure map.
        data: The folder `data` of the pack.
    """
    tables = Tables(frames_of(data), document["decimals"])
    yield from arithmetic_problems(document, tables)
    yield from _pointer_problems(data, tables, document["pointers"])


def arithmetic_problems(document: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    """Yield a sentence for each figure of a map that does not follow from the frames.

    Args:
        document: The content of the figure map.
        tables: The frames.
    """
    for figure in document["figures"]:
        yield from _figure_problems(tables, figure)


def unmapped(document: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each printed number whose origin is not in the figure map."""
    return [
        f"{one['place']}: {', '.join(one['numbers'])} is printed, but the figure map does not say where it comes from"
        for one in document["unmapped"]
    ]


def row_pointers(pointers: Mapping[str, Any]) -> dict[int, tuple[str, str]]:
    """Return the entry of the evidence and the JSON pointer of each row of a frame that has one."""
    found = {}
    for first, count, entry, base, place in pointers["runs"]:
        for step in range(count):
            found[first + step] = (entry, base if place is None else f"{base}/{place + step}")
    return found


def at_pointer(document: Any, pointer: str) -> Any:
    """Return the value that a JSON pointer leads to; None if there is none.

    Source: RFC 6901.
    """
    for name in pointer.split("/")[1:]:
        key = name.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict):
            document = document.get(key)
        elif isinstance(document, list) and key.isdecimal() and int(key) < len(document):
            document = document[int(key)]
        else:
            return None
    return document


def same_value(cell: Any, answered: Any, decimals: int | None) -> bool:
    """Return whether a cell of a frame equals what the service answered, whatever its form.

    Args:
        cell: The cell.
        answered: The value in the evidence.
        decimals: Decimals of the row's currency for a cell in minor units, else None.
    """
    if isinstance(cell, bool) or isinstance(answered, bool):
        return str(cell).lower() == str(answered).lower()
    if isinstance(cell, datetime):
        return isinstance(answered, str) and _instant(cell) == _instant_of(answered, cell)
    if decimals is not None:
        number = _decimal(answered)
        return number is not None and abs(number.scaleb(decimals)) == abs(int(cell))
    number, other = _decimal(cell), _decimal(answered)
    if number is not None and other is not None and not isinstance(cell, str):
        return abs(number - other) < Decimal("1e-9")
    if isinstance(answered, list):
        return str(cell) == " ".join(map(str, answered))
    return str(cell) == str(answered) or (number is not None and number == other)


def _figure_problems(tables: Tables, figure: Mapping[str, Any]) -> Iterator[str]:
    forms: set[str] = set()
    for origin in figure["origins"]:
        forms |= printed_forms(tables, origin)
        if origin["operation"] != "value" and not _equal(evaluate(tables, origin), origin["value"]):
            yield (
                f"figure {figure['id']}: the {origin['operation']} over frame {origin['frame']} is "
                f"{evaluate(tables, origin)}, not {origin['value']}"
            )
        if origin["operation"] == "value" and not tables.rows(origin["frame"], origin["rows"]):
            yield f"figure {figure['id']}: frame {origin['frame']} has no such row"
    forms |= {*figure.get("not_figures", ()), *figure.get("unmapped", ())}
    missing = [number for number in numbers(figure["printed"]) if number not in forms]
    if missing:
        yield f"figure {figure['id']}: {', '.join(missing)} does not follow from the rows that it names"


def _pointer_problems(data: Path, tables: Tables, pointers: Mapping[str, Any]) -> Iterator[str]:
    files = _files(data)
    documents: dict[str, Any] = {}
    for frame, where in pointers.items():
        columns = tables.columns(frame)
        for row, (entry, pointer) in row_pointers(where).items():
            if entry not in documents:
                documents[entry] = json.loads((data / "evidence" / files[entry]).read_text(encoding="utf-8"))
            answered = at_pointer(documents[entry], pointer)
            for column, members in where["members"].items():
                cell = columns[column][row]
                minor = column.endswith("_minor")
                decimals = tables.decimals.get(str(columns["currency"][row])) if minor else None
                given = [at_pointer(answered, member) for member in members]
                if cell is not None and not any(
                    one is not None and same_value(cell, one, decimals) for one in given
                ):
                    yield f"frame {frame}, row {row}, {column} differs from {files[entry]} at {pointer or 'its top'}"


def _files(data: Path) -> dict[str, str]:
    index = json.loads((data / "evidence" / "index.json").read_text(encoding="utf-8"))
    return {entry["id"]: Path(entry["file"]).name for entry in index["entries"] if entry["file"]}


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and other is not None:
        return abs(one - float(other)) < 1e-9
    return bool(one == other)


def _instant(value: datetime) -> datetime:
    return value.astimezone(UTC) if value.tzinfo else value


def _instant_of(text: str, like: datetime) -> datetime | None:
    try:
        found = datetime.fromisoformat(text if like.tzinfo else text[:10])
    except ValueError:
        return None
    if like.tzinfo is None:
        return found
    # A frame may hold an instant with less precision than the service gave.
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def _decimal(value: Any) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
