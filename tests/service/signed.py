"""A signed client as small as can be, so that tests of the service do not lean on the toolkit's own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from kycpack.models import signing
from kycpack.models.json import dump_json, parse_json
from kycpack.service.clock import http_date
from kycpack.service.embedded import EmbeddedService


@dataclass(frozen=True)
class Credentials:
    key_id: str
    secret: str


class Caller:
    """Calls one service, as any key."""

    def __init__(self, base_url: str, key: Credentials, now: Callable[[], datetime]) -> None:
        self.tenant_id = ""
        self.base_url = base_url
        self.key = key
        self._now = now
        self._http = httpx.Client(base_url=base_url, timeout=30)

    def close(self) -> None:
        self._http.close()

    def headers(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        key: Credentials | None = None,
        date: str = "",
        nonce: str = "",
    ) -> dict[str, str]:
        used = key or self.key
        request = signing.CanonicalRequest(
            method=method,
            target=path,
            host=self.base_url.partition("://")[2],
            date=date or http_date(self._now()),
            content_sha256=signing.content_sha256(body),
            nonce=nonce or secrets.token_hex(16),
        )
        signature = signing.sign(signing.decode_secret(used.secret), signing.string_to_sign(request))
        return {
            "x-date": request.date,
            "x-nonce": request.nonce,
            "x-content-sha256": request.content_sha256,
            "authorization": signing.authorization(used.key_id, signature),
        }

    def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        raw: bytes | None = None,
        key: Credentials | None = None,
        headers: Mapping[str, str] | None = None,
        without: tuple[str, ...] = (),
    ) -> httpx.Response:
        content = raw if raw is not None else dump_json(body) if body is not None else b""
        signed = self.headers(method, path, content, key=key)
        if content:
            signed["content-type"] = "application/json"
        signed.update(headers or {})
        sent = {name: value for name, value in signed.items() if name not in without}
        return self._http.request(method, path, content=content, headers=sent)

    def plain(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._http.request(method, path, **more)

    def control(self, path: str, body: Any = None, method: str = "POST") -> Any:
        content = dump_json(body) if body is not None else b""
        answer = self._http.request(method, f"/_control{path}", content=content)
        assert answer.status_code == 200, answer.text
        return parse_json(answer.content)

    def new_key(
        self, tenant_id: str | None, permissions: list[str] | str = "all", areas: list[str] | str = "all"
    ) -> Credentials:
        made = self.control("/keys", {"tenant_id": tenant_id, "permissions": permissions, "areas": areas})
        return Credentials(made["key_id"], made["secret"])

    def new_tenant(self, **body: Any) -> Credentials:
        tenant = self.control("/tenants", {"name": "Another organisation", **body})
        return self.new_key(tenant["tenant_id"])

    def advance(self, **delta: float) -> None:
        seconds = delta.get("seconds", 0) + delta.get("hours", 0) * 3600 + delta.get("days", 0) * 86400
        self.control("/clock", {"advance_seconds": int(seconds)})


def body_of(answer: httpx.Response) -> Any:
    """Return an answer's JSON, numbers exact."""
    return parse_json(answer.content)


def ok(answer: httpx.Response) -> Any:
    """Return the JSON of an answer that has to be 200."""
    assert answer.status_code == 200, (answer.status_code, answer.text)
    return body_of(answer)


def refused(answer: httpx.Response, status: int, code: str) -> Any:
    """Return the body of an answer that has to be this refusal."""
    body = body_of(answer)
    assert (answer.status_code, body["error"]) == (status, code), (answer.status_code, body)
    assert isinstance(body["message"], str)
    assert body["message"]
    return body


def caller_of(service: EmbeddedService) -> Caller:
    """Return a caller with the first key."""
    key = Credentials(service.key_id, service.secret)
    return Caller(service.base_url, key, service.service.clock.now)


PERSON = {
    "firstName": "Ada",
    "lastName": "Byron",
    "emailAddress": "ada@example.com",
    "dateOfBirth": "1990-02-28",
    "address": {
        "addressLine1": "1 Example Street",
        "addressLine2": "Flat 2",
        "city": "Exampleton",
        "postalCode": "EX1 2MP",
        "country": "GB",
    },
    "orgId": "branch-7",
}

BANK_ACCESS: dict[str, Any] = {
    "scopes": ["accounts", "balances", "transactions"],
    "accounts": [
        {
            "bankName": "Test Bank",
            "accountHolderName": "Ada Byron",
            "accountNumber": "12345678",
            "sortCode": "112233",
            "currency": "GBP",
            "type": "current",
            "balance": {"current": "1650.00", "currency": "GBP"},
            "transactions": [
                {
                    "id": f"t{month}",
                    "bookingDate": f"2026-{month:02}-25",
                    "valueDate": f"2026-{month:02}-25",
                    "status": "booked",
                    "amount": "2450.00",
                    "creditDebitIndicator": "Credit",
                    "currency": "GBP",
                    "description": "ACME LTD SALARY",
                    "counterpartyName": "ACME LTD",
                    "purposeCode": "SALA",
                    "bankTransactionCode": "PMNT-RCDT-SALA",
                }
                for month in range(1, 7)
            ],
        }
    ],
}

BROWSER = {
    "browserJavaEnabled": False,
    "browserJavascriptEnabled": True,
    "browserLanguage": "en-GB",
    "browserColorDepth": 24,
    "browserScreenHeight": 1080,
    "browserScreenWidth": 1920,
    "browserTZ": "0",
    "browserUserAgent": "Example/1.0",
    "browserAcceptHeader": "*/*",
}
CARD = {"number": "4242424242424242", "expiryMonth": "12", "expiryYear": "2030", "cvc": "123"}


def new_customer(call: Caller, **changes: Any) -> str:
    body = {name: value for name, value in {**PERSON, **changes}.items() if value is not None}
    return str(ok(call("POST", "/v1/customers", body))["id"])


def new_session(call: Caller, customer_id: str, **more: Any) -> str:
    return str(ok(call("POST", "/v1/onboard/sessions", {"customerId": customer_id, **more}))["sessionId"])


def new_payment(call: Caller, **changes: Any) -> str:
    body = {"amount": "12.50", "reference": "order-1", "returnUrl": "https://shop.example/back", **changes}
    return str(
        ok(call("POST", "/v1/payments", {name: value for name, value in body.items() if value is not None}))[
            "id"
        ]
    )


def grant(call: Caller, customer_id: str, **changes: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = call.control(
        f"/customers/{customer_id}/bank-access", {**BANK_ACCESS, **changes}
    )["items"]
    return items


def finish(call: Caller, session_id: str, **results: Any) -> Any:
    return call.control(f"/sessions/{session_id}/finish", {"results": results})
