"""Webhook endpoints. Source: interface, "Webhooks"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import given, make_call
from kycpack.api.resources.running import Run, RunAsync
from kycpack.models.webhooks import Webhook


class Webhooks:
    """Webhook endpoints. Source: interface, "Webhooks"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def create(self, *, url: str, name: str | None = None, events: Sequence[str] | None = None) -> Webhook:
        """Register an endpoint.

        Args:
            url: Absolute URL that receives POSTs; https is recommended.
            name: A label.
            events: Kinds of events; `onboard.session.completed` when absent, and never empty.

        Raises:
            InputError: An argument does not fit.
            OutcomeUnknownError: The answer was lost; the endpoint may be registered.
            ApiError: The service refused or could not be reached.
        """
        kinds = None if events is None else [*events]
        return self._run(make_call(op.CREATE_WEBHOOK, body=given(url=url, name=name, events=kinds)))

    def list(self) -> Listing[Webhook]:
        """Return the endpoints, inactive ones too.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.LIST_WEBHOOKS))

    def delete(self, webhook_id: str) -> Webhook | Any:
        """Switch an endpoint off; its record is kept.

        Returns:
            The record where the answer reads as one, else the parsed answer, None for an empty one.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.DELETE_WEBHOOK, {"webhook_id": webhook_id}))


class AsyncWebhooks:
    """As `Webhooks`, awaited."""

    def __init__(self, run: RunAsync) -> None:
        self._run = run

    async def create(
        self, *, url: str, name: str | None = None, events: Sequence[str] | None = None
    ) -> Webhook:
        """Register an endpoint."""
        kinds = None if events is None else [*events]
        return await self._run(make_call(op.CREATE_WEBHOOK, body=given(url=url, name=name, events=kinds)))

    async def list(self) -> Listing[Webhook]:
        """Return the endpoints, inactive ones too."""
        return await self._run(make_call(op.LIST_WEBHOOKS))

    async def delete(self, webhook_id: str) -> Webhook | Any:
        """Switch an endpoint off; its record is kept."""
        return await self._run(make_call(op.DELETE_WEBHOOK, {"webhook_id": webhook_id}))
