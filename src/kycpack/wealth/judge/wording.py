"""Sentences about streams, credits and statements, in the words of a careful person."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.money import format_minor
from kycpack.wealth.prepare.lexicon import OTHER, load_lexicon
from kycpack.wealth.streams.cadence import Cadence

CASH = "(cash)"
NO_NAME = "(no name)"
"""What stands in place of a payer that is not named."""

LIMITS = "Observed credits, not net worth; not corroborated by documents."

_EVIDENCE = {
    "code": "from a code that the bank assigned",
    "entity": "from who the payer is",
    "purpose": "from the sender's purpose code",
    "keyword": "from words in the payment text",
    "pattern": "from the pattern of payments",
    "none": "nature not established",
}
_CADENCES = {
    "four_weekly": "four-weekly",
    "semi_monthly": "twice a month",
    "semi_annual": "half-yearly",
    "annual": "yearly",
    "irregular": "irregular",
}


def cadence_words(cadence: str) -> str:
    """Return a class of cadence as people say it."""
    return _CADENCES.get(cadence, cadence)


def type_words(type_: str) -> str:
    """Return a type as people write it."""
    return type_.replace("_", " ")


def describe_stream(row: Mapping[str, Any], anchor: str) -> str:
    """Return the sentence of one stream.

    Args:
        row: A row of frame `streams`.
        anchor: The slots in words; empty when irregular.
    """
    count = int(row["count"])
    when = cadence_words(row["cadence"]) + (f" ({anchor})" if anchor else "")
    parts = [
        f"{count} credit{'' if count == 1 else 's'} from {row['payer']}",
        when + (", ambiguous, more history needed" if row["ambiguous"] else ""),
        f"median {format_minor(int(row['median_minor']), row['currency'])}",
    ]
    if anchor:
        parts.append(f"{row['filled_count']} of {row['expected_count']} expected")
    parts.append(f"last on {_day(row['last_on'])}")
    nature = (
        ("regular credit, " if anchor else "") + "nature not established"
        if row["type"] == OTHER
        else f"{type_words(row['type'])}, {_EVIDENCE[row['evidence_level']]}"
    )
    return ", ".join(parts) + "; " + nature


def explain_stream(row: Mapping[str, Any], cadence: Cadence, payments: pd.DataFrame) -> str:
    """Return what makes a stream one, how sure that is, and what would corroborate it, a sentence a line.

    Args:
        row: A row of frame `streams`.
        cadence: Its cadence.
        payments: Its rows of frame `credits`.
    """
    lexicon = load_lexicon()
    currency = row["currency"]
    accounts = payments["account_id"].nunique()
    lines = [
        f"{row['description']}.",
        _why_one(row["payer"], len(payments), f"{accounts} account{'' if accounts == 1 else 's'}"),
        (
            f"Total {format_minor(int(row['total_minor']), currency)}, on average {format_minor(int(row['amount_minor']), currency)}; "
            f"amounts are {row['amount_class']}."
        ),
    ]
    if cadence.name == "irregular":
        lines.append(
            f"No calendar explains the dates; the nearest, {cadence_words(cadence.runner_up)}, is too far off."
            if not cadence.score
            else f"No calendar explains the dates well enough; the best of them scores {cadence.score:.2f}."
        )
    else:
        lines.append(
            f"The calendar {cadence_words(cadence.name)} ({cadence.anchor}) scores {cadence.score:.2f} of 1, "
            f"{cadence.margin:.2f} before {cadence_words(cadence.runner_up)}; {cadence.filled} of {cadence.expected} expected days have a payment."
        )
    if cadence.ambiguous:
        lines.append("That is too close to call: more history is needed.")
    if row["bonus_count"]:
        lines.append(
            f"{row['bonus_count']} of the credits {'is' if row['bonus_count'] == 1 else 'are'} marked or sized as a bonus or back pay; they stay in the stream."
        )
    if not pd.isna(row["follows_stream_id"]):
        lines.append(f"It begins where stream {row['follows_stream_id']} ends: perhaps a change of employer.")
    lines.append(
        f"Its nature: {lexicon.says[row['type']]}, {_EVIDENCE[row['evidence_level']]}. To corroborate: {lexicon.corroboration[row['type']]}."
    )
    lines.append(f"Status {row['status']}, confidence {row['confidence']}. {LIMITS}")
    return "\n".join(lines)


def describe_credit(
    payer: str, amount_minor: int, currency: str, booked_on: date, type_: str, evidence: str
) -> str:
    """Return the sentence of a single credit that is a source by itself."""
    return (
        f"1 credit from {payer}, {format_minor(amount_minor, currency)} on {day_words(booked_on)}; "
        f"{type_words(type_)}, {_EVIDENCE[evidence]}"
    )


def _why_one(payer: str, count: int, accounts: str) -> str:
    if payer in (CASH, NO_NAME):
        return f"One stream, because these {count} credits, in {accounts}, name no payer and keep to one calendar."
    return (
        f"One stream, because the payer is the same in all {count} credits ({payer}), in {accounts}; "
        "the amount plays no part in that."
    )


def to_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as dictionaries by column name."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _day(value: Any) -> str:
    return day_words(pd.Timestamp(value))
