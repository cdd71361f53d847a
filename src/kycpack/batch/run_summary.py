"""The summary of a run for management: how many, how severe, why, and what is different since the run before. It names nobody."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from kycpack.batch.report import OUTCOMES
from kycpack.models.dates import instant_words
from kycpack.render import Memo
from kycpack.render.document_parts import Cell, Column, Paragraph, Section, facts, table
from kycpack.render.palette import Tone
from kycpack.render.wording import approval_words, level_cell
from kycpack.triage.levels import LEVELS, rank

_MOST_REASONS = 15
_EVIDENCE = re.compile(r"\s*\([^()]*[A-Z]-[0-9]+[^()]*\)")
"""Where a reason names its evidence, which differs from customer to customer."""
_LIMITS = (
    "The levels are what the policy recommends, before anybody decided. A customer who failed or is incomplete may turn out to be of any "
    "level. Each figure can be followed to customers in index.html and to rows in the folder frames."
)


def run_summary(report: Mapping[str, Any]) -> Memo:
    """Return the summary of a run; names and ids of customers are not in it.

    Args:
        report: What `run.json` holds.
    """
    entries = report["entries"]
    return Memo(
        title="Review run: summary",
        as_of=datetime.fromisoformat(report["as_of"]),
        footer=(f"Run {report['run_id']}", f"kycpack {report['code_version']}"),
        opening=(
            facts(
                ("In scope", f"{report['in_scope']:,}"),
                *((name.capitalize(), f"{report[name]:,}") for name in OUTCOMES),
            ),
            *_warning(report),
            Paragraph(approval_words("", report.get("policy_approval"))),
            Paragraph(_LIMITS, Tone.QUIET),
        ),
        sections=(_levels(entries), _reasons(entries), *_changes(report)),
    )


def _warning(report: Mapping[str, Any]) -> tuple[Paragraph, ...]:
    open_ = int(report["failed"]) + int(report["incomplete"])
    if report["state"] != "finished":
        return (
            Paragraph("The run was stopped before its end; what was not asked is incomplete.", Tone.ALARM),
        )
    if open_:
        words = _counted(open_, "customer failed or is incomplete", "customers failed or are incomplete")
        return (Paragraph(f"{words}; there is no complete review of them.", Tone.UNKNOWN),)
    return ()


def _levels(entries: Sequence[Mapping[str, Any]]) -> Section:
    counts = Counter(str(one["level"]) for one in entries if one["level"])
    total = sum(counts.values())
    rows = [
        (level_cell(level), f"{counts[level]:,}", f"{100 * counts[level] / total:.1f}%")
        for level in sorted(counts, key=_hardest_first)
    ]
    without = len(entries) - total
    if without:
        rows.append((Cell("no level", Tone.UNKNOWN), f"{without:,}", ""))
    columns = (
        Column("Recommended", 2.0),
        Column("Customers", right=True),
        Column("Share of those with a level", right=True),
    )
    return Section("levels", "Recommended levels", (table(columns, rows, "No customer has a level."),))


def _reasons(entries: Sequence[Mapping[str, Any]]) -> Section:
    found = Counter(
        (str(one["level"]), _EVIDENCE.sub("", str(one["top_reason"])))
        for one in entries
        if one["level"] and one["top_reason"]
    )
    most = sorted(found.items(), key=lambda item: (-item[1], _hardest_first(item[0][0]), item[0][1]))
    rows = [(reason, level_cell(level), f"{count:,}") for (level, reason), count in most[:_MOST_REASONS]]
    columns = (
        Column("First reason", 3.0),
        Column("Recommended"),
        Column("Customers", right=True),
    )
    return Section("reasons", "Most frequent first reasons", (table(columns, rows, "No reason is known."),))


def _changes(report: Mapping[str, Any]) -> tuple[Section, ...]:
    earlier = report.get("compared_with")
    if earlier is None:
        return ()
    both = [one for one in report["entries"] if one.get("before")]
    new = sum(1 for one in report["entries"] if one.get("before", "") is None)
    moved = Counter(
        (str(one["before"]["level"]), str(one["level"]))
        for one in both
        if one["before"]["level"] != one["level"]
    )
    rows = [
        (_level(before), _level(now), f"{count:,}")
        for (before, now), count in sorted(
            moved.items(), key=lambda item: (_hardest_first(item[0][1]), item[0])
        )
    ]
    when = instant_words(datetime.fromisoformat(str(earlier["as_of"])))
    words = (
        f"Compared with the run as of {when}: {_counted(new, 'customer is new', 'customers are new')}, "
        f"{_counted(int(earlier['gone']), 'is no longer in scope', 'are no longer in scope')}, and of the {len(both):,} in both "
        f"{_counted(sum(moved.values()), 'has another level', 'have another level')}."
    )
    columns = (Column("Before"), Column("Now"), Column("Customers", right=True))
    return (
        Section(
            "changes",
            "Since the run before",
            (Paragraph(words), table(columns, rows, "No level is different.")),
        ),
    )


def _counted(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def _level(level: str) -> Cell:
    return level_cell(level) if level else Cell("no level", Tone.UNKNOWN)


def _hardest_first(level: str) -> tuple[int, str]:
    return (-rank(level) if level in LEVELS else 1, level)
