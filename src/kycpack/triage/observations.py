"""Observations from frames: the case file of every customer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.rows import rows, values_of
from kycpack.triage.bank_observations import observe_bank, observe_wealth
from kycpack.triage.case_file import CaseFile, SessionFile
from kycpack.triage.consistency import Comparison
from kycpack.triage.diligence import FACTORS
from kycpack.triage.person_observations import observe_gaps, observe_person
from kycpack.triage.session_observations import (
    SESSION_COLUMNS,
    observe_documents,
    observe_results,
    observe_session,
)

_RISK = tuple(f"risk_{factor}" for factor in (*FACTORS, "pep"))


def case_files(
    frames: Frames, wealth: Any, compared: Sequence[Comparison], as_of: dt.datetime
) -> list[CaseFile]:
    """Return the case file of every customer of the frames, in their order.

    Args:
        frames: From `flatten`.
        wealth: From `derive`; None where the bank data was not analysed.
        compared: From `compare_sources`.
        as_of: The instant of the review.
    """
    cases: dict[str, CaseFile] = {}
    for row in rows(frames.customers, "customer_id", "evidence_id", *_RISK):
        case = cases[row.customer_id] = CaseFile(str(row.customer_id), str(row.evidence_id))
        said = {column.removeprefix("risk_"): getattr(row, column) for column in _RISK}
        case.risk = {factor: str(value) for factor, value in said.items() if not pd.isna(value)}
    sessions = _sessions(frames, cases)
    observe_results(frames, sessions)
    for row in rows(frames.sessions, *SESSION_COLUMNS):
        observe_session(sessions[row.customer_id, row.session_id], row, as_of)
    _link_bank(frames, sessions)
    observe_documents(frames, sessions, as_of)
    observe_gaps(frames, cases, sessions)
    observe_person(frames, cases, compared, as_of)
    observe_bank(frames, cases, wealth, as_of)
    observe_wealth(frames, cases, wealth)
    for case in cases.values():
        if not case.sessions:
            case.sessions.append(SessionFile(None, case.evidence_id))
        _completion(case)
    return list(cases.values())


def _sessions(frames: Frames, cases: Mapping[str, CaseFile]) -> dict[tuple[str, str], SessionFile]:
    found: dict[tuple[str, str], SessionFile] = {}
    for part in (frames.sessions, frames.results):
        for row in rows(part, "customer_id", "session_id", "evidence_id"):
            session = found.get((row.customer_id, row.session_id))
            if session is None:
                session = found[row.customer_id, row.session_id] = SessionFile(
                    str(row.session_id), str(row.evidence_id)
                )
                cases[row.customer_id].sessions.append(session)
            # The results come second: they are where a check should have been.
            session.evidence_id = str(row.evidence_id)
    return found


def _link_bank(frames: Frames, sessions: Mapping[tuple[str, str], SessionFile]) -> None:
    linked = {
        str(name)
        for part in (frames.accounts, frames.transactions)
        for name in set(values_of(part["customer_id"].array))
    }
    for (customer_id, _), session in sessions.items():
        ordered = session.ordered
        if customer_id in linked:
            word = "answered"
        else:
            word = "absent" if ordered is not None and "bank" in ordered else "not_ordered"
        session.add("requested.bank", word, session.evidence_id)


def _completion(case: CaseFile) -> None:
    """Say whether customer due diligence was completed, can still be, or cannot be in any session there is."""
    ids = tuple(session.evidence_id for session in case.sessions)
    states = {session.status for session in case.sessions}
    if any(session.complete and session.sections >= set(SECTIONS[:1]) for session in case.sessions):
        case.add("diligence.completion", "complete", *ids)
    elif states <= {"expired"} and states:
        case.add(
            "diligence.completion",
            "cannot_complete",
            *ids,
            note="every session expired before it was finished",
        )
    elif states - {""}:
        case.add("diligence.completion", "open", *ids)
