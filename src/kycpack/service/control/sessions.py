"""The end of a session: now, after a review, or by expiry."""

from __future__ import annotations

from typing import Any

from kycpack.models.onboarding import SessionStatus
from kycpack.service.completion import finish_session
from kycpack.service.control.bodies import PartialResults
from kycpack.service.control.operation import Control, ControlCall
from kycpack.service.forced_events import expire_session
from kycpack.service.session_reading import status_of
from kycpack.service.sessions import find_session


def _finish(call: ControlCall) -> dict[str, Any]:
    wanted: PartialResults = call.body
    with call.service.database.write() as connection:
        held = find_session(connection, call.path("id"))
        now = call.service.clock.now(held.tenant_id)
        row = finish_session(connection, held.id, now, results=wanted.results, review=wanted.review)
    call.service.sender.wake()
    return status_of(row, now)


def _expire(call: ControlCall) -> dict[str, Any]:
    with call.service.database.write() as connection:
        held = find_session(connection, call.path("id"))
        now = call.service.clock.now(held.tenant_id)
        return status_of(expire_session(connection, held.id, now), now)


CONTROLS = (
    Control(
        "POST",
        "/sessions/{id}/finish",
        _finish,
        "Finish a session, or send it to review",
        PartialResults,
        answer=SessionStatus,
        about="A session in review is completed, and the results are merged over those from when it was sent to review.",
    ),
    Control("POST", "/sessions/{id}/expire", _expire, "Expire a session now", answer=SessionStatus),
)
