"""Codes and values in words; unknown codes and values are shown unchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

import pandas as pd

from kycpack.frames.labels import code_words
from kycpack.models.dates import day_words, instant_words
from kycpack.models.enums import OPEN_SESSIONS, SessionState
from kycpack.models.listed import counted
from kycpack.models.money import format_minor, known_currency
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.triage.judge.findings import NOTHING
from kycpack.triage.levels import LEVELS, rank
from kycpack.wealth.judge.wording import CASH, NO_NAME

_MOST_IDS, _IDS_SHOWN = 12, 3
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")

DASH = "\u2013"
"""Shown in place of a missing value."""

OUTCOMES_OF_A_RUN = (
    "Produced: there is a new pack. Unchanged: the last pack is still valid. Incomplete: requests failed, and the next run repeats them. "
    "Failed: there is no review. Skipped: finished before the run was interrupted."
)
"""Explains the outcomes of customers to readers of a run's index or summary."""

DEMONSTRATION = "Demonstration data"
"""Marks documents about invented people."""
DEMONSTRATION_WORDS = f"{DEMONSTRATION}: the customer, the verification and its pictures are invented."
_LEVELS: Mapping[str, Cell] = {
    "approve": Cell("Approve", Tone.GOOD),
    "review": Cell("Manual review", Tone.WATCH),
    "edd": Cell("Enhanced due diligence", Tone.ALARM),
    "escalate": Cell("Escalate", Tone.ALARM),
    "reject": Cell("Reject", Tone.ALARM),
}
CONDITIONAL = Cell("Approve once conditions are met", Tone.WATCH)
"""Stands for the level `approve` where something has to be there, or settled, before an approval."""
_OUTCOMES: Mapping[str, Cell] = {
    "clear": Cell("Clear", Tone.GOOD),
    "consider": Cell("Consider", Tone.WATCH),
    "warning": Cell("Warning", Tone.WATCH),
    "rejected": Cell("Rejected", Tone.ALARM),
    "attention": Cell("Attention", Tone.ALARM),
    "match_confirmed": Cell("Match confirmed", Tone.ALARM),
    "not_processed": Cell("Not processed", Tone.UNKNOWN),
    "true": Cell("Yes", Tone.GOOD),
    "false": Cell("No", Tone.WATCH),
    "HIT": Cell("Hit", Tone.ALARM),
    "CLEAR": Cell("Clear", Tone.GOOD),
    "UNKNOWN": Cell("Unknown", Tone.UNKNOWN),
    "NOT_APPLICABLE": Cell("Not looked at", Tone.QUIET),
    "answered": Cell("Answered", Tone.GOOD),
    "refused": Cell("Refused", Tone.WATCH),
    "failed": Cell("Failed", Tone.ALARM),
    "timeout": Cell("Timed out", Tone.WATCH),
    "not_asked": Cell("Not requested", Tone.UNKNOWN),
    "equal": Cell("Equal", Tone.GOOD),
    "similar": Cell("Similar", Tone.WATCH),
    "different": Cell("Different", Tone.ALARM),
    "missing": Cell("Missing", Tone.UNKNOWN),
}
_DISPOSITIONS: Mapping[str, str] = {
    "stream": "Streams, nature known or not",
    "own_transfer": "Own transfers",
    "refund": "Refunds and reversals",
    "one_off": "Named single credits",
    "small_other": "Small, not examined",
    "unexplained": "Unexplained",
    "duplicate": "Duplicates set aside",
    "pending": "Pending credits set aside",
}


def is_absent(value: Any) -> bool:
    """Return whether a cell of a frame is empty."""
    if isinstance(value, str):
        return False
    return (
        value is None
        or value is pd.NaT
        or (not isinstance(value, list | tuple | dict) and bool(pd.isna(value)))
    )


def text_of(value: Any, absent: str = "Not known") -> str:
    """Return a cell of a frame as text; an empty cell becomes the words in `absent`."""
    if is_absent(value):
        return absent
    if isinstance(value, datetime):
        return instant_words(value) if value.tzinfo is not None else day_words(value)
    if isinstance(value, date):
        return day_words(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or absent
    return str(value)


def dated_words(text: str) -> str:
    """Return a date of the form `2026-01-31` in words; any other text is unchanged."""
    with suppress(ValueError):
        return day_words(date.fromisoformat(text))
    return text


def cell_of(value: Any, absent: str = "Not known") -> Cell:
    """Return a cell of a frame as a cell of a table; an empty cell has the tone for unknown values."""
    return Cell(absent, Tone.UNKNOWN) if is_absent(value) else Cell(text_of(value))


def word_cell(value: Any) -> Cell:
    """Return a code of the service or of the register in words with a capital first letter; an empty cell is not known."""
    return cell_of(None if is_absent(value) else sentence_case(code_words(str(value))))


def sentence_case(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def title_in(sentence: str, title: str) -> str:
    """Return the title of a rule, as possible where its sentence begins with that."""
    possible = f"Possible {title[:1].lower()}{title[1:]}"
    return possible if sentence.startswith(possible) else title


def payer_name(payer: object) -> str:
    """Return the payer of a stream or credit in words."""
    name = text_of(payer, "No payer")
    return {CASH: "Cash", NO_NAME: "Payer not named"}.get(name, name)


def value_words(value: Any) -> str:
    """Return a value of a check in words; an unknown value is put in quotes."""
    if is_absent(value):
        return "missing"
    text = str(value)
    known = _OUTCOMES.get(text)
    if _NUMBER.fullmatch(text):
        return text
    if (words := code_words(text)) != text:
        return words
    return {"true": "yes", "false": "no"}.get(text) or (known.text.lower() if known else f"“{text}”")


def level_cell(level: str) -> Cell:
    """Return a level of recommendation in words."""
    return _LEVELS.get(level, Cell(level, Tone.UNKNOWN))


def recommended_cell(level: str, reason: str) -> Cell:
    """Return the recommended level of a customer in words; an approval before which something is missing says so.

    Args:
        level: The level.
        reason: The first reason for it, in whatever words of a version of kycpack: that of a plain approval is that nothing stands against it.
    """
    return CONDITIONAL if level == LEVELS[0] and reason not in {"", NOTHING} else level_cell(level)


def recommended_totals(recommended: Iterable[tuple[str, str]]) -> list[tuple[str, Cell, int]]:
    """Return how many customers have which recommended level, the most severe first: the level, its words and the number.

    Args:
        recommended: The level of each customer, and the first reason for it.
    """
    totals = Counter((level, recommended_cell(level, reason)) for level, reason in recommended)
    found = [(level, cell, total) for (level, cell), total in totals.items()]
    return sorted(found, key=lambda one: (hardness(one[0]), one[1].text))


def hardness(level: str) -> tuple[int, str]:
    """Return the sort key of a level: the most severe first; unknown ones last, in alphabetical order."""
    return (-rank(level) if level in LEVELS else 1, level)


def outcome_cell(value: Any) -> Cell:
    """Return an outcome in words; an unknown outcome is put in quotes and called unknown."""
    if is_absent(value):
        return Cell("Missing", Tone.UNKNOWN)
    return _OUTCOMES.get(str(value), Cell(f"Unknown value “{value}”", Tone.UNKNOWN))


def no_outcome(status: Any) -> Cell:
    """Return why a session has no outcome: only one that is complete lacks it; one that is still open may get it."""
    state = text_of(status, "")
    if state == SessionState.COMPLETE:
        return outcome_cell(None)
    return Cell("No result yet" if state in OPEN_SESSIONS else "No result", Tone.UNKNOWN)


def is_named(outcome: str) -> bool:
    """Return whether an outcome has its own words here."""
    return outcome in _OUTCOMES


def disposition_words(disposition: str) -> str:
    """Return a disposition of a credit in words."""
    return _DISPOSITIONS.get(disposition, disposition)


def money_words(minor: Any, currency: Any) -> str:
    """Return an amount with its currency; if the currency is not known, the minor units with a remark."""
    if is_absent(minor):
        return "Not known"
    if is_absent(currency) or not known_currency(str(currency)):
        return f"{int(minor)} minor units of {text_of(currency, 'an unknown currency')}"
    return format_minor(int(minor), str(currency))


def range_words(least_minor: int, most_minor: int, currency: str) -> str:
    """Return an amount in words, or the range of it, as in `7,500.00 to 15,000.00 GBP`."""
    most = money_words(most_minor, currency)
    if least_minor == most_minor:
        return most
    return f"{money_words(least_minor, currency).removesuffix(f' {currency}')} to {most}"


def net_words(least_minor: int, most_minor: int, paid_minor: int, currency: str) -> str:
    """Return an amount in words: a range if it is not sure, and as it was paid if part of it was taken back."""
    said = range_words(least_minor, most_minor, currency)
    return said if most_minor == paid_minor else f"{said}; as paid {money_words(paid_minor, currency)}"


def percents(parts: Sequence[int]) -> list[str]:
    """Return shares with one decimal that add up to 100.0%, such as `82.4%`; dashes if the total is zero.

    Args:
        parts: Minor units of the parts of the whole; none may be negative.

    Source: largest remainder method; among equal remainders the first part gets the tenth. Only, the first part is never more than the same share
    rounded on its own: it may be what is known.
    """
    whole = sum(parts)
    if whole == 0:
        return [DASH] * len(parts)
    tenths = [1000 * part // whole for part in parts]
    left = [1000 * part % whole for part in parts]
    if 2 * left[0] < whole:
        left[0] = -1
    order = sorted(range(len(parts)), key=lambda place: (-left[place], place))
    for place in order[: 1000 - sum(tenths)]:
        tenths[place] += 1
    return [f"{one // 10}.{one % 10}%" for one in tenths]


def share_words(parts: Sequence[int]) -> list[str]:
    """Return shares as in `percents`, but a part of less than 0.1%, or of all but less than that, by these words, however it is rounded.

    Args:
        parts: Minor units of the parts of the whole; none may be negative.
    """
    whole = sum(parts)
    return [
        "under 0.1%"
        if part and 1000 * part < whole
        else "over 99.9%"
        if part < whole and 1000 * (whole - part) < whole
        else said
        for part, said in zip(parts, percents(parts), strict=True)
    ]


ADJUSTED = "Shares are rounded so that they add up to the whole."
"""Said beside shares that are not each rounded on their own."""


def is_adjusted(parts: Sequence[int]) -> bool:
    """Return whether a share in `percents` differs from the same share rounded on its own.

    Args:
        parts: Minor units of the parts of the whole.
    """
    whole = sum(parts)
    return bool(whole) and any(
        abs(Fraction(said.removesuffix("%")) - Fraction(100 * part, whole)) > Fraction(1, 20)
        for part, said in zip(parts, percents(parts), strict=True)
    )


_ACTIONS = {
    "ask": "clarify",
    "decline": "reject",
    "complete_session": "have the session completed",
    "senior_approval": "senior management approval",
    "internal_report": "decision on a report to the NCA",
}


def action_words(action: Any) -> str:
    """Return the action that a policy requires, in words, such as `senior management approval`; empty for none."""
    plain = text_of(action, "")
    return _ACTIONS.get(plain, plain.replace("_", " "))


def joined(ids: Any) -> str:
    """Return all ids as one text; a list of evidence is never cut."""
    if not isinstance(ids, list | tuple):
        return text_of(ids, DASH)
    return ", ".join(map(str, ids)) or DASH


def transaction_words(ids: Sequence[tuple[str, str]]) -> str:
    """Return transactions for a narrow column: if there are many, only the first and last, with where to find all of them.

    An id is unique only within its account, so each account is named before its own. The text does not add a count, because every
    number in a review must follow from the rows of its frames.

    Args:
        ids: The short name of the account and the id of each transaction, in the order of the frame.
    """
    if len(ids) <= _MOST_IDS:
        return _by_account(ids) or DASH
    first, last = _by_account(ids[:_IDS_SHOWN]), _by_account(ids[-_IDS_SHOWN:])
    return f"{first}, and so on to {last}; all of them are in the workbook, sheet flags"


def _by_account(ids: Sequence[tuple[str, str]]) -> str:
    runs = groupby(ids, key=itemgetter(0))
    return "; ".join(f"{account} {', '.join(id_ for _, id_ in run)}" for account, run in runs)


def population_words(population: Mapping[str, Any]) -> str:
    """Return how the customers in scope of a run compare with the register and with the service's list, in a sentence.

    Args:
        population: in_scope, in_register, listed, left_out_of_register, left_out_of_service and without_session, as `run.json`
            has them.
    """
    count = population["in_scope"]
    parts = [counted(count, "customer was in scope", "customers were in scope")]
    for name, left, whose in (
        ("in_register", "left_out_of_register", "the register had"),
        ("listed", "left_out_of_service", "the service listed"),
    ):
        if population[name] is not None:
            out = "" if population[left] is None else f" ({len(population[left]):,} of them not in scope)"
            parts.append(f"{whose} {population[name]:,}{out}")
    parts.append(f"{len(population['without_session']):,} had no known session")
    return f"When the run began: {', '.join(parts)}."


def is_population_whole(population: Mapping[str, Any]) -> bool:
    """Return whether nobody known was left out of a run, and a session is known for each customer in scope."""
    kinds = ("left_out_of_register", "left_out_of_service", "missing_from_service", "without_session")
    return not any(population[name] for name in kinds)


def approval_words(policy: str, approval: Mapping[str, Any] | None) -> str:
    """Return whether a policy was approved when a run was created, in a sentence.

    Args:
        policy: Id and version; empty if they are shown elsewhere.
        approval: state, by, at, seq and signed; None if there was no workspace.
    """
    about = f"The policy {policy}".strip()
    if approval is None:
        return (
            f"It is not known whether {about[:1].lower()}{about[1:]} is approved: the run had no workspace."
        )
    if approval["state"] not in {"approved", "withdrawn"}:
        return f"{about} was not approved when this run was created."
    day = day_words(datetime.fromisoformat(str(approval["at"])).date())
    signed = "" if approval["signed"] else ", without a signature"
    return f"{about} was {approval['state']} by {approval['by']} on {day}{signed} (ledger entry {approval['seq']})."
