"""The source of wealth statement: sources in the interface's shape, from streams and single named credits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from types import MappingProxyType
from typing import Any

import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.models.dates import day_words
from kycpack.models.listed import listed
from kycpack.models.money import format_minor, from_minor
from kycpack.models.wealth import (
    AdditionalSource,
    PrimarySource,
    SourceOfWealth,
    StatementAccount,
    StatementCustomer,
)
from kycpack.wealth.judge.outlook_words import LESS, cadence_words
from kycpack.wealth.judge.support import (
    CONTRADICTED,
    MAIN_SOURCE_RULE,
    NO_KIND,
    NO_SOURCE,
    NOT_THEIRS,
    OWN_OR_OWED,
    SUPPORT_COLUMNS,
    UNPROVEN,
    support_of_single,
    support_of_stream,
    why_not_main,
)
from kycpack.wealth.judge.unexplained import CASH
from kycpack.wealth.judge.wording import (
    LIMITS,
    NOT_ESTABLISHED,
    count_words,
    describe_credit,
    total_words,
    type_words,
)
from kycpack.wealth.match.exchange_rates import currency_of, largest
from kycpack.wealth.prepare.lexicon import OTHER

_UNNAMED = "credits whose nature is not established"
_ABROAD, _CEASED = "in another currency", "ceased"
_WHY = (NO_KIND, *UNPROVEN.values(), CONTRADICTED, NOT_THEIRS, _ABROAD, _CEASED)
"""Why a source is not the main one, in the order in which the context says it."""

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
    "support",
    "doubtful",
    "held_by",
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
_MADE_HERE = frozenset({"source_id", "may_be_twice_minor", "support", "held_by"})


def average_minor(total_minor: int, count: int) -> int:
    """Return the amount of one payment: the total divided by the count, rounded half-even to the minor unit."""
    return int((Decimal(int(total_minor)) / int(count)).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def sources_of(
    streams: pd.DataFrame, credits_: pd.DataFrame, in_other_names: Mapping[str, str] = MappingProxyType({})
) -> pd.DataFrame:
    """Return the sources of one customer, the largest first within a currency.

    Args:
        streams: The customer's rows of frame `streams`.
        credits_: The customer's rows of frame `credits`.
        in_other_names: The holder of each account that is held in another name than the customer's.

    Returns:
        `SOURCE_COLUMNS`; `source_id` is the stream's id, or the account and transaction of a single credit.
    """
    twice: Counter[str] = Counter()
    for credit in rows(credits_, "stream_id", "may_be_twice_minor"):
        twice[str(credit.stream_id)] += int(credit.may_be_twice_minor)
    found: list[dict[str, Any]] = [
        {name: row[name] for name in SOURCE_COLUMNS if name not in _MADE_HERE}
        | {
            "source_id": row["stream_id"],
            "may_be_twice_minor": twice[row["stream_id"]],
            "support": support_of_stream(stream),
        }
        for row, stream in zip(records(streams), rows(streams, *SUPPORT_COLUMNS), strict=True)
    ]
    single = credits_[credits_["disposition"] == "one_off"]
    found += [
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
            "support": support_of_single(one),
            "doubtful": row["doubtful"],
            "description": describe_credit(row),
        }
        for row, one in zip(records(single), rows(single, "type", "evidence_level", "doubtful"), strict=True)
    ]
    for one, (held_by, paid_into) in zip(found, _held(found, credits_, in_other_names), strict=True):
        one |= {"held_by": held_by, "description": f"{one['description']}{paid_into}"}
    found.sort(key=lambda one: [-one[name] if name in _LARGEST_FIRST else one[name] for name in _IN_ORDER])
    return pd.DataFrame(found, columns=list(SOURCE_COLUMNS))


def _held(
    sources: list[dict[str, Any]], credits_: pd.DataFrame, in_other_names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield in whose name the accounts are into which more than half of a source was paid, empty if in the customer's, and what its description adds."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows(credits_, "stream_id", "account_id", "txn_id", "amount_minor"):
        source = f"{row.account_id}/{row.txn_id}" if pd.isna(row.stream_id) else str(row.stream_id)
        sums[source][in_other_names.get(str(row.account_id), "")] += int(row.amount_minor)
    for one in sources:
        holders = {holder: minor for holder, minor in sums[one["source_id"]].items() if holder}
        named = listed([f"“{holder}”" for holder in sorted(holders)]) if holders else ""
        is_most = 2 * sum(holders.values()) > int(one["total_minor"])
        part = "paid" if is_most else "partly paid"
        yield named if is_most else "", f"; {part} into an account in the name {named}" if holders else ""


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
    observed = tuple(_observed(further, beside, base_currency))
    if primary is None and observed:
        fields["context"] = " ".join((MAIN_SOURCE_RULE, *observed, *closing))
    if payment_amount is not None:
        fields["payment_amount"] = payment_amount
    return SourceOfWealth(**fields)


def primary_source(sources: pd.DataFrame, base_currency: str | None) -> int | None:
    """Return the index of the primary source: the largest eligible total, active before ceased; None if there is none.

    What may be counted twice, and what was or may have been taken back, makes no source the largest. Which source is eligible is decided by
    `why_not_main`.
    """
    names = ("currency", "type", "support", "doubtful", "held_by", "status", "least_total_minor")
    eligible = [
        (row.status == "ceased", -row.least_total_minor, index)
        for index, row in zip(sources.index.tolist(), rows(sources, *names), strict=True)
        if row.currency == base_currency
        and not why_not_main(row.type, row.support, doubtful=row.doubtful, held_by=row.held_by)
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


def _why_not(row: dict[str, Any]) -> str:
    return why_not_main(row["type"], row["support"], doubtful=row["doubtful"], held_by=row["held_by"])


def _observed(
    sources: list[dict[str, Any]], beside: Mapping[tuple[str, str], int], base_currency: str | None
) -> Iterator[str]:
    """Yield what was observed where no source is the main one, a sentence for each reason why it is not."""
    totals: dict[str, Counter[tuple[str, str]]] = {why: Counter() for why in _WHY}
    totals[NO_KIND].update(beside)
    for row in sources:
        key = str(row["currency"]), _kind(row)
        totals[_why_not(row) or _ABROAD][key] += int(row["most_total_minor"])
    for why, sums in totals.items():
        in_order = sorted(sums.items(), key=lambda one: (one[0][0] != base_currency, one[0]))
        said = [_amount_of(type_, total, currency) for (currency, type_), total in in_order]
        if said:
            yield f"Observed, but {why}: {'; '.join(said)}."


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
    apart: dict[str, list[str]] = {why: [] for why in _WHY}
    for row in rest:
        type_, total = _kind(row), int(row["most_total_minor"])
        why = _why_not(row) or (_CEASED if row["status"] == "ceased" else "")
        if why and _is_larger_of_its_kind(row, primary):
            last = f", last on {day_words(row['last_on'])}" if why == _CEASED else ""
            apart[why].append(f"{_amount_of(type_, total, row['currency'])}{last}")
        totals[str(row["currency"]), type_] += total
    base = str(primary["currency"])
    others = [
        _other_currency(totals, currency, rest)
        for currency in sorted({currency for currency, _ in totals} - {base})
    ]
    totals.update(beside)
    most = int(primary["most_total_minor"])
    in_base = {type_: total for (currency, type_), total in sorted(totals.items()) if currency == base}
    # What shows no source is one sum, however it came in.
    unknown = {type_: total for type_, total in in_base.items() if type_ in NO_SOURCE - OWN_OR_OWED and total}
    larger = {type_: total for type_, total in in_base.items() if type_ in NO_SOURCE and total > most}
    together = unknown if sum(unknown.values()) > most and unknown.keys() - larger.keys() else {}
    alone = {type_: total for type_, total in larger.items() if type_ not in together}
    for begun, some in (("Larger in total", alone), ("Larger together", together)):
        if some:
            named = ", ".join(_amount_of(type_, total, base) for type_, total in some.items())
            yield f"{begun}, but {NO_KIND}: {named}."
    scattered = beside.get((base, CASH), 0)
    if scattered and CASH not in {*alone, *together}:
        yield f"Cash of {format_minor(scattered, base)} that was paid in now and then is not counted as a source."
    for why, said in apart.items():
        if said:
            yield f"Larger in total, but {why}: {'; '.join(said)}."
    if others:
        yield f"Sources in other currencies are listed separately and not compared with it: {'; '.join(others)}."
    foreign = [
        _amount_of(type_, total, currency)
        for (currency, type_), total in sorted(beside.items())
        if currency != base
    ]
    if foreign:
        yield f"Not in a source, in other currencies: {', '.join(foreign)}."


def _kind(row: dict[str, Any]) -> str:
    """Return a source's type; money whose nature is not established is of one kind."""
    return OTHER if row["type"] in NOT_ESTABLISHED else str(row["type"])


def _amount_of(type_: str, total_minor: int, currency: str) -> str:
    return f"{_UNNAMED if type_ == OTHER else type_words(type_)} {format_minor(total_minor, currency)}"


def _sum_in(totals: Mapping[tuple[str, str], int], currency: str) -> str:
    return format_minor(sum(total for (one, _), total in totals.items() if one == currency), currency)


def _other_currency(totals: Mapping[tuple[str, str], int], currency: str, rows_: list[dict[str, Any]]) -> str:
    """Return the sum of the sources in one other currency, and the largest of them."""
    mine = [row for row in rows_ if row["currency"] == currency]
    largest = max(mine, key=lambda row: int(row["most_total_minor"]))
    type_, total = _kind(largest), int(largest["most_total_minor"])
    if len(mine) == 1:
        return _amount_of(type_, total, currency)
    return f"{_sum_in(totals, currency)}, of which the largest is {_amount_of(type_, total, currency)}"


def _is_larger_of_its_kind(row: dict[str, Any], primary: dict[str, Any]) -> bool:
    """Return whether a source is larger than the primary one, and of a type that may be a primary source."""
    return (
        row["currency"] == primary["currency"]
        and row["type"] not in NO_SOURCE
        and int(row["most_total_minor"]) > int(primary["most_total_minor"])
    )
