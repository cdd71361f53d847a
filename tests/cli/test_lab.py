from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kycpack.cli import app


def test_a_place_to_work_in_is_made_and_left_alone_later(tmp_path: Path) -> None:
    arguments = ["init", str(tmp_path / "lab"), "--workspace", str(tmp_path / "kycpack.db"), "--json"]
    made = CliRunner().invoke(app, arguments)
    assert made.exit_code == 0, made.output
    assert "customer_review.ipynb" in json.loads(made.stdout)["copied"]
    assert (tmp_path / "kycpack.db").is_file()
    mine = tmp_path / "lab" / "customer_review.ipynb"
    mine.write_text("changed by an analyst")
    assert json.loads(CliRunner().invoke(app, arguments).stdout)["copied"] == []
    assert mine.read_text() == "changed by an analyst"


def test_the_lab_listens_on_this_machine_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jupyterlab")
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, words: started.append(words))
    answer = CliRunner().invoke(app, ["lab", str(tmp_path / "lab"), "--no-browser", "--port", "0"])
    assert answer.exit_code == 0, answer.output
    assert started[0][:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--ServerApp.ip=127.0.0.1" in started[0]
    assert (tmp_path / "lab" / "customer_review.ipynb").is_file()
