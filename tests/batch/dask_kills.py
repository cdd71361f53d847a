"""A run on Dask whose processes are killed at seeded points: `python tests/batch/dask_kills.py --kills 50 --seed 1`.

Three workers, a scheduler and the coordinator are processes of their own on this machine, with TLS. A task ends its own process, its
worker, the scheduler or the coordinator at one of four points: before it makes the pack, before the entry is kept, between that
and the move of the pack into its place, and after it. The driver starts again what died. What comes out is compared, byte for byte,
with a run that nobody killed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from distributed.security import Security
from stub_packs import specimen, write_stub

from kycpack.batch import Job, RunEntry, run_batch
from kycpack.batch.dask_executor import DaskExecutor
from kycpack.batch.fence import Fence, SealedBeforeError

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.forks import begin

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
POINTS = ("start", "made", "kept", "sealed")
VICTIMS = ("task", "worker", "coordinator", "scheduler")
_PATIENCE_SECONDS = 3000.0


@dataclass(frozen=True)
class KilledTask:
    """Makes a stub pack and kills what the plan says, each kill once."""

    folder: Path
    source: Path
    plan: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    preload: tuple[str, ...] = ("stub_packs",)

    def __call__(
        self,
        job: Job,
        *,
        out: Path,
        as_of: datetime,
        previous: RunEntry | None,  # noqa: ARG002 - every pack is made anew
    ) -> RunEntry:
        name = job.customer_id
        with (self.folder / f"starts-{name}").open("a") as file:
            file.write("x")
        if name.startswith("fatal"):
            os.kill(_worker(), signal.SIGKILL)
            time.sleep(60)
        self._reach("start", name)
        fence = Fence(out, job)
        if (sealed := fence.sealed()) is not None:
            return sealed

        def entry(place: Path) -> RunEntry:
            return RunEntry(name, "produced", pack=place.name, level="review", top_reason="stub")

        def admit(bag: Path, place: Path) -> None:
            self._reach("made", name)
            fence.admit(bag, entry(place))
            self._reach("kept", name)

        try:
            pack = write_stub(out, name, as_of, source=self.source, on_seal=admit)
        except SealedBeforeError as error:
            return error.entry
        self._reach("sealed", name)
        return entry(pack)

    def _reach(self, point: str, name: str) -> None:
        for at, victim in self.plan.get(name, ()):
            mark = self.folder / f"killed-{victim}-{point}-{name}"
            if at != point or mark.exists():
                continue
            try:
                mark.touch(exist_ok=False)
            except FileExistsError:
                continue
            if victim == "task":
                os.kill(os.getpid(), signal.SIGKILL)
            pid = _worker() if victim == "worker" else int((self.folder / f"pid-{victim}").read_text())
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _worker() -> int:
    """Return the process that the server of this fork belongs to."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])


def plan_of(seed: int, kills: int, customers: list[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return who is killed when; a customer costs at most one task or worker, or it would rightly have failed."""
    choose = random.Random(seed)  # noqa: S311 - a plan that can be repeated
    shuffled = choose.sample(customers, kills)
    weights = (3, 4, 2, 1)
    victims = [*VICTIMS, *choose.choices(VICTIMS, weights, k=max(0, kills - len(VICTIMS)))][:kills]
    return {name: ((choose.choice(POINTS), victim),) for name, victim in zip(shuffled, victims, strict=True)}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_tls(folder: Path) -> dict[str, str]:
    security = Security.temporary()
    files = {}
    for name, value in (
        ("ca", security.tls_ca_file),
        ("cert", security.tls_client_cert),
        ("key", security.tls_client_key),
    ):
        path = folder / f"{name}.pem"
        path.write_text(value)
        path.chmod(0o600)
        files[name] = str(path)
    return files


class Cluster:
    """A scheduler and workers, each started again when it died; closing ends all of them."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.files = write_tls(folder)
        self.address = f"tls://127.0.0.1:{free_port()}"
        self.started: Counter[str] = Counter()
        self._workers = workers
        self._processes: dict[str, ForkServerProcess] = {}
        self.keep_up()

    def keep_up(self) -> None:
        names = ["scheduler", *(f"worker-{number}" for number in range(self._workers))]
        for name in names:
            held = self._processes.get(name)
            if held is None or held.exitcode is not None:
                self._processes[name] = self._start(name)
                self.started[name.partition("-")[0]] += 1

    def close(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.join()

    def _start(self, name: str) -> ForkServerProcess:
        tls = [item for kind, path in self.files.items() for item in (_TLS[kind], path)]
        words = ["--host", "127.0.0.1", "--no-dashboard", *tls]
        if name == "scheduler":
            port = self.address.rpartition(":")[2]
            words += ["--protocol", "tls", "--port", port, "--no-jupyter"]
        else:
            words += [self.address, "--nthreads", "1", "--no-nanny", "--death-timeout", "300"]
        process = begin(_dask, self.folder / f"log-{name}", name.partition("-")[0], words)
        (self.folder / f"pid-{name}").write_text(str(process.pid))
        return process


_TLS = {"ca": "--tls-ca-file", "cert": "--tls-cert", "key": "--tls-key"}


def _dask(log: Path, kind: str, words: list[str]) -> None:
    """Be a scheduler or a worker, as the command of its name."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), 2)
    import_module(f"distributed.cli.dask_{kind}").main(words)


def coordinate(folder: Path) -> None:
    """Be the coordinator: what runs in the process that may be killed."""
    order = json.loads((folder / "order.json").read_text())
    (folder / "pid-coordinator").write_text(str(os.getpid()))
    plan = {name: tuple(map(tuple, kills)) for name, kills in order["plan"].items()}
    task = KilledTask(folder, Path(order["source"]), plan)
    executor = DaskExecutor(order["address"], *(order["files"][name] for name in ("ca", "cert", "key")))
    jobs = [Job(name) for name in order["customers"]]
    run_batch(jobs, Path(order["out"]), task=task, as_of=AS_OF, executor=executor, limit_seconds=120)


def contents(out: Path) -> dict[str, str]:
    """Return the hash of every file of every pack."""
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for pack in sorted(out.iterdir())
        if (pack / "bagit.txt").exists()
        for path in sorted(pack.rglob("*"))
        if path.is_file()
    }


def entries(out: Path) -> list[dict[str, Any]]:
    found = json.loads((out / "run.json").read_bytes())["entries"]
    return [
        {**entry, "seconds": 0, "note": "", "outcome": "produced" if entry["pack"] else entry["outcome"]}
        for entry in found
    ]


def disturbed_run(folder: Path, customers: list[str], plan: dict[str, Any], workers: int = 3) -> Counter[str]:
    """Run with kills into `folder/out`; return how often each kind of process was started."""
    out = folder / "out"
    cluster = Cluster(folder, workers)
    order = {
        "address": cluster.address,
        "files": cluster.files,
        "plan": plan,
        "customers": customers,
        "source": str(specimen()),
        "out": str(out),
    }
    (folder / "order.json").write_text(json.dumps(order))
    until = time.monotonic() + _PATIENCE_SECONDS
    coordinator: ForkServerProcess | None = None
    try:
        while True:
            cluster.keep_up()
            if coordinator is None or coordinator.exitcode not in {None, 0}:
                if coordinator is not None and coordinator.exitcode != -signal.SIGKILL:
                    raise RuntimeError(f"the coordinator ended with {coordinator.exitcode}")
                cluster.started["coordinator"] += 1
                coordinator = begin(coordinate, folder)
            if coordinator.exitcode == 0:
                return cluster.started
            if time.monotonic() > until:
                raise TimeoutError("the run did not end in time")
            time.sleep(0.2)
    finally:
        if coordinator is not None and coordinator.exitcode is None:
            coordinator.kill()
            coordinator.join()
        cluster.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    customers = [f"customer-{number:03}" for number in range(given.kills + 10)]
    with tempfile.TemporaryDirectory(prefix="kycpack-kills-") as scratch:
        folder, calm = Path(scratch), Path(scratch) / "calm"
        task = KilledTask(folder, specimen())
        run_batch([Job(name) for name in customers], calm, task=task, as_of=AS_OF, workers=2)
        began = time.monotonic()
        started = disturbed_run(folder, customers, plan_of(given.seed, given.kills, customers))
        killed = Counter("-".join(path.name.split("-")[1:3]) for path in folder.glob("killed-*"))
        same = contents(calm) == contents(folder / "out") and entries(calm) == entries(folder / "out")
        counted = dict(sorted(killed.items()))
        lines = (
            f"{sum(killed.values())} kills in {time.monotonic() - began:.0f} s: {counted}",
            f"started: {dict(started)}",
            f"packs and population as in a run that nobody killed: {same}",
        )
        sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    # What the coordinator sends to workers has to be of a module, and not of its main program.
    import_module("dask_kills").main()
