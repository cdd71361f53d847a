"""`kycpack watch` whose packs go to a bucket, killed and started again: moto's server on loopback stands for S3."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("moto")
pytest.importorskip("s3fs")

import httpx
import s3fs
from tests import object_store
from tests.cli.conftest import Town
from tests.cli.test_watch import complete_session, delivery_of, start, work_through, workspace_of

URL = "s3://packs/watch"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[s3fs.S3FileSystem]:
    monkeypatch.setenv("KYCPACK_REPORTS", str(tmp_path / "reports"))
    with object_store.server(), object_store.bucket():
        yield s3fs.S3FileSystem(use_listings_cache=False, skip_instance_cache=True)


@pytest.mark.timeout(600)
def test_killed_and_started_again_it_stores_each_pack_once_and_whole(
    own_town: Town, store: s3fs.S3FileSystem, tmp_path: Path
) -> None:
    customers = own_town.customers[:2]
    known = [(complete_session(own_town, customer), customer) for customer in customers]
    place = workspace_of(tmp_path / "w.db", *known)
    for seconds in (3.0, 6.0, 1.5):
        running, url = start(own_town, place, URL)
        for session, _ in known:
            httpx.post(url, content=delivery_of(session), trust_env=False).raise_for_status()
        time.sleep(seconds)
        running.kill()
    work_through(own_town, place, URL, limit_seconds=240)
    whole = store.glob("packs/watch/*/tagmanifest-sha256.txt")
    assert {path.split("/")[2].partition("+")[0] for path in whole} == set(customers)
    assert len(whole) == len(customers)
    assert not store.exists("packs/watch/.kycpack/lock")
    checked = own_town.run("verify", URL)
    assert checked.exit_code == 0, checked.stdout + checked.stderr
