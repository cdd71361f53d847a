"""Reporting a batch to the operator besides its output, however the batch ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer

from kycpack.cli.exit_codes import exit_code_of
from kycpack.cli.failure_command import read_failure_command, run_failure_command
from kycpack.cli.options import settings
from kycpack.cli.runs.run_log import RunLog, require_outside
from kycpack.cli.runs.run_metrics import RunMetrics
from kycpack.cli.runs.run_spans import RunSpans

if TYPE_CHECKING:
    from kycpack.batch import RunEntry, RunReport


class RunListener(Protocol):
    """A listener of a batch: the log, the figures or the spans."""

    def started(self, run_id: str, in_scope: int, skipped: int) -> None:
        """Called when the run begins."""

    def customer(self, entry: RunEntry) -> None:
        """Called with the outcome of a customer."""

    def ended(self, exit_code: int, report: RunReport | None) -> None:
        """Called when the command ends."""


@dataclass
class RunWatch:
    """The listeners of a batch, with the folder that it works in, its id once it has begun and its report once there is one."""

    folder: Path
    listeners: list[RunListener] = field(default_factory=list)
    run_id: str = ""
    report: RunReport | None = None

    def started(self, run_id: str, in_scope: int, skipped: int) -> None:
        """Notify all listeners that the run began."""
        self.run_id = run_id
        for each in self.listeners:
            each.started(run_id, in_scope, skipped)

    def customer(self, entry: RunEntry) -> None:
        """Notify all listeners of the outcome of a customer."""
        for each in self.listeners:
            each.customer(entry)

    def ended(self, exit_code: int, report: RunReport | None) -> None:
        """Notify all listeners that the command ended."""
        for each in self.listeners:
            each.ended(exit_code, report)


@contextmanager
def watched(
    log_file: Path | None,
    metrics: Path | None,
    on_failure: str | None,
    out: Path | str,
    *,
    spans: bool = False,
) -> Iterator[RunWatch]:
    """Report the batch inside the block to the log, the figures and the spans, and run the failure command if it fails.

    Args:
        log_file: The log file; None for no log.
        metrics: The file of figures; None for no figures.
        on_failure: The command for failures, as typed; None for no command.
        out: Where the packs go: a folder, or a place in an object store.
        spans: Whether to send spans.

    Yields:
        The object that the batch reports to.

    Raises:
        typer.BadParameter: The command cannot be run, or the output is empty.
        ConfigurationError: The settings cannot be read, the log or the figures cannot be written, or spans cannot be sent.
    """
    watch = RunWatch(Path(out))
    with _failure_command(on_failure, watch, out):
        code = 0
        try:
            watch.folder = _folder_of(out)
            if log_file is not None:
                watch.listeners.append(RunLog.open(log_file, watch.folder))
            if metrics is not None:
                require_outside(metrics, watch.folder, "the file of metrics")
                watch.listeners.append(RunMetrics(metrics))
            if spans:
                watch.listeners.append(RunSpans())
            yield watch
        except BaseException as error:
            code = exit_code_of(error)
            raise
        finally:
            watch.ended(code, watch.report)


@contextmanager
def _failure_command(text: str | None, watch: RunWatch, out: Path | str) -> Iterator[None]:
    """Run the failure command if the block ends with an error, whichever it is."""
    command = None if text is None else read_failure_command(text)
    try:
        yield
    except BaseException as error:
        if command is not None:
            code = exit_code_of(error)
            run_failure_command(command, run_id=watch.run_id, exit_code=code, out=out)
        raise


def _folder_of(out: Path | str) -> Path:
    from kycpack.batch.remote_run import work_folder
    from kycpack.storage.object_folder import is_url

    if out == "":
        raise typer.BadParameter("the output is empty", param_hint="--out")
    return work_folder(out, settings().reports) if isinstance(out, str) and is_url(out) else Path(out)
