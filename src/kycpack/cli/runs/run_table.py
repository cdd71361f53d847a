"""The table of a run in the terminal: the outcome of each customer, and the totals."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from kycpack.cli.terminal import print_table, program, say

if TYPE_CHECKING:
    from kycpack.batch import RunReport

_MOST_SHOWN = 50


def show(report: RunReport, out: Path, *, checked: str = "") -> None:
    """Print the outcome of each customer, in the order and the words of the run's index, and the totals.

    Args:
        report: The report of the run.
        out: The run's output folder.
        checked: Argument for `kycpack verify` if it is not this folder: the URL that the packs were copied to.
    """
    from kycpack.batch.report import OUTCOMES
    from kycpack.render.run_index import share_words, urgency
    from kycpack.render.wording import hardness, recommended_cell

    is_long = len(report.entries) > _MOST_SHOWN
    of_interest = (entry for entry in report.entries if not (is_long and entry.is_settled))
    shown = heapq.nsmallest(_MOST_SHOWN, of_interest, key=lambda entry: urgency(asdict(entry)))
    if is_long:
        levels = Counter(entry.level for entry in report.entries if entry.level)
        say("recommended: " + ", ".join(f"{levels[level]} {level}" for level in sorted(levels, key=hardness)))
        open_ = sum(not entry.is_settled for entry in report.entries)
        if open_ > _MOST_SHOWN:
            say(
                f"{_MOST_SHOWN} of {open_} failed or incomplete customers are shown; {out / 'run.json'} has all of them"
            )
    rows = [
        (
            entry.customer_id,
            entry.outcome,
            recommended_cell(entry.level, entry.top_reason).text if entry.level else None,
            entry.top_reason or entry.note or None,
            share_words(asdict(entry)) or None,
            f"{entry.seconds:.1f}",
        )
        for entry in shown
    ]
    columns = ("customer", "outcome", "recommended", "top reason", "nature known#", "seconds#")
    if rows:
        print_table(f"Packs as of {report.as_of}", columns, rows)
    say(
        f"{len(report.entries)} in scope = "
        + " + ".join(f"{report.count(outcome)} {outcome}" for outcome in OUTCOMES)
    )
    if report.sessions_without_pack:
        say(
            f"{report.sessions_without_pack} sessions have no pack, because their customer is not known; the exit code takes them into account"
        )
    say(
        f"open {out / 'index.html'}, and check the packs with: {program()} verify {quote(checked or str(out))}"
    )
