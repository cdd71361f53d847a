"""Webhook endpoints and the one event that the interface documents.

Source: interface, "Webhook registration" and "Events".
"""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_pascal

from kycpack.models.enums import SESSION_COMPLETED
from kycpack.models.record import Id, NamedText, Record, Request, Text, WebUrl


class WebhookCreate(Request):
    """An endpoint to register; an empty list of events is refused."""

    url: WebUrl
    name: Text | None = None
    events: Annotated[list[NamedText], Field(min_length=1)] = Field(
        default_factory=lambda: [SESSION_COMPLETED]
    )


class Webhook(Record):
    """A registered endpoint; `delivery_attempts` counts failures."""

    id: Id
    url: str
    name: str | None = None
    events: list[str]
    active: bool
    created: str
    updated: str
    last_delivered: str | None = None
    delivery_attempts: int


class _Pascal(Record):
    model_config = ConfigDict(alias_generator=to_pascal)


class DeliveredIdentityProgress(_Pascal):
    """`Session.Progress.Identity`."""

    completed: bool
    confirmed: bool | None = None
    completed_at: str | None = None


class DeliveredAisProgress(DeliveredIdentityProgress):
    """`Session.Progress.Ais`."""


class DeliveredProgress(_Pascal):
    """`Session.Progress`."""

    identity: DeliveredIdentityProgress
    ais: DeliveredAisProgress


class DeliveredSession(_Pascal):
    """`Session`; the status is capitalised here, as in Complete."""

    id: Id
    status: str
    progress: DeliveredProgress
    created: str
    updated: str


class SessionCompleted(_Pascal):
    """The payload of `onboard.session.completed`, with PascalCase names."""

    event: str
    timestamp: str
    session: DeliveredSession
