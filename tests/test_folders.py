from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kycpack.pack.abandoned import clear_abandoned


@pytest.fixture
def dead() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def _make(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).mkdir()
        (folder / name / "bagit.txt").write_text(name)


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_half_a_pack_is_removed_and_an_earlier_one_is_put_back(tmp_path: Path, dead: int) -> None:
    _make(tmp_path, f".c-1.{dead}.abcdefgh.partial", f".c-1.{dead}.abcdefgh.retired")
    _make(tmp_path, "c-2", f".c-2.{dead}.abcdefgh.retired")
    clear_abandoned(tmp_path)
    assert _names(tmp_path) == {"c-1", "c-2"}
    assert (tmp_path / "c-1" / "bagit.txt").read_text().endswith(".retired")
    assert (tmp_path / "c-2" / "bagit.txt").read_text() == "c-2"


def test_what_somebody_is_still_writing_or_put_there_is_left_alone(tmp_path: Path, dead: int) -> None:
    mine = f".c-1.{os.getpid()}.abcdefgh.partial"
    others = {".quarantine", ".c-3.partial", ".notes.retired", f"c-4.{dead}.abcdefgh.partial"}
    _make(tmp_path, mine, *others)
    clear_abandoned(tmp_path)
    assert _names(tmp_path) == {mine, *others}


def test_only_the_pack_that_is_written_is_cleared(tmp_path: Path, dead: int) -> None:
    _make(tmp_path, f".c-1.{dead}.abcdefgh.partial", f".c-2.{dead}.abcdefgh.partial")
    clear_abandoned(tmp_path, "c-1")
    assert _names(tmp_path) == {f".c-2.{dead}.abcdefgh.partial"}
