"""Customers of the embedded service in whose evidence something is missing: each gives the evidence, and the instant to review it at."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from kycpack.api import Client, collect
from kycpack.evidence import Evidence, sha256_hex
from kycpack.service.embedded import EmbeddedService
from kycpack.workspace import Register, Workspace

NOW = datetime(2026, 6, 30, 9, tzinfo=UTC)
AT_ONCE = NOW + timedelta(hours=3)
MONTHS_LATER = NOW + timedelta(days=100)
PERSON = {"first_name": "Ada", "last_name": "Byron", "email_address": "ada@mail.example"}

Scene = tuple[Evidence, datetime]


class Provider:
    """A service whose clock stands still, and a client of it.

    Args:
        service: The running service.
    """

    def __init__(self, service: EmbeddedService) -> None:
        self.service = service

    def client(self, **terms: Any) -> Client:
        """Return a client."""
        own = {"key_id": self.service.key_id, "secret": self.service.secret, "now": lambda: NOW}
        return Client(self.service.base_url, max_retries=0, **own, **terms)

    def control(self, path: str, body: Any) -> None:
        """Use the control API."""
        answer = httpx.post(f"{self.service.control_url}{path}", json=body, trust_env=False, timeout=60)
        assert answer.status_code == 200, answer.text

    @contextmanager
    def faults(self, *rules: Mapping[str, Any]) -> Iterator[None]:
        """Let rules be in force."""
        for rule in rules:
            self.control("/faults", rule)
        try:
            yield
        finally:
            httpx.delete(f"{self.service.control_url}/faults", trust_env=False, timeout=60)


def answered(route: str, body: Any) -> dict[str, Any]:
    """Return a rule by which a route answers a body that no service should send."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return {"route": f"GET /v1/{route}", "kind": "raw_body", "body": base64.b64encode(raw).decode()}


def credit(booked_on: date, number: int = 1) -> dict[str, Any]:
    """Return a transaction as it is loaded."""
    return {
        "id": f"t{number}",
        "bookingDate": booked_on.isoformat(),
        "amount": "2451.00",
        "creditDebitIndicator": "Credit",
        "currency": "GBP",
        "description": "EXAMPLE WORKS LTD SALARY",
    }


def account(number: str, *days: date, **more: Any) -> dict[str, Any]:
    """Return an account with a credit on each of some days."""
    return {
        "bankName": "Test Bank",
        "accountHolderName": "Ada Byron",
        "accountNumber": number,
        "sortCode": "112233",
        "currency": "GBP",
        "type": "current",
        "balance": {"current": "10.00", "currency": "GBP"},
        "transactions": [credit(day, place) for place, day in enumerate(days)],
        **more,
    }


def ordered_little(provider: Provider, folder: Path) -> Scene:
    """Few checks were ordered; one account is paid into each quarter, one is new, one empty; looked at 100 days later."""
    quarters = [date(year, month, 15) for year in (2024, 2025) for month in (1, 4, 7, 10)]
    late = [date(2026, 5, 4), date(2026, 6, 4)]
    with Workspace.open(str(folder / "register.db")) as workspace:
        register = Register(workspace)
        with provider.client(recorder=register) as client:
            person = client.customers.create(**PERSON)
            identity = {
                "document_check": False,
                "aml_standard_screening": True,
                "aml_extensive_screening": False,
            }
            options = {"identity": identity, "ais": {"accounts": True, "account_limit": 3}}
            session = client.onboarding.create(person.id, options=options)
            client.onboarding.create(person.id)
            provider.control(f"/sessions/{session.session_id}/finish", {"results": {"address": None}})
            accounts = [account("11115678", *quarters), account("22229012", *late), account("33333456")]
            provider.control(f"/customers/{person.id}/bank-access", {"accounts": accounts})
            return collect(client, person.id, known=register.known(person.id)), MONTHS_LATER


def linked_twice(provider: Provider, folder: Path) -> Scene:
    """Two links show the same payments, and only the last digits of a number; a payment is larger than all that came; one of three matches is listed, the document names somebody else; the age of the proof of address was not checked."""
    del folder
    with provider.client() as client:
        person = client.customers.create(**PERSON)
        session = client.onboarding.create(person.id)
        listed = {"matchCount": 3, "matches": [{"name": "A. Byron", "list": "OFAC SDN"}]}
        other = {"holder": {"firstName": "Bea", "lastName": "Stone"}}
        results = {
            "screening": listed,
            "document": other,
            "address": {"contentAnalysis": {"documentAgeOutcome": None}},
        }
        provider.control(f"/sessions/{session.session_id}/finish", {"results": results})
        months = [date(2026, month, 15) for month in range(1, 7)]
        accounts = [account("44441234", *months), account("44441234", *months)]
        provider.control(f"/customers/{person.id}/bank-access", {"accounts": accounts})
        payment = client.payments.create(amount="90000.00", reference="deposit", customer_id=person.id)
        known = {"sessions": [session.session_id], "payments": [payment.id]}
        return collect(client, person.id, **known), AT_ONCE


def leaves_questions(provider: Provider, folder: Path) -> Scene:
    """Money was there before, in euros only a little, most credits are of no known nature, wages come in beside an out-of-work benefit, and interest is more than the balance can bear."""
    del folder
    days = [date(2026, month, day) for month in range(1, 5) for day in (8, 22)]
    others = [
        {**credit(day, 10 + place), "amount": "180.60", "description": "DWP ESA"}
        for place, day in enumerate(days)
    ]
    interest = {
        **credit(date(2026, 4, 1), 30),
        "amount": "2000.00",
        "description": "GROSS INTEREST",
        "bankTransactionCode": "INTE",
    }
    wages = [credit(date(2026, month, 15), month) for month in range(1, 5)]
    unclear = {**credit(date(2026, 4, 2), 31), "amount": "20000.00", "description": "QUORNDON 77/2"}
    with provider.client() as client:
        person = client.customers.create(**PERSON)
        session = client.onboarding.create(person.id)
        provider.control(f"/sessions/{session.session_id}/finish", {})
        balance = {"current": "50000.00", "currency": "GBP"}
        booked = [*wages, *others, interest, unclear]
        euros = {**credit(date(2026, 3, 3), 40), "amount": "20.00", "currency": "EUR"}
        little = {"current": "520.00", "currency": "EUR"}
        accounts = [
            account("44441234", balance=balance, transactions=booked),
            account("55554321", balance=little, currency="EUR", transactions=[euros]),
        ]
        provider.control(f"/customers/{person.id}/bank-access", {"accounts": accounts})
        return collect(client, person.id, sessions=[session.session_id]), AT_ONCE


def never_answered(provider: Provider, folder: Path) -> Scene:
    """Nothing came as it was asked for: refusals, failures and timeouts, and a name that no font can print."""
    del folder
    with provider.client() as client:
        person = client.customers.create(**{**PERSON, "first_name": "Sari \ua9b2"})
        session = client.onboarding.create(person.id)
        payment = client.payments.create(amount="250.00", reference="deposit", customer_id=person.id)
        provider.control(
            f"/sessions/{session.session_id}/finish", {"results": {"screening": {"matchCount": None}}}
        )
        with provider.faults(
            {"route": "GET /v1/onboard/sessions/{id}", "kind": "status", "status": 403},
            {"route": "POST /v1/onboard-sessions/{id}/media-access", "kind": "status", "status": 500},
            {"route": "GET /v1/payments/{id}", "kind": "latency", "seconds": 4},
        ):
            return collect(
                client.with_options(timeout=1.5),
                person.id,
                sessions=[session.session_id],
                payments=[payment.id],
            ), AT_ONCE


def balance_only(provider: Provider, folder: Path) -> Scene:
    """The customer granted accounts and balances; and two of the register's other customers seem to be the same person."""
    del folder
    other, third = "3f2b8a54-6d0e-4c19-9b7f-0a1c2d3e4f50", "9d8c7b6a-5f4e-4d3c-8b2a-1f0e9d8c7b6a"
    with provider.client() as client:
        person = client.customers.create(**PERSON)
        session = client.onboarding.create(person.id)
        provider.control(f"/sessions/{session.session_id}/finish", {})
        access = {"scopes": ["accounts", "balances"], "accounts": [account("44441234")]}
        provider.control(f"/customers/{person.id}/bank-access", access)
        same = {"customerId": other, "grounds": ["the same name and date of birth"]}
        known = {
            "customerId": person.id,
            "sessions": [{"sessionId": session.session_id, "learnedFrom": "imported", "ordered": None}],
            "payments": [],
            "sharedDocuments": {
                "customerId": person.id,
                "sharedDocuments": [{"sessionId": session.session_id, "customerIds": [other]}],
            },
            "samePerson": {
                "customerId": person.id,
                "samePerson": [
                    {**same, "otherDecided": "reject", "otherDecidedAt": "2026-01-15T10:00:00Z"},
                    {**same, "customerId": third, "checks": "not rejected", "otherChecks": "rejected"},
                ],
            },
        }
        return collect(client, person.id, known=known), AT_ONCE


def answered_oddly(provider: Provider, folder: Path) -> Scene:
    """The service answers what no service should: repeats, other accounts, values that cannot be read."""
    del folder
    with provider.client() as client:
        person = client.customers.create(**PERSON)
        session = client.onboarding.create(person.id)
        payment = client.payments.create(amount="250.00", reference="deposit", customer_id=person.id)
        provider.control(f"/sessions/{session.session_id}/finish", {})
        access = [account("11114321", date(2026, 5, 4), id="acc-1"), account("22228765", id="acc-2")]
        provider.control(f"/customers/{person.id}/bank-access", {"accounts": access})
        named = {"bankName": "Test Bank", "accountHolderName": "Ada Byron"}
        first = {**named, "id": "acc-1", "accountNumber": "****4321"}
        second = {**named, "id": "acc-2", "accountNumber": "****8765", "currency": "GBP"}
        salary = {**credit(date(2026, 5, 4)), "id": "t1"}
        page = [
            salary,
            salary,
            {**salary, "amount": "2.00"},
            {**salary, "id": "t2", "amount": "-1.00"},
            {**salary, "id": "t3", "accountId": "acc-9"},
        ]
        euro = {**salary, "currency": "EUR"}
        pages = "customers/{id}/bank-accounts/acc-1/transactions"
        balance = {"accountId": "acc-9", "current": 1, "currency": "GBP"}
        with provider.faults(
            answered("customers/{id}", {"id": person.id, "firstName": "Ada", "dateOfBirth": 5}),
            answered(
                "customers/{id}/bank-accounts", {"items": [first, second, first], "total": 7, "hasMore": True}
            ),
            answered(pages, {"items": page, "next": "?from=2026-01-01"}),
            answered(pages, {"items": page}),
            answered("customers/{id}/bank-accounts/acc-2/balance", balance),
            answered("customers/{id}/bank-accounts/acc-2/transactions", {"items": [euro]}),
            answered("payments/{id}", {"id": payment.id, "currency": "GBP"}),
            answered(
                "onboard/sessions/{id}/results", b'{"document": {"outcome": "clear", "outcome": "rejected"}}'
            ),
        ):
            return collect(client, person.id, sessions=[session.session_id], payments=[payment.id]), AT_ONCE


def stored_oddly(provider: Provider, folder: Path) -> Scene:
    """Evidence of a provider whose answers are in a shape that was not expected, and in which an account is not on the list."""
    evidence, instant = balance_only(provider, folder)
    (listing,) = evidence.select("bank_accounts.list")
    (media,) = evidence.select("onboarding.media")
    (statement, _) = evidence.select("source_of_wealth.get")
    bodies = {**evidence.bodies, statement.id: b"[1, 2"}
    listed = evidence.json(listing.id)
    listed["items"][0]["id"] = "another-account"
    bodies[listing.id] = json.dumps({**listed, "hasMore": True}).encode()
    documents = evidence.json(media.id)
    documents["media"].append({"id": "not fetched", "fileName": "passport.png"})
    bodies[media.id] = json.dumps(documents).encode()
    entries = tuple(
        replace(entry, bytes=len(bodies[entry.id]), sha256=sha256_hex(bodies[entry.id]))
        if entry.id in bodies
        else entry
        for entry in evidence.entries
    )
    return Evidence(evidence.customer_id, entries, bodies), instant


SCENARIOS: dict[str, Callable[[Provider, Path], Scene]] = {
    make.__name__: make
    for make in (
        ordered_little,
        linked_twice,
        leaves_questions,
        never_answered,
        balance_only,
        answered_oddly,
        stored_oddly,
    )
}
