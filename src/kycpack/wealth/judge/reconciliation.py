"""Our derivation compared with a statement that somebody else made, source by source."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import counted
from kycpack.models.money import from_minor
from kycpack.models.wealth import AdditionalSource, SourceOfWealth
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.streams.cadence import PAYMENTS_A_YEAR

RECONCILIATION_COLUMNS = (
    "verdict",
    "our_source_id",
    "their_position",
    "our_type",
    "their_type",
    "our_amount",
    "their_amount",
    "our_frequency",
    "their_frequency",
    "our_total",
    "their_total",
    "difference",
    "explanation",
)

_LEAST_LIKENESS = 0.5
_TWIN = 0.95
_NEAR = Decimal("0.02")


@dataclass(frozen=True)
class _Pair:
    likeness: float
    ours: int
    theirs: int
    agrees: int
    """How much of an identical source it is: 0 unless amount, frequency and total are equal; more with the type, the words and the currency."""


def reconcile(sources: pd.DataFrame, statement: SourceOfWealth, currency: str | None) -> pd.DataFrame:
    """Return one row for each source of either side.

    Args:
        sources: Our sources for the customer, from `sources_of`.
        statement: The other side's statement.
        currency: The currency assumed for the other side's amounts; a statement does not state one.

    Returns:
        `RECONCILIATION_COLUMNS`; amounts are `Decimal` in major units. `verdict` is `equal`, `explained`, `unexplained`, `only_ours` or
        `only_theirs`; `difference` is our total minus theirs.
    """
    ours = records(sources)
    theirs = [statement.primary_source] if statement.primary_source is not None else []
    others: list[AdditionalSource] = [*theirs, *statement.additional_sources]
    pairs = _matched(ours, others, currency)
    rows = [_row(ours[pair.ours], others[pair.theirs], pair.theirs) for pair in pairs]
    rows += [
        _row(row, None, None) for index, row in enumerate(ours) if index not in {pair.ours for pair in pairs}
    ]
    rows += [
        _row(None, source, index)
        for index, source in enumerate(others)
        if index not in {pair.theirs for pair in pairs}
    ]
    return pd.DataFrame(rows, columns=list(RECONCILIATION_COLUMNS))


def _matched(ours: list[dict[str, Any]], theirs: list[AdditionalSource], currency: str | None) -> list[_Pair]:
    # Folded in one call: folding has a fixed cost, however many texts there are.
    plain = to_plain_text([*(row["description"] for row in ours), *(source.description for source in theirs)])
    words = [frozenset(text.split()) for text in plain]
    options = [
        _Pair(_likeness(row, source, said, currency), one, other, _agreement(row, source, said, currency))
        for one, row in enumerate(ours)
        for other, source in enumerate(theirs)
        for said in [(words[one], words[len(ours) + other])]
    ]
    chosen: list[_Pair] = []
    for pair in sorted(options, key=lambda pair: (-pair.agrees, -pair.likeness, pair.ours, pair.theirs)):
        taken = any(pair.ours == other.ours or pair.theirs == other.theirs for other in chosen)
        if (pair.agrees or pair.likeness >= _LEAST_LIKENESS) and not taken:
            chosen.append(pair)
    return sorted(chosen, key=lambda pair: pair.theirs)


def _likeness(
    row: dict[str, Any],
    source: AdditionalSource,
    words: tuple[frozenset[str], frozenset[str]],
    currency: str | None,
) -> float:
    """Return 0..1: a third each for the total, the amount of one payment, and the words with the type."""
    totals = _ratio(from_minor(row["total_minor"], row["currency"]), source.total_value)
    amounts = _ratio(from_minor(row["amount_minor"], row["currency"]), source.amount)
    mine, other = words
    shared = len(mine & other) / max(len(mine | other), 1)
    likeness = (totals + amounts + max(shared, 1.0 if row["type"] == str(source.type) else 0.0)) / 3
    # A statement names no currency. A source in a currency other than the assumed one is matched only if it is nearly identical.
    return likeness if currency in {None, row["currency"]} or likeness >= _TWIN else 0.0


def _agreement(
    row: dict[str, Any],
    source: AdditionalSource,
    words: tuple[frozenset[str], frozenset[str]],
    currency: str | None,
) -> int:
    total, amount = (from_minor(row[name], row["currency"]) for name in ("total_minor", "amount_minor"))
    if (total, amount, int(row["count"])) != (source.total_value, source.amount, source.frequency):
        return 0
    mine, other = words
    return (
        1
        + 4 * int(row["type"] == str(source.type))
        + 2 * int(mine == other)
        + int(row["currency"] == currency)
    )


def _ratio(one: Decimal, other: Decimal) -> float:
    larger = max(abs(one), abs(other))
    return 1.0 if larger == 0 else float(min(abs(one), abs(other)) / larger)


def _row(
    ours: dict[str, Any] | None, theirs: AdditionalSource | None, position: int | None
) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(RECONCILIATION_COLUMNS)
    if ours is not None:
        row |= {
            "our_source_id": ours["source_id"],
            "our_type": ours["type"],
            "our_amount": from_minor(ours["amount_minor"], ours["currency"]),
            "our_frequency": int(ours["count"]),
            "our_total": from_minor(ours["total_minor"], ours["currency"]),
        }
    if theirs is not None:
        row |= {
            "their_position": position,
            "their_type": str(theirs.type),
            "their_amount": theirs.amount,
            "their_frequency": theirs.frequency,
            "their_total": theirs.total_value,
        }
    if ours is None:
        return row | {"verdict": "only_theirs", "explanation": "not explained: we found no matching source"}
    if theirs is None:
        return row | {
            "verdict": "only_ours",
            "explanation": "not explained: their statement has no matching source",
        }
    row["difference"] = row["our_total"] - row["their_total"]
    verdict, explanation = _explained(row, ours["cadence"])
    if ours.get("may_be_twice_minor"):
        verdict, explanation = _of_a_range(row, ours, explanation)
    return row | {"verdict": verdict, "explanation": explanation}


def _of_a_range(row: dict[str, Any], ours: dict[str, Any], explanation: str) -> tuple[str, str]:
    """Return verdict and explanation where some of our payments may be counted twice: equal figures then show nothing, because both sides may count them twice."""
    twice, count = from_minor(ours["may_be_twice_minor"], ours["currency"]), int(ours["may_be_twice_count"])
    once = row["our_frequency"] - count, row["our_total"] - twice
    ours_once = f"{count} of our payments, {twice:,} in all, may be counted twice: without them ours are {counted(once[0], 'payment')}, {once[1]:,} in all"
    if once == (row["their_frequency"], row["their_total"]):
        return "explained", f"{ours_once}, as theirs"
    return "unexplained", f"not settled: {ours_once}; with them: {explanation}"


def _explained(row: dict[str, Any], cadence: str) -> tuple[str, str]:
    same_type = row["our_type"] == row["their_type"]
    named = (
        "" if same_type else f"; the type differs: ours is {row['our_type']}, theirs is {row['their_type']}"
    )
    same = row["our_amount"] == row["their_amount"] and row["our_frequency"] == row["their_frequency"]
    if same and row["difference"] == 0:
        return (
            "equal" if same_type else "unexplained"
        ), "the same amount, number of payments and total" + named
    a_year = PAYMENTS_A_YEAR.get(cadence)
    close = abs(row["our_amount"] - row["their_amount"]) <= _NEAR * max(
        row["our_amount"], row["their_amount"]
    )
    if a_year is not None and row["their_frequency"] == a_year and close and row["our_frequency"] != a_year:
        return (
            "explained",
            f"their number of payments reads as {a_year} payments a year; ours counts those observed" + named,
        )
    if row["difference"] == 0:
        return "explained", "the same total, counted as a different number of payments" + named
    missing = row["our_frequency"] - row["their_frequency"]
    if missing and close:
        side = "more" if missing > 0 else "fewer"
        return (
            "explained",
            f"{counted(abs(missing), f'{side} payment')} here, of the same amount" + named,
        )
    if abs(row["difference"]) <= Decimal("0.01") * max(row["our_frequency"], row["their_frequency"]):
        return "explained", "rounding" + named
    return "unexplained", "amounts differ, and the reason is not known" + named
