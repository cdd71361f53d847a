"""`kycpack collect`: everything that can be fetched for a customer, as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import kycpack as kp
from kycpack.cli.connection import known, register_of
from kycpack.cli.options import (
    AsJson,
    BaseUrl,
    KeyId,
    SignerName,
    WorkspacePlace,
    client_of,
    read_age,
    settings,
)
from kycpack.cli.progress import progress
from kycpack.cli.terminal import answer_table
from kycpack.errors import KycpackError
from kycpack.folders import folder_name

if TYPE_CHECKING:
    from kycpack.api import Collected, CollectJob
    from kycpack.workspace import Register

    Row = dict[str, object]


def collect(
    customers: Annotated[list[str], typer.Argument(metavar="CUSTOMER", help="Ids of customers.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder for the evidence; each customer gets a subfolder."
        ),
    ] = Path("evidence"),
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="AGE|DATE",
            help="Reuse answers in --out that are no older than this: an age such as 12h or 7d, a date, or a time with its offset.",
        ),
    ] = None,
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    signer: SignerName = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Fetch the service's data about customers.

    Each customer gets a folder with an index and one file for each answer. The index also lists what was refused, timed
    out or was not requested. Sessions and payments are those in the register. An interrupted collection continues where
    it stopped. With --since, only data that may have changed is fetched again; each entry of the index has the time of
    its request.

    Exit codes: 1 if a customer could not be collected, 3 if a request failed or timed out and should be repeated.
    """
    chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace, signer=signer)
    max_age = None if since is None else read_age(since, datetime.now(UTC))
    rows: dict[str, Row] = {
        customer_id: {"customer_id": customer_id, "folder": None, "error": None} for customer_id in customers
    }
    with (
        register_of(chosen) as register,
        client_of(chosen) as client,
        progress("collect", len(rows)) as bar,
    ):

        def settle(customer_id: str, found: Row) -> None:
            row = rows[customer_id]
            row |= found
            bar.advance(
                customer_id,
                f"{customer_id}: {row['error'] or row['folder']}",
                "failed" if row["error"] else "done",
            )

        def jobs() -> Iterator[CollectJob]:
            for customer_id in rows:
                try:
                    yield replace(_job(customer_id, out, register, max_age), bank_adapter=chosen.bank_adapter)
                except KycpackError as error:
                    settle(customer_id, {"error": str(error)})

        done = []
        for collected in kp.collect_many(client, jobs()):
            settle(collected.job.customer_id, _kept(collected))
            done.append(replace(collected.job, previous=None))
        _learn_identities(register, done)
        for collected in kp.collect_many(client, _of_whom_more_is_known(done, register)):
            rows[collected.job.customer_id] |= _kept(collected)
    _report(rows, as_json=as_json)


def _learn_identities(register: Register | None, done: Iterable[CollectJob]) -> None:
    """Compare the collected customers with each other and with the workspace."""
    from kycpack.workspace import learn_identities
    from kycpack.workspace.register.identity_marks import NEEDED

    folders = [job.folder for job in done if job.folder is not None and Path(job.folder).is_dir()]
    if register is None or not folders:
        return
    # One customer at a time: only these few columns are kept, never the transactions of all customers.
    read = [
        {name: getattr(frames, name)[[*columns]] for name, columns in NEEDED.items()}
        for frames in map(kp.flatten, map(kp.load_evidence, folders))
    ]
    learn_identities(register.workspace, read)


def _report(rows: Mapping[str, Row], *, as_json: bool) -> None:
    columns = ("customer_id", "answered#", "refused#", "failed#", "timeout#", "folder")
    answer_table(
        {"items": list(rows.values())},
        "Evidence",
        columns,
        [[row.get(name.removesuffix("#")) for name in columns] for row in rows.values()],
        *(str(row["error"]) for row in rows.values() if row["error"]),
        as_json=as_json,
    )
    if code := _exit_code(rows.values()):
        raise typer.Exit(code)


def _exit_code(rows: Iterable[Row]) -> int:
    given = list(rows)
    if any(row["error"] for row in given):
        return 1
    return 3 if any(row.get("failed") or row.get("timeout") for row in given) else 0


def _job(customer_id: str, out: Path, register: Register | None, max_age: timedelta | None) -> CollectJob:
    folder = out / folder_name(customer_id)
    previous = kp.load_evidence(folder) if max_age is not None and folder.is_dir() else None
    return kp.CollectJob(
        customer_id,
        known=known(register, customer_id),
        previous=previous,
        max_age=max_age,
        folder=folder,
        without_record=True,
    )


def _of_whom_more_is_known(jobs: Iterable[CollectJob], register: Register | None) -> Iterator[CollectJob]:
    """Yield the jobs of customers who, as the register has learned since, may be the same person as another; nothing is fetched again."""
    from kycpack.api.collection_plan import REGISTER_PARTS

    parts = [REGISTER_PARTS[name] for name in ("register.shared_documents", "register.same_person")]
    for job in jobs:
        found = known(register, job.customer_id) or {}
        known_before = job.known or {}
        if job.folder is not None and any(found.get(part) != known_before.get(part) for part in parts):
            yield replace(job, known=found, previous=kp.load_evidence(job.folder), max_age=timedelta(days=1))


def _kept(collected: Collected) -> Row:
    from kycpack.batch.customer_record import record_problem

    if collected.evidence is None:
        return {"error": str(collected.error)}
    outcomes = [entry.outcome for entry in collected.evidence.entries]
    counts = {name: outcomes.count(name) for name in ("answered", "refused", "failed", "timeout")}
    return {
        "folder": str(collected.job.folder),
        **counts,
        "error": record_problem(collected.evidence) or None,
    }
