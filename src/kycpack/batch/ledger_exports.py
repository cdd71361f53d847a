"""Exports of the ledger in folders of packs and runs: what is erased from the ledger is erased from them too."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from kycpack.workspace.ledger.ledger import Ledger
from kycpack.workspace.ledger.ledger_files import HEAD_FILE, LEDGER_FILE, write_entries


def is_export(path: Path) -> bool:
    """Return whether a file belongs to an export of a ledger; such a file may name erased customers, to record the erasure."""
    return path.name == LEDGER_FILE and (path.parent / HEAD_FILE).is_file()


def exports_in(folders: Collection[Path], ledger: str) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Yield the exports of a ledger with their entries; links are not followed.

    Args:
        folders: Folders of packs and runs.
        ledger: Hash of the ledger's first entry.
    """
    for folder in folders:
        for place, _, files in os.walk(folder):
            if LEDGER_FILE in files and HEAD_FILE in files:
                entries = _entries(Path(place) / LEDGER_FILE)
                if entries and entries[0].get("hash") == ledger:
                    yield Path(place), entries


def erase_from_exports(folders: Collection[Path], ledger: Ledger) -> int:
    """Write every export that holds an erased payload again, from the current ledger.

    Args:
        folders: Folders of packs and runs.
        ledger: The ledger.

    Returns:
        How many exports were written again.
    """
    head = ledger.head()
    if head is None:
        return 0
    listed = list(ledger.entries())
    erased = {int(one["seq"]) for one in listed if one.get("payload") is None}
    count = 0
    for place, entries in exports_in(folders, head.ledger):
        if any(one.get("payload") is not None and one.get("seq") in erased for one in entries):
            write_entries(place, listed, head)
            count += 1
    return count


def exports_elsewhere(
    anchors: Collection[Mapping[str, Any]], folders: Collection[Path], ledger: str
) -> list[dict[str, Any]]:
    """Return the exports that the file of anchors names but none of the folders holds: when each was made, and its last entry.

    Args:
        anchors: The lines of the file of anchors.
        folders: Folders of packs and runs.
        ledger: Hash of the ledger's first entry.
    """
    # Two exports made at the same moment look the same, and one of them may have been given away.
    found = Counter(str(entries[-1]["hash"]) for _, entries in exports_in(folders, ledger))
    elsewhere = []
    for one in anchors:
        if one.get("reason") != "export" or one.get("ledger") != ledger:
            continue
        if found[str(one.get("hash"))]:
            found[str(one.get("hash"))] -= 1
        else:
            made_at, entries = str(one.get("at", "")), one.get("size")
            elsewhere.append({"what": "export of the ledger", "made_at": made_at, "entries": entries})
    return elsewhere


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        entries = [json.loads(line) for line in path.read_bytes().splitlines()]
    except (OSError, ValueError, RecursionError):
        return []
    return entries if all(isinstance(one, dict) for one in entries) else []
