"""Packs are made from the package's notebook or a named one; saving a notebook changes none, and no pack's copy is run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from kycpack.errors import ConfigurationError, PackError
from kycpack.evidence import Evidence
from kycpack.models.json import parse_json
from kycpack.pack import PackResult, replay_pack, verify_pack, write_pack
from kycpack.pack.bag import close_bag
from kycpack.pack.notebooks.review_notebook import NOTEBOOK_FILE, OWN_NOTEBOOK, read_review_notebook

AS_OF = "2026-06-30T12:00:00Z"
_MARK = "The firm's own section"


def cells_of(path: Path) -> dict[str, Any]:
    return json.loads(path.read_bytes())


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A firm's notebook: the package's with a section of its own."""
    notebook = cells_of(OWN_NOTEBOOK)
    section = {"cell_type": "markdown", "id": "own", "metadata": {}, "source": [f"## {_MARK}"]}
    figure = {
        "cell_type": "code",
        "id": "own-figure",
        "metadata": {},
        "source": ["len(review.frames.transactions)"],
        "outputs": [],
        "execution_count": None,
    }
    notebook["cells"][-2:-2] = [section, figure]
    path = tmp_path_factory.mktemp("firm") / "our_review.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def firms(specimen: Evidence, own: Path, tmp_path_factory: pytest.TempPathFactory) -> PackResult:
    return write_pack(specimen, tmp_path_factory.mktemp("firms"), as_of=AS_OF, notebook=own)


def test_running_and_saving_a_notebook_does_not_change_its_digest(tmp_path: Path) -> None:
    notebook = cells_of(OWN_NOTEBOOK)
    notebook["metadata"] = {"kernelspec": {"name": "venv", "display_name": "Mine"}, "widgets": {}, "toc": 1}
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"saved-{number}"
        cell["metadata"] = {**cell["metadata"], "collapsed": True, "execution": {"iopub.status.idle": "now"}}
        if cell["cell_type"] == "code":
            cell["execution_count"] = number
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "a name"}]
    saved = tmp_path / "saved.ipynb"
    saved.write_text(json.dumps(notebook), encoding="utf-8")
    assert read_review_notebook(saved) == read_review_notebook()
    assert b"a name" not in read_review_notebook(saved).content


def test_another_cell_is_another_notebook(own: Path) -> None:
    assert read_review_notebook(own).digest != read_review_notebook().digest


def test_the_manifest_names_the_notebook_and_the_pack_holds_it(made: PackResult) -> None:
    data = made.path / "data"
    manifest = parse_json((data / "manifest.json").read_bytes())
    assert manifest["notebook"] == {"digest": read_review_notebook().digest}
    assert (data / NOTEBOOK_FILE).read_bytes() == read_review_notebook().content


def test_a_firms_own_notebook_makes_a_pack_that_verifies(firms: PackResult) -> None:
    assert verify_pack(firms.path).problems == ()
    assert _MARK in (firms.path / "data/report/review.html").read_text("utf-8").replace("&#39;", "'")


def test_replay_runs_a_firms_notebook_only_when_it_is_given(firms: PackResult, own: Path) -> None:
    assert replay_pack(firms.path, notebook=own).identical
    with pytest.raises(PackError, match="--notebook"):
        replay_pack(firms.path)
    with pytest.raises(PackError, match="not the notebook that the pack was made from"):
        replay_pack(firms.path, notebook=other_notebook(own))


def other_notebook(own: Path) -> Path:
    notebook = cells_of(own)
    notebook["cells"].pop()
    path = own.with_name("other.ipynb")
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def test_code_that_was_put_into_a_pack_is_not_run(made: PackResult, tmp_path: Path) -> None:
    pack, witness = tmp_path / "pack", tmp_path / "ran"
    shutil.copytree(made.path, pack)
    forged = cells_of(pack / "data" / NOTEBOOK_FILE)
    forged["cells"][2]["source"] = [f"open({str(witness)!r}, 'w')"]
    (pack / "data" / NOTEBOOK_FILE).write_text(json.dumps(forged), encoding="utf-8")
    digest = read_review_notebook(pack / "data" / NOTEBOOK_FILE).digest
    manifest = parse_json((pack / "data/manifest.json").read_bytes())
    (pack / "data/manifest.json").write_text(
        json.dumps({**manifest, "notebook": {"digest": digest}}), encoding="utf-8"
    )
    close_bag(pack, {})
    with pytest.raises(PackError, match="not run"):
        replay_pack(pack)
    assert not witness.exists()
    assert not verify_pack(pack).ok


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("not json", "not an nbformat 4 notebook"),
        ('{"cells": [], "nbformat": 3, "metadata": {}}', "not an nbformat 4 notebook"),
        ('{"cells": [], "nbformat": 4, "metadata": {}}', "no cell with the tag `parameters`"),
    ],
)
def test_what_cannot_be_a_review_notebook_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "odd.ipynb"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=problem):
        read_review_notebook(path)
