"""Whether what was observed supports a payment, and on which assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.money import format_minor
from kycpack.wealth.judge.statement import NEVER_PRIMARY
from kycpack.wealth.judge.wording import LIMITS, to_records

ANSWERS = ("supported", "partly supported", "not supported", "cannot tell")

_SHORTEST_DAYS = 28
_ASSUMPTIONS = (
    (
        "Only credits whose nature is known from a code or a word count as evidence; loans, tax paid back, cash, money from persons and credits "
        "of other nature do not."
    ),
    "All spending seen in the linked accounts is taken from that evidence; spending elsewhere is not seen.",
    "Money held before the first day of the data, and in accounts that are not linked, is not seen.",
    LIMITS,
)


@dataclass(frozen=True)
class Sufficiency:
    """How far a payment is supported.

    Args:
        customer_id: Whose payment.
        payment_id: Which; None for an amount that is only thought of.
        answer: One of `ANSWERS`.
        amount_minor: The payment.
        currency: ISO 4217.
        supported_minor: As much of it as is supported.
        shortfall_minor: The rest.
        from_on: First day of the data it rests on; None without any.
        to_on: Last day.
        basis: What supports it, and what does not, a sentence each.
        source_ids: Streams and single credits it rests on.
        assumptions: What was taken for granted.
    """

    customer_id: str
    payment_id: str | None
    answer: str
    amount_minor: int
    currency: str
    supported_minor: int
    shortfall_minor: int
    from_on: date | None
    to_on: date | None
    basis: tuple[str, ...]
    source_ids: tuple[str, ...]
    assumptions: tuple[str, ...] = _ASSUMPTIONS


def assess(
    sources: pd.DataFrame,
    flow: dict[str, Any] | None,
    customer_id: str,
    payment_id: str | None,
    amount_minor: int,
    currency: str,
) -> Sufficiency:
    """Return whether a customer's observed means support a payment.

    Args:
        sources: The customer's sources, as of `sources_of`.
        flow: The customer's row of `flows_of` in the payment's currency; None where there is none.
        customer_id: Whose payment.
        payment_id: Which.
        amount_minor: Its amount in minor units.
        currency: Its currency; money in other currencies is not counted.
    """
    known: dict[str, Any] = {
        "customer_id": customer_id,
        "payment_id": payment_id,
        "amount_minor": amount_minor,
        "currency": currency,
    }
    if flow is None:
        return Sufficiency(
            **known,
            answer="cannot tell",
            supported_minor=0,
            shortfall_minor=amount_minor,
            from_on=None,
            to_on=None,
            basis=(f"No booked transactions in {currency} were seen.",),
            source_ids=(),
        )
    first, last = flow["first_on"].date(), flow["last_on"].date()
    days = (last - first).days + 1
    eligible = sources[(sources["currency"] == currency) & ~sources["type"].isin(NEVER_PRIMARY)]
    evidenced = int(eligible["total_minor"].sum())
    surplus = max(evidenced - int(flow["out_minor"]), 0)
    lumps = eligible[(eligible["count"] == 1) & (eligible["total_minor"] >= amount_minor)]
    supported = min(max(surplus, amount_minor if len(lumps) else 0), amount_minor)
    basis = [
        (
            f"Evidenced income from {day_words(first)} to {day_words(last)} ({days} days): "
            f"{format_minor(evidenced, currency)} from {len(eligible)} source{'' if len(eligible) == 1 else 's'}."
        ),
        (
            f"Spending in the same days: {format_minor(int(flow['out_minor']), currency)}; what is left of the evidenced income: "
            f"{format_minor(surplus, currency)}."
        ),
    ]
    basis += [f"A named lump sum is at least as large: {row['description']}." for row in to_records(lumps)]
    if supported >= amount_minor:
        answer = "supported"
    elif days < _SHORTEST_DAYS:
        answer = "cannot tell"
        basis.append(f"Fewer than {_SHORTEST_DAYS} days were seen.")
    else:
        answer = "partly supported" if supported else "not supported"
    used = lumps if len(lumps) else eligible
    return Sufficiency(
        **known,
        answer=answer,
        supported_minor=supported,
        shortfall_minor=amount_minor - supported,
        from_on=first,
        to_on=last,
        basis=tuple(basis),
        source_ids=tuple(str(value) for value in used["source_id"]) if supported else (),
    )
