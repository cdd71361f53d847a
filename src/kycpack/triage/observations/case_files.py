"""Makes the case file of every customer from the frames."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kycpack.frames import Frames
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.labels import code_words
from kycpack.models.enums import OPEN_SESSIONS
from kycpack.triage.case_file import CaseFile, SessionFile
from kycpack.triage.details.name_letters import observe_name_letters
from kycpack.triage.details.residences import observe_residences
from kycpack.triage.details.specimens import observe_specimens
from kycpack.triage.diligence import FACTORS
from kycpack.triage.observations.account_observations import observe_account_doubts
from kycpack.triage.observations.bank_observations import (
    BankHistory,
    bank_histories,
    observe_bank,
    observe_currencies,
    observe_payments,
    observe_wealth,
)
from kycpack.triage.observations.consistency import Comparison
from kycpack.triage.observations.frame_rows import FrameRows
from kycpack.triage.observations.money_observations import observe_money
from kycpack.triage.observations.person_observations import observe_gaps, observe_person
from kycpack.triage.observations.session_observations import (
    observe_documents,
    observe_results,
    observe_session,
)
from kycpack.triage.results.vocabulary_file import load_vocabulary

_RISK = (*FACTORS, "pep")


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
        case.risk = {factor: said for factor in _RISK if (said := getattr(row, f"risk_{factor}")) is not None}
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
    observe_name_letters(given.customers, cases)
    observe_specimens(given.customers, cases)
    observe_gaps(given.gaps, cases, sessions)
    observe_person(given, cases, compared, as_of)
    observe_bank(given, histories, cases, wealth, as_of)
    observe_currencies(given, frames.transactions, cases)
    observe_wealth(histories, cases, wealth)
    observe_money(histories, cases, wealth)
    observe_account_doubts(given, frames.transactions, cases, wealth)
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
