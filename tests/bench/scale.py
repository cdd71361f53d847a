"""`make scale`: what a run of very many customers costs its coordinator, how soon it goes on after a kill, and whole runs.

The first need no pack: the tasks are done at once in this process, so that all that is measured is the coordinator. The others
review invented customers of a service on loopback from end to end, in processes of their own: with one worker, with more, on
Dask, and beside them papermill's own engine with the same notebook, one customer after the other.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable
from datetime import UTC, date, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import papermill
import pyarrow as pa
from tests.bench.compared_run import compared_run
from tests.bench.whole_run import whole_run

from kycpack.api import Client, collect
from kycpack.batch import Job, RunEntry, open_run, run_batch
from kycpack.batch.dask_executor import LOCAL
from kycpack.batch.executor import Task
from kycpack.batch.frame_parts import NAMES, PackFrames, stacked, write_part
from kycpack.batch.report import RunReport, dump
from kycpack.batch.review_task import ReviewTask
from kycpack.pack.compute.parquet import table_bytes
from kycpack.pack.notebooks.review_notebook import OWN_NOTEBOOK
from kycpack.render import render_index_pages
from kycpack.service.embedded import EmbeddedService
from kycpack.workspace import Register, Workspace

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
_MIB = 2**20
_TODAY = date(2026, 6, 1)
_EXECUTORS: dict[str, tuple[str, ...]] = {"processes": (), "Dask": ("--dask", LOCAL)}
_MOST_BY_PAPERMILL = 10


def main() -> None:
    """Measure the parts that were asked for, each in a process of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=100_000, help="stub tasks of the coordinator")
    parser.add_argument(
        "--customers", type=int, default=1_000, help="invented customers end to end; 0 for none"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--kills", type=int, default=0, help="kill the coordinator so often in one run, and nothing else"
    )
    parser.add_argument(
        "--only", choices=tuple(_EXECUTORS), help="review the customers once, on this and with these workers"
    )
    parser.add_argument(
        "--compared",
        type=int,
        default=10_000,
        help="customers of a run with a register that is compared with the one before; 0 for none",
    )
    given = parser.parse_args()
    if given.only:
        found = _apart(_whole_run, given.customers, given.workers, given.only)
        _say(f"{given.customers:,} invented customers, {given.only}, workers {given.workers}", found)
        return
    if given.kills:
        found = _apart(_whole_run, given.customers, given.workers, "processes", given.kills)
        _say(f"{given.customers:,} invented customers, killed {given.kills} times", found)
        return
    for tasks in sorted({given.tasks // 10, given.tasks} - {0}):
        _say(f"coordinator, {tasks:,} stub tasks", _apart(_coordinate, tasks))
    if given.tasks:
        _say(f"resumed at {given.tasks:,}", _apart(_resume, given.tasks))
        _say("10,000 customers opened as data", _apart(_open, 10_000))
    if given.compared:
        _say(f"the command, {given.compared:,} customers of a register", _apart(compared_run, given.compared))
    if given.customers:
        for workers in sorted({1, given.workers}):
            for name in _EXECUTORS:
                found = _apart(_whole_run, given.customers, workers, name)
                _say(f"{given.customers:,} invented customers, {name}, workers {workers}", found)
        some = min(given.customers, _MOST_BY_PAPERMILL)
        _say(f"{some} invented customers, papermill's own engine", _apart(_by_papermill, some))


def _say(what: str, figures: dict[str, Any]) -> None:
    sys.stdout.write(f"{what}: " + ", ".join(f"{name} {value}" for name, value in figures.items()) + "\n")
    sys.stdout.flush()


def _apart(work: Callable[..., dict[str, Any]], *arguments: int | str) -> dict[str, Any]:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=_report, args=(sender, work, arguments))
    process.start()
    sender.close()
    found: dict[str, Any] = receiver.recv()
    process.join()
    return found


def _report(
    sender: Connection, work: Callable[..., dict[str, Any]], arguments: tuple[int | str, ...]
) -> None:
    with tempfile.TemporaryDirectory(prefix="kycpack-scale-") as scratch:
        sender.send(work(Path(scratch), *arguments))


def _at_once(_task: Task, jobs: Iterable[Job], **_given: Any) -> Generator[RunEntry]:
    """Do each job in no time: the executor whose cost is none."""
    for job in jobs:
        yield RunEntry(
            job.customer_id,
            "produced",
            level="review",
            top_reason="Data integrity “attention” (E-03)",
            explained_share=0.5,
            evidence_root="0" * 64,
            fingerprint="0" * 64,
        )


def _jobs(count: int) -> list[Job]:
    return [Job(f"00000000-0000-4000-8000-{number:012}") for number in range(count)]


def _stub_run(out: Path, jobs: list[Job], executor: Any, on_begin: Any = None) -> None:
    run_batch(
        jobs,
        out,
        task=ReviewTask("https://127.0.0.1:1", "nobody", "c2VjcmV0", code="stub"),
        as_of=AS_OF,
        executor=executor,
        render_index=render_index_pages,
        on_begin=on_begin,
    )


def _coordinate(out: Path, count: int) -> dict[str, Any]:
    jobs = _jobs(count)
    before, began, cpu = _memory(), time.perf_counter(), time.process_time()
    _stub_run(out, jobs, _at_once)
    return {
        "seconds": round(time.perf_counter() - began, 1),
        "cpu seconds": round(time.process_time() - cpu, 1),
        "cpu ms a customer": round(1000 * (time.process_time() - cpu) / count, 2),
        "memory above start, MiB": round((_memory() - before) / _MIB),
        "run.json, MB": round((out / "run.json").stat().st_size / 1e6, 1),
    }


def _resume(out: Path, count: int) -> dict[str, Any]:
    """Interrupt a run when all but 100 customers are done, and go on with it."""
    jobs = _jobs(count)

    def interrupted(task: Task, waiting: Iterable[Job], **given: Any) -> Generator[RunEntry]:
        for number, entry in enumerate(_at_once(task, waiting, **given)):
            if number == count - 100:
                raise KeyboardInterrupt
            yield entry

    with contextlib.suppress(KeyboardInterrupt):
        _stub_run(out, jobs, interrupted)
    began, cpu = time.perf_counter(), time.process_time()
    at: list[float] = []
    _stub_run(out, jobs, _at_once, lambda *_: at.append(time.perf_counter() - began))
    return {
        "seconds until it works": round(at[0], 1),
        "seconds until it is done": round(time.perf_counter() - began, 1),
        "cpu seconds": round(time.process_time() - cpu, 1),
    }


def _open(out: Path, count: int) -> dict[str, Any]:
    """Open a run whose data set holds 20 rows a customer and frame."""
    ids = [job.customer_id for job in _jobs(count)]
    entries = tuple(RunEntry(name, "produced", pack=name, level="review", top_reason="stub") for name in ids)
    report = RunReport("run", "2026-06-01T00:00:00Z", "", "", "0", 1, entries)
    (out / "run.json").write_bytes(dump(report.to_document()))
    for first in range(0, count, 1000):
        some = ids[first : first + 1000]
        frames = {name: pa.table({"customer_id": [one for one in some for _ in range(20)]}) for name in NAMES}
        content = ((name, table_bytes(table)) for name, table in stacked([frames]).items())
        write_part(out / "frames", [PackFrames(one, one, "") for one in some], content)
    began = time.perf_counter()
    run = open_run(out)
    opened = time.perf_counter() - began
    rows = len(run.triage.read("findings", ["customer_id"]))
    return {
        "seconds": round(opened, 2),
        "with a column of a frame": round(time.perf_counter() - began, 2),
        "rows": f"{rows:,}",
    }


@contextlib.contextmanager
def _invented(scratch: Path, count: int) -> Generator[tuple[ReviewTask, list[Job]]]:
    """Fill a service with invented customers, and give the task and the jobs of their review."""
    from kycpack.cli.service.wire_target import WireTarget  # noqa: PLC0415 - only here is a service filled
    from kycpack.service.loader import load_customer  # noqa: PLC0415 - as above
    from kycpack.synthetic import generate  # noqa: PLC0415 - as above

    with EmbeddedService(f"sqlite:///{scratch}/service.db") as service:
        with Workspace.open(scratch / "kycpack.db") as workspace:
            register = Register(workspace)
            given = {"key_id": service.key_id, "secret": service.secret}
            with WireTarget(service.base_url, service.control_url, recorder=register, **given) as target:
                plans = generate(count, 1, _TODAY).customers
                ids = [load_customer(plan, target).customer_id for plan in plans]
            known = register.known_of(ids)
        # Workers of Dask read these from their own settings.
        os.environ |= {"KYCPACK_SECRET": service.secret, "KYCPACK_WORKSPACE": f"{scratch}/kycpack.db"}
        task = ReviewTask(service.base_url, service.key_id, service.secret)
        yield task, [Job(name, known.get(name)) for name in ids]


def _whole_run(scratch: Path, count: int, workers: int, executor: str, kills: int = 0) -> dict[str, Any]:
    """Review customers with `kycpack batch` in a process of its own: this one has the service and the customers' plans."""
    with _invented(scratch, count) as (task, jobs):
        service, ids = (task.base_url, task.key_id), [job.customer_id for job in jobs]
        found = whole_run(scratch, service, ids, workers, kills=kills, more=_EXECUTORS[executor])
    return found | {"peak memory of the service and the customers' plans, MiB": round(_memory() / _MIB)}


def _by_papermill(scratch: Path, count: int) -> dict[str, Any]:
    """Collect evidence, and let papermill run the notebook with the same outputs in a kernel of its own, as a plain script would."""
    with _invented(scratch, count) as (task, jobs):
        loads, began = [os.getloadavg()[0]], time.perf_counter()
        with Client(task.base_url, key_id=task.key_id, secret=task.secret) as client:
            for number, job in enumerate(jobs):
                place = scratch / str(number)
                evidence = collect(client, job.customer_id, known=job.known, folder=place / "evidence")
                papermill.execute_notebook(
                    str(OWN_NOTEBOOK),
                    str(place / "executed.ipynb"),
                    parameters={"evidence_path": "evidence", "as_of": str(_TODAY), "output_path": "."},
                    cwd=str(place),
                    kernel_name="python3",
                    progress_bar=False,
                )
                if evidence.incomplete or not (place / "report" / "review.pdf").is_file():
                    raise RuntimeError("papermill's own engine did not write the documents")
        seconds = time.perf_counter() - began
        loads.append(os.getloadavg()[0])
    return {
        "seconds": round(seconds),
        "packs a minute": round(60 * count / seconds, 1),
        "load before and after": " ".join(f"{load:.1f}" for load in loads),
    }


def _memory() -> int:
    """Return the peak of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
