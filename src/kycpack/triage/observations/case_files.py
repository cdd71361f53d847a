"""Makes the case file of every customer from the frames, with the observations about the person, about what was not answered, about accounts and about questions that the money leaves open."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.labels import code_words
from kycpack.frames.rows import rows
from kycpack.models.dates import day_words
from kycpack.models.enums import OPEN_SESSIONS
from kycpack.models.listed import listed as listed_words
from kycpack.triage.case_file import CaseFile, SessionFile
from kycpack.triage.details.contradictions import observe_residences
from kycpack.triage.details.doubtful_names import observe_doubtful_names
from kycpack.triage.diligence import FACTORS
from kycpack.triage.likeness import ORDER, ORDER_ALONE, SIMILAR, words_of
from kycpack.triage.names.readable_names import is_name
from kycpack.triage.observations.bank_observations import (
    BankHistory,
    bank_histories,
    observe_bank,
    observe_currencies,
    observe_payments,
    observe_wealth,
)
from kycpack.triage.observations.consistency import MISSING, UNREADABLE, Comparison
from kycpack.triage.observations.frame_rows import FrameRows
from kycpack.triage.observations.session_observations import (
    observe_documents,
    observe_results,
    observe_session,
)
from kycpack.triage.paths import QUESTIONS_OF_MONEY
from kycpack.triage.results.vocabulary_file import load_vocabulary
from kycpack.wealth.judge.accounts import POSSIBLE, SILENT, AccountDoubt
from kycpack.wealth.judge.open_questions import pay_beside_benefit
from kycpack.wealth.judge.pay_beside_benefits import limited_benefits
from kycpack.wealth.judge.stream_calendar import expected_after, stream_calendar
from kycpack.wealth.judge.wording import type_words
from kycpack.wealth.prepare.lexicon import OTHER

_SOURCES = {
    "record": "the customer record",
    "document": "the document",
    "address": "the proof of address",
    "bank": "the bank account",
    "statement": "the service's statement",
}
_NO_RESULTS = frozenset({"refused", "failed", "timeout", "unreadable", "not_asked"})


def case_files(
    frames: Frames, given: FrameRows, wealth: Any, compared: Sequence[Comparison], as_of: dt.datetime
) -> list[CaseFile]:
    """Return the case file of every customer in the frames, in their order; some may have no record.

    Args:
        frames: From `flatten`.
        given: Their rows, from `read_rows`.
        wealth: From `derive`; None if the bank data was not analysed.
        compared: From `compare_sources`.
        as_of: The instant of the review.
    """
    cases: dict[str, CaseFile] = {}
    for row in given.customers:
        case = cases[row.customer_id] = CaseFile(row.customer_id, row.evidence_id)
        case.risk = {
            factor: said
            for factor in (*FACTORS, "pep")
            if (said := getattr(row, f"risk_{factor}")) is not None
        }
    histories = bank_histories(frames.transactions)
    for customer_id, evidence_id in _without_record(given, histories):
        cases.setdefault(customer_id, CaseFile(customer_id, evidence_id))
    sessions = _sessions(given, cases)
    observe_results(frames.checks, sessions)
    observe_residences(cases.values(), load_vocabulary())
    for row in given.sessions:
        observe_session(sessions[row.customer_id, row.session_id], row, as_of)
    _link_bank({*histories, *(row.customer_id for row in given.accounts)}, sessions)
    observe_documents(given.documents, given.media, sessions, as_of)
    observe_doubtful_names(given.customers, cases)
    _observe_gaps(given.gaps, cases, sessions)
    _observe_person(given, cases, compared, as_of)
    observe_bank(given, histories, cases, wealth, as_of)
    observe_currencies(given, frames.transactions, cases)
    observe_wealth(histories, cases, wealth)
    _observe_money(histories, cases, wealth)
    _observe_account_doubts(given, frames.transactions, cases, wealth)
    observe_payments(given, cases, wealth)
    for case in cases.values():
        if not case.sessions:
            case.sessions.append(SessionFile(None, case.evidence_id))
        _completion(case)
    return list(cases.values())


def _without_record(given: FrameRows, histories: Mapping[str, BankHistory]) -> Iterator[tuple[str, str]]:
    """Yield every customer that a frame names, with the evidence entry; the `customers` frame may lack some."""
    for name in given._fields:
        for row in getattr(given, name):
            yield row.customer_id, row.evidence_id
    for customer_id, history in histories.items():
        yield customer_id, history.evidence_id


def _sessions(given: FrameRows, cases: Mapping[str, CaseFile]) -> dict[tuple[str, str], SessionFile]:
    found: dict[tuple[str, str], SessionFile] = {}
    for row in (*given.sessions, *given.results):
        session = found.get((row.customer_id, row.session_id))
        if session is None:
            session = found[row.customer_id, row.session_id] = SessionFile(row.session_id, row.evidence_id)
            cases[row.customer_id].sessions.append(session)
        # The results come second: that is where a missing check should have been.
        session.evidence_id = row.evidence_id
    return found


def _link_bank(linked: set[str], sessions: Mapping[tuple[str, str], SessionFile]) -> None:
    for (customer_id, _), session in sessions.items():
        ordered = session.ordered
        if customer_id in linked:
            word = "answered"
        else:
            word = "absent" if ordered is not None and "bank" in ordered else "not_ordered"
        session.add("requested.bank", word, session.evidence_id)


def _completion(case: CaseFile) -> None:
    """Add whether customer due diligence was completed, can still be completed, or cannot be completed in any existing session."""
    ids = tuple(session.evidence_id for session in case.sessions)
    states = {session.status for session in case.sessions}
    if any(session.complete and session.sections >= set(SECTIONS[:1]) for session in case.sessions):
        case.add("diligence.completion", "complete", *ids)
    elif states <= {"expired"} and states:
        case.add(
            "diligence.completion",
            "cannot_complete",
            *ids,
            note="every session expired before it was completed",
        )
    elif states & OPEN_SESSIONS and not any(session.sections for session in case.sessions):
        waiting = " or ".join(code_words(state) for state in sorted(states & OPEN_SESSIONS))
        case.add("diligence.completion", "open", *ids, note=f"the session is {waiting}")


def _observe_person(
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
    return f"There is no {field.replace('_', ' ')} to compare between {_SOURCES[left]} and {_SOURCES[right]}."


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


def _observe_gaps(
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


def _observe_account_doubts(
    given: FrameRows, transactions: pd.DataFrame, cases: Mapping[str, CaseFile], wealth: Any
) -> None:
    """Add the accounts that are or may be one, and the months that may be missing from the data of a busy account.

    Args:
        given: The rows of the other frames.
        transactions: The frame; those before and after a silent time show it.
        cases: The customers.
        wealth: What the credits are made of.
    """
    listed = {(row.customer_id, row.account_id): row for row in given.accounts}
    for doubt in getattr(wealth, "account_doubts", tuple)():
        if doubt.customer_id not in cases:
            continue
        accounts = [row for account in doubt.account_ids if (row := listed.get((doubt.customer_id, account)))]
        if doubt.code == SILENT:
            at_ends = transactions.loc[
                (transactions["customer_id"] == doubt.customer_id)
                & transactions["account_id"].isin(doubt.account_ids)
                & transactions["booked_on"].isin(doubt.ends_on),
                "evidence_id",
            ]
            shown, more = {*at_ends.dropna().astype(str)}, _not_seen(wealth, doubt)
        else:
            shown = {*doubt.evidence_ids, *(row.evidence_id for row in accounts if row.evidence_id)}
            more = _alike(accounts) if doubt.verdict == POSSIBLE else ""
        cases[doubt.customer_id].add(
            f"wealth.{doubt.code}", doubt.verdict, *sorted(shown), note=f"{doubt.words}{more}"
        )


def _not_seen(wealth: Any, doubt: AccountDoubt) -> str:
    """Return which regular payments to the accounts were expected in a silent time and not seen."""
    start, end = doubt.ends_on
    credits_ = wealth.credits
    paid_to = set(credits_.loc[credits_["account_id"].isin(doubt.account_ids), "stream_id"].dropna())
    said = []
    for stream in rows(wealth.streams, "customer_id", "stream_id", "payer", "type"):
        if stream.customer_id == doubt.customer_id and stream.stream_id in paid_to:
            calendar = stream_calendar(wealth, stream.stream_id)
            due = calendar.loc[calendar["kind"] == "missing", "expected_on"].tolist()
            due += expected_after(wealth, stream.stream_id, start, end)
            days = [day_words(day) for day in due if start < day < end]
            what = "payment" if stream.type == OTHER else f"{type_words(stream.type)} payment"
            said += [f"the {what} from {stream.payer} expected on {listed_words(days)}"] if days else []
    return f"; not seen: {'; '.join(said)}" if said else ""


def _alike(accounts: Sequence[Any]) -> str:
    """Return what two accounts that may be one have in common in the list of accounts, beside their payments."""
    if len(accounts) < 2:
        return ""
    one, other = accounts
    same = [
        words
        for words, column in (("bank", "bank_name"), ("holder", "holder_name"), ("currency", "currency"))
        if getattr(one, column) and getattr(one, column) == getattr(other, column)
    ]
    digits = [re.sub("[^0-9]", "", row.account_number or "") for row in accounts]
    same += ["visible digits of the number"] if digits[0] and digits[0] == digits[1] else []
    return f"; the same in both: {listed_words([*same, 'payments'])}"


def _observe_money(histories: Iterable[str], cases: Mapping[str, CaseFile], wealth: Any) -> None:
    """Add pay of each customer, or what may be pay, that came in beside a benefit that limits it.

    Args:
        histories: Customers with transactions.
        cases: The customers.
        wealth: What the credits are made of; None if the bank data was not analysed.
    """
    if wealth is None:
        return
    limited = set(wealth.credits["customer_id"].to_numpy(object)[limited_benefits(wealth.credits) != ""])
    for customer_id in (one for one in histories if one in cases and one in limited):
        for asked in pay_beside_benefit(wealth.of(wealth.credits, customer_id)):
            path = f"{QUESTIONS_OF_MONEY}{asked.code}"
            cases[customer_id].add(path, "open", *asked.evidence_ids, note=asked.message.rstrip("."))
