"""The notebook for an analyst who doubts a stream: empty in the repository, and it runs from any folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kycpack.assets import notebook_path


def code_cells() -> list[dict[str, object]]:
    cells = json.loads(notebook_path("wealth_explorer.ipynb").read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_the_notebook_has_no_stored_outputs_and_one_cell_of_parameters() -> None:
    cells = code_cells()
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    assert sum("parameters" in cell["metadata"].get("tags", []) for cell in cells) == 1  # type: ignore[attr-defined]


def test_every_cell_runs_on_the_sample_and_a_left_out_credit_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    shown: list[object] = []
    monkeypatch.setattr("kycpack.render.explorer._display", shown.append)
    names: dict[str, object] = {}
    for cell in code_cells():
        exec("".join(cell["source"]), names)  # type: ignore[arg-type] # noqa: S102 - the notebook's own cells
    before, after, stream = names["before"], names["after"], names["stream"]
    assert before.loc[stream, "count"] == after.loc[stream, "count"] + 1  # type: ignore[attr-defined]
    assert any("One stream: 12 credits" in str(each) for each in shown)
