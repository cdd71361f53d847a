"""Evidence whose pages are in another provider's shape: the entry names the adapter, flatten follows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.frames.evidence_maker import EvidenceMaker

from kycpack.errors import FrameError
from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.frames.adapters import read_statement

PAGE: dict[str, Any] = {
    "transactions": {
        "booked": [
            {
                "transactionId": "b1",
                "transactionAmount": {"currency": "EUR", "amount": "-256.67"},
                "bookingDate": "2017-10-25",
                "remittanceInformationUnstructured": "Example 1",
            },
            {"transactionId": "b2", "transactionAmount": {"currency": "EUR"}, "bookingDate": "2017-10-25"},
        ],
        "pending": [
            {"transactionAmount": {"currency": "EUR", "amount": "100.03"}, "valueDate": "2017-10-26"},
        ],
    }
}


def evidence(adapter: str, *pages: Any) -> Evidence:
    made = EvidenceMaker()
    for page in pages:
        made.answer("bank_accounts.transactions", page, account_id="a1")
    whole = made.make()
    return replace(whole, entries=tuple(replace(entry, adapter=adapter) for entry in whole.entries))


def test_the_named_adapter_reads_the_page_and_what_does_not_fit_is_a_gap() -> None:
    frames = flatten(evidence("berlin-group", PAGE))
    assert frames.transactions["amount_minor"].tolist() == [-25667, 10003]
    assert frames.transactions["status"].tolist() == ["booked", "pending"]
    (message,) = frames.gaps.loc[frames.gaps["code"] == "transaction_misfit", "message"]
    assert "transactionAmount.amount is missing" in message


def test_a_page_that_overlaps_is_read_once() -> None:
    frames = flatten(evidence("berlin-group", PAGE, PAGE))
    assert frames.transactions["txn_id"].tolist().count("b1") == 1
    assert "page_repeated" in frames.gaps["code"].tolist()


def test_a_page_in_another_shape_than_was_named_is_a_gap_and_never_a_row() -> None:
    for adapter in ("plaid", "nobody-knows-it", "uk-csv"):
        frames = flatten(evidence(adapter, PAGE))
        assert len(frames.transactions) == 0
        assert "unreadable" in frames.gaps["code"].tolist()


def _plaid(account_id: str, name: str) -> dict[str, Any]:
    return {
        "transaction_id": name,
        "account_id": account_id,
        "amount": 5,
        "iso_currency_code": "GBP",
        "date": "2026-05-25",
        "name": name,
        "pending": False,
    }


def test_an_answer_of_several_accounts_gives_each_its_own() -> None:
    frames = flatten(evidence("plaid", {"added": [_plaid("a1", "mine"), _plaid("a2", "other")]}))
    assert frames.transactions["txn_id"].tolist() == ["mine"]
    gaps = frames.gaps.loc[frames.gaps["code"] == "wrong_subject", "message"].tolist()
    assert gaps == ["transaction 1 is about another account and was left out"]


def test_the_one_account_of_an_answer_may_have_the_providers_own_name() -> None:
    frames = flatten(evidence("plaid", {"added": [_plaid("BxBXxL", "mine"), _plaid("BxBXxL", "too")]}))
    assert len(frames.transactions) == 2
    frames = flatten(evidence("plaid", {"added": [_plaid("x", "one"), _plaid("y", "two")]}))
    assert len(frames.transactions) == 0
    assert frames.gaps["code"].tolist().count("wrong_subject") == 2


@pytest.mark.parametrize(
    ("layout", "document", "why"),
    [
        (
            "plaid",
            {"transactions": [], "total_transactions": 3},
            "total_transactions is 3, and the document holds 0",
        ),
        ("plaid", {"added": [], "has_more": True, "next_cursor": "x"}, "more pages"),
        (
            "uk-open-banking-3.1",
            {"Data": {"Transaction": []}, "Links": {"Next": "https://bank.example/2"}},
            "Links.Next says that there are more pages",
        ),
        ("uk-open-banking-4", {"Data": {}, "Meta": {"TotalPages": 2}}, "more pages"),
    ],
)
def test_a_page_that_is_not_the_whole_history_is_refused(
    layout: str, document: dict[str, object], why: str
) -> None:
    with pytest.raises(FrameError, match=why):
        read_statement(document, layout, customer_id="c1", account_id="a1")
