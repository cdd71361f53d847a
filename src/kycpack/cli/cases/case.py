"""`kycpack case`: what a person has to decide, and the decisions."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.cases.case_steps import (
    CaseId,
    CaseOrCustomer,
    approve,
    assign,
    check,
    date_of,
    decide,
    reopen,
    resume,
    snooze,
    wait,
)
from kycpack.cli.connection import opened
from kycpack.cli.options import AsJson, CaseOccasion, NotebookFile, Occasion, WorkspacePlace, settings
from kycpack.cli.runs.batch_workspace import run_folders
from kycpack.cli.terminal import answer, answer_table, plain_rows, print_json, print_table, say
from kycpack.errors import WorkspaceError
from kycpack.folders import write_file

if TYPE_CHECKING:
    from kycpack.workspace import OpenWorkspace

case = typer.Typer(
    name="case",
    help="Work on cases and decide them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
RunFolder = Annotated[
    Path,
    typer.Argument(metavar="RUN", help="Output folder of a finished batch.", exists=True, file_okay=False),
]


@case.command("import")
def import_run(
    run: RunFolder,
    occasion: CaseOccasion = Occasion.ONBOARDING,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Open, update and reopen cases from a run.

    A customer with a hit or an unknown gets a case. Importing a run twice changes nothing.
    """
    with opened(workspace, make=True) as work:
        made = work.cases.from_run(run, occasion=occasion.value, imported_by=settings().analyst)
        awake = work.cases.reopen_due()
        work.anchor("run")
    answer(
        {**{effect.name: list(getattr(made, effect.name)) for effect in fields(made)}, "due": list(awake)},
        f"{len(made.opened)} opened, {len(made.updated)} updated, {len(made.reopened)} reopened, "
        f"{len(made.unchanged)} unchanged, {len(made.cleared)} customers without a case; "
        f"{len(awake)} reached their date",
        as_json=as_json,
    )


@case.command("list")
def list_cases(
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="STATE", help="Only cases in this state, as in open or second_review."
        ),
    ] = None,
    closed: Annotated[bool, typer.Option("--closed", help="Include closed cases.")] = False,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """List the cases that are not closed.

    The highest level comes first, then what ends first, then the oldest.
    """
    with opened(workspace) as work:
        _reopen_due(work)
        rows = work.cases.list(state=state, closed=closed)
    columns = ("case", "state", "level", "open#", "assignee", "in force", "ends next", "top reason")
    table = [
        (
            row.case_id,
            row.state,
            row.level,
            len(row.open_findings),
            row.assignee,
            row.effect,
            row.due_words or None,
            row.top_reason,
        )
        for row in rows
    ]
    items = [asdict(row) for row in rows]
    answer_table({"items": items}, "Cases", columns, table, as_json=as_json)


@case.command()
def queue(
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            metavar="DATE",
            help="Date of the queue. Default: today. A day to come gives a preview of the cases as they are now.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write the queue and the dates as an HTML page."),
    ] = None,
    first: Annotated[
        int, typer.Option("--first", min=1, metavar="NUMBER", help="Number of cases to show.")
    ] = 20,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Show the cases in the order to work on them.

    Each case says why it is in its place and who has to act.
    """
    from kycpack.render import render_queue_html
    from kycpack.workspace.cases.queue import preview_words

    wanted = None if as_of is None else date_of(as_of, "--as-of")
    with opened(workspace) as work:
        _reopen_due(work)
        today = work.ledger.workspace.now().date()
        day = wanted or today
        listed, calendar = work.cases.queue(as_of=day), work.cases.calendar
    preview = preview_words(calendar, day, today)
    if html is not None:
        write_file(html, render_queue_html(listed, calendar, day, preview=preview).encode())
    if as_json:
        dates = calendar.to_dict("records")
        print_json({"as_of": str(day), "preview": preview, "items": plain_rows(listed), "dates": dates})
        return
    if preview:
        say(preview)
    columns = ("place#", "case", "why here", "state", "waits for")
    rows = [
        (row.place, row.case_id, row.reason, row.state, row.waits_for)
        for row in listed.head(first).itertuples()
    ]
    print_table("Queue", columns, rows)
    if len(listed) > first:
        say(f"{len(listed) - first:,} more; give --first, --json or --html to see them")


@case.command()
def show(case_id: CaseOrCustomer, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Show a case, with its findings and history."""
    from kycpack.workspace.cases.case_history import words_of

    with opened(workspace) as work:
        shown = work.cases.find(case_id)
        history = work.cases.history(shown.case_id)
    if as_json:
        print_json({**asdict(shown), "history": list(history)})
        return
    findings = [
        (each.finding_id, each.level, each.disposition or None, each.sentence) for each in shown.findings
    ]
    held = f", {shown.effect} in force" if shown.effect else ""
    title = (
        f"{shown.case_id}: {shown.state_words}{held}, recommended {shown.level}, "
        f"assigned to {shown.assignee or 'nobody'}, version {shown.version}"
    )
    print_table(title, ("finding", "level", "disposition", "what"), findings)
    rows = [
        (each["at"], each["kind"].removeprefix("case."), each["actor"], words_of(each) or None)
        for each in history
    ]
    print_table("What was done", ("at", "what", "by", "why"), rows)


for _step in (assign, wait, resume, snooze, check, decide, approve, reopen):
    case.command()(_step)


@case.command()
def duplicates(
    run: RunFolder,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Find customers who may be the same person.

    Also finds customers who were rejected and came back. Nothing is merged.
    """
    from kycpack.batch.finished_run import open_run

    with opened(workspace) as work:
        decisions = work.cases.past_decisions()
    found = open_run(run).duplicates(decisions)
    if as_json:
        days = [day.isoformat() for day in found.not_compared]
        print_json({"items": plain_rows(found.pairs), "not_compared": days})
        return
    rows = [(row.strength, row.sentence) for row in found.pairs.itertuples()]
    if rows:
        print_table("Customers who seem to be the same person", ("strength", "what"), rows)
    else:
        say("no two customers of the run seem to be the same person")
    say(
        *(
            f"too many customers were born on {day}: their names were compared by equality only"
            for day in found.not_compared
        )
    )


@case.command()
def pack(
    case_id: CaseId,
    packs: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder with the customer's packs. Default: the output folder of the run that was decided on.",
            file_okay=False,
        ),
    ] = None,
    notebook: NotebookFile = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Make the pack with the decision.

    It goes beside the pack that was decided on, which is not changed; the new one names its root hash.
    """
    from kycpack.pack import write_decided_pack
    from kycpack.workspace.ledger.ledger import Head
    from kycpack.workspace.ledger.ledger_files import add_anchor
    from kycpack.workspace.redaction_key import folder_of, redaction_key

    with opened(workspace) as work:
        found = work.cases.get(case_id)
        decided = [
            folder
            for entry in work.cases.history(case_id)
            if entry["kind"] == "case.decided"
            for folder in run_folders(work, entry["data"]["looked_at"]["run_id"])
        ]
        # A later run may have its packs in another folder: the decision rests on those of the run that was decided on.
        if packs is None:
            packs = decided[-1] if decided else Path(work.runs.get(found.run_id).output)
        later = [
            folder
            for entry in work.cases.history(case_id)
            if entry["kind"] in {"case.reopened", "case.updated"} and "run_id" in entry["data"]
            for folder in run_folders(work, entry["data"]["run_id"])
        ]
        excerpt = work.ledger.excerpt(case_id)
        place = write_decided_pack(
            packs,
            excerpt,
            folders=[*decided, *later],
            notebook=notebook,
            redaction_key=redaction_key(folder_of(settings(workspace=workspace))),
        )
        add_anchor(work.anchor_path, Head(**excerpt["head"]), work.now(), "pack")
    document = {"case_id": case_id, "pack": str(place)}
    answer(document, f"the pack with the decision: {place}", as_json=as_json)


def _reopen_due(work: OpenWorkspace) -> None:
    """Reopen the cases that have reached their date; without write permission, the list is shown as it is."""
    try:
        awake = work.cases.reopen_due()
    except WorkspaceError as error:
        say(f"cases that have reached their date were not reopened: {error}")
        return
    if awake:
        say(f"reopened, because they reached their date: {', '.join(awake)}")
