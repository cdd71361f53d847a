"""A whole run over many customers, checked as an auditor would, whose coordinator may be killed again and again.

`kycpack batch` runs as an operator starts it. If it is to be killed, this happens without warning when seeded shares of its customers
are done, and the same command is started again. Nobody may be lost, done twice or left half done, and `kycpack verify` has to find the
whole run sound.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_PACKS_READ = 200
_AS_OF = "2026-06-01T12:00:00Z"


def whole_run(
    scratch: Path,
    service: tuple[str, str],
    customer_ids: list[str],
    workers: int,
    *,
    kills: int = 0,
    more: Sequence[str] = (),
) -> dict[str, Any]:
    """Review customers with a coordinator in a process of its own, and verify what is there at the end.

    Args:
        scratch: Holds the workspace, `kycpack.db`, and what is written.
        service: Address and key of the service; its secret is in `KYCPACK_SECRET`.
        customer_ids: The customers in scope; the register knows them.
        workers: Customers reviewed at the same time.
        kills: How often the coordinator is killed before it may finish.
        more: Further options of the command, such as those of its executor.

    Returns:
        What was counted and measured, for people to read.

    Raises:
        RuntimeError: A customer is lost or done twice, or the run does not verify.
    """
    out, log, scope = scratch / "packs", scratch / "log.jsonl", scratch / "customers.csv"
    scope.write_text("\n".join(["customer_id", *customer_ids]) + "\n")
    address, key_id = service
    command = [
        sys.executable,
        "-m",
        "kycpack",
        "batch",
        "--customers",
        str(scope),
        "--out",
        str(out),
        "--as-of",
        _AS_OF,
    ]
    command += ["--workers", str(workers), "--log-file", str(log), "--base-url", address, "--key-id", key_id]
    command += more
    environment = {**os.environ, "KYCPACK_WORKSPACE": f"{scratch}/kycpack.db"}
    drawn = random.Random(len(customer_ids) + kills)  # noqa: S311 - the same moments each time
    moments = sorted(drawn.sample(range(1, len(customer_ids)), kills))
    done_now = _Done(log)
    seen: list[int] = []
    loads, began = [os.getloadavg()[0]], time.perf_counter()
    peak = max(
        _run(command, environment, done_now, moment, seen) for moment in itertools.chain(moments, (None,))
    )
    seconds = time.perf_counter() - began
    loads.append(os.getloadavg()[0])
    events = _events(log.read_bytes())
    entries = json.loads((out / "run.json").read_bytes())["entries"]
    outcomes = Counter(entry["outcome"] for entry in entries)
    if [entry["customer_id"] for entry in entries] != customer_ids:
        raise RuntimeError("the run does not have each customer once")
    packs = sorted(path.parent for path in out.glob("*/bagit.txt"))
    named = {entry["pack"] for entry in entries if entry["pack"]}
    if named - {pack.name for pack in packs} or list(out.glob(".*.partial")):
        raise RuntimeError("a pack of the run is missing, or something half written is left")
    done = Counter(event["customer_id"] for event in events if event["event"] == "customer")
    further = [pack.name for pack in packs if pack.name not in named]
    # A sealed pack is never replaced: that of a try which was incomplete stays beside the one that counts.
    if once := [name for name in further if done[name.partition("+")[0]] < 2]:
        raise RuntimeError(f"a customer has a pack beside that of the run, and was not tried again: {once}")
    checking = time.perf_counter()
    verified = _verified(out, scope, packs)
    return {
        "seconds": round(seconds),
        "packs a minute": round(60 * len(customer_ids) / seconds, 1),
        "load before and after": " ".join(f"{load:.1f}" for load in loads),
        "killed when so many were done": " ".join(f"{moment:,}" for moment in moments) or "never",
        "finished before, at each start": " ".join(
            f"{event['skipped']:,}" for event in events if event["event"] == "run_started"
        ),
        "customers begun again after a kill or tried again": sum(count - 1 for count in done.values()),
        "outcomes": json.dumps(outcomes),
        "packs of tries that were incomplete": len(further),
        "memory of the parent at a tenth, half and the end, MiB": _in_time(seen),
        "its peak, MiB": round(peak / 2**10),
        "MB": round(sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6),
        "verified": verified,
        "seconds to verify": round(time.perf_counter() - checking),
    }


def _run(
    command: list[str], environment: Mapping[str, str], done: _Done, moment: int | None, seen: list[int]
) -> int:
    """Run the command and kill it once so many customers are done; return its peak memory in KiB, and add what it had each second."""
    running = subprocess.Popen(  # noqa: S603 - our own interpreter and our own words
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0
    while running.poll() is None:
        peak = max(peak, _memory_kib(running.pid, "VmHWM:"))
        seen.append(_memory_kib(running.pid, "VmRSS:"))
        if moment is not None and done.count() >= moment:
            running.kill()
            running.wait()
            return peak
        time.sleep(1)
    if moment is not None or running.returncode not in (0, 3):
        raise RuntimeError(f"the run ended with exit code {running.returncode}")
    return peak


def _in_time(seen: list[int]) -> str:
    places = (len(seen) // 10, len(seen) // 2, len(seen) - 2)
    return " ".join(str(round(seen[place] / 2**10)) for place in places)


def _memory_kib(pid: int, what: str) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith(what)), 0)


class _Done:
    """Counts the customers that the log says are done; what was read of it is not read again.

    Args:
        log: The log of the run, which grows.
    """

    def __init__(self, log: Path) -> None:
        self._log = log
        self._read = 0
        self._ids: set[str] = set()

    def count(self) -> int:
        """Return how many there are now."""
        if self._log.exists():
            with self._log.open("rb") as lines:
                lines.seek(self._read)
                whole = lines.read().rpartition(b"\n")[0]
            self._read += len(whole)
            self._ids |= {each["customer_id"] for each in _events(whole) if each["event"] == "customer"}
        return len(self._ids)


def _events(log: bytes) -> list[dict[str, Any]]:
    """Return what lines of the log say; one that a kill left half written is left out."""
    found = []
    for line in log.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def _verified(out: Path, scope: Path, packs: list[Path]) -> str:
    """Check the run with the hashes of all packs, and the documents of some of them."""
    _verify(str(out), "--customers", str(scope), "--hashes-only")
    drawn = random.Random(len(packs)).sample(packs, min(len(packs), _PACKS_READ))  # noqa: S311 - as above
    _verify(*map(str, drawn))
    return f"{len(packs):,} packs by their hashes, {len(drawn):,} of them document by document"


def _verify(*arguments: str) -> None:
    command = [sys.executable, "-m", "kycpack", "verify", *arguments]
    answer = subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - as above
    if answer.returncode:
        raise RuntimeError(f"not verified: {answer.stdout[-2000:]!r}")
