"""Processes of tests, forked from the server that packs are forked from too: with the imports done, which take longer than the work."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

_CONTEXT = multiprocessing.get_context("forkserver")


def begin(work: Callable[..., None], *arguments: object) -> ForkServerProcess:
    """Start a function in a process of its own; the process imports the module of the function."""
    _CONTEXT.set_forkserver_preload([])
    process = _CONTEXT.Process(target=work, args=arguments)
    process.start()
    return process


def begin_with_pipe(work: Callable[..., None], *arguments: object) -> tuple[ForkServerProcess, Connection]:
    """Start a function whose first argument is the other end of the pipe that is returned."""
    ours, theirs = _CONTEXT.Pipe()
    process = begin(work, theirs, *arguments)
    theirs.close()
    return process, ours
