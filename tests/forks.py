"""Processes of tests, forked from the server that packs are forked from too: with the imports done, which take longer than the work."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import forkserver, util
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TextIO

_CONTEXT = multiprocessing.get_context("forkserver")
_PATIENCE_SECONDS = 120.0


@dataclass(frozen=True)
class Command:
    """A command of kycpack that runs, and what it writes."""

    process: ForkServerProcess
    said: TextIO

    def kill(self) -> int | None:
        """Kill it, and return its exit code."""
        self.process.kill()
        return self.exit_code()

    def terminate(self) -> int | None:
        """Send SIGTERM, and return the exit code."""
        self.process.terminate()
        return self.exit_code()

    def exit_code(self) -> int | None:
        """Wait for its end, drop what of its words was not read, and return its exit code."""
        with self.said:
            self.process.join(_PATIENCE_SECONDS)
        return self.process.exitcode


def begin(work: Callable[..., None], *arguments: object) -> ForkServerProcess:
    """Start a function in a process of its own; the process imports the module of the function."""
    _CONTEXT.set_forkserver_preload([])
    process = _CONTEXT.Process(target=_with_a_server, args=(work, *arguments))
    process.start()
    return process


def begin_with_pipe(work: Callable[..., None], *arguments: object) -> tuple[ForkServerProcess, Connection]:
    """Start a function whose first argument is the other end of the pipe that is returned."""
    ours, theirs = _CONTEXT.Pipe()
    process = begin(work, theirs, *arguments)
    theirs.close()
    return process, ours


def begin_command(words: Sequence[str], settings: Mapping[str, str], *, stream: int = 1) -> Command:
    """Start a command with settings, whose standard output (1) or standard error (2) is read, and the other is dropped.

    For what a running command does; how one begins is tested with `python -m kycpack`.
    """
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    with ours, theirs:
        process = begin(_be_command, theirs, stream, list(words), {**os.environ, **settings}, str(Path.cwd()))
        return Command(process, os.fdopen(os.dup(ours.fileno())))


def _be_command(
    written: Connection, stream: int, words: list[str], environment: dict[str, str], folder: str
) -> None:
    from kycpack.cli import main  # noqa: PLC0415 - only where it runs

    with written, open(os.devnull, "w") as dropped:  # noqa: PTH123 - it stands for a stream
        os.dup2(dropped.fileno(), 3 - stream)
        os.dup2(written.fileno(), stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["kycpack", *words]
    main()


def _with_a_server(work: Callable[..., None], *arguments: object) -> None:
    """Do the work, and have a server of forks for it that is forked too: Python would start one that does all imports anew."""
    start = util.spawnv_passfds
    util.spawnv_passfds = _fork_and_run
    forkserver.set_forkserver_preload([])
    forkserver.ensure_running()
    util.spawnv_passfds = start
    work(*arguments)


def _fork_and_run(path: bytes, words: Sequence[str], passed: Iterable[int]) -> int:
    """Run what `python -c` would run, in a fork that has no files but the standard streams and those passed to it."""
    pid = os.fork()
    if pid == 0:
        try:
            for before, after in pairwise(sorted({2, *passed, os.sysconf("SC_OPEN_MAX")})):
                os.closerange(before + 1, after)
            exec(words[-1], {})  # noqa: S102 - the words of Python's own server
        finally:
            os._exit(0)
    return pid
