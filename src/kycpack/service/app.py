"""The application: routes from the table of operations, error handling, and headers of every answer."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import kycpack
from kycpack.errors import InputError
from kycpack.models.json import dump_json
from kycpack.service.auth import RateLimiter, Verifier, tenant_of_header
from kycpack.service.clock import Clock, http_date
from kycpack.service.console.routes import console_routes
from kycpack.service.control.document import control_document
from kycpack.service.control.routes import CONTROLS, control_router
from kycpack.service.database import Database
from kycpack.service.faults import Faults
from kycpack.service.health import downloads_route, health_routes
from kycpack.service.links import Links
from kycpack.service.mail import MailSender, MailServer
from kycpack.service.openapi import openapi_document
from kycpack.service.operation import make_endpoint
from kycpack.service.pages.routes import page_routes
from kycpack.service.problems import RefusedError, invalid_request
from kycpack.service.reference.routes import reference_route, stylesheet_route
from kycpack.service.request_log import LogStyle, RequestLog, send_problem, trace_of
from kycpack.service.routes import OPERATIONS
from kycpack.service.scheduler import Scheduler
from kycpack.service.state import Service, ensure_first_key, ensure_link_key, open_clock
from kycpack.service.webhooks.delivery import DEADLINE_SECONDS
from kycpack.service.webhooks.sender import Sender


def create_app(  # noqa: PLR0913 - one argument for each option
    database_url: str,
    *,
    clock: Callable[[], datetime] | None = None,
    loopback: bool = True,
    public_url: str = "",
    requests_per_minute: int | None = None,
    webhook_deadline: float = DEADLINE_SECONDS,
    log: LogStyle = "failures",
    mail_server: MailServer | None = None,
    control_token: str = "",
    host_name: str = "",
) -> FastAPI:
    """Return the service's application.

    Args:
        database_url: A SQLAlchemy URL, or the path of a SQLite file; a new database gets its tables and the first key.
        clock: The source of time; by default the machine's clock.
        loopback: Whether it is bound to loopback; if so, there are a console and a control API, and webhooks may go to
            loopback.
        public_url: The base URL of links; empty for the address that the caller used.
        requests_per_minute: Limit for each key; None for no limit.
        webhook_deadline: Seconds that one webhook delivery may take.
        log: Which requests are logged, and how.
        mail_server: Sends email notifications; without one they stay in the outbox.
        control_token: Token for requests to the control API; with it there is a control API beyond loopback as well.
        host_name: The only Host header that is accepted, as passed on by a proxy; empty for any.

    Returns:
        The application; `app.state.service` is its service. Webhooks are sent during its lifespan.

    Raises:
        ServiceError: The database cannot be opened, or has another version.
    """
    database = Database(database_url)
    try:
        database.occupy()
    except BaseException:
        database.close()
        raise
    service_clock = open_clock(database, clock)
    links = Links(ensure_link_key(database))
    sender = Sender(database, service_clock, loopback=loopback, deadline=webhook_deadline)

    def tenant_of(authorization: str) -> str | None:
        with database.read() as connection:
            return tenant_of_header(connection, authorization)

    service = Service(
        database=database,
        clock=service_clock,
        links=links,
        verifier=Verifier(),
        limiter=RateLimiter(service_clock, requests_per_minute),
        faults=Faults(tenant_of),
        sender=sender,
        mail_sender=MailSender(database, service_clock, links, mail_server),
        scheduler=Scheduler(database, service_clock, sender),
        loopback=loopback,
        public_url=public_url.rstrip("/"),
        first=ensure_first_key(database, service_clock),
        requests=RequestLog(log),
        control_token=control_token,
    )
    app = FastAPI(
        title="Customer Verification and Payments Service",
        version=kycpack.__version__,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={RefusedError: _refused, InputError: _bad_input, HTTPException: _http},
    )
    app.state.service = service
    for operation in OPERATIONS:
        endpoint = make_endpoint(service, operation)
        for path in (operation.path, *operation.aliases):
            app.add_api_route(
                path, endpoint, methods=[operation.method], response_model=None, include_in_schema=False
            )
    app.openapi = lambda: openapi_document(OPERATIONS, service.public_url)  # type: ignore[method-assign]
    control = control_router(service).routes if service.has_control else ()
    app.router.routes += [
        downloads_route(service),
        *page_routes(service),
        *health_routes(service),
        reference_route("/docs", app.openapi, "/openapi.json"),
        stylesheet_route(),
        *control,
    ]
    if loopback:
        app.router.routes += [
            reference_route("/docs/control", lambda: control_document(CONTROLS), "/_control/openapi.json"),
            *console_routes(service),
        ]
    app.add_middleware(BoundaryMiddleware, clock=service.clock, host_name=host_name)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    at_work = (service.sender, service.mail_sender, service.scheduler)
    for part in at_work:
        part.start()
    try:
        yield
    finally:
        for part in at_work:
            part.stop()
        service.database.close()


async def _refused(request: Request, error: Any) -> Response:
    trace = trace_of(request.scope)
    trace.hint = trace.hint or error.hint
    return _json(request, error.status, error.body(), error.headers)


async def _bad_input(request: Request, error: Exception) -> Response:
    return await _refused(request, invalid_request(str(error)))


async def _http(request: Request, error: Any) -> Response:
    if error.status_code == 404:
        trace_of(request.scope).hint = "path"
    words = {
        404: ("not_found", "There is nothing at this path"),
        405: ("method_not_allowed", "This path does not support this method"),
    }
    code, message = words.get(error.status_code, ("invalid_request", "Invalid request"))
    return _json(request, error.status_code, {"error": code, "message": message}, dict(error.headers or {}))


def _json(request: Request, status: int, body: dict[str, Any], headers: dict[str, str]) -> Response:
    trace = trace_of(request.scope)
    trace.error, trace.message = body["error"], body["message"]
    answer = {**body, "requestId": trace.request_id}
    return Response(dump_json(answer), status, headers, "application/json")


class BoundaryMiddleware:
    """Dates answers by the service's clock, keeps them out of caches, and answers 500 if nothing else did.

    Args:
        app: The wrapped application.
        clock: The service's clock.
        host_name: The only `Host` that is accepted; empty for any. Health checks accept any.
    """

    def __init__(self, app: ASGIApp, clock: Clock, host_name: str = "") -> None:
        self._app = app
        self._clock = clock
        self._host_name = host_name.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add headers to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        if self._is_misdirected(scope):
            message = f"The service answers only as {self._host_name}"
            await send_problem(trace_of(scope), send, 421, "misdirected_request", message)
            return

        async def send_dated(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers["Date"] = http_date(self._clock.now(trace_of(scope).tenant_id))
                headers["X-Demonstration-Data"] = "true"
                headers.setdefault("Cache-Control", "no-store")
                headers.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        try:
            await self._app(scope, receive, send_dated)
        except Exception as error:
            trace_of(scope).failure = _place(error)
            if started:
                raise
            await send_problem(
                trace_of(scope), send_dated, 500, "internal_error", "The service failed; nothing was changed"
            )

    def _is_misdirected(self, scope: Scope) -> bool:
        if not self._host_name or scope["path"] in {"/healthz", "/readyz"}:
            return False
        return Headers(scope=scope).get("host", "").lower() != self._host_name


def _place(error: Exception) -> str:
    """Return where a failure happened, without its text, because a driver's text may quote values."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places}"
