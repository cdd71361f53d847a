"""The source of wealth statement: sources in the interface's shape, from streams and single named credits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.models.dates import day_words
from kycpack.models.listed import listed
from kycpack.models.money import format_range, from_minor
from kycpack.models.wealth import (
    AdditionalSource,
    PrimarySource,
    SourceOfWealth,
    StatementAccount,
    StatementCustomer,
)
from kycpack.wealth.judge.outlook_words import cadence_words, less_lines, without_doubt
from kycpack.wealth.judge.pay_beside_benefits import questioned_pay
from kycpack.wealth.judge.support import (
    MAIN_SOURCE_RULE,
    NO_KIND,
    NO_SOURCE,
    NOT_SHOWN,
    OWN_OR_OWED,
    SUPPORT_COLUMNS,
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
_ABROAD, _CEASED, _ALONE = "in another currency", "ceased", " (more than the main source even on its own)"
_UNSETTLED = "not certain, so that which source is the main one is not settled"
_LARGER = "Larger in total"
Kind = tuple[str, str]
"""A currency and a type."""
Span = tuple[int, int]
"""The least and the greatest of a sum, in minor units."""
_WHY = (NO_KIND, NOT_SHOWN, _ABROAD, _CEASED, _UNSETTLED)
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
_SOURCE_OF = ("stream_id", "account_id", "txn_id")
_LARGEST_FIRST = frozenset({"total_minor", "least_total_minor"})
_MADE_HERE = frozenset({"source_id", "may_be_twice_minor", "support", "held_by"})


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
            "description": without_doubt(row),
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
    asked = {_source_of(credit) for credit in rows(credits_[questioned_pay(credits_)], *_SOURCE_OF)}
    for one, (held_by, paid_into) in zip(found, _held(found, credits_, in_other_names), strict=True):
        one |= {
            "held_by": held_by,
            "doubtful": one["doubtful"] or one["source_id"] in asked,
            "description": f"{one['description']}{paid_into}",
        }
    found.sort(key=lambda one: [-one[name] if name in _LARGEST_FIRST else one[name] for name in _IN_ORDER])
    return pd.DataFrame(found, columns=list(SOURCE_COLUMNS))


def _held(
    sources: list[dict[str, Any]], credits_: pd.DataFrame, in_other_names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield in whose name other accounts are into which a source was paid, empty if all are in the customer's, and what its description adds."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows(credits_, *_SOURCE_OF, "amount_minor"):
        sums[_source_of(row)][in_other_names.get(str(row.account_id), "")] += int(row.amount_minor)
    for one in sources:
        holders = {holder: minor for holder, minor in sums[one["source_id"]].items() if holder}
        named = listed([f"“{holder}”" for holder in sorted(holders)]) if holders else ""
        is_most = 2 * sum(holders.values()) > int(one["total_minor"])
        part = "paid" if is_most else "partly paid"
        yield named, f"; {part} into an account in the name {named}" if holders else ""


def _source_of(credit: Any) -> str:
    """Return the id of the source that a credit belongs to."""
    return f"{credit.account_id}/{credit.txn_id}" if pd.isna(credit.stream_id) else str(credit.stream_id)


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
    beside: Mapping[Kind, Span] = MappingProxyType({}),
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
        further_sentences: From `unexplained_words`, `linked_twice` and `jointly_held`.
        payment_amount: For the statement of a payment, its amount in major units.

    Source: interface, "Source of wealth statement". `frequency` is the number of payments observed, `totalValue` their exact sum, `amount`
        `totalValue` divided by `frequency`, rounded half-up.
    """
    primary = primary_source(sources, base_currency)
    further = records(sources if primary is None else sources.drop(index=primary))
    closing = (*further_sentences, LIMITS)
    fields: dict[str, Any] = {
        "customer": customer,
        "accounts": accounts,
        "primary_source": None
        if primary is None
        else _primary(records(sources.loc[[primary]])[0], further, beside, closing),
        "additional_sources": [AdditionalSource(**_members(row)) for row in further],
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


def _primary(
    row: dict[str, Any],
    rest: list[dict[str, Any]],
    beside: Mapping[Kind, Span],
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
        *less_lines(row),
        f"Amounts in {row['currency']}.",
        *_beside(row, rest, beside),
        *closing,
    )
    return PrimarySource(**_members(row), context=" ".join(sentences))


def _why_not(row: dict[str, Any]) -> str:
    return why_not_main(row["type"], row["support"], doubtful=row["doubtful"], held_by=row["held_by"])


def _observed(
    sources: list[dict[str, Any]], beside: Mapping[Kind, Span], base_currency: str | None
) -> Iterator[str]:
    """Yield what was observed where no source is the main one, a sentence for each reason why it is not."""
    totals: dict[str, dict[Kind, Span]] = {why: {} for why in _WHY}
    totals[NO_KIND].update(beside)
    for row in sources:
        _add(totals[_why_not(row) or _ABROAD], (str(row["currency"]), _kind(row)), _span(row))
    for why, sums in totals.items():
        in_order = sorted(sums.items(), key=lambda one: (one[0][0] != base_currency, one[0]))
        said = [amount_of(type_, total, currency) for (currency, type_), total in in_order]
        if said:
            yield f"Observed, but {why}: {'; '.join(said)}."


def _beside(
    primary: dict[str, Any], rest: list[dict[str, Any]], beside: Mapping[Kind, Span]
) -> Iterator[str]:
    """Yield what a reader would miss if only the primary source were shown: larger sums, and other currencies."""
    totals = dict(beside)
    apart: dict[tuple[str, str], list[str]] = {}
    for row in rest:
        type_, total = _kind(row), _span(row)
        is_apart = row["status"] == "ceased" != primary["status"]
        why = _why_not(row) or (_CEASED if is_apart else _UNSETTLED)
        if begun := _larger(row, primary):
            last = f", last on {day_words(row['last_on'])}" if why == _CEASED else ""
            apart.setdefault((why, begun), []).append(f"{amount_of(type_, total, row['currency'])}{last}")
        _add(totals, (str(row["currency"]), type_), total)
    base = str(primary["currency"])
    others = [_other_currency(one, rest) for one in sorted({str(row["currency"]) for row in rest} - {base})]
    most = int(primary["most_total_minor"])
    in_base = {type_: total for (currency, type_), total in sorted(totals.items()) if currency == base}
    # What shows no source is one sum, however it came in.
    unknown = {
        type_: total for type_, total in in_base.items() if type_ in NO_SOURCE - OWN_OR_OWED and total[1]
    }
    larger = {type_: total for type_, total in in_base.items() if type_ in NO_SOURCE and total[1] > most}
    together = (
        unknown
        if sum(total for _, total in unknown.values()) > most and unknown.keys() - larger.keys()
        else {}
    )
    alone = {type_: total for type_, total in larger.items() if type_ not in together}
    for begun, some in ((_LARGER, alone), (f"{_LARGER} when added together", together)):
        if some:
            named = [(amount_of(type_, total, base), type_) for type_, total in some.items()]
            said = [f"{one}{_ALONE if some is together and type_ in larger else ''}" for one, type_ in named]
            yield f"{begun}, but {NO_KIND}: {', '.join(said)}."
    scattered = beside.get((base, CASH), (0, 0))
    if scattered[1] and CASH not in {*alone, *together}:
        yield f"Cash of {format_range(*scattered, base)} that was paid in now and then is not counted as a source."
    for why, begun in sorted(apart, key=lambda one: (_WHY.index(one[0]), one[1])):
        yield f"{begun}, but {why}: {'; '.join(apart[why, begun])}."
    if others:
        yield f"Sources in other currencies are listed separately and not compared with it: {'; '.join(others)}."
    foreign = [
        amount_of(type_, total, currency)
        for (currency, type_), total in sorted(beside.items())
        if currency != base
    ]
    if foreign:
        yield f"Not in a source, in other currencies: {', '.join(foreign)}."


def _kind(row: dict[str, Any]) -> str:
    """Return a source's type; money whose nature is not established is of one kind."""
    return OTHER if row["type"] in NOT_ESTABLISHED else str(row["type"])


def _span(row: dict[str, Any]) -> Span:
    return int(row["least_total_minor"]), int(row["most_total_minor"])


def _add(sums: dict[Kind, Span], key: Kind, span: Span) -> None:
    least, most = sums.get(key, (0, 0))
    sums[key] = least + span[0], most + span[1]


def amount_of(type_: str, total: Span, currency: str) -> str:
    """Return a sum of one type in words, as in `cash deposits 1,540.00 GBP`."""
    return f"{_UNNAMED if type_ == OTHER else type_words(type_)} {format_range(*total, currency)}"


def _other_currency(currency: str, rows_: list[dict[str, Any]]) -> str:
    """Return the sum of the sources in one other currency, and the largest of them."""
    mine = [row for row in rows_ if row["currency"] == currency]
    largest = max(mine, key=lambda row: int(row["most_total_minor"]))
    said = amount_of(_kind(largest), _span(largest), currency)
    if len(mine) == 1:
        return said
    least, most = (sum(ends) for ends in zip(*map(_span, mine), strict=True))
    return f"{format_range(least, most, currency)}, of which the largest is {said}"


def _larger(row: dict[str, Any], primary: dict[str, Any]) -> str:
    """Return whether a source of a type that may be the primary one is larger than it, in words; empty if it is not."""
    (least, most), (certain, all_) = _span(row), _span(primary)
    if row["currency"] != primary["currency"] or row["type"] in NO_SOURCE or most <= certain:
        return ""
    return _LARGER if least > certain and most > all_ else f"Perhaps {_LARGER.lower()}"
