from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import ProgrammingError
from tests.forks import begin
from tests.workspace.writers import learn

from kycpack.errors import ConfigurationError, WorkspaceError
from kycpack.workspace import Inbox, Register, Workspace
from kycpack.workspace.register.learning import learn_record


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        Register(workspace).add_customer("c-1", learned_from="import")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes
    assert set(modes.values()) == {0o600}


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    Workspace.open(tmp_path / "kycpack.db").close()
    script = """
import resource, signal, sys
from kycpack.errors import WorkspaceError
from kycpack.workspace import Register, Workspace
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
try:
    with Workspace.open(sys.argv[1]) as workspace:
        Register(workspace).add_customer("c-1", learned_from="import")
except WorkspaceError as error:
    print(error)
"""
    command = [sys.executable, "-c", script, str(tmp_path / "kycpack.db")]
    said = subprocess.run(  # noqa: S603 - our own interpreter and our own words
        command, check=True, capture_output=True, text=True
    ).stdout
    named = f"({tmp_path / 'kycpack.db'})"
    assert said.strip() == f"the disk of the workspace is full or failing {named}; nothing was recorded"
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        assert list(Register(workspace).customers()) == []


def test_a_url_and_a_path_name_the_same_database(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "a.db") as workspace:
        Register(workspace).add_customer("c-1", learned_from="import")
    with Workspace.open(f"sqlite:///{tmp_path}/a.db") as workspace:
        assert [row.customer_id for row in Register(workspace).customers()] == ["c-1"]


@pytest.mark.parametrize("place", ["mysql://localhost/x", "sqlite://", "nonsense://x", "://"])
def test_another_database_is_refused(place: str) -> None:
    with pytest.raises(ConfigurationError):
        Workspace.open(place)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("shopping list, of more than a hundred bytes, " * 10)
    with pytest.raises(WorkspaceError, match="or is not a kycpack workspace"):
        Workspace.open(path)
    assert path.read_text().startswith("shopping list")


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE customers (id TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(WorkspaceError, match="tables of another program"):
        Workspace.open(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("customers",)]
    connection.close()


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kycpack.db"
    Workspace.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE kycpack_workspace SET value = '99'")
    connection.commit()
    connection.close()
    with pytest.raises(WorkspaceError, match="of version 99, this workspace reads versions 1 to"):
        Workspace.open(path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="cannot be opened"):
        Workspace.open(tmp_path / "file" / "kycpack.db")


def test_two_processes_at_once_lose_and_double_nothing(place: str) -> None:
    workers = [begin(learn, place, worker) for worker in range(2)]
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    with Workspace.open(place) as workspace:
        register = Register(workspace)
        assert len(register.sessions("c-1")) == 20
        assert len(register.customers()) == 41


def test_a_reader_waits_for_no_writer(place: str) -> None:
    with Workspace.open(place) as workspace:
        register = Register(workspace)
        register.add_customer("c-1", learned_from="import")
        with workspace.transaction() as writing:
            writing.execute(text("UPDATE customers SET org_id = 'x'"))
            began = time.monotonic()
            with Workspace.open(place) as other:
                found = Register(other)
                assert found.known("c-1")["sessions"] == []
                assert found.known_of(["c-1", "c-2"])["c-2"]["payments"] == []
                assert [row.org_id for row in found.customers()] == [None]
                assert Inbox(other).completions() == ()
            assert time.monotonic() - began < 10


def test_a_wait_for_another_writer_ends_with_the_reason(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        Register(workspace).add_customer("c-1", learned_from="import")

        def write() -> None:
            with workspace.reading() as reading:
                reading.exec_driver_sql("PRAGMA busy_timeout=50")
                reading.execute(text("DELETE FROM customers"))

        with workspace.transaction(), pytest.raises(WorkspaceError, match="held the workspace"):
            write()


def test_known_of_reads_the_rows_of_those_customers_alone(workspace: Workspace, register: Register) -> None:
    with workspace.transaction() as connection:
        for number in range(1200):
            learn_record(
                connection,
                workspace.timestamp(),
                "session",
                f"s-{number}",
                "import",
                customer_id=f"c-{number}",
            )
    fetched: list[int] = []

    def count(_connection: object, cursor: Any, _statement: str, parameters: Any, *_: object) -> None:
        fetched.append(len(parameters))

    event.listen(workspace._engine, "after_cursor_execute", count)
    found = register.known_of([f"c-{number}" for number in range(1001)])
    assert len(found) == 1001
    assert all(len(known["sessions"]) == 1 for known in found.values())
    # Sessions, payments, risk, documents, and both sides of pairs of customers: values of these customers alone.
    assert sum(fetched) < 8 * 1001
    fetched.clear()
    register.known_of(["c-7"])
    assert 0 < sum(fetched) < 16


@pytest.mark.parametrize("content", [b"x", b"\n", b"hello, text"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "notes.txt"
    place.write_bytes(content)
    with pytest.raises(WorkspaceError, match="is not a kycpack workspace"):
        Workspace.open(place)
    assert place.read_bytes() == content


class _StoppedError(BaseException):
    """As Ctrl-C, or what SIGTERM raises."""


def _read_and_be_stopped(workspace: Workspace) -> None:
    with workspace.reading():
        try:
            raise _StoppedError
        finally:
            # As on PostgreSQL at some moments of a query: ending its transaction fails too.
            raise ProgrammingError(None, None, Exception("another command is already in progress"))


def test_a_signal_stays_the_signal_if_ending_the_transaction_fails_too(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "w.db") as workspace, pytest.raises(_StoppedError):
        _read_and_be_stopped(workspace)
