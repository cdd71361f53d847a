"""Processes of tests, forked from the server that packs are forked from too: with the imports done, which take longer than the work."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from multiprocessing import forkserver, util
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

_CONTEXT = multiprocessing.get_context("forkserver")


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
