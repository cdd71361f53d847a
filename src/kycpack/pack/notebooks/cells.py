"""Running the cells of a notebook in IPython, in the calling process.

`python -m kycpack.pack.notebooks.cells NOTEBOOK EXECUTED FOLDER` runs them in a separate process.
"""

from __future__ import annotations

import builtins
import getpass
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from kycpack.pack.notebooks.notebook import joined

_SILENT = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}})
_PREPARED: list[Any] = []


class _Results(DisplayHook):
    """Keeps the value of a cell's last expression."""

    outputs: list[dict[str, Any]]

    def __call__(self, result: Any = None) -> None:
        if result is None:
            return
        shell: Any = self.shell
        data, metadata = shell.display_formatter.format(result)
        self.outputs.append(
            {"output_type": "execute_result", "data": data, "metadata": metadata, "execution_count": None}
        )


class _Displays(DisplayPublisher):
    """Keeps what a cell displays."""

    outputs: list[dict[str, Any]]

    def publish(self, data: Any, metadata: Any = None, *_: Any, **_other: Any) -> None:
        self.outputs.append({"output_type": "display_data", "data": data, "metadata": metadata or {}})


def run_cells(notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run the code cells of a notebook in order, and stop at the first that raises.

    Args:
        notebook: An nbformat 4 notebook; the outputs are written into its cells.
        folder: Working directory.

    Returns:
        The notebook.
    """
    os.chdir(folder)
    shell = _PREPARED.pop() if _PREPARED else _new_shell()
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(codes, start=1):
        cell["execution_count"] = number
        cell["outputs"], failed = _run(shell, joined(cell["source"]))
        if failed:
            break
    return notebook


def prepare_shell() -> None:
    """Make the shell for the next notebook that this process, or a process forked from it, runs."""
    shell = _new_shell()
    shell.display_formatter.format("")  # makes the formatters
    _PREPARED[:] = [shell]


def _new_shell() -> Any:
    InteractiveShell.clear_instance()
    # IPython makes folders for a profile; without a history nothing reads them.
    with tempfile.TemporaryDirectory(prefix="kycpack-shell-") as profile:
        shell: Any = InteractiveShell.instance(config=_SILENT, ipython_dir=profile)
    shell.displayhook, shell.display_pub = _made(_Results, shell), _made(_Displays, shell)
    shell.display_trap.hook = shell.displayhook
    return shell


def _run(shell: Any, source: str) -> tuple[list[dict[str, Any]], bool]:
    outputs: list[dict[str, Any]] = []
    shell.displayhook.outputs = shell.display_pub.outputs = outputs
    said, complained = StringIO(), StringIO()
    with redirect_stdout(said), redirect_stderr(complained), _nobody_asked():
        result = shell.run_cell(source, store_history=False)
    for name, stream in (("stderr", complained), ("stdout", said)):
        if stream.getvalue() and result.success:
            outputs.insert(0, {"output_type": "stream", "name": name, "text": stream.getvalue()})
    error = result.error_before_exec or result.error_in_exec
    if error is not None:
        details = {
            "ename": type(error).__name__,
            "evalue": str(error),
            "traceback": said.getvalue().splitlines(),
        }
        outputs.append({"output_type": "error", **details})
    return outputs, error is not None


@contextmanager
def _nobody_asked() -> Iterator[None]:
    """Let input fail as in a kernel without a front end; it would wait for a terminal that the parent may have."""

    def refuse(prompt: object = "", *_: Any, **_other: Any) -> str:
        raise StdinNotImplementedError(f"nobody can answer in a notebook that runs by itself: {prompt}")

    asking = (builtins.input, getpass.getpass)
    builtins.input = getpass.getpass = refuse
    try:
        yield
    finally:
        builtins.input, getpass.getpass = asking


def _made(kind: Any, shell: Any) -> Any:
    return kind(shell=shell)


def main(arguments: list[str]) -> None:
    """Run a notebook's cells in a separate process."""
    source, executed, folder = map(Path, arguments)
    notebook = run_cells(json.loads(source.read_bytes()), folder.resolve())
    executed.write_text(json.dumps(notebook), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
