"""An operation of the interface as data: routes, OpenAPI and the tenancy tests are generated from the same table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection

from kycpack.service.auth import Tenant
from kycpack.service.problems import invalid_request
from kycpack.service.state import Service


@dataclass(frozen=True, slots=True)
class ServedCall:
    """The input of a handler.

    Attributes:
        connection: A writing connection for operations that write, otherwise one for reading.
        tenant: The organisation of the key; every WHERE clause includes it.
        now: The service's time.
        service: The service.
        base_url: The address that the caller used, without a trailing slash.
        path: Parameters of the path.
        query: The operation's query parameters.
        body: The body as the operation's request model; None if it takes none.
    """

    connection: Connection
    tenant: Tenant
    now: datetime
    service: Service
    base_url: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """An answer other than JSON with status 200.

    Attributes:
        status: HTTP status.
        content: The body.
        content_type: Media type of the body.
        headers: Further headers.
        stream: Writes a long body in parts, instead of `content`.
        delay_seconds: Delay of the answer, for a slow bank.
    """

    status: int = 200
    content: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: Iterator[bytes] | None = None
    delay_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Query:
    """A query parameter.

    Attributes:
        name: Its name.
        meaning: Description for OpenAPI, one sentence.
        schema: Its JSON schema.
    """

    name: str
    meaning: str
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string", "maxLength": 1000})


@dataclass(frozen=True, slots=True)
class ServedOperation:
    """One operation.

    Attributes:
        name: Name, as in `customers.get`.
        method: HTTP method.
        path: Path template below the base URL.
        summary: One line for OpenAPI.
        permission: Permission that the key needs.
        handler: Carries it out; returns a JSON document or a `ServedAnswer`.
        area: Area that the key must be enabled for; None if the interface requires none.
        request: Model of the body; None if there is none.
        body_required: Whether a body is required if `request` is set.
        answer: Model of the JSON answer, for OpenAPI and tests.
        query: Query parameters; others are refused.
        errors: Statuses other than 400, 401 and 403 that it can answer.
        writes: Whether its handler changes data.
        check: Checks the body before a transaction is open, given whether the service is on loopback; for checks that may
            wait for the network.
        aliases: Further paths of the same operation.
        tells_token: Whether a key without the permission gets the same answer as a missing key (source of wealth).
        other_answers: Answers other than the model's JSON with 200, as OpenAPI response objects by status.
    """

    name: str
    method: str
    path: str
    summary: str
    permission: str
    handler: Callable[[ServedCall], Any]
    area: str | None = None
    request: type[BaseModel] | None = None
    body_required: bool = True
    answer: Any = None
    query: tuple[Query, ...] = ()
    errors: tuple[int, ...] = ()
    writes: bool = False
    check: Callable[[Any, bool], None] | None = None
    aliases: tuple[str, ...] = ()
    tells_token: bool = False
    other_answers: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


def read_limit(query: Mapping[str, str], *, usual: int, largest: int) -> int:
    """Return the `limit` of a query.

    Raises:
        RefusedError: 400, it is not a number from 1 to `largest`.
    """
    text = query.get("limit", str(usual))
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and 1 <= int(text) <= largest):
        raise invalid_request(f"limit: expected a number from 1 to {largest}")
    return int(text)
