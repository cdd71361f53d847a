"""The control API under `/_control/`: the clock, tenants, keys, bank access, ends of sessions, faults, reset.

It is unsigned, so it is there only on loopback, and refuses a request that a web page could have caused: one with an `Origin`,
or with a `Host` that is not the service's own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from sqlalchemy import Connection, Row, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

import kycpack
from kycpack.errors import ServiceError
from kycpack.models.instants import format_instant, parse_instant
from kycpack.service.bank_access import end_access, grant_access
from kycpack.service.bank_bodies import BankAccessInput
from kycpack.service.bodies import check, read_body, read_model
from kycpack.service.completion import finish_session, set_next_results
from kycpack.service.console.gate import has_own_host
from kycpack.service.control_bodies import ClockSetting, KeyCreate, PartialResults, TenantCreate
from kycpack.service.customers import is_uuid
from kycpack.service.endpoint import to_response
from kycpack.service.faults import FaultRule
from kycpack.service.interventions import expire_session, find_webhook, redeliver, try_webhook
from kycpack.service.keys import create_key, list_keys
from kycpack.service.mail import list_mails
from kycpack.service.problems import RefusedError, customer_not_found, invalid_request, not_found
from kycpack.service.schema import customers, tenants
from kycpack.service.sessions import status_of, tenant_of
from kycpack.service.state import Service, add_tenant, reset
from kycpack.service.webhooks.journal import list_deliveries

PREFIX = "/_control"
LARGEST_BODY = 64 << 20
"""A customer's whole bank history comes in one body."""

Handler = Callable[[Service, Request, bytes], Any]


@dataclass(frozen=True, slots=True)
class Control:
    """One operation of the control API.

    Attributes:
        method: HTTP method.
        path: Path template below `/_control`.
        handler: Does it.
        summary: One line.
        body: Model of its body; None where it takes none.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    body: type[BaseModel] | None = None


def control_document() -> dict[str, Any]:
    """Return the OpenAPI document of the control API."""
    models = tuple(dict.fromkeys(control.body for control in CONTROLS if control.body is not None))
    references, document = models_json_schema(
        [(model, "validation") for model in models],
        by_alias=True,
        ref_template="#/components/schemas/{model}",
    )
    paths: dict[str, Any] = {}
    for control in CONTROLS:
        item: dict[str, Any] = {
            "operationId": f"{control.method.lower()}{control.path}".translate(_IN_IDS),
            "summary": control.summary,
            "tags": ["Control"],
            "parameters": [
                {"name": part[1:-1], "in": "path", "required": True, "schema": {"type": "string"}}
                for part in control.path.split("/")
                if part.startswith("{")
            ],
            "responses": {
                "200": {
                    "description": "Done.",
                    "content": {"application/json": {"schema": {"type": "object"}}},
                },
                "400": {"description": "The body does not fit."},
                "403": {"description": "Not asked by a program on this machine."},
                "404": {"description": "There is no such record."},
            },
        }
        if control.body is not None:
            schema = references[(control.body, "validation")]
            item["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
        paths.setdefault(PREFIX + control.path, {})[control.method.lower()] = item
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Control API",
            "version": kycpack.__version__,
            "description": "What a test needs beyond the interface. Unsigned; it answers to programs on this machine.",
        },
        "servers": [{"url": "/", "description": "The service that gave this document."}],
        "paths": paths,
        "components": {"schemas": document.get("$defs", {})},
    }


_IN_IDS = str.maketrans({"/": "_", "-": "_", "{": "", "}": ""})
_LONGEST_NUMBER = 18


def control_router(service: Service) -> APIRouter:
    """Return the routes of the control API."""
    router = APIRouter(prefix=PREFIX, include_in_schema=False)
    for control in CONTROLS:
        router.add_api_route(
            control.path, _endpoint(service, control.handler), methods=[control.method], response_model=None
        )
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


def _read_document(service: Service, request: Request, body: bytes) -> Any:
    del service, request, body
    return control_document()


def _read_tenants(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    with service.database.read() as connection:
        rows = connection.execute(select(tenants).order_by(tenants.c.created_at, tenants.c.id)).all()
    names = ("id", "name", "currency", "merchant_onboarded", "created_at")
    return {"items": [{name: getattr(row, name) for name in names} for row in rows]}


def _read_keys(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    with service.database.read() as connection:
        return {"items": [asdict(record) for record in list_keys(connection)]}


def _read_requests(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    return {"items": [asdict(entry) for entry in service.requests.entries()]}


def _read_faults(service: Service, request: Request, body: bytes) -> Any:
    del request, body
    return {"items": service.faults.listed()}


def _expire_access(service: Service, request: Request, body: bytes) -> Any:
    del body
    with service.database.write() as connection:
        customer = _any_customer(connection, request.path_params["id"])
        tenant = tenant_of(connection, customer.tenant_id)
        ended = end_access(connection, tenant, customer.id, service.clock.now())
    return {"customer_id": customer.id, "accounts": ended}


def _expire(service: Service, request: Request, body: bytes) -> Any:
    del body
    now = service.clock.now()
    with service.database.write() as connection:
        return status_of(expire_session(connection, request.path_params["id"], now), now)


def _redeliver(service: Service, request: Request, body: bytes) -> Any:
    del body
    number = request.path_params["number"]
    if not number.isdecimal() or len(number) > _LONGEST_NUMBER:
        raise not_found("delivery")
    with service.database.write() as connection:
        queued = redeliver(connection, int(number), service.clock.now())
    service.sender.wake()
    return {"id": queued}


def _try_webhook(service: Service, request: Request, body: bytes) -> Any:
    del body
    with service.database.read() as connection:
        row = find_webhook(connection, request.path_params["id"])
    outcome = try_webhook(row.url, service.clock.now(), loopback=service.loopback)
    return {"status": outcome.status, "reason": outcome.reason or None}


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


CONTROLS: tuple[Control, ...] = (
    Control("GET", "/openapi.json", _read_document, "This document"),
    Control("GET", "/clock", _get_clock, "Read the clock"),
    Control("POST", "/clock", _set_clock, "Move or set the clock", ClockSetting),
    Control("GET", "/tenants", _read_tenants, "List organisations"),
    Control("POST", "/tenants", _add_tenant, "Add an organisation", TenantCreate),
    Control("GET", "/keys", _read_keys, "List keys, without secrets"),
    Control("POST", "/keys", _add_key, "Make a key", KeyCreate),
    Control("POST", "/customers/{id}/bank-access", _load_bank_access, "Load bank access", BankAccessInput),
    Control("POST", "/customers/{id}/expire-access", _expire_access, "End a customer's bank access now"),
    Control(
        "POST",
        "/customers/{id}/next-results",
        _keep_next_results,
        "Keep results for the next session",
        PartialResults,
    ),
    Control("POST", "/sessions/{id}/finish", _finish, "Finish a session", PartialResults),
    Control("POST", "/sessions/{id}/expire", _expire, "Expire a session now"),
    Control("GET", "/deliveries", _deliveries, "List webhook deliveries"),
    Control("POST", "/deliveries/{number}/redeliver", _redeliver, "Queue a delivery again"),
    Control("POST", "/webhooks/{id}/test", _try_webhook, "Send an invented completion to an endpoint"),
    Control("GET", "/mail", _mail, "List email notifications"),
    Control("GET", "/requests", _read_requests, "List the last requests, newest first"),
    Control("GET", "/faults", _read_faults, "List the fault rules in force"),
    Control("POST", "/faults", _add_fault, "Add a fault rule", FaultRule),
    Control("DELETE", "/faults", _clear_faults, "Lift all fault rules"),
    Control("POST", "/reset", _reset, "Forget everything but the first key"),
)
"""Every operation of the control API; its routes and its OpenAPI document are made from it."""


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
