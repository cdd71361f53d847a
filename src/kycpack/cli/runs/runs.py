"""`kycpack runs`: the batches recorded in this workspace, and the outcome of each customer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kycpack.cli.connection import existing_workspace
from kycpack.cli.options import (
    USUAL_MEMORY_LIMIT,
    AsJson,
    BaseUrl,
    KeyId,
    SignerName,
    WorkspacePlace,
    require_usable,
    settings,
)
from kycpack.cli.runs.batch import run
from kycpack.cli.runs.run_table import show
from kycpack.cli.terminal import answer, answer_table, print_json, print_table, say
from kycpack.errors import InputError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.workspace import Runs
    from kycpack.workspace.runs import RunRow

_SHORTEST_ID = 6
RunId = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="The run's id, from `kycpack runs list`; its first 6 characters are enough."
    ),
]

runs = typer.Typer(
    name="runs",
    help="Show runs, and retry the customers that failed.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@contextmanager
def _opened(chosen: Settings) -> Iterator[Runs]:
    from kycpack.workspace import Runs

    with existing_workspace(chosen) as workspace:
        yield Runs(workspace)


@runs.command("list")
def list_runs(workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """List the runs, the newest first."""
    with _opened(settings(workspace=workspace)) as held:
        rows = [{**asdict(each), "counts": held.counts(each.run_id)} for each in held.list()]
    columns = ("run", "state", "started", "finished", "in scope#", "outcomes", "output")
    answer_table({"items": rows}, "Runs", columns, [_summary(row) for row in rows], as_json=as_json)


@runs.command("show")
def show_run(run_id: RunId, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Show a run and each of its customers."""
    _show(settings(workspace=workspace), run_id, only_unsettled=False, as_json=as_json)


@runs.command("failed")
def show_failed(run_id: RunId, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Show the unfinished customers of a run.

    These customers failed, are incomplete or were not started.
    """
    _show(settings(workspace=workspace), run_id, only_unsettled=True, as_json=as_json)


@runs.command()
def retry(
    run_id: RunId,
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    signer: SignerName = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Retry the unfinished customers of a run.

    Uses the policy, the notebook, the country and the date of that run. Refused if the same run can no longer be made.
    """
    chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace, signer=signer)
    require_usable(chosen)
    with _opened(chosen) as held:
        found = _run_of(held, run_id)
        run_id = found.run_id
        if all(settled for _, settled, _ in held.outcomes(run_id)):
            answer(
                {**asdict(found), "counts": held.counts(run_id), "items": []},
                f"nothing to retry: each of the {found.in_scope} customers of run {run_id} is done",
                as_json=as_json,
            )
            return
        occasions = held.occasions(run_id)
    policy, notebook = found.options.get("policy"), found.options.get("notebook")
    report = run(
        chosen,
        list(occasions),
        Path(found.output),
        url=str(found.options.get("url", "")),
        dask=found.options.get("dask"),
        names=bool(found.options.get("names")),
        is_dated=bool(found.options.get("is_dated")),
        memory_limit=found.options.get("memory_limit") or USUAL_MEMORY_LIMIT,
        workers=found.options.get("workers"),
        as_of=datetime.fromisoformat(found.as_of),
        policy=None if policy is None else Path(policy),
        notebook=None if notebook is None else Path(notebook),
        country=str(found.options.get("country", "GB")),
        quiet=as_json,
        continues=run_id,
        occasion=str(found.options.get("occasion", "onboarding")),
        occasions=occasions,
        scope=found.options.get("scope", "chosen"),
        at_once=found.options.get("at_once", 16),
        per_second=found.options.get("per_second"),
    )
    if as_json:
        print_json(report.to_document())
    else:
        show(report, Path(found.output))
    raise typer.Exit(report.exit_code)


def _run_of(held: Runs, given: str) -> RunRow:
    """Return the run with this id, or the only one whose id begins with it."""
    found = [row for row in held.list() if row.run_id.startswith(given)]
    if len(given) < _SHORTEST_ID or not found:
        return held.get(given)
    if len(found) > 1:
        raise InputError(f"{len(found)} runs begin with {given}; give more of the id", place="RUN")
    return found[0]


def _show(chosen: Settings, run_id: str, *, only_unsettled: bool, as_json: bool) -> None:
    with _opened(chosen) as held:
        found = _run_of(held, run_id)
        run_id = found.run_id
        counts = held.counts(run_id)
        rows = [
            {"customer_id": customer_id, "outcome": "open", **(entry or {})}
            for customer_id, settled, entry in held.outcomes(run_id)
            if not (only_unsettled and settled)
        ]
    if as_json:
        print_json({**asdict(found), "counts": counts, "items": rows})
        return
    title = f"Run {run_id}: {found.state}, {found.in_scope} in scope, {_counted(counts)}"
    if only_unsettled and not rows:
        say(f"{title}; no customer failed or is unfinished")
        return
    columns = ("customer_id", "outcome", "level", "note")
    print_table(title, columns, [[row.get(name) or None for name in columns] for row in rows])


def _summary(row: dict[str, Any]) -> list[object]:
    names = ("run_id", "state", "started_at", "finished_at", "in_scope")
    return [*(row[name] for name in names), _counted(row["counts"]), row["output"]]


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
