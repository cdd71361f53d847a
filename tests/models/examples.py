"""One example a record, written by hand from the interface's tables: every field it lists, under its name on the wire."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

ADDRESS: dict[str, Any] = {
    "addressLine1": "1 Example Street",
    "addressLine2": "Flat 2",
    "city": "Exampleton",
    "postalCode": "EX1 2MP",
    "country": "GB",
}

CUSTOMER: dict[str, Any] = {
    "id": "7a0c2c2e-0a4b-4f5e-9d3c-0d3f4f1f0001",
    "tenantId": "7a0c2c2e-0a4b-4f5e-9d3c-0d3f4f1f0002",
    "firstName": "Ada",
    "lastName": "Example",
    "emailAddress": "ada@example.org",
    "dateOfBirth": "1990-02-28",
    "address": ADDRESS,
    "orgId": "branch-1",
    "created": "2026-01-01T00:00:00.000Z",
    "lastUpdated": "2026-01-02T00:00:00.000Z",
}

CUSTOMER_CREATE = {
    name: CUSTOMER[name]
    for name in ("firstName", "lastName", "emailAddress", "dateOfBirth", "address", "orgId")
}

CUSTOMER_UPDATE = {name: CUSTOMER_CREATE[name] for name in CUSTOMER_CREATE if name != "orgId"}

PAYMENT_CREATE: dict[str, Any] = {
    "amount": Decimal("12.50"),
    "reference": "order-1",
    "customerId": CUSTOMER["id"],
    "aisRequirements": {
        "accounts": True,
        "balances": True,
        "transactions": True,
        "useVerifiedBankAccount": True,
    },
    "returnUrl": "https://shop.example/return",
    "cancelUrl": "https://shop.example/cancel",
    "description": "Deposit",
}

PAYMENT_CREATED = {"id": "pay_1", "payLink": "https://pay.example/pay/abc"}

BANK_ATTEMPT: dict[str, Any] = {"idempotencyKey": "k-1", "bank": {"bankId": "bank-1"}}

CARD_ATTEMPT: dict[str, Any] = {
    "idempotencyKey": "k-2",
    "card": {"number": "4242424242424242", "expiryMonth": "12", "expiryYear": "2030", "cvc": "123"},
    "billingAddress": {
        "firstName": "Ada",
        "lastName": "Example",
        "lineOne": "1 Example Street",
        "city": "Exampleton",
        "postalCode": "EX1 2MP",
        "country": "GB",
    },
    "browserData": {
        "browserJavaEnabled": False,
        "browserJavascriptEnabled": True,
        "browserLanguage": "en-GB",
        "browserColorDepth": 24,
        "browserScreenHeight": 1080,
        "browserScreenWidth": 1920,
        "browserTZ": "0",
        "browserUserAgent": "Example/1.0",
        "browserAcceptHeader": "text/html",
    },
}

ATTEMPT: dict[str, Any] = {
    "id": "att_1",
    "status": "STARTED",
    "requiredAction": {"type": "bank_redirect", "url": "https://bank.example/authorise/abc"},
}

SESSION_CREATE: dict[str, Any] = {
    "customerId": CUSTOMER["id"],
    "options": {
        "identity": {
            "identityCheck": True,
            "enhancedIdentityCheck": False,
            "documentCheck": True,
            "proofOfAddressCheck": True,
            "amlStandardScreening": False,
            "amlExtensiveScreening": True,
            "amlStandardMonitoring": False,
            "amlExtensiveMonitoring": False,
        },
        "ais": {"accounts": True, "balances": True, "transactions": True, "accountLimit": 3},
    },
    "orgId": "branch-1",
    "firstName": "Ada",
    "lastName": "Example",
    "emailAddress": "ada@example.org",
    "returnUrl": "https://shop.example/done",
}

SESSION_CREATED = {"sessionId": "s-1", "onboardUrl": "https://onboard.example/onboard/abc"}

SESSION_STATUS: dict[str, Any] = {
    "id": "s-1",
    "status": "complete",
    "progress": {
        "identity": {"completed": True, "confirmed": True, "completedAt": "2026-01-02T00:00:00.000Z"},
        "ais": {"completed": True, "completedAt": "2026-01-02T00:00:00.000Z"},
    },
    "created": "2026-01-01T00:00:00.000Z",
    "updated": "2026-01-02T00:00:00.000Z",
    "attemptCount": 1,
}

RESULTS: dict[str, Any] = {
    "document": {
        "outcome": "clear",
        "holder": {
            "firstName": "Ada",
            "lastName": "Example",
            "dateOfBirth": "1990-02-28",
            "nationality": "GB",
        },
        "document": {
            "documentType": "passport",
            "issuingCountry": "GB",
            "documentNumber": "000000000",
            "expirationDate": "2030-01-01",
        },
        "contentAnalysis": {"dataIntegrity": "clear", "expirationDateCheck": "clear"},
    },
    "address": {
        "outcome": "consider",
        "contentAnalysis": {"documentAgeOutcome": "clear"},
        "clientValidation": {
            "firstNameMatch": True,
            "lastNameMatch": True,
            "addressMatchOutcome": "attention",
        },
        "geoLocationAnalysis": {"ipInAddressCountry": True, "ipProximityToAddress": "clear"},
        "extractedAddress": {
            "addressLine1": "1 Example Street",
            "city": "Exampleton",
            "postalCode": "EX1 2MP",
            "country": "GB",
        },
    },
    "identity": {
        "outcome": "warning",
        "faceAnalysis": {"facialSimilarity": "clear", "facialSimilarityScore": Decimal("0.91")},
        "authenticityAnalysis": {"livenessCheck": "clear", "livenessCheckScore": Decimal("0.99")},
        "integrityAnalysis": {"faceDetection": "clear"},
    },
    "screening": {
        "outcome": "rejected",
        "checkType": "extensive",
        "matchCount": 2,
        "summary": {
            "pep": {"level1": "clear", "level2": "attention"},
            "watchlist": {"sanctionsLists": "clear", "terror": "clear"},
            "adverseMedia": {"environmentProduction": "clear", "socialLabour": "clear"},
        },
    },
}

MEDIA_ACCESS: dict[str, Any] = {
    "sessionId": "s-1",
    "media": [
        {
            "id": "m-1",
            "fileName": "front.png",
            "contentType": "image/png",
            "description": "Front of the document",
            "type": "document",
            "downloadUrl": "https://media.example/m-1?signature=abc",
        }
    ],
}

SOURCE_OF_WEALTH: dict[str, Any] = {
    "customer": {"firstName": "Ada", "lastName": "Example", "city": "Exampleton"},
    "accounts": [
        {
            "account": {
                "bankName": "Example Bank",
                "accountHolderName": "A Example",
                "accountNumber": "****5678",
                "sortCode": "**-**-33",
                "currency": "GBP",
            },
            "currentBalance": Decimal("1650.00"),
            "dataAvailability": {"balanceAvailable": True, "transactionsAvailable": True},
        }
    ],
    "primarySource": {
        "description": "12 credits from EXAMPLE LTD",
        "amount": Decimal("2450.00"),
        "frequency": 12,
        "totalValue": Decimal("29400.00"),
        "context": "observed credits",
        "type": "employment",
    },
    "additionalSources": [
        {
            "description": "4 credits",
            "amount": Decimal("10.00"),
            "frequency": 4,
            "totalValue": Decimal("40.00"),
            "type": "interest",
        }
    ],
    "generatedAt": "2026-01-02T00:00:00.000Z",
}

WEBHOOK_CREATE: dict[str, Any] = {
    "url": "https://receiver.example/hook",
    "name": "reviews",
    "events": ["onboard.session.completed"],
}

WEBHOOK: dict[str, Any] = {
    "id": "w-1",
    "url": "https://receiver.example/hook",
    "name": "reviews",
    "events": ["onboard.session.completed"],
    "active": True,
    "created": "2026-01-01T00:00:00.000Z",
    "updated": "2026-01-01T00:00:00.000Z",
    "lastDelivered": None,
    "deliveryAttempts": 0,
}

SESSION_COMPLETED: dict[str, Any] = {
    "Event": "onboard.session.completed",
    "Timestamp": "2026-01-02T00:00:01.000Z",
    "Session": {
        "Id": "s-1",
        "Status": "Complete",
        "Progress": {
            "Identity": {"Completed": True, "Confirmed": True, "CompletedAt": "2026-01-02T00:00:00.000Z"},
            "Ais": {"Completed": False, "Confirmed": None, "CompletedAt": None},
        },
        "Created": "2026-01-01T00:00:00.000Z",
        "Updated": "2026-01-02T00:00:00.000Z",
    },
}

MISSING_PERSON_DATA: dict[str, Any] = {
    "error": "missing_person_data",
    "message": "missing_person_data: lastName",
    "missingFields": ["lastName"],
}
