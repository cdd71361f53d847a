"""The service in a process of its own, as `kycpack serve` runs it: to be killed, stopped, or used beside a busy test."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.service.signed import Caller, Credentials

_SERVE = (
    "import sys, json, resource\n"
    "from kycpack.service.server import serve\n"
    "largest = int(sys.argv[2])\n"
    "if largest: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))\n"
    "def announce(info):\n"
    "    names = ('base_url', 'key_id', 'secret', 'tenant_id')\n"
    "    print(json.dumps({name: getattr(info, name) for name in names}), flush=True)\n"
    "serve(sys.argv[1], announce=announce)\n"
)
_STOP_SECONDS = 20


@dataclass(frozen=True)
class Served:
    """A service in a process of its own.

    Attributes:
        process: The process.
        announced: What it announced: address, first key and tenant.
        call: Calls it with the first key.
    """

    process: subprocess.Popen[str]
    announced: Mapping[str, Any]
    call: Caller

    def new_caller(self) -> Caller:
        """Return a further caller, for another thread."""
        return _caller(self.announced)

    def memory(self, *, peak: bool = False) -> int:
        """Return the memory that the process uses in bytes, or the most that it has used."""
        name = "VmHWM" if peak else "VmRSS"
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith(name))
        return int(line.split()[1]) * 1024


@contextmanager
def serving(url: str, *, largest_file: int = 0) -> Iterator[Served]:
    """Run a service in a process of its own; it is ended when the block ends, if it still runs.

    Args:
        url: Its database.
        largest_file: Most bytes of each file that it writes; 0 for no limit.
    """
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-c", _SERVE, url, str(largest_file)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        announced = json.loads(process.stdout.readline())
        call = _caller(announced)
        try:
            yield Served(process, announced, call)
        finally:
            call.close()
    finally:
        process.terminate()
        try:
            process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _caller(announced: Mapping[str, Any]) -> Caller:
    key = Credentials(announced["key_id"], announced["secret"])
    return Caller(announced["base_url"], key, lambda: datetime.now(UTC))
