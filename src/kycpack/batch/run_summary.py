"""The summary of a run for management: how many customers, at which levels, why, and what changed. It names nobody."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from kycpack.batch.report import OUTCOMES
from kycpack.evidence.citations import ENTRY_ID
from kycpack.models.dates import instant_words
from kycpack.models.listed import counted
from kycpack.render import Memo
from kycpack.render.document_parts import Cell, Paragraph, Section, TableColumn, facts, table
from kycpack.render.origin import count_of, share_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.run_index import demonstration_words
from kycpack.render.wording import (
    ADJUSTED,
    OUTCOMES_OF_A_RUN,
    approval_words,
    hardness,
    is_adjusted,
    is_population_whole,
    level_cell,
    population_words,
    recommended_cell,
    recommended_totals,
    share_words,
)
from kycpack.triage.levels import LEVELS

RUN = "run"
"""Name, in origins, of the frame with the entries of `run.json`, one row per customer."""
ONE_ROW = "report"
"""Name of the frame with the rest of `run.json`, in one row."""
POPULATION = (
    "in_scope",
    "in_register",
    "left_out_of_register",
    "listed",
    "left_out_of_service",
    "without_session",
)
"""Columns of that frame with the figures of the run's population."""
DEMONSTRATION_ORIGINS = (count_of(RUN, is_demonstration=1), count_of(RUN))
"""Origins of the numbers of `demonstration_words`."""
_MOST_REASONS = 15
_ID = rf"(?:(?:[\w-]+-)?{ENTRY_ID}|[A-Z][0-9]+)"
_IDS = re.compile(rf"\s*\({_ID}(?:(?:, | to ){_ID})*\)")
_FIGURES_OF_ONE = re.compile(r": [^:]*[0-9].*")
_LIMITS = (
    "The levels are the policy's recommendations, before any decision. A customer who failed or is incomplete may turn out to have any "
    "level. Each figure can be traced to customers in index.html and to rows in the folder frames."
)


def run_summary(report: Mapping[str, Any]) -> Memo:
    """Return the summary of a run; it does not contain names or ids of customers.

    Args:
        report: The content of `run.json`.
    """
    entries, invented = report["entries"], demonstration_words(report["entries"])
    return Memo(
        title="Review run: summary",
        as_of=datetime.fromisoformat(report["as_of"]),
        footer=(f"Run {report['run_id']}", f"kycpack {report['code_version']}"),
        opening=(
            facts(
                ("In scope", Cell(f"{report['in_scope']:,}", origins=(count_of(RUN),))),
                *(
                    (name.capitalize(), Cell(f"{report[name]:,}", origins=(count_of(RUN, outcome=name),)))
                    for name in OUTCOMES
                ),
            ),
            *([Paragraph(invented, Tone.WATCH, DEMONSTRATION_ORIGINS)] if invented else []),
            *_warning(report),
            *_population(report.get("population")),
            Paragraph(
                approval_words("", report.get("policy_approval")),
                origins=(value_of(ONE_ROW, "approval_at", "approval_seq"),),
            ),
            Paragraph(OUTCOMES_OF_A_RUN, Tone.QUIET),
            Paragraph(_LIMITS, Tone.QUIET),
        ),
        sections=(_levels(entries), _reasons(entries), *_changes(report)),
    )


def _population(population: Mapping[str, Any] | None) -> tuple[Paragraph, ...]:
    if population is None:
        return ()
    tone = Tone.PLAIN if is_population_whole(population) else Tone.ALARM
    return (Paragraph(population_words(population), tone, origins=(value_of(ONE_ROW, *POPULATION),)),)


def _warning(report: Mapping[str, Any]) -> tuple[Paragraph, ...]:
    open_ = int(report["failed"]) + int(report["incomplete"])
    if report["state"] != "finished":
        return (
            Paragraph(
                "The run was stopped early; customers who were not started are incomplete.", Tone.ALARM
            ),
        )
    if open_:
        words = counted(open_, "customer failed or is incomplete", "customers failed or are incomplete")
        origin = count_of(RUN, outcome=("failed", "incomplete"))
        return (Paragraph(f"{words}, so their reviews are not complete.", Tone.UNKNOWN, (origin,)),)
    return ()


def _levels(entries: Sequence[Mapping[str, Any]]) -> Section:
    found = Counter((str(one["level"]), kind_of(str(one["top_reason"]))) for one in entries if one["level"])
    total, levels = found.total(), recommended_totals(found.elements())
    numbers = [count for _, _, count in levels]
    rows = []
    for (level, cell, count), share in zip(levels, share_words(numbers), strict=True):
        kinds = {one for each, one in found if each == level and recommended_cell(level, one) == cell}
        which = {"level": level} | ({"first_reason": kinds} if level == LEVELS[0] else {})
        origin = share_of(RUN, "has_level", which, {"has_level": 1})
        rows.append(
            (cell, Cell(f"{count:,}", origins=(count_of(RUN, **which),)), Cell(share, origins=(origin,)))
        )
    without = len(entries) - total
    if without:
        number = Cell(f"{without:,}", origins=(count_of(RUN, level=""),))
        rows.append((Cell("no level", Tone.UNKNOWN), number, Cell("")))
    columns = (
        TableColumn("Recommended", 2.0),
        TableColumn("Customers", right=True),
        TableColumn("Share of those with a level", right=True),
    )
    adjusted = (Paragraph(ADJUSTED, Tone.QUIET),) if is_adjusted(numbers) else ()
    return Section(
        "levels", "Recommended levels", (table(columns, rows, "No customer has a level."), *adjusted)
    )


def kind_of(reason: str) -> str:
    """Return a reason without the parts that differ between customers: ids of evidence, short names such as S1, figures."""
    return _FIGURES_OF_ONE.sub("", _IDS.sub("", reason))


def _reasons(entries: Sequence[Mapping[str, Any]]) -> Section:
    found = Counter(
        (str(one["level"]), kind_of(str(one["top_reason"])))
        for one in entries
        if one["level"] and one["top_reason"]
    )
    most = sorted(found.items(), key=lambda item: (-item[1], hardness(item[0][0]), item[0][1]))
    rows = [
        (
            Cell(reason, origins=(value_of(RUN, "first_reason", first_reason=reason),)),
            recommended_cell(level, reason),
            Cell(f"{count:,}", origins=(count_of(RUN, level=level, first_reason=reason),)),
        )
        for (level, reason), count in most[:_MOST_REASONS]
    ]
    columns = (
        TableColumn("Kind of first reason", 3.0),
        TableColumn("Recommended"),
        TableColumn("Customers", right=True),
    )
    return Section(
        "reasons", "Most frequent kinds of first reason", (table(columns, rows, "No reason is known."),)
    )


def _changes(report: Mapping[str, Any]) -> tuple[Section, ...]:
    earlier = report.get("compared_with")
    if earlier is None:
        return ()
    new, both = 0, 0
    moved: Counter[tuple[str, str]] = Counter()
    for one in report["entries"]:
        before = one.get("before")
        new += "before" in one and before is None
        both += bool(before)
        if before and before["level"] != one["level"]:
            moved[str(before["level"]), str(one["level"])] += 1
    rows = [
        (
            _level(before),
            _level(now),
            Cell(
                f"{count:,}",
                origins=(count_of(RUN, earlier="both", level_before=before, level=now, level_changed=True),),
            ),
        )
        for (before, now), count in sorted(moved.items(), key=lambda item: (hardness(item[0][1]), item[0]))
    ]
    when = instant_words(datetime.fromisoformat(str(earlier["as_of"])))
    words = (
        f"Compared with the run as of {when}: {counted(new, 'customer is new', 'customers are new')}, "
        f"{counted(int(earlier['gone']), 'is no longer in scope', 'are no longer in scope')}, and of the {both:,} in both "
        f"{counted(sum(moved.values()), 'has a different level', 'have a different level')}."
    )
    columns = (TableColumn("Before"), TableColumn("Now"), TableColumn("Customers", right=True))
    origins = (
        value_of(ONE_ROW, "compared_as_of", "gone"),
        count_of(RUN, earlier="new"),
        count_of(RUN, earlier="both"),
        count_of(RUN, level_changed=True),
    )
    return (
        Section(
            "changes",
            "Since the previous run",
            (Paragraph(words, origins=origins), table(columns, rows, "No level has changed.")),
        ),
    )


def _level(level: str) -> Cell:
    return level_cell(level) if level else Cell("no level", Tone.UNKNOWN)
