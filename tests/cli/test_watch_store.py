"""`kycpack watch` whose packs go to a bucket, killed and started again: moto's server on loopback stands for S3."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("moto")
pytest.importorskip("s3fs")

import boto3
import httpx
import s3fs
from moto.server import ThreadedMotoServer
from tests.cli.conftest import Town
from tests.cli.test_watch import complete_session, delivery_of, settled, start, workspace_of

URL = "s3://packs/watch"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[s3fs.S3FileSystem]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    config = Path(os.environ["AWS_CONFIG_FILE"])
    config.write_text(
        f"[default]\nregion = eu-west-1\nendpoint_url = http://{host}:{port}\n"
        "aws_access_key_id = test\naws_secret_access_key = test\n"
    )
    monkeypatch.setenv("KYCPACK_REPORTS", str(tmp_path / "reports"))
    s3fs.S3FileSystem.clear_instance_cache()  # an earlier test may have asked elsewhere
    made = (
        boto3.Session()
        .resource("s3")
        .create_bucket(Bucket="packs", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    )
    yield s3fs.S3FileSystem(use_listings_cache=False, skip_instance_cache=True)
    made.object_versions.all().delete()
    made.delete()
    config.unlink()
    server.stop()


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
        running.communicate()
    running, _ = start(own_town, place, URL)
    deadline = time.monotonic() + 240
    while not settled(place):
        assert time.monotonic() < deadline, "the sessions were not all worked on in time"
        assert running.poll() is None
        time.sleep(0.5)
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=120)
    assert running.returncode == 0
    whole = store.glob("packs/watch/*/tagmanifest-sha256.txt")
    assert {path.split("/")[2].partition("+")[0] for path in whole} == set(customers)
    assert len(whole) == len(customers)
    assert not store.exists("packs/watch/.kycpack/lock")
    checked = own_town.run("verify", URL)
    assert checked.exit_code == 0, checked.stdout + checked.stderr
