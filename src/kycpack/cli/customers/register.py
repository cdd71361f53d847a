"""`kycpack register`: customers, sessions and payments that the interface cannot list, and create requests whose answer was lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.connection import existing_workspace
from kycpack.cli.options import AsJson, BaseUrl, KeyId, SignerName, WorkspacePlace, client_of, settings
from kycpack.cli.terminal import answer, answer_table

register = typer.Typer(
    name="register",
    help="Manage the known customers, sessions and payments.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@register.command("import")
def import_file(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="CSV file with customer_id and, if known, session_id and payment_id."
        ),
    ],
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Import customers, sessions and payments from a CSV.

    The header line names the columns: customer_id, and any of session_id, payment_id, org_id, created_at.
    If a line is wrong, the error names it and nothing is imported. Importing a file twice changes nothing.
    """
    from kycpack.workspace import Workspace, import_register

    with Workspace.open(settings(workspace=workspace).workspace) as opened:
        report = import_register(opened, file)
    counts = asdict(report)
    lines, *rest = (f"{number} {name if number != 1 else name[:-1]}" for name, number in counts.items())
    answer(counts, f"{lines}: {', '.join(rest)}", as_json=as_json)


@register.command()
def risk(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="CSV file with customer_id and any of country, product, channel, purpose, pep.",
        ),
    ],
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Import the firm's own risk profile of each customer.

    The profile decides how much due diligence a customer needs and when the next review is due, but never the level. `pep`
    is none, domestic, foreign, former, relative or associate. If a row is wrong, the error names it and nothing is
    imported. A customer's earlier profile is replaced.
    """
    from kycpack.workspace import Workspace, import_risk_profiles

    with Workspace.open(settings(workspace=workspace).workspace) as opened:
        count = import_risk_profiles(opened, file)
    answer({"customers": count}, f"risk profiles of {count} customers", as_json=as_json)


@register.command()
def fetch(
    org_id: Annotated[
        str | None, typer.Option("--org-id", metavar="ORG_ID", help="Only the customers of this branch.")
    ] = None,
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    signer: SignerName = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Add every customer that the service lists.

    The service lists customers only. The register learns of sessions and payments when they are created through kycpack,
    from webhooks, or from `kycpack register import`.
    """
    from kycpack.workspace import Register, Workspace

    chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace, signer=signer)
    with client_of(chosen) as client:
        listed = list(client.customers.iter(org_id=org_id))
    with Workspace.open(chosen.workspace) as opened:
        added = Register(opened).add_customers(
            [(customer.id, customer.org_id) for customer in listed], learned_from="list"
        )
    said = f"customers listed: {len(listed)}, of which {added} are new"
    answer({"listed": len(listed), "new": added}, said, as_json=as_json)


@register.command("list")
def list_known(
    customer: Annotated[
        str | None,
        typer.Argument(metavar="CUSTOMER_ID", help="Id of a customer. Default: list all customers."),
    ] = None,
    intents: Annotated[
        bool, typer.Option("--intents", help="Show create requests with an unknown outcome.")
    ] = False,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Show the entries of the register, and where they come from."""
    from kycpack.workspace import Register

    with existing_workspace(settings(workspace=workspace)) as opened:
        book = Register(opened)
        columns: tuple[str, ...]
        if intents:
            rows = [asdict(row) for row in book.intents(unsettled=True)]
            title, columns = "Unsettled intents", ("intent_id", "operation", "state", "made_at", "note")
        elif customer is not None:
            rows = [
                {"kind": "session", "id": row.session_id, **asdict(row)} for row in book.sessions(customer)
            ]
            rows += [
                {"kind": "payment", "id": row.payment_id, **asdict(row)} for row in book.payments(customer)
            ]
            title, columns = f"Register entries for {customer}", ("kind", "id", "learned_from", "created_at")
        else:
            sessions = Counter(row.customer_id for row in book.sessions())
            payments = Counter(row.customer_id for row in book.payments())
            rows = [
                {**asdict(row), "sessions": sessions[row.customer_id], "payments": payments[row.customer_id]}
                for row in book.customers()
            ]
            title = "Customers"
            columns = ("customer_id", "org_id", "sessions", "payments", "learned_from", "learned_at")
    table = [[row[name] for name in columns] for row in rows]
    answer_table({"items": rows}, title, columns, table, as_json=as_json)


@register.command()
def resolve(
    intent: Annotated[
        str, typer.Argument(metavar="INTENT", help="The intent's id, from `kycpack register list --intents`.")
    ],
    made: Annotated[str | None, typer.Option("--made", metavar="ID", help="Id of what was created.")] = None,
    nothing: Annotated[bool, typer.Option("--nothing", help="Nothing was created.")] = False,
    note: Annotated[str, typer.Option("--note", metavar="NOTE", help="How you know.")] = "",
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Settle a create request whose answer was lost.

    Check with the provider whether anything was created, and record the result here.
    """
    from kycpack.workspace import Register

    if (made is None) == (not nothing):
        raise typer.BadParameter("give either --made ID or --nothing")
    with existing_workspace(settings(workspace=workspace)) as opened:
        row = Register(opened).resolve(intent, made, note=note)
    said = f"{row.operation} {row.intent_id}: {row.subject_id or 'nothing was created'}"
    answer(asdict(row), said, as_json=as_json)
