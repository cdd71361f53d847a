"""The log of a batch for monitoring: one JSON object per line, with ids and outcomes but no reasons or names."""

from __future__ import annotations

import os
import stat
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.terminal import ascii_json, say
from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    from kycpack.batch import RunEntry, RunReport


class RunLog:
    """Appends the events of a run to a file.

    Args:
        descriptor: The open file; None keeps the figures and writes nothing.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor
        self._skipped = 0
        self._outcomes: dict[str, str] = {}
        self.run_id = ""

    @classmethod
    def open(cls, path: Path, out: Path) -> RunLog:
        """Open a log for appending; from then on only its owner can read it.

        Args:
            path: The file; it is made if it does not exist.
            out: The output folder of the run. `kycpack verify` checks everything in it, so the log cannot be there.

        Raises:
            ConfigurationError: The file is in the output folder, or cannot be written to.
        """
        require_outside(path, out, "the log file")
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
        except OSError as error:
            raise ConfigurationError(f"{path}: the log file cannot be opened ({error.strerror})") from None
        log = cls(descriptor)
        try:
            found = os.fstat(descriptor)
            if stat.S_ISREG(found.st_mode):
                path.chmod(0o600)
                if found.st_size and _last_byte(descriptor) != b"\n":
                    os.write(descriptor, b"\n")  # a crash left half a line
        except OSError as error:
            log.close()
            raise ConfigurationError(
                f"{path}: the log file cannot be written to ({error.strerror})"
            ) from None
        return log

    def started(self, run_id: str, in_scope: int, skipped: int) -> None:
        """Write that a run started.

        Args:
            run_id: The run.
            in_scope: How many customers it has.
            skipped: How many of them were finished before this run was continued.
        """
        self.run_id = run_id
        self._skipped = skipped
        self._write("run_started", in_scope=in_scope, skipped=skipped)

    def customer(self, entry: RunEntry) -> None:
        """Write the outcome of a customer; a customer who is tried again has two lines, and the later one counts."""
        self._outcomes[entry.customer_id] = entry.outcome
        self._write(
            "customer",
            customer_id=entry.customer_id,
            outcome=entry.outcome,
            level=entry.level or None,
            cause=entry.cause or None,
            seconds=entry.seconds,
        )

    def ended(self, exit_code: int, report: RunReport | None) -> None:
        """Write that the command ended.

        Args:
            exit_code: Exit code of the command.
            report: The run's report; None if the run did not get that far, in which case the customers so far are counted.
        """
        from kycpack.batch.report import OUTCOMES

        seen = Counter(self._outcomes.values())
        seen["skipped"] += self._skipped
        counts = {one: seen[one] if report is None else report.count(one) for one in OUTCOMES}
        self._write("run_ended", counts=counts, exit_code=exit_code)
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, event: str, **members: Any) -> None:
        if self._descriptor is None:
            return
        from kycpack.models.instants import format_seconds
        from kycpack.models.json import canonical_json

        at = format_seconds(datetime.now(UTC))
        document = canonical_json({"event": event, "at": at, "run_id": self.run_id or None, **members})
        line = ascii_json(document.decode()).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError as error:
            # The packs matter more than the log, so the run continues.
            say(f"the log file cannot be written to ({error.strerror}); it is not continued")
            self.close()


def require_outside(path: Path, out: Path, what: str) -> None:
    """Refuse a file in the output folder of a run, because `kycpack verify` checks everything in it.

    Args:
        path: The file.
        out: The output folder.
        what: Name of the file for the error.

    Raises:
        ConfigurationError: The file is in the output folder.
    """
    if path.resolve().is_relative_to(out.resolve()):
        raise ConfigurationError(f"{path}: {what} cannot be in the output folder {out}")


def _last_byte(descriptor: int) -> bytes:
    os.lseek(descriptor, -1, os.SEEK_END)
    return os.read(descriptor, 1)
