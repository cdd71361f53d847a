"""`kycpack trace`: the rows and the evidence that a printed number was made from."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.options import AsJson
from kycpack.cli.terminal import answer, answer_table, print_json, print_table, say

if TYPE_CHECKING:
    from kycpack.pack.check.trace import TracedFigure


def trace(
    pack: Annotated[
        Path,
        typer.Argument(
            metavar="PACK", help="A pack, or the output folder of a run.", exists=True, file_okay=False
        ),
    ],
    figure: Annotated[
        str | None,
        typer.Argument(
            metavar="FIGURE",
            help="A number as printed, or the id of a figure, such as coverage.3. Default: list all figures.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Calculate every figure again from the frames, and look up every cited cell in the evidence.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the rows and evidence behind a printed number.

    Prints every row that the number was made from, with its evidence and its place in the evidence as a JSON pointer. For a run, the numbers are those of its index and summary, and the rows are entries of run.json with their packs. With --check, the exit code is 1 if a number does not follow.
    """
    from kycpack.batch.run_figures import check_run_trace, list_run_figures, trace_run_figure
    from kycpack.batch.run_manifest import is_run
    from kycpack.pack.check.trace import check_trace, list_figures, trace_figure

    of_run = is_run(pack)
    if check or figure is None:
        figures = list_run_figures(pack) if of_run else list_figures(pack)
    if check:
        problems = check_run_trace(pack) if of_run else check_trace(pack)
        _print_check(problems, len(figures), as_json=as_json)
    elif figure is None:
        columns = ("figure", "place", "printed", "evidence")
        rows = [(one["id"], one["place"], one["printed"], ", ".join(one["evidence"])) for one in figures]
        answer_table({"figures": list(figures)}, "Figures", columns, rows, as_json=as_json)
    else:
        found = trace_run_figure(pack, figure) if of_run else trace_figure(pack, figure)
        if as_json:
            print_json({"figures": [asdict(one) for one in found]})
        else:
            for one in found:
                _print_figure(one)


def _print_figure(one: TracedFigure) -> None:
    say(f"{one.id}: {one.printed}", f"{one.place}, in {', '.join(one.documents)}", *one.calculations)
    rows = [
        (
            row.frame,
            " ".join(f"{name}={value}" for name, value in row.key.items()),
            " ".join(f"{name}={value}" for name, value in row.cells.items()),
            ", ".join(row.evidence),
            ", ".join(row.places),
        )
        for row in one.rows
    ]
    print_table("Rows", ("frame", "row", "cells", "evidence", "place in the evidence"), rows)


def _print_check(problems: tuple[str, ...], count: int, *, as_json: bool) -> None:
    answer(
        {"ok": not problems, "figures": count, "problems": list(problems)},
        *problems,
        f"{count} figures calculated again, {len(problems)} problems.",
        as_json=as_json,
    )
    if problems:
        raise typer.Exit(1)
