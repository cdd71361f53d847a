"""The notebooks for a run and for a stream: short cells, no stored outputs, and they run clean from any folder."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import kycpack as kp
from kycpack.assets import notebook_path, notebook_paths


def executed(name: str, folder: Path, **parameters: object) -> list[dict[str, Any]]:
    # A process of its own: a kernel's client leaves sockets to the collector, which warnings as errors would hit here.
    given = [word for key, value in parameters.items() for word in ("-p", key, str(value))]
    notebook = str(notebook_path(name))
    command = [sys.executable, "-m", "papermill", notebook, "executed.ipynb", "--no-progress-bar", *given]
    try:
        run = _run(command, folder)
    except subprocess.TimeoutExpired:
        # On a loaded machine a kernel has been seen never to answer its first message.
        run = _run(command, folder)
    assert run.returncode == 0, run.stderr[-2000:]
    cells = json.loads((folder / "executed.ipynb").read_text())["cells"]
    outputs = [output for cell in cells if cell["cell_type"] == "code" for output in cell["outputs"]]
    assert not [one for one in outputs if one["output_type"] == "error" or one.get("name") == "stderr"]
    return outputs


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own interpreter and notebook
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("path", notebook_paths(), ids=lambda path: path.name)
def test_cells_are_short_and_nothing_is_stored(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            assert len("".join(cell["source"]).splitlines()) <= 15
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


def test_the_portfolio_runs_clean_and_names_nobody(run_folder: Path, tmp_path: Path) -> None:
    shown = json.dumps(executed("portfolio.ipynb", tmp_path, run_path=run_folder))
    assert "Customers by recommended level" in shown
    assert "customer-3" in shown
    person = kp.open_run(run_folder).frames.customers.iloc[0]
    assert str(person["last_name"]) not in shown
    assert str(person["email_address"]) not in shown


def test_the_portfolio_lists_an_identity_document_whose_expiry_is_not_known() -> None:
    cells = json.loads(notebook_path("portfolio.ipynb").read_text(encoding="utf-8"))["cells"]
    source = next(text for cell in cells if "expires_on" in (text := "".join(cell["source"])))
    rows = [
        ("c1", "identity", "2026-07-01"),
        ("c2", "identity", "2027-07-01"),
        ("c3", "identity", None),
        ("c4", "proof_of_address", None),
    ]
    documents = pd.DataFrame(rows, columns=["customer_id", "kind", "expires_on"]).assign(
        document_type="passport"
    )
    documents["expires_on"] = pd.to_datetime(documents["expires_on"])
    run = SimpleNamespace(
        as_of=datetime(2026, 6, 30, tzinfo=UTC), frames=SimpleNamespace(documents=documents)
    )
    names: dict[str, Any] = {"run": run, "days": 60, "pd": pd, "kp": kp}
    exec(source, names)  # noqa: S102 - the notebook's own cell
    assert list(names["due"]["customer_id"]) == ["c1", "c3"]


def test_the_explorer_runs_clean_with_its_picker_and_its_editor(tmp_path: Path) -> None:
    shown = json.dumps(executed("wealth_explorer.ipynb", tmp_path))
    assert shown.count("application/vnd.jupyter.widget-view+json") == 2
    assert "Streams as a calendar" in shown
