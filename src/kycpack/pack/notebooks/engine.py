"""A papermill engine without a kernel: each notebook runs in a process forked from one that has done the imports.

A short notebook spends nearly all of its time starting a kernel and importing. Where forking is not safe (other threads
are running, or the system is not Linux) the process is a fresh interpreter.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from contextlib import chdir, suppress
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from papermill.engines import Engine, papermill_engines
from papermill.translators import PythonTranslator

from kycpack.errors import InputError
from kycpack.pack.notebooks import cells

NAME = "kycpack"
IN_PLACE = "kycpack-in-place"
_LIMIT_SECONDS = 600.0


# Not `-m`: `kycpack.pack` imports the module, and Python would warn that it is already loaded.
_CELLS = "import sys; from kycpack.pack.notebooks.cells import main; main(sys.argv[1:])"


class CellsDiedError(Exception):
    """The process that ran the cells ended without a result."""


class ForkEngine(Engine):  # type: ignore[misc]  # papermill ships no types
    """Runs a notebook's cells in IPython, in a separate process."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, _kernel_name: str, cwd: str = ".", **_other: Any) -> None:
        """Run the notebook that papermill manages, and write the outputs into its cells.

        Raises:
            InputError: A parameter was given that the notebook does not have.
        """
        _require_known(nb_man.nb)
        ran = cls.run_cells(dict(nb_man.nb), Path(cwd).resolve())
        # Not given to papermill cell by cell: it would write the whole notebook twice for each.
        for cell, done in zip(nb_man.nb.cells, ran["cells"], strict=True):
            if cell.cell_type == "code":
                cell.outputs = [_node(output) for output in done["outputs"]]
                cell.execution_count = done["execution_count"]
            if "papermill" in cell.metadata:
                cell.metadata["papermill"]["status"] = _status(done)

    @classmethod
    def run_cells(cls, notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
        """Run a notebook's cells in a working directory, and return the notebook with their outputs."""
        with tempfile.TemporaryDirectory(prefix="kycpack-cells-") as own:
            source, executed = Path(own) / "cells.json", Path(own) / "executed.json"
            source.write_text(json.dumps(notebook), encoding="utf-8")
            _run(source, executed, folder)
            return dict(json.loads(executed.read_bytes()))


class InPlaceEngine(ForkEngine):
    """Runs the cells in the calling process, which was forked for this notebook alone."""

    @classmethod
    def run_cells(cls, notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
        """Return a notebook with the outputs of its cells."""
        with chdir(folder):
            return cells.run_cells(json.loads(json.dumps(notebook)), folder)


def _require_known(notebook: Any) -> None:
    """Refuse parameters that the notebook does not have: papermill only warns, and a mistyped one would change nothing."""
    given = notebook.metadata.get("papermill", {}).get("parameters", {})
    cells_of_them = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    known = [one.name for cell in cells_of_them for one in PythonTranslator.inspect(cell)]
    unknown = [name for name in given if name not in known]
    if unknown and cells_of_them:
        raise InputError(
            f"the notebook has no parameter {', '.join(unknown)}; it has {', '.join(known)}",
            place="parameters",
        )


def _status(cell: Any) -> str:
    if cell["cell_type"] == "code" and cell["execution_count"] is None:
        return "pending"
    failed = any(output["output_type"] == "error" for output in cell.get("outputs", ()))
    return "failed" if failed else "completed"


def _node(output: Any) -> Any:
    kind: Any = NotebookNode
    return kind(output)


papermill_engines.register(NAME, ForkEngine)
papermill_engines.register(IN_PLACE, InPlaceEngine)


def _run(source: Path, executed: Path, folder: Path) -> None:
    arguments = [str(source), str(executed), str(folder)]
    if sys.platform == "linux" and hasattr(os, "fork") and threading.active_count() == 1:
        _run_forked(arguments)
    else:
        _run_afresh(arguments)
    if not executed.is_file():
        raise CellsDiedError


def _run_forked(arguments: list[str]) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        # Python warns about the idle threads of numpy's linear algebra, but a fork does not harm them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            cells.main(arguments)
            code = 0
        finally:
            # The parent's exit handlers must not run here.
            os._exit(code)
    _wait(child)


def _run_afresh(arguments: list[str]) -> None:
    command = [sys.executable, "-c", _CELLS, *arguments]
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, check=False, timeout=_LIMIT_SECONDS, stdin=subprocess.DEVNULL)  # noqa: S603 - our own interpreter and module


def _wait(child: int) -> None:
    """Wait for a child process to end, and kill it when it takes too long."""
    handle = os.pidfd_open(child)
    try:
        ended = select.poll()
        ended.register(handle, select.POLLIN)
        if not ended.poll(_LIMIT_SECONDS * 1000):
            os.kill(child, signal.SIGKILL)
    finally:
        os.close(handle)
        os.waitpid(child, 0)
