"""`kycpack collect`: everything that can be fetched for a customer, as evidence."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.connection import known, register_of
from kycpack.cli.options import AsJson, BaseUrl, KeyId, WorkspacePlace, read_age, settings
from kycpack.cli.terminal import print_json, print_table, progress, say


def collect(
    customers: Annotated[list[str], typer.Argument(metavar="CUSTOMER", help="Ids of customers.")],
    out: Annotated[Path, typer.Option("--out", help="Where the folders go, one a customer.")] = Path(
        "evidence"
    ),
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            help="Reuse answers in --out that are not older: an instant, a date, or an age such as 12h or 7d.",
        ),
    ] = None,
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Fetch what the service knows of customers.

    Each customer gets a folder with an index and one file an answer. What was refused, timed out or was not asked is
    in the index too. Sessions and payments are those that the register knows. With --since, only what can have changed is
    fetched again; each entry of the index says when it was asked.
    """
    from kycpack.api import Client
    from kycpack.api import collect as fetch
    from kycpack.batch.places import folder_name
    from kycpack.batch.refusal import refusal_of
    from kycpack.errors import KycpackError
    from kycpack.evidence import load_evidence

    chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace)
    chosen.require_credentials()
    max_age = None if since is None else read_age(since, datetime.now(UTC))
    rows: list[dict[str, object]] = []
    with (
        register_of(chosen) as register,
        Client(chosen.base_url, key_id=chosen.key_id, secret=chosen.secret) as client,
        progress("collect", len(customers), quiet=as_json) as bar,
    ):
        for customer_id in dict.fromkeys(customers):
            row: dict[str, object] = {"customer_id": customer_id, "folder": None, "error": None}
            try:
                folder = out / folder_name(customer_id)
                previous = load_evidence(folder) if max_age is not None and folder.is_dir() else None
                evidence = fetch(
                    client,
                    customer_id,
                    known=known(register, customer_id),
                    previous=previous,
                    max_age=max_age,
                )
                row["folder"] = str(evidence.save(folder, replace=True))
                outcomes = [entry.outcome for entry in evidence.entries]
                row |= {name: outcomes.count(name) for name in ("answered", "refused", "failed", "timeout")}
                row["error"] = refusal_of(evidence) or None
            except KycpackError as error:
                row["error"] = str(error)
            rows.append(row)
            bar.advance(f"{customer_id}: {row['error'] or row['folder']}")
    if as_json:
        print_json({"items": rows})
    else:
        columns = ("customer_id", "answered#", "refused#", "failed#", "timeout#", "folder")
        print_table(
            "Evidence", columns, [[row.get(name.removesuffix("#")) for name in columns] for row in rows]
        )
        for row in rows:
            if row["error"]:
                say(str(row["error"]))
    if any(row["error"] for row in rows):
        raise typer.Exit(1)
