"""`kycpack retain`: finding records past their retention date, and erasing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kycpack.cli.connection import opened
from kycpack.cli.options import AsJson, WorkspacePlace
from kycpack.cli.terminal import print_json, print_table, say

if TYPE_CHECKING:
    from kycpack.batch.retention import Erased
    from kycpack.batch.stored_folders import SentBack
    from kycpack.workspace.retention.retention_rules import RetentionPlan

_MOST_SHOWN = 50


def retain(
    relationships: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="CSV from the firm's own records: customer_id, ended_on (empty while the relationship continues) and "
            "hold (reference of a legal hold, empty for none).",
            exists=True,
            dir_okay=False,
        ),
    ],
    folder: Annotated[
        list[str] | None,
        typer.Option(
            "--folder",
            metavar="FOLDER",
            help="A folder of packs, copies or runs, or its URL in an object store. May be repeated.",
        ),
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File with the firm's own retention periods. Default: data/retention.yaml.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DATE", help="The day on which periods are checked. Default: today."),
    ] = None,
    propose: Annotated[
        bool,
        typer.Option("--propose", help="Propose to erase the records listed as due, signed with your key."),
    ] = False,
    execute: Annotated[
        bool,
        typer.Option(
            "--execute",
            help="Carry out another person's last proposal, signed with your key. This cannot be undone.",
        ),
    ] = False,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """List records past their retention date, and erase them.

    Nothing is changed without --propose or --execute. Records are kept until the period of their class is over, counted from the day on which the firm's file says that the relationship ended; a customer without that day, with a legal hold or with an open case is never erased. Erasing takes two enrolled people with keys: one proposes, and an administrator whom that person did not enrol executes, with the same files and folders. Erased are packs, redacted copies, evidence, failed notebooks, the customer's data in runs, rows of the workspace, and the ledger's entries about the customer's cases. A disposition record stays in the ledger and in each run. A folder in an object store is erased with its older versions, and exports of the ledger in the folders are written again. Redacted copies and exports that are in none of the folders are named in the disposition. Backups and a service's own data are not reached.
    """
    from kycpack.batch.retention import execute as erase
    from kycpack.batch.retention import find_due
    from kycpack.batch.stored_folders import local_folders
    from kycpack.storage.object_folder import is_url
    from kycpack.workspace.retention.retention_rules import load_rules, read_relationships

    if propose and execute:
        raise typer.BadParameter("--propose and --execute must be given by two different people")
    if execute and as_of is not None:
        raise typer.BadParameter("--execute uses the day of the proposal")
    day = _day(as_of)
    said, classes, places = read_relationships(relationships), load_rules(rules), folder or []
    for place in places:
        if not is_url(place) and not Path(place).is_dir():
            raise typer.BadParameter(f"{place} is not a folder", param_hint="--folder")
    with opened(workspace) as work, local_folders(places) as (folders, stored):
        if execute:
            done = erase(work, folders, said, classes)
            gone = done.erasure.of_store("packs")
            sent = [one.send_back(gone, done.erasure.number) for one in stored]
            left = {one.now: one.url for one in stored}
            _show_erased(done, sent, [_place(path, left) for path in done.left], as_json=as_json)
            return
        plan = find_due(work, folders, said, classes, day)
        if propose:
            work.retention.propose(plan)
            work.anchor("erasure proposed")
    _show_plan(plan, proposed=propose, as_json=as_json)


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("not a date such as 2026-06-30", param_hint="--as-of") from None


def _versions(count: int | None) -> str:
    if count is None:
        return "it is not known whether older versions are kept: check there"
    return f"{count} older versions removed"


def _show_plan(plan: RetentionPlan, *, proposed: bool, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {
            "customer_id": item.customer_id,
            "class": item.record_class.name,
            "law": item.record_class.law,
            "ended_on": None if item.ended_on is None else str(item.ended_on),
            "due_on": None if item.due_on is None else str(item.due_on),
            "state": item.state,
            "reason": item.reason,
        }
        for item in plan.items
    ]
    if as_json:
        print_json({"as_of": str(plan.as_of), "proposal": plan.digest, "proposed": proposed, "items": rows})
        return
    shown = [row for row in rows if row["state"] == "due"][:_MOST_SHOWN]
    columns = ("customer", "class", "relationship ended", "due on", "law")
    table = [(row["customer_id"], row["class"], row["ended_on"], row["due_on"], row["law"]) for row in shown]
    print_table(f"Past their date on {plan.as_of}", columns, table)
    kept: dict[str, set[str]] = {}
    for item in plan.items:
        if item.state != "due":
            kept.setdefault(item.state, set()).add(item.customer_id)
    words = {
        "kept": "are within their period",
        "held": "are under a legal hold",
        "open": "have a case that is not closed",
        "unknown": "have no known end of the relationship and are never erased",
    }
    say(
        f"due: {len(plan.customers())} customers, {len(plan.due)} classes of record",
        *(f"{len(customers)} customers {words[state]}" for state, customers in sorted(kept.items())),
    )
    if len(plan.due) > len(shown):
        say(f"at most {_MOST_SHOWN} are shown; --json lists all")
    if proposed:
        say(f"proposed: {plan.digest}; another person runs the same command with --execute")
    elif plan.due:
        say("nothing was changed; --propose begins an erasure")


def _place(path: Path, stored: Mapping[Path, str]) -> str:
    for local, url in stored.items():
        if path.is_relative_to(local):
            return f"{url}/{path.relative_to(local).as_posix()}"
    return str(path)


def _show_erased(done: Erased, sent: Sequence[SentBack], left: Sequence[str], *, as_json: bool) -> None:
    one = done.erasure
    if as_json:
        print_json(
            {
                "disposition": one.number,
                "proposal": one.proposal,
                "customers": list(one.customers),
                "packs": list(one.packs),
                "files": done.files,
                "rows": done.rows,
                "left": list(left),
                "exports": done.exports,
                "stores": [asdict(each) for each in sent],
                "not_reached": list(one.not_reached),
            }
        )
        return
    say(
        f"disposition {one.number}: {len(one.customers)} customers erased, {done.files} files and folders, {done.rows} rows",
        *(
            f"{each.url}: {each.removed} files removed, {each.written} written again, {_versions(each.versions)}"
            for each in sent
        ),
    )
    if done.exports:
        say(f"exports of the ledger that were written again: {done.exports}")
    for gone in one.not_reached:
        what = " ".join(f"{name} {value}" for name, value in gone.items() if name != "what")
        say(f"not reached, but named in the disposition: {gone['what']}, {what}")
    say(
        *(f"still names a customer, and was not made by kycpack: {path}" for path in left),
        "changed runs no longer have a signature: `kycpack sign` makes a new one",
    )
