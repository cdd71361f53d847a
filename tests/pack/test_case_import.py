"""Cases that are opened from the packs of a run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from tests.workspace.case_material import Office, open_office

from kycpack.errors import InputError
from kycpack.pack import PackResult
from kycpack.render.review.pack_limits import SETTLE_FIRST
from kycpack.triage.judge.findings import NOTHING
from kycpack.workspace.cases.judged_run import read_run


def _run(folder: Path, *packs: Path) -> Path:
    entries = []
    for number, pack in enumerate(packs):
        shutil.copytree(pack, folder / str(number))
        manifest = json.loads((pack / "data/manifest.json").read_text())
        entries.append({"customer_id": manifest["customer_id"], "pack": str(number)})
    (folder / "run.json").write_text(json.dumps({"run_id": "run-1", "entries": entries}))
    return folder


def _prepared_by(office: Office) -> set[str]:
    said = [each["payload"]["data"] for each in office.ledger.entries()]
    return {each["prepared_by"] for each in said if "prepared_by" in each}


def test_an_import_takes_from_its_packs_who_prepared_the_run(made: PackResult, tmp_path: Path) -> None:
    run = _run(tmp_path / "run", made.path)
    for office in open_office(tmp_path / "kycpack.db", tmp_path, is_honest=True):
        office.cases.from_run(run, imported_by="ben")
        office.cases.from_run(run, imported_by="anna")
        assert _prepared_by(office) == {"A. Analyst"}


def test_a_run_that_names_nobody_was_prepared_by_whoever_imported_it_first(
    made: PackResult, tmp_path: Path
) -> None:
    run = _run(tmp_path / "run", made.path)
    place = run / "0" / "data" / "manifest.json"
    manifest = json.loads(place.read_text())
    manifest["case"]["prepared_by"] = None
    place.write_text(json.dumps(manifest))
    for office in open_office(tmp_path / "kycpack.db", tmp_path, is_honest=True):
        office.cases.from_run(run, imported_by="ben")
        office.cases.from_run(run, imported_by="anna")
        assert _prepared_by(office) == {"ben"}


def test_packs_that_two_people_prepared_are_not_one_run(
    made: PackResult, hostile: PackResult, tmp_path: Path
) -> None:
    run = _run(tmp_path / "run", made.path, hostile.path)
    for office in open_office(tmp_path / "kycpack.db", tmp_path):
        before = len(list(office.ledger.entries()))
        with pytest.raises(InputError, match="different people who prepared it"):
            office.cases.from_run(run)
        assert len(list(office.ledger.entries())) == before


@pytest.mark.parametrize(
    ("judged", "read"), [(NOTHING, SETTLE_FIRST), ("Document: a reason", "Document: a reason")]
)
def test_what_an_approval_waits_for_is_known_from_the_pack_alone(
    made: PackResult, tmp_path: Path, judged: str, read: str
) -> None:
    run = _run(tmp_path / "run", made.path)
    data = run / "0" / "data"
    recommended = pd.read_parquet(data / "frames/recommendations.parquet").assign(top_reason=judged)
    recommended.to_parquet(data / "frames/recommendations.parquet")
    figures = json.loads((data / "figures.json").read_text())
    (data / "figures.json").write_text(json.dumps({**figures, "headline": SETTLE_FIRST}))
    (part,) = read_run(run)
    assert [one.top_reason for one in part.customers] == [read]
