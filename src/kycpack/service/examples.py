"""An example of each body that is asked for, for the OpenAPI document; a test sends every one of them."""

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
