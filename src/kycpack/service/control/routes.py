"""The routes of the control API, and who may use them."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from kycpack.service.bodies import read_body, read_model
from kycpack.service.console.page import has_own_host
from kycpack.service.control import (
    customers,
    organisations,
    records,
)
from kycpack.service.control.document import PREFIX, control_document
from kycpack.service.control.models import Control, ControlCall, Document
from kycpack.service.operation import to_response
from kycpack.service.problems import refusal
from kycpack.service.state import Service

LARGEST_BODY = 64 << 20
"""Largest body in bytes: a customer's whole bank history comes in one."""


def _read_document(call: ControlCall) -> Any:
    return control_document(CONTROLS, token=bool(call.service.control_token))


CONTROLS: tuple[Control, ...] = (
    Control("GET", "/openapi.json", _read_document, "This document", answer=Document),
    *organisations.CONTROLS,
    *customers.CONTROLS,
    *records.CONTROLS,
)
"""All operations of the control API; its routes and its OpenAPI document are generated from them."""


def control_router(service: Service) -> APIRouter:
    """Return the routes of the control API."""
    router = APIRouter(prefix=PREFIX, include_in_schema=False)
    for control in CONTROLS:
        endpoint = _endpoint(service, control)
        router.add_api_route(control.path, endpoint, methods=[control.method], response_model=None)
    return router


def _endpoint(service: Service, control: Control) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        _require_allowed(service, request)
        body = await read_body(request, LARGEST_BODY)
        return await run_in_threadpool(_answer, service, control, request, body)

    return endpoint


def _answer(service: Service, control: Control, request: Request, body: bytes) -> Response:
    given = None
    if control.body is not None:
        given = read_model(control.body, body, request.headers.get("content-type", ""), required=False)
    return to_response(control.handler(ControlCall(service, request.path_params, given)))


def _require_allowed(service: Service, request: Request) -> None:
    if "origin" in request.headers:
        raise refusal("control_forbidden", "The control API is for programs, not for web pages")
    if service.control_token:
        given = request.headers.get("authorization", "").encode("utf-8", "surrogatepass")
        if not hmac.compare_digest(given, f"Bearer {service.control_token}".encode()):
            raise refusal("control_forbidden", "The control API needs its token: Authorization: Bearer TOKEN")
    elif not has_own_host(request):
        raise refusal("control_forbidden", "The control API is only for programs on this machine")
