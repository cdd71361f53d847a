"""`kycpack policy backtest`: two policies on the same finished runs."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.connection import has_workspace, opened
from kycpack.cli.options import AsJson, PolicyArgument, WorkspacePlace, settings
from kycpack.cli.terminal import print_json, print_table, say
from kycpack.errors import InputError
from kycpack.folders import write_file

if TYPE_CHECKING:
    from kycpack.batch import Backtest
    from kycpack.triage.customers.duplicates import PastDecision

_MOST_SHOWN = 20


def backtest_policies(
    before: PolicyArgument,
    now: PolicyArgument,
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN", help="Output folders of finished batches.", exists=True, file_okay=False
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="A new folder for the change memo (HTML, PDF), the customers and the sample (CSV).",
        ),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            "--sample",
            min=1,
            metavar="NUMBER",
            help="Number of customers to sample for whom the second policy opens no case.",
        ),
    ] = 60,
    seed: Annotated[
        str, typer.Option("--seed", metavar="SEED", help="Any text; the same seed draws the same sample.")
    ] = "backtest",
    verdicts: Annotated[
        Path | None,
        typer.Option(
            "--verdicts",
            metavar="FILE",
            help="CSV file with customer_id and verdict (agrees, disagrees) for the sample.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    workload: Annotated[
        Path | None,
        typer.Option(
            "--workload",
            metavar="FILE",
            help="YAML file with the minutes that a case takes, by level.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    analysts: Annotated[
        int, typer.Option("--analysts", min=1, metavar="NUMBER", help="Number of people who decide cases.")
    ] = 1,
    hours_a_day: Annotated[
        int,
        typer.Option(
            "--hours-a-day",
            min=1,
            max=24,
            metavar="NUMBER",
            help="Hours per working day that each of them spends deciding cases.",
        ),
    ] = 7,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Apply two policies to finished runs and compare the results.

    Shows which customers move to another level, by which rule, and how much work each policy causes.
    """
    from kycpack.batch import backtest
    from kycpack.batch.policy_memo import hours
    from kycpack.triage.customers.workload import read_workload

    if out is not None and out.exists():
        raise InputError("already exists; give a new folder", place=str(out))
    result = backtest(
        before,
        now,
        runs,
        sample_size=sample,
        seed=seed,
        verdicts=None if verdicts is None else _verdicts(verdicts),
        decisions=_past_decisions(workspace),
        workload=read_workload(workload),
    )
    if out is not None:
        _write_backtest(out, result, analysts, hours_a_day)
    document = {
        "before": f"{result.before.id} {result.before.version}",
        "now": f"{result.now.id} {result.now.version}",
        "customers": len(result.customers),
        "not_tested": len(result.not_tested),
        "softer": result.count("softer"),
        "harder": result.count("harder"),
        "other_findings": result.count("other findings"),
        "cases": {which: result.cases(which) for which in ("before", "now")},
        "minutes": {which: result.minutes(which) for which in ("before", "now")},
        "moves": result.moves.to_dict("records"),
        "moved": result.moved.drop(columns=["pack"]).to_dict("records"),
    }
    if as_json:
        print_json(document)
        return
    columns = ("customer", "before", "now", "by which rule", "decided")
    rows = [
        (
            row["customer_id"],
            row["level_before"],
            row["level_now"],
            ", ".join(row["because"]),
            row["decided"] or None,
        )
        for row in result.moved.head(_MOST_SHOWN).to_dict("records")
    ]
    print_table("Who moves", columns, rows)
    if len(result.moved) > _MOST_SHOWN:
        say(f"{len(result.moved) - _MOST_SHOWN:,} more; give --out or --json to see them")
    say(
        f"{len(result.customers)} customers: {document['softer']} softer, {document['harder']} harder, "
        f"{document['other_findings']} with other findings, {len(result.not_tested)} not tested",
        f"cases: {result.cases('before')} before, {result.cases('now')} now",
        f"work: {hours(result.minutes('before'))} before, {hours(result.minutes('now'))} now",
    )
    if out is not None:
        say(f"{out / 'change-memo.pdf'}")


def _write_backtest(out: Path, result: Backtest, analysts: int, hours_a_day: int) -> None:
    from kycpack.batch.policy_memo import policy_memo
    from kycpack.render import render_memo_html, render_memo_pdf

    memo = policy_memo(result, analysts=analysts, hours_a_day=hours_a_day)
    customers = result.customers.assign(because=result.customers["because"].map(" ".join)).drop(
        columns="pack"
    )
    out.mkdir(mode=0o700, parents=True)
    write_file(out / "change-memo.html", render_memo_html(memo).encode())
    write_file(out / "change-memo.pdf", render_memo_pdf(memo))
    write_file(out / "customers.csv", customers.to_csv(index=False).encode())
    write_file(
        out / "sample.csv", result.sample[["customer_id", "stratum", "verdict"]].to_csv(index=False).encode()
    )


def _verdicts(file: Path) -> dict[str, str]:
    """Return people's verdicts by customer; a customer without a verdict is left out."""
    found: dict[str, str] = {}
    with file.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        if not {"customer_id", "verdict"} <= set(reader.fieldnames or ()):
            raise InputError("has no columns customer_id and verdict", place=file.name)
        for row in reader:
            customer_id, verdict = (row["customer_id"] or "").strip(), (row["verdict"] or "").strip()
            if customer_id in found:
                raise InputError(
                    f"customer {customer_id} is named twice", place=f"{file.name}, line {reader.line_num}"
                )
            if verdict:
                found[customer_id] = verdict
    return found


def _past_decisions(workspace: str | None) -> dict[str, PastDecision]:
    """Return earlier decisions by customer; empty without a workspace."""
    if not has_workspace(settings(workspace=workspace)):
        return {}
    with opened(workspace) as work:
        return work.cases.past_decisions()
