"""`kycpack batch`: packs for many customers, one each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.connection import workspace_of
from kycpack.cli.options import (
    USUAL_MEMORY_LIMIT,
    AsJson,
    AsOf,
    AtOnce,
    BaseUrl,
    CaseOccasion,
    Country,
    KeyId,
    LogFile,
    MemoryLimit,
    NotebookFile,
    Occasion,
    PerSecond,
    PolicyFile,
    SignerName,
    Workers,
    WorkspacePlace,
    read_as_of,
    require_usable,
    settings,
)
from kycpack.cli.progress import Result, progress
from kycpack.cli.runs.batch_scope import in_scope
from kycpack.cli.runs.batch_workspace import (
    jobs_of,
    ledger_head_of,
    open_run_cases,
    policy_approval_of,
)
from kycpack.cli.runs.disk_estimate import disk_warning
from kycpack.cli.runs.population import population_of
from kycpack.cli.runs.run_comparison import comparison
from kycpack.cli.runs.run_table import show
from kycpack.cli.runs.run_watch import RunListener, watched
from kycpack.cli.stop import Stop, StopError
from kycpack.cli.terminal import print_json, say
from kycpack.errors import BatchStoppedError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.batch import RunEntry, RunReport
    from kycpack.batch.population import Scope

_MB = 2**20
_RESULTS: Mapping[str, Result] = {"failed": "failed", "incomplete": "incomplete"}


def batch(
    customers: Annotated[
        list[str] | None, typer.Argument(metavar="CUSTOMER", help="Ids of customers.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--customers",
            metavar="FILE",
            help="CSV file with a column customer_id.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    everybody: Annotated[bool, typer.Option("--all", help="Every customer in the register.")] = False,
    completed: Annotated[
        bool,
        typer.Option("--completed", help="Customers whose sessions `kycpack inbox work` found complete."),
    ] = False,
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="FOLDER|URL",
            help="Where the packs go: a folder, or a place in an object store such as s3://bucket/packs.",
        ),
    ] = "reports/batch",
    workers: Workers = None,
    at_once: AtOnce = 16,
    per_second: PerSecond = None,
    share: Annotated[
        bool,
        typer.Option(
            "--share",
            help="Let other machines with the same workspace work on this run by running the same command.",
        ),
    ] = False,
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask",
            metavar="ADDRESS|local",
            help="Review the customers on a Dask cluster: tls://host:port, or `local` for a cluster of this run.",
        ),
    ] = None,
    occasion: CaseOccasion = Occasion.ONBOARDING,
    memory_limit: MemoryLimit = USUAL_MEMORY_LIMIT,
    names: Annotated[
        bool, typer.Option("--names", help="Show the names of customers in index.html.")
    ] = False,
    log_file: LogFile = None,
    metrics: Annotated[
        Path | None,
        typer.Option(
            "--metrics", metavar="FILE", help="Write the figures of the run as a Prometheus text file."
        ),
    ] = None,
    spans: Annotated[
        bool,
        typer.Option("--spans", help="Send OpenTelemetry spans to OTEL_EXPORTER_OTLP_ENDPOINT."),
    ] = False,
    on_failure: Annotated[
        str | None,
        typer.Option(
            "--on-failure",
            metavar="COMMAND",
            help="Run this command, without a shell, if the exit code is not 0. Its environment has KYCPACK_RUN_ID, "
            "KYCPACK_EXIT_CODE and KYCPACK_OUTPUT, but no secrets.",
        ),
    ] = None,
    as_of: AsOf = None,
    policy: PolicyFile = None,
    notebook: NotebookFile = None,
    country: Country = "GB",
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    signer: SignerName = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Make review packs for many customers.

    Writes one pack for each customer, and run.json and index.html beside the packs. In scope = produced + incomplete +
    failed + skipped + unchanged. A customer keeps the last pack as long as data, policy, code and people are the same.
    Requests that failed or timed out are repeated at the end of the run, and in the next run. After Ctrl-C or a crash,
    the same command continues where it stopped. The run stops if the service cannot be reached or refuses the key.

    Exit codes: 1 if a customer failed, 2 if the run was stopped, 3 if a customer is incomplete.
    """
    from kycpack.storage.object_folder import is_url

    stop = Stop()
    with stop.on_sigterm(), watched(log_file, metrics, on_failure, out, spans=spans) as watch:
        watch.listeners.append(stop)
        chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace, signer=signer)
        require_usable(chosen)
        if sum((bool(customers), file is not None, everybody, completed)) != 1:
            raise typer.BadParameter("give either ids, or --customers FILE, or --all, or --completed")
        with in_scope(chosen, customers or (), file, everybody=everybody, completed=completed) as scope:
            try:
                report = watch.report = run(
                    chosen,
                    scope.customer_ids,
                    watch.folder,
                    url=out if is_url(out) else "",
                    workers=workers,
                    as_of=read_as_of(as_of),
                    is_dated=as_of is not None,
                    policy=policy,
                    country=country,
                    notebook=notebook,
                    quiet=as_json,
                    occasion=occasion.value,
                    occasions=scope.occasions(),
                    scope=scope.kind,
                    completed_of_nobody=scope.of_nobody(),
                    at_once=at_once,
                    per_second=per_second,
                    share=share,
                    dask=dask,
                    memory_limit=memory_limit,
                    names=names,
                    listener=watch,
                )
            except (KeyboardInterrupt, StopError):
                say("the same command continues where this one stopped")
                raise
            except BatchStoppedError as error:
                watch.report = error.report
                scope.finish(error.report)
                if as_json:
                    print_json(error.report.to_document())
                raise
            scope.finish(report)
        if as_json:
            print_json(report.to_document())
        else:
            show(report, watch.folder, checked=out)
        raise typer.Exit(report.exit_code)


def run(
    chosen: Settings,
    ids: Sequence[str],
    out: Path,
    *,
    workers: int | None,
    as_of: datetime,
    policy: Path | None,
    country: str,
    quiet: bool,
    notebook: Path | None = None,
    occasion: str = "onboarding",
    occasions: Mapping[str, str] | None = None,
    scope: Scope = "chosen",
    completed_of_nobody: Sequence[str] = (),
    at_once: int = 16,
    per_second: float | None = None,
    share: bool = False,
    continues: str = "",
    url: str = "",
    dask: str | None = None,
    memory_limit: int = USUAL_MEMORY_LIMIT,
    names: bool = False,
    is_dated: bool = False,
    listener: RunListener | None = None,
) -> RunReport:
    """Run a batch with progress on the terminal.

    Args:
        chosen: The settings, with credentials.
        ids: The customers.
        out: Where the packs go.
        workers: Number of customers at once; None for the number of processors.
        as_of: The as-of instant of the packs.
        policy: The policy's file; None for the default.
        country: The country whose calendar and words apply.
        notebook: A firm's own review notebook; None for the notebook that comes with kycpack.
        occasion: The occasion that cases are opened for.
        occasions: Why each customer is due, by customer id; see `Job`.
        scope: Where the customers come from.
        completed_of_nobody: Completed sessions without a known customer.
        at_once: Maximum number of requests at once, for all customers together.
        per_second: Maximum number of requests per second, for all customers together; None for no limit.
        share: Whether other coordinators may work on the same run at once.
        continues: Id of an ended run to continue; empty for none.
        url: Place in an object store to which the packs are copied; empty for none.
        dask: Address of a Dask scheduler, or `local`; None for processes on this machine.
        memory_limit: Memory limit for one customer in MB.
        names: Whether the index shows the names of customers.
        is_dated: Whether the as-of instant was asked for, so that only a run with the same one is continued.
        quiet: Whether to print nothing about the cases that were opened.
        listener: Receives the start of the run, the entry of each customer and the end; None for no listener.

    Returns:
        The report.
    """
    from kycpack.api import SharedPace
    from kycpack.batch import run_batch
    from kycpack.batch.dask_executor import DaskExecutor
    from kycpack.batch.executor import run_tasks
    from kycpack.batch.lock import FOLDER
    from kycpack.batch.review_task import PRELOAD, ReviewTask
    from kycpack.models.instants import format_seconds
    from kycpack.render import render_index_pages
    from kycpack.workspace import Runs
    from kycpack.workspace.redaction_key import folder_of, redaction_key

    task = ReviewTask(
        base_url=chosen.base_url,
        key_id=chosen.key_id,
        secret=chosen.secret,
        policy=policy,
        country=country,
        notebook=notebook,
        prepared_by=chosen.analyst,
        reviewed_by=chosen.reviewer,
        occasion=occasion,
        bank_adapter=chosen.bank_adapter,
        signer=chosen.signer,
        reuse_for=chosen.reuse_for(),
        pace=SharedPace(out.resolve() / FOLDER / "pace", at_once, per_second),
        redaction_key=redaction_key(folder_of(chosen)),
        # A process made for a pack imports what the command's script imports.
        preload=("kycpack.cli", *PRELOAD),
    )
    options = {
        "policy": None if policy is None else str(policy.resolve()),
        "notebook": None if notebook is None else str(notebook.resolve()),
        "country": country,
        "workers": workers,
        "url": url,
        "dask": dask,
        "memory_limit": memory_limit,
        "names": names,
        "is_dated": is_dated,
        "scope": scope,
        "occasion": occasion,
        "at_once": at_once,
        "per_second": per_second,
    }
    population, listed = population_of(chosen, scope, ids, completed_of_nobody)
    say(*population.sentences())
    with progress("packs", len(ids)) as bar, workspace_of(chosen) as workspace:

        def advance(entry: RunEntry) -> None:
            line = f"{entry.customer_id} {entry.outcome} {entry.level or entry.note} {entry.seconds:.1f} s"
            bar.advance(entry.customer_id, line, _RESULTS.get(entry.outcome, "done"))
            if listener is not None:
                listener.customer(entry)

        def begin(run_id: str, in_scope: int, skipped: int) -> None:
            bar.skip(skipped)
            if listener is not None:
                listener.started(run_id, in_scope, skipped)
            if warning := disk_warning(out, in_scope - skipped):
                say(warning)

        def wait(count: int, seconds: float) -> None:
            say(
                f"waiting for {count} {'customer' if count == 1 else 'customers'} of other coordinators; those of one that was "
                f"killed are taken over {seconds / 60:.0f} minutes after it began with them"
            )

        report = run_batch(
            jobs_of(chosen, ids, occasion, occasions or {}, listed),
            out,
            task=task if dask is None else task.for_workers(),
            executor=run_tasks if dask is None else DaskExecutor.of_settings(dask, chosen),
            limit_bytes=memory_limit * _MB,
            identity=task.identity() | ({"as_of": format_seconds(as_of)} if is_dated else {}),
            options=options,
            ledger_head=ledger_head_of(workspace),
            policy_approval=policy_approval_of(workspace, policy),
            population=population,
            runs=None if workspace is None else Runs(workspace),
            share=share,
            continues=continues,
            url=url,
            as_of=as_of,
            workers=workers or os.cpu_count() or 1,
            compare=comparison(chosen, out),
            on_begin=begin,
            on_entry=advance,
            on_wait=wait,
            render_index=render_index_pages,
            names=names,
        )
    if not share and report.as_of != format_seconds(as_of):
        say(
            f"this finished the run that began at {report.started_at}: its packs are as of {report.as_of}, and customers done "
            "before were not requested again"
        )
    open_run_cases(chosen, out, occasion=occasion, quiet=quiet)
    return report
