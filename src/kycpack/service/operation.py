"""An operation of the interface as data, and how a request becomes its answer: read, verify, check permissions, handle, commit, answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kycpack.errors import InputError
from kycpack.models.json import dump_json
from kycpack.models.record import Record
from kycpack.service.auth import Principal, SignedRequest, Tenant, explain_refusal, require
from kycpack.service.bodies import read_body, read_model, read_query
from kycpack.service.problems import RefusedError, invalid_request, refusal
from kycpack.service.request_log import trace_of
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


Endpoint = Callable[[Request], Awaitable[Response]]


def make_endpoint(service: Service, operation: ServedOperation) -> Endpoint:
    """Return the route function of an operation."""

    async def endpoint(request: Request) -> Response:
        body = await read_body(request)
        response = await run_in_threadpool(_answer, service, operation, request, body)
        # Only now, with no thread and no connection held.
        await asyncio.sleep(trace_of(request.scope).delay_seconds)
        return response

    endpoint.__name__ = operation.name.replace(".", "_")
    endpoint.__doc__ = operation.summary
    return endpoint


def base_url_of(service: Service, request: Request) -> str:
    """Return the base URL of links in an answer."""
    return service.public_url or f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"


@dataclass(frozen=True, slots=True)
class _SignedCall:
    """A request that is being answered."""

    service: Service
    operation: ServedOperation
    request: Request
    signed: SignedRequest
    tenant_id: str
    now: datetime


def _answer(service: Service, operation: ServedOperation, request: Request, body: bytes) -> Response:
    signed = SignedRequest(request.method, _target(request), request.headers, body)
    with service.database.read() as connection:
        principal = _identify(service, operation, request, signed, connection)
    tenant_id = principal.tenant.id
    asked = _SignedCall(service, operation, request, signed, tenant_id, service.clock.now(tenant_id))
    try:
        _permit(asked, principal)
        query, body = _read(asked)
        if operation.check is not None:
            operation.check(body, service.loopback)
    except RefusedError:
        _use_nonce(asked)
        raise
    do = _write if operation.writes else _only_read
    outcome = do(asked, principal, query, body)
    if isinstance(outcome, ServedAnswer):
        trace_of(request.scope).delay_seconds = outcome.delay_seconds
    return to_response(outcome)


def _write(asked: _SignedCall, principal: Principal, query: dict[str, str], body: Any) -> Any:
    """Write and use the nonce in one transaction; a refusal undoes the handler's changes, and still uses the nonce."""
    used = False
    try:
        with asked.service.database.write() as connection:
            _use_nonce(asked, connection)
            used = True
            return asked.operation.handler(_call(asked, connection, principal, query, body))
    except (RefusedError, InputError) as error:
        if used and not (isinstance(error, RefusedError) and error.status == 503):
            _use_nonce(asked)
        raise


def _only_read(asked: _SignedCall, principal: Principal, query: dict[str, str], body: Any) -> Any:
    """Use the nonce first, so that slow reading and deriving do not make writers wait."""
    _use_nonce(asked)
    with asked.service.database.read() as connection:
        return asked.operation.handler(_call(asked, connection, principal, query, body))


def _use_nonce(asked: _SignedCall, connection: Connection | None = None) -> None:
    """Use the request's nonce, in a transaction of its own if no connection is given."""
    verifier = asked.service.verifier
    try:
        if connection is not None:
            verifier.use_nonce(connection, asked.signed, asked.tenant_id, asked.now)
            return
        # Nothing else depends on it, so that a read need not wait for the disk.
        with asked.service.database.write(synced=False) as own:
            verifier.use_nonce(own, asked.signed, asked.tenant_id, asked.now)
    except RefusedError as error:
        trace = trace_of(asked.request.scope)
        trace.detail, trace.hint = f"{error.message}.", error.hint
        raise _for_caller(asked.operation, error) from None


def _for_caller(operation: ServedOperation, error: RefusedError) -> RefusedError:
    return refusal("invalid_token") if operation.tells_token and error.status == 401 else error


def _identify(
    service: Service,
    operation: ServedOperation,
    request: Request,
    signed: SignedRequest,
    connection: Connection,
) -> Principal:
    trace = trace_of(request.scope)
    try:
        principal = service.verifier.identify(connection, signed, service.clock.now)
    except RefusedError as error:
        found = explain_refusal(connection, signed, service.clock.now)
        trace.detail, trace.hint = f"{error.message}.\n{found}", error.hint
        raise _for_caller(operation, error) from None
    trace.key_id, trace.tenant_id = principal.key_id, principal.tenant.id
    return principal


def _permit(asked: _SignedCall, principal: Principal) -> None:
    operation = asked.operation
    try:
        require(principal, operation.permission, operation.area)
    except RefusedError as error:
        holds = ", ".join(sorted((*principal.permissions, *principal.areas))) or "nothing"
        trace = trace_of(asked.request.scope)
        trace.detail, trace.hint = f"{error.message}.\nThe key holds: {holds}.", "permission"
        raise (refusal("invalid_token") if operation.tells_token else error) from None
    asked.service.limiter.admit(principal.key_id)


def _read(asked: _SignedCall) -> tuple[dict[str, str], Any]:
    operation, request = asked.operation, asked.request
    query = read_query(request.scope["query_string"], [parameter.name for parameter in operation.query])
    if operation.request is None:
        return query, None
    content_type = request.headers.get("content-type", "")
    body = asked.signed.body
    return query, read_model(operation.request, body, content_type, required=operation.body_required)


def _call(
    asked: _SignedCall, connection: Connection, principal: Principal, query: dict[str, str], body: Any
) -> ServedCall:
    return ServedCall(
        connection=connection,
        tenant=principal.tenant,
        now=asked.now,
        service=asked.service,
        base_url=base_url_of(asked.service, asked.request),
        path=asked.request.path_params,
        query=query,
        body=body,
    )


def to_response(outcome: Any) -> Response:
    """Return a handler's result as an HTTP answer."""
    if isinstance(outcome, ServedAnswer) and outcome.stream is not None:
        return StreamingResponse(outcome.stream, outcome.status, dict(outcome.headers), outcome.content_type)
    if isinstance(outcome, ServedAnswer):
        return Response(outcome.content, outcome.status, dict(outcome.headers), outcome.content_type)
    document = outcome.wire() if isinstance(outcome, Record) else outcome
    return Response(dump_json(document), media_type="application/json")


def _target(request: Request) -> str:
    path: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    query: bytes = request.scope["query_string"]
    try:
        return (path + b"?" + query if query else path).decode("ascii")
    except UnicodeDecodeError:
        raise invalid_request("the request target is not ASCII") from None
