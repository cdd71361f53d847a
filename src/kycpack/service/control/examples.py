"""Examples for the OpenAPI document of the control API, by method and path. A test sends every body and reads every answer."""

from __future__ import annotations

from typing import Any

_CUSTOMER = "5f3c2f0e-8c1d-4d55-9a35-0d2f4c7f1a10"
_TENANT = "1f0e9d8c-7b6a-4595-8473-625140312f1e"
_SESSION = "0c9d1f8e-52a4-4a55-9f0e-6a2b7d1c3e40"
_WEBHOOK = "b7c1d2e3-4f50-4a61-8b72-9c83ad94be05"
_REQUEST = "9a7b6c5d-4e3f-4a1b-8c2d-0e1f2a3b4c5d"
_NOW = "2026-05-25T09:30:00.000Z"
_LATER = "2026-05-27T09:30:00.000Z"

_TRANSACTION = {
    "id": "t1",
    "bookingDate": "2026-05-25",
    "status": "booked",
    "amount": "2450.00",
    "creditDebitIndicator": "Credit",
    "currency": "GBP",
    "description": "EXAMPLE WORKS SALARY",
    "counterpartyName": "Example Works Ltd",
    "purposeCode": "SALA",
}
_FAULT = {
    "route": "GET /v1/banks",
    "kind": "status",
    "status": 503,
    "times": 100,
    "retry_after": 2,
    "probability": 0.2,
    "seed": 7,
    "headers": {"User-Agent": "nightly*"},
}
_SCENARIO = {
    "clock": "2026-05-25T09:00:00Z",
    "organisations": [{"name": "Harbour Payments", "currency": "EUR", "key": True}],
    "customers": [
        {
            "name": "in review",
            "organisation": "Harbour Payments",
            "record": {"firstName": "Ines", "lastName": "Specimen", "emailAddress": "ines@example.com"},
            "bank_access": "invented",
            "sessions": [
                {
                    "order": {"options": {"ais": {"transactions": True}}},
                    "finish": {"after_seconds": 172800},
                }
            ],
            "payments": [{"amount": "250.00", "reference": "ORDER-1"}],
        }
    ],
    "banks": {"test-bank": {"state": "slow", "seconds": 5}},
    "faults": [{"route": "* *", "kind": "latency", "seconds": 2}],
}

BODIES: dict[str, Any] = {
    "POST /clock": {"advance_seconds": 604800},
    "POST /tenants/{id}/clock": {"now": "2030-01-01T00:00:00Z"},
    "POST /tenants": {"name": "Harbour Payments", "currency": "EUR", "merchant_onboarded": True},
    "POST /keys": {
        "tenant_id": _TENANT,
        "permissions": ["create_customer", "read_customers"],
        "areas": "all",
    },
    "POST /customers/{id}/bank-access": {
        "scopes": ["accounts", "balances", "transactions"],
        "accounts": [
            {
                "bankId": "test-bank",
                "bankName": "Test Bank",
                "accountHolderName": "Ada Example",
                "accountNumber": "12345678",
                "sortCode": "112233",
                "currency": "GBP",
                "type": "current",
                "balance": {"current": "1650.00"},
                "transactions": [_TRANSACTION],
            }
        ],
    },
    "POST /customers/{id}/transactions": {
        "transactions": [{**_TRANSACTION, "id": "t2", "bookingDate": "2026-06-25"}],
        "after_seconds": 86400,
    },
    "POST /customers/{id}/next-results": {
        "results": {"screening": {"outcome": "consider", "summary": {"pep": {"level1": "attention"}}}},
        "after_seconds": 600,
    },
    "POST /sessions/{id}/finish": {
        "results": {"document": {"outcome": "rejected"}, "address": None},
        "hold": True,
    },
    "POST /faults": _FAULT,
    "POST /banks/{bank_id}": {"state": "slow", "seconds": 8},
    "POST /scenario": _SCENARIO,
    "POST /snapshots": {"name": "before"},
}
"""Bodies."""

_CLOCKS = {"now": _NOW, "tenants": {_TENANT: "2030-01-01T00:00:00.000Z"}}
_OWN_TIME = {"now": "2030-01-01T00:00:00.000Z", "own": True}
_ACCOUNTS = {
    "items": [
        {
            "id": "7d1c3e40-0c9d-4f8e-92a4-5a559f0e6a2b",
            "bankId": "test-bank",
            "bankName": "Test Bank",
            "accountHolderName": "Ada Example",
            "accountNumber": "****5678",
            "sortCode": "**-**-33",
            "currency": "GBP",
            "type": "current",
            "scopes": ["accounts", "balances", "transactions"],
            "tokenExpiry": "2026-08-23T09:30:00.000Z",
        }
    ]
}
_STATUS = {
    "id": _SESSION,
    "status": "inprogress",
    "progress": {
        "identity": {"completed": True, "confirmed": False, "completedAt": _NOW},
        "ais": {"completed": False},
    },
    "created": _NOW,
    "updated": _NOW,
    "attemptCount": 1,
}
_FAULTS = {"items": [_FAULT]}
_BANKS = {"items": [{"bank_id": "test-bank", "state": "slow", "seconds": 8}]}
_SNAPSHOT = {"name": "before", "created": _NOW, "rows": 42}
_NONE: dict[str, Any] = {"items": []}

ANSWERS: dict[str, Any] = {
    "GET /clock": _CLOCKS,
    "POST /clock": _CLOCKS,
    "GET /tenants/{id}/clock": _OWN_TIME,
    "POST /tenants/{id}/clock": _OWN_TIME,
    "DELETE /tenants/{id}/clock": {"now": _NOW, "own": False},
    "GET /tenants": {
        "items": [
            {
                "id": _TENANT,
                "name": "Harbour Payments",
                "currency": "EUR",
                "merchant_onboarded": True,
                "created_at": _NOW,
            }
        ]
    },
    "POST /tenants": {"tenant_id": _TENANT},
    "GET /keys": {
        "items": [
            {
                "key_id": "key_0f2b6d7c9a1e4c53b8d2f6a7",
                "tenant_id": _TENANT,
                "permissions": ["create_customer", "read_customers"],
                "areas": ["customers", "onboard", "source_of_wealth"],
                "created": _NOW,
                "live_secrets": 1,
            }
        ]
    },
    "POST /keys": {
        "key_id": "key_0f2b6d7c9a1e4c53b8d2f6a7",
        "secret": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    },
    "GET /customers/{id}/bank-access": _ACCOUNTS,
    "POST /customers/{id}/bank-access": _ACCOUNTS,
    "POST /customers/{id}/expire-access": {"customer_id": _CUSTOMER, "accounts": 1},
    "POST /customers/{id}/transactions": {"added": 0, "scheduled": 3},
    "POST /customers/{id}/next-results": {"customer_id": _CUSTOMER},
    "POST /sessions/{id}/finish": _STATUS,
    "POST /sessions/{id}/expire": {**_STATUS, "status": "expired"},
    "GET /deliveries": {
        "items": [
            {
                "id": 12,
                "tenantId": _TENANT,
                "webhookId": _WEBHOOK,
                "sessionId": _SESSION,
                "event": "onboard.session.completed",
                "url": "https://hooks.example/kyc",
                "state": "failed",
                "status": 500,
                "reason": "answered 500",
                "payload": {"Event": "onboard.session.completed", "Timestamp": _NOW},
                "created": _NOW,
                "sent": _NOW,
                "finished": _NOW,
            }
        ]
    },
    "POST /deliveries/{number}/redeliver": {"id": 13},
    "POST /webhooks/{id}/test": {"status": 204, "reason": None},
    "GET /mail": {
        "items": [
            {
                "id": "3e400c9d-1f8e-42a4-8a55-9f0e6a2b7d1c",
                "tenantId": _TENANT,
                "sessionId": _SESSION,
                "kind": "completed",
                "to": "ada@example.com",
                "subject": "Thank you from Harbour Payments",
                "text": "Hello Ada,\n\nHarbour Payments has received everything it needs.",
                "state": "queued",
                "reason": None,
                "created": _NOW,
                "sent": None,
            }
        ]
    },
    "GET /faults": _FAULTS,
    "POST /faults": _FAULTS,
    "DELETE /faults": _NONE,
    "GET /banks": _BANKS,
    "POST /banks/{bank_id}": _BANKS,
    "GET /requests": {
        "items": [
            {
                "request_id": _REQUEST,
                "at": _NOW,
                "method": "GET",
                "route": "/v1/customers/{id}",
                "ids": {"id": _CUSTOMER},
                "status": 404,
                "error": "customer_not_found",
                "message": "Customer not found",
                "hint": "",
                "detail": "",
                "failure": "",
                "key_id": "key_0f2b6d7c9a1e4c53b8d2f6a7",
                "milliseconds": 3,
                "answer": '{"error":"customer_not_found","message":"Customer not found"}',
            }
        ]
    },
    "GET /scheduled": {
        "items": [
            {
                "number": 3,
                "tenant_id": _TENANT,
                "kind": "session",
                "subject_id": _SESSION,
                "due": _LATER,
                "state": "waiting",
                "reason": None,
                "created": _NOW,
                "finished": None,
            }
        ]
    },
    "POST /scenario": {
        "organisations": {
            "Harbour Payments": {
                "tenant_id": _TENANT,
                "key_id": "key_0f2b6d7c9a1e4c53b8d2f6a7",
                "secret": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
            }
        },
        "customers": {
            "in review": {
                "id": _CUSTOMER,
                "sessions": [_SESSION],
                "payments": ["pay_6b1f0d2e4c7a49d8a3b5c6e7f8091a2b"],
            }
        },
    },
    "GET /snapshots": {"items": [_SNAPSHOT]},
    "POST /snapshots": _SNAPSHOT,
    "POST /snapshots/{name}/restore": _SNAPSHOT,
    "DELETE /snapshots/{name}": _NONE,
    "POST /reset": {"now": _NOW},
}
"""Answers."""
