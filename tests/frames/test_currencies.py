"""Currency codes in answers: read in capitals and in small letters; one that cannot be read is a gap with its entry."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import EvidenceMaker

from kycpack.frames import Frames, flatten

ITEM = {
    "id": "t1",
    "bookingDate": "2026-05-26",
    "amount": "12.50",
    "creditDebitIndicator": "Credit",
    "description": "PAY",
}
ANSWERS: dict[str, tuple[str, dict[str, str]]] = {
    "accounts": ("bank_accounts.list", {}),
    "balances": ("bank_accounts.balance", {"account_id": "a1"}),
    "transactions": ("bank_accounts.transactions", {"account_id": "a1"}),
    "payments": ("payments.get", {"payment_id": "p1"}),
    "sources": ("source_of_wealth.get", {"format": "json"}),
}


def frames_with(currency: Any) -> tuple[Frames, dict[str, str]]:
    """Frames of a customer whose answers all have a currency, and the id of each answer's entry."""
    given = {"currency": currency}
    bodies: dict[str, Any] = {
        "accounts": {"items": [{"id": "a1", **given}]},
        "balances": {"current": "12.50", **given},
        "transactions": {"items": [{**ITEM, **given}, {**ITEM, "id": "t2", "currency": "EUR"}]},
        "payments": {"id": "p1", "amount": "12.50", **given},
        "sources": {"primarySource": {"amount": "12.50", **given}},
    }
    made = EvidenceMaker()
    entries = {
        name: made.answer(operation, bodies[name], **subject)
        for name, (operation, subject) in ANSWERS.items()
    }
    return flatten(made.make()), entries


@pytest.mark.parametrize("currency", ["GBP", "gbp", "Gbp", " GBP "])
def test_a_code_is_read_whatever_its_letters(currency: str) -> None:
    frames, _ = frames_with(currency)
    for name in ANSWERS:
        assert getattr(frames, name)["currency"].tolist()[0] == "GBP"
    assert frames.balances["current_minor"].tolist() == [1250]
    assert frames.transactions["amount_minor"].tolist() == [1250, 1250]
    assert frames.payments["amount_minor"].tolist() == [1250]
    assert not frames.gaps["message"].str.contains("currency is not|no currency").any()


@pytest.mark.parametrize("currency", ["Pounds", "XXQ", "826", 826, ["GBP"]])
def test_what_is_not_a_currency_is_a_gap_with_its_entry(currency: Any) -> None:
    frames, entries = frames_with(currency)
    unread = frames.gaps[frames.gaps["message"].str.contains("currency is not what was expected")]
    assert sorted(unread["evidence_id"]) == sorted(entries.values())
    assert not unread["message"].str.contains("Pounds|XXQ|826").any()
    for name in set(ANSWERS) - {"transactions"}:
        assert getattr(frames, name)["currency"].tolist() == [pd.NA]
    assert frames.transactions["txn_id"].tolist() == ["t2"]
