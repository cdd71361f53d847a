from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kycpack.cli import app
from kycpack.settings import Settings


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
    monkeypatch.setattr(os, "execve", lambda _path, words, _environment: started.append(words))
    answer = CliRunner().invoke(
        app, ["lab", str(tmp_path / "lab"), "--no-browser", "--port", "0", "--allow-root"]
    )
    assert answer.exit_code == 0, answer.output
    assert started[0][:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--ServerApp.ip=127.0.0.1" in started[0]
    assert (tmp_path / "lab" / "customer_review.ipynb").is_file()


def test_copies_are_opened_and_never_the_notebooks_that_packs_are_made_from(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jupyterlab")
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execve", lambda _path, words, _environment: started.append(words))
    refused = CliRunner().invoke(app, ["lab", str(checkout / "notebooks"), "--allow-root"])
    assert refused.exit_code == 2
    assert "packs are made from" in refused.stderr
    (tmp_path / "notebooks").symlink_to(checkout / "notebooks")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["lab", "--allow-root"]).exit_code == 0
    assert f"--ServerApp.root_dir={tmp_path.resolve() / 'my-notebooks'}" in started[0]
    assert (tmp_path / "my-notebooks" / "getting_started.ipynb").is_file()


def test_notebooks_find_what_is_configured_where_the_lab_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jupyterlab")
    environments: list[dict[str, str]] = []
    monkeypatch.setattr(os, "execve", lambda _path, _words, environment: environments.append(environment))
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "kycpack.toml"
    file.write_text('workspace = "office/kycpack.db"\nanalyst = "Ann Example"\n')
    file.chmod(0o600)
    monkeypatch.setenv("KYCPACK_REPORTS", "tonight")
    assert CliRunner().invoke(app, ["lab", "--allow-root"]).exit_code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    there = Settings.load(environments[0])
    assert there.workspace == str(tmp_path / "office" / "kycpack.db")
    assert there.reports == tmp_path / "tonight"
    assert there.analyst == "Ann Example"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KYCPACK_WORKSPACE", "postgresql+psycopg://db/kycpack")
    assert CliRunner().invoke(app, ["lab", "--allow-root"]).exit_code == 0
    assert Settings.load(environments[1]).workspace == "postgresql+psycopg://db/kycpack"


def test_root_is_told_how_to_allow_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jupyterlab")
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execve", lambda _path, words, _environment: started.append(words))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    answer = CliRunner().invoke(app, ["lab", str(tmp_path / "lab")])
    assert answer.exit_code == 2
    assert "kycpack lab --allow-root" in answer.stderr
    assert not started
    assert CliRunner().invoke(app, ["lab", str(tmp_path / "lab"), "--allow-root"]).exit_code == 0
    assert "--ServerApp.allow_root=True" in started[0]


@pytest.mark.parametrize(
    ("command", "module", "extra"),
    [("demo", "uvicorn", "service"), ("serve", "fastapi", "service"), ("serve", "uvicorn", "service")],
)
def test_a_plain_install_names_the_extra_that_a_command_needs(
    command: str, module: str, extra: str, tmp_path: Path
) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; from kycpack.cli import main; sys.argv = ['kycpack', {command!r}]; main()"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2, done.stderr
    assert f"pip install 'kycpack[{extra}]'" in done.stderr
    assert "internal error" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_checkpoints_stay_out_of_the_wheel(checkout: Path, tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(checkout / name, tmp_path / name)
    for name in (
        "src/kycpack/__init__.py", "data/a.yaml", "notebooks/a.ipynb", "notebooks/.ipynb_checkpoints/b.ipynb",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "kycpack/_assets/notebooks/a.ipynb" in names
    assert not [name for name in names if "checkpoint" in name]
