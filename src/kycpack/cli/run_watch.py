"""What the operator hears of a batch besides its output, however the batch ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.cli.exit_codes import exit_code_of
from kycpack.cli.failure_command import read_failure_command, run_failure_command
from kycpack.cli.run_log import RunLog

if TYPE_CHECKING:
    from kycpack.batch import RunReport


@dataclass
class RunWatch:
    """The log of a batch, and its report as soon as there is one."""

    log: RunLog
    report: RunReport | None = None


@contextmanager
def watched(log_file: Path | None, on_failure: str | None, out: Path) -> Iterator[RunWatch]:
    """End the log and start the command for failures when the batch inside ends.

    Args:
        log_file: The log; None for none.
        on_failure: The command as it was typed; None for none.
        out: The output folder of the batch.

    Yields:
        What the batch reports to.

    Raises:
        typer.BadParameter: The command cannot be run.
        ConfigurationError: The log cannot be written.
    """
    command = None if on_failure is None else read_failure_command(on_failure)
    watch = RunWatch(RunLog())
    code = 0
    try:
        if log_file is not None:
            watch.log = RunLog.open(log_file, out)
        yield watch
    except BaseException as error:
        code = exit_code_of(error)
        raise
    finally:
        watch.log.ended(code, watch.report)
        if command is not None:
            run_failure_command(command, run_id=watch.log.run_id, exit_code=code, out=out)
