"""Webhook endpoints. Source: interface, "Webhooks"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import given, make_call
from kycpack.api.protocol import Call
from kycpack.api.resources.methods import AsyncResource, Resource, asked, awaited, paged, paged_async
from kycpack.models.webhooks import Webhook


def create(*, url: str, name: str | None = None, events: Sequence[str] | None = None) -> Call[Webhook]:
    """Register an endpoint.

    Args:
        url: Absolute URL that receives POSTs; https is recommended.
        name: A label.
        events: Kinds of events, not empty; by default `onboard.session.completed`.

    Raises:
        InputError: An argument does not fit.
        OutcomeUnknownError: The answer was lost; the endpoint may be registered.
        ApiError: The service refused or could not be reached.
    """
    kinds = None if events is None else [*events]
    return make_call(op.CREATE_WEBHOOK, body=given(url=url, name=name, events=kinds))


def list_() -> Call[Listing[Webhook]]:
    """Return the endpoints, including inactive ones.

    Returns:
        The endpoints in the answer; `.has_more` is whether there are more pages.

    Raises:
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.LIST_WEBHOOKS)


def delete(webhook_id: str) -> Call[Webhook | Any]:
    """Deactivate an endpoint; its record is kept.

    Args:
        webhook_id: Webhook id.

    Returns:
        The record if the answer fits, otherwise the parsed answer; None for an empty one.

    Raises:
        InputError: The id is empty or malformed.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.DELETE_WEBHOOK, {"webhook_id": webhook_id})


class Webhooks(Resource):
    """Webhook endpoints. Source: interface, "Webhooks"."""

    create = asked(create)
    list = asked(list_)
    iter = paged(list_)
    delete = asked(delete)


class AsyncWebhooks(AsyncResource):
    """`Webhooks` for `AsyncClient`."""

    create = awaited(create)
    list = awaited(list_)
    iter = paged_async(list_)
    delete = awaited(delete)
