"""Rows in a temporary file of one process."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from kycpack.errors import ConfigurationError
from kycpack.storage.scratch import Scratch

_HOLD = """
import os, sys
from kycpack.storage.scratch import Scratch
kept = Scratch("CREATE TABLE rows (value TEXT)")
kept.write("INSERT INTO rows VALUES (?)", (("x" * 1000,) for _ in range(20_000)))
print("ready", flush=True)
sys.stdin.read()
"""


def test_rows_are_read_while_others_are_written() -> None:
    kept = Scratch("CREATE TABLE one (value)", "CREATE TABLE other (value)")
    kept.write("INSERT INTO one VALUES (?)", ((number,) for number in range(5000)))
    kept.write("INSERT INTO other VALUES (?)", ((value + 1,) for (value,) in kept.rows("SELECT * FROM one")))
    assert kept.value("SELECT sum(value) FROM other") == sum(range(1, 5001))
    assert kept.value("SELECT value FROM one WHERE value < 0") is None


def test_a_row_that_contradicts_a_constraint_is_the_callers_matter() -> None:
    kept = Scratch("CREATE TABLE names (name PRIMARY KEY)")
    with pytest.raises(sqlite3.IntegrityError):
        kept.write("INSERT INTO names VALUES (?)", [("a",), ("a",)])


def test_a_full_disk_is_one_sentence() -> None:
    kept = Scratch("CREATE TABLE rows (value TEXT)", "PRAGMA max_page_count=10")
    with pytest.raises(
        ConfigurationError, match=r"^temporary files cannot be written \(database or disk is full\)"
    ):
        kept.write("INSERT INTO rows VALUES (?)", (("x" * 1000,) for _ in range(1000)))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_the_file_has_no_name_and_goes_with_a_process_that_is_killed(tmp_path: Path) -> None:
    """It is on the disk, where nobody can open it by name."""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "SQLITE_TMPDIR": str(tmp_path)}
    with subprocess.Popen(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", _HOLD], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        opened = [path.resolve() for path in Path(f"/proc/{process.pid}/fd").iterdir()]
        assert [path for path in opened if path.parent == tmp_path and "(deleted)" in path.name]
        assert not list(tmp_path.iterdir())
        process.kill()
    assert not list(tmp_path.iterdir())
