"""The key that salts commitments: made once, whoever asks first, or refused in a sentence."""

from __future__ import annotations

import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kycpack import locks
from kycpack.cli.exit_codes import exit_code_of
from kycpack.errors import WorkspaceError
from kycpack.workspace.redaction_key import KEY_FILE, redaction_key


def test_all_who_begin_together_get_the_same_key(tmp_path: Path) -> None:
    for number in range(30):
        place = tmp_path / str(number)
        meeting = threading.Barrier(8)

        def ask(_: int, place: Path = place, meeting: threading.Barrier = meeting) -> bytes:
            meeting.wait()
            return redaction_key(place)

        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(ask, range(8)))) == 1
        assert (place / KEY_FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("is_taken", [True, False], ids=["a folder has its name", "its folder is a file"])
def test_a_key_that_cannot_be_made_is_a_sentence_and_not_an_internal_error(
    tmp_path: Path, *, is_taken: bool
) -> None:
    place = tmp_path / "place"
    if is_taken:
        (place / KEY_FILE).mkdir(parents=True)
    else:
        place.write_text("")
    with pytest.raises(WorkspaceError, match="cannot be made or read") as caught:
        redaction_key(place)
    assert exit_code_of(caught.value) == 2


def test_what_is_no_key_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text("half a key")
    with pytest.raises(WorkspaceError, match="is not a redaction key"):
        redaction_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == "half a key"


def test_a_link_to_a_key_that_is_not_there_now_is_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / KEY_FILE
    link.symlink_to(tmp_path / "mounted" / "key")
    with pytest.raises(WorkspaceError, match="cannot be made or read"):
        redaction_key(tmp_path)
    assert link.is_symlink()


def test_a_disk_without_locks_gets_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object, **__: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(locks, "lock_file", no_locks)
    assert redaction_key(tmp_path) == redaction_key(tmp_path)
