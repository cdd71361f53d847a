"""A process that nobody watches does its work, whatever its standard streams are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Town

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")


def _shell(town: Town, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, in which `$0 -m kycpack` is the program and $1, $2 ... are the words."""
    return subprocess.run(  # noqa: S603 - our own interpreter and line
        ["/bin/sh", "-c", text, sys.executable, *words],
        env={**os.environ, **town.environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def _run_of_nobody(out: Path) -> tuple[str, ...]:
    return ("batch", "00000000-0000-4000-8000-000000000000", "--out", str(out))


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_run_whose_streams_are_closed_ends_as_it_would(town: Town, tmp_path: Path, closed: str) -> None:
    out = tmp_path / "out"
    ended = _shell(town, f'"$0" -m kycpack "$@" {closed}; echo "code $?"', *_run_of_nobody(out))
    assert ended.stdout == "code 1\n"
    assert "internal error" not in ended.stderr
    assert json.loads((out / "run.json").read_bytes())["failed"] == 1


def test_a_run_whose_reader_has_ended_goes_on(town: Town, tmp_path: Path) -> None:
    out = tmp_path / "out"
    read, write = os.pipe()
    os.close(read)
    with closing(os.fdopen(write, "w")) as pipe:
        ended = subprocess.run(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", "kycpack", *_run_of_nobody(out)],
            env={**os.environ, **town.environment},
            stdout=pipe,
            stderr=pipe,
            timeout=240,
            check=False,
        )
    assert ended.returncode == 1
    assert json.loads((out / "run.json").read_bytes())["failed"] == 1


def test_a_list_whose_reader_has_ended_is_no_failure(town: Town) -> None:
    line = '("$0" -m kycpack register list --json; echo "code $?" >&2) | true'
    assert _shell(town, line).stderr == "code 0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_standard_output_that_cannot_be_written_to_is_named(town: Town) -> None:
    ended = _shell(town, '"$0" -m kycpack register list --json > /dev/full')
    assert (ended.returncode, ended.stderr) == (1, "kycpack: standard output: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_a_log_on_a_full_disk_does_not_end_a_run(town: Town, tmp_path: Path) -> None:
    ended = _shell(town, '"$0" -m kycpack "$@" --json 2> /dev/full', *_run_of_nobody(tmp_path / "out"))
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["failed"] == 1
