"""The control API under `/_control/`: the clock, tenants, keys, bank access, ends of sessions, faults, reset.

It is unsigned, so it is there only on loopback, and refuses a request that a web page could have caused: one with an `Origin`,
or with a `Host` that is not the service's own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter
from sqlalchemy import Connection, Row, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from kycpack.errors import ServiceError
from kycpack.models.instants import format_instant, parse_instant
from kycpack.service.bank_access import grant_access
from kycpack.service.bank_bodies import BankAccessInput
from kycpack.service.bodies import check, read_body, read_model
from kycpack.service.completion import finish_session, set_next_results
from kycpack.service.console.gate import has_own_host
from kycpack.service.control_bodies import ClockSetting, KeyCreate, PartialResults, TenantCreate
from kycpack.service.customers import is_uuid
from kycpack.service.endpoint import to_response
from kycpack.service.faults import FaultRule
from kycpack.service.keys import create_key
from kycpack.service.mail import list_mails
from kycpack.service.problems import RefusedError, customer_not_found, invalid_request
from kycpack.service.schema import customers
from kycpack.service.sessions import status_of, tenant_of
from kycpack.service.state import Service, add_tenant, reset
from kycpack.service.webhooks.journal import list_deliveries

PREFIX = "/_control"
LARGEST_BODY = 64 << 20
"""A customer's whole bank history comes in one body."""

Handler = Callable[[Service, Request, bytes], Any]


def control_router(service: Service) -> APIRouter:
    """Return the routes of the control API."""
    router = APIRouter(prefix=PREFIX, include_in_schema=False)
    for method, path, handler in _ROUTES:
        router.add_api_route(path, _endpoint(service, handler), methods=[method], response_model=None)
    return router


def _endpoint(service: Service, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        _require_own(request)
        body = await read_body(request, LARGEST_BODY)
        return to_response(await run_in_threadpool(handler, service, request, body))

    return endpoint


def _require_own(request: Request) -> None:
    if not has_own_host(request) or "origin" in request.headers:
        raise RefusedError(
            403, "control_forbidden", "The control API answers to programs on this machine alone"
        )


def _get_clock(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    return {"now": format_instant(service.clock.now())}


def _set_clock(service: Service, request: Request, body: bytes) -> Any:
    setting: ClockSetting = _read(ClockSetting, request, body)
    if setting.now is not None:
        service.clock.set(parse_instant(setting.now))
    else:
        service.clock.advance(float(setting.advance_seconds or 0))
    return {"now": format_instant(service.clock.now())}


def _add_tenant(service: Service, request: Request, body: bytes) -> Any:
    wanted: TenantCreate = _read(TenantCreate, request, body)
    with service.database.write() as connection:
        tenant_id = add_tenant(
            connection,
            service.clock,
            wanted.name,
            currency=wanted.currency,
            merchant_onboarded=wanted.merchant_onboarded,
        )
    return {"tenant_id": tenant_id}


def _add_key(service: Service, request: Request, body: bytes) -> Any:
    wanted: KeyCreate = _read(KeyCreate, request, body)
    try:
        with service.database.write() as connection:
            key = create_key(
                connection,
                service.clock.now(),
                tenant_id=wanted.tenant_id,
                permissions=wanted.wanted_permissions(),
                areas=wanted.wanted_areas(),
            )
    except RefusedError:
        raise
    except ServiceError as error:
        raise invalid_request(str(error)) from None
    return {"key_id": key.key_id, "secret": key.secret}


def _load_bank_access(service: Service, request: Request, body: bytes) -> Any:
    access: BankAccessInput = _read(BankAccessInput, request, body)
    with service.database.write() as connection:
        customer = _any_customer(connection, request.path_params["id"])
        tenant = tenant_of(connection, customer.tenant_id)
        items = grant_access(connection, tenant, customer.id, access, service.clock.now())
    return {"items": items}


def _keep_next_results(service: Service, request: Request, body: bytes) -> Any:
    partial: PartialResults = _read(PartialResults, request, body)
    with service.database.write() as connection:
        customer = _any_customer(connection, request.path_params["id"])
        set_next_results(connection, customer, partial.results)
    return {"customer_id": customer.id}


def _finish(service: Service, request: Request, body: bytes) -> Any:
    partial: PartialResults = _read(PartialResults, request, body)
    now = service.clock.now()
    with service.database.write() as connection:
        row = finish_session(connection, request.path_params["id"], now, results=partial.results)
    service.sender.wake()
    return status_of(row, now)


def _deliveries(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    with service.database.read() as connection:
        return {"items": list_deliveries(connection)}


def _mail(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    with service.database.read() as connection:
        return {"items": list_mails(connection, service.links)}


def _add_fault(service: Service, request: Request, body: bytes) -> Any:
    service.faults.add(_read(FaultRule, request, body))
    return {"items": service.faults.listed()}


def _clear_faults(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    service.faults.clear()
    return {"items": []}


def _reset(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    reset(service)
    return {"now": format_instant(service.clock.now())}


_ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/clock", _get_clock),
    ("POST", "/clock", _set_clock),
    ("POST", "/tenants", _add_tenant),
    ("POST", "/keys", _add_key),
    ("POST", "/customers/{id}/bank-access", _load_bank_access),
    ("POST", "/customers/{id}/next-results", _keep_next_results),
    ("POST", "/sessions/{id}/finish", _finish),
    ("GET", "/deliveries", _deliveries),
    ("GET", "/mail", _mail),
    ("POST", "/faults", _add_fault),
    ("DELETE", "/faults", _clear_faults),
    ("POST", "/reset", _reset),
)


def _read(model: Any, request: Request, body: bytes) -> Any:
    if not body:
        return check(model, {})
    return read_model(model, body, request.headers.get("content-type", ""), required=True)


def _any_customer(connection: Connection, customer_id: str) -> Row[Any]:
    row = None
    if is_uuid(customer_id):
        one = select(customers).where(customers.c.id == customer_id.lower())
        row = connection.execute(one.with_for_update()).one_or_none()
    if row is None:
        raise customer_not_found()
    return row
