"""The specimen customer that comes with kycpack, and a pack made of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kycpack.assets import asset_path
from kycpack.evidence import Evidence, load_evidence
from kycpack.pack import PackResult, write_pack

AS_OF = "2026-06-30T12:00:00Z"


@pytest.fixture(scope="session")
def specimen() -> Evidence:
    """Evidence of the specimen customer."""
    return load_evidence(asset_path("samples/evidence/index.json").parent)


@pytest.fixture(scope="session")
def made(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> PackResult:
    """A pack of the specimen, not to be changed."""
    out = tmp_path_factory.mktemp("packs")
    return write_pack(specimen, out, as_of=AS_OF, case_id="case-2026-0042", prepared_by="A. Analyst")


@pytest.fixture
def copy(made: PackResult, tmp_path: Path) -> Path:
    """A copy of the pack that a test may spoil."""
    return Path(shutil.copytree(made.path, tmp_path / made.path.name))
