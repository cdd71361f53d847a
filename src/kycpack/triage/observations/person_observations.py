"""Observations about the person: countries, age and agreement between sources; and what was not answered."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from kycpack.frames.labels import code_words
from kycpack.triage.case_file import CaseFile, SessionFile
from kycpack.triage.likeness import ORDER, ORDER_ALONE, SIMILAR, words_of
from kycpack.triage.names.readable_names import is_name
from kycpack.triage.observations.consistency import MISSING, UNREADABLE, Comparison
from kycpack.triage.observations.frame_rows import FrameRows

_FIELDS = {"name": "name", "date_of_birth": "date of birth", "address": "address", "town": "town"}
_SOURCES = {
    "record": "the customer record",
    "document": "the document",
    "address": "the proof of address",
    "bank": "the bank account",
    "statement": "the service's statement",
}
_NO_RESULTS = frozenset({"refused", "failed", "timeout", "unreadable", "not_asked"})


def observe_person(
    given: FrameRows, cases: Mapping[str, CaseFile], compared: Sequence[Comparison], as_of: dt.datetime
) -> None:
    """Add countries, ages, what the firm's file says, and how the sources compare."""
    _observe_countries(given, cases)
    for row in given.customers:
        _observe_age(cases[row.customer_id], "record", row.date_of_birth_on, row.evidence_id, as_of)
    for row in given.documents:
        if row.kind == "identity":
            born = row.holder_date_of_birth_on
            _observe_age(cases[row.customer_id], "document", born, row.evidence_id, as_of)
    for row in compared:
        case = cases[row.customer_id]
        if row.verdict == MISSING:
            case.add(row.path, None, *row.evidence_ids, note=_nothing_came(case) or _nothing_to_compare(row))
            continue
        if row.verdict == UNREADABLE:
            case.add(row.path, None, *row.evidence_ids, note=_not_readable(row))
            continue
        case.add(row.path, row.verdict, *row.evidence_ids)
        for kind in row.kinds.split(", ") if row.verdict == SIMILAR and row.kinds else ():
            alone = kind == row.kinds == ORDER
            path = row.path.replace(f".{row.field}.", f".{row.field}.likeness.")
            case.add(path, ORDER_ALONE if alone else kind, *row.evidence_ids, note=words_of(kind, row.reason))
    for case in cases.values():
        if "pep" in case.risk:
            case.add("risk.pep", case.risk["pep"].casefold(), case.evidence_id)
        nothing = _nothing_came(case)
        case.because.setdefault("country", nothing or "The country is not known.")
        case.because.setdefault("age", nothing or "The date of birth is not known.")
        case.because.setdefault("consistency", nothing or "There is nothing to compare.")


def _nothing_to_compare(row: Comparison) -> str:
    field, left, right = row.path.split(".")[1:]
    return f"There is no {_FIELDS[field]} to compare between {_SOURCES[left]} and {_SOURCES[right]}."


def _not_readable(row: Comparison) -> str:
    left, right = row.path.split(".")[2:]
    values = {_SOURCES[left]: row.left_value, _SOURCES[right]: row.right_value}
    wrong = [source for source, value in values.items() if value is not None and not is_name(value)]
    return f"The name on {' and on '.join(wrong)} cannot be read as a name."


def _nothing_came(case: CaseFile) -> str:
    """Return why no session has results; empty if one has."""
    if not case.sessions:
        return "No session is known for this customer."
    return "" if any(session.sections for session in case.sessions) else case.sessions[-1].no_results


def _observe_countries(given: FrameRows, cases: Mapping[str, CaseFile]) -> None:
    places = (
        (given.customers, "country", "record"),
        (given.documents, "issuing_country", "issuer"),
        (given.documents, "holder_nationality", "nationality"),
        (given.documents, "country", "address"),
    )
    for found, column, name in places:
        for row in found:
            country = getattr(row, column)
            if country is not None:
                cases[row.customer_id].add(f"country.{name}", country, row.evidence_id)


def _observe_age(case: CaseFile, source: str, born: object, evidence_id: str, as_of: dt.datetime) -> None:
    if not isinstance(born, pd.Timestamp) or pd.isna(born):
        return
    day, birth = as_of.date(), born.date()
    years = day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))
    case.add(f"age.{source}", Decimal(years), evidence_id, note=f"born in {birth.year}")


def observe_gaps(
    gaps: Sequence[Any], cases: Mapping[str, CaseFile], sessions: Mapping[tuple[str, str], SessionFile]
) -> None:
    """Add what was requested and not answered, and why a session has no results.

    Args:
        gaps: Rows of `gaps`.
        cases: The customers.
        sessions: Their sessions, by ids of customer and session.
    """
    for row in gaps:
        case = cases.get(row.customer_id)
        if case is None:
            continue
        message = str(row.message).rstrip(".")
        case.add(f"gaps.{row.area}.{row.code}", message, row.evidence_id, note=message)
        session = sessions.get((row.customer_id, row.subject))
        if session is not None and row.area == "session" and row.code in _NO_RESULTS and "results" in message:
            session.no_results = f"{message[:1].upper()}{message[1:]}."
        if row.area == "bank" and row.code in _NO_RESULTS and "accounts" in message:
            case.because.setdefault("bank", f"{message[:1].upper()}{message[1:]}.")
    for session in sessions.values():
        if not session.no_results:
            unfinished = session.status and not session.complete
            session.no_results = (
                f"The session is {code_words(session.status)}, so it has no results."
                if unfinished
                else "The session's results were not obtained."
            )
