"""A report of suspicion is read by the MLRO, and seen by nobody else anywhere."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
import shutil
from pathlib import Path

import pytest
from tests.workspace.case_material import (
    INTERNAL,
    MEDIA,
    SANCTIONS,
    START,
    Clock,
    Office,
    decision,
    open_cases,
    open_office,
)

from kycpack.errors import InputError, WorkspaceError
from kycpack.render import render_queue_html
from kycpack.workspace import Workspace
from kycpack.workspace.entries.signing import Actor, read_key
from kycpack.workspace.internal_reports import InternalReports, make_report_key
from kycpack.workspace.ledger.ledger_files import excerpt_bytes, write_export

TEXT = "The customer asked twice how to stay below the amount that is reported"


def _store(folder: Path) -> InternalReports:
    reports = InternalReports(folder / "reports.jsonl", now=lambda: START)
    reports.set_up(make_report_key(folder / "mlro.pem"), "mia")
    return reports


def test_the_mlro_reads_what_was_reported_and_nobody_else_can(tmp_path: Path) -> None:
    reports = _store(tmp_path)
    reports.report("c-1", "considered", TEXT, "anna")
    (read,) = reports.read(tmp_path / "mlro.pem", "mia")
    assert (read.customer_id, read.kind, read.text, read.reported_by) == ("c-1", "considered", TEXT, "anna")
    content = (tmp_path / "reports.jsonl").read_text()
    assert not any(word in content for word in ("c-1", "anna", "considered", "amount"))
    assert (tmp_path / "reports.jsonl").stat().st_mode & 0o077 == 0
    assert "amount" not in repr(read)
    make_report_key(tmp_path / "other.pem")
    with pytest.raises(InputError, match="not the key"):
        reports.read(tmp_path / "other.pem", "ben")


def test_every_reading_is_logged_and_a_refused_one_too(tmp_path: Path) -> None:
    reports = _store(tmp_path)
    reports.report("c-1", "made", TEXT, "anna")
    reports.read(tmp_path / "mlro.pem", "mia")
    make_report_key(tmp_path / "other.pem")
    with pytest.raises(InputError):
        reports.read(tmp_path / "other.pem", "ben")
    log = [(row["kind"], row["actor"]) for row in reports.access_log()]
    assert log == [("set_up", "mia"), ("read", "mia"), ("refused", "ben")]


def test_reports_of_different_length_look_alike(tmp_path: Path) -> None:
    reports = _store(tmp_path)
    reports.report("c-1", "considered", "Cash, far too much of it", "anna")
    reports.report("c-2", "not_made", f"{TEXT}. " * 20, "ben")
    sizes = [
        len(json.loads(line)["sealed"])
        for line in (tmp_path / "reports.jsonl").read_text().splitlines()
        if "sealed" in line
    ]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_line_that_was_taken_away_or_changed_is_found(tmp_path: Path, place: int) -> None:
    reports = _store(tmp_path)
    reports.report("c-1", "made", TEXT, "anna")
    reports.read(tmp_path / "mlro.pem", "mia")
    reports.read(tmp_path / "mlro.pem", "mia")
    path = tmp_path / "reports.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:place] + lines[place + 1 :]))
    with pytest.raises(WorkspaceError, match="was removed"):
        reports.access_log()


@pytest.mark.parametrize(
    ("text", "customer"), [("", "c-1"), ("x\x00y", "c-1"), ("a" * 100_000, "c-1"), (TEXT, "")]
)
def test_bad_input_adds_nothing(tmp_path: Path, text: str, customer: str) -> None:
    reports = _store(tmp_path)
    before = (tmp_path / "reports.jsonl").read_bytes()
    with pytest.raises(InputError):
        reports.report(customer, "made", text, "anna")
    assert (tmp_path / "reports.jsonl").read_bytes() == before


def _world(started: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, *, reported: bool) -> dict[str, str]:
    """Do the same work in a world with reports and in one without; return what everybody else can see of it."""
    shutil.copytree(started, folder)
    clock = Clock()
    dice = random.Random(1)  # noqa: S311 - salts, made alike in both worlds
    monkeypatch.setattr(secrets, "token_hex", lambda size=32: dice.randbytes(size).hex())
    reports = InternalReports(folder / "elsewhere" / "reports.jsonl", now=lambda: START)
    seen: dict[str, bytes] = {}
    with Workspace.open(folder / "kycpack.db", now=clock) as workspace:
        office = Office(workspace, clock)
        for path in folder.glob("*.pem"):
            office.people[path.stem] = Actor(path.stem, read_key(path))
        if reported:
            reports.report("c-1", "considered", TEXT, "anna")
        case = next(each for each in office.cases.list() if each.customer_id == "c-1")
        wanted = decision("escalate", "SUSPECTED-MATCH", F_1="inconclusive")
        office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
        if reported:
            reports.report("c-1", "made", TEXT, "anna")
            reports.read(folder / "elsewhere" / "mlro.pem", "mia")
        version = office.cases.get(case.case_id).version
        office.cases.approve(
            case.case_id,
            "Read the findings; the escalation stands",
            version=version,
            actor=office.people["mia"],
        )
        opened = open_cases(
            office,
            {"c-1": ("escalate", [SANCTIONS, (*INTERNAL, {"internal": True})]), "c-2": ("review", [MEDIA])},
            root="3" * 64,
            run="run-2",
        )
        queue, calendar = office.cases.queue(as_of=START.date()), office.cases.calendar
        seen = {
            "run": repr(opened).encode(),
            "queue": queue.to_csv().encode() + calendar.to_csv().encode(),
            "page": render_queue_html(queue, calendar, START.date()).encode(),
            "cases": office.cases.frame(closed=True).to_csv().encode(),
            "excerpt": excerpt_bytes(office.ledger.excerpt(case.case_id)),
            "list": office.ledger.frame().to_csv().encode(),
        }
        write_export(office.ledger, folder / "export")
        seen |= {path.name: path.read_bytes() for path in sorted((folder / "export").iterdir())}
    return {name: hashlib.sha256(content).hexdigest() for name, content in seen.items()}


def test_a_world_with_reports_shows_what_a_world_without_them_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    started.mkdir()
    for office in open_office(started / "kycpack.db", started):
        open_cases(
            office,
            {"c-1": ("escalate", [SANCTIONS, (*INTERNAL, {"internal": True})]), "c-2": ("approve", [])},
        )
    (started / "elsewhere").mkdir()
    _store(started / "elsewhere")
    with_reports = _world(started, tmp_path / "one", monkeypatch, reported=True)
    without = _world(started, tmp_path / "two", monkeypatch, reported=False)
    assert {"queue", "excerpt", "ledger.jsonl", "head.json"} <= with_reports.keys()
    assert with_reports == without
