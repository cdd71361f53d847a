"""`kycpack case sample`: checking by hand whether customers without a decision needed one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.connection import opened
from kycpack.cli.options import AsJson, WorkspacePlace
from kycpack.cli.terminal import answer, plain_rows, print_json, print_table, say

SampleId = Annotated[str, typer.Argument(metavar="SAMPLE", help="The sample's id, as `draw` showed it.")]

sample = typer.Typer(
    name="sample",
    help="Sample the customers whom the policy cleared.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@sample.command()
def draw(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or its output folder.")],
    size: Annotated[int, typer.Option("--size", min=1, metavar="NUMBER", help="How many customers.")],
    seed: Annotated[
        str,
        typer.Option("--seed", metavar="SEED", help="Any text; the same seed draws the same customers."),
    ],
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Draw a sample of the customers whom a run cleared.

    The sample is proportional to the levels of due diligence, with at least one customer of each.
    """
    from kycpack.batch.finished_run import open_run

    run_id = open_run(run).run_id if Path(run).is_dir() else run
    with opened(workspace) as work:
        drawn = work.samples.draw(run_id, size, seed)
    if as_json:
        print_json({"sample_id": drawn.sample_id, "customers": dict(drawn.customers)})
        return
    rows = [(stratum, each) for stratum, customers in drawn.customers.items() for each in customers]
    print_table(drawn.sample_id, ("diligence", "customer"), rows)
    if len(rows) < size:
        say(f"you asked for {size}, but the run cleared {len(rows)}: the sample is all of them")


@sample.command()
def review(
    sample_id: SampleId,
    customer_id: Annotated[str, typer.Argument(metavar="CUSTOMER", help="A customer of the sample.")],
    verdict: Annotated[str, typer.Option("--verdict", metavar="VERDICT", help="agrees or disagrees.")],
    text: Annotated[str, typer.Option("--text", metavar="REASONS", help="Why, in words.")],
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Record whether a customer needed no decision.

    A verdict that disagrees opens a case.
    """
    with opened(workspace) as work:
        case_id = work.samples.review(sample_id, customer_id, verdict, text)
    answer(
        {
            "sample_id": sample_id,
            "customer_id": customer_id,
            "verdict": verdict,
            "case_id": case_id or None,
        },
        f"{customer_id}: {verdict}" + (f"; case {case_id}" if case_id else ""),
        as_json=as_json,
    )


@sample.command()
def show(sample_id: SampleId, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Show the verdicts, and how many cases may have been missed."""
    with opened(workspace) as work:
        members, result = work.samples.members(sample_id), work.samples.result(sample_id)
    if as_json:
        print_json({"customers": plain_rows(members), "result": plain_rows(result)})
        return
    rows = [
        (
            row.stratum,
            row.cleared,
            row.reviewed,
            row.missed,
            f"{row.low_share:.1%} to {row.high_share:.1%}" if row.reviewed else "not known",
            row.most_missed,
        )
        for row in result.itertuples()
    ]
    columns = ("diligence", "cleared#", "reviewed#", "missed#", "share missed (95%)", "at most#")
    print_table(sample_id, columns, rows)
    looked = [(row.customer_id, row.verdict, row.reviewed_by) for row in members.itertuples()]
    print_table("Who looked", ("customer", "verdict", "by"), looked)
