"""Onboard sessions and their media.

Source: interface, "Endpoints", "Onboard sessions".
"""

from __future__ import annotations

from typing import Any

from kycpack.models.onboarding import MediaAccess, Results, SessionCreate, SessionCreated, SessionStatus
from kycpack.service import media, sessions
from kycpack.service.links import ONBOARD
from kycpack.service.mail import INVITATION, queue_mail
from kycpack.service.operation import ServedAnswer, ServedCall, ServedOperation
from kycpack.service.routes.payments import AnyObject

_AREA = "onboard"
_RESULTS = "read_onboard_results"


def _create(call: ServedCall) -> dict[str, Any]:
    session_id = sessions.create_session(call.connection, call.tenant, call.body, call.now)
    row = sessions.find_own_session(call.connection, call.tenant, session_id)
    queue_mail(call.connection, row, INVITATION, call.base_url, call.now)
    return {
        "sessionId": session_id,
        "onboardUrl": call.service.links.page(call.base_url, ONBOARD, session_id),
    }


def _own(call: ServedCall) -> Any:
    return sessions.find_own_session(call.connection, call.tenant, call.path["sessionId"])


def _media(call: ServedCall) -> ServedAnswer:
    session = _own(call)
    media_id = media.find_media(call.connection, session, call.path["mediaId"])
    return ServedAnswer(
        status=302, headers={"Location": call.service.links.download(call.base_url, media_id, call.now)}
    )


OPERATIONS = (
    ServedOperation(
        "onboarding.create",
        "POST",
        "/v1/onboard/sessions",
        "Create an onboard session and get the address of its portal.",
        permission="create_onboard_session",
        area=_AREA,
        handler=_create,
        request=SessionCreate,
        answer=SessionCreated,
        writes=True,
    ),
    ServedOperation(
        "onboarding.get",
        "GET",
        "/v1/onboard/sessions/{sessionId}",
        "Read the status of a session.",
        permission="read_onboard_session",
        area=_AREA,
        handler=lambda call: sessions.status_of(_own(call), call.now),
        answer=SessionStatus,
        errors=(404,),
    ),
    ServedOperation(
        "onboarding.results",
        "GET",
        "/v1/onboard/sessions/{sessionId}/results",
        "Read the results of a complete session.",
        permission=_RESULTS,
        area=_AREA,
        handler=lambda call: sessions.results_of(_own(call), call.now),
        answer=Results,
        errors=(404,),
    ),
    ServedOperation(
        "onboarding.media",
        "POST",
        "/v1/onboard-sessions/{sessionId}/media-access",
        "Get links to the media of a session, valid for two hours.",
        permission=_RESULTS,
        area=_AREA,
        handler=lambda call: media.media_access(
            call.connection, _own(call), call.service.links, call.base_url, call.now
        ),
        request=AnyObject,
        body_required=False,
        answer=MediaAccess,
        errors=(404,),
    ),
    ServedOperation(
        "onboarding.download",
        "GET",
        "/v1/onboard-sessions/{sessionId}/media/{mediaId}",
        "Redirect to the signed address of a media item.",
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
