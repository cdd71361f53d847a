"""The fence around a run's output: a customer's pack is sealed once per attempt, and only by the run that holds the folder.

A task may be done twice: a worker that was believed dead goes on, a coordinator is killed after the pack was written but before
its entry was, or Dask repeats the task of a lost worker. The first to finish seals the pack; any later one returns the entry of
the first and adds nothing. The entry is stored before the pack is moved into place, while no other process can put one there. So
a kill at any moment leaves either no pack, or a pack with its entry.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kycpack.batch.jobs import Job
from kycpack.batch.lock import FOLDER
from kycpack.batch.report import RunEntry, to_entry
from kycpack.errors import BatchError
from kycpack.evidence.store import file_digest
from kycpack.folders import folder_name, write_file
from kycpack.models.json import canonical_json

_RUN = "run-id"
SEALED = "sealed"
_MANIFEST = Path("data") / "manifest.json"


class SealedBeforeError(BatchError):
    """Another worker sealed the pack of this attempt first; `entry` is that worker's entry."""

    def __init__(self, entry: RunEntry) -> None:
        super().__init__(f"the pack of customer {entry.customer_id} was sealed by another worker")
        self.entry = entry


class Fence:
    """Controls what may be put into an output folder for one attempt at one customer.

    Args:
        out: The output folder.
        job: The customer, with the run and the number of the attempt; without a run, anything may be put there.
    """

    def __init__(self, out: Path, job: Job) -> None:
        self._out = out
        self._job = job
        self._record = out / FOLDER / SEALED / f"{folder_name(job.customer_id)}.json"

    def sealed(self) -> RunEntry | None:
        """Return the entry of the pack that was sealed in this attempt or a later one; None if there is none.

        Raises:
            BatchError: Another run now holds the folder.
        """
        if not self._job.run_id:
            return None
        self._require_run()
        document = self._read()
        if (
            document is None
            or document["run_id"] != self._job.run_id
            or document["attempt"] < self._job.attempt
        ):
            return None
        try:
            entry = to_entry(document["entry"])
            stands = file_digest(self._out / entry.pack / _MANIFEST) == document["manifest"]
        except (OSError, TypeError, ValueError):
            return None
        return entry if stands else None

    def admit(self, bag: Path, entry: RunEntry) -> None:
        """Store the entry of a finished pack; called while no other process can put a pack in its place.

        Args:
            bag: The finished pack.
            entry: The entry, which names the folder that the pack is about to have.

        Raises:
            SealedBeforeError: Another worker was first.
            BatchError: Another run now holds the folder.
        """
        if not self._job.run_id:
            return
        if (first := self.sealed()) is not None:
            raise SealedBeforeError(first)
        document = {
            "run_id": self._job.run_id,
            "attempt": self._job.attempt,
            "manifest": file_digest(bag / _MANIFEST),
            "entry": asdict(entry),
        }
        self._record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(self._record, canonical_json(document))

    def _require_run(self) -> None:
        try:
            holder = (self._out / FOLDER / _RUN).read_text("utf-8")
        except OSError:
            return
        if holder != self._job.run_id:
            raise BatchError(
                f"run {self._job.run_id} is over: run {holder} holds the output, and nothing was added"
            )

    def _read(self) -> dict[str, Any] | None:
        try:
            document = json.loads(self._record.read_bytes())
        except (OSError, ValueError):
            return None
        is_whole = isinstance(document, dict) and document.keys() >= {
            "run_id",
            "attempt",
            "manifest",
            "entry",
        }
        return document if is_whole and isinstance(document["attempt"], int) else None


def hold(own: Path, run_id: str) -> None:
    """Let a run hold an output folder; packs that workers of an earlier run still make are not put there.

    Args:
        own: The folder of the batch's own files.
        run_id: The run.
    """
    write_file(own / _RUN, run_id.encode())
