"""Where the credits come from: streams, the coverage ledger, red flags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from kycpack.render.charts import Bar, Month, Rhythm, Series, chart_coverage, chart_months, chart_rhythm
from kycpack.render.document_parts import (
    Block,
    Cell,
    Column,
    Figure,
    Paragraph,
    Section,
    Subheading,
    resting_on,
    table,
)
from kycpack.render.drawing import Drawing
from kycpack.render.origin import Origins, calculated, count_of, distinct_of, share_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.statement_pdf import type_words
from kycpack.render.wording import DASH, cell_of, disposition_words, joined, money_words, percents, text_of
from kycpack.wealth.judge.coverage import DISPOSITIONS, SET_ASIDE

if TYPE_CHECKING:
    from kycpack.wealth import Wealth

_NAMED_SERIES = 5
_RHYTHMS = 12


def sections(wealth: Wealth, customer_id: str, part_months: frozenset[Month]) -> Iterator[Section]:
    """Yield the sections on credits, streams, coverage and red flags of one customer."""
    streams = wealth.streams[wealth.streams["customer_id"].astype("string") == customer_id]
    credits_ = wealth.credits[wealth.credits["customer_id"].astype("string") == customer_id]
    coverage = wealth.coverage[wealth.coverage["customer_id"].astype("string") == customer_id]
    flags = wealth.flags[wealth.flags["customer_id"].astype("string") == customer_id]
    yield _streams_section(streams, credits_, part_months)
    yield _coverage_section(coverage, credits_)
    yield _flags_section(flags)


def months_drawing(
    wealth: Wealth, customer_id: str, part_months: frozenset[Month], *, height: float
) -> Drawing | None:
    """Return credits by month in the currency with most of them; None without credits."""
    mine = wealth.of(wealth.credits, customer_id)
    if mine.empty:
        return None
    currency = _currencies(mine)[0]
    streams = wealth.of(wealth.streams, customer_id)
    theirs = streams[streams["currency"].astype("string") == currency]
    return chart_months(
        _series(theirs, mine[mine["currency"].astype("string") == currency]),
        currency,
        part_months=part_months,
        height=height,
    )


def _streams_section(streams: pd.DataFrame, credits_: pd.DataFrame, part_months: frozenset[Month]) -> Section:
    blocks: list[Block] = [
        Paragraph(
            "Streams found in the credits of the linked accounts: observed credits, not net worth; not corroborated by "
            "documents. How a type is known is its evidence level: code, keyword, pattern, or none."
        )
    ]
    for currency in _currencies(credits_):
        mine = credits_[credits_["currency"].astype("string") == currency]
        theirs = streams[streams["currency"].astype("string") == currency]
        blocks += [
            Subheading(f"Credits by month, {currency}"),
            Figure(
                chart_months(_series(theirs, mine), currency, part_months=part_months),
                "Own transfers, refunds and duplicates left out."
                + (" * Part of a month." if part_months & _by_month(mine).keys() else ""),
                (value_of("credits", "booked_on", "payer", currency=currency),),
            ),
        ]
        if not theirs.empty:
            blocks += [
                Subheading(f"When the payments came, {currency}"),
                Figure(
                    chart_rhythm(_rhythms(theirs, mine)),
                    origins=(value_of("credits", "booked_on", "payer", currency=currency),),
                ),
            ]
    columns = (
        Column("Payer", 2.3),
        Column("Type (how known)", 1.7),
        Column("Cadence", 1.1),
        Column("Count", 0.75, right=True),
        Column("Median", 1.4, right=True),
        Column("Total", 1.5, right=True),
        Column("First to last", 1.3),
        Column("Status", 0.8),
    )
    rows = [_stream_row(row) for _, row in _largest_first(streams).iterrows()]
    blocks += [Subheading("Streams"), table(columns, rows, "No stream was found.")]
    if rows:
        heads = (Column("Stream", 1.1), Column("What it says", 6.2), Column("Evidence", 1.2))
        words = [
            resting_on(
                (
                    text_of(r["stream_id"]),
                    text_of(r["description"]),
                    _evidence(credits_[credits_["stream_id"] == r["stream_id"]]),
                ),
                value_of("streams", stream_id=r["stream_id"]),
            )
            for _, r in _largest_first(streams).iterrows()
        ]
        blocks += [Subheading("In words"), table(heads, words)]
    return Section("streams", "Sources of credits", tuple(blocks))


def _coverage_section(coverage: pd.DataFrame, credits_: pd.DataFrame) -> Section:
    blocks: list[Block] = [
        Paragraph(
            "Every booked credit has exactly one disposition. With the duplicates set aside they add up to all booked "
            "credits of the input."
        )
    ]
    for currency in _currencies(coverage):
        mine = coverage[coverage["currency"].astype("string") == currency]
        theirs = credits_[credits_["currency"].astype("string") == currency]
        bars = _bars(mine)
        if bars:
            chart = Figure(chart_coverage(bars, currency), origins=_ledger_origins(currency))
            blocks += [Subheading(f"Coverage, {currency}"), chart]
        counted = mine[mine["disposition"].isin(DISPOSITIONS)]
        shares = dict(zip(counted["disposition"], percents(counted["total_minor"].tolist()), strict=True))
        rows = [
            resting_on(
                (
                    disposition_words(str(row["disposition"])),
                    str(int(row["count"])),
                    money_words(row["total_minor"], currency),
                    shares.get(row["disposition"], "set aside"),
                    _evidence(theirs[theirs["disposition"] == row["disposition"]]),
                ),
                *_disposition_origins(currency, str(row["disposition"])),
            )
            for _, row in mine.iterrows()
            if row["count"]
        ]
        if len(counted):
            rows.append(
                resting_on(
                    (
                        "All booked credits",
                        str(int(counted["count"].sum())),
                        money_words(int(counted["total_minor"].sum()), currency),
                        "100.0%" if counted["total_minor"].sum() else DASH,
                        "",
                    ),
                    *_all_origins(currency),
                )
            )
        columns = (
            Column("Disposition", 3.0),
            Column("Credits", 1.0, right=True),
            Column("Total", 2.0, right=True),
            Column("Share", 1.0, right=True),
            Column("Evidence", 1.6),
        )
        blocks.append(table(columns, rows))
    if coverage.empty:
        blocks.append(Paragraph("There are no booked credits: nothing could be explained.", Tone.UNKNOWN))
    return Section("coverage", "Coverage ledger", tuple(blocks))


def _flags_section(flags: pd.DataFrame) -> Section:
    columns = (
        Column("Flag", 1.3),
        Column("Asks for", 0.9),
        Column("What was seen", 4.2),
        Column("Transactions", 1.8),
        Column("Evidence", 1.0),
    )
    rows = [
        resting_on(
            (
                Cell(text_of(row["code"]).replace("_", " "), strong=True),
                Cell(
                    "EDD" if str(row["severity"]) == "edd" else text_of(row["severity"]).title(), Tone.WATCH
                ),
                text_of(row["message"]),
                joined(row["txn_ids"]),
                joined(row["evidence_ids"]),
            ),
            value_of("flags", code=row["code"], message=row["message"]),
        )
        for _, row in flags.iterrows()
    ]
    return Section("flags", "Patterns that need a look", (table(columns, rows, "No pattern was flagged."),))


def _evidence(credits_: pd.DataFrame) -> str:
    ids = set(credits_["evidence_id"].dropna().astype(str))
    return joined(sorted(ids, key=lambda id_: (len(id_), id_)))


def _disposition_origins(currency: str, disposition: str) -> Origins:
    if disposition in SET_ASIDE:
        return (value_of("coverage", currency=currency, disposition=disposition),)
    rows = {"currency": currency, "disposition": disposition}
    whole = {"currency": currency, "disposition": DISPOSITIONS}
    return (
        count_of("credits", **rows),
        calculated("sum", "credits", "amount_minor", **rows),
        share_of("credits", "amount_minor", rows, whole),
    )


def _all_origins(currency: str) -> Origins:
    rows = {"currency": currency, "disposition": DISPOSITIONS}
    return (
        count_of("credits", **rows),
        calculated("sum", "credits", "amount_minor", **rows),
        share_of("credits", "amount_minor", rows, rows),
    )


def _ledger_origins(currency: str) -> Origins:
    each = [origin for one in DISPOSITIONS for origin in _disposition_origins(currency, one)]
    return (*each, *_all_origins(currency), distinct_of("credits", "disposition", currency=currency))


def _currencies(frame: pd.DataFrame) -> list[str]:
    counts = frame["currency"].astype("string").value_counts()
    return sorted(map(str, counts.index), key=lambda currency: (-int(counts[currency]), currency))


def _largest_first(streams: pd.DataFrame) -> pd.DataFrame:
    return streams.sort_values(["total_minor", "stream_id"], ascending=[False, True], kind="stable")


def _series(streams: pd.DataFrame, credits_: pd.DataFrame) -> list[Series]:
    income = credits_[
        ~credits_["disposition"].astype("string").isin(["own_transfer", "refund", "duplicate", "pending"])
    ]
    named = _largest_first(streams).head(_NAMED_SERIES)
    ids = income["stream_id"].astype("string")
    found = [
        Series(text_of(row["payer"], "No payer"), _by_month(income[ids == str(row["stream_id"])]))
        for _, row in named.iterrows()
    ]
    shown = ids.isin([str(one) for one in named["stream_id"]]).fillna(value=False)
    rest = income[~shown]
    in_stream = rest["disposition"].astype("string") == "stream"
    unexplained = rest["disposition"].astype("string") == "unexplained"
    for name, which in (
        ("Further streams", in_stream),
        ("Single named and small credits", ~in_stream & ~unexplained),
        ("Unexplained", unexplained),
    ):
        by_month = _by_month(rest[which])
        if by_month:
            kind = {"rest": not in_stream[which].any(), "unexplained": name == "Unexplained"}
            found.append(Series(name, by_month, **kind))
    return found


def _by_month(rows: pd.DataFrame) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for booked, minor in zip(rows["booked_on"], rows["amount_minor"], strict=True):
        month = (booked.year, booked.month)
        found[month] = found.get(month, 0) + int(minor)
    return found


def _rhythms(streams: pd.DataFrame, credits_: pd.DataFrame) -> list[Rhythm]:
    ids = credits_["stream_id"].astype("string")
    return [
        Rhythm(
            f"{text_of(row['payer'], 'No payer')}",
            tuple(day.date() for day in sorted(credits_.loc[ids == str(row["stream_id"]), "booked_on"])),
        )
        for _, row in _largest_first(streams).head(_RHYTHMS).iterrows()
    ]


def _bars(coverage: pd.DataFrame) -> list[Bar]:
    found = []
    for disposition in DISPOSITIONS:
        rows = coverage[coverage["disposition"].astype("string") == disposition]
        total, count = int(rows["total_minor"].sum()), int(rows["count"].sum())
        if count:
            found.append(Bar(disposition_words(disposition), total, count, disposition != "unexplained"))
    return found


def _stream_row(row: pd.Series) -> tuple[Cell, ...]:
    currency = row["currency"]
    status = text_of(row["status"], "unknown")
    level = text_of(row["evidence_level"], "none")
    rows = {"stream_id": row["stream_id"]}
    counted = (count_of("credits", **rows),)
    days = tuple(calculated(operation, "credits", "booked_on", **rows) for operation in ("min", "max"))
    cells = (
        cell_of(row["payer"], "No payer"),
        Cell(f"{type_words(text_of(row['type'], 'other'))} ({level})"),
        Cell(text_of(row["cadence"]).replace("_", "-")),
        Cell(str(int(row["count"])), origins=counted),
        Cell(money_words(row["median_minor"], currency)),
        Cell(
            money_words(row["total_minor"], currency),
            strong=True,
            origins=(calculated("sum", "credits", "amount_minor", **rows),),
        ),
        Cell(f"{text_of(row['first_on'])} to {text_of(row['last_on'])}", origins=days),
        Cell(status.title(), Tone.PLAIN if status in {"active", "early"} else Tone.WATCH),
    )
    return resting_on(cells, value_of("streams", **rows))
