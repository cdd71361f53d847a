"""`kycpack show` and `kycpack find`: looking at a finished run in a terminal instead of a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.options import AsJson
from kycpack.cli.terminal import answer_table, plain_rows, print_json, print_table
from kycpack.errors import InputError

if TYPE_CHECKING:
    from kycpack.batch.finished_run import FinishedRun

RunFolder = Annotated[
    str,
    typer.Option(
        "--run",
        metavar="FOLDER|URL",
        help="The run: the output of `kycpack batch` or `kycpack demo`.",
    ),
]
_BATCH = "reports/batch"
_FINDINGS = ("level", "outcome", "sentence", "owner", "action", "evidence_ids")


def show(
    customer_id: Annotated[str, typer.Argument(metavar="CUSTOMER_ID", help="The customer's id.")],
    run: RunFolder = _BATCH,
    as_json: AsJson = False,
) -> None:
    """Show one customer of a finished run.

    Shows the recommended level and why: hits and unknown results, the most severe first. A later pack beside the run's own,
    such as the one with the decision, is named. The customer's name is not shown.
    """
    from kycpack.pack.earlier_packs import latest_pack

    customer = _opened(run).customer(customer_id)
    entry = customer.entry
    findings = [] if customer.folder is None else plain_rows(customer.findings)
    latest = None if customer.folder is None else latest_pack(customer.folder.parent, customer_id)
    later = None if latest is None or latest == customer.folder else str(latest)
    document = {
        "customer_id": customer_id,
        "outcome": entry.outcome,
        "level": entry.level or None,
        "top_reason": entry.top_reason or None,
        "note": entry.note or None,
        "pack": None if customer.folder is None else str(customer.folder),
        "review_pdf": None if customer.review_pdf is None else str(customer.review_pdf),
        "later_pack": later,
        "findings": findings,
    }
    if as_json:
        print_json(document)
        return
    summary = [(name.replace("_", " "), value) for name, value in document.items() if name != "findings"]
    print_table(f"Customer {customer_id}", ("", ""), summary)
    rows = [[_words(row.get(name)) for name in _FINDINGS] for row in findings]
    print_table("Hits and unknown results", tuple(name.replace("_", " ") for name in _FINDINGS), rows)


def find(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Part of a name. It stays in your shell's history; leave it out to be prompted for it.",
        ),
    ] = None,
    run: RunFolder = _BATCH,
    pep: Annotated[
        bool, typer.Option("--pep", help="Customers with a PEP hit, or with a PEP check without a result.")
    ] = False,
    level: Annotated[
        str | None,
        typer.Option("--level", metavar="LEVEL", help="reject, escalate, edd, review or approve."),
    ] = None,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="RULE", help="Id of a rule that was hit, such as PEP-1.")
    ] = None,
    expiring: Annotated[
        int | None,
        typer.Option(
            "--expiring",
            metavar="DAYS",
            min=0,
            help="Customers with a document that expires within this number of days.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find customers of a finished run.

    If you give several conditions, all of them must hold. Without any, a prompt asks for a name, which is neither shown nor kept.
    Days are counted from the date of the run.
    """
    opened = _opened(run)
    if level is not None:
        _require_level(level)
    found = opened.overview
    if name is not None or not (pep or level or rule or expiring is not None):
        found = found[found["customer_id"].isin(opened.find(name)["customer_id"])]
    if pep:
        found = found[found["customer_id"].isin(_found_by(opened, "PEP-", ("HIT", "UNKNOWN")))]
    if rule is not None:
        found = found[found["customer_id"].isin(_found_by(opened, rule, ("HIT",), exact=True))]
    if level is not None:
        found = found[found["level"] == level]
    if expiring is not None:
        found = found[found["customer_id"].isin(_expiring(opened, expiring))]
    rows = plain_rows(found[["customer_id", "level", "top_reason", "pack"]])
    if pep:
        outcomes = _pep_outcomes(opened)
        rows = [{**row, "pep": outcomes[row["customer_id"]]} for row in rows]
    columns = ("customer_id", "level", "top_reason", "pack", *(("pep",) if pep else ()))
    table = [[_words(row[column]) for column in columns] for row in rows]
    missing = int(opened.overview["pack"].isna().sum() + (opened.overview["pack"] == "").sum())
    answer_table(
        {"run": run, "items": rows},
        "Customers",
        tuple(column.replace("_", " ") for column in columns),
        table,
        f"{len(rows)} of {len(opened)} customers" + (f"; {missing} have no pack" if missing else ""),
        as_json=as_json,
    )


def _opened(run: str) -> FinishedRun:
    from kycpack.batch import open_run

    try:
        return open_run(run)
    except InputError as error:
        raise InputError(error.reason, place="--run") from None


def _require_level(level: str) -> None:
    from kycpack.batch.finished_run import LEVELS

    if level not in LEVELS:
        raise typer.BadParameter(f"expected one of {', '.join(LEVELS)}", param_hint="--level")


def _found_by(run: FinishedRun, rule: str, outcomes: tuple[str, ...], *, exact: bool = False) -> set[str]:
    from kycpack.triage.judge.findings import standing

    findings = standing(run.triage["findings"])
    ids = findings["rule_id"].astype("string")
    mine = (ids == rule) if exact else ids.str.startswith(rule)
    return set(findings[mine & findings["outcome"].isin(outcomes)]["customer_id"].astype(str))


def _pep_outcomes(run: FinishedRun) -> dict[str, str]:
    unknown = dict.fromkeys(_found_by(run, "PEP-", ("UNKNOWN",)), "UNKNOWN")
    return {**unknown, **dict.fromkeys(_found_by(run, "PEP-", ("HIT",)), "HIT")}


def _expiring(run: FinishedRun, days: int) -> set[str]:
    import pandas as pd

    today = pd.Timestamp(run.as_of.date())
    documents = run.frames["documents"]
    soon = documents["expires_on"].between(today, today + pd.Timedelta(days=days))
    return set(documents[soon]["customer_id"].astype(str))


def _words(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
