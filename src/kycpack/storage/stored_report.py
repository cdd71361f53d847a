"""The report of a run in its file, whose entries are read a page at a time."""

from __future__ import annotations

import os
import weakref
from array import array
from collections.abc import Mapping
from pathlib import Path
from sys import intern
from typing import Any

import orjson

from kycpack.storage.paged import Paged

_FIRST = b'  "entries": [\n'
_LAST = (b"  ]\n", b"  ],\n")
_ENTRY = b"    {\n"
_BETWEEN = b", \n"
_REPEATED = ("outcome", "level", "top_reason")


class _StoredEntries:
    """Reads entries from an open file, which is closed together with this object."""

    def __init__(self, descriptor: int, places: array[int]) -> None:
        self._descriptor = descriptor
        self._places = places
        weakref.finalize(self, os.close, descriptor)

    def read(self, first: int, end: int) -> list[Mapping[str, Any]]:
        start = self._places[first]
        content = os.pread(self._descriptor, self._places[end] - start, start)
        entries: list[dict[str, Any]] = orjson.loads(b"[" + content.rstrip(_BETWEEN) + b"]")
        for entry in entries:
            entry |= {name: intern(entry[name]) for name in _REPEATED if type(entry.get(name)) is str}
        return list(entries)


def read_stored_report(path: Path) -> dict[str, Any]:
    """Return the content of a `run.json`, with `entries` that are read from the file when they are asked for.

    Args:
        path: The file, as `RunReport.dump` writes it. It may be moved or removed afterwards.

    Raises:
        OSError: It cannot be read.
        ValueError: It does not have that form.
    """
    rest: list[bytes] = []
    places = array("Q")  # where each entry begins, and where the last one ends
    is_inside, position = False, 0
    with path.open("rb") as file:
        for line in file:
            if is_inside and line in _LAST:
                places.append(position)
                is_inside = False
            elif is_inside and line == _ENTRY:
                places.append(position)
            if not is_inside:
                rest.append(line)
            is_inside = is_inside or (line == _FIRST and not places)
            position += len(line)
        document: dict[str, Any] = orjson.loads(b"".join(rest))
        if places:
            stored = _StoredEntries(os.dup(file.fileno()), places)
            document["entries"] = Paged(len(places) - 1, stored.read)
    return document
