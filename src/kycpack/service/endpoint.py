"""From a request to an operation's answer: read, verify, permit, handle, commit, answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from kycpack.errors import InputError
from kycpack.models.json import dump_json
from kycpack.models.record import Record
from kycpack.service.auth import Principal, SignedRequest, require
from kycpack.service.bodies import read_body, read_model, read_query
from kycpack.service.operation import Answer, Call, Operation
from kycpack.service.problems import RefusedError, invalid_request, invalid_token
from kycpack.service.state import Service

Endpoint = Callable[[Request], Awaitable[Response]]


def make_endpoint(service: Service, operation: Operation) -> Endpoint:
    """Return the route function of an operation."""

    async def endpoint(request: Request) -> Response:
        body = await read_body(request)
        return await run_in_threadpool(_answer, service, operation, request, body)

    endpoint.__name__ = operation.name.replace(".", "_")
    endpoint.__doc__ = operation.summary
    return endpoint


def base_url_of(service: Service, request: Request) -> str:
    """Return the address that links of an answer begin with."""
    return service.public_url or f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"


def _answer(service: Service, operation: Operation, request: Request, body: bytes) -> Response:
    signed = SignedRequest(request.method, _target(request), request.headers, body)
    now = service.clock.now()
    if operation.writes:
        outcome = _write(service, operation, request, signed)
    else:
        with service.database.write() as connection:
            principal = _identify(service, operation, connection, signed, now)
        _permit(service, operation, principal)
        with service.database.read() as connection:
            outcome = operation.handler(_call(service, operation, request, body, principal, connection))
    return to_response(outcome)


def _write(service: Service, operation: Operation, request: Request, signed: SignedRequest) -> Any:
    """Handle in one transaction with the nonce; a refusal undoes what the handler did, and still uses up the nonce."""
    now = service.clock.now()
    accepted = False
    try:
        with service.database.write() as connection:
            principal = _identify(service, operation, connection, signed, now)
            accepted = True
            _permit(service, operation, principal)
            return operation.handler(_call(service, operation, request, signed.body, principal, connection))
    except (RefusedError, InputError):
        if accepted:
            with service.database.write() as connection:
                service.verifier.remember(connection, signed, now)
        raise


def _identify(
    service: Service, operation: Operation, connection: Any, signed: SignedRequest, now: Any
) -> Principal:
    try:
        return service.verifier.identify(connection, signed, now)
    except RefusedError as error:
        raise (invalid_token() if operation.tells_token else error) from None


def _permit(service: Service, operation: Operation, principal: Principal) -> None:
    try:
        require(principal, operation.permission, operation.area)
    except RefusedError as error:
        raise (invalid_token() if operation.tells_token else error) from None
    service.limiter.admit(principal.key_id)


def _call(
    service: Service,
    operation: Operation,
    request: Request,
    body: bytes,
    principal: Principal,
    connection: Any,
) -> Call:
    query = read_query(request.scope["query_string"], [parameter.name for parameter in operation.query])
    model = None
    if operation.request is not None:
        content_type = request.headers.get("content-type", "")
        model = read_model(operation.request, body, content_type, required=operation.body_required)
    return Call(
        connection=connection,
        tenant=principal.tenant,
        now=service.clock.now(),
        links=service.links,
        base_url=base_url_of(service, request),
        loopback=service.loopback,
        path=request.path_params,
        query=query,
        body=model,
    )


def to_response(outcome: Any) -> Response:
    """Return what a handler gave as an HTTP answer."""
    if isinstance(outcome, Answer):
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
