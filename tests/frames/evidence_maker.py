"""Evidence made by hand, in the shapes of interface.md and of the embedded service."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from kycpack.evidence import Entry, Evidence

CUSTOMER = "11111111-1111-4111-8111-111111111111"
SESSION = "22222222-2222-4222-8222-222222222222"

RECORD: dict[str, Any] = {
    "id": CUSTOMER,
    "tenantId": "99999999-9999-4999-8999-999999999999",
    "firstName": "Ada",
    "lastName": "Byron",
    "emailAddress": "ada@example.test",
    "dateOfBirth": "1985-12-10",
    "address": {"addressLine1": "1 High Street", "city": "Leeds", "postalCode": "LS1 1AA", "country": "GB"},
    "created": "2026-05-01T09:00:00.000Z",
    "lastUpdated": "2026-05-01T09:00:00.000Z",
}
RESULTS: dict[str, Any] = {
    "document": {
        "outcome": "clear",
        "holder": {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1985-12-10", "nationality": "GB"},
        "document": {
            "documentType": "passport",
            "issuingCountry": "GB",
            "documentNumber": "X1234567",
            "expirationDate": "2031-01-01",
        },
        "contentAnalysis": {"dataIntegrity": "clear", "expirationDateCheck": "clear"},
    },
    "address": {
        "outcome": "clear",
        "contentAnalysis": {"documentAgeOutcome": "clear"},
        "clientValidation": {
            "firstNameMatch": True,
            "lastNameMatch": True,
            "addressMatchOutcome": "match_confirmed",
        },
        "geoLocationAnalysis": {"ipInAddressCountry": True, "ipProximityToAddress": "clear"},
        "extractedAddress": {
            "addressLine1": "1 High Street",
            "city": "Leeds",
            "postalCode": "LS1 1AA",
            "country": "GB",
        },
    },
    "identity": {
        "outcome": "clear",
        "faceAnalysis": {"facialSimilarity": "clear", "facialSimilarityScore": 0.97},
        "authenticityAnalysis": {"livenessCheck": "clear", "livenessCheckScore": 0.99},
        "integrityAnalysis": {"faceDetection": "clear"},
    },
    "screening": {
        "outcome": "clear",
        "checkType": "extensive",
        "matchCount": 0,
        "summary": {
            "pep": {"level1": "clear", "level2": "clear"},
            "watchlist": {"sanctionsLists": "clear", "terror": "clear"},
            "adverseMedia": {"environmentProduction": "clear", "socialLabour": "clear"},
        },
    },
}
STATUS: dict[str, Any] = {
    "id": SESSION,
    "status": "complete",
    "progress": {
        "identity": {"completed": True, "confirmed": True, "completedAt": "2026-05-02T09:00:00.000Z"},
        "ais": {"completed": False},
    },
    "created": "2026-05-01T10:00:00.000Z",
    "updated": "2026-05-02T09:00:00.000Z",
    "attemptCount": 1,
}
IDENTITY = {
    "identityCheck": True,
    "enhancedIdentityCheck": False,
    "documentCheck": True,
    "proofOfAddressCheck": True,
    "amlStandardScreening": False,
    "amlExtensiveScreening": True,
    "amlStandardMonitoring": False,
    "amlExtensiveMonitoring": True,
}
KNOWN: dict[str, Any] = {
    "customerId": CUSTOMER,
    "sessions": [
        {
            "sessionId": SESSION,
            "learnedFrom": "created",
            "createdAt": "2026-05-01T10:00:00.000Z",
            "ordered": {"identity": IDENTITY, "ais": None},
        }
    ],
    "payments": [],
}


class EvidenceMaker:
    """Puts entries together: `answer` with a body, `refuse` without one."""

    def __init__(self, customer_id: str = CUSTOMER) -> None:
        self.customer_id = customer_id
        self.entries: list[Entry] = []
        self.bodies: dict[str, bytes] = {}

    def answer(
        self, operation: str, body: Any, *, content_type: str = "application/json", **subject: str
    ) -> str:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        entry_id = f"E-{len(self.entries) + 1:02d}"
        self.entries.append(
            Entry(
                id=entry_id,
                operation=operation,
                subject={"customer_id": self.customer_id, **subject},
                outcome="answered",
                method="GET",
                status=200,
                content_type=content_type,
                bytes=len(raw),
                sha256=hashlib.sha256(raw).hexdigest(),
                file=f"{entry_id}.json",
            )
        )
        self.bodies[entry_id] = raw
        return entry_id

    def refuse(
        self, operation: str, *, status: int | None = 403, outcome: str = "refused", **subject: str
    ) -> str:
        entry_id = f"E-{len(self.entries) + 1:02d}"
        named = {"customer_id": self.customer_id, **subject}
        self.entries.append(
            Entry(id=entry_id, operation=operation, subject=named, outcome=outcome, status=status)
        )
        return entry_id

    def known(self, body: Any = KNOWN) -> str:
        return self.answer("register.known", body)

    def session(self, results: Any = RESULTS, status: Any = STATUS, session_id: str = SESSION) -> str:
        status = {**STATUS, "id": session_id} if status is STATUS else status
        self.answer("onboarding.get", status, session_id=session_id)
        return self.answer("onboarding.results", results, session_id=session_id)

    def make(self) -> Evidence:
        return Evidence(self.customer_id, tuple(self.entries), self.bodies)


def clear_customer(
    results: Any = RESULTS, status: Any = STATUS, record: Any = RECORD, known: Any = KNOWN
) -> Evidence:
    """A customer for whom everything that was ordered is there and clear; bank access was not ordered."""
    made = EvidenceMaker()
    made.answer("customers.get", record)
    made.session(results, status)
    made.answer("bank_accounts.list", {"items": []})
    made.known(known)
    return made.make()
