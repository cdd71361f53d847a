"""A customer as the interface would tell of one, for tests of what is collected."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from typing import Any

import httpx

from kycpack.api import AsyncClient, collect, collect_async
from kycpack.evidence import Evidence

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PDF = b"%PDF-1.7 statement"
CANARY = "CANARY-51d7"

Handler = Callable[[httpx.Request], httpx.Response]


class Service:
    """A customer with sessions, two accounts and a payment, as the interface would tell them.

    Args:
        replaced: Answers of its own for paths that match a pattern.
    """

    def __init__(self, replaced: dict[str, Handler] | None = None) -> None:
        self.routes = [*(replaced or {}).items(), *ROUTES.items()]
        self.asked: list[str] = []
        self.lock = threading.Lock()
        self.at_once = 0
        self.most_at_once = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        with self.lock:
            self.asked.append(f"{request.method} {request.url.raw_path.decode()}")
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return next(answer for route, answer in self.routes if re.search(route, request.url.path))(
                request
            )
        finally:
            with self.lock:
                self.at_once -= 1


def reply(document: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=document)


def statement(request: httpx.Request) -> httpx.Response:
    if request.url.params.get("format") == "pdf":
        return httpx.Response(200, content=PDF, headers={"content-type": "application/pdf"})
    return reply({"customer": {}, "accounts": []})


def page(request: httpx.Request) -> httpx.Response:
    cursor = request.url.params.get("cursor")
    account = request.url.path.split("/")[5]
    following = {None: "two", "two": "three"}.get(cursor) if account == "a-1" else None
    return reply(
        {"items": [{"id": f"{account}-{cursor}"}], **({"nextCursor": following} if following else {})}
    )


def session_of(request: httpx.Request) -> str:
    return request.url.path.split("/")[4 if "/onboard/" in request.url.path else 3]


LINK = f"https://store.example/{CANARY}?sig={CANARY}"
ROUTES: dict[str, Handler] = {
    "/source-of-wealth$": statement,
    "/transactions$": page,
    "/balance$": lambda _: reply({"current": "1.00", "currency": "GBP"}),
    "/bank-accounts$": lambda _: reply({"items": [{"id": "a-1"}, {"id": "a-2"}]}),
    "/media-access$": lambda request: reply(
        {"sessionId": session_of(request), "media": [{"id": "m-1", "downloadUrl": LINK}, {"id": "m-2"}]}
    ),
    "/media/": lambda _: httpx.Response(200, content=PNG, headers={"content-type": "image/png"}),
    "/results$": lambda _: reply({"document": {"outcome": "clear"}}),
    "/onboard/sessions/": lambda request: reply({"id": session_of(request), "status": "complete"}),
    "/v1/payments/": lambda _: reply({"id": "p-1", "payLink": f"https://pay.example/pay/{CANARY}"}),
    "/v1/customers/": lambda _: reply({"id": "c-1", "firstName": "Ann"}),
}


def code(status: int, error: str) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: reply({"error": error, "message": "Ann"}, status)


def gather(service: Service, make: Callable[..., Any], **wanted: Any) -> Evidence:
    given = {"sessions": ["s-1", "s-2"], "payments": ["p-1"], **wanted}
    client = make(service, max_retries=0)
    if isinstance(client, AsyncClient):
        return asyncio.run(collect_async(client, "c-1", **given))
    return collect(client, "c-1", **given)


PLAN = [
    ("E-01", "customers.get"),
    ("R-01", "register.known"),
    ("E-02", "onboarding.get"),
    ("E-03", "onboarding.results"),
    ("E-04", "onboarding.media"),
    ("M-01", "onboarding.download"),
    ("M-02", "onboarding.download"),
    ("E-05", "onboarding.get"),
    ("E-06", "onboarding.results"),
    ("E-07", "onboarding.media"),
    ("M-03", "onboarding.download"),
    ("M-04", "onboarding.download"),
    ("E-08", "bank_accounts.list"),
    ("E-09", "bank_accounts.balance"),
    ("E-10", "bank_accounts.transactions"),
    ("E-11", "bank_accounts.transactions"),
    ("E-12", "bank_accounts.transactions"),
    ("E-13", "bank_accounts.balance"),
    ("E-14", "bank_accounts.transactions"),
    ("E-15", "payments.get"),
    ("E-16", "source_of_wealth.get"),
    ("E-17", "source_of_wealth.get"),
    ("E-18", "source_of_wealth.get"),
    ("E-19", "source_of_wealth.get"),
]
