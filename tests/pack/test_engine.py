"""The engine: a notebook gives the same wherever its cells run, and one that hangs or dies does not hang the pack."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.pack.test_write import hashes

from kycpack.evidence import Evidence
from kycpack.pack import write_pack
from kycpack.pack.notebooks import engine
from kycpack.pack.notebooks.engine import IN_PLACE, CellsDiedError, ForkEngine

RUN = {"forked": engine._run_forked, "afresh": engine._run_afresh}

AS_OF = "2026-06-30T12:00:00Z"


@pytest.fixture(autouse=True, params=RUN)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the process of the cells begins: forked from this one, or as an interpreter of its own."""
    for name in ("_run_forked", "_run_afresh"):
        monkeypatch.setattr(engine, name, RUN[request.param])
    return str(request.param)


def code(source: str) -> dict[str, object]:
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    return {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_a_pack_is_the_same_where_the_process_runs_its_own_notebook(
    specimen: Evidence, tmp_path: Path
) -> None:
    before = Path.cwd()
    apart = write_pack(specimen, tmp_path / "apart", as_of=AS_OF)
    here = write_pack(specimen, tmp_path / "here", as_of=AS_OF, engine=IN_PLACE)
    assert hashes(here.path) == hashes(apart.path)
    assert Path.cwd() == before


def test_cells_run_in_another_process(tmp_path: Path) -> None:
    ran = ForkEngine.run_cells(code("import os; os.getpid()"), tmp_path)
    assert ran["cells"][0]["outputs"][0]["data"]["text/plain"] != str(os.getpid())


def test_a_process_that_dies_gives_no_notebook(tmp_path: Path) -> None:
    with pytest.raises(CellsDiedError):
        ForkEngine.run_cells(code("import os; os._exit(3)"), tmp_path)


def test_a_notebook_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_LIMIT_SECONDS", 1.0)
    with pytest.raises(CellsDiedError):
        ForkEngine.run_cells(code("import time; time.sleep(60)"), tmp_path)


def test_what_the_cells_held_is_not_left_in_the_folder(tmp_path: Path) -> None:
    ForkEngine.run_cells(code("1"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_cells_cannot_wait_for_a_terminal(tmp_path: Path) -> None:
    source = (
        "import getpass\n"
        "refused = []\n"
        "for ask in (getpass.getpass, input):\n"
        "    try:\n"
        "        ask('Secret: ')\n"
        "    except NotImplementedError:\n"
        "        refused.append(ask)\n"
        "len(refused)"
    )
    ran = ForkEngine.run_cells(code(source), tmp_path)
    assert ran["cells"][0]["outputs"][0]["data"]["text/plain"] == "2"
