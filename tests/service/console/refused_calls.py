"""Calls that are refused, and what the console's page of each has to say; those about money are in `refused_money_calls`."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import httpx
from tests.service.signed import (
    Caller,
    Credentials,
    finish,
    new_customer,
    new_session,
    ok,
)

Refused = tuple[Callable[[Caller], httpx.Response], int, str, str, str]
"""What is asked, the status and code of the answer, and what the page of the request has to say: cause, then remedy."""
NOBODY = str(uuid.uuid4())


def poor_key(call: Caller, permissions: list[str], areas: list[str]) -> Credentials:
    return call.new_key(call.control("/tenants", {"name": "Poor"})["tenant_id"], permissions, areas)


def _bare_session(call: Caller) -> httpx.Response:
    customer = ok(call("POST", "/v1/customers", {}))["id"]
    return call("POST", "/v1/onboard/sessions", {"customerId": customer})


def _foreign_session(call: Caller) -> httpx.Response:
    session = new_session(call, new_customer(call))
    return call("GET", f"/v1/onboard/sessions/{session}", key=call.new_tenant())


def _foreign_customer(call: Caller) -> httpx.Response:
    return call("GET", f"/v1/customers/{new_customer(call)}", key=call.new_tenant())


def _media(call: Caller, media_id: str) -> httpx.Response:
    session = new_session(call, new_customer(call))
    finish(call, session)
    return call("GET", f"/v1/onboard-sessions/{session}/media/{media_id}")


def _late_download(call: Caller) -> httpx.Response:
    session = new_session(call, new_customer(call))
    finish(call, session)
    link = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][0]["downloadUrl"]
    call.advance(hours=3)
    return call.plain("GET", link.removeprefix(call.base_url))


REFUSED_CALLS: dict[str, Refused] = {
    "no signature": (
        lambda call: call.plain("GET", "/v1/banks"),
        401,
        "invalid_api_key",
        "Authorization",
        "Send Authorization: HMAC-SHA256",
    ),
    "no account": (
        lambda call: call("GET", "/v1/banks", key=call.new_key(None)),
        401,
        "invalid_api_key",
        "account",
        "Make one with a tenant_id",
    ),
    "no permission": (
        lambda call: call("GET", "/v1/customers", key=poor_key(call, [], ["customers"])),
        403,
        "insufficient_permissions",
        "read_customers",
        "Make a key with the permission",
    ),
    "no area": (
        lambda call: call("GET", "/v1/customers", key=poor_key(call, ["read_customers"], [])),
        403,
        "insufficient_permissions",
        "area",
        "Make a key with the permission or area",
    ),
    "no such path": (
        lambda call: call("GET", "/v2/customers"),
        404,
        "not_found",
        "nothing at this path",
        "paths begin with /v1",
    ),
    "wrong method": (
        lambda call: call("DELETE", "/v1/customers"),
        405,
        "method_not_allowed",
        "does not support this method",
        "See the API reference",
    ),
    "not JSON": (
        lambda call: call("POST", "/v1/customers", raw=b"{"),
        400,
        "invalid_request",
        "line 1, column 2",
        "Compare the body",
    ),
    "unknown member": (
        lambda call: call("POST", "/v1/customers", {"surname": "x"}),
        400,
        "invalid_request",
        "surname: unknown field",
        "Compare the body",
    ),
    "unknown parameter": (
        lambda call: call("GET", "/v1/customers?org=7"),
        400,
        "invalid_request",
        "the known ones are: cursor, limit, orgId",
        "names the member",
    ),
    "form for JSON": (
        lambda call: call("POST", "/v1/customers", {}, headers={"content-type": "text/plain"}),
        415,
        "unsupported_media_type",
        "application/json",
        "Send Content-Type",
    ),
    "too large": (
        lambda call: call("POST", "/v1/customers", raw=b" " * ((1 << 20) + 1)),
        413,
        "request_too_large",
        "larger than 1048576 bytes",
        "1 MiB",
    ),
    "unknown customer of a session": (
        lambda call: call("POST", "/v1/onboard/sessions", {"customerId": NOBODY}),
        400,
        "invalid_customer_id",
        "Invalid customer id",
        "for an onboard session, no customer",
    ),
    "another organisation's customer": (
        _foreign_customer,
        404,
        "customer_not_found",
        "Customer not found",
        "Another organisation's customer",
    ),
    "another organisation's session": (
        _foreign_session,
        403,
        "session_forbidden",
        "different organisation",
        "Use the key of the organisation",
    ),
    "no person data": (
        _bare_session,
        400,
        "missing_person_data",
        "firstName, lastName, emailAddress",
        "on the customer or in the request",
    ),
    "unknown session": (
        lambda call: call("GET", f"/v1/onboard/sessions/{NOBODY}"),
        404,
        "session_not_found",
        "Session not found",
        "No session has this id",
    ),
    "results too early": (
        lambda call: call("GET", f"/v1/onboard/sessions/{new_session(call, new_customer(call))}/results"),
        404,
        "results_not_found",
        "not complete",
        "Finish it in the portal",
    ),
    "unknown media": (
        lambda call: _media(call, NOBODY),
        404,
        "media_not_found",
        "Media not found",
        "POST media-access lists",
    ),
    "late download": (
        _late_download,
        403,
        "link_expired",
        "has expired",
        "Ask for media access again",
    ),
    "webhook to the metadata service": (
        lambda call: call("POST", "/v1/webhooks", {"url": "http://169.254.169.254/"}),
        400,
        "invalid_request",
        "url",
        "names the member",
    ),
    "webhook without events": (
        lambda call: call("POST", "/v1/webhooks", {"url": "https://hooks.example/", "events": []}),
        400,
        "invalid_request",
        "events",
        "names the member",
    ),
    "unknown webhook": (
        lambda call: call("DELETE", f"/v1/webhooks/{NOBODY}"),
        404,
        "webhook_not_found",
        "Webhook not found",
        "GET /v1/webhooks lists them",
    ),
}
