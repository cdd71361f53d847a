"""A bucket on loopback: moto's server stands for S3."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import boto3
import s3fs
from moto.server import ThreadedMotoServer


@contextmanager
def server() -> Iterator[None]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    started = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    # In the file that the processes of packs read too: the server that they are forked from keeps the environment it began with.
    config = Path(os.environ["AWS_CONFIG_FILE"])
    config.write_text(
        f"[default]\nregion = eu-west-1\nendpoint_url = http://{host}:{port}\n"
        "aws_access_key_id = test\naws_secret_access_key = test\n"
    )
    try:
        yield
    finally:
        config.unlink()
        started.stop()


@contextmanager
def bucket() -> Iterator[None]:
    """Make the bucket `packs`, and remove it at the end with every version of what is in it."""
    s3fs.S3FileSystem.clear_instance_cache()  # an earlier test may have asked elsewhere
    # A session of its own: the default one keeps the address of the first test's server.
    store = boto3.Session().resource("s3")
    made = store.create_bucket(Bucket="packs", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    try:
        yield
    finally:
        made.object_versions.all().delete()
        made.delete()
