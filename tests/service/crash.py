"""The service killed at random moments under load: every write that it acknowledged has to be there afterwards.

`python -m tests.service.crash [KILLS]` kills it so often, 50 by default, and prints the counts.
"""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select
from tests.service.signed import Caller, Credentials

from kycpack.service.database import Database
from kycpack.service.schema import attempts, customers, payments

_SERVE = (
    "import sys, json\n"
    "from kycpack.service.server import serve\n"
    "def tell(info):\n"
    "    print(json.dumps(dict(base_url=info.base_url, key_id=info.key_id, secret=info.secret)), flush=True)\n"
    "serve(sys.argv[1], announce=tell)\n"
)
_WRITERS = 6
_SEED = 7


@dataclass
class Counts:
    """What came of the kills."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0


def crash(url: str, kills: int) -> Counts:
    """Kill a service so often, each time at another moment under load, and look for what it acknowledged."""
    chance = random.Random(_SEED)  # noqa: S311 - moments, not secrets
    counts, acknowledged = Counts(), set[str]()
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, "-c", _SERVE, url], stdout=subprocess.PIPE, text=True)  # noqa: S603 - ourselves
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        threads = [threading.Thread(target=_write, args=(told, acknowledged)) for _ in range(_WRITERS)]
        for thread in threads:
            thread.start()
        _wait_for_load(acknowledged, counts.acknowledged)
        time.sleep(chance.uniform(0, 0.4))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        for thread in threads:
            thread.join()
        counts.kills += 1
        counts.acknowledged = len(acknowledged)
        counts.lost = len(acknowledged - _stored(url))
    return counts


def _wait_for_load(acknowledged: set[str], before: int) -> None:
    limit = time.monotonic() + 30
    while len(acknowledged) == before and time.monotonic() < limit:
        time.sleep(0.002)


def _write(told: dict[str, Any], acknowledged: set[str]) -> None:
    """Create until the service is gone; what was answered 200 is acknowledged."""
    key = Credentials(told["key_id"], told["secret"])
    call = Caller(told["base_url"], key, lambda: datetime.now(UTC))
    with contextlib.suppress(httpx.TransportError):
        while True:
            customer = call("POST", "/v1/customers", {"firstName": "Ada"})
            acknowledged.add(customer.json()["id"])
            body = {"amount": 1, "reference": "r", "returnUrl": "https://shop.example/"}
            payment = call("POST", "/v1/payments", body).json()["id"]
            acknowledged.add(payment)
            attempt = call("POST", f"/v1/payments/{payment}/attempts", {"bank": {"bankId": "test-bank"}})
            acknowledged.add(attempt.json()["id"])
    call.close()


def _stored(url: str) -> set[str]:
    database = Database(url)
    with database.read() as connection:
        found = {
            row for table in (customers, payments, attempts) for row in connection.scalars(select(table.c.id))
        }
    database.close()
    return found


def main() -> None:
    """Crash a service of its own."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        counts = crash(str(Path(folder) / "service.db"), kills)
    sys.stdout.write(f"{counts.kills} kills, {counts.acknowledged} acknowledged writes, {counts.lost} lost\n")
    sys.exit(1 if counts.lost else 0)


if __name__ == "__main__":
    main()
