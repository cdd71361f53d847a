"""The sources of the credits: streams, the coverage ledger, red flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import Any

from kycpack.frames.rows import records
from kycpack.models.listed import counted
from kycpack.models.money import ROUNDING
from kycpack.render.charts import (
    Rhythm,
    chart_months,
    chart_rhythm,
)
from kycpack.render.document_parts import (
    Block,
    Cell,
    Figure,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.drawing import Drawing
from kycpack.render.origin import Given, calculated, count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.coverage import (
    TWICE_INCLUDED,
    by_value,
    coverage_section,
    currencies_of,
    evidence_of,
    in_currency,
)
from kycpack.render.review.credit_series import NO_INCOME, credit_series, nature_of_most, shown_natures
from kycpack.render.review.flagged import flags_section
from kycpack.render.review.movements import PartMonths, part_month_note
from kycpack.render.review.outlook import outlook_blocks
from kycpack.render.review.payment_keys import Key, key_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import payers_of
from kycpack.render.statement_pdf import type_words
from kycpack.render.wording import (
    DASH,
    disposition_words,
    is_absent,
    money_words,
    net_words,
    payer_name,
    sentence_case,
    text_of,
)
from kycpack.wealth import Wealth
from kycpack.wealth.judge.outlook_words import cadence_words
from kycpack.wealth.judge.unexplained import possible_words
from kycpack.wealth.judge.wording import (
    NO_NATURE,
    NOT_ESTABLISHED,
    count_words,
    with_odd_words,
)
from kycpack.wealth.prepare.lexicon import OTHER

_SOURCES = "Sources of credits"
_NAMED_SERIES = 5
_STRIP_HEIGHT, _STRIP_NAMES = 17.0, 2  # of its axis, in millimetres; months that its note has room for
_SINGLE = ("one_off", "unexplained")
_HOW_KNOWN = {
    "code": "bank's code",
    "entity": "known payer",
    "purpose": "sender's purpose code",
    "keyword": "words in the payment text",
    "pattern": "pattern of payments",
}
_SINGLE_ROWS = 20
_CREDIT_COLUMNS = (
    *("currency", "disposition", "stream_id", "booked_on", "amount_minor", "evidence_id"),
    *(
        "account_id",
        "txn_id",
        "payer",
        "type",
        "evidence_level",
        "doubtful",
        "may_be_twice_minor",
        "least_minor",
        "most_minor",
    ),
)

Row = dict[str, Any]
_RHYTHMS = 12


Months = Mapping[str, partial[Drawing]]
"""The chart of credits by month of each currency, which lacks only its height and whether it is a strip."""


def sections(
    wealth: Wealth,
    customer_id: str,
    months: Months,
    names: ShortNames,
    doubted: AbstractSet[Key] = frozenset(),
) -> Iterator[Section]:
    """Yield the sections on credits, streams, coverage and red flags of one customer; `doubted` as for `months_of`."""
    streams, credits_ = _streams_and_credits(wealth, customer_id, doubted)
    base = wealth.base_currency(customer_id)
    in_order = {one: months[one] for one in currencies_of(credits_, base)}
    yield _streams_section(streams, credits_, in_order, wealth.generated_at)
    yield coverage_section(
        records(wealth.of(wealth.coverage, customer_id)),
        credits_,
        base_currency=base,
        aside=_set_aside(wealth, customer_id),
    )
    flags = records(wealth.of(wealth.flags, customer_id))
    by_id = {key_of(row): row for row in credits_}
    yield flags_section(
        flags,
        wealth.of(wealth.transactions, customer_id),
        names,
        {key: payer_name(row["payer"]) for key, row in by_id.items()},
        payers_of(flags, by_id),
    )


def _set_aside(wealth: Wealth, customer_id: str) -> list[Row]:
    """Return the credits of a customer that are not counted, with the evidence of each."""
    keys = ["account_id", "txn_id"]
    aside, all_of = (wealth.of(one, customer_id) for one in (wealth.set_aside, wealth.transactions))
    if aside.empty:
        return []
    evidence = {key_of(row): row["evidence_id"] for row in records(all_of, *keys, "evidence_id")}
    return [
        row | {"evidence_id": evidence.get(key_of(row))}
        for row in records(aside, *keys, "currency", "disposition", "amount_minor", "kept_txn_id")
    ]


def strip_of(months: Months, base_currency: str | None) -> Drawing | None:
    """Return the small chart of credits by month, in the base currency, with the note on its part months; None without credits."""
    if base_currency is None:
        return None
    drawn = months[base_currency](height=_STRIP_HEIGHT, is_strip=True)
    note = part_month_note(
        drawn, part_months=months[base_currency].keywords["part_months"], most=_STRIP_NAMES
    )
    return replace(drawn, note=note.strip(" ."))


def months_of(
    wealth: Wealth,
    customer_id: str,
    part_months: PartMonths,
    doubted: AbstractSet[Key] = frozenset(),
) -> Months:
    """Return the charts of one customer's credits by month, those of known nature that are in doubt apart."""
    mine, transactions, streams = (
        wealth.of(one, customer_id) for one in (wealth.credits, wealth.transactions, wealth.streams)
    )
    found = {}
    for currency in mine["currency"].astype(str).unique():
        series = credit_series(
            mine[mine["currency"] == currency],
            streams,
            lambda row: payer_name(row["payer"]),
            _NAMED_SERIES,
            doubted,
        )
        days = transactions.loc[transactions["currency"] == currency, "booked_on"].dropna()
        covered = {(day.year, day.month) for day in (days.min(), days.max())} if len(days) else set()
        in_part = part_months.get(currency, frozenset())
        found[currency] = partial(chart_months, series, currency, part_months=in_part, covered=covered)
    return found


def _streams_and_credits(
    wealth: Wealth, customer_id: str, doubted: AbstractSet[Key]
) -> tuple[list[Row], list[Row]]:
    """Return the customer's streams, by currency as in the charts and the largest first, and the customer's credits."""
    mine, theirs = (wealth.of(one, customer_id) for one in (wealth.credits, wealth.streams))
    credits_ = [
        row | {"nature": nature}
        for row, nature in zip(
            records(mine, *_CREDIT_COLUMNS), shown_natures(mine, theirs, doubted), strict=True
        )
    ]
    streams = records(theirs)
    order = currencies_of(credits_, wealth.base_currency(customer_id))
    place = {currency: number for number, currency in enumerate(order)}
    return sorted(
        streams, key=lambda row: (place[str(row["currency"])], -row["total_minor"], row["stream_id"])
    ), credits_


def _streams_section(streams: list[Row], credits_: list[Row], months: Months, as_of: str) -> Section:
    if not credits_:
        return Section("streams", _SOURCES, (Paragraph("There are no booked credits.", Tone.UNKNOWN),))
    blocks: list[Block] = [
        Paragraph(
            "Streams found in the credits of the linked accounts: observed credits, not net worth; not corroborated by "
            "documents. The words in brackets say how a type is known: a payer is a known one only where its name is written as in the list of known payers, so two texts of one payer may be known in different ways. Transfers from persons show who paid and not what for, so their nature is not established. "
            f"{ROUNDING}"
        )
    ]
    for currency in months:
        mine, theirs = in_currency(currency, credits_), in_currency(currency, streams)
        twice = any(row["may_be_twice_minor"] for row in mine if row["disposition"] not in NO_INCOME)
        drawn = months[currency]()
        blocks += [
            Subheading(f"Credits by month, {currency}"),
            Figure(
                drawn,
                "Without own transfers, refunds, duplicates and what was taken back; each source in the colour that the key gives it. Page one has one colour for each nature instead."
                + (TWICE_INCLUDED if twice else "")
                + part_month_note(drawn, part_months=months[currency].keywords["part_months"]),
                (
                    value_of("credits", "booked_on", "payer", currency=currency),
                    value_of("transactions", "booked_on", currency=currency),
                ),
            ),
        ]
        if theirs:
            blocks += [
                Subheading(f"When the payments came, {currency}"),
                Figure(
                    chart_rhythm(_rhythms(theirs, mine)),
                    origins=(value_of("credits", "booked_on", "payer", currency=currency),),
                ),
            ]
    columns = (
        TableColumn("Payer", 2.3),
        TableColumn("Type (how known)", 1.7),
        TableColumn("Cadence", 1.1),
        TableColumn("Count", 0.75, right=True),
        TableColumn("Median", 1.4, right=True),
        TableColumn("Total", 1.5, right=True),
        TableColumn("First to last", 1.3),
        TableColumn("Status", 0.8),
    )
    rows = [_stream_row(row) for row in streams]
    blocks += [
        Subheading("Streams"),
        table(columns, rows, "No stream was found."),
    ]
    if rows:
        heads = (TableColumn("Description", 7.3), TableColumn("Evidence", 1.2))
        by_stream = by_value(credits_, "stream_id")
        words = [
            resting_on(
                (
                    with_odd_words(r),
                    evidence_of(by_stream.get(str(r["stream_id"]), ())),
                ),
                value_of("streams", stream_id=r["stream_id"]),
            )
            for r in streams
        ]
        blocks += [Subheading("In words"), table(heads, words), *outlook_blocks(streams, as_of)]
    for currency in months:
        blocks += _single_credits(in_currency(currency, credits_), currency)
    return Section("streams", _SOURCES, tuple(blocks))


def _single_credits(credits_: list[Row], currency: str) -> Iterator[Block]:
    """Yield the credits in one currency outside the streams that are large or unexplained, the largest first."""
    single = [row for row in credits_ if row["disposition"] in _SINGLE]
    if not single:
        return
    single.sort(key=lambda row: (-row["amount_minor"], row["booked_on"], row["account_id"], row["txn_id"]))
    columns = (
        TableColumn("Payer", 2.5),
        TableColumn("Type (how known)", 2.0),
        TableColumn("Amount", 1.5, right=True),
        TableColumn("Booked on", 1.1),
        TableColumn("Counted as", 1.5),
        TableColumn("Evidence", 0.8),
    )
    lines = [
        resting_on(
            (
                payer_name(row["payer"]),
                _type_words(row),
                money_words(row["amount_minor"], row["currency"]),
                text_of(row["booked_on"]),
                disposition_words(str(row["disposition"])),
                text_of(row["evidence_id"], DASH),
            ),
            value_of("credits", account_id=row["account_id"], txn_id=row["txn_id"]),
        )
        for row in single[:_SINGLE_ROWS]
    ]
    yield Subheading(f"Named and unexplained credits outside the streams, {currency}")
    yield table(columns, lines)
    if len(single) > _SINGLE_ROWS:
        words = f"The largest {_SINGLE_ROWS} of {len(single)} in {currency}; all of them are in the workbook, sheet credits."
        yield Paragraph(
            words,
            origins=(
                count_of("credits", currency=currency, disposition=_SINGLE),
                Given("rows of this table"),
            ),
        )


def _rhythms(streams: list[Row], credits_: list[Row]) -> list[Rhythm]:
    by_stream = by_value(credits_, "stream_id")
    return [
        Rhythm(
            payer_name(row["payer"]),
            tuple(sorted(one["booked_on"].date() for one in by_stream.get(str(row["stream_id"]), ()))),
            nature_of_most(by_stream.get(str(row["stream_id"]), [])),
        )
        for row in streams[:_RHYTHMS]
    ]


def _type_words(row: Row) -> str:
    """Return a type with how it is known, as in `Employment (bank's code)`; without that where it shows no nature, and only what it may be where no more is known."""
    kind, level = text_of(row["type"], OTHER), text_of(row["evidence_level"], "")
    if possible := possible_words(kind, level):
        return f"{sentence_case(NO_NATURE)}; {possible}"
    known = "" if kind in NOT_ESTABLISHED else _HOW_KNOWN.get(level)
    return f"{type_words(kind)}{f' ({known})' if known else ''}"


def _total_words(row: Row) -> str:
    return net_words(row["least_total_minor"], row["most_total_minor"], row["total_minor"], row["currency"])


def _stream_row(row: Row) -> tuple[Cell, ...]:
    currency = row["currency"]
    status = text_of(row["status"], "unknown")
    rows = {"stream_id": row["stream_id"]}
    count = int(row["count"])
    of_count = (count_of("credits", **rows), count_of("credits", **rows, may_be_twice_minor=0))
    days = tuple(calculated(operation, "credits", "booked_on", **rows) for operation in ("min", "max"))
    cells = (
        Cell(payer_name(row["payer"]), Tone.UNKNOWN if is_absent(row["payer"]) else Tone.PLAIN),
        Cell(_type_words(row)),
        Cell(
            cadence_words(text_of(row["cadence"]))
            + (
                f"; {counted(int(row['odd_count']), 'payment')} far from the median: see below"
                if row["odd_count"]
                else ""
            )
        ),
        Cell(count_words(count - int(row.get("may_be_twice_count") or 0), count), origins=of_count),
        Cell(money_words(row["median_minor"], currency)),
        Cell(
            _total_words(row),
            strong=True,
            origins=(calculated("sum", "credits", "amount_minor", **rows), value_of("streams", **rows)),
        ),
        Cell(f"{text_of(row['first_on'])} to {text_of(row['last_on'])}", origins=days),
        Cell(status.title(), Tone.PLAIN if status in {"active", "early"} else Tone.WATCH),
    )
    return resting_on(cells, value_of("streams", **rows))
