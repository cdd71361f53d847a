"""Somebody who integrates finds out from the console alone why a call was refused, and what to do about it."""

from __future__ import annotations

import ast
import html
import inspect
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.service.signed import (
    BANK_ACCESS,
    BROWSER,
    CARD,
    Caller,
    Credentials,
    finish,
    grant,
    new_customer,
    new_payment,
    new_session,
    ok,
)

from kycpack.service import problems
from kycpack.service.console.journal import advice_on
from kycpack.service.request_log import HEADER

_NOBODY = str(uuid.uuid4())
_BY_BANK = {"bank": {"bankId": "test-bank"}}
_VERIFIED = {"accounts": True, "useVerifiedBankAccount": True}


def _codes(tree: ast.AST) -> set[str]:
    """Return the codes of refusals that a module writes."""
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        texts = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
        match node.func.id, texts:
            case "RefusedError", [int(), str(code), *_]:
                found.add(code)
            case "conflict", [str(code), *_]:
                found.add(code)
            case "not_found", [str(what)]:
                found.add(f"{what.replace(' ', '_')}_not_found")
    return found


def test_every_refusal_in_the_code_has_advice(checkout: Path) -> None:
    codes = set(problems.REFUSALS)
    for path in (checkout / "src" / "kycpack" / "service").rglob("*.py"):
        codes |= _codes(ast.parse(path.read_text("utf-8")))
    assert len(codes) > 40
    assert [code for code in sorted(codes) if not advice_on(code)] == []


def _attempt(call: Caller, body: Any, **payment: Any) -> httpx.Response:
    return call("POST", f"/v1/payments/{new_payment(call, **payment)}/attempts", body)


def _account(call: Caller, **access: Any) -> str:
    customer = new_customer(call)
    return f"/v1/customers/{customer}/bank-accounts/{grant(call, customer, **access)[0]['id']}"


def _poor(call: Caller, permissions: list[str], areas: list[str]) -> Credentials:
    return call.new_key(call.control("/tenants", {"name": "Poor"})["tenant_id"], permissions, areas)


def _wealth(call: Caller, *, query: str = "", expire: bool = False, **access: Any) -> httpx.Response:
    customer = new_customer(call)
    if access:
        grant(call, customer, **access)
    if expire:
        call.control(f"/customers/{customer}/expire-access")
    return call("GET", f"/v1/customers/{customer}/source-of-wealth{query}")


def _paid(call: Caller) -> httpx.Response:
    payment = new_payment(call)
    path = f"/v1/payments/{payment}/attempts"
    ok(call("POST", path, {"card": CARD, "browserData": BROWSER}))
    return call("POST", path, _BY_BANK)


def _expired_balance(call: Caller) -> httpx.Response:
    path = _account(call)
    call.advance(days=91)
    return call("GET", f"{path}/balance")


def _finalize_by_bank(call: Caller) -> httpx.Response:
    payment = new_payment(call)
    attempt = ok(call("POST", f"/v1/payments/{payment}/attempts", _BY_BANK))["id"]
    return call("POST", f"/v1/payments/{payment}/attempts/{attempt}/finalize")


def _without_merchant(call: Caller) -> httpx.Response:
    key = call.new_tenant(merchant_onboarded=False)
    customer = ok(call("POST", "/v1/customers", {"firstName": "Ada"}, key=key))["id"]
    body = {"amount": 1, "reference": "r", "customerId": customer, "aisRequirements": {"accounts": True}}
    return call("POST", "/v1/payments", body, key=key)


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


# What is asked, the status and code of the answer, and what the page of the request has to say: cause, then remedy.
REFUSALS: dict[str, tuple[Callable[[Caller], httpx.Response], int, str, str, str]] = {
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
        lambda call: call("GET", "/v1/customers", key=_poor(call, [], ["customers"])),
        403,
        "insufficient_permissions",
        "read_customers",
        "Make a key with the permission",
    ),
    "no area": (
        lambda call: call("GET", "/v1/customers", key=_poor(call, ["read_customers"], [])),
        403,
        "insufficient_permissions",
        "area",
        "Make a key with the permission or area",
    ),
    "statement without permission": (
        lambda call: call(
            "GET", f"/v1/customers/{_NOBODY}/source-of-wealth", key=_poor(call, [], ["source_of_wealth"])
        ),
        401,
        "invalid_token",
        "read_customer is needed",
        "source of wealth needs the permission",
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
    "amount of nothing": (
        lambda call: call("POST", "/v1/payments", {"amount": 0, "reference": "r"}),
        400,
        "invalid_request",
        "amount: must be greater than 0",
        "Compare the body",
    ),
    "more decimals than the currency": (
        lambda call: call("POST", "/v1/payments", {"amount": "1.005", "reference": "r"}),
        400,
        "invalid_request",
        "amount: more decimals than GBP has",
        "Compare the body",
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
    "AIS without customer": (
        lambda call: call(
            "POST", "/v1/payments", {"amount": 1, "reference": "r", "aisRequirements": {"accounts": True}}
        ),
        400,
        "customer_required_for_ais",
        "needs a customerId",
        "Send customerId",
    ),
    "customer id of a payment": (
        lambda call: call("POST", "/v1/payments", {"amount": 1, "reference": "r", "customerId": "7"}),
        400,
        "invalid_customer_id",
        "Invalid customer id",
        "not a UUID",
    ),
    "unknown customer of a payment": (
        lambda call: call("POST", "/v1/payments", {"amount": 1, "reference": "r", "customerId": _NOBODY}),
        404,
        "customer_not_found",
        "Customer not found",
        "No customer of this key",
    ),
    "unknown customer of a session": (
        lambda call: call("POST", "/v1/onboard/sessions", {"customerId": _NOBODY}),
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
    "no merchant": (
        _without_merchant,
        400,
        "no_merchant",
        "merchant onboarding",
        "merchant_onboarded true",
    ),
    "unknown session": (
        lambda call: call("GET", f"/v1/onboard/sessions/{_NOBODY}"),
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
        lambda call: _media(call, _NOBODY),
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
    "unknown payment": (
        lambda call: call("GET", "/v1/payments/pay_0"),
        404,
        "payment_not_found",
        "Payment not found",
        "No payment of this key",
    ),
    "unknown attempt": (
        lambda call: call("POST", f"/v1/payments/{new_payment(call)}/attempts/att_0/finalize"),
        404,
        "attempt_not_found",
        "Attempt not found",
        "No attempt of this payment",
    ),
    "bank and card": (
        lambda call: _attempt(call, {**_BY_BANK, "card": CARD, "browserData": BROWSER}),
        400,
        "invalid_request",
        "bank or card",
        "Compare the body",
    ),
    "no return URL": (
        lambda call: _attempt(call, _BY_BANK, returnUrl=None),
        400,
        "return_url_required",
        "needs a returnUrl",
        "Create the payment with one",
    ),
    "bank of another currency": (
        lambda call: _attempt(call, {"bank": {"bankId": "nobody"}}),
        400,
        "invalid_bank",
        "not a bank for this payment's currency",
        "Take a bankId of GET /v1/banks",
    ),
    "real card": (
        lambda call: _attempt(call, {"card": {**CARD, "number": "4111111111111111"}, "browserData": BROWSER}),
        400,
        "card_not_accepted",
        "test card numbers",
        "Use 4242424242424242",
    ),
    "finalize by bank": (
        _finalize_by_bank,
        400,
        "finalize_not_applicable",
        "card attempts only",
        "the payer decides on the bank's page",
    ),
    "paid already": (_paid, 409, "payment_closed", "is completed", "takes no more attempts"),
    "no bank access": (
        lambda call: _attempt(
            call, _BY_BANK, customerId=new_customer(call), aisRequirements={"accounts": True}
        ),
        400,
        "ais_required",
        "has to grant bank access",
        "Send the payer to the payLink",
    ),
    "card for a verified bank": (
        lambda call: _attempt(
            call,
            {"card": CARD, "browserData": BROWSER},
            customerId=new_customer(call),
            aisRequirements=_VERIFIED,
        ),
        400,
        "verified_bank_required",
        "verified bank account",
        "use its bankId",
    ),
    "unknown account": (
        lambda call: call("GET", f"/v1/customers/{new_customer(call)}/bank-accounts/x/balance"),
        404,
        "bank_account_not_found",
        "Bank account not found",
        "lists them",
    ),
    "account without balance": (
        lambda call: call(
            "GET",
            f"{_account(call, accounts=[{**BANK_ACCESS['accounts'][0], 'balance': None}])}/balance",
        ),
        404,
        "balance_not_found",
        "Balance not found",
        "its bank gave no balance",
    ),
    "expired access": (
        _expired_balance,
        403,
        "ais_access_expired",
        "has expired",
        "Grant it again",
    ),
    "scope that was not granted": (
        lambda call: call("GET", f"{_account(call, scopes=['accounts'])}/balance"),
        403,
        "ais_scope_missing",
        "does not include balances",
        "Ask for the scope",
    ),
    "statement of nobody": (
        lambda call: call("GET", f"/v1/customers/{_NOBODY}/source-of-wealth"),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "No customer of this key",
    ),
    "statement of no payment": (
        lambda call: call(
            "GET", f"/v1/customers/{new_customer(call)}/payments/{new_payment(call)}/source-of-wealth"
        ),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "No payment of this customer",
    ),
    "statement for another merchant": (
        lambda call: _wealth(call, query=f"?merchantId={_NOBODY}", scopes=["accounts", "balances"]),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "merchantId has to be",
    ),
    "statement without accounts": (
        _wealth,
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "has linked no bank account",
    ),
    "statement after expiry": (
        lambda call: _wealth(call, expire=True, scopes=["accounts", "balances"]),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "has expired",
    ),
    "statement of accounts alone": (
        lambda call: _wealth(call, scopes=["accounts"]),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "the list of accounts alone",
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
        lambda call: call("DELETE", f"/v1/webhooks/{_NOBODY}"),
        404,
        "webhook_not_found",
        "Webhook not found",
        "GET /v1/webhooks lists them",
    ),
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_the_console_names_cause_and_remedy(call: Caller, kind: str) -> None:
    ask, status, code, cause, remedy = REFUSALS[kind]
    answer = ask(call)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    page = html.unescape(call.plain("GET", f"/console/requests/{answer.headers[HEADER]}").text)
    notice = re.sub(r"<[^>]+>", " ", page)
    assert cause in notice
    assert remedy in notice
    row = re.search(
        rf"<tr>(?:(?!</tr>).)*{answer.headers[HEADER]}.*?</tr>",
        call.plain("GET", "/console/requests").text,
        re.DOTALL,
    )
    assert row
    assert cause in html.unescape(row[0])


def test_the_table_has_every_code_of_the_interfaces_refusals() -> None:
    tried = {code for _, _, code, _, _ in REFUSALS.values()}
    problems = ast.parse(inspect.getsource(__import__("kycpack.service.problems", fromlist=["x"])))
    elsewhere = {"database_unavailable"}  # tests/service/test_database.py stops the database
    assert _codes(problems) - elsewhere <= tried
