"""Turns a request into a page: read, check the form token, find the record of its link, act, commit, show.

A refusal becomes a page too, because people who open a link cannot be expected to read JSON.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, Row, func, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from kycpack.errors import InputError
from kycpack.models.money import from_minor
from kycpack.service.links import AUTHORISE, ONBOARD, PAY, Links
from kycpack.service.media import own_media
from kycpack.service.pages.bank_choice import Consent, consent_token, offered_banks, tenant_of_link
from kycpack.service.pages.forms import (
    FORM_TOKEN,
    Form,
    form_token,
    read_form,
    remember,
    require_form_token,
    visit_of,
)
from kycpack.service.pages.screen import Redirect, Screen, message_for, to_page
from kycpack.service.payments import find_any_payment
from kycpack.service.problems import RefusedError, conflict, invalid_request, refusal
from kycpack.service.request_log import trace_of
from kycpack.service.schema import media, tenants
from kycpack.service.sessions import find_session, tenant_of
from kycpack.service.state import Service


@dataclass(frozen=True, slots=True)
class PageCall:
    """The input of a page.

    Attributes:
        connection: A writing connection for a submitted form, otherwise one for reading.
        now: The service's time.
        links: Creates and reads links.
        path: Parameters of the path.
        form: The submitted form; empty if the page is only shown.
        query: Names in the query; pages do not use its values.
        prefix: Prefix of the service's paths, as seen by the browser; usually empty.
        browser: The headers that describe the browser: user-agent, accept, accept-language.
    """

    connection: Connection
    now: datetime
    links: Links
    path: Mapping[str, str]
    form: Form
    query: frozenset[str]
    prefix: str
    browser: Mapping[str, str]

    def to(self, kind: str, token: str, *rest: str) -> Redirect:
        """Return a redirect to a page of the service."""
        return Redirect("/".join([self.prefix, kind, token, *rest]))


Handler = Callable[[PageCall], Screen | Redirect]
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        path: Its path template.
        show: Answers a GET.
        submit: Answers a POST; None if there is no form.
    """

    path: str
    show: Handler
    submit: Handler | None = None


def make_endpoint(service: Service, page: Page, reading: asyncio.Semaphore) -> Endpoint:
    """Return the route function of a page; `reading` limits how many forms are read at a time."""

    async def endpoint(request: Request) -> Response:
        try:
            form = await _form_of(service, request, reading) if request.method == "POST" else Form()
        except RefusedError as refused:
            return _finish(service, request, message_for(refused))
        response = await run_in_threadpool(_answer, service, page, request, form)
        await asyncio.sleep(trace_of(request.scope).delay_seconds)
        return response

    endpoint.__name__ = f"page_{page.show.__name__}"
    return endpoint


async def _form_of(service: Service, request: Request, reading: asyncio.Semaphore) -> Form:
    """Read a form, but only with a valid link: others are refused before any of the form is kept."""
    token = request.path_params.get("token", "")
    if not any(service.links.open(kind, token) for kind in (ONBOARD, PAY, AUTHORISE)):
        raise refusal("link_unknown")
    async with reading:
        return await read_form(request)


def _answer(service: Service, page: Page, request: Request, form: Form) -> Response:
    try:
        outcome = _do(service, page, request, form)
    except (RefusedError, InputError) as error:
        refused = error if isinstance(error, RefusedError) else invalid_request(str(error))
        outcome = message_for(refused)
    return _finish(service, request, outcome)


def _do(service: Service, page: Page, request: Request, form: Form) -> Screen | Redirect:
    if request.method != "POST":
        with service.database.read() as connection:
            return page.show(_call(service, request, form, connection))
    if page.submit is None:
        raise RefusedError(405, "method_not_allowed", "Forms cannot be sent to this page")
    require_form_token(visit_of(request), service.links, form.text(FORM_TOKEN))
    with service.database.write() as connection:
        outcome = page.submit(_call(service, request, form, connection))
    service.sender.wake()
    return outcome


def _call(service: Service, request: Request, form: Form, connection: Connection) -> PageCall:
    described = ("user-agent", "accept", "accept-language")
    return PageCall(
        connection=connection,
        now=service.clock.now(_tenant_of(request, connection)),
        links=service.links,
        path=request.path_params,
        form=form,
        query=frozenset(request.query_params),
        prefix=_prefix(service),
        browser={name: request.headers.get(name, "")[:500] for name in described},
    )


def _tenant_of(request: Request, connection: Connection) -> str | None:
    record_id = request.path_params.get("token", "").rpartition(".")[0]
    return tenant_of_link(connection, record_id) if record_id.isascii() and "\0" not in record_id else None


def _finish(service: Service, request: Request, outcome: Screen | Redirect) -> Response:
    if isinstance(outcome, Screen):
        trace_of(request.scope).delay_seconds = outcome.delay_seconds
    visit = visit_of(request)
    frame = {"prefix": _prefix(service), "form_token": form_token(visit, service.links)}
    response = to_page(outcome, frame)
    remember(visit, response, secure=(urlsplit(service.public_url).scheme or request.url.scheme) == "https")
    return response


def _prefix(service: Service) -> str:
    return urlsplit(service.public_url).path.rstrip("/")


MOST_FILES = 20
"""Maximum number of uploaded files per session; the portal asks for six at most."""

_SIGNS = {"GBP": "£", "EUR": "€", "USD": "$"}


def opened(call: PageCall, kind: str) -> str:
    """Return the id of the record that the link opens.

    Raises:
        RefusedError: 404, the link is not of this kind, or was altered.
    """
    record_id = call.links.open(kind, call.path["token"])
    if record_id is None:
        raise refusal("link_unknown")
    return record_id


def session_of(call: PageCall) -> Row[Any]:
    """Return the session of the page's link.

    Raises:
        RefusedError: 404, the link is not valid.
    """
    return find_session(call.connection, opened(call, ONBOARD))


def require_room(connection: Connection, session: Row[Any], files: int) -> None:
    """Refuse files above the limit of a session, so that a link cannot be used to fill the database.

    Raises:
        RefusedError: 409.
    """
    held = connection.scalar(select(func.count()).select_from(media).where(own_media(session))) or 0
    if files and held + files > MOST_FILES:
        raise conflict("too_many_files", "The session already has the maximum number of files")


def payment_of(call: PageCall) -> Row[Any]:
    """Return the payment of the page's link.

    Raises:
        RefusedError: 404, the link is not valid.
    """
    return find_any_payment(call.connection, opened(call, PAY))


def organisation_of(connection: Connection, tenant_id: str) -> str:
    """Return the name of an organisation."""
    return str(connection.scalar(select(tenants.c.name).where(tenants.c.id == tenant_id)))


def money(minor: int, currency: str) -> str:
    """Return an amount as text for people, as in `£1,234.50` or `1,234.50 CZK`."""
    figure = f"{from_minor(minor, currency):,}"
    return f"{_SIGNS[currency]}{figure}" if currency in _SIGNS else f"{figure} {currency}"


def bank_page(call: PageCall, record: Row[Any], purpose: str) -> Redirect | None:
    """Return the way to the page of the chosen bank; None if none of the offered banks was chosen.

    Args:
        call: The form with the choice.
        record: The session or payment that the bank's data are for.
        purpose: `session` or `payment`.
    """
    tenant = tenant_of(call.connection, record.tenant_id)
    banks = offered_banks(call.connection, tenant, record.customer_id)
    chosen = next((bank for bank in banks if bank.id == call.form.text("bank")), None)
    if chosen is None:
        return None
    return call.to(AUTHORISE, consent_token(call.links, Consent(purpose, record.id, chosen.reference)))
