"""Nothing that was acknowledged is lost; `python -m tests.service.durability` does the same for longer."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.service.cluster import cluster
from tests.service.durability import fill_up, kill, send_large_forms, stop_database
from tests.service.processes import serving
from tests.service.running import database_url


def test_every_acknowledged_write_survives_a_kill(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    load = kill(url, 2)
    assert load.acknowledged
    assert load.lost(url) == 0


def test_a_full_disk_is_503_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "service.db"
    load = fill_up(path, 1 << 20)
    assert load.acknowledged
    assert load.lost(str(path)) == 0
    assert set(load.statuses) == {200, 503}


@pytest.mark.postgres
def test_a_database_that_stops_is_503_and_loses_nothing() -> None:
    with cluster() as postgres:
        load = stop_database(postgres.url, postgres.stop, postgres.start, 2)
        assert load.lost(postgres.url) == 0
    assert set(load.statuses) <= {200, 503}
    assert load.statuses[503]


def test_large_forms_from_nobody_take_no_memory(tmp_path: Path) -> None:
    with serving(str(tmp_path / "service.db")) as served:
        served.call("GET", "/v1/banks")
        assert send_large_forms(served, 8) < 40 << 20
