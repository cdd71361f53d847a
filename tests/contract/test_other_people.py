"""Another person's data: the client, the evidence and the frames each stop it, with the other two switched off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

import kycpack.api.evidence_entries
import kycpack.api.exchange
import kycpack.evidence.record
import kycpack.frames.bank_data
import kycpack.frames.reading
from kycpack.api import AsyncClient, Client, collect, collect_async
from kycpack.evidence import Evidence
from kycpack.frames import Frames, flatten

ANN, BOB = "c-ann", "c-bob"
NAMES = {ANN: "Ann", BOB: "Bob"}
DOCUMENTS: dict[str, Callable[[str], Any]] = {
    "/v1/customers/{}": lambda who: {"id": who, "firstName": NAMES[who]},
    "/v1/onboard/sessions/s-{}": lambda who: {"id": f"s-{who}", "status": "complete", "attemptCount": len(NAMES[who]) + (who == BOB)},
    "/v1/onboard-sessions/s-{}/media-access": lambda who: {"sessionId": f"s-{who}", "media": [{"id": f"m-{who}", "fileName": NAMES[who]}]},
    "/v1/payments/p-{}": lambda who: {"id": f"p-{who}", "reference": NAMES[who]},
    "/v1/customers/{}/bank-accounts/a-1/balance": lambda who: {"accountId": "a-1", "customerId": who, "current": "1.00" if who == ANN else "2.00", "currency": "GBP"},
    "/v1/customers/{}/bank-accounts/a-1/transactions": lambda who: {"customerId": who, "items": [
        {"amount": "1.00", "creditDebitIndicator": "Credit", "currency": "GBP", "bookingDate": "2026-05-01", "description": NAMES[who]}]},
}  # fmt: skip
"""Answers with an id, by path; `{}` is the customer."""
SEEN: dict[str, Callable[[Frames], list[Any]]] = {
    "/v1/customers/{}": lambda f: f.customers["first_name"].dropna().tolist(),
    "/v1/onboard/sessions/s-{}": lambda f: f.sessions["attempt_count"].dropna().tolist(),
    "/v1/onboard-sessions/s-{}/media-access": lambda f: f.media["file_name"].dropna().tolist(),
    "/v1/payments/p-{}": lambda f: f.payments["reference"].dropna().tolist(),
    "/v1/customers/{}/bank-accounts/a-1/balance": lambda f: f.balances["current_minor"].dropna().tolist(),
    "/v1/customers/{}/bank-accounts/a-1/transactions": lambda f: f.transactions["description_raw"].tolist(),
}
"""What frames show of each."""
CHECKS = ("client", "evidence", "frames")


def switch_off(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name in {
        "client": ((kycpack.api.exchange, "_other_subject"),),
        "evidence": (
            (kycpack.api.evidence_entries, "other_subject"),
            (kycpack.evidence.record, "other_subject"),
        ),
        "frames": ((kycpack.frames.reading, "foreign_id"), (kycpack.frames.bank_data, "foreign_id")),
    }[check]:
        monkeypatch.setattr(place, name, lambda *_: "")


def gather(kind: str, swapped: str) -> Evidence:
    """Collect Ann, while one path answers with what is Bob's."""

    def answer(request: httpx.Request) -> httpx.Response:
        for path, document in DOCUMENTS.items():
            if request.url.path == path.format(ANN):
                return httpx.Response(200, json=document(BOB if path == swapped else ANN))
        if request.url.path.endswith("/bank-accounts"):
            return httpx.Response(200, json={"items": [{"id": "a-1", "currency": "GBP"}]})
        return httpx.Response(404, json={"error": "not_found"})

    wanted = {"sessions": [f"s-{ANN}"], "payments": [f"p-{ANN}"]}
    terms: dict[str, Any] = {"signer": lambda _: {}, "max_retries": 0}
    transport = httpx.MockTransport(answer)
    if kind == "sync":
        with httpx.Client(transport=transport) as http:
            return collect(Client("http://127.0.0.1:1", http_client=http, **terms), ANN, **wanted)

    async def run() -> Evidence:
        async with httpx.AsyncClient(transport=transport) as http:
            return await collect_async(
                AsyncClient("http://127.0.0.1:1", http_client=http, **terms), ANN, **wanted
            )

    return asyncio.run(run())


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("path", DOCUMENTS)
@pytest.mark.parametrize("alone", CHECKS)
def test_each_check_alone_stops_what_is_another_persons(
    alone: str, path: str, kind: str, monkeypatch: pytest.MonkeyPatch, tally: Callable[..., None]
) -> None:
    right = SEEN[path](flatten(gather(kind, "")))
    assert len(right) == 1
    for check in CHECKS:
        if check != alone:
            switch_off(check, monkeypatch)
    frames = flatten(gather(kind, path))
    assert SEEN[path](frames) == []
    codes = frames.gaps["code"].tolist()
    assert ("wrong_subject" if alone == "frames" else "failed") in codes
    tally("another person's data", "answers with an id, stopped by one check alone")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_without_any_check_it_would_get_through(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = SEEN[path](flatten(gather("sync", "")))
    for check in CHECKS:
        switch_off(check, monkeypatch)
    assert SEEN[path](flatten(gather("sync", path))) not in ([], right)
