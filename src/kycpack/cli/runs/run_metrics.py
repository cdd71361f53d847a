"""The figures of a batch for Prometheus: a text file, replaced as a whole, for the node exporter's textfile collector.

It has counts, times and the exit code only, no ids or names. Source: Prometheus, "Text-based format".
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.cli.terminal import say
from kycpack.errors import ConfigurationError
from kycpack.folders import write_file

if TYPE_CHECKING:
    from kycpack.batch import RunEntry, RunReport

_EVERY_SECONDS = 15.0


class RunMetrics:
    """Writes the figures of one run to a file, at most every 15 seconds during the run.

    Args:
        path: The file. Everybody on the machine can read it, since it holds counts only.

    Raises:
        ConfigurationError: The file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._began = time.time()
        self._written = 0.0
        self._in_scope = 0
        self._skipped = 0
        self._outcomes: dict[str, str] = {}
        self._levels: Counter[str] = Counter()
        self._seconds = 0.0
        self._done = 0
        try:
            self._write()
        except OSError as error:
            raise ConfigurationError(f"{path}: the metrics cannot be written ({error.strerror})") from None

    def started(self, run_id: str, in_scope: int, skipped: int) -> None:  # noqa: ARG002 - the signature of every listener
        """Note the number of customers of the run."""
        self._in_scope, self._skipped = in_scope, skipped
        self._try()

    def customer(self, entry: RunEntry) -> None:
        """Note the outcome of a customer; for a customer who is tried again, the later outcome counts."""
        self._outcomes[entry.customer_id] = entry.outcome
        self._seconds += entry.seconds
        self._done += 1
        if time.time() - self._written >= _EVERY_SECONDS:
            self._try()

    def ended(self, exit_code: int, report: RunReport | None) -> None:
        """Write the last figures."""
        if report is not None:
            self._levels.update(entry.level for entry in report.entries if entry.level)
        self._try(exit_code, report)

    def _try(self, exit_code: int | None = None, report: RunReport | None = None) -> None:
        try:
            self._write(exit_code, report)
        except OSError as error:
            # The packs matter more than the figures, so the run continues.
            say(f"the metrics cannot be written to {self._path} ({error.strerror})")

    def _write(self, exit_code: int | None = None, report: RunReport | None = None) -> None:
        self._written = time.time()
        write_file(self._path, "".join(self._lines(exit_code, report)).encode())
        os.chmod(self._path, 0o644)  # noqa: PTH101 - the collector runs as another user, and the file has counts only

    def _lines(self, exit_code: int | None, report: RunReport | None) -> list[str]:
        from kycpack.batch.report import OUTCOMES

        seen = Counter(self._outcomes.values())
        seen["skipped"] += self._skipped
        counts = {one: seen[one] if report is None else report.count(one) for one in OUTCOMES}
        figures: list[tuple[str, str, list[tuple[str, float]]]] = [
            ("in_scope", "Customers in scope of the run.", [("", self._in_scope)]),
            ("customers", "Customers by outcome.", [(f'{{outcome="{k}"}}', n) for k, n in counts.items()]),
            ("attempts", "Attempts at customers; each attempt counts.", [("", self._done)]),
            ("attempt_seconds", "Total duration of the attempts.", [("", round(self._seconds, 3))]),
            ("started_timestamp_seconds", "When the run began.", [("", round(self._began, 3))]),
            ("updated_timestamp_seconds", "When this file was written.", [("", round(self._written, 3))]),
        ]
        if self._levels:
            levels: list[tuple[str, float]] = [
                (f'{{level="{level}"}}', n) for level, n in sorted(self._levels.items())
            ]
            figures.append(("recommended", "Customers by recommended level.", levels))
        if exit_code is not None:
            figures.append(
                ("exit_code", "Exit code of the command; absent while it runs.", [("", exit_code)])
            )
            figures.append(
                ("finished_timestamp_seconds", "When the run ended.", [("", round(self._written, 3))])
            )
        return [
            line
            for name, meaning, values in figures
            for line in (
                f"# HELP kycpack_run_{name} {meaning}\n",
                f"# TYPE kycpack_run_{name} gauge\n",
                *(f"kycpack_run_{name}{labels} {value}\n" for labels, value in values),
            )
        ]
