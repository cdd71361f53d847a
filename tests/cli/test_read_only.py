"""A workspace that somebody may read and not write to, as an auditor: it is listed, verified and exported; writing is refused in a sentence."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from tests.forks import begin_with_pipe
from tests.workspace.case_material import MEDIA, SANCTIONS, Office, open_cases, open_office
from typer.testing import CliRunner

from kycpack.cli import app

NOBODY = 65534
READ_ALONE = "the workspace can only be read, not written to; nothing was recorded"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter; those of pytest are their owner's alone."""
    made = Path(tempfile.mkdtemp(prefix="kycpack-read-only-"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def _fill(place: str | Path, folder: Path) -> Iterator[Office]:
    for office in open_office(place, folder):
        open_cases(
            office, {"c-1": ("escalate", [SANCTIONS]), "c-2": ("review", [MEDIA]), "c-3": ("approve", [])}
        )
        yield office  # fmt: skip


def _type(pipe: Connection, lines: list[list[str]], place: str, key: str) -> None:
    """Type commands as somebody who is not root, whom no mode of a file stops."""
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    elsewhere = tempfile.mkdtemp()
    environment = {
        "KYCPACK_WORKSPACE": place,
        "KYCPACK_ANALYST": "anna",
        "KYCPACK_SIGNING_KEY": key,
        "KYCPACK_LEDGER_ANCHOR": f"{elsewhere}/anchor.jsonl",
    }
    answers = []
    for line in lines:
        named = [word.replace("ELSEWHERE", elsewhere) for word in line]
        answer = CliRunner().invoke(app, named, env=environment)
        answers.append((answer.exit_code, answer.stdout, answer.output))
    pipe.send(answers)


def _typed(place: str, *lines: str, key: str = "") -> list[tuple[int, str, str]]:
    process, pipe = begin_with_pipe(_type, [line.split() for line in lines], place, key)
    answers: list[tuple[int, str, str]] = pipe.recv()
    process.join()
    return answers


def _can_be_read(place: str, case_id: str) -> None:
    listed, shown, queued, entries, verified, exported, excerpt = _typed(
        place,
        "case list --json",
        f"case show {case_id} --json",
        "case queue --json",
        "ledger list --json",
        "ledger verify --json",
        "ledger export ELSEWHERE/export --json",
        f"ledger export ELSEWHERE/case.json --case {case_id} --json",
    )
    for code, _, output in (listed, shown, queued, entries, verified, exported, excerpt):
        assert code == 0, output
    assert len(json.loads(listed[1])["items"]) == 2
    assert len(json.loads(entries[1])["items"]) == 11
    assert json.loads(verified[1])["ok"]
    assert json.loads(exported[1])["head"]["size"] == 11


@pytest.mark.parametrize(
    ("file_mode", "folder_mode"), [(0o444, 0o755), (0o444, 0o777), (0o666, 0o555)], ids=oct
)
@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "while a writer has it open"])
def test_a_file_that_may_only_be_read_is_read(
    folder: Path, file_mode: int, folder_mode: int, *, is_open: bool
) -> None:
    for office in _fill(folder / "kycpack.db", folder):
        case = office.cases.of_customer("c-2")[0]
        if is_open:
            _check_file(folder, file_mode, folder_mode, case.case_id)
    if not is_open:
        _check_file(folder, file_mode, folder_mode, case.case_id)


def _check_file(folder: Path, file_mode: int, folder_mode: int, case_id: str) -> None:
    (folder / "anna.pem").chmod(0o600)
    if os.geteuid() == 0:
        os.chown(folder / "anna.pem", NOBODY, NOBODY)
    for path in folder.glob("kycpack.db*"):
        path.chmod(file_mode)
    folder.chmod(folder_mode)
    before = {path.name: path.read_bytes() for path in folder.glob("kycpack.db*") if path.suffix != ".db-shm"}
    place = str(folder / "kycpack.db")
    _can_be_read(place, case_id)
    ((code, _, output),) = _typed(
        place, f"case wait {case_id} --reason Letter-of-the-council", key=str(folder / "anna.pem")
    )
    is_writable = file_mode == 0o666 and len(before) > 1  # the writer's log is there and may be written to
    assert (code != 0) is not is_writable
    assert is_writable or READ_ALONE in " ".join(output.split())
    if not is_writable:
        after = {
            path.name: path.read_bytes() for path in folder.glob("kycpack.db*") if path.suffix != ".db-shm"
        }
        assert after == before


def test_a_log_that_cannot_be_read_is_no_empty_workspace(folder: Path) -> None:
    """What the file alone holds would be less than what was recorded."""
    for _ in _fill(folder / "kycpack.db", folder):
        (folder / "copy").mkdir()
        for name in ("kycpack.db", "kycpack.db-wal"):
            shutil.copy(folder / name, folder / "copy" / name)
    for path in (folder / "copy").iterdir():
        path.chmod(0o444)
    (folder / "copy").chmod(0o555)
    ((code, _, output),) = _typed(str(folder / "copy" / "kycpack.db"), "case list")
    (folder / "copy").chmod(0o755)
    assert code == 2
    assert "with -wal, to a folder of your own" in " ".join(output.split())


def test_an_anchor_that_cannot_be_written_stops_an_export_before_it_begins(folder: Path) -> None:
    for _ in _fill(folder / "kycpack.db", folder):
        pass
    for path in folder.glob("kycpack.db*"):
        path.chmod(0o444)
    folder.chmod(0o555)
    process, pipe = begin_with_pipe(_export, str(folder))
    code, output, is_there = pipe.recv()
    process.join()
    assert code == 2
    assert "name another file with KYCPACK_LEDGER_ANCHOR" in " ".join(output.split())
    assert not is_there


def _export(pipe: Connection, folder: str) -> None:
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    out = Path(tempfile.mkdtemp()) / "export"
    answer = CliRunner().invoke(
        app, ["ledger", "export", str(out)], env={"KYCPACK_WORKSPACE": f"{folder}/kycpack.db"}
    )
    pipe.send((answer.exit_code, answer.output, out.exists()))


@pytest.mark.postgres
@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_role_that_may_only_select_reads(place: str, folder: Path) -> None:
    role = f"auditor_{uuid.uuid4().hex[:12]}"
    engine = create_engine(place, isolation_level="AUTOCOMMIT")
    url = make_url(place).set(username=role).render_as_string()
    for office in _fill(place, folder):
        case = office.cases.of_customer("c-2")[0]
    with engine.connect() as connection:
        connection.execute(text(f"CREATE ROLE {role} LOGIN"))
        try:
            ((code, _, refused),) = _typed(url, "case list")
            connection.execute(text(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"))
            if os.geteuid() == 0:
                os.chown(folder / "anna.pem", NOBODY, NOBODY)
            _can_be_read(url, case.case_id)
            ((written, _, output),) = _typed(
                url, f"case wait {case.case_id} --reason Letter-of-the-council", key=str(folder / "anna.pem")
            )
        finally:
            connection.execute(text(f"DROP OWNED BY {role}"))
            connection.execute(text(f"DROP ROLE {role}"))
    engine.dispose()
    assert (code, written) == (2, 2)
    assert "you may not read the tables of the workspace" in " ".join(refused.split())
    assert READ_ALONE in " ".join(output.split())
