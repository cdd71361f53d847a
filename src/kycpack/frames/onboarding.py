"""Onboard sessions, what each leaves open, their results and their media."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.answer_fields import AnswerFields, boolean, instant, items, label, text, whole
from kycpack.frames.answer_members import IDENTITY_OPTIONS, SECTIONS, ordered_column
from kycpack.frames.gaps import Open
from kycpack.frames.identity import Identity
from kycpack.frames.listed_matches import count_listed
from kycpack.frames.reading import EvidenceReading
from kycpack.frames.register import RegisterExcerpt
from kycpack.frames.results import ResultsDocument, open_results
from kycpack.models.listed import counted

_OPTIONS = {
    "document": ("documentCheck",),
    "address": ("proofOfAddressCheck",),
    "identity": ("identityCheck", "enhancedIdentityCheck"),
    "screening": ("amlStandardScreening", "amlExtensiveScreening"),
}
_MONITORING = ("amlStandardMonitoring", "amlExtensiveMonitoring")
_KNOWN, _BANK = "order_known", "ordered_ais_accounts"
_ASKED = (_KNOWN, _BANK, *IDENTITY_OPTIONS)
_COLUMNS = (_KNOWN, _BANK, *map(ordered_column, IDENTITY_OPTIONS))


def list_open(order: Mapping[str, Any], sections: frozenset[str] | None) -> Iterator[Open]:
    """Yield what is open after a session.

    Args:
        order: What was ordered according to the register, by column of `sessions`; empty if that is not known.
        sections: The sections in the results; None without results.
    """
    ordered: dict[str, bool | None] = dict(zip(_ASKED, map(order.get, _COLUMNS), strict=True))
    if not ordered[_KNOWN]:
        yield Open(
            "session",
            "order_not_known",
            "It is not known what was ordered: the register has no record of it.",
        )
    for section in SECTIONS:
        if sections is None or section not in sections:
            wanted = [ordered[option] for option in _OPTIONS[section]]
            yield from _absence(section, wanted, answered=sections is not None)
    if ordered["amlStandardScreening"] and ordered["amlExtensiveScreening"] is False:
        yield Open(
            "screening",
            "standard_only",
            "Only standard screening was ordered: sanctions, without PEPs and adverse media.",
        )
    wanted = [ordered[option] for option in _MONITORING]
    if all(choice is False for choice in wanted):
        yield Open("monitoring", "monitoring_not_ordered", _NO_MONITORING)
    yield Open("monitoring", "monitoring_not_visible", _monitoring(wanted))
    if ordered[_KNOWN] and not ordered[_BANK]:
        yield Open("bank", "not_ordered", "Bank access was not ordered in this session.", "bank")


def _matches_open(results: ResultsDocument) -> Iterator[Open]:
    """Yield that the lists have no date, and that matches are counted and not listed: all of them, or those beyond the listed ones."""
    if "screening" not in results.sections:
        return
    yield Open("screening", "list_date_not_visible", "The date of the screening lists is not shown.")
    listed = count_listed(results.document)
    stated = _match_count(results.document["screening"])
    if not listed:
        message = "The service gives the number of matches but not the matches themselves."
        yield Open("screening", "matches_not_visible", message, number=stated)
        return
    matches = counted(listed, "match", "matches")
    if stated is None:
        message = f"The results list {matches}, and the number of matches is missing or cannot be read: there may be more."
        yield Open("screening", "matches_not_listed", message)
    elif stated > listed:
        missing = "the other is" if stated == listed + 1 else f"the other {stated - listed:,} are"
        message = f"The service counts {counted(stated, 'match', 'matches')} and lists {listed:,} of them; {missing} not shown."
        yield Open("screening", "matches_not_listed", message, number=stated - listed)


def _match_count(screening: Any) -> int | None:
    try:
        return whole(screening.get("matchCount")) if isinstance(screening, dict) else None
    except (InputError, ValueError):
        return None


def _absence(section: str, wanted: list[bool | None], *, answered: bool) -> Iterator[Open]:
    area = "screening" if section == "screening" else "session"
    if any(wanted):
        yield Open(area, "section_missing", f"The {section} check was ordered but has no result.", section)
    elif all(choice is False for choice in wanted):
        yield Open(area, "not_ordered", f"The {section} check was not ordered.", section)
    elif answered:
        yield Open(
            area,
            "section_missing",
            f"The {section} check is not in the results; it is not known whether it was ordered.",
            section,
        )


_NO_MONITORING = "Monitoring was not ordered in this session. The MLRO decides whether to order it."


def _monitoring(wanted: list[bool | None]) -> str:
    if any(wanted):
        return "Monitoring was ordered; the service does not show whether it is running."
    if all(choice is False for choice in wanted):
        return "The service does not show whether monitoring is running."
    return "It is not known whether monitoring was ordered, and the service does not show whether any is running."


LIFETIME = dt.timedelta(days=7)
"""How long a session and its link are valid (interface.md, "Limits")."""

_OPERATIONS = ("onboarding.get", "onboarding.results", "onboarding.media", "onboarding.download")


def read_sessions(
    reading: EvidenceReading, known: RegisterExcerpt, identity: Identity
) -> list[ResultsDocument]:
    """Add a row of `sessions` for each session that was requested or is in the register, and its media.

    Returns:
        The results documents of the sessions.
    """
    by_session: dict[str, dict[str, list[Entry]]] = {}
    for entry in reading.evidence.entries:
        session_id = entry.subject.get("session_id")
        if session_id and entry.operation in _OPERATIONS:
            by_session.setdefault(session_id, {}).setdefault(entry.operation, []).append(entry)
    for session_id in known.sessions:
        by_session.setdefault(session_id, {})
    found = []
    for session_id, entries in by_session.items():
        ordered = known.sessions.get(session_id, {})
        evidence_id = _read_status(reading, session_id, entries, known)
        results = _open_results(reading, session_id, entries, identity)
        sections = None if results is None else results.sections
        reading.gaps.extend(list_open(ordered, sections), subject=session_id, evidence_id=evidence_id)
        if results is not None:
            reading.gaps.extend(_matches_open(results), subject=session_id, evidence_id=results.entry.id)
        _read_media(reading, session_id, entries)
        if results is not None:
            found.append(results)
    return found


def _read_status(
    reading: EvidenceReading, session_id: str, entries: Mapping[str, list[Entry]], known: RegisterExcerpt
) -> str:
    asked = entries.get("onboarding.get", [])
    answered = [entry for entry in asked if entry.outcome == "answered"]
    row: dict[str, Any] = {"order_known": False, **known.sessions.get(session_id, {})}
    if answered:
        entry = answered[-1]
        status = reading.open(entry, subject=session_id)
        row |= {
            "status": status.get("status", label),
            "identity_completed": status.get("progress.identity.completed", boolean),
            "identity_confirmed": status.get("progress.identity.confirmed", boolean),
            "identity_completed_at": status.get("progress.identity.completedAt", instant),
            "ais_completed": status.get("progress.ais.completed", boolean),
            "ais_completed_at": status.get("progress.ais.completedAt", instant),
            "created_at": status.get("created", instant) or row.get("created_at"),
            "updated_at": status.get("updated", instant),
            "attempt_count": status.get("attemptCount", whole),
        }
        evidence_id = entry.id
    else:
        others = [entry for group in entries.values() for entry in group]
        evidence_id = asked[-1].id if asked else known.evidence_id or others[0].id
        if not asked:
            message = "the status of the session was not requested"
            reading.gaps.add(
                "session", "not_asked", message,
                subject=session_id, evidence_id=evidence_id, part="onboarding.get",
            )  # fmt: skip
    row["expires_at"] = _expiry(row.get("created_at"))
    reading.add("sessions", evidence_id, session_id=session_id, **row)
    return evidence_id


def _expiry(created: dt.datetime | None) -> dt.datetime | None:
    try:
        return None if created is None else created + LIFETIME
    except OverflowError:
        return None


def _open_results(
    reading: EvidenceReading, session_id: str, entries: Mapping[str, list[Entry]], identity: Identity
) -> ResultsDocument | None:
    answered = [entry for entry in entries.get("onboarding.results", []) if entry.outcome == "answered"]
    if not answered:
        return None
    entry = answered[-1]
    if why := identity.other_results(entry):
        message = f"the results are about somebody else and were left out: {why}"
        reading.note(entry, "wrong_subject", message, subject=session_id)
        return None
    return open_results(reading, entry, session_id)


def _read_media(reading: EvidenceReading, session_id: str, entries: Mapping[str, list[Entry]]) -> None:
    downloads = {entry.subject.get("media_id"): entry for entry in entries.get("onboarding.download", [])}
    for entry in entries.get("onboarding.media", []):
        if entry.outcome != "answered":
            continue
        listing = reading.open(entry, subject=session_id)
        for position, document in enumerate(listing.get("media", items) or []):
            item = AnswerFields(document, reading.gaps, "media", session_id, entry.id)
            media_id = item.get("id", label)
            if media_id is None:
                item.missing("wrong_type", f"media item {position + 1} has no id and was left out")
                continue
            file = downloads.get(media_id)
            downloaded = file is not None and file.outcome == "answered"
            reading.add(
                "media",
                entry.id,
                session_id=session_id,
                media_id=media_id,
                file_name=item.get("fileName", text),
                content_type=item.get("contentType", text),
                description=item.get("description", text),
                type=item.get("type", text),
                downloaded=downloaded,
                size_bytes=file.bytes if file is not None and downloaded else None,
                sha256=file.sha256 if file is not None and downloaded else None,
                file_evidence_id=file.id if file is not None else None,
            )
            if file is None:
                item.missing("not_downloaded", f"the file of media item {media_id} is not in the evidence")
