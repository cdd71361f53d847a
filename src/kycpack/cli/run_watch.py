"""What the operator hears of a batch besides its output, however the batch ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kycpack.cli.exit_codes import exit_code_of
from kycpack.cli.failure_command import read_failure_command, run_failure_command
from kycpack.cli.run_log import RunLog, require_outside
from kycpack.cli.run_metrics import RunMetrics
from kycpack.cli.run_spans import RunSpans

if TYPE_CHECKING:
    from kycpack.batch import RunEntry, RunReport


class RunListener(Protocol):
    """What learns of a batch: a log, figures, spans."""

    def started(self, run_id: str, in_scope: int, skipped: int) -> None:
        """Learn that the run began."""

    def customer(self, entry: RunEntry) -> None:
        """Learn what became of a customer."""

    def ended(self, exit_code: int, report: RunReport | None) -> None:
        """Learn that the command ended."""


@dataclass
class RunWatch:
    """Those who listen to a batch, its id as soon as it began, and its report as soon as there is one."""

    listeners: list[RunListener] = field(default_factory=list)
    run_id: str = ""
    report: RunReport | None = None

    def started(self, run_id: str, in_scope: int, skipped: int) -> None:
        """Tell all of them that the run began."""
        self.run_id = run_id
        for each in self.listeners:
            each.started(run_id, in_scope, skipped)

    def customer(self, entry: RunEntry) -> None:
        """Tell all of them what became of a customer."""
        for each in self.listeners:
            each.customer(entry)

    def ended(self, exit_code: int, report: RunReport | None) -> None:
        """Tell all of them that the command ended."""
        for each in self.listeners:
            each.ended(exit_code, report)


@contextmanager
def watched(
    log_file: Path | None, metrics: Path | None, on_failure: str | None, out: Path, *, spans: bool = False
) -> Iterator[RunWatch]:
    """Tell the log, the figures, the spans and the command for failures when the batch inside ends.

    Args:
        log_file: The log; None for none.
        metrics: The file of figures; None for none.
        on_failure: The command as it was typed; None for none.
        out: The output folder of the batch.
        spans: Whether spans are sent.

    Yields:
        What the batch reports to.

    Raises:
        typer.BadParameter: The command cannot be run.
        ConfigurationError: The log or the figures cannot be written, or spans cannot be sent.
    """
    command = None if on_failure is None else read_failure_command(on_failure)
    watch = RunWatch()
    code = 0
    try:
        if log_file is not None:
            watch.listeners.append(RunLog.open(log_file, out))
        if metrics is not None:
            require_outside(metrics, out, "the file of metrics")
            watch.listeners.append(RunMetrics(metrics))
        if spans:
            watch.listeners.append(RunSpans())
        yield watch
    except BaseException as error:
        code = exit_code_of(error)
        raise
    finally:
        watch.ended(code, watch.report)
        if command is not None:
            run_failure_command(command, run_id=watch.run_id, exit_code=code, out=out)
