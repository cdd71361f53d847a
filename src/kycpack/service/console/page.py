"""Turns a request into a page of the console: check that it comes from a browser on this machine, read or act, show.

Another site could point a host name of its own at this machine, or send a form here. The first is refused because the `Host` must
be the service's own; the second by the `Origin`, and by a form token that belongs to the browser's visit.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from sqlalchemy import ColumnElement, Connection, Row, Select, select, tuple_
from sqlalchemy import Table as SqlTable
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from kycpack.errors import InputError
from kycpack.models.instants import format_instant
from kycpack.service.address import is_loopback
from kycpack.service.console.board import Board, BoardCell, Tone
from kycpack.service.pages.forms import (
    FORM_TOKEN,
    Form,
    form_token,
    read_form,
    remember,
    require_form_token,
    visit_of,
)
from kycpack.service.pages.screen import page_headers, templates_in
from kycpack.service.problems import RefusedError, invalid_request
from kycpack.service.request_log import trace_of
from kycpack.service.schema import tenants
from kycpack.service.state import Service

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # a proxy acts for somebody else
_LOOPBACK_NAMES = {"127.0.0.1", "localhost", "::1"}


def has_own_host(request: Request) -> bool:
    """Return whether the `Host` of a request is an address of this machine."""
    server = request.scope.get("server") or ("", None)
    try:
        host = urlsplit(f"//{request.headers.get('host', '')}")
        own = host.hostname in {*_LOOPBACK_NAMES, server[0]}
        usual = 443 if request.url.scheme == "https" else 80
        passed_on = any(name in request.headers for name in _FORWARDED)
        return own and not passed_on and (host.port or usual) == (server[1] or usual)
    except ValueError:
        return False


def require_own_browser(request: Request) -> None:
    """Refuse a request that is not from a browser on this machine, or was caused by another site.

    Raises:
        RefusedError: 403.
    """
    caller = request.client.host if request.client else ""
    origin = request.headers.get("origin")
    own_origin = origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}"
    site = request.headers.get("sec-fetch-site", "none")
    sent_here = request.method in {"GET", "HEAD"} or site in {"none", "same-origin"}
    if not (is_loopback(caller) and has_own_host(request) and own_origin and sent_here):
        raise RefusedError(
            403, "console_forbidden", "The console can only be opened in a browser on this machine"
        )


SECTIONS = (
    ("/", "Overview"),
    ("/console/requests", "Requests"),
    ("/console/customers", "Customers"),
    ("/console/sessions", "Sessions"),
    ("/console/payments", "Payments"),
    ("/console/deliveries", "Webhooks"),
    ("/console/mail", "Mail"),
    ("/console/clock", "Clock"),
    ("/console/faults", "Faults"),
    ("/console/snapshots", "Snapshots"),
    ("/docs", "API reference"),
)
_SHIFT = timedelta(seconds=2)
_FORM = "console"
_NOTICE = "kycpack_notice"
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
_LARGEST_FORM = 64 << 10


@dataclass(frozen=True, slots=True)
class Visited:
    """The input of a page.

    Attributes:
        service: The service.
        now: Its time.
        base_url: The address that the browser used.
        path: Parameters of the path.
        query: Parameters of the query.
        form: The submitted form; empty if the page is only shown.
    """

    service: Service
    now: datetime
    base_url: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Form

    def now_of(self, tenant_id: str) -> datetime:
        """Return the time of an organisation."""
        return self.service.clock.now(tenant_id)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of an action: the next page, and its notice."""

    path: str
    notice: str


Show = Callable[[Visited], Board]
Do = Callable[[Visited], Done | Board]
Endpoint = Callable[[Request], Awaitable[Response]]


def show_endpoint(service: Service, show: Show) -> Callable[[Request], Response]:
    """Return the route function of a page."""

    def endpoint(request: Request) -> Response:
        trace_of(request.scope).unlisted = True
        try:
            require_own_browser(request)
            board = show(_visited(service, request, Form()))
        except RefusedError as refused:
            board = _refusal(refused)
        return _draw(service, request, board)

    endpoint.__name__ = f"console_{show.__name__}"
    return endpoint


def do_endpoint(service: Service, do: Do) -> Endpoint:
    """Return the route function of an action."""

    async def endpoint(request: Request) -> Response:
        try:
            require_own_browser(request)
            form = await read_form(request, _LARGEST_FORM)
        except RefusedError as refused:
            return _draw(service, request, _refusal(refused))
        return await run_in_threadpool(_done, service, request, do, form)

    endpoint.__name__ = f"console_{do.__name__}"
    return endpoint


def _done(service: Service, request: Request, do: Do, form: Form) -> Response:
    try:
        require_form_token(visit_of(request), service.links, form.text(FORM_TOKEN), _FORM)
        outcome = do(_visited(service, request, form))
    except InputError as error:
        outcome = _refusal(invalid_request(str(error)))
    except RefusedError as refused:
        outcome = _refusal(refused)
    service.sender.wake()
    if isinstance(outcome, Board):
        return _draw(service, request, outcome)
    response = Response(
        status_code=303, headers={**_headers(), "Location": quote(outcome.path, safe="/?=&-_.")}
    )
    response.set_cookie(_NOTICE, quote(outcome.notice), httponly=True, samesite="strict", max_age=60)
    return response


def _visited(service: Service, request: Request, form: Form) -> Visited:
    return Visited(
        service=service,
        now=service.clock.now(),
        base_url=f"{request.url.scheme}://{request.headers.get('host', '')}",
        path=request.path_params,
        # No database can find a NUL, and PostgreSQL refuses to look for it.
        query={name: value.replace("\0", "") for name, value in request.query_params.items()},
        form=form,
    )


def _refusal(refused: RefusedError) -> Board:
    return Board(
        title="That did not work",
        section="",
        notice=f"{refused.message}.",
        notice_tone="alarm",
        status=refused.status,
    )


def _draw(service: Service, request: Request, board: Board) -> Response:
    visit = visit_of(request)
    now = service.clock.now()
    shifted = abs(now - service.clock.real_now()) > _SHIFT
    notice = unquote(request.cookies.get(_NOTICE, ""))[:500] if not board.notice else ""
    html = (
        templates_in("kycpack.service.console", moment=moment)
        .get_template("board.html")
        .render(
            board=board,
            notice=notice,
            sections=SECTIONS,
            now=format_instant(now),
            shifted=shifted,
            faults=len(service.faults.listed()),
            form_token=form_token(visit, service.links, _FORM),
        )
    )
    response = Response(html, board.status, _headers(), "text/html; charset=utf-8")
    remember(visit, response, secure=request.url.scheme == "https")
    if notice:
        response.delete_cookie(_NOTICE, httponly=True, samesite="strict")
    return response


def _headers() -> dict[str, str]:
    # Without any referrer a browser would send "Origin: null" with the console's own forms.
    return {**page_headers(()), "Referrer-Policy": "same-origin"}


def whole_number(visited: Visited, name: str) -> int:
    """Return a field of a form as a number.

    Raises:
        RefusedError: 400, the field is not a whole number.
    """
    text = visited.form.text(name)
    if not _WHOLE_NUMBER.fullmatch(text):
        raise invalid_request(f"{name}: not a whole number")
    return int(text)


def moment(instant: str) -> str:
    """Return an instant as text for people, in UTC to the second."""
    return f"{instant[:10]} {instant[11:19]} UTC" if instant else ""


_ROWS = 50
_TONES: dict[str, Tone] = {
    "complete": "good",
    "completed": "good",
    "SUCCEEDED": "good",
    "clear": "good",
    "inprogress": "watch",
    "STARTED": "watch",
    "expired": "alarm",
    "failed": "alarm",
    "FAILED": "alarm",
    "rejected": "alarm",
    "consider": "watch",
    "warning": "watch",
}


def badge(word: str) -> BoardCell:
    """Return a state or outcome as a badge."""
    return BoardCell(word, tone=_TONES.get(word, "quiet"))


def newest(table: SqlTable, condition: ColumnElement[bool]) -> Select[Any]:
    """Return a query for the rows of a table that meet a condition, newest first."""
    return select(table).where(condition).order_by(table.c.created_at.desc(), table.c.id.desc()).limit(_ROWS)


def page(
    visited: Visited,
    connection: Connection,
    chosen: Select[Any],
    table: SqlTable,
    path: str,
    wanted: str = "",
) -> tuple[list[Row[Any]], str]:
    """Return a page of rows, newest first, and the link to the next rows."""
    created, row_id = table.c.created_at, table.c.id
    at, _, last = visited.query.get("before", "").partition("~")
    if at and last:
        chosen = chosen.where(tuple_(created, row_id) < tuple_(at, last))
    rows = list(connection.execute(chosen.order_by(created.desc(), row_id.desc()).limit(_ROWS + 1)))
    if len(rows) <= _ROWS:
        return rows, ""
    final = rows[_ROWS - 1]
    query = f"before={final.created_at}~{final.id}" + (f"&q={quote(wanted, safe='')}" if wanted else "")
    return rows[:_ROWS], f"{path}?{query}"


def links_base(visited: Visited) -> str:
    """Return the base URL of links to pages of the service."""
    return visited.service.public_url or visited.base_url


def organisations(connection: Connection) -> dict[str, str]:
    """Return the name of each organisation by its id, oldest first."""
    rows = connection.execute(select(tenants.c.id, tenants.c.name).order_by(tenants.c.created_at))
    return {row.id: row.name for row in rows}


def short_id(value: str, room: str) -> BoardCell:
    """Return a shortened id with a link to its record."""
    return BoardCell(f"{value[:8]}\u2026", href=f"/console/{room}/{value}", mono=True)
