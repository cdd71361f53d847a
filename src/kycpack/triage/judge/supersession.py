"""Later sessions replace earlier ones: findings about what was missing or unfinished are dropped, all others stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import pandas as pd

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.rows import columns_of, frame_of
from kycpack.models.dates import day_words
from kycpack.models.enums import OPEN_SESSIONS, SessionState
from kycpack.triage.case_file import CaseFile, SessionFile
from kycpack.triage.judge.findings import Ruling
from kycpack.triage.levels import HIT

_UNFINISHED = OPEN_SESSIONS | {SessionState.EXPIRED.value}


class Supersession(NamedTuple):
    """A session that a later one replaces.

    Attributes:
        customer_id: The customer.
        session_id: The session that is replaced.
        superseded_by: The later session.
        kind: `complete` if a complete session replaces an unfinished one; `renewal` if a document was renewed.
        attempts: Number of sessions of the customer up to and including the later one.
        gave_way: The rules whose findings were dropped.
        sentence: What happened, in words.
        evidence_ids: The entries that show it.
    """

    customer_id: str
    session_id: str
    superseded_by: str
    kind: str
    attempts: int
    gave_way: tuple[str, ...]
    sentence: str
    evidence_ids: tuple[str, ...]


def supersessions_frame(made: Sequence[Supersession]) -> pd.DataFrame:
    """Return the replaced sessions as a frame, one row each; `gave_way` and `evidence_ids` are lists.

    Args:
        made: From `supersede`.
    """
    columns = columns_of(Supersession._fields, made)
    lists = {name: [list(value) for value in columns[name]] for name in ("gave_way", "evidence_ids")}
    return frame_of(columns | lists, {"attempts": "int64", **dict.fromkeys(lists, "object")})


def supersede(
    case: CaseFile, rulings: Sequence[Ruling], clear_in: Callable[[str | None], AbstractSet[str]]
) -> tuple[list[Ruling], list[Supersession]]:
    """Drop findings of earlier sessions that later sessions replace.

    Only findings about something missing, incomplete or, if the document was renewed, expired are dropped, and only for a later
    complete session with the same checks of the same customer and the same identity. Anything that was found stays: consider,
    warning, rejected, a screening match, tampering.

    Args:
        case: The customer.
        rulings: The results of all rules; clear ones may be left out.
        clear_in: Returns the rules that are clear in a session, by its id.

    Returns:
        The rulings, with the dropped ones marked, and which session replaced which.
    """
    made, records = list(rulings), []
    for earlier in case.sessions:
        for kind in ("complete", "renewal"):
            later = next((one for one in _after(case, earlier) if _replaces(kind, earlier, one)), None)
            if later is None:
                continue
            gave_way, clear = [], clear_in(later.id)
            for place, ruling in enumerate(made):
                is_clear_now = ruling.finding.rule_id in clear
                if ruling.finding.session_id == earlier.id and _gives_way(
                    kind, ruling, is_clear_now=is_clear_now
                ):
                    made[place] = ruling._replace(finding=ruling.finding._replace(superseded_by=later.id))
                    gave_way.append(ruling.finding.rule_id)
            if gave_way:
                records.append(_record(case, earlier, later, kind, gave_way))
    return made, records


def _after(case: CaseFile, earlier: SessionFile) -> list[SessionFile]:
    if earlier.id is None or earlier.created_at is None:
        return []
    later = [
        one for one in case.sessions if one.created_at is not None and one.created_at > earlier.created_at
    ]
    return sorted((one for one in later if one.complete), key=lambda one: (str(one.created_at), str(one.id)))


def _replaces(kind: str, earlier: SessionFile, later: SessionFile) -> bool:
    if later.holder is None or (
        earlier.holder is not None and not _same_person(earlier.holder, later.holder)
    ):
        return False
    if kind == "renewal":
        return earlier.holder is not None
    # A status that the interface does not list, such as `rejected`, may mean more than unfinished.
    if earlier.status not in _UNFINISHED:
        return False
    if earlier.ordered is None or later.ordered is None:
        return earlier.sections | set(SECTIONS) <= later.sections
    return earlier.ordered <= later.ordered and (earlier.ordered & set(SECTIONS)) <= later.sections


def _same_person(left: tuple[str, str, str], right: tuple[str, str, str]) -> bool:
    return [part.casefold().split() for part in left] == [part.casefold().split() for part in right]


def _gives_way(kind: str, ruling: Ruling, *, is_clear_now: bool) -> bool:
    if not ruling.finding.stands:
        return False
    if kind == "renewal":
        return ruling.gives_way == "renewal" and is_clear_now
    return ruling.absent or (ruling.gives_way == "complete" and ruling.finding.outcome == HIT)


def _record(
    case: CaseFile, earlier: SessionFile, later: SessionFile, kind: str, gave_way: list[str]
) -> Supersession:
    before = [one for one in case.sessions if one.created_at is not None and later.created_at is not None]
    attempts = sum(
        one.created_at <= later.created_at for one in before if one.created_at and later.created_at
    )
    day = day_words(later.created_at.date()) if later.created_at else "a later day"
    what, follows = (
        (f"is {earlier.status}", "with the same checks and an equal identity")
        if kind == "complete"
        else ("shows an older document", "with a newer document and an equal identity")
    )
    count = len(gave_way)
    text = (
        f"Session {earlier.id} {what} and was followed by the complete session {later.id} of {day} {follows}, "
        f"{attempts} sessions in all. {count} finding{'' if count == 1 else 's'} about session {earlier.id}, of what was missing, "
        f"unfinished or expired, no longer {'counts' if count == 1 else 'count'}"
    )
    return Supersession(
        case.customer_id, str(earlier.id), str(later.id), kind, attempts, tuple(dict.fromkeys(gave_way)), text,
        tuple(sorted({earlier.evidence_id, later.evidence_id})),
    )  # fmt: skip
