"""The coverage ledger: every booked credit under its disposition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kycpack.models.listed import counted
from kycpack.render.charts import Bar, chart_coverage
from kycpack.render.document_parts import (
    Block,
    Figure,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import Origins, calculated, count_of, distinct_of, share_of, value_of
from kycpack.render.palette import DOUBTED, Tone
from kycpack.render.review.shares import DOUBTED_WORDS
from kycpack.render.review.weak_natures import weak_sums
from kycpack.render.wording import (
    ADJUSTED,
    DASH,
    disposition_words,
    is_absent,
    is_adjusted,
    joined,
    money_words,
    range_words,
    share_words,
)
from kycpack.wealth.judge.coverage import DISPOSITIONS, KNOWN, PENDING, SET_ASIDE
from kycpack.wealth.judge.wording import count_words

Row = dict[str, Any]
_COLOURS = "Coloured by nature, as on page one. Grey: own transfers, and what was taken back."
TWICE_INCLUDED = " What may be counted twice is included."
"""What the caption of a chart adds if it has such amounts."""


def coverage_section(
    coverage: list[Row],
    credits_: list[Row],
    *,
    base_currency: str | None = None,
    aside: Iterable[Row] = (),
) -> Section:
    """Return the section of the coverage ledger.

    Args:
        coverage: Rows of frame `coverage` of one customer.
        credits_: The customer's rows of frame `credits`, with their nature.
        base_currency: The currency that comes first.
        aside: The customer's rows of frame `set_aside`, with their evidence.
    """
    not_counted = by_value([*aside], "currency")
    blocks: list[Block] = [
        Paragraph(
            "Every booked credit is counted in exactly one way, which does not say where the money comes from. Together with "
            "the duplicates set aside they add up to all booked credits in the data. A stream is a series of credits from one payer. Cashback "
            "is money that a shop or a card issuer returns: it is not income. A single credit counts as small below a limit in the policy, which has its own limit for gifts. "
            "Page one counts all credits by nature, without own transfers and what was taken back."
        )
    ]
    for currency in currencies_of(coverage, base_currency):
        mine = in_currency(currency, coverage)
        theirs = in_currency(currency, credits_)
        by_disposition = by_value(theirs, "disposition")
        resting = by_disposition | by_value(not_counted.get(currency, []), "disposition")
        twice = Counter[str]()
        copies = Counter[str]()
        for row in theirs:
            twice[row["disposition"]] += row["may_be_twice_minor"]
            copies[row["disposition"]] += row["may_be_twice_minor"] > 0
        bars = _bars(mine, by_disposition)
        if bars:
            note = f"{_COLOURS}{TWICE_INCLUDED}" if twice.total() else _COLOURS
            chart = Figure(chart_coverage(bars, currency), note, _ledger_origins(currency))
            blocks += [Subheading(f"All credits, {currency}"), chart]
        counted = [row for row in mine if row["disposition"] in DISPOSITIONS]
        count, total = (sum(row[name] for row in counted) for name in ("count", "total_minor"))
        parts = share_words([row["total_minor"] for row in counted])
        shares = {row["disposition"]: part for row, part in zip(counted, parts, strict=True)}
        rows = [
            resting_on(
                (
                    disposition_words(str(row["disposition"])),
                    count_words(row["count"] - copies[row["disposition"]], row["count"]),
                    range_words(row["total_minor"] - twice[row["disposition"]], row["total_minor"], currency),
                    shares.get(row["disposition"], "set aside"),
                    evidence_of(resting.get(str(row["disposition"]), ())),
                ),
                *_disposition_origins(currency, str(row["disposition"])),
            )
            for row in mine
            if row["count"]
        ]
        if counted:
            rows.append(
                resting_on(
                    (
                        "All credits counted",
                        count_words(count - copies.total(), count),
                        range_words(total - twice.total(), total, currency),
                        "100.0%" if total else DASH,
                        "",
                    ),
                    *_disposition_origins(currency, DISPOSITIONS),
                )
            )
        columns = (
            TableColumn("Counted as", 3.0),
            TableColumn("Credits", 1.0, right=True),
            TableColumn("Total", 2.0, right=True),
            TableColumn("Share", 1.0, right=True),
            TableColumn("Evidence", 1.6),
        )
        streams = _streams_words(currency, by_disposition.get("stream", []))
        weak = weak_sums(theirs, currency)
        named = [Paragraph(weak.text, origins=weak.origins)] if weak else []
        adjusted = (
            (Paragraph(ADJUSTED, Tone.QUIET),) if is_adjusted([row["total_minor"] for row in counted]) else ()
        )
        waiting = by_value(not_counted.get(currency, []), "disposition").get(PENDING, [])
        blocks += [table(columns, rows), *adjusted, *streams, *named]
        blocks += [*_repeats(currency, theirs), *_pending(currency, waiting)]
    if not coverage:
        blocks = [Paragraph("There are no booked credits to explain.", Tone.UNKNOWN)]
    return Section("coverage", "How each credit was counted", tuple(blocks))


def _streams_words(currency: str, credits_: list[Row]) -> Iterator[Paragraph]:
    """Yield how much of the credits in streams is of known nature, as page one counts it."""
    known, doubted = ([row for row in credits_ if row["nature"] == one] for one in (KNOWN, DOUBTED))
    total, twice = (sum(row[name] for row in credits_) for name in ("amount_minor", "may_be_twice_minor"))
    least, most = (sum(row[name] for row in known) for name in ("least_minor", "most_minor"))
    if total:
        rows = {"currency": currency, "disposition": "stream"}
        whole = range_words(total - twice, total, currency)
        words = f"Of the {whole} in streams, the nature of {range_words(least, most, currency)} is known"
        if most in {0, total}:
            words = f"{'All' if most else 'None'} of the {whole} in streams is of known nature"
        if doubted:
            low, high = (sum(row[name] for row in doubted) for name in ("least_minor", "most_minor"))
            words += f"; {range_words(low, high, currency)} has its {DOUBTED_WORDS}"
        ends = (
            calculated("sum", "credits", f"{end}_minor", **rows, nature=KNOWN, **ids)
            for ids in ([_ids_of(known), _ids_of(doubted)] if doubted else [{}])
            for end in ("least", "most")
        )
        yield Paragraph(f"{words}.", origins=(*_disposition_origins(currency, "stream"), *ends))


def _ids_of(credits_: list[Row]) -> dict[str, list[str]]:
    return {name: [str(row[name]) for row in credits_] for name in ("account_id", "txn_id")}


def _repeats(currency: str, credits_: list[Row]) -> Iterator[Paragraph]:
    """Yield how much of the ledger may be counted twice."""
    rows = [row for row in credits_ if row["may_be_twice_minor"]]
    maybe = [row["may_be_twice_minor"] for row in rows]
    own = sum(row["may_be_twice_minor"] for row in rows if row["disposition"] == "own_transfer")
    if maybe:
        moved = f", of which {money_words(own, currency)} is own transfers" if own else ""
        origins = (
            count_of("credits", currency=currency, may_be_twice_minor=">0"),
            calculated("sum", "credits", "may_be_twice_minor", currency=currency),
            calculated("sum", "credits", "may_be_twice_minor", currency=currency, disposition="own_transfer"),
        )
        words = (
            f"These sums include {counted(len(maybe), 'credit')} that may be counted twice: {money_words(sum(maybe), currency)}{moved}. "
            "The shares are of the larger sums."
        )
        yield Paragraph(words, Tone.UNKNOWN, origins)


def _pending(currency: str, waiting: list[Row]) -> Iterator[Paragraph]:
    """Yield what became of the pending credits: whether they are in the data as booked ones, too."""
    later = [row for row in waiting if not is_absent(row["kept_txn_id"])]
    ahead = [row for row in waiting if is_absent(row["kept_txn_id"])]
    for rows, one, several in (
        (later, "is also in the data as booked, and is", "are also in the data as booked, and are"),
        (ahead, "is not booked yet, and is not", "are not booked yet, and are not"),
    ):
        if rows:
            of = {name: [row[name] for row in rows] for name in ("account_id", "txn_id")}
            of |= {"currency": [currency], "status": [PENDING]}
            what = f"{counted(len(rows), 'pending credit')} of {money_words(sum(row['amount_minor'] for row in rows), currency)}"
            yield Paragraph(
                f"{what} {one if len(rows) == 1 else several} counted{' once' if rows is later else ''}.",
                origins=(
                    count_of("transactions", **of),
                    calculated("sum", "transactions", "amount_minor", **of),
                ),
            )


def _disposition_origins(currency: str, disposition: str | tuple[str, ...]) -> Origins:
    """Return the origins of the count, the sum and the share of one disposition, or of several together."""
    if disposition in SET_ASIDE:
        return (value_of("coverage", currency=currency, disposition=disposition),)
    rows = {"currency": currency, "disposition": disposition}
    whole = {"currency": currency, "disposition": DISPOSITIONS}
    return (
        count_of("credits", **rows),
        count_of("credits", **rows, may_be_twice_minor=0),
        calculated("sum", "credits", "amount_minor", **rows),
        calculated("sum", "credits", "amount_minor", **rows, may_be_twice_minor=0),
        share_of("credits", "amount_minor", rows, whole),
    )


def _ledger_origins(currency: str) -> Origins:
    each = [origin for one in (*DISPOSITIONS, DISPOSITIONS) for origin in _disposition_origins(currency, one)]
    return (*each, distinct_of("credits", "disposition", currency=currency))


def _bars(coverage: list[Row], credits_: Mapping[str, list[Row]]) -> list[Bar]:
    found = []
    for disposition in DISPOSITIONS:
        rows = [row for row in coverage if row["disposition"] == disposition]
        total, count = (sum(row[name] for row in rows) for name in ("total_minor", "count"))
        if count:
            parts = Counter[str]()
            for row in () if disposition == "own_transfer" else credits_.get(disposition, ()):
                parts[row["nature"]] += row["most_minor"]
            found.append(Bar(disposition_words(disposition), total, count, parts))
    return found


def evidence_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the ids of the evidence of rows, as text."""
    ids = {str(row["evidence_id"]) for row in rows if not is_absent(row["evidence_id"])}
    return joined(sorted(ids, key=lambda id_: (len(id_), id_)))


def in_currency(currency: str, rows: list[Row]) -> list[Row]:
    """Return the rows in one currency."""
    return [row for row in rows if row["currency"] == currency]


def by_value(rows: list[Row], name: str) -> dict[str, list[Row]]:
    """Return rows by the value of one of their columns."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row[name]), []).append(row)
    return found


def currencies_of(rows: list[Row], base_currency: str | None = None) -> list[str]:
    """Return the currencies of rows: the base currency, then the one with the most rows; equal ones in alphabetical order."""
    return by_count(Counter(str(row["currency"]) for row in rows), base_currency)


def by_count(counts: Mapping[str, int], base_currency: str | None) -> list[str]:
    """Return currencies in the order of the pages: the base currency, then the one with the most; equal ones in alphabetical order."""
    return sorted(counts, key=lambda currency: (currency != base_currency, -counts[currency], currency))
