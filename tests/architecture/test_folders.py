from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.traced_memory import with_peak

from kycpack.folders import clear_leftovers, folder_name, new_folder, write_file, write_new


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
    clear_leftovers(tmp_path)
    assert _names(tmp_path) == {"c-1", "c-2"}
    assert (tmp_path / "c-1" / "bagit.txt").read_text().endswith(".retired")
    assert (tmp_path / "c-2" / "bagit.txt").read_text() == "c-2"


def test_a_new_file_that_could_not_be_written_is_not_left_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, mode: str) -> object:
        os.close(descriptor)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "key.pem"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", full)
        with pytest.raises(OSError, match="No space left"):
            write_new(path, b"a key")
    write_new(path, b"a key")
    with pytest.raises(FileExistsError):
        write_new(path, b"another")
    assert path.read_bytes() == b"a key"


@pytest.mark.parametrize("write", [write_new, write_file])
def test_a_file_of_its_own_and_its_folder_are_flushed_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path, bytes], None]
) -> None:
    flushed: list[tuple[int, int]] = []

    def noted(descriptor: int) -> None:
        found = os.fstat(descriptor)
        flushed.append((found.st_ino, found.st_size if stat.S_ISREG(found.st_mode) else 0))

    monkeypatch.setattr(os, "fsync", noted)
    path = tmp_path / "key.pem"
    write(path, b"a key")
    assert flushed == [(path.stat().st_ino, len(b"a key")), (tmp_path.stat().st_ino, 0)]


def test_what_somebody_is_still_writing_or_put_there_is_left_alone(tmp_path: Path, dead: int) -> None:
    mine = f".c-1.{os.getpid()}.abcdefgh.partial"
    others = {".quarantine", ".c-3.partial", ".notes.retired", f"c-4.{dead}.abcdefgh.partial"}
    _make(tmp_path, mine, *others)
    clear_leftovers(tmp_path)
    assert _names(tmp_path) == {mine, *others}


def test_only_the_pack_that_is_written_is_cleared(tmp_path: Path, dead: int) -> None:
    _make(tmp_path, f".c-1.{dead}.abcdefgh.partial", f".c-2.{dead}.abcdefgh.partial")
    clear_leftovers(tmp_path, "c-1")
    assert _names(tmp_path) == {f".c-2.{dead}.abcdefgh.partial"}


def test_a_file_that_was_half_written_is_removed_wherever_it_lies(tmp_path: Path, dead: int) -> None:
    (tmp_path / f".run.json.{dead}.abcdefgh.partial").write_text("{")
    (tmp_path / "run.json").write_text("{}")
    clear_leftovers(tmp_path)
    assert _names(tmp_path) == {"run.json"}


def test_a_file_is_replaced_whole_or_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    write_file(path, b"first")
    assert path.stat().st_mode & 0o777 == 0o600

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_file(path, b"second")
    assert path.read_bytes() == b"first"
    assert _names(tmp_path) == {"run.json"}


def test_a_folder_that_could_not_be_filled_leaves_the_earlier_one(tmp_path: Path) -> None:
    _make(tmp_path, "c-1")

    def fill() -> None:
        with new_folder(tmp_path / "c-1") as folder:
            (folder / "half").write_text("")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill()
    assert _names(tmp_path) == {"c-1"}
    assert _names(tmp_path / "c-1") == {"bagit.txt"}


@given(st.text(min_size=1))
def test_a_folders_name_is_never_a_path(customer_id: str) -> None:
    name = folder_name(customer_id)
    assert PurePosixPath(name).parts == (name,)
    assert not name.startswith(".")
    assert len(name) <= 100


def test_a_plain_id_is_its_own_name_and_no_two_ids_share_one() -> None:
    assert folder_name("0f7c-1") == "0f7c-1"
    odd = folder_name("a/b")
    assert len({folder_name(name) for name in ("a/b", "A-B", "a-b", "a:b", odd)}) == 5


def test_the_many_names_that_are_no_leftovers_are_not_kept_in_memory(tmp_path: Path) -> None:
    for number in range(5_000):
        (tmp_path / f"c-{number:034}").touch()
    left = tmp_path / ".c-1.4194304.abcdefgh.partial"
    left.touch()
    clear_leftovers(tmp_path)  # what Python itself keeps of the first paths is not counted
    left.touch()
    _, peak = with_peak(lambda: clear_leftovers(tmp_path))
    assert not left.exists()
    assert peak < 1_000_000
