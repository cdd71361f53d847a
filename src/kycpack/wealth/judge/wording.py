"""Sentences about streams, credits and statements, worded with care."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.models.money import format_minor, format_range
from kycpack.wealth.judge.accounts import account_lines
from kycpack.wealth.judge.changes import (
    dip_lines,
    expected_words,
    gap_of,
    lacks_payment,
    rhythm_of,
    step_lines,
)
from kycpack.wealth.judge.outlook_words import (
    CONTRADICTED,
    LESS,
    TWICE,
    amounts_of,
    cadence_words,
    outlook_lines,
    parts_of,
    silence_words,
)
from kycpack.wealth.prepare.feed_holes import HOLE, MONTH_DAYS
from kycpack.wealth.prepare.known_payers import with_benefit
from kycpack.wealth.prepare.lexicon import OTHER, load_lexicon
from kycpack.wealth.streams.cadence import Cadence

CASH = "(cash)"
NO_NAME = "(no name)"
"""Shown for a payer without a name."""

_MOST_NAMES = 3
_SIMILAR = 2  # the largest amount at most so many times the smallest
_FROM = re.compile(r"^\s*(?:from|von|de la part de)\s+", re.IGNORECASE)

LIMITS = "Observed credits, not net worth; not corroborated by documents."

NO_NATURE = "nature not established"
NOT_ESTABLISHED = frozenset({OTHER, "person_transfer"})
"""Types of money whose nature is not established, as one sum wherever it is named: a person who pays says nothing about what for."""

_EVIDENCE = {
    "code": "from a code that the bank assigned",
    "entity": "from who the payer is",
    "purpose": "from the sender's purpose code",
    "keyword": "from words in the payment text",
    "pattern": "from the pattern of payments",
    "none": NO_NATURE,
}
_TYPES = {
    "self_employment": "self-employment",
    "property_sale": "sale of property",
    "asset_sale": "sale of an asset",
    "business_sale": "sale of a business",
    "crypto": "crypto-assets",
    "cash_deposit": "cash deposits",
    "person_transfer": "transfers from persons",
}


def type_words(type_: str) -> str:
    """Return a type in everyday words."""
    return _TYPES.get(type_, type_.replace("_", " "))


def payer_words(payer: str) -> str:
    """Return a payer as it reads after "from", without a "from" of its own, and with a benefit spelled out."""
    return with_benefit(_FROM.sub("", payer) or payer)


def _credits_words(once: int, count: int, row: Mapping[str, Any]) -> str:
    """Return how many credits there are: a range if some of them may be counted twice; a bank pays interest under its words and not its name."""
    number, ending, payer = count_words(once, count), "" if count == 1 else "s", str(row["payer"])
    if payer == CASH:
        return f"{number} cash credit{ending}"
    of = "booked as" if row["type"] == "interest" and "interest" in payer.casefold() else "from"
    return f"{number} credit{ending} {of} {payer_words(payer)}"


def count_words(once: int, count: int) -> str:
    """Return a number of credits as a range if some of them may be counted twice.

    Args:
        once: The number of those that are no copies.
        count: The number of all of them.
    """
    return str(count) if once in {0, count} else f"{once} to {count}"


DESCRIBED = (
    "count",
    "may_be_twice_count",
    "payer",
    "currency",
    "cadence",
    "earlier_cadence",
    "calendar_changed_on",
    "ambiguous",
    "median_minor",
    "latest_minor",
    "total_minor",
    "filled_count",
    "near_count",
    "expected_count",
    "silent_count",
    "last_on",
    "next_on",
    "silent_from_on",
    "silent_to_on",
    "status",
    "type",
    "evidence_level",
    "doubtful",
)
"""The columns of frame `streams` that the sentence of a stream needs."""


def describe_stream(
    row: Mapping[str, Any],
    anchor: str,
    may_be_twice_minor: int,
    may_be_taken_back_minor: int,
    taken_back_minor: int,
) -> str:
    """Return the sentence that describes one stream.

    Args:
        row: A row of frame `streams`, with the columns in `DESCRIBED`.
        anchor: The slots in words; empty if irregular.
        may_be_twice_minor: The part of its total that may be counted twice, minor units.
        may_be_taken_back_minor: The part of its total that may have been taken back later, minor units.
        taken_back_minor: The part of its total that was taken back later, minor units.
    """
    count = int(row["count"])
    once = count - int(row["may_be_twice_count"])
    when = cadence_words(row["cadence"]) + (f" ({anchor})" if anchor else "")
    unsure = ", though perhaps on another calendar: more history is needed" if row["ambiguous"] else ""
    amounts = [f"median {_money(row, 'median_minor')}"]
    if row["latest_minor"] != row["median_minor"]:
        amounts.append(f"latest {_money(row, 'latest_minor')}")
    elif row["total_minor"] != count * row["median_minor"]:
        amounts.append("latest the same")
    parts = [
        f"{_credits_words(once, count, row)}, {when}{_before_the_change(row)}{unsure}",
        ", ".join(amounts),
        ", ".join([*expected_words(row, anchor), _last(row, anchor)]),
        _nature(row),
        *_less(may_be_twice_minor, may_be_taken_back_minor, taken_back_minor, row["currency"]),
    ]
    return "; ".join(parts)


def with_odd_words(row: Mapping[str, Any]) -> str:
    """Return the sentence of a stream with its payments that are unlike the others, which a statement for the customer does not pick out."""
    return "; ".join(part for part in (row["description"], row["odd_words"]) if not pd.isna(part))


def _last(row: Mapping[str, Any], anchor: str) -> str:
    last = _day(row["last_on"])
    if row["status"] != "ceased":
        return f"last on {last}"
    # `expected_words` gives the day.
    silence = silence_words(row)
    may_be = f" ({silence}, so it may be missing from the data)" if silence else ""
    next_one = (
        f"but the next one, expected on {_day(row['next_on'])}, was not seen{may_be}, nor any later one"
    )
    return next_one if anchor else f"last on {last}, {next_one}"


def _less(
    may_be_twice_minor: int, may_be_taken_back_minor: int, taken_back_minor: int, currency: str
) -> list[str]:
    """Return which parts of a total may be counted twice, or were or may have been taken back."""
    parts = zip((may_be_twice_minor, may_be_taken_back_minor, taken_back_minor), LESS, strict=True)
    return [f"{format_minor(minor, currency)} of it {what}" for minor, what in parts if minor]


def _before_the_change(row: Mapping[str, Any]) -> str:
    if pd.isna(row["calendar_changed_on"]):
        return ""
    earlier = cadence_words(row["earlier_cadence"])
    before = "on other days" if row["earlier_cadence"] == row["cadence"] else earlier
    return f" since {_day(row['calendar_changed_on'])}, before that {before}"


def _nature(row: Mapping[str, Any]) -> str:
    if row["type"] == OTHER:
        return NO_NATURE
    return f"{_known_words(row)}{CONTRADICTED if row['doubtful'] else ''}"


def _known_words(row: Mapping[str, Any]) -> str:
    """Return a type with how it is known; a payment from a person is known as one, and its nature is not."""
    how = NO_NATURE if row["type"] in NOT_ESTABLISHED else _EVIDENCE[row["evidence_level"]]
    perhaps = "perhaps " * (how == NO_NATURE and row["type"] not in NOT_ESTABLISHED)
    return f"{perhaps}{type_words(row['type'])}, {how}"


def explain_stream(
    row: Mapping[str, Any],
    cadence: Cadence,
    payments: pd.DataFrame,
    same_payer: Sequence[str] = (),
    holes: Sequence[Mapping[str, Any]] = (),
    joint: Sequence[Mapping[str, Any]] = (),
    moved: int = 0,
) -> str:
    """Return why the credits form one stream, how sure that is, and what would corroborate it, one sentence per line.

    Args:
        row: A row of frame `streams`.
        cadence: Its cadence.
        payments: Its rows of frame `credits`.
        same_payer: Ids of other streams of the same payer.
        holes: Holes in the feed of the accounts that received the payments, rows of `feed_holes`.
        joint: The joint accounts among these, rows of `joint_accounts`.
        moved: Number of payments that may be transfers from the customer's other accounts.
    """
    lexicon = load_lexicon()
    ordered = payments.sort_values(["booked_on", "amount_minor"], kind="stable")
    # A credit that may be counted twice would make an odd payment look like a level.
    once = ordered[ordered["may_repeat_txn_id"].isna()]
    once = ordered if once.empty else once
    days = [pd.Timestamp(day).date() for day in once["booked_on"]]
    amounts = amounts_of(once)
    lines = [
        f"{with_odd_words(row)}.",
        _why_one(row, payments, same_payer),
        _amounts(row, ordered),
        *_changes(row, days, amounts, holes),
        *_holes(row, days, holes),
        *account_lines(joint, moved, len(payments)),
        *outlook_lines(row, ordered),
        _calendar(cadence),
    ]
    if cadence.ambiguous:
        lines.append("That is too close to call: more history is needed.")
    if row["bonus_count"]:
        lines.append(
            f"{counted(int(row['bonus_count']), 'of the credits looks like', 'of the credits look like')} a bonus or back pay, by text or by size, and counted in the stream."
        )
    if not pd.isna(row["follows_stream_id"]):
        perhaps = (
            "on the same calendar with nearly the same amount: perhaps the same employer under a new name"
            if row["follows_alike"]
            else "perhaps a change of employer"
        )
        lines.append(f"It begins where stream {row['follows_stream_id']} ends, {perhaps}.")
    if row["pattern"]:
        lines.append(f"The pattern: {row['pattern']}.")
    lines.append(
        f"Its nature is not established. To establish it: {lexicon.corroboration[OTHER]}."
        if row["type"] == OTHER
        else f"Its nature: {'perhaps ' * (row['evidence_level'] == 'none')}{lexicon.says[row['type']]}, {_nature(row).partition(', ')[2]}. To corroborate: {lexicon.corroboration[row['type']]}."
    )
    lines.append(
        f"Status {row['status']}, confidence {row['confidence']} (type {row['type_confidence']}, calendar {row['cadence_confidence']}). {LIMITS}"
    )
    return "\n".join(lines)


def _why_one(row: Mapping[str, Any], payments: pd.DataFrame, same_payer: Sequence[str]) -> str:
    """Return which facts made the credits one stream."""
    once, accounts = payments["may_repeat_txn_id"].isna().sum(), payments["account_id"].nunique()
    count = count_words(int(once), len(payments))
    where = f"in {counted(accounts, 'account')}"
    if row["payer"] in (CASH, NO_NAME):
        amounts = amounts_of(payments)
        alike = " and a similar size" if max(amounts) <= _SIMILAR * min(amounts) else ""
        by = f"their calendar{alike}" if row["cadence"] != "irregular" else "nothing else"
        return f"One stream: {count} credits {where} that name no payer; what they have in common is {by}."
    names = sorted(payments["payer_key"].dropna().astype(str).unique())
    if len(names) > 1:
        why = f"{len(names)} names treated as one payer ({', '.join(names[:_MOST_NAMES])}{', ...' if len(names) > _MOST_NAMES else ''})"
    else:
        why = f"the payer is the same ({payer_words(row['payer'])})"
    apart = (
        f" {counted(len(same_payer), 'other stream of this payer is', 'other streams of this payer are')} "
        f"kept apart by text, amount or calendar."
        if same_payer
        else ""
    )
    return f"One stream: {count} credits {where}; {why}.{apart}"


def total_words(row: Mapping[str, Any]) -> str:
    """Return the total of a source: a range if some of it may be counted twice or may have been taken back; net, with the sum paid in, if some was.

    Args:
        row: A row of frame `streams`, or of `sources_of`.
    """
    currency = row["currency"]
    least, most, paid = (int(row[name]) for name in ("least_total_minor", "most_total_minor", "total_minor"))
    said = format_range(least, most, currency)
    return said if most == paid else f"{said} net, {format_minor(paid, currency)} paid in"


def _amounts(row: Mapping[str, Any], payments: pd.DataFrame) -> str:
    total = f"Total {total_words(row)}"
    amounts, parts = amounts_of(payments), parts_of(payments)
    if any(parts):
        total += f" ({' and '.join(_less(*parts, row['currency']))})"
    if min(amounts) == max(amounts):
        return f"{total}; each payment is {_money(row, 'latest_minor')}."
    average = ""
    if not parts[0]:
        never = "" if int(row["amount_minor"]) in amounts else ", an amount that was never paid"
        average = f", on average {_money(row, 'amount_minor')}{never}"
    currency = row["currency"]
    return (
        f"{total}; median {_money(row, 'median_minor')}, latest {_money(row, 'latest_minor')}{average}; "
        f"from {format_minor(min(amounts), currency)} to {format_minor(max(amounts), currency)}."
    )


def _changes(
    row: Mapping[str, Any],
    days: Sequence[date],
    amounts: Sequence[int],
    holes: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    yield from step_lines(days, amounts, row["currency"])
    if row["cadence"] == "irregular":
        if rhythm := rhythm_of(days):
            yield f"It comes about {rhythm}, which matches none of the calendars that are checked."
        return
    yield from dip_lines(days, amounts, row["currency"])
    sure = [_span(hole) for hole in holes if hole["verdict"] == HOLE and row["silent_count"]]
    if gap := gap_of(days, sorted(sure)):
        yield (
            f"No payment came for {gap.days} days, between {day_words(gap.from_on)} and {day_words(gap.to_on)}; "
            f"payments are usually {gap.usual_days} days apart."
        )


def _holes(row: Mapping[str, Any], days: Sequence[date], holes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for hole in holes:
        start, end = _span(hole)
        if (
            end <= days[0]
            or row["cadence"] == "irregular"
            or any(start < day < end for day in days)
            or (hole["days"] < MONTH_DAYS and not lacks_payment(days, start, end))
        ):
            continue
        time, reason = f"Between {day_words(start)} and {day_words(end)}", hole["reason"]
        if hole["verdict"] == HOLE:
            yield (
                f"{time} there is a hole in the feed of account {hole['account_id']} ({reason}): payments expected in that time may have arrived, and are not counted as missing."
            )
        else:
            yield f"{time} there may be a hole in the feed of account {hole['account_id']} ({reason}): payments that seem to be missing in that time may only be missing from the data."


def _span(hole: Mapping[str, Any]) -> tuple[date, date]:
    return pd.Timestamp(hole["from_on"]).date(), pd.Timestamp(hole["to_on"]).date()


def _calendar(cadence: Cadence) -> str:
    if cadence.name != "irregular":
        return (
            f"Of all calendars, {cadence_words(cadence.name)} ({cadence.anchor}) fits the dates best: it scores {cadence.score:.2f} out of 1, "
            f"{cadence.margin:.2f} ahead of {cadence_words(cadence.runner_up)}; {cadence.filled} of {cadence.expected} expected days have a payment."
        )
    if not cadence.score:
        return f"No calendar fits the dates; the nearest, {cadence_words(cadence.runner_up)}, is too far off."
    return f"No calendar fits the dates well enough; the best of them scores {cadence.score:.2f} out of 1."


def describe_credit(row: Mapping[str, Any]) -> str:
    """Return the sentence that describes a single credit that is a source by itself.

    Args:
        row: A row of frame `credits`.
    """
    twice = "" if pd.isna(row["may_repeat_txn_id"]) else f"; it {TWICE}"
    return (
        f"{_credits_words(1, 1, row)}, {_money(row, 'amount_minor')} on {_day(row['booked_on'])}; "
        f"{_known_words(row)}{twice}"
    )


def _money(row: Mapping[str, Any], name: str) -> str:
    return format_minor(int(row[name]), row["currency"])


def _day(value: Any) -> str:
    return day_words(pd.Timestamp(value))
