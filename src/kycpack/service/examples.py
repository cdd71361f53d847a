"""Examples for the OpenAPI document. A test sends every body, and reads every answer with its model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CUSTOMER = "5f3c2f0e-8c1d-4d55-9a35-0d2f4c7f1a10"

EXAMPLES: Mapping[str, Any] = {
    "customers.create": {
        "firstName": "Ada",
        "lastName": "Example",
        "emailAddress": "ada@example.com",
        "dateOfBirth": "1990-02-28",
        "address": {
            "addressLine1": "1 Example Street",
            "city": "Exampleton",
            "postalCode": "EX1 2MP",
            "country": "GB",
        },
        "orgId": "branch-7",
    },
    "customers.update": {"lastName": "Sample", "dateOfBirth": None},
    "payments.create": {
        "amount": "250.00",
        "reference": "invoice-1042",
        "customerId": _CUSTOMER,
        "aisRequirements": {"accounts": True, "useVerifiedBankAccount": True},
        "returnUrl": "https://shop.example/paid",
        "cancelUrl": "https://shop.example/cancelled",
    },
    "payments.attempts.create": {"idempotencyKey": "invoice-1042-1", "bank": {"bankId": "test-bank"}},
    "payments.attempts.finalize": {},
    "onboarding.create": {
        "customerId": _CUSTOMER,
        "options": {
            "identity": {"enhancedIdentityCheck": True},
            "ais": {"balances": True, "transactions": True, "accountLimit": 2},
        },
        "returnUrl": "https://shop.example/verified",
    },
    "onboarding.media": {},
    "webhooks.create": {"url": "https://hooks.example/kyc", "name": "Case system"},
}
"""Bodies by the operation's name."""

_INSTANT = "2026-05-25T09:30:00.000Z"
_SESSION = "0c9d1f8e-52a4-4a55-9f0e-6a2b7d1c3e40"
_ATTEMPT = "att_0f2b6d7c9a1e4c53b8d2f6a7e1c40b95"
_PAYMENT = "pay_6b1f0d2e4c7a49d8a3b5c6e7f8091a2b"
_WEBHOOK = "b7c1d2e3-4f50-4a61-8b72-9c83ad94be05"
_CUSTOMER_RECORD = {
    "id": _CUSTOMER,
    "tenantId": "1f0e9d8c-7b6a-4595-8473-625140312f1e",
    **EXAMPLES["customers.create"],
    "created": _INSTANT,
    "lastUpdated": _INSTANT,
}

ANSWERS: Mapping[str, Any] = {
    "customers.create": _CUSTOMER_RECORD,
    "customers.get": _CUSTOMER_RECORD,
    "customers.update": {**_CUSTOMER_RECORD, "lastName": "Sample"},
    "payments.create": {"id": _PAYMENT, "payLink": f"https://service.example/pay/{_PAYMENT}"},
    "payments.attempts.create": {
        "id": _ATTEMPT,
        "status": "STARTED",
        "requiredAction": {"type": "bank_redirect", "url": "https://service.example/bank/authorise/example"},
    },
    "onboarding.create": {
        "sessionId": _SESSION,
        "onboardUrl": f"https://service.example/onboard/{_SESSION}",
    },
    "onboarding.get": {
        "id": _SESSION,
        "status": "complete",
        "progress": {
            "identity": {"completed": True, "confirmed": True, "completedAt": _INSTANT},
            "ais": {"completed": False},
        },
        "created": _INSTANT,
        "updated": _INSTANT,
        "attemptCount": 1,
    },
    "webhooks.create": {
        "id": _WEBHOOK,
        "url": "https://hooks.example/kyc",
        "name": "Case system",
        "events": ["onboard.session.completed"],
        "active": True,
        "created": _INSTANT,
        "updated": _INSTANT,
        "lastDelivered": None,
        "deliveryAttempts": 0,
    },
}
"""Answers by the operation's name."""
