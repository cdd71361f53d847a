"""What a transaction waits for at its end."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from kycpack.errors import WorkspaceError
from kycpack.storage.engine import EngineOptions, open_engine, read_url
from kycpack.storage.transactions import Transactions
from kycpack.workspace import Workspace

_NORMAL, _FULL = 1, 2
"""Source: sqlite.org/pragma.html#pragma_synchronous; with FULL the log is on the disk when a transaction ends."""


def _level(connection: Connection) -> int:
    return int(connection.execute(text("PRAGMA synchronous")).scalar_one())


def test_what_is_kept_is_on_the_disk_unless_it_need_not_be(tmp_path: Path) -> None:
    engine = open_engine(
        read_url(tmp_path / "a.db", WorkspaceError),
        EngineOptions(busy_seconds=0.1, pragmas=()),
        WorkspaceError,
    )
    transactions = Transactions(engine)
    for synced in (True, False, True, False, False, True):  # on one connection of the pool, in turn
        with transactions.write(synced=synced) as connection:
            assert _level(connection) == (_FULL if synced else _NORMAL)
    engine.dispose()


@pytest.mark.parametrize("times", [1, 3])
def test_an_intent_in_the_register_survives_a_power_cut(tmp_path: Path, times: int) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        for _ in range(times):
            with workspace.transaction() as connection:
                assert _level(connection) == _FULL
