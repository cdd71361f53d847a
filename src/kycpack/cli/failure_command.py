"""The command that a batch runs when it ends with a failure, for example to raise an alert."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from kycpack.cli.exit_codes import INTERRUPTED, exit_code_of
from kycpack.cli.terminal import say
from kycpack.settings import environment_without_secrets

_OPTION = "--on-failure"
_LIMIT_SECONDS = 60.0
_STANDARD_ERROR = 2  # standard output may be the JSON of the run


class AlertingCommand(TyperCommand):
    """A command with `--on-failure`, which is also run when the other words of the command line cannot be used."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the command line; see `Command.make_context`."""
        words = list(args)  # reading them takes them away
        try:
            return super().make_context(info_name, args, parent, **extra)
        except Exception as error:
            text = _value_of(words, _OPTION)
            if text is not None:
                with suppress(typer.BadParameter):  # the first error is the one that is shown
                    run_failure_command(
                        read_failure_command(text),
                        run_id="",
                        exit_code=exit_code_of(error),
                        out=_value_of(words, "--out") or "",
                    )
            raise


def _value_of(words: Sequence[str], option: str) -> str | None:
    for word, following in zip(words, [*words[1:], None], strict=True):
        if word == option:
            return following
        if word.startswith(f"{option}="):
            return word.removeprefix(f"{option}=")
    return None


def read_failure_command(text: str) -> tuple[str, ...]:
    """Split a command into its words, without a shell.

    Args:
        text: The command, as typed in a shell.

    Raises:
        typer.BadParameter: The command is empty, a quote is not closed, or the program is not found.
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        raise typer.BadParameter("a quote is not closed", param_hint=_OPTION) from None
    if not words:
        raise typer.BadParameter("the command is empty", param_hint=_OPTION)
    if shutil.which(words[0]) is None:
        raise typer.BadParameter("the program is not found, or cannot be executed", param_hint=_OPTION)
    return words


def run_failure_command(
    words: Sequence[str],
    *,
    run_id: str,
    exit_code: int,
    out: Path | str,
    limit_seconds: float = _LIMIT_SECONDS,
) -> None:
    """Run the command unless the batch succeeded or was stopped by Ctrl-C.

    The command never changes how the batch ends: if the command itself fails, a line on standard error says so.

    Args:
        words: The program and its arguments.
        run_id: The run; empty if no run had begun.
        exit_code: The exit code of the batch.
        out: The output: a folder, or a place in an object store; empty if it is not known.
        limit_seconds: Time limit; a command that takes longer is ended.
    """
    if exit_code in {0, INTERRUPTED}:
        return
    from kycpack.storage.object_folder import is_url

    place = str(out)
    environment = environment_without_secrets(
        KYCPACK_RUN_ID=run_id,
        KYCPACK_EXIT_CODE=str(exit_code),
        KYCPACK_OUTPUT=place if not place or is_url(place) else str(Path(place).resolve()),
    )
    try:
        running = subprocess.Popen(  # noqa: S603 - the operator's own command, without a shell
            words,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=_STANDARD_ERROR,
            start_new_session=True,
        )
    except OSError as error:
        say(f"the command of {_OPTION} could not be started ({error.strerror})")
        return
    try:
        code = running.wait(limit_seconds)
    except subprocess.TimeoutExpired:
        say(f"the command of {_OPTION} took longer than {limit_seconds:.0f} seconds and was ended")
    else:
        if code:
            say(f"the command of {_OPTION} failed with exit code {code}")
    finally:
        if running.returncode is None:
            _end(running)


def _end(running: subprocess.Popen[bytes]) -> None:
    """End a command with all that it started: a script alone would leave what it waits for."""
    if hasattr(os, "killpg"):
        os.killpg(running.pid, signal.SIGKILL)
    else:
        running.kill()
    running.wait()
