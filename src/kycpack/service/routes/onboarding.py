"""Onboard sessions and their media.

Source: interface, "Endpoints", "Onboard sessions".
"""

from __future__ import annotations

from typing import Any

from kycpack.models.onboarding import MediaAccess, Results, SessionCreate, SessionCreated, SessionStatus
from kycpack.service import media, session_reading, sessions
from kycpack.service.links import ONBOARD
from kycpack.service.mail import INVITATION, queue_mail
from kycpack.service.operation import Answer, Call, Operation
from kycpack.service.routes.payments import AnyObject

_AREA = "onboard"
_RESULTS = "read_onboard_results"


def _create(call: Call) -> dict[str, Any]:
    session_id = sessions.create_session(call.connection, call.tenant, call.body, call.now)
    row = sessions.find_own_session(call.connection, call.tenant, session_id)
    queue_mail(call.connection, row, INVITATION, call.base_url, call.now)
    return {"sessionId": session_id, "onboardUrl": call.links.page(call.base_url, ONBOARD, session_id)}


def _own(call: Call) -> Any:
    return sessions.find_own_session(call.connection, call.tenant, call.path["sessionId"])


def _status(call: Call) -> dict[str, Any]:
    return session_reading.status_of(_own(call), call.now)


def _results(call: Call) -> dict[str, Any]:
    return session_reading.results_of(_own(call), call.now)


def _media_access(call: Call) -> dict[str, Any]:
    return media.media_access(call.connection, _own(call), call.links, call.base_url, call.now)


def _media(call: Call) -> Answer:
    session = _own(call)
    media_id = media.find_media(call.connection, call.tenant, session.id, call.path["mediaId"])
    return Answer(status=302, headers={"Location": call.links.download(call.base_url, media_id, call.now)})


OPERATIONS = (
    Operation(
        "onboarding.create",
        "POST",
        "/v1/onboard/sessions",
        "Create an onboard session and get its portal's address.",
        permission="create_onboard_session",
        area=_AREA,
        handler=_create,
        request=SessionCreate,
        answer=SessionCreated,
        writes=True,
    ),
    Operation(
        "onboarding.get",
        "GET",
        "/v1/onboard/sessions/{sessionId}",
        "Read the status of a session.",
        permission="read_onboard_session",
        area=_AREA,
        handler=_status,
        answer=SessionStatus,
        errors=(404,),
    ),
    Operation(
        "onboarding.results",
        "GET",
        "/v1/onboard/sessions/{sessionId}/results",
        "Read the results of a complete session.",
        permission=_RESULTS,
        area=_AREA,
        handler=_results,
        answer=Results,
        errors=(404,),
    ),
    Operation(
        "onboarding.media",
        "POST",
        "/v1/onboard-sessions/{sessionId}/media-access",
        "Get links to the media of a session, good for two hours.",
        permission=_RESULTS,
        area=_AREA,
        handler=_media_access,
        request=AnyObject,
        body_required=False,
        answer=MediaAccess,
        errors=(404,),
    ),
    Operation(
        "onboarding.download",
        "GET",
        "/v1/onboard-sessions/{sessionId}/media/{mediaId}",
        "Be sent to the signed address of a media item.",
        permission=_RESULTS,
        area=_AREA,
        handler=_media,
        errors=(404,),
        other_answers={
            302: {
                "description": "The signed address of the media item.",
                "headers": {"Location": {"schema": {"type": "string", "format": "uri"}}},
            }
        },
    ),
)
