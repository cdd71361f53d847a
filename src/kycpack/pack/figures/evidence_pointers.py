"""Where the rows of frames are found in the evidence: an entry and a JSON pointer per row, a member per column."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from kycpack.evidence import Evidence
from kycpack.frames.adapters.catalogue import OWN_SHAPE
from kycpack.frames.columnar import COLUMNS
from kycpack.pack.figures.figure_cells import Tables
from kycpack.pack.figures.figure_check import at_pointer, same_value

_ITEM_KEYS = {
    "accounts": "account_id",
    "attempts": "attempt_id",
    "media": "media_id",
    "transactions": "txn_id",
}
_LEAF_FRAMES = ("checks", "screening")
_FRAMES = (
    *("customers", "sessions", "results", "documents", "balances", "payments", "statements", "sources"),
    *_ITEM_KEYS,
    *_LEAF_FRAMES,
)
_NOT_ANSWERED = frozenset(
    {"customer_id", "session_id", "evidence_id", "position", "role", "format", "kind", "learned_from"}
)
_SECTIONS_OF_DOCUMENTS = {"identity": "/document", "proof_of_address": "/address"}
# A missing status means booked, so its member may be absent.
_OWN_MEMBERS = {
    column: [f"/{COLUMNS[name]}" for name in (column, *(("value_on",) if column == "booked_on" else ()))]
    for column in COLUMNS
    if column not in {"status", "txn_id"}
}

_WORDS = re.compile(r"[A-Z]?[a-z]+[0-9]*|[A-Z]+|[0-9]+")
_SAME_START = 4
_MORE_THAN_ALL = 100

Located = tuple[str, str, int | None]


def evidence_pointers(evidence: Evidence, tables: Tables, frames: Sequence[str]) -> dict[str, Any]:
    """Return where the rows of frames are found in the evidence.

    Args:
        evidence: Evidence of one customer.
        tables: The frames.
        frames: Names of the frames that exist.

    Returns:
        For each frame, `runs` and `members`. A run of rows has the first row, the number of rows, the entry, the pointer to
        their list or to the single object, and the position of the first row in the list (null for an object). `members`
        gives, by column, JSON pointers within a row's object; the first one that is present holds the cell. Rows and columns
        that were not found in the evidence are left out.
    """
    documents = {entry.id: _document(evidence, entry.id) for entry in evidence.entries}
    own_shape = all(entry.adapter == OWN_SHAPE for entry in evidence.select("bank_accounts.transactions"))
    found: dict[str, Any] = {}
    for frame in _FRAMES:
        if frame not in frames or not tables.rows(frame, {}):
            continue
        located = _located(frame, tables, documents)
        if frame == "transactions" and own_shape:
            members = _OWN_MEMBERS
        elif frame in _LEAF_FRAMES:
            members = {"value": [""]}
            located = _agreeing(frame, tables, located, documents)
        else:
            members = _members(frame, tables, located, documents)
        if members and located:
            found[frame] = {"members": members, "runs": _runs(located)}
    return found


def _document(evidence: Evidence, entry_id: str) -> Any:
    body = evidence.bodies.get(entry_id)
    try:
        return None if body is None else json.loads(body, parse_float=Decimal)
    except (ValueError, RecursionError):
        return None


def _located(frame: str, tables: Tables, documents: Mapping[str, Any]) -> dict[int, Located]:
    """Return the entry, the pointer and the position in its list, for each row that is found."""
    columns = tables.columns(frame)
    items: dict[str, dict[str, tuple[str, int]]] = {}
    found: dict[int, Located] = {}
    for row, entry in enumerate(columns["evidence_id"]):
        document = documents.get(str(entry))
        if not isinstance(document, dict | list):
            continue
        if frame in _ITEM_KEYS:
            if entry not in items:
                items[entry] = dict(_items(document))
            place = items[entry].get(str(columns[_ITEM_KEYS[frame]][row]))
            if place is not None:
                found[row] = (entry, *place)
            continue
        pointer = _pointer(frame, columns, row)
        if _leads_somewhere(document, pointer):
            found[row] = (entry, pointer, None)
    return found


def _pointer(frame: str, columns: Mapping[str, Sequence[Any]], row: int) -> str:
    if frame in _LEAF_FRAMES:
        return "/" + "/".join(str(columns["path"][row]).split("."))
    if frame == "sources":
        if columns["role"][row] == "primary":
            return "/primarySource"
        mine = [
            place
            for place, role in enumerate(columns["role"])
            if role != "primary" and columns["evidence_id"][place] == columns["evidence_id"][row]
        ]
        return f"/additionalSources/{mine.index(row)}"
    if frame == "documents":
        return _SECTIONS_OF_DOCUMENTS.get(str(columns["kind"][row]), "")
    return ""


def _leads_somewhere(document: Any, pointer: str) -> bool:
    for name in pointer.split("/")[1:]:
        if isinstance(document, dict) and name in document:
            document = document[name]
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            return False
    return True


def _items(document: Any, pointer: str = "") -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield the id of each object in a list, with the list's pointer and the position; the first object with an id counts."""
    if isinstance(document, dict):
        for name, value in reversed(document.items()):
            yield from _items(value, f"{pointer}/{_escaped(name)}")
    elif isinstance(document, list):
        for place, value in reversed(list(enumerate(document))):
            if isinstance(value, dict):
                for name, leaf in value.items():
                    if _is_id(name) and isinstance(leaf, str | int):
                        yield str(leaf), (pointer, place)


# Hundreds of transactions have the same member names.
@lru_cache(maxsize=1024)
def _is_id(name: str) -> bool:
    return name.lower().endswith("id")


def _members(
    frame: str, tables: Tables, located: Mapping[int, Located], documents: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Return, by column, the members that hold its cells; a column is left out if a cell is not found."""
    columns = tables.columns(frame)
    rows = list(located)
    leaves = {row: _leaves_by_value(_object(located[row], documents)) for row in rows}
    found = {}
    for column in columns:
        if column in _NOT_ANSWERED:
            continue
        options: list[set[str]] = []
        for row in rows:
            cell = columns[column][row]
            if cell is None or isinstance(cell, bool | list):
                continue
            currency = columns["currency"][row] if column.endswith("_minor") else None
            members = leaves[row].get(_key(cell, tables.decimals.get(str(currency))), set())
            # A column of results is named after its member; many other members have the same value.
            options.append({one for one in members if frame != "results" or _is_named(column, one)})
        chosen = _cover(column, options)
        if chosen:
            found[column] = chosen
    return found


def _agreeing(
    frame: str, tables: Tables, located: Mapping[int, Located], documents: Mapping[str, Any]
) -> dict[int, Located]:
    """Return the rows whose value is found at their pointer; a name given twice has two values but only one pointer."""
    values = tables.columns(frame)["value"]
    return {
        row: where
        for row, where in located.items()
        if values[row] is None or same_value(values[row], _object(where, documents), None)
    }


def _object(where: Located, documents: Mapping[str, Any]) -> Any:
    entry, pointer, place = where
    return at_pointer(documents[entry], pointer if place is None else f"{pointer}/{place}")


def _leaves_by_value(value: Any) -> dict[Any, set[str]]:
    found: dict[Any, set[str]] = {}
    for where, leaf in _leaves(value, ""):
        for key in _leaf_keys(leaf):
            found.setdefault(key, set()).add(where)
    return found


def _leaves(value: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _leaves(member, f"{pointer}/{_escaped(name)}")
    elif isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            yield pointer, " ".join(value)
    elif value is not None and not isinstance(value, bool):
        yield pointer, value


def _cover(column: str, options: list[set[str]]) -> list[str]:
    """Return the fewest members that hold all cells, those named like the column first; none if a cell has no member."""
    if not options or not all(options):
        return []
    chosen: list[str] = []
    left = options
    while left:
        every = {member for option in left for member in option}
        best = min(
            every,
            key=lambda member: (
                -_likeness(column, member),
                -sum(member in option for option in left),
                member,
            ),
        )
        chosen.append(best)
        left = [option for option in left if best not in option]
    return chosen


def _is_named(column: str, member: str) -> bool:
    """Return whether a column has the name of a member, groups included."""
    words = [word.lower() for word in _WORDS.findall(member)]
    return "_".join(words) in {column, column.removesuffix("_on"), column.removesuffix("_at")}


def _likeness(column: str, member: str) -> int:
    """Return how well a pointer's words are those of a column, groups included: `document_outcome` is `/document/outcome`, and no other outcome."""
    words = [word.lower() for word in _WORDS.findall(member)]
    parts = [part for part in column.split("_") if part not in {"minor", "on", "at", "raw"}]
    named = sum(any(word.startswith(part[:_SAME_START]) for word in words) for part in parts)
    further = sum(not any(word.startswith(part[:_SAME_START]) for part in parts) for word in words)
    return named * _MORE_THAN_ALL - further


def _key(cell: Any, decimals: int | None) -> Any:
    if decimals is not None:
        return "number", abs(Decimal(int(cell)).scaleb(-decimals)).normalize()
    if isinstance(cell, datetime):
        return ("at", cell.astimezone(UTC)) if cell.tzinfo else ("day", cell.date())
    if isinstance(cell, int | float | Decimal):
        return "number", abs(Decimal(str(cell))).normalize()
    return "text", str(cell)


def _leaf_keys(leaf: Any) -> Iterator[Any]:
    yield "text", str(leaf)
    with suppress(InvalidOperation):
        yield "number", abs(Decimal(str(leaf))).normalize()
    if isinstance(leaf, str) and leaf[4:5] == "-":
        try:
            yield "day", date.fromisoformat(leaf[:10])
            moment = datetime.fromisoformat(leaf)
            yield "at", (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except ValueError:
            return


def _runs(located: Mapping[int, Located]) -> list[list[Any]]:
    """Return the rows, with consecutive rows of one list as one run."""
    runs: list[list[Any]] = []
    for row, (entry, pointer, place) in sorted(located.items()):
        last = runs[-1] if runs else None
        follows = (
            last is not None
            and place is not None
            and last[4] is not None
            and (last[0] + last[1], last[2], last[3], last[4] + last[1]) == (row, entry, pointer, place)
        )
        if follows and last is not None:
            last[1] += 1
        else:
            runs.append([row, 1, entry, pointer, place])
    return runs


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
