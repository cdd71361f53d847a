"""What a folder of packs remembers between runs: the last entry of each customer, and whether a run was interrupted.

One line a finished customer is appended and synced, so that a run that was killed goes on where it stopped. A last
line that was cut off by a crash is not a line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kycpack.batch.report import Entry, to_entry
from kycpack.folders import write_file

_NAME = "ledger.jsonl"


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that has not ended: what it was, and the customers it had finished."""

    run_id: str
    identity: Mapping[str, Any]
    as_of: str
    started_at: str
    finished: frozenset[str]


class Ledger:
    """The ledger of one output folder; the folder is locked by whoever holds it.

    Args:
        folder: The folder of the batch's own files, made with mode 0700.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME
        self.entries: dict[str, Entry] = {}
        self.interrupted: OpenRun | None = None
        self._read()

    def begin(self, run: OpenRun) -> None:
        """Write that a run begins, or goes on; until `end` it counts as interrupted."""
        self._rewrite([*self._entry_lines(), {"begin": {**asdict(run), "finished": sorted(run.finished)}}])

    def add(self, entry: Entry) -> None:
        """Write what became of a customer; a failure leaves an earlier pack's entry as it is."""
        self._remember(entry)
        self._append({"entry": asdict(entry)})

    def end(self) -> None:
        """Write that the run ended, and keep each customer's last entry only."""
        self._rewrite(self._entry_lines())

    def _read(self) -> None:
        try:
            lines = self._path.read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            return
        begun: OpenRun | None = None
        finished: set[str] = set()
        for line in lines:
            record = _read_line(line)
            if isinstance(record, OpenRun):
                begun, finished = record, set(record.finished)
            elif record is not None:
                self._remember(record)
                if record.is_settled:
                    finished.add(record.customer_id)
        self.interrupted = None if begun is None else replace(begun, finished=frozenset(finished))

    def _remember(self, entry: Entry) -> None:
        if entry.is_settled or entry.pack:
            self.entries[entry.customer_id] = entry

    def _entry_lines(self) -> list[dict[str, Any]]:
        return [{"entry": asdict(entry)} for entry in self.entries.values()]

    def _append(self, record: Mapping[str, Any]) -> None:
        with self._path.open("ab") as file:
            file.write(_line(record))
            file.flush()
            os.fsync(file.fileno())

    def _rewrite(self, records: list[dict[str, Any]]) -> None:
        write_file(self._path, b"".join(_line(record) for record in records))


def _read_line(line: bytes) -> OpenRun | Entry | None:
    """Return what a line says; None where it is damaged, so that its customer is done again and no other is."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
        if "begin" in record:
            return OpenRun(**{**record["begin"], "finished": frozenset(record["begin"]["finished"])})
        return to_entry(record["entry"])
    except (ValueError, TypeError, KeyError):
        return None


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"
