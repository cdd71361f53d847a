"""A run is named by its id, or by the beginning of its id."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

from kycpack.cli import app
from kycpack.workspace import Runs, Workspace

IDS = ("0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c9f-0000-4000-8000-000000000002")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = iter(map(uuid.UUID, (str(uuid.UUID(int=0)), *IDS)))
    place = tmp_path / "kycpack.db"
    with Workspace.open(place) as workspace, monkeypatch.context() as patched:
        patched.setattr("kycpack.workspace.runs.uuid", SimpleNamespace(uuid4=lambda: next(made)))
        held = Runs(workspace)
        for output in ("one", "two"):
            held.begin(
                output_id=output,
                output=output,
                identity="same",
                options={},
                as_of="2026-06-01T00:00:00Z",
                customers=[(f"c-{output}", "onboarding")],
            )
    return place


def shown(place: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["runs", *words, "--workspace", str(place)])


@pytest.mark.parametrize("command", ["show", "failed"])
def test_the_beginning_of_an_id_is_enough_if_no_other_begins_with_it(place: Path, command: str) -> None:
    for given, run_id in zip(("0a1b2c3", "0a1b2c9f-0000"), IDS, strict=True):
        answer = shown(place, command, given, "--json")
        assert answer.exit_code == 0, answer.output
        assert json.loads(answer.stdout)["run_id"] == run_id
    assert IDS[0] in shown(place, "show", "0a1b2c3").stdout


def test_a_beginning_that_is_short_or_of_two_runs_is_refused(place: Path) -> None:
    both = shown(place, "show", "0a1b2c")
    assert (both.exit_code, "2 runs begin with 0a1b2c; give more of the id" in both.stderr) == (2, True)
    short = shown(place, "show", "0a1b2")
    assert (short.exit_code, "no run 0a1b2" in short.stderr) == (2, True)
