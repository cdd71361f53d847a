"""`kycpack internal-report`: suspicion, told to the MLRO and to nobody else."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.options import AsJson, settings
from kycpack.cli.terminal import print_json, print_table, say

if TYPE_CHECKING:
    from kycpack.workspace.internal_reports import InternalReports

Store = Annotated[
    Path, typer.Argument(help="The file of internal reports; keep it apart from the workspace.")
]

internal_report = typer.Typer(
    name="internal-report",
    help="Report a suspicion to the MLRO; nothing of it is in the workspace, a pack or a run.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@internal_report.command()
def key(
    file: Annotated[Path, typer.Argument(help="The new key's file; only the MLRO can read it.")],
    as_json: AsJson = False,
) -> None:
    """Make the MLRO's key, encrypted with KYCPACK_SIGNING_PASSPHRASE where it is set."""
    from kycpack.workspace.internal_reports import make_report_key

    public = make_report_key(file, settings().signing_passphrase)
    if as_json:
        print_json({"file": str(file), "public_key": public})
    else:
        say(f"{file}: public key {public}")


@internal_report.command()
def setup(
    store: Store,
    public_key: Annotated[str, typer.Option("--public-key", help="The MLRO's, as `key` showed it.")],
) -> None:
    """Make the file, whether or not there will ever be a report."""
    _reports(store).set_up(public_key, settings().analyst)
    say(f"{store}: made")


@internal_report.command()
def add(
    store: Store,
    customer_id: Annotated[str, typer.Argument(metavar="CUSTOMER", help="About whom.")],
    kind: Annotated[str, typer.Option("--kind", help="considered, made or not_made.")] = "considered",
) -> None:
    """Add a report; its text is read from the standard input, so that no list of commands shows it."""
    _reports(store).report(customer_id, kind, sys.stdin.read().strip(), settings().analyst)
    say("sealed to the MLRO's key")


@internal_report.command()
def read(
    store: Store,
    key_file: Annotated[Path, typer.Option("--key", help="File of the MLRO's key.")],
    as_json: AsJson = False,
) -> None:
    """Show the reports to the MLRO; that they were read is in the access log."""
    chosen = settings()
    found = _reports(store).read(key_file, chosen.analyst, chosen.signing_passphrase)
    if as_json:
        print_json({"items": [asdict(each) for each in found]})
        return
    rows = [
        (each.number, each.at, each.reported_by, each.customer_id, each.kind, each.text) for each in found
    ]
    print_table("Internal reports", ("number#", "at", "by", "customer", "kind", "text"), rows)


@internal_report.command()
def log(store: Store, as_json: AsJson = False) -> None:
    """Show who set up, read, or tried to read the file; it does not say who reported."""
    rows = _reports(store).access_log()
    if as_json:
        print_json({"items": list(rows)})
        return
    columns = ("number#", "at", "what", "by")
    print_table("Access", columns, [(row["number"], row["at"], row["kind"], row["actor"]) for row in rows])


def _reports(store: Path) -> InternalReports:
    from kycpack.workspace.internal_reports import InternalReports

    return InternalReports(store)
