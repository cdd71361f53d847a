"""An operation of the interface as data: one table from which routes, OpenAPI and the tenancy tests are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection

from kycpack.service.auth import Tenant
from kycpack.service.links import Links
from kycpack.service.problems import invalid_request
from kycpack.service.statements import DerivedStatements


@dataclass(frozen=True, slots=True)
class ServedCall:
    """What a handler is given.

    Attributes:
        connection: Writing for operations that write, else reading.
        tenant: Whose key asks; every WHERE names it.
        now: The service's time.
        read: Opens a further connection for reading, for an answer that is written bit by bit.
        links: Makes links.
        statements: The source of wealth statements that were derived last.
        base_url: The address the caller used, without a slash at its end.
        path: Parameters of the path.
        query: Parameters of the query that the operation knows.
        body: The body as the operation's request model; None where it takes none.
    """

    connection: Connection
    tenant: Tenant
    now: datetime
    read: Callable[[], AbstractContextManager[Connection]]
    links: Links
    statements: DerivedStatements
    base_url: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """An answer that is not simply JSON with 200.

    Attributes:
        status: HTTP status.
        content: Its body.
        content_type: What the body is.
        headers: Further headers.
        stream: Writes a long body bit by bit, instead of `content`.
        delay_seconds: How late it is sent, as of a bank that is slow.
    """

    status: int = 200
    content: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: Iterator[bytes] | None = None
    delay_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Query:
    """A parameter of the query.

    Attributes:
        name: Its name.
        meaning: One sentence for OpenAPI.
        schema: Its JSON schema.
    """

    name: str
    meaning: str
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string", "maxLength": 1000})


@dataclass(frozen=True, slots=True)
class ServedOperation:
    """One operation.

    Attributes:
        name: As in `customers.get`.
        method: HTTP method.
        path: Path template below the base URL.
        summary: One line for OpenAPI.
        permission: What the key must hold.
        handler: Does it; gives a JSON document or a `ServedAnswer`.
        area: Area the key must be enabled for; None where the interface asks for none.
        request: Model of the body; None where there is none.
        body_required: Whether a body must come where `request` is set.
        answer: Model of the JSON answer, for OpenAPI and tests.
        query: Parameters of the query; others are refused.
        errors: Statuses beyond 400, 401, 403 that it can answer.
        writes: Whether its handler changes anything.
        check: Judges the body, given whether the service is on loopback, before a transaction is open: for what may wait on
            the network.
        aliases: Further paths of the same operation.
        tells_token: Whether a key without the permission is answered like one that is missing (source of wealth).
        other_answers: Answers that are not the model's JSON with 200, as OpenAPI response objects by status.
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
        RefusedError: 400, it is not a number from 1 to the largest.
    """
    text = query.get("limit", str(usual))
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and 1 <= int(text) <= largest):
        raise invalid_request(f"limit: expected a number from 1 to {largest}")
    return int(text)
