"""The specimen customer that comes with kycpack, and a pack made of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from tests.pack.decision_desk import DecidedDesk, Desk, desk_in, open_first_case
from tests.workspace.case_material import open_office

from kycpack.assets import asset_path
from kycpack.evidence import Evidence, load_evidence, sha256_hex
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import PackResult, write_pack
from kycpack.pack.check import parts, printed_values, spreadsheet

AS_OF = "2026-06-30T12:00:00Z"
FIRST = "{nb}<script>alert('kp')</script>"
LAST = "=HYPERLINK(1) [x](javascript:alert(1)) \u202egnp.exe محمد"
CANARY = "CANARYNAME"


@pytest.fixture(scope="session", autouse=True)
def _same_file_read_once() -> Iterator[None]:
    """Keep what each file says: packs that were tampered with are verified by the hundred, and nearly all of their files are alike."""
    frame = cache(parts.read_frame)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(printed_values, "html_text", cache(printed_values.html_text))
        patch.setattr(parts, "read_pdf", cache(parts.read_pdf))
        patch.setattr(spreadsheet, "read_workbook", cache(spreadsheet.read_workbook))
        patch.setattr(parts, "read_frame", lambda content, name: frame(content, name).copy(deep=False))
        yield


@pytest.fixture(scope="session")
def specimen() -> Evidence:
    """Evidence of the specimen customer."""
    return load_evidence(asset_path("samples/evidence/index.json").parent)


@pytest.fixture(scope="session")
def made(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> PackResult:
    """A pack of the specimen, not to be changed."""
    out = tmp_path_factory.mktemp("packs")
    return write_pack(specimen, out, as_of=AS_OF, case_id="case-2026-0042", prepared_by="A. Analyst")


@pytest.fixture(scope="session")
def hostile(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> PackResult:
    """A pack of a customer whose name is code, formulas and text that runs from right to left; not to be changed."""
    entry = specimen.select("customers.get")[0]
    names = {"firstName": f"{CANARY} {FIRST}", "lastName": LAST, "address": {"city": FIRST, "country": "GB"}}
    body = canonical_json(parse_json(specimen.body(entry.id)) | names)
    told = replace(entry, sha256=sha256_hex(body), bytes=len(body))
    entries = tuple(told if one.id == entry.id else one for one in specimen.entries)
    evidence = Evidence(specimen.customer_id, entries, {**specimen.bodies, entry.id: body})
    return write_pack(
        evidence, tmp_path_factory.mktemp("hostile"), as_of="2026-06-30T12:00:00Z", case_id="case-1"
    )


@pytest.fixture
def copy(made: PackResult, tmp_path: Path) -> Path:
    """A copy of the pack that a test may spoil."""
    return Path(shutil.copytree(made.path, tmp_path / made.path.name))


@pytest.fixture(scope="session")
def started(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one open case, and the pack of the run that opened it; not to be changed."""
    folder = tmp_path_factory.mktemp("started")
    for office in open_office(folder / "kycpack.db", folder):
        open_first_case(office, folder, specimen, AS_OF)
    return folder


@pytest.fixture
def desk(started: Path, specimen: Evidence, tmp_path: Path) -> Iterator[Desk]:
    """A desk with the case undecided, for one test."""
    with desk_in(Path(shutil.copytree(started, tmp_path / "desk")), specimen.customer_id) as desk:
        yield desk


@pytest.fixture(scope="session")
def decided_desk(
    started: Path, specimen: Evidence, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DecidedDesk]:
    """A desk whose case was decided and approved, with the pack of it; not to be changed."""
    folder = Path(shutil.copytree(started, tmp_path_factory.mktemp("decided") / "desk"))
    with desk_in(folder, specimen.customer_id) as desk:
        desk.decide()
        desk.approve()
        yield DecidedDesk(desk, desk.pack())
