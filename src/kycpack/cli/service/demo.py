"""`kycpack demo`: the whole process, from invented customers to review packs."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.options import AsJson, Workers
from kycpack.cli.progress import progress
from kycpack.cli.runs.batch import run
from kycpack.cli.runs.run_table import show
from kycpack.cli.terminal import answer, program, say
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.cli.service.wire_target import WireTarget
    from kycpack.frames.adapters import StatementFile
    from kycpack.service.embedded import EmbeddedService
    from kycpack.workspace import Register
    from kycpack.workspace.entries.signing import Actor

_MARK = "demo"
_DESK = "desk"  # the workspace of the demo and the keys of its people, beside the marker file


def demo(
    customers: Annotated[
        int, typer.Option("--customers", min=0, metavar="NUMBER", help="Number of invented customers.")
    ] = 12,
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="NUMBER", help="A number that selects which customers are invented."),
    ] = 1,
    statement: Annotated[
        list[Path] | None,
        typer.Option(
            "--statement",
            metavar="FILE",
            help="A bank's CSV export (dates d/m/yyyy, pounds); adds a customer with these transactions.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the packs go.")] = Path(
        "reports/demo"
    ),
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Make review packs of invented customers.

    Starts the service on a free port with a new database, creates customers through its signed interface, completes
    their sessions with different results, and runs a batch. Then invented people work on three cases: two people close the
    first, the second waits for the customer, and a later run reopens the third. Running the demo again replaces its output.
    """
    from kycpack.cli.service.demo_cases import ANALYST, enrol_people
    from kycpack.frames.adapters import read_export
    from kycpack.service.embedded import EmbeddedService
    from kycpack.workspace import Register, Workspace

    histories = [read_export(path, "uk-csv") for path in statement or ()]
    _make_room(out)
    desk = out / ".kycpack" / _DESK
    desk.mkdir(mode=0o700)
    with tempfile.TemporaryDirectory(prefix="kycpack-demo-") as scratch:
        place = desk / "kycpack.db"
        if not as_json:
            say("starting the service")
        with EmbeddedService(f"sqlite:///{scratch}/service.db") as service:
            with Workspace.open(place) as workspace:
                ids = _fill(service, Register(workspace), customers, seed, histories)
            chosen = Settings.load(
                base_url=service.base_url, key_id=service.key_id, secret=service.secret, workspace=str(place)
            )
            people = enrol_people(chosen, desk)
            chosen = replace(chosen, analyst=people[ANALYST].name, signing_key="")
            report = run(
                chosen,
                ids,
                out,
                workers=workers,
                as_of=datetime.now(UTC).replace(microsecond=0),
                policy=None,
                country="GB",
                quiet=as_json,
            )
            if not as_json:
                show(report, out)
            _decide(service, chosen, out, desk, people, quiet=as_json)
    answer(
        report.to_document(),
        f"next: open a pack's data/report/review.pdf; `{program()} serve --populate 12` keeps a service running",
        as_json=as_json,
    )
    raise typer.Exit(report.exit_code)


def _decide(
    service: EmbeddedService, chosen: Settings, out: Path, desk: Path, people: list[Actor], *, quiet: bool
) -> None:
    """Decide a few cases; a later run finds a sanctions match and reopens one of them."""
    from kycpack.cli.service.demo_cases import decide_cases
    from kycpack.cli.service.wire_target import WireTarget
    from kycpack.workspace import Register, Workspace

    def run_later(customer_id: str, folder: Path) -> None:
        with (
            Workspace.open(chosen.workspace) as workspace,
            WireTarget(
                service.base_url,
                service.control_url,
                key_id=service.key_id,
                secret=service.secret,
                recorder=Register(workspace),
            ) as target,
        ):
            session = target.create_session({"customerId": customer_id}, timedelta())
            match = {"screening": {"summary": {"watchlist": {"sanctionsLists": "attention"}}}}
            target.finish_session(session, match)
        run(
            chosen,
            [customer_id],
            folder,
            workers=1,
            as_of=datetime.now(UTC).replace(microsecond=0),
            policy=None,
            country="GB",
            quiet=True,
        )

    decide_cases(chosen, out, desk, people, run_later, quiet=quiet)


def _make_room(out: Path) -> None:
    """Remove the output of an earlier demo, and nothing else."""
    from kycpack.batch.lock import locked_output

    with locked_output(out) as folder:
        mark = folder / _MARK
        shutil.rmtree(folder / _DESK, ignore_errors=True)
        if mark.exists():
            for path in out.iterdir():
                if path.is_dir() and (path / "bagit.txt").is_file():
                    shutil.rmtree(path)
                elif path.name.endswith("+latest"):
                    path.unlink()
            shutil.rmtree(folder / "evidence", ignore_errors=True)
            for path in folder.glob("runs.db*"):
                path.unlink()
        elif not any(path != folder for path in out.iterdir()):
            mark.touch(mode=0o600)


def _fill(
    service: EmbeddedService,
    register: Register,
    customers: int,
    seed: int,
    histories: Sequence[StatementFile],
) -> list[str]:
    """Create the customers through the service's interface and return their ids."""
    from kycpack.cli.service.wire_target import WireTarget
    from kycpack.service.loader import load_customer
    from kycpack.synthetic import generate

    plans = generate(customers, seed, datetime.now(UTC).date()).customers
    ids: list[str] = []
    with (
        WireTarget(
            service.base_url,
            service.control_url,
            key_id=service.key_id,
            secret=service.secret,
            recorder=register,
        ) as target,
        progress("customers", len(plans) + len(histories)) as bar,
    ):
        for plan in plans:
            ids.append(load_customer(plan, target).customer_id)
            bar.advance(ids[-1], f"{ids[-1]} invented and verified")
        for number, history in enumerate(histories, 1):
            ids.append(_add_history(target, history, number))
            bar.advance(ids[-1], f"{ids[-1]} with {len(history.rows)} rows from a bank's own export")
    return ids


def _add_history(target: WireTarget, history: StatementFile, number: int) -> str:
    person = {"firstName": "Statement", "lastName": f"Holder {number}"}
    customer_id = target.create_customer(
        {**person, "emailAddress": f"statement.holder.{number}@example.com", "dateOfBirth": "1980-01-01"}
    )
    holder = f"{person['firstName']} {person['lastName']}"
    target.grant_bank_access(customer_id, history.to_bank_access_body(account_holder_name=holder))
    session = target.create_session({"customerId": customer_id}, timedelta())
    target.finish_session(session, {"document": {"holder": person}})
    return customer_id
