"""Running the review notebook in a separate process."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import papermill
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from papermill.exceptions import PapermillExecutionError

from kycpack.errors import NotebookFailedError
from kycpack.pack.notebooks.engine import NAME, CellsDiedError

_DISK_FULL = f"[Errno {errno.ENOSPC}]"


def run_notebook(
    notebook: Path, folder: Path, parameters: Mapping[str, str], quarantine: Path, *, engine: str = NAME
) -> dict[str, Any]:
    """Execute a notebook with papermill.

    Args:
        notebook: The notebook; it is not changed.
        folder: Working directory; paths in the parameters are relative to it, so that no path of this machine
            is stored.
        parameters: Paths and ids only.
        quarantine: Folder where the notebook is kept when it fails, since its traceback may show more than a pack may.
        engine: Name of papermill's engine; `nbclient` is papermill's own, with a kernel.

    Returns:
        The executed notebook.

    Raises:
        NotebookFailedError: A cell raised, or its process died.
    """
    executed = folder / ".executed.ipynb"
    try:
        papermill.execute_notebook(
            str(notebook),
            str(executed),
            parameters=dict(parameters),
            cwd=str(folder),
            engine_name=engine,
            request_save_on_cell_execute=False,
            kernel_name="python3",
            progress_bar=False,
            log_output=False,
        )
        return dict(json.loads(executed.read_bytes()))
    except (PapermillExecutionError, DeadKernelError, CellTimeoutError, CellsDiedError) as error:
        quarantine.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = quarantine / "customer_review.ipynb"
        if executed.exists():
            shutil.copyfile(executed, kept)
            kept.chmod(0o600)
        reason = (
            f"cell {error.exec_count} failed ({error.ename})"
            if isinstance(error, PapermillExecutionError)
            else "its process died"
        )
        full = (
            isinstance(error, PapermillExecutionError)
            and error.ename == OSError.__name__
            and str(error.evalue).startswith(_DISK_FULL)
        )
        # The error itself was raised in another process; a batch looks for its number.
        raise NotebookFailedError(f"the review notebook stopped: {reason}", quarantine=kept) from (
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) if full else None
        )
    finally:
        executed.unlink(missing_ok=True)
