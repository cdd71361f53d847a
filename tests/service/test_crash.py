"""A crash loses nothing that was acknowledged; `python -m tests.service.crash` does this 50 times."""

from __future__ import annotations

from pathlib import Path

from tests.service.crash import crash
from tests.service.running import database_url


def test_every_acknowledged_write_survives_a_kill(tmp_path: Path) -> None:
    counts = crash(database_url(tmp_path), 2)
    assert counts.acknowledged > 0
    assert counts.lost == 0
