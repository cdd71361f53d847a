"""Running the tasks of a run on the workers of a Dask cluster, on this machine or on several.

A worker handles one customer at a time, in a child process with the same limits as on this machine. When a worker dies, Dask
gives its customer to another worker, and gives up after the second death. If a worker that was believed dead still makes a
pack, the fence of the output keeps it out (see `fence`), so nothing depends on the state of a worker.

Source: Dask.distributed, "TLS/SSL" and "Resilience".
"""

from __future__ import annotations

import logging
import multiprocessing
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from kycpack.batch.executor import Task, run_tasks
from kycpack.batch.jobs import Job
from kycpack.batch.report import RunEntry
from kycpack.errors import BatchError, ConfigurationError
from kycpack.settings import Settings

LOCAL = "local"
_NEEDS = "Dask needs kycpack's extra `dask`: pip install 'kycpack[dask]'"
_DEATHS_BEFORE_THE_LAST = 1
_POLL_SECONDS = 1.0
_PATIENCE_SECONDS = 120.0
_GONE = frozenset({"cancelled", "lost"})


@dataclass(frozen=True, slots=True)
class DaskExecutor:
    """Runs tasks on a Dask cluster; see `run_tasks`.

    Attributes:
        address: The scheduler's address, `tls://host:port`; `local` for a cluster of this run on this machine.
        ca_file: PEM file of the authority that signed the certificates of the cluster.
        cert_file: PEM file of the certificate with which this side identifies itself.
        key_file: PEM file of that certificate's key.
        patience_seconds: How long to wait for a lost scheduler, in seconds.

    Raises:
        ConfigurationError: The address does not use TLS, or a TLS file is missing.
    """

    address: str
    ca_file: str = ""
    cert_file: str = ""
    key_file: str = field(default="", repr=False)
    patience_seconds: float = _PATIENCE_SECONDS

    def __post_init__(self) -> None:
        if self.address == LOCAL:
            return
        if not self.address.startswith("tls://"):
            raise ConfigurationError(
                "--dask takes `local` or an address such as tls://host:port: a scheduler without TLS runs any code that anybody sends it"
            )
        for name in ("ca_file", "cert_file", "key_file"):
            if not Path(str(getattr(self, name)) or " ").is_file():
                setting = f"KYCPACK_DASK_{name.removesuffix('_file').upper()}"
                raise ConfigurationError(
                    f"a Dask cluster needs TLS on both sides: set {setting} to the path of its PEM file"
                )

    @classmethod
    def of_settings(cls, address: str, settings: Settings) -> DaskExecutor:
        """Return the executor for an address, with the TLS files that the settings name."""
        return cls(address, settings.dask_ca, settings.dask_cert, settings.dask_key)

    def __call__(
        self,
        task: Task,
        jobs: Iterable[Job],
        *,
        out: Path,
        as_of: datetime,
        previous: Callable[[str], RunEntry | None],
        workers: int,
        limit_seconds: float,
        limit_bytes: int | None = None,
    ) -> Generator[RunEntry]:
        """Run a task for each job, and yield each entry when it is ready; see `run_tasks`.

        Raises:
            ConfigurationError: Dask is not installed, or the cluster cannot be reached.
            BatchError: The scheduler was unreachable for too long.
        """
        with self._cluster(workers) as connect:
            waiting = iter(jobs)
            in_hand: list[Job] = []
            is_more = True
            client = connect()
            running: dict[Any, tuple[Job, float]] = {}
            try:
                while is_more or running or in_hand:
                    room = _workers(client) - len(running)
                    while room > 0 and (is_more or in_hand):
                        job = in_hand.pop() if in_hand else next(waiting, None)
                        if job is None:
                            is_more = False
                            break
                        arguments = (task, job, out.resolve(), as_of, previous(job.customer_id))
                        future = client.submit(
                            do_customer, *arguments, limit_seconds, limit_bytes, pure=False, retries=0
                        )
                        running[future] = (job, time.monotonic())
                        room -= 1
                    is_lost = False
                    for future in _ended(running):
                        job, began = running.pop(future)
                        entry = _entry(future, job)
                        future.release()
                        if entry is None:
                            in_hand.append(job)
                            is_lost = True
                        else:
                            yield entry.took(time.monotonic() - began)
                    if is_lost or client.status != "running":
                        in_hand += [job for job, _ in running.values()]
                        running.clear()
                        client = _again(client, connect, self.patience_seconds)
            finally:
                with suppress(Exception):  # the cluster may be gone; the run ends all the same
                    client.cancel(list(running), force=True)
                    client.close(timeout=_POLL_SECONDS)

    @contextmanager
    def _cluster(self, workers: int) -> Iterator[Callable[[], Any]]:
        """Yield a function that connects to the cluster; a local cluster ends with the block."""
        dask = _distributed()
        if self.address != LOCAL:
            security = dask.Security(
                tls_ca_file=self.ca_file,
                tls_client_cert=self.cert_file,
                tls_client_key=self.key_file,
                require_encryption=True,
            )
            yield lambda: _connected(
                lambda: dask.Client(self.address, security=security, timeout=10), self.address
            )
            return
        # A worker starts a child process for each customer, which daemon processes may not do.
        with (
            import_module("dask").config.set({"distributed.worker.daemon": False}),
            dask.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                security=dask.Security.temporary(),
                dashboard_address="127.0.0.1:0",  # None means the usual port, which another run may have
                silence_logs=logging.CRITICAL,
            ) as cluster,
        ):
            yield lambda: _connected(lambda: dask.Client(cluster), self.address)


def do_customer(
    task: Task,
    job: Job,
    out: Path,
    as_of: datetime,
    previous: RunEntry | None,
    limit_seconds: float,
    limit_bytes: int | None,
) -> RunEntry:
    """Run the task for a customer in a child process of this worker; called on the worker."""
    if getattr(multiprocessing.current_process(), "daemon", False):
        note = (
            "the Dask worker cannot start processes: start it with --no-nanny, or with "
            "DASK_DISTRIBUTED__WORKER__DAEMON=False"
        )
        return RunEntry(job.customer_id, "failed", note=note, cause="configuration")
    out.mkdir(parents=True, exist_ok=True)
    results = run_tasks(
        task,
        [job],
        out=out,
        as_of=as_of,
        previous=lambda _: previous,
        workers=1,
        limit_seconds=limit_seconds,
        limit_bytes=limit_bytes,
    )
    with closing(results):
        return next(results)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise ConfigurationError(_NEEDS) from None


def _connected(connect: Callable[[], Any], address: str) -> Any:
    try:
        client = connect()
        # A cluster serves this run alone, because how many workers one customer may bring down is set for the whole scheduler.
        client.run_on_scheduler(_let_two_die)
    except (OSError, TimeoutError, ValueError) as error:
        raise ConfigurationError(
            f"the Dask scheduler at {address} cannot be reached ({type(error).__name__})"
        ) from None
    return client


def _let_two_die(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = _DEATHS_BEFORE_THE_LAST


def _workers(client: Any) -> int:
    """Return how many customers the cluster can handle at once; 1 if it has no worker yet, so that the run waits for one."""
    try:
        return max(1, int(sum(client.nthreads().values())))
    except Exception:  # noqa: BLE001 - the loop notices a lost scheduler
        return 0


def _ended(running: dict[Any, tuple[Job, float]]) -> list[Any]:
    if running:
        # Waiting raises an error for a cancelled or lost future; its status shows this as well.
        with suppress(Exception):
            _distributed().wait(list(running), timeout=_POLL_SECONDS, return_when="FIRST_COMPLETED")
    return [future for future in running if future.status != "pending"]


def _entry(future: Any, job: Job) -> RunEntry | None:
    """Return the outcome of a customer; None if the cluster lost the customer, so that the task must run again."""
    if future.status in _GONE:
        return None
    try:
        entry = future.result(timeout=_POLL_SECONDS)
    except Exception as error:  # noqa: BLE001 - any error of the cluster becomes this customer's outcome
        kind = type(error).__name__
        if kind in {"FutureCancelledError", "CancelledError", "CommClosedError", "TimeoutError"}:
            return None
        if kind == "KilledWorker":
            note = "two workers ended while they worked on this customer"
            return RunEntry(job.customer_id, "failed", note=note, cause="workers ended")
        return RunEntry(job.customer_id, "failed", note=f"internal error on its worker ({kind})")
    if isinstance(entry, RunEntry):
        return entry
    return RunEntry(job.customer_id, "failed", note="its worker returned no entry")


def _again(client: Any, connect: Callable[[], Any], patience_seconds: float) -> Any:
    """Return a new connection after the scheduler was lost."""
    with suppress(Exception):
        client.close(timeout=_POLL_SECONDS)
    until = time.monotonic() + patience_seconds
    while True:
        try:
            return connect()
        except ConfigurationError:
            if time.monotonic() > until:
                raise BatchError(
                    "the Dask scheduler is gone; start it again, and the same command continues where this one stopped"
                ) from None
            time.sleep(_POLL_SECONDS)
