"""The source of wealth statement: sources in the interface's shape, from streams and single named credits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from types import MappingProxyType
from typing import Any

import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.models.dates import day_words
from kycpack.models.money import format_minor, from_minor
from kycpack.models.wealth import (
    AdditionalSource,
    PrimarySource,
    SourceOfWealth,
    StatementAccount,
    StatementCustomer,
)
from kycpack.wealth.judge.outlook_words import LESS, cadence_words
from kycpack.wealth.judge.unexplained import CASH, UNEXPLAINED
from kycpack.wealth.judge.wording import LIMITS, count_words, describe_credit, total_words, type_words
from kycpack.wealth.match.exchange_rates import currency_of, largest
from kycpack.wealth.prepare.evidence_levels import ONLY_POSSIBLE
from kycpack.wealth.prepare.lexicon import OTHER

_UNNAMED = "credits whose nature is not established"
NEVER_PRIMARY = frozenset({"loan", "tax_refund", CASH, "person_transfer", OTHER})
"""Debt, the customer's own money coming back, or unexplained credits: never a primary source."""

SOURCE_COLUMNS = (
    "source_id",
    "currency",
    "type",
    "count",
    "total_minor",
    "least_total_minor",
    "most_total_minor",
    "may_be_twice_minor",
    "may_be_twice_count",
    "amount_minor",
    "status",
    "first_on",
    "last_on",
    "cadence",
    "evidence_level",
    "doubtful",
    "description",
)
# Only sources that are alike in all of it are in the order of their ids.
_IN_ORDER = [
    "currency",
    "total_minor",
    "least_total_minor",
    "first_on",
    "last_on",
    "type",
    "description",
    "source_id",
]
_LARGEST_FIRST = frozenset({"total_minor", "least_total_minor"})
_MADE_HERE = frozenset({"source_id", "may_be_twice_minor"})


def average_minor(total_minor: int, count: int) -> int:
    """Return the amount of one payment: the total divided by the count, rounded half-even to the minor unit."""
    return int((Decimal(int(total_minor)) / int(count)).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def sources_of(streams: pd.DataFrame, credits_: pd.DataFrame) -> pd.DataFrame:
    """Return the sources of one customer, the largest first within a currency.

    Args:
        streams: The customer's rows of frame `streams`.
        credits_: The customer's rows of frame `credits`.

    Returns:
        `SOURCE_COLUMNS`; `source_id` is the stream's id, or the account and transaction of a single credit.
    """
    twice = credits_.groupby("stream_id", observed=True)["may_be_twice_minor"].sum()
    rows: list[dict[str, Any]] = [
        {name: row[name] for name in SOURCE_COLUMNS if name not in _MADE_HERE}
        | {"source_id": row["stream_id"], "may_be_twice_minor": int(twice.get(row["stream_id"], 0))}
        for row in records(streams)
    ]
    rows += [
        {
            "source_id": f"{row['account_id']}/{row['txn_id']}",
            "currency": row["currency"],
            "type": row["type"],
            "count": 1,
            "total_minor": row["amount_minor"],
            "least_total_minor": row["least_minor"],
            "most_total_minor": row["most_minor"],
            "may_be_twice_minor": row["may_be_twice_minor"],
            "may_be_twice_count": int(row["may_be_twice_minor"] > 0),
            "amount_minor": row["amount_minor"],
            "status": "active",
            "first_on": row["booked_on"],
            "last_on": row["booked_on"],
            "cadence": "irregular",
            "evidence_level": row["evidence_level"],
            "doubtful": row["doubtful"],
            "description": describe_credit(row),
        }
        for row in records(credits_[credits_["disposition"] == "one_off"])
    ]
    return (
        pd.DataFrame(rows, columns=list(SOURCE_COLUMNS))
        .sort_values(_IN_ORDER, ascending=[one not in _LARGEST_FIRST for one in _IN_ORDER], kind="stable")
        .reset_index(drop=True)
    )


def base_currency_of(credits_: pd.DataFrame, country: str) -> str | None:
    """Return the currency with the most credits; None if there are no credits.

    Args:
        credits_: Credits of one customer.
        country: Country of the customer's bank. If currencies have equally many credits, the one whose sum is worth more at any rate between 2010
            and now is chosen; if that is undecided, the country's own; otherwise the one that sorts first.
    """
    counts: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    for row in rows(credits_, "currency", "amount_minor"):
        counts[str(row.currency)] += 1
        sums[str(row.currency)] += int(row.amount_minor)
    most = max(counts.values(), default=0)
    equal = {currency: sums[currency] for currency in sorted(counts) if counts[currency] == most}
    home = currency_of(country)
    return largest(equal) or (home if home in equal else next(iter(equal), None))


def beside_sources_of(credits_: pd.DataFrame) -> dict[tuple[str, str], int]:
    """Return the sums of the credits that are not in a source although they may matter, minor units, by currency and type.

    Args:
        credits_: The customer's rows of frame `credits`.

    Returns:
        Cash that was paid in now and then, as type `cash_deposit`, and all other credits whose nature is not established, as `other`; without
        what was taken back.
    """
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows(credits_, "currency", "type", "disposition", "most_minor"):
        if row.type == CASH and row.disposition in {UNEXPLAINED, "small_other"}:
            sums[str(row.currency), CASH] += int(row.most_minor)
        elif row.disposition == UNEXPLAINED:
            sums[str(row.currency), OTHER] += int(row.most_minor)
    return dict(sums)


def build_statement(
    sources: pd.DataFrame,
    *,
    customer: StatementCustomer,
    accounts: list[StatementAccount],
    base_currency: str | None,
    generated_at: str,
    beside: Mapping[tuple[str, str], int] = MappingProxyType({}),
    further_sentences: tuple[str, ...] = (),
    payment_amount: Decimal | None = None,
) -> SourceOfWealth:
    """Return a statement.

    Args:
        sources: From `sources_of`.
        customer: The customer whom the statement is about.
        accounts: Accounts as they are shown.
        base_currency: Currency of the primary source.
        generated_at: Time of creation in UTC.
        beside: From `beside_sources_of`.
        further_sentences: From `unexplained_words`, `linked_twice_of` and `jointly_held`.
        payment_amount: For the statement of a payment, its amount in major units.

    Source: interface, "Source of wealth statement". `frequency` is the number of payments observed, `totalValue` their exact sum, `amount`
        `totalValue` divided by `frequency`, rounded half-even.
    """
    primary = primary_source(sources, base_currency)
    rest = sources if primary is None else sources.drop(index=primary)
    further = records(rest)
    closing = (*further_sentences, LIMITS)
    fields: dict[str, Any] = {
        "customer": customer,
        "accounts": accounts,
        "primary_source": None
        if primary is None
        else _primary(records(sources.loc[[primary]])[0], further, beside, closing),
        "additional_sources": [_additional(row) for row in further],
        "generated_at": generated_at,
    }
    observed = _observed(further, beside, base_currency)
    if primary is None and observed:
        fields["context"] = " ".join((observed, *closing))
    if payment_amount is not None:
        fields["payment_amount"] = payment_amount
    return SourceOfWealth(**fields)


def primary_source(sources: pd.DataFrame, base_currency: str | None) -> int | None:
    """Return the index of the primary source: the largest eligible total, active before ceased; None if there is none.

    What may be counted twice, and what was or may have been taken back, makes no source the largest. A source that other evidence contradicts is not eligible, nor is one whose nature is only possible.
    """
    names = ("currency", "type", "evidence_level", "doubtful", "status", "least_total_minor")
    eligible = [
        (row.status == "ceased", -row.least_total_minor, index)
        for index, row in zip(sources.index.tolist(), rows(sources, *names), strict=True)
        if row.currency == base_currency
        and row.type not in NEVER_PRIMARY
        and not row.doubtful
        and (row.type, row.evidence_level) not in ONLY_POSSIBLE
        and not (row.type == "savings" and row.evidence_level in {"purpose", "keyword"})
    ]
    return min(eligible)[-1] if eligible else None


def _members(row: dict[str, Any]) -> dict[str, Any]:
    currency = row["currency"]
    return {
        "description": row["description"],
        "amount": from_minor(row["amount_minor"], currency),
        "frequency": int(row["count"]),
        "total_value": from_minor(row["total_minor"], currency),
        "type": row["type"],
    }


def _additional(row: dict[str, Any]) -> AdditionalSource:
    return AdditionalSource(**_members(row))


def _primary(
    row: dict[str, Any],
    rest: list[dict[str, Any]],
    beside: Mapping[tuple[str, str], int],
    closing: tuple[str, ...],
) -> PrimarySource:
    count, total = int(row["count"]), total_words(row)
    first, last = day_words(row["first_on"]), day_words(row["last_on"])
    in_all = total if int(row["most_total_minor"]) < int(row["total_minor"]) else f"{total} in all"
    seen = (
        f"1 payment observed on {first}, {total}"
        if count == 1
        else f"{count_words(count - int(row['may_be_twice_count']), count)} payments observed from {first} to {last}, {in_all}, {cadence_words(row['cadence'])}, {row['status']}"
    )
    sentences = (
        f"{seen}.",
        *_less(row),
        f"Amounts in {row['currency']}.",
        *_beside(row, rest, beside),
        *closing,
    )
    return PrimarySource(**_members(row), context=" ".join(sentences))


def _observed(
    sources: list[dict[str, Any]], beside: Mapping[tuple[str, str], int], base_currency: str | None
) -> str:
    """Return the sums of what was observed where no source is eligible as the main one; empty if nothing was."""
    totals: Counter[tuple[str, str]] = Counter(beside)
    contradicted: list[str] = []
    for row in sources:
        currency, type_, total = str(row["currency"]), str(row["type"]), int(row["most_total_minor"])
        if row["doubtful"]:
            contradicted.append(f"{_amount_of(type_, total, currency)}, contradicted by other evidence")
        else:
            totals[currency, type_] += total
    in_order = sorted(totals.items(), key=lambda one: (one[0][0] != base_currency, one[0]))
    said = [_amount_of(type_, total, currency) for (currency, type_), total in in_order]
    listed = "; ".join([*said, *contradicted])
    return f"Observed, but not eligible as the main source: {listed}." if listed else ""


def _less(row: dict[str, Any]) -> Iterator[str]:
    """Yield how much of a total is left without what was, or may have been, taken back, and without what may be counted twice."""
    least, most, twice = (
        int(row[name]) for name in ("least_total_minor", "most_total_minor", "may_be_twice_minor")
    )
    parts = (twice, most - least - twice, int(row["total_minor"]) - most)
    said = [
        f"{format_minor(minor, row['currency'])} {what}"
        for minor, what in zip(parts, LESS, strict=True)
        if minor
    ]
    if said:
        left = format_minor(least, row["currency"])
        yield f"{f'At least {left}' if least < most else f'{left} net'}: {', and '.join(said)}."


def _beside(
    primary: dict[str, Any], rest: list[dict[str, Any]], beside: Mapping[tuple[str, str], int]
) -> Iterator[str]:
    """Yield what a reader would miss if only the primary source were shown: larger sums, and other currencies."""
    totals: Counter[tuple[str, str]] = Counter()
    ceased: list[str] = []
    contradicted: list[str] = []
    for row in rest:
        if row["doubtful"] and _is_larger_of_its_kind(row, primary):
            total = format_minor(int(row["most_total_minor"]), row["currency"])
            contradicted.append(f"{type_words(row['type'])} {total}")
        elif row["status"] == "ceased" and _is_larger_of_its_kind(row, primary):
            total = format_minor(int(row["most_total_minor"]), row["currency"])
            ceased.append(f"{type_words(row['type'])} {total}, last on {day_words(row['last_on'])}")
        totals[str(row["currency"]), str(row["type"])] += int(row["most_total_minor"])
    base = str(primary["currency"])
    listed = {currency for currency, _ in totals} - {base}
    others = [_other_currency(totals, currency, rest) for currency in sorted(listed)]
    totals.update(beside)
    unknown = totals[base, CASH] + totals[base, OTHER]
    larger = [
        _amount_of(type_, total, base)
        for (currency, type_), total in sorted(totals.items())
        if currency == base
        and type_ in NEVER_PRIMARY
        and total
        # Neither cash nor what nobody explains shows where it comes from, so the two are one sum.
        and (unknown if type_ in {CASH, OTHER} else total) > int(primary["most_total_minor"])
    ]
    if larger:
        yield f"Larger in total, but not eligible as the main source: {', '.join(larger)}."
    if contradicted:
        yield f"Larger in total, but contradicted by other evidence: {'; '.join(contradicted)}."
    if ceased:
        yield f"Larger in total, but ceased: {'; '.join(ceased)}."
    if others:
        yield f"Sources in other currencies are listed separately and not compared with it: {'; '.join(others)}."
    foreign = [
        _amount_of(type_, total, currency)
        for (currency, type_), total in sorted(beside.items())
        if currency != base
    ]
    if foreign:
        yield f"Not in a source, in other currencies: {', '.join(foreign)}."


def _amount_of(type_: str, total_minor: int, currency: str) -> str:
    return f"{_UNNAMED if type_ == OTHER else type_words(type_)} {format_minor(total_minor, currency)}"


def _sum_in(totals: Mapping[tuple[str, str], int], currency: str) -> str:
    return format_minor(sum(total for (one, _), total in totals.items() if one == currency), currency)


def _other_currency(totals: Mapping[tuple[str, str], int], currency: str, rows_: list[dict[str, Any]]) -> str:
    """Return the sum of the sources in one other currency, and the largest of them."""
    mine = [row for row in rows_ if row["currency"] == currency]
    largest = max(mine, key=lambda row: int(row["most_total_minor"]))
    type_, total = str(largest["type"]), int(largest["most_total_minor"])
    if len(mine) == 1:
        return _amount_of(type_, total, currency)
    return f"{_sum_in(totals, currency)}, of which the largest is {_amount_of(type_, total, currency)}"


def _is_larger_of_its_kind(row: dict[str, Any], primary: dict[str, Any]) -> bool:
    """Return whether a source is larger than the primary one, and of a type that may be a primary source."""
    return (
        row["currency"] == primary["currency"]
        and row["type"] not in NEVER_PRIMARY
        and int(row["most_total_minor"]) > int(primary["most_total_minor"])
    )
