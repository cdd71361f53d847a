"""The memo on a change of policy: what differs, who moves and why, how much work it causes, and what is not yet checked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pandas as pd

from kycpack.batch.policy_backtest import Backtest
from kycpack.models.listed import counted
from kycpack.render import Memo
from kycpack.render.document_parts import Block, Cell, Paragraph, Section, TableColumn, facts, table
from kycpack.render.palette import Tone
from kycpack.render.wording import level_cell
from kycpack.triage.customers.workload import WaitingTimes, waiting

_MOST_MOVES, _MOST_NAMED = 500, 200
_LIMITS = (
    "The customers are those of the given runs; results for other customers may differ. The evidence is judged as of the date of "
    "each review, so later events are not included. This memo does not show that a move to a softer level is right: a person must check."
)


def policy_memo(result: Backtest, *, analysts: int = 1, hours_a_day: int = 7) -> Memo:
    """Return the memo on a change of policy; it does not contain names of customers.

    Args:
        result: The backtest.
        analysts: How many people decide cases.
        hours_a_day: Hours per working day that each of them spends deciding cases.
    """
    before, now = result.before, result.now
    as_of = result.as_of or datetime(1970, 1, 1, tzinfo=UTC)
    return Memo(
        title="Change of policy",
        as_of=as_of,
        footer=(
            f"From {before.id} {before.version}, {before.digest[:12]}",
            f"To {now.id} {now.version}, {now.digest[:12]}",
        ),
        opening=_opening(result, analysts, hours_a_day),
        sections=(
            _differences(result),
            _moves(result),
            _rules(result),
            _work(result, analysts, hours_a_day),
            _below(result),
            _customers(result),
            _not_tested(result),
        ),
    )


def _opening(result: Backtest, analysts: int, hours_a_day: int) -> tuple[Block, ...]:
    before, now = result.before, result.now
    old, new = result.cases("before"), result.cases("now")
    tested = len(result.customers)
    lines: list[Block] = [
        facts(
            ("From", f"{before.id} {before.version}"),
            ("To", f"{now.id} {now.version}"),
            ("Customers judged", f"{tested:,}"),
            ("Softer", _count(result.count("softer"), Tone.WATCH)),
            ("Harder", _count(result.count("harder"), Tone.PLAIN)),
            ("Same level, other findings", f"{result.count('other findings'):,}"),
            ("Cases", f"{old:,} before, {new:,} now"),
            ("Work", f"{hours(result.minutes('before'))} before, {hours(result.minutes('now'))} now"),
            ("Not tested", _count(len(result.not_tested), Tone.UNKNOWN)),
        )
    ]
    if not tested:
        lines.append(Paragraph("No customer could be judged, so this memo has no results.", Tone.ALARM))
    elif len(result.not_tested):
        lines.append(
            Paragraph(
                f"{len(result.not_tested):,} reviews could not be judged; they are listed at the end.",
                Tone.UNKNOWN,
            )
        )
    days = _waiting(result, "now", analysts, hours_a_day).days
    lines.append(
        Paragraph(
            f"Under the new policy, the work takes {counted(days, 'working day')}, with "
            f"{counted(analysts, 'analyst')} deciding cases for {counted(hours_a_day, 'hour')} a day each."
        )
    )
    lines.append(Paragraph(_LIMITS, Tone.QUIET))
    return tuple(lines)


def _differences(result: Backtest) -> Section:
    rows = [
        (
            each.kind.replace("_", " "),
            each.subject,
            each.before or "none",
            each.now or "none",
            Cell("softer", Tone.WATCH) if each.softer else Cell(""),
        )
        for each in result.differences
    ]
    columns = (
        TableColumn("About", 0.8),
        TableColumn("What", 1.6),
        TableColumn("Before", 2.2),
        TableColumn("Now", 2.2),
        TableColumn("", 0.7),
    )
    return Section("differences", "What differs", (table(columns, rows, "The two policies are the same."),))


def _moves(result: Backtest) -> Section:
    columns = (TableColumn("Before"), TableColumn("Now"), TableColumn("Customers", 1.0, right=True))
    rows = [
        (level_cell(row["level_before"]), level_cell(row["level_now"]), f"{row['customers']:,}")
        for row in result.moves.to_dict("records")
    ]
    note = (
        f"{result.earlier_reviews:,} earlier reviews of the same customers are left out."
        if result.earlier_reviews
        else ""
    )
    return Section("moves", "From which level to which", (table(columns, rows), *_note(note)))


def _rules(result: Backtest) -> Section:
    columns = (
        TableColumn("Rule", 1.0), TableColumn("What it checks", 2.6), TableColumn("Hits before", 0.8, right=True),
        TableColumn("Hits now", 0.8, right=True), TableColumn("Not known before", 0.9, right=True),
        TableColumn("Not known now", 0.9, right=True), TableColumn("Makes harder", 0.9, right=True),
        TableColumn("Makes softer", 0.9, right=True),
    )  # fmt: skip
    shown = result.rules[
        (result.rules["hits_before"] != result.rules["hits_now"])
        | (result.rules["unknown_before"] != result.rules["unknown_now"])
        | (result.rules["harder"] > 0)
        | (result.rules["softer"] > 0)
    ]
    names = ("hits_before", "hits_now", "unknown_before", "unknown_now", "harder", "softer")
    rows = [
        (row["rule_id"], row["title"], *(f"{row[name]:,}" for name in names))
        for row in shown.to_dict("records")
    ]
    note = "Counts are customers. Rules that give the same under both policies are left out."
    return Section(
        "rules", "By which rule", (table(columns, rows, "Every rule gives the same result."), *_note(note))
    )


def _work(result: Backtest, analysts: int, hours_a_day: int) -> Section:
    columns = (
        TableColumn("Level"), TableColumn("Cases before", 1.0, right=True), TableColumn("Cases now", 1.0, right=True),
        TableColumn("Hours before", 1.0, right=True), TableColumn("Hours now", 1.0, right=True),
    )  # fmt: skip
    rows = [
        (
            level_cell(row["level"]), f"{row['cases_before']:,}", f"{row['cases_now']:,}",
            hours(row["minutes_before"]), hours(row["minutes_now"]),
        )
        for row in result.work.to_dict("records")
    ]  # fmt: skip
    waits = [(which, _waiting(result, which, analysts, hours_a_day)) for which in ("before", "now")]
    said = "; ".join(
        f"{which}, the last case is decided after {counted(each.days, 'working day')}, the mean case after "
        f"{each.mean_days:.1f}"
        for which, each in waits
    )
    minutes = ", ".join(f"{level} {count}" for level, count in result.workload.minutes.items())
    capacity = f"{counted(analysts, 'analyst')} deciding cases for {counted(hours_a_day, 'hour')} a day each"
    lines = (
        f"If all cases arrive on one day, with {capacity}, the most severe first: {said}.",
        f"Minutes for each case: {minutes}. {result.workload.source}",
    )
    return Section("work", "Work", (table(columns, rows), *(Paragraph(line) for line in lines)))


def _waiting(result: Backtest, which: str, analysts: int, hours_a_day: int) -> WaitingTimes:
    cases = dict(zip(result.work["level"], result.work[f"cases_{which}"], strict=True))
    return waiting(cases, result.workload, analysts=analysts, hours_a_day=hours_a_day)


def _below(result: Backtest) -> Section:
    columns = (
        TableColumn("Customers without a case now", 2.2), TableColumn("Customers", 1.0, right=True), TableColumn("In the sample", 1.0, right=True),
        TableColumn("Checked", 1.0, right=True), TableColumn("Case needed", 1.0, right=True),
        TableColumn(f"{100 * result.confidence:g}% interval", 1.4, right=True), TableColumn("At most missed", 1.0, right=True),
    )  # fmt: skip
    rows = [
        (
            row["stratum"], f"{row['cleared']:,}", f"{row['sampled']:,}", f"{row['reviewed']:,}", f"{row['missed']:,}",
            f"{100 * row['low_share']:.1f}% to {100 * row['high_share']:.1f}%" if row["reviewed"] else Cell("not known", Tone.UNKNOWN),
            f"{row['most_missed']:,}",
        )
        for row in result.below_line.to_dict("records")
    ]  # fmt: skip
    blocks: list[Block] = [table(columns, rows, "The new policy opens a case for every customer.")]
    if rows and not int(result.sample["verdict"].notna().sum()):
        blocks.append(
            Paragraph(
                "Nobody has checked the sample yet, so it is not known what the new policy misses.",
                Tone.UNKNOWN,
            )
        )
    blocks += _note(
        "Exact binomial intervals (Clopper and Pearson, 1934); the interval of all strata together is the weighted sum of theirs. "
        f"The sample was drawn with the seed “{result.seed}”."
    )
    softer = result.customers[result.customers["change"] == "softer"]
    decided = softer[softer["decided"] != ""]
    if len(decided):
        counts = decided["decided"].value_counts()
        words = ", ".join(f"{name} {counts[name]:,}" for name in sorted(counts.index))
        blocks.append(
            Paragraph(
                f"Of {len(softer):,} customers who move to a softer level, {len(decided):,} were decided before: {words}."
            )
        )
    if len(result.sample):
        rows_ = [
            (row["customer_id"], row["stratum"], row["verdict"] or "not checked")
            for row in _first(result.sample)
        ]
        blocks.append(
            table(
                (TableColumn("Customer"), TableColumn("Stratum", 1.6), TableColumn("What a person found")),
                rows_,
            )
        )
        blocks += _note(_cut(len(result.sample), _MOST_NAMED))
    return Section("below_line", "Below the line", tuple(blocks))


def _customers(result: Backtest) -> Section:
    columns = (
        TableColumn("Customer", 1.4), TableColumn("Before"), TableColumn("Now"), TableColumn("By which rule", 1.8), TableColumn("Decided before"),
    )  # fmt: skip
    moved = result.moved
    rows = [
        (
            row["customer_id"], level_cell(row["level_before"]), level_cell(row["level_now"]), ", ".join(row["because"]),
            row["decided"] or "nobody",
        )
        for row in moved.head(_MOST_MOVES).to_dict("records")
    ]  # fmt: skip
    note = _note(_cut(len(moved), _MOST_MOVES))
    return Section("customers", "Who moves", (table(columns, rows, "Nobody moves."), *note))


def _not_tested(result: Backtest) -> Section:
    rows = [(row["customer_id"], row["run_id"], row["why"]) for row in _first(result.not_tested)]
    columns = (TableColumn("Customer"), TableColumn("Run"), TableColumn("Why", 3.0))
    note = _note(_cut(len(result.not_tested), _MOST_NAMED))
    return Section("not_tested", "Not tested", (table(columns, rows, "Every review was judged."), *note))


def hours(minutes: int) -> str:
    """Return minutes as hours in words, as in `12 h 30 min`."""
    whole, rest = divmod(int(minutes), 60)
    return f"{whole:,} h {rest:02d} min"


def _count(number: int, tone: Tone) -> Cell:
    return Cell(f"{number:,}", tone if number else Tone.PLAIN, strong=bool(number))


def _first(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(key): value for key, value in row.items()} for row in frame.head(_MOST_NAMED).to_dict("records")
    ]


def _note(text: str) -> tuple[Block, ...]:
    return (Paragraph(text, Tone.QUIET),) if text else ()


def _cut(count: int, most: int) -> str:
    return (
        f"The first {most:,} of {count:,} are shown; the backtest's data has all of them."
        if count > most
        else ""
    )
