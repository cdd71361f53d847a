"""`kycpack ledger`: the record of decisions, its checks, exports and anchors."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.case import opened
from kycpack.cli.options import AsJson, WorkspacePlace
from kycpack.cli.terminal import print_json, print_table, say

ledger = typer.Typer(
    name="ledger",
    help="Read, check, export and anchor the record of decisions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@ledger.command("list")
def list_entries(
    case_id: Annotated[str | None, typer.Option("--case", help="Only the entries of this case.")] = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """List the entries in their order."""
    from kycpack.workspace.ledger import summary

    with opened(workspace) as work:
        rows = [summary(entry) for entry in work.ledger.entries(case_id)]
    if as_json:
        print_json({"items": rows})
        return
    columns = ("seq", "at", "kind", "actor", "case_id", "signed", "hash")
    table = [[row[name] if name != "hash" else row[name][:16] for name in columns] for row in rows]
    print_table("Ledger", columns, table)


@ledger.command()
def export(
    out: Annotated[Path, typer.Argument(help="A new folder, or a new file with --case.")],
    case_id: Annotated[
        str | None,
        typer.Option("--case", help="Only the excerpt of this case, which shows nothing of others."),
    ] = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Write the ledger to a folder, with a verifier that needs nothing but Python; anchors the head."""
    from kycpack.errors import InputError
    from kycpack.folders import write_file
    from kycpack.workspace.ledger import Head
    from kycpack.workspace.ledger_files import add_anchor, excerpt_bytes, write_export

    with opened(workspace) as work:
        if case_id is None:
            head = asdict(write_export(work.ledger, out))
        else:
            if out.exists():
                raise InputError("exists already; an export is never replaced", place=str(out))
            excerpt = work.ledger.excerpt(case_id)
            write_file(out, excerpt_bytes(excerpt))
            head = excerpt["head"]
        add_anchor(work.anchor_path, Head(**head), work.now(), "export")
        anchored = work.anchor_path
    if as_json:
        print_json({"out": str(out), "head": head, "anchor": str(anchored)})
    else:
        say(f"{out}: {head['size']} entries, head {head['hash']}; anchored in {anchored}")


@ledger.command()
def verify(
    trust: Annotated[
        list[str] | None,
        typer.Option("--trust", help="Fingerprint of the key that the ledger was founded with."),
    ] = None,
    anchor: Annotated[
        Path | None, typer.Option("--anchor", help="The file of anchors; else the one of the settings.")
    ] = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Check every entry, signature and case, against the anchors. Exit code 1 when something is wrong."""
    from kycpack.workspace.ledger_files import read_anchors

    with opened(workspace) as work:
        report = work.ledger.verify(read_anchors(anchor or work.anchor_path), trust or [])
    if as_json:
        print_json({"ok": report.ok, **asdict(report)})
    else:
        for problem in report.problems:
            say(f"PROBLEM {problem}")
        for note in report.notes:
            say(f"note: {note}")
        say(
            f"{report.size} entries, head {report.head}, {report.signatures} signatures, {report.anchors} anchors agree: "
            + ("nothing found" if report.ok else f"{len(report.problems)} problems")
        )
    if not report.ok:
        raise typer.Exit(1)


@ledger.command()
def anchor(workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Append the head to the file of anchors (KYCPACK_LEDGER_ANCHOR); keep that file on another machine."""
    with opened(workspace) as work:
        done = work.anchor("by hand")
        path, head = work.anchor_path, work.ledger.head()
    if as_json:
        print_json({"anchor": str(path), "head": None if head is None else asdict(head)})
    else:
        say(f"{path}: head {head.hash}" if done and head else "the ledger has no entries yet")
