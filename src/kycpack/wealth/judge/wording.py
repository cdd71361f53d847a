"""Sentences about streams, credits and statements, worded with care."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.money import format_minor
from kycpack.wealth.judge.account_words import account_lines
from kycpack.wealth.judge.changes import Step, dips_of, gap_of, lacks_payment, rhythm_of, steps_of
from kycpack.wealth.judge.outlook_words import (
    LESS,
    TWICE,
    amounts_of,
    cadence_words,
    outlook_lines,
    parts_of,
)
from kycpack.wealth.prepare.feed_holes import HOLE, MONTH_DAYS
from kycpack.wealth.prepare.lexicon import OTHER, load_lexicon
from kycpack.wealth.streams.cadence import Cadence

CASH = "(cash)"
NO_NAME = "(no name)"
"""Shown for a payer without a name."""

_MOST_NAMES = 3
_FROM = re.compile(r"^\s*(?:from|von|de la part de)\s+", re.IGNORECASE)

LIMITS = "Observed credits, not net worth; not corroborated by documents."

_EVIDENCE = {
    "code": "from a code that the bank assigned",
    "entity": "from who the payer is",
    "purpose": "from the sender's purpose code",
    "keyword": "from words in the payment text",
    "pattern": "from the pattern of payments",
    "none": "nature not established",
}


def type_words(type_: str) -> str:
    """Return a type in everyday words."""
    return "self-employment" if type_ == "self_employment" else type_.replace("_", " ")


def payer_words(payer: str) -> str:
    """Return a payer as it reads after "from", without a "from" of its own."""
    return _FROM.sub("", payer) or payer


def _credits_words(count: int, payer: str) -> str:
    ending = "" if count == 1 else "s"
    return (
        f"{count} cash credit{ending}"
        if payer == CASH
        else f"{count} credit{ending} from {payer_words(payer)}"
    )


DESCRIBED = (
    "count",
    "payer",
    "currency",
    "cadence",
    "earlier_cadence",
    "calendar_changed_on",
    "ambiguous",
    "median_minor",
    "latest_minor",
    "filled_count",
    "expected_count",
    "silent_count",
    "last_on",
    "next_on",
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
    when = cadence_words(row["cadence"]) + (f" ({anchor})" if anchor else "")
    parts = [
        _credits_words(count, row["payer"]),
        when + _before_the_change(row) + (", ambiguous, more history needed" if row["ambiguous"] else ""),
        f"median {_money(row, 'median_minor')}",
    ]
    if row["latest_minor"] != row["median_minor"]:
        parts.append(f"latest {_money(row, 'latest_minor')}")
    if anchor:
        unseen = f", {row['silent_count']} more in a hole in the feed" if row["silent_count"] else ""
        parts.append(f"{row['filled_count']} of {row['expected_count']} expected payments were seen{unseen}")
    parts.append(_last(row))
    less_than_all = _less(may_be_twice_minor, may_be_taken_back_minor, taken_back_minor, row["currency"])
    less = "".join(f"; {part}" for part in less_than_all)
    return ", ".join(parts) + "; " + _nature(row) + less


def _last(row: Mapping[str, Any]) -> str:
    last = _day(row["last_on"])
    if row["status"] != "ceased":
        return f"last on {last}"
    return f"no payment since {last}; the next was expected on {_day(row['next_on'])}"


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
        return "nature not established"
    doubt = ", which other evidence contradicts" if row["doubtful"] else ""
    return f"{type_words(row['type'])}, {_EVIDENCE[row['evidence_level']]}{doubt}"


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
    days = [pd.Timestamp(day).date() for day in ordered["booked_on"]]
    amounts = amounts_of(ordered)
    lines = [
        f"{row['description']}.",
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
            f"{row['bonus_count']} of the credits {'is' if row['bonus_count'] == 1 else 'are'} marked or sized as a bonus or back pay; they stay in the stream."
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
        else f"Its nature: {lexicon.says[row['type']]}, {_nature(row).partition(', ')[2]}. To corroborate: {lexicon.corroboration[row['type']]}."
    )
    lines.append(
        f"Status {row['status']}, confidence {row['confidence']} (type {row['type_confidence']}, calendar {row['cadence_confidence']}). {LIMITS}"
    )
    return "\n".join(lines)


def _why_one(row: Mapping[str, Any], payments: pd.DataFrame, same_payer: Sequence[str]) -> str:
    """Return which facts made the credits one stream."""
    count, accounts = len(payments), payments["account_id"].nunique()
    where = f"in {accounts} account{'' if accounts == 1 else 's'}"
    if row["payer"] in (CASH, NO_NAME):
        by = (
            "they keep to one calendar and to amounts of similar size"
            if row["cadence"] != "irregular"
            else "they have nothing else in common"
        )
        return f"One stream: {count} credits, {where}, that name no payer; {by}."
    names = sorted(payments["payer_key"].dropna().astype(str).unique())
    if len(names) > 1:
        why = f"{len(names)} names treated as one payer ({', '.join(names[:_MOST_NAMES])}{', ...' if len(names) > _MOST_NAMES else ''})"
    else:
        why = f"the payer is the same ({payer_words(row['payer'])})"
    apart = (
        f" {len(same_payer)} other stream{'' if len(same_payer) == 1 else 's'} of this payer {'is' if len(same_payer) == 1 else 'are'} "
        f"kept apart by text, amount or calendar."
        if same_payer
        else ""
    )
    return f"One stream: {count} credits, {where}; {why}.{apart}"


def total_words(row: Mapping[str, Any]) -> str:
    """Return the total of a source: a range if some of it may be counted twice or may have been taken back; net, with the sum paid in, if some was.

    Args:
        row: A row of frame `streams`, or of `sources_of`.
    """
    currency = row["currency"]
    least, most, paid = (int(row[name]) for name in ("least_total_minor", "most_total_minor", "total_minor"))
    said = format_minor(most, currency)
    if least != most:
        said = f"{format_minor(least, currency).removesuffix(f' {currency}')} to {said}"
    return said if most == paid else f"{said} net, {format_minor(paid, currency)} paid in"


def _amounts(row: Mapping[str, Any], payments: pd.DataFrame) -> str:
    total = f"Total {total_words(row)}"
    amounts, parts = amounts_of(payments), parts_of(payments)
    if any(parts):
        total += f" ({' and '.join(_less(*parts, row['currency']))})"
    if min(amounts) == max(amounts):
        return f"{total}; each payment is {_money(row, 'latest_minor')}."
    average = "" if int(row["amount_minor"]) in amounts else ", an amount that was never paid"
    currency = row["currency"]
    return (
        f"{total}; median {_money(row, 'median_minor')}, latest {_money(row, 'latest_minor')}, on average {_money(row, 'amount_minor')}{average}; "
        f"from {format_minor(min(amounts), currency)} to {format_minor(max(amounts), currency)}."
    )


def _changes(
    row: Mapping[str, Any],
    days: Sequence[date],
    amounts: Sequence[int],
    holes: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    currency = row["currency"]
    yield from _steps(steps_of(days, amounts), currency)
    for dip in dips_of(days, amounts) if row["cadence"] != "irregular" else ():
        when = (
            f"on {day_words(dip.from_on)} one payment was"
            if dip.count == 1
            else f"from {day_words(dip.from_on)} to {day_words(dip.to_on)} {dip.count} payments were"
        )
        yield (
            f"A dip: {when} below three quarters of the median, the lowest {format_minor(dip.lowest_minor, currency)}; "
            f"the others' median is {format_minor(dip.usual_minor, currency)}."
        )
    if row["cadence"] == "irregular":
        rhythm = rhythm_of(days)
        if rhythm is not None:
            yield f"It comes about {rhythm}, which matches none of the calendars that are checked."
    sure = [_span(hole) for hole in holes if hole["verdict"] == HOLE and row["silent_count"]]
    gap = gap_of(days, sorted(sure))
    if gap is not None and row["cadence"] != "irregular":
        yield (
            f"A gap: the longest time without a payment is {gap.days} days, from {day_words(gap.from_on)} to {day_words(gap.to_on)}; "
            f"the usual time is {gap.usual_days} days."
        )


def _steps(steps: Sequence[Step], currency: str) -> Iterator[str]:
    """Yield the sentence about the steps in the amounts of a stream, if there are any."""
    if len(steps) > 1:
        levels = "".join(
            f", {format_minor(step.since_minor, currency)} since {day_words(step.on)}" for step in steps
        )
        yield (
            f"The amounts moved in {len(steps)} steps: median {format_minor(steps[0].before_minor, currency)} at first{levels}."
        )
    elif steps:
        (step,) = steps
        side = "larger" if step.since_minor > step.before_minor else "smaller"
        medians = f"median {format_minor(step.before_minor, currency)} before, {format_minor(step.since_minor, currency)} since"
        if step.odd_count:
            odd = f"{step.odd_count} payment{' is' if step.odd_count == 1 else 's are'} out of line with them"
            yield f"Since {day_words(step.on)} payments are {side}: {medians}; {odd}."
        else:
            yield f"Since {day_words(step.on)} every payment is {side} than all before: {medians}."


def _holes(row: Mapping[str, Any], days: Sequence[date], holes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for hole in holes:
        start, end = _span(hole)
        if end <= days[0] or row["cadence"] == "irregular" or any(start < day < end for day in days):
            continue
        if hole["days"] < MONTH_DAYS and not lacks_payment(days, start, end):
            continue
        time = f"Between {day_words(start)} and {day_words(end)} account {hole['account_id']}"
        if hole["verdict"] == HOLE:
            yield (
                f"{time} has a hole in the feed ({hole['reason']}): payments expected during it may have arrived and are not counted as missing."
            )
        else:
            yield f"{time} may have a hole in the feed ({hole['reason']}): a gap in payments at that time may be a gap in the data."


def _span(hole: Mapping[str, Any]) -> tuple[date, date]:
    return pd.Timestamp(hole["from_on"]).date(), pd.Timestamp(hole["to_on"]).date()


def _calendar(cadence: Cadence) -> str:
    if cadence.name != "irregular":
        return (
            f"The calendar {cadence_words(cadence.name)} ({cadence.anchor}) scores {cadence.score:.2f} out of 1, "
            f"{cadence.margin:.2f} ahead of {cadence_words(cadence.runner_up)}; {cadence.filled} of {cadence.expected} expected days have a payment."
        )
    if not cadence.score:
        return f"No calendar explains the dates; the nearest, {cadence_words(cadence.runner_up)}, is too far off."
    return f"No calendar explains the dates well enough; the best of them scores {cadence.score:.2f}."


def describe_credit(row: Mapping[str, Any]) -> str:
    """Return the sentence that describes a single credit that is a source by itself.

    Args:
        row: A row of frame `credits`.
    """
    twice = "" if pd.isna(row["may_repeat_txn_id"]) else f"; it {TWICE}"
    return (
        f"1 credit from {payer_words(row['payer'])}, {_money(row, 'amount_minor')} on {_day(row['booked_on'])}; "
        f"{type_words(row['type'])}, {_EVIDENCE[row['evidence_level']]}{twice}"
    )


def _money(row: Mapping[str, Any], name: str) -> str:
    return format_minor(int(row[name]), row["currency"])


def _day(value: Any) -> str:
    return day_words(pd.Timestamp(value))
