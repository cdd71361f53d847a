"""Payments, statements, media and accounts in frames: exact amounts, and a gap for what is missing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import (
    RECORD,
    SESSION,
    EvidenceMaker,
)
from tests.frames.frame_checks import check_form, gaps_of

from kycpack.frames import flatten


def test_payments_keep_exact_amounts_and_name_the_missing_currency() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("payments.get", b'{"id": "p1", "amount": 1050.10}', payment_id="p1")
    made.answer(
        "payments.get",
        {
            "id": "p2",
            "amount": "12.50",
            "currency": "GBP",
            "status": "pending",
            "attempts": [{"id": "x", "status": "STARTED"}],
        },
        payment_id="p2",
    )
    frames = flatten(made.make())
    check_form(frames)
    assert frames.payments["amount"].tolist() == [Decimal("1050.10"), Decimal("12.50")]
    assert frames.payments["amount_minor"].tolist() == [pd.NA, 1250]
    assert frames.payments["state"].tolist()[1] == "pending"
    assert frames.attempts["attempt_id"].tolist() == ["x"]
    assert ("payment", "currency_missing") in gaps_of(frames)


WIDE = "9" * 20


@pytest.mark.parametrize(
    ("operation", "body", "subject"),
    [
        (
            "bank_accounts.balance",
            {"currency": "GBP", "current": WIDE, "available": "1.00"},
            {"account_id": "a1"},
        ),
        ("payments.get", {"amount": WIDE, "currency": "GBP"}, {"payment_id": "p1"}),
        (
            "bank_accounts.transactions",
            {
                "items": [
                    {
                        "bookingDate": "2026-05-25",
                        "amount": "1.00",
                        "creditDebitIndicator": "Credit",
                        "currency": "GBP",
                        "description": "PAY",
                        "balanceAfter": WIDE,
                    }
                ]
            },
            {"account_id": "a1"},
        ),
    ],
)
def test_an_amount_of_more_than_64_bits_is_a_gap_and_stops_nothing(
    operation: str, body: Any, subject: dict[str, str]
) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer(operation, body, **subject)
    frames = flatten(made.make())
    assert frames.customers["first_name"].tolist() == ["Ada"]
    assert {"wrong_type", "transaction_misfit"} & set(frames.gaps["code"])


def test_a_statement_and_its_sources() -> None:
    source = {
        "description": "Salary",
        "amount": 2450.5,
        "frequency": 12,
        "totalValue": 29406,
        "type": "employment",
    }
    made = EvidenceMaker()
    made.answer(
        "source_of_wealth.get",
        {
            "customer": {"firstName": "Ada"},
            "accounts": [],
            "primarySource": source,
            "additionalSources": [source],
        },
        format="json",
    )
    made.answer("source_of_wealth.get", b"%PDF-1.7", content_type="application/pdf", format="pdf")
    frames = flatten(made.make())
    check_form(frames)
    assert frames.statements["format"].tolist() == ["json", "pdf"]
    assert frames.sources["role"].tolist() == ["primary", "additional"]
    assert frames.sources["amount"].tolist() == [Decimal("2450.5")] * 2
    assert ("statement", "currency_missing") in gaps_of(frames)


def test_media_tell_whether_the_file_is_there() -> None:
    made = EvidenceMaker()
    made.answer(
        "onboarding.media",
        {"sessionId": SESSION, "media": [{"id": "m1"}, {"id": "m2"}, {}]},
        session_id=SESSION,
    )
    made.answer("onboarding.download", b"png", content_type="image/png", session_id=SESSION, media_id="m1")
    frames = flatten(made.make())
    check_form(frames)
    assert frames.media["downloaded"].tolist() == [True, False]
    assert frames.media["size_bytes"].tolist() == [3, pd.NA]
    assert {("media", "not_downloaded"), ("media", "wrong_type")} <= gaps_of(frames)


def test_accounts_without_access_data_are_told() -> None:
    made = EvidenceMaker()
    made.answer("bank_accounts.list", {"items": [{"id": "a1", "scopes": ["accounts", "balances"]}]})
    made.answer("bank_accounts.balance", {"current": "12.345", "currency": "GBP"}, account_id="a1")
    frames = flatten(made.make())
    check_form(frames)
    assert {
        ("bank", "token_expiry_missing"),
        ("bank", "scope_missing"),
        ("bank", "currency_missing"),
    } <= gaps_of(frames)
    assert frames.balances["current_minor"].isna().all()
    assert ("bank", "wrong_type") in gaps_of(frames)
