"""The notebook by papermill's own command line, as one who knows papermill would run it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kycpack.assets import asset_path, notebook_path

NOTEBOOK = notebook_path("customer_review.ipynb")
CUSTOMER = "cus_7Q2M4X"


@pytest.fixture(scope="module")
def installed(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder on the path with the entry points of this checkout, whatever the installed version declares."""
    declared = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    site = tmp_path_factory.mktemp("site")
    info = site / "kycpack_of_this_checkout-1.dist-info"
    info.mkdir()
    lines = [
        line
        for group, named in declared.items()
        for line in (f"[{group}]", *(f"{name} = {target}" for name, target in named.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kycpack-of-this-checkout\nVersion: 1\n")
    return site


def papermill(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(site), str(Path(__file__).resolve().parents[2] / "src")]),
        "KYCPACK_WORKSPACE": str(folder / "kycpack.db"),
    }
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "papermill", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("given", ["evidence_path", "customer_id"])
def test_either_parameter_alone_is_enough(installed: Path, tmp_path: Path, given: str) -> None:
    evidence = tmp_path / "evidence" / CUSTOMER
    shutil.copytree(asset_path("samples/evidence/index.json").parent, evidence)
    value = f"evidence/{CUSTOMER}" if given == "evidence_path" else CUSTOMER
    done = papermill(
        installed, tmp_path, str(NOTEBOOK), "out.ipynb", "--engine", "kycpack", "-p", given, value
    )
    assert done.returncode == 0, done.stderr
    ran = json.loads((tmp_path / "out.ipynb").read_bytes())
    shown = json.dumps(ran)
    assert CUSTOMER in shown
    assert str(tmp_path) not in json.dumps([cell.get("outputs") for cell in ran["cells"]])
    assert {cell["metadata"]["papermill"]["status"] for cell in ran["cells"]} == {"completed"}


def test_a_cell_that_fails_fails_the_command_and_is_marked(installed: Path, tmp_path: Path) -> None:
    done = papermill(
        installed,
        tmp_path,
        str(NOTEBOOK),
        "out.ipynb",
        "--engine",
        "kycpack",
        "-p",
        "customer_id",
        "cus_none",
    )
    assert done.returncode != 0
    assert "no evidence of customer cus_none is stored" in done.stderr
    cells = json.loads((tmp_path / "out.ipynb").read_bytes())["cells"]
    statuses = [cell["metadata"].get("papermill", {}).get("status") for cell in cells]
    assert statuses.count("failed") == 1


def test_help_shows_the_parameters_with_their_types(installed: Path, tmp_path: Path) -> None:
    done = papermill(installed, tmp_path, "--help-notebook", str(NOTEBOOK))
    for name in ("evidence_path", "customer_id", "as_of", "policy_path"):
        assert f'{name}: str (default "")' in done.stdout, done.stdout


@pytest.mark.parametrize(
    "first", ["papermill", "kycpack.pack.notebooks.engine", "kycpack.pack.seal.write", "kycpack.batch"]
)
def test_whoever_is_imported_first_finds_the_engine(installed: Path, tmp_path: Path, first: str) -> None:
    code = (
        f"import {first}\n"
        "from papermill.engines import papermill_engines\n"
        "import kycpack.pack.seal.write\n"
        "print(papermill_engines.get_engine('kycpack').__name__)"
    )
    done = python(installed, tmp_path, code)
    assert done.stdout.split() == ["ForkEngine"], done.stderr


def test_importing_papermill_does_not_import_pandas(installed: Path, tmp_path: Path) -> None:
    names = "'kycpack.pack.papermill_engine' in sys.modules, 'pandas' in sys.modules"
    done = python(installed, tmp_path, f"import sys, papermill; print({names})")
    assert done.stdout.split() == ["True", "False"]


def python(site: Path, folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    source = Path(__file__).resolve().parents[2] / "src"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(source)])}
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_a_parameter_that_the_notebook_does_not_have_is_refused(installed: Path, tmp_path: Path) -> None:
    given = (str(NOTEBOOK), "out.ipynb", "--engine", "kycpack", "-p", "poliyc_path", "strict.yaml")
    done = papermill(installed, tmp_path, *given)
    assert done.returncode != 0
    assert "the notebook has no parameter poliyc_path; it has evidence_path, customer_id" in done.stderr
