"""Running the service as a program of its own."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from tests.service.running import database_url
from tests.service.signed import Caller, Credentials, finish, new_customer, new_session, ok

from kycpack.errors import ServiceError
from kycpack.service.address import ListenAddress
from kycpack.service.embedded import EmbeddedService
from kycpack.service.server import serve

_SCRIPT = (
    "import sys, json, pathlib\n"
    "from kycpack.service.server import serve\n"
    "def tell(info):\n"
    "    print(json.dumps(dict(base_url=info.base_url, key_id=info.key_id, secret=info.secret)), flush=True)\n"
    "serve(sys.argv[1], populate=2, seed=5, truth_dir=pathlib.Path(sys.argv[2]), announce=tell)\n"
)
_PLAIN = _SCRIPT.replace("populate=2, seed=5, truth_dir=pathlib.Path(sys.argv[2]), ", "")


def test_it_serves_a_population_and_ends_on_a_signal(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", _SCRIPT, database_url(tmp_path), str(tmp_path / "truth")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - ourselves
        assert process.stdout is not None
        assert process.stderr is not None
        told = json.loads(process.stdout.readline())
        key = Credentials(told["key_id"], told["secret"])
        call = Caller(told["base_url"], key, lambda: datetime.now(UTC))
        assert len(ok(call("GET", "/v1/customers"))["items"]) == 2
        call.close()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        rest = process.stdout.read() + process.stderr.read()
    assert told["secret"] not in rest
    assert {path.name for path in (tmp_path / "truth").iterdir()} >= {"customers.json", "credits.parquet"}


def test_a_port_that_is_taken_is_a_clear_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = ListenAddress(port=taken.getsockname()[1])
        with pytest.raises(ServiceError, match="cannot be used"):
            serve(str(tmp_path / "service.db"), address=address, announce=lambda _: None)


def test_two_embedded_services_do_not_meet() -> None:
    with EmbeddedService() as one, EmbeddedService() as other:
        assert one.base_url != other.base_url
        assert one.secret not in repr(one.info)
        assert one.control_url == f"{one.base_url}/_control"
        assert one.tenant_id != other.tenant_id


def test_it_ends_on_a_signal_within_8_seconds_though_a_receiver_holds_a_delivery(tmp_path: Path) -> None:
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-c", _PLAIN, str(tmp_path / "service.db")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    call = Caller(told["base_url"], Credentials(told["key_id"], told["secret"]), lambda: datetime.now(UTC))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ok(call("POST", "/v1/webhooks", {"url": f"http://127.0.0.1:{silent.getsockname()[1]}/"}))
        finish(call, new_session(call, new_customer(call)))
        held, _ = silent.accept()
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
        assert time.monotonic() - began < 8
        held.close()
    process.stdout.close()
    call.close()


def test_a_population_is_loaded_once_and_the_second_time_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    url = database_url(tmp_path)
    for seed in (5, 6):
        with contextlib.closing(_Closing()) as ending:
            monkeypatch.setattr("kycpack.service.server.make_server", ending.make_server)
            serve(url, populate=2, seed=seed, announce=lambda _: None, say=said.append)
    assert said[0].startswith("2 invented customers were added (seed 5")
    assert said[1].startswith("the database already has invented customers (2 of seed 5")
    assert said[1].endswith("none were added")


class _Closing:
    """Stands in for the server: it answers nothing and ends at once."""

    started = should_exit = True

    def make_server(self, app: FastAPI, _address: ListenAddress) -> _Closing:
        self.app = app
        return self

    def run(self, **_more: object) -> None:
        """Answer nothing."""

    def close(self) -> None:
        self.app.state.service.database.close()
