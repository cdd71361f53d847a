"""Answers about one customer and her accounts, for the tests of whose answers they are."""

from __future__ import annotations

import copy
from typing import Any

from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker

from kycpack.frames import Frames, flatten

ACCOUNT = {
    "id": "a1",
    "bankName": "First",
    "accountHolderName": "Ada Byron",
    "accountNumber": "****4321",
    "sortCode": "**-**-56",
    "currency": "GBP",
}
TRANSACTION = {
    "id": "t1",
    "amount": "10.00",
    "creditDebitIndicator": "Credit",
    "currency": "GBP",
    "bookingDate": "2026-05-01",
    "description": "PAY",
}
STATEMENT = {
    "customer": {"firstName": "Ada", "lastName": "Byron", "city": "Leeds"},
    "accounts": [{"account": {key: value for key, value in ACCOUNT.items() if key != "id"}}],
    "primarySource": {"description": "Pay", "amount": "10.00", "frequency": 1, "totalValue": "10.00", "type": "employment"},
    "additionalSources": [],
    "generatedAt": "2026-06-01T00:00:00.000Z",
}  # fmt: skip


def results_of(first: str | None, last: str | None, born: str | None) -> dict[str, Any]:
    results = copy.deepcopy(RESULTS)
    results["document"]["holder"] |= {"firstName": first, "lastName": last, "dateOfBirth": born}
    return results


def read(
    *answers: tuple[str, Any, dict[str, str]], record: Any = RECORD, accounts: Any = (ACCOUNT,)
) -> Frames:
    made = EvidenceMaker()
    made.answer("customers.get", record)
    made.answer("bank_accounts.list", {"items": list(accounts)})
    for operation, body, subject in answers:
        made.answer(operation, body, **subject)
    return flatten(made.make())


def session(results: Any, record: Any = RECORD) -> Frames:
    made = EvidenceMaker()
    made.answer("customers.get", record)
    made.session(results)
    return flatten(made.make())


def wrong(frames: Frames) -> list[str]:
    return frames.gaps.loc[frames.gaps["code"] == "wrong_subject", "message"].tolist()
