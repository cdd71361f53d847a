"""Onboard sessions, their results and media. Source: interface, "Onboard sessions"."""

from __future__ import annotations

from kycpack.api import operations as op
from kycpack.api.calls import given, make_call
from kycpack.api.protocol import Call
from kycpack.api.resources.methods import AsyncResource, Members, Resource, asked, awaited
from kycpack.models.onboarding import MediaAccess, OnboardOptions, Results, SessionCreated, SessionStatus


def create(
    customer_id: str,
    *,
    options: OnboardOptions | Members | None = None,
    org_id: str | None = None,
    first_name: str | None = None,
    last_name: str | None = None,
    email_address: str | None = None,
    return_url: str | None = None,
) -> Call[SessionCreated]:
    """Order checks; the customer completes them in the portal within seven days.

    Args:
        customer_id: Customer id.
        options: `identity` and `ais`; absent identity options mean the interface's defaults.
        org_id: Your own organisation or branch.
        first_name: Takes precedence over the customer record.
        last_name: As above.
        email_address: As above.
        return_url: Absolute https URL that the customer returns to.

    Returns:
        The session's id, and the link to the portal, which anyone who has it can open.

    Raises:
        InputError: An argument does not fit.
        BadRequestError: With `missing_fields` if personal data is missing.
        OutcomeUnknownError: The answer was lost; the session may exist.
        ApiError: The service refused or could not be reached.
    """
    members = given(
        customer_id=customer_id,
        options=options,
        org_id=org_id,
        first_name=first_name,
        last_name=last_name,
        email_address=email_address,
        return_url=return_url,
    )
    return make_call(op.CREATE_SESSION, body=members)


def get(session_id: str) -> Call[SessionStatus]:
    """Return the status of a session; it does not contain the customer's id.

    Args:
        session_id: Session id.

    Raises:
        InputError: The id is empty or malformed.
        PermissionDeniedError: The session belongs to another organisation.
        NotFoundError: The session is unknown.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.GET_SESSION, {"session_id": session_id})


def results(session_id: str) -> Call[Results]:
    """Return the results of a complete session.

    Args:
        session_id: Session id.

    Raises:
        InputError: The id is empty or malformed.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.GET_RESULTS, {"session_id": session_id})


def media(session_id: str) -> Call[MediaAccess]:
    """Return the media of a session, with links that are valid for two hours.

    Args:
        session_id: Session id.

    Raises:
        InputError: The id is empty or malformed.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.ACCESS_MEDIA, {"session_id": session_id}, body={})


def download(session_id: str, media_id: str) -> Call[bytes]:
    """Return a media file; the redirect is followed without our authorization.

    Args:
        session_id: Session id.
        media_id: Id of the media item.

    Raises:
        InputError: An id is empty or malformed.
        ContractError: The file is too large, its type is not accepted, or its content does not match its type.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.DOWNLOAD_MEDIA, {"session_id": session_id, "media_id": media_id})


class Onboarding(Resource):
    """Onboard sessions and their media. Source: interface, "Onboard sessions"."""

    create = asked(create)
    get = asked(get)
    results = asked(results)
    media = asked(media)
    download = asked(download)


class AsyncOnboarding(AsyncResource):
    """`Onboarding` for `AsyncClient`."""

    create = awaited(create)
    get = awaited(get)
    results = awaited(results)
    media = awaited(media)
    download = awaited(download)
