"""Flattening of evidence from bytes, beside `json.loads` and `pandas.json_normalize` on the same bodies."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
from tests.bench.measure import Measurement, in_turn
from tests.frames.evidence_maker import RESULTS, EvidenceMaker

from kycpack.evidence import Evidence
from kycpack.frames import flatten

DOCUMENTS = 3_000
PAGES = 50
PAGE = 500


def run() -> list[Measurement]:
    """Measure results documents, each of a customer of its own, and pages of bank transactions."""
    results = _results()
    documents = in_turn(lambda: flatten(results), lambda: _normalize(_bodies(results)), rounds=5)
    ledger = _ledger()
    transactions = in_turn(
        lambda: flatten(ledger), lambda: _normalize(_bodies(ledger), record_path="items"), rounds=5
    )
    count = PAGES * PAGE
    return [
        Measurement(
            "flatten, results",
            DOCUMENTS / documents[0],
            DOCUMENTS / documents[1],
            "documents/s",
            _PEER,
            "at least 0.6 of the peer",
        ),
        Measurement(
            "flatten, transactions",
            count / transactions[0],
            count / transactions[1],
            "rows/s",
            _PEER,
            "at least 3 times the peer",
        ),
    ]


_PEER = "json.loads and json_normalize"


def _normalize(bodies: list[bytes], record_path: str | None = None) -> pd.DataFrame:
    return pd.json_normalize([json.loads(body) for body in bodies], record_path=record_path)


def _bodies(evidence: list[Evidence]) -> list[bytes]:
    return [body for one in evidence for body in one.bodies.values()]


def _results() -> list[Evidence]:
    made = []
    for number in range(DOCUMENTS):
        one = EvidenceMaker(f"customer-{number}")
        document: dict[str, Any] = json.loads(json.dumps(RESULTS))
        document["document"]["document"]["documentNumber"] = f"X{number:07d}"
        one.answer("onboarding.results", document, session_id=f"session-{number}")
        made.append(one.make())
    return made


def _ledger() -> list[Evidence]:
    made = EvidenceMaker()
    for page in range(PAGES):
        items = [_transaction(page * PAGE + number) for number in range(PAGE)]
        made.answer(
            "bank_accounts.transactions",
            {"items": items, "nextCursor": f"c{page}"},
            account_id=f"a{page % 4}",
        )
    return [made.make()]


def _transaction(number: int) -> dict[str, Any]:
    return {
        "id": f"0f9a4c1e-{number:012d}",
        "bookingDate": f"2026-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
        "valueDate": f"2026-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
        "status": "booked",
        "amount": f"{number % 5000}.{number % 100:02d}",
        "creditDebitIndicator": "Credit" if number % 7 == 0 else "Debit",
        "currency": "GBP",
        "description": f"CARD PAYMENT TO SHOP {number % 997} LEEDS GB",
        "counterpartyName": f"SHOP {number % 997}",
        "counterpartyAccount": "****5678",
        "purposeCode": "SALA" if number % 7 == 0 else None,
        "bankTransactionCode": "PMNT-RCDT-SALA",
        "merchantCategoryCode": "5411",
        "balanceAfter": f"{number % 9000}.{number % 100:02d}",
    }
