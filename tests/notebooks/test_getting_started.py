"""The tutorial runs clean from top to bottom, and prints nothing that opens something by itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from kycpack.assets import notebook_path


def test_the_tutorial_runs_clean_in_a_kernel_and_shows_no_secret(tmp_path: Path) -> None:
    # A process of its own: a kernel's client leaves sockets to the collector, which warnings as errors would hit here.
    executed = tmp_path / "executed.ipynb"
    run = subprocess.run(  # noqa: S603 - our own interpreter and notebook
        [
            sys.executable,
            "-m",
            "papermill",
            notebook_path("getting_started.ipynb"),
            executed,
            "--no-progress-bar",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    cells = [cell for cell in json.loads(executed.read_text())["cells"] if cell["cell_type"] == "code"]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [
        output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"
    ]
    shown = json.dumps(outputs)
    assert "missing_person_data" in shown
    assert "Credits by month and source, GBP" in shown
    assert "verified" in shown
    for opens_by_itself in (r"/onboard/[0-9a-f-]{36}", "signature=", "secret"):
        assert re.search(opens_by_itself, shown) is None
