"""Which pack of an earlier run stands: undamaged, made from the same evidence, and saying the same for the same reason."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kycpack.assets import asset_path
from kycpack.batch.review_task import _stands, recommendation
from kycpack.evidence import Evidence, load_evidence
from kycpack.pack import PackResult, build_review, write_pack

AS_OF = "2026-06-30T12:00:00Z"


@pytest.fixture(scope="module")
def specimen() -> Evidence:
    return load_evidence(asset_path("samples/evidence/index.json").parent)


@pytest.fixture(scope="module")
def made(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> PackResult:
    return write_pack(specimen, tmp_path_factory.mktemp("packs"), as_of=AS_OF)


def test_a_pack_stands_though_its_headline_is_worded_in_its_own_way(
    specimen: Evidence, made: PackResult
) -> None:
    said = recommendation(build_review(specimen, as_of=AS_OF).triage, specimen.customer_id)
    assert _stands(made.path, specimen.root, said)
    assert not _stands(made.path, "0" * 64, said)
    assert not _stands(made.path, specimen.root, ("approve", said[1]))
    assert not _stands(made.path, specimen.root, (said[0], "another reason"))


@pytest.mark.parametrize("name", ["data/report/review.pdf", "data/manifest.json"])
def test_a_damaged_pack_does_not_stand(
    specimen: Evidence, made: PackResult, tmp_path: Path, name: str
) -> None:
    copy = Path(shutil.copytree(made.path, tmp_path / "copy"))
    with (copy / name).open("ab") as file:
        file.write(b" ")
    said = recommendation(build_review(specimen, as_of=AS_OF).triage, specimen.customer_id)
    assert not _stands(copy, specimen.root, said)
