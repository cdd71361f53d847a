"""`kycpack watch`: receiving webhooks, asking about the sessions they name, and making packs, all in one process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kycpack.cli.exit_codes import INTERRUPTED, exit_code_of
from kycpack.cli.options import (
    USUAL_MEMORY_LIMIT,
    AtOnce,
    BaseUrl,
    Country,
    FreePort,
    KeyId,
    LogFile,
    MemoryLimit,
    NotebookFile,
    PerSecond,
    PolicyFile,
    ReceiverHost,
    SignerName,
    Workers,
    WorkspacePlace,
    client_of,
    read_as_of,
    require_usable,
    settings,
)
from kycpack.cli.runs.batch import run
from kycpack.cli.runs.batch_scope import in_scope
from kycpack.cli.runs.population import population_of
from kycpack.cli.runs.run_table import show
from kycpack.cli.runs.run_watch import RunWatch, watched
from kycpack.cli.stop import Stop, StopError
from kycpack.cli.terminal import print_line, say
from kycpack.errors import BatchStoppedError, ConfigurationError, KycpackError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.batch import RunReport

_LONGEST_WAIT_SECONDS = 900.0
_POLL_SECONDS = 0.5
_DEFECT = 1


def watch(
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="FOLDER|URL",
            help="Where the packs go: a folder, or a place in an object store such as s3://bucket/packs.",
        ),
    ] = "reports/watch",
    host: ReceiverHost = "127.0.0.1",
    port: FreePort = 8090,
    receive: Annotated[
        bool,
        typer.Option(
            "--receive/--no-receive", help="Listen for webhooks. Not needed if `kycpack inbox serve` does."
        ),
    ] = True,
    every: Annotated[
        float,
        typer.Option("--every", min=1.0, metavar="SECONDS", help="Seconds between rounds."),
    ] = 60.0,
    reconcile_every: Annotated[
        float,
        typer.Option(
            "--reconcile-every",
            min=1.0,
            metavar="SECONDS",
            help="Seconds before asking again about open sessions without a delivery.",
        ),
    ] = 3600.0,
    once: Annotated[
        bool, typer.Option("--once", help="Do one round without listening, and end with its exit code.")
    ] = False,
    workers: Workers = None,
    at_once: AtOnce = 16,
    per_second: PerSecond = None,
    memory_limit: MemoryLimit = USUAL_MEMORY_LIMIT,
    log_file: LogFile = None,
    on_failure: Annotated[
        str | None,
        typer.Option(
            "--on-failure",
            metavar="COMMAND",
            help="Run this command, without a shell, after each round whose exit code is not 0.",
        ),
    ] = None,
    policy: PolicyFile = None,
    notebook: NotebookFile = None,
    country: Country = "GB",
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    signer: SignerName = None,
    workspace: WorkspacePlace = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON for each round to standard output.")
    ] = False,
) -> None:
    """Receive webhooks and make packs until stopped.

    Each round does what `kycpack inbox work` and `kycpack batch --completed` do. The process can be killed at any moment:
    deliveries are stored before they are answered, and the next start continues where this one ended. After a round whose exit
    code is not 0 the wait doubles, up to 15 minutes. Run it under a supervisor that restarts it.

    The exit code is that of the last round: 1 if a customer failed, 3 if a customer is incomplete or a session has no known
    customer, 2 if the service or the object store cannot be reached or refuses the key, or the settings cannot be used. Ctrl-C and SIGTERM end it.
    """
    from kycpack.storage.object_folder import is_url

    stop, plan = Stop(INTERRUPTED), None
    with stop.on_sigterm(), ExitStack() as stack:
        try:
            with watched(None, None, on_failure, out):
                chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace, signer=signer)
                require_usable(chosen)
                chosen.reuse_for()
                wanted = receive and not once
                is_alive = stack.enter_context(_receiver(chosen, host, port, wanted=wanted, as_json=as_json))
            make_packs = partial(
                run,
                chosen,
                url=out if is_url(out) else "",
                workers=workers,
                at_once=at_once,
                per_second=per_second,
                memory_limit=memory_limit,
                policy=policy,
                country=country,
                notebook=notebook,
                quiet=as_json,
            )
            plan = _Plan(chosen, out, make_packs, log_file, on_failure, reconcile_every, as_json, stop)
            if once:
                raise typer.Exit(plan.round())
            for _ in plan.rounds(every):
                if not is_alive():
                    say("the receiver has stopped; start the process again")
                    with watched(None, None, on_failure, out):
                        raise typer.Exit(_DEFECT)
        except StopError:
            say("stopped by the system; the next start continues")
            raise typer.Exit(0 if plan is None else plan.code) from None


@dataclass
class _Plan:
    """The work of each round, and how the last round ended."""

    chosen: Settings
    out: str
    make_packs: Callable[..., RunReport]
    log_file: Path | None
    on_failure: str | None
    reconcile_every: float
    as_json: bool
    stop: Stop
    code: int = 0
    number: int = 0
    _reconciled_at: float | None = field(default=None, repr=False)

    def rounds(self, every: float) -> Iterator[None]:
        """Do rounds forever, waiting longer after each round that does not end with 0."""
        wait = every
        while True:
            began = time.monotonic()
            self.stop.check()
            self.round()
            yield
            wait = every if self.code == 0 else min(wait * 2, max(_LONGEST_WAIT_SECONDS, every))
            while (left := began + wait - time.monotonic()) > 0:
                self.stop.check()
                time.sleep(min(left, _POLL_SECONDS))
                yield

    def round(self) -> int:
        """Do one round and return its exit code; an error in one round does not stop the next.

        Each delivery comes only once, so the receiver must keep running whatever happens in a round.

        Raises:
            ConfigurationError: The first round cannot use the settings.
        """
        self.number += 1
        try:
            self.code = self._watched_round()
        except Exception as error:
            self.stop.check()  # a connection that the signal interrupted fails in ways of its own
            if not isinstance(error, KycpackError) or (
                isinstance(error, ConfigurationError) and self.number == 1
            ):
                raise
            say(f"round {self.number} ended early: {error}")
            self.code = exit_code_of(error)
        return self.code

    def _watched_round(self) -> int:
        try:
            with watched(self.log_file, None, self.on_failure, self.out) as heard:
                self._work_and_end(heard)
        except typer.Exit as ended:
            return ended.exit_code
        return 0

    def _work_and_end(self, heard: RunWatch) -> None:
        heard.listeners.append(self.stop)
        facts = self._inbox_work()
        code, counts = self._packs(heard)
        if self.as_json:
            print_line({"round": self.number, "exit_code": code, **facts, "run": counts})
        if code:
            raise typer.Exit(code)  # this is how the log and the failure command learn of it

    def _inbox_work(self) -> dict[str, Any]:
        from kycpack.workspace import Inbox, Workspace, reconcile

        with client_of(self.chosen) as client, Workspace.open(self.chosen.workspace) as opened:
            delivered = Inbox(opened).work(client.onboarding.get)
            asked = None
            now = time.monotonic()
            if self._reconciled_at is None or now - self._reconciled_at >= self.reconcile_every:
                asked = reconcile(opened, client.onboarding.get)
                self._reconciled_at = now
        return {"deliveries": asdict(delivered), "reconciled": None if asked is None else asdict(asked)}

    def _packs(self, heard: RunWatch) -> tuple[int, dict[str, Any] | None]:
        with in_scope(self.chosen, (), None, everybody=False, completed=True) as scope:
            if not scope.customer_ids:
                population, _ = population_of(self.chosen, scope.kind, (), scope.of_nobody())
                say(*population.sentences())
                return (3 if population.sessions_without_pack else 0), None
            try:
                report = heard.report = self.make_packs(
                    scope.customer_ids,
                    heard.folder,
                    as_of=read_as_of(None),
                    occasions=scope.occasions(),
                    scope=scope.kind,
                    completed_of_nobody=scope.of_nobody(),
                    listener=heard,
                )
            except BatchStoppedError as error:
                heard.report = error.report
                scope.finish(error.report)
                raise
            scope.finish(report)
        if not self.as_json:
            show(report, heard.folder, checked=self.out)
        document = report.to_document()
        return report.exit_code, {
            name: value for name, value in document.items() if name not in {"entries", "population"}
        }


@contextmanager
def _receiver(chosen: Settings, host: str, port: int, *, wanted: bool, as_json: bool) -> Iterator[Any]:
    """Listen for webhooks during the work inside the block; yield a function that returns whether the receiver is running."""
    if not wanted:
        yield lambda: True
        return
    from kycpack.workspace import Inbox, Receiver, Workspace

    with Workspace.open(chosen.workspace) as opened:
        receiver = Receiver(Inbox(opened), host=host, port=port)
        thread = threading.Thread(target=receiver.serve, name="receiver", daemon=True)
        thread.start()
        if as_json:
            print_line({"url": receiver.url})
        else:
            say(f"register this address as a webhook: {receiver.url}")
        try:
            yield thread.is_alive
        finally:
            receiver.close()
            thread.join()
