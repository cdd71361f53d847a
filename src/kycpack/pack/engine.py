"""A papermill engine that needs no kernel: each notebook runs in a process forked from one with the imports done.

Starting a kernel and importing is nearly all of the time of a short notebook. Where forking is not safe (other threads
run, or it is not Linux) the process is a fresh interpreter.

papermill finds it by its entry point, as in `papermill notebook.ipynb out.ipynb --engine kycpack`, and imports it whenever
it is imported itself, so this module imports little.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any

from nbformat import NotebookNode
from papermill.engines import Engine, papermill_engines

from kycpack.pack import cells

NAME = "kycpack"
_LIMIT_SECONDS = 600.0
_POLL_SECONDS = 0.005


class CellsDiedError(Exception):
    """The process that ran the cells ended without an answer."""


class ForkEngine(Engine):  # type: ignore[misc]  # papermill ships no types
    """Runs a notebook's cells in IPython, in a process of its own."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, _kernel_name: str, cwd: str = ".", **_other: Any) -> None:
        """Run the notebook that papermill manages, and give its cells their outputs."""
        with tempfile.TemporaryDirectory(prefix="kycpack-cells-") as own:
            source, executed = Path(own) / "cells.json", Path(own) / "executed.json"
            source.write_text(json.dumps(nb_man.nb), encoding="utf-8")
            _run(source, executed, Path(cwd).resolve())
            ran = json.loads(executed.read_bytes())
        # Not given to papermill cell by cell: it would write the whole notebook twice for each.
        for cell, done in zip(nb_man.nb.cells, ran["cells"], strict=True):
            if cell.cell_type == "code":
                cell.outputs = [_node(output) for output in done["outputs"]]
                cell.execution_count = done["execution_count"]
            if "papermill" in cell.metadata:
                cell.metadata["papermill"]["status"] = _status(done)


def _status(cell: Any) -> str:
    if cell["cell_type"] == "code" and cell["execution_count"] is None:
        return "pending"
    failed = any(output["output_type"] == "error" for output in cell.get("outputs", ()))
    return "failed" if failed else "completed"


def _node(output: Any) -> Any:
    kind: Any = NotebookNode
    return kind(output)


papermill_engines.register(NAME, ForkEngine)


def _run(source: Path, executed: Path, folder: Path) -> None:
    arguments = [str(source), str(executed), str(folder)]
    if sys.platform == "linux" and threading.active_count() == 1:
        _run_forked(arguments)
    else:
        command = [sys.executable, "-m", "kycpack.pack.cells", *arguments]
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(command, check=False, timeout=_LIMIT_SECONDS, stdin=subprocess.DEVNULL)  # noqa: S603 - our own interpreter and module
    if not executed.is_file():
        raise CellsDiedError


def _run_forked(arguments: list[str]) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        # Python counts the idle threads of numpy's linear algebra, which come through a fork unharmed.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            cells.main(arguments)
            code = 0
        finally:
            # Nothing that the parent registered for its own end may run here.
            os._exit(code)
    _wait(child)


def _wait(child: int) -> None:
    deadline = time.monotonic() + _LIMIT_SECONDS
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > deadline:
            os.kill(child, SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(_POLL_SECONDS)
