"""`kycpack ledger`: the record of decisions, its checks, exports and anchors."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.connection import opened
from kycpack.cli.options import AsJson, WorkspacePlace
from kycpack.cli.terminal import answer, answer_table

ledger = typer.Typer(
    name="ledger",
    help="List, check, export and anchor the ledger of decisions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@ledger.command("list")
def list_entries(
    case_id: Annotated[
        str | None, typer.Option("--case", metavar="CASE", help="Only the entries of this case.")
    ] = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """List the entries of the ledger in order."""
    from kycpack.workspace.ledger.ledger import summary

    with opened(workspace) as work:
        rows = [summary(entry) for entry in work.ledger.entries(case_id)]
    columns = ("seq", "at", "kind", "actor", "case_id", "signed", "hash")
    table = [[row[name] if name != "hash" else row[name][:16] for name in columns] for row in rows]
    answer_table({"items": rows}, "Ledger", columns, table, as_json=as_json)


@ledger.command()
def export(
    out: Annotated[Path, typer.Argument(metavar="TARGET", help="New folder.")],
    case_id: Annotated[
        str | None,
        typer.Option(
            "--case",
            metavar="CASE",
            help="Only the entries of this case, with proofs; nothing about other cases.",
        ),
    ] = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Export the ledger with a stand-alone verifier.

    The verifier needs only Python. The head of the ledger is anchored.
    """
    from kycpack.workspace.ledger.ledger_files import (
        add_anchor,
        check_anchor_file,
        write_case_export,
        write_export,
    )

    with opened(workspace) as work:
        check_anchor_file(work.anchor_path)
        head = (
            write_export(work.ledger, out)
            if case_id is None
            else write_case_export(work.ledger, case_id, out)
        )
        add_anchor(work.anchor_path, head, work.now(), "export")
        anchored = work.anchor_path
    answer(
        {"out": str(out), "head": asdict(head), "anchor": str(anchored)},
        f"{out}: {head.size} entries, head {head.hash}; anchored in {anchored}",
        as_json=as_json,
    )


@ledger.command()
def verify(
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust", metavar="FINGERPRINT", help="Fingerprint of the key that founded the ledger."
        ),
    ] = None,
    anchor: Annotated[
        Path | None,
        typer.Option("--anchor", metavar="FILE", help="Anchor file. Default: KYCPACK_LEDGER_ANCHOR."),
    ] = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Check every entry and signature of the ledger.

    The entries are compared with the cases and the anchors. Exit code 1 if anything is wrong.
    """
    from kycpack.workspace.ledger.ledger_files import read_anchors, read_named_anchors

    with opened(workspace) as work:
        anchors = read_anchors(work.anchor_path) if anchor is None else read_named_anchors(anchor)
        report = work.ledger.verify(anchors, trust or [])
    answer(
        {"ok": report.ok, **asdict(report)},
        *(f"PROBLEM {problem}" for problem in report.problems),
        *(f"note: {note}" for note in report.notes),
        f"{report.size} entries, head {report.head}, {report.signatures} signatures, {report.anchors} anchors agree: "
        + ("nothing found" if report.ok else f"{len(report.problems)} problems"),
        as_json=as_json,
    )
    if not report.ok:
        raise typer.Exit(1)


@ledger.command()
def anchor(workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Append the head of the ledger to the anchor file.

    KYCPACK_LEDGER_ANCHOR names that file. Keep it on another machine.
    """
    with opened(workspace) as work:
        work.anchor("by hand")
        path, head = work.anchor_path, work.ledger.head()
    answer(
        {"anchor": str(path), "head": None if head is None else asdict(head)},
        f"{path}: head {head.hash}" if head else "the ledger has no entries yet",
        as_json=as_json,
    )
