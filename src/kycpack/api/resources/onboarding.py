"""Onboard sessions, their results and media. Source: interface, "Onboard sessions"."""

from __future__ import annotations

from kycpack.api import operations as op
from kycpack.api.calls import given, make_call
from kycpack.api.resources.running import Members, Run, RunAsync
from kycpack.models.onboarding import MediaAccess, OnboardOptions, Results, SessionCreated, SessionStatus


class Onboarding:
    """Onboard sessions and their media. Source: interface, "Onboard sessions"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def create(
        self,
        customer_id: str,
        *,
        options: OnboardOptions | Members | None = None,
        org_id: str | None = None,
        first_name: str | None = None,
        last_name: str | None = None,
        email_address: str | None = None,
        return_url: str | None = None,
    ) -> SessionCreated:
        """Order checks; the customer does them in the portal within seven days.

        Args:
            customer_id: Whom.
            options: `identity` and `ais`; absent identity options mean the interface's defaults.
            org_id: Your own organisation or branch.
            first_name: Wins over the customer record.
            last_name: As above.
            email_address: As above.
            return_url: Absolute https URL that the customer returns to.

        Returns:
            The session's id, and the portal's link, which opens for whoever holds it.

        Raises:
            InputError: An argument does not fit.
            BadRequestError: With `missing_fields` where the person's data are missing.
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
        return self._run(make_call(op.CREATE_SESSION, body=members))

    def get(self, session_id: str) -> SessionStatus:
        """Return the status of a session; it does not say which customer it belongs to.

        Raises:
            PermissionDeniedError: It belongs to another organisation.
            NotFoundError: Unknown.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_SESSION, {"session_id": session_id}))

    def results(self, session_id: str) -> Results:
        """Return the results of a complete session.

        Raises:
            NotFoundError: Unknown, or not complete yet.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_RESULTS, {"session_id": session_id}))

    def media(self, session_id: str) -> MediaAccess:
        """Return the media of a session, with links that are valid for two hours.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.ACCESS_MEDIA, {"session_id": session_id}, body={}))

    def download(self, session_id: str, media_id: str) -> bytes:
        """Return a media file; the redirect is followed without our authorization.

        Raises:
            ContractError: It is too large, of a type that is not taken, or not what its type says.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.DOWNLOAD_MEDIA, {"session_id": session_id, "media_id": media_id}))


class AsyncOnboarding:
    """As `Onboarding`, awaited."""

    def __init__(self, run: RunAsync) -> None:
        self._run = run

    async def create(
        self,
        customer_id: str,
        *,
        options: OnboardOptions | Members | None = None,
        org_id: str | None = None,
        first_name: str | None = None,
        last_name: str | None = None,
        email_address: str | None = None,
        return_url: str | None = None,
    ) -> SessionCreated:
        """Order checks; the customer does them in the portal within seven days."""
        members = given(
            customer_id=customer_id,
            options=options,
            org_id=org_id,
            first_name=first_name,
            last_name=last_name,
            email_address=email_address,
            return_url=return_url,
        )
        return await self._run(make_call(op.CREATE_SESSION, body=members))

    async def get(self, session_id: str) -> SessionStatus:
        """Return the status of a session; it does not say which customer it belongs to."""
        return await self._run(make_call(op.GET_SESSION, {"session_id": session_id}))

    async def results(self, session_id: str) -> Results:
        """Return the results of a complete session."""
        return await self._run(make_call(op.GET_RESULTS, {"session_id": session_id}))

    async def media(self, session_id: str) -> MediaAccess:
        """Return the media of a session, with links that are valid for two hours."""
        return await self._run(make_call(op.ACCESS_MEDIA, {"session_id": session_id}, body={}))

    async def download(self, session_id: str, media_id: str) -> bytes:
        """Return a media file; the redirect is followed without our authorization."""
        return await self._run(make_call(op.DOWNLOAD_MEDIA, {"session_id": session_id, "media_id": media_id}))
