"""What the service acknowledged while something failed under it: it has to be there afterwards.

`python -m tests.service.durability [KILLS]` kills the service so often under load (50 by default) on SQLite and on PostgreSQL,
fills its disk up, stops PostgreSQL for 8 seconds, and sends it large forms from nobody, and prints what was lost. As root it
also fills up the disk of PostgreSQL.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from sqlalchemy import select
from tests.service.cluster import Cluster, cluster, small_disk
from tests.service.processes import Served, serving
from tests.service.signed import Caller

from kycpack.service.database import Database
from kycpack.service.schema import attempts, customers, payments

_WRITERS = 6
_SEED = 7
_FORM_BYTES = 24 << 20
_DISK_MEGABYTES = 120
_LEFT_BYTES = 1 << 20


@dataclass
class Load:
    """What writers were answered.

    Attributes:
        acknowledged: Ids that were answered with 200.
        statuses: How often each status was answered.
    """

    acknowledged: set[str] = field(default_factory=set)
    statuses: Counter[int] = field(default_factory=Counter)

    def lost(self, url: str) -> int:
        """Return how many acknowledged records a database does not hold."""
        database = Database(url)
        with database.read() as connection:
            held = {
                one
                for table in (customers, payments, attempts)
                for one in connection.scalars(select(table.c.id))
            }
        database.close()
        return len(self.acknowledged - held)


def kill(url: str, kills: int) -> Load:
    """Kill a service so often, each time at another moment under load."""
    chance = random.Random(_SEED)  # noqa: S311 - moments, not secrets
    load = Load()
    for _ in range(kills):
        before = len(load.acknowledged)
        with serving(url) as served, _writing(served, load):
            _wait(lambda before=before: len(load.acknowledged) > before)
            time.sleep(chance.uniform(0, 0.4))
            served.process.send_signal(signal.SIGKILL)
            served.process.wait()
    return load


def fill_up(path: Path, largest_file: int) -> Load:
    """Write until the files of a SQLite database may not grow any more, and a little longer; then write again with room."""
    load = Load()
    with serving(str(path), largest_file=largest_file) as served:
        with _writing(served, load):
            _wait(lambda: load.statuses[503] > 20, seconds=120)
        assert served.call.plain("GET", "/healthz").status_code == 200
    with serving(str(path)) as served:
        load.acknowledged.add(served.call("POST", "/v1/customers", {}).json()["id"])
    return load


def fill_up_postgres(postgres: Cluster, disk: Path) -> Load:
    """Fill up the disk of a PostgreSQL under load, and make room again; afterwards the service works by itself."""
    load = Load()
    ballast = disk / "ballast"
    with serving(postgres.url) as served:
        with _writing(served, load):
            _wait(lambda: len(load.acknowledged) > 30)
            free = shutil.disk_usage(disk).free
            ballast.write_bytes(bytes(free - _LEFT_BYTES))
            _wait(lambda: load.statuses[503] > 60, seconds=120)
            assert served.call.plain("GET", "/healthz").status_code == 200
            before = len(load.acknowledged)
            ballast.unlink()
            if not postgres.is_running():
                # It ends itself where its journal cannot be written; whoever runs it starts it again.
                postgres.start()
            _wait(lambda: len(load.acknowledged) > before + 30)
        _wait(lambda: served.call.plain("GET", "/readyz").status_code == 200)
    return load


def stop_database(url: str, stop: Callable[[], None], start: Callable[[], None], seconds: float) -> Load:
    """Stop a database under load for so many seconds; afterwards the service works by itself."""
    load = Load()
    with serving(url) as served:
        with _writing(served, load):
            _wait(lambda: len(load.acknowledged) > 30)
            stop()
            time.sleep(seconds)
            start()
            before = len(load.acknowledged)
            _wait(lambda: len(load.acknowledged) > before + 30)
        _wait(lambda: served.call.plain("GET", "/readyz").status_code == 200)
    return load


def send_large_forms(served: Served, count: int) -> int:
    """Send forms of 24 MB from nobody, at once, and return by how many bytes the service's memory grew at most."""
    before = served.memory()
    threads = [threading.Thread(target=_send_form, args=(served.call.base_url,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return served.memory(peak=True) - before


def _send_form(base_url: str) -> None:
    host, _, port = base_url.removeprefix("http://").partition(":")
    head = (
        f"POST /onboard/nobody.{'0' * 64}/document HTTP/1.1\r\nHost: {host}:{port}\r\n"
        f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {_FORM_BYTES}\r\n\r\n"
    )
    with contextlib.suppress(OSError), socket.create_connection((host, int(port)), timeout=30) as peer:
        peer.sendall(head.encode())
        part = b"x" * 65_536
        for _ in range(_FORM_BYTES // len(part)):
            peer.sendall(part)
        peer.recv(1)


@contextmanager
def _writing(served: Served, load: Load) -> Iterator[None]:
    over = threading.Event()
    threads = [
        threading.Thread(target=_write, args=(served.new_caller(), load, over)) for _ in range(_WRITERS)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _write(call: Caller, load: Load, over: threading.Event) -> None:
    """Create until the service is gone or it is over; what was answered 200 is acknowledged."""
    with contextlib.suppress(httpx.TransportError):
        while not over.is_set():
            _create(call, load, "/v1/customers", {"firstName": "Ada"})
            body = {"amount": 1, "reference": "r", "returnUrl": "https://shop.example/"}
            payment = _create(call, load, "/v1/payments", body)
            if payment:
                bank = {"bank": {"bankId": "test-bank"}}
                _create(call, load, f"/v1/payments/{payment}/attempts", bank)
    call.close()


def _create(call: Caller, load: Load, path: str, body: object) -> str:
    answer = call("POST", path, body)
    load.statuses[answer.status_code] += 1
    if answer.status_code != 200:
        time.sleep(0.05)
        return ""
    made = str(answer.json()["id"])
    load.acknowledged.add(made)
    return made


def _wait(holds: Callable[[], bool], seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it took too long"
        time.sleep(0.01)


def main() -> None:
    """Let everything fail once, and print what was lost."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    lost = 0
    with tempfile.TemporaryDirectory() as folder, cluster() as postgres:
        path = Path(folder)
        sqlite_url = str(path / "killed.db")
        for name, url in (("SQLite", sqlite_url), ("PostgreSQL", postgres.url)):
            load = kill(url, kills)
            lost += _report(f"{name}, killed {kills} times", load, url)
        load = fill_up(path / "full.db", 2 << 20)
        lost += _report("SQLite, files of at most 2 MiB", load, str(path / "full.db"))
        load = stop_database(postgres.url, postgres.stop, postgres.start, 8)
        lost += _report("PostgreSQL, stopped for 8 s", load, postgres.url)
        if os.geteuid() == 0:
            with small_disk(_DISK_MEGABYTES) as disk, cluster(disk) as on_disk:
                load = fill_up_postgres(on_disk, disk)
                lost += _report("PostgreSQL, its disk full", load, on_disk.url)
        with serving(str(path / "forms.db")) as served:
            served.call("GET", "/v1/banks")
            grown = send_large_forms(served, 40)
        sys.stdout.write(
            f"40 forms of 24 MB from nobody at once: {grown / 2**20:.0f} MiB more memory at most\n"
        )
    sys.exit(1 if lost else 0)


def _report(what: str, load: Load, url: str) -> int:
    lost = load.lost(url)
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(load.statuses.items()))
    sys.stdout.write(f"{what}: {len(load.acknowledged)} acknowledged, {lost} lost (answers {statuses})\n")
    sys.stdout.flush()
    return lost


if __name__ == "__main__":
    main()
