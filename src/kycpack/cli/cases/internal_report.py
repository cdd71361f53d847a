"""`kycpack internal-report`: reporting a suspicion to the MLRO, and to nobody else."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.options import AsJson, settings
from kycpack.cli.terminal import answer, answer_table, say
from kycpack.errors import InputError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.workspace.internal_reports import InternalReports

Store = Annotated[
    Path,
    typer.Argument(metavar="REPORTS", help="The file of internal reports; keep it apart from the workspace."),
]

internal_report = typer.Typer(
    name="internal-report",
    help="Report a suspicion to the MLRO, outside the workspace.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@internal_report.command()
def key(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The new key's file; only the MLRO can read it.")
    ],
    as_json: AsJson = False,
) -> None:
    """Make the MLRO's key.

    It is encrypted with KYCPACK_SIGNING_PASSPHRASE, if that is set.
    """
    from kycpack.workspace.internal_reports import make_report_key

    public = make_report_key(file, settings().signing_passphrase)
    answer({"file": str(file), "public_key": public}, f"{file}: public key {public}", as_json=as_json)


@internal_report.command()
def setup(
    store: Store,
    public_key: Annotated[
        str,
        typer.Option(
            "--public-key",
            metavar="HEX",
            help="The MLRO's public key, as `kycpack internal-report key` showed it.",
        ),
    ],
) -> None:
    """Make the file of reports.

    Make one for every team, whether or not there will ever be a report. It leaves no trace in the workspace, a pack or a run.
    The access log records who made it, as named by KYCPACK_ANALYST.
    """
    _reports(store).set_up(public_key, _analyst(settings()))
    say(f"{store}: made")


@internal_report.command()
def add(
    store: Store,
    customer_id: Annotated[
        str, typer.Argument(metavar="CUSTOMER", help="Id of the customer that the report is about.")
    ],
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="considered, made or not_made.")
    ] = "considered",
) -> None:
    """Add a report, read from standard input.

    The text is not an argument, because arguments stay in the history of the shell. KYCPACK_ANALYST names who reports.
    """
    analyst = _analyst(settings())  # asked for first, so that no text is typed in vain
    _reports(store).report(customer_id, kind, sys.stdin.read().strip(), analyst)
    say("encrypted for the MLRO's key")


@internal_report.command()
def read(
    store: Store,
    key_file: Annotated[Path, typer.Option("--key", metavar="FILE", help="File of the MLRO's key.")],
    as_json: AsJson = False,
) -> None:
    """Show the reports to the MLRO.

    The access log records that they were read, and by whom, as named by KYCPACK_ANALYST.
    """
    chosen = settings()
    found = _reports(store).read(key_file, _analyst(chosen), chosen.signing_passphrase)
    rows = [
        (each.number, each.at, each.reported_by, each.customer_id, each.kind, each.text) for each in found
    ]
    columns = ("number#", "at", "by", "customer", "kind", "text")
    items = [asdict(each) for each in found]
    answer_table({"items": items}, "Internal reports", columns, rows, as_json=as_json)


@internal_report.command()
def log(store: Store, as_json: AsJson = False) -> None:
    """Show who set up, read or tried to read the file.

    The log does not say who reported.
    """
    rows = _reports(store).access_log()
    columns = ("number#", "at", "what", "by")
    table = [(row["number"], row["at"], row["kind"], row["actor"]) for row in rows]
    answer_table({"items": rows}, "Access", columns, table, as_json=as_json)


def _analyst(chosen: Settings) -> str:
    if not chosen.analyst.strip():
        raise InputError("no person is named; set KYCPACK_ANALYST to your name")
    return chosen.analyst


def _reports(store: Path) -> InternalReports:
    from kycpack.workspace.internal_reports import InternalReports

    return InternalReports(store)
