"""A small generated bank history, for a session with bank access if nothing was loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any

from kycpack.models.money import from_minor
from kycpack.service.bank_bodies import SCOPES, BankAccessInput

_MONTHS = 6
_OPENING_MINOR = 120_000
_SALARY_MINOR, _RENT_MINOR, _GROCERIES_MINOR, _INTEREST_MINOR = 245_000, 95_000, 31_250, 410


def small_history(
    holder: str,
    currency: str,
    scopes: Sequence[str],
    today: date,
    account_limit: int | None,
    *,
    person: str,
    bank_name: str = "Test Bank",
) -> BankAccessInput:
    """Return bank access to a current and a savings account with six months of ordinary history.

    Args:
        holder: Name of the account holder.
        currency: ISO 4217 code.
        scopes: The granted scopes.
        today: The history ends before this day.
        account_limit: Maximum number of accounts; None for no limit.
        person: Customer id, which determines the account numbers.
        bank_name: Name of the accounts' bank.
    """
    sort_code, numbers = _numbers(person, bank_name)
    current = _account(bank_name, holder, numbers[0], sort_code, currency, "current", _current(today))
    savings = _account(bank_name, holder, numbers[1], sort_code, currency, "savings", _savings(today))
    document = {
        "scopes": [scope for scope in SCOPES if scope in scopes],
        "accounts": [current, savings][:account_limit],
    }
    return BankAccessInput.read(document)


def _numbers(person: str, bank_name: str) -> tuple[str, tuple[str, str]]:
    """Return an invented sort code of a bank, and a person's account numbers there."""
    bank = int.from_bytes(sha256(bank_name.encode()).digest()[:4], "big")
    own = int.from_bytes(sha256(f"{person}\n{bank_name}".encode()).digest()[:8], "big")
    first = own % 10**8
    return f"00{bank % 10**4:04}", (f"{first:08}", f"{(first + 1 + own // 10**8 % 9_999) % 10**8:08}")


def _account(
    bank: str,
    holder: str,
    number: str,
    sort_code: str,
    currency: str,
    kind: str,
    events: Iterator[tuple[date, int, str, str, str]],
) -> dict[str, Any]:
    balance = _OPENING_MINOR
    listed: list[dict[str, Any]] = []
    for booked_on, minor, description, name, code in sorted(events):
        balance += minor
        listed.append(
            {
                "id": f"{kind}-{len(listed) + 1}",
                "bookingDate": booked_on.isoformat(),
                "valueDate": booked_on.isoformat(),
                "status": "booked",
                "amount": _text(abs(minor), currency),
                "creditDebitIndicator": "Credit" if minor > 0 else "Debit",
                "currency": currency,
                "description": description,
                "counterpartyName": name,
                **({"purposeCode": code} if code else {}),
                "balanceAfter": _text(balance, currency),
            }
        )
    return {
        "bankName": bank,
        "accountHolderName": holder,
        "accountNumber": number,
        "sortCode": sort_code,
        "currency": currency,
        "type": kind,
        "balance": {
            "current": _text(balance, currency),
            "available": _text(balance, currency),
            "currency": currency,
        },
        "transactions": listed,
    }


def _current(today: date) -> Iterator[tuple[date, int, str, str, str]]:
    for first in _month_starts(today):
        yield first, -_RENT_MINOR, "STANDING ORDER SPECIMEN LETTINGS", "SPECIMEN LETTINGS", ""
        yield (
            first + timedelta(days=11),
            -_GROCERIES_MINOR,
            "CARD PAYMENT SPECIMEN GROCERS",
            "SPECIMEN GROCERS",
            "",
        )
        yield (
            first + timedelta(days=24),
            _SALARY_MINOR,
            "SPECIMEN WORKS LTD SALARY",
            "SPECIMEN WORKS LTD",
            "SALA",
        )


def _savings(today: date) -> Iterator[tuple[date, int, str, str, str]]:
    for first in _month_starts(today):
        yield first + timedelta(days=2), _INTEREST_MINOR, "GROSS INTEREST", "TEST BANK", "INTE"


def _month_starts(today: date) -> Iterator[date]:
    first = today.replace(day=1)
    for _ in range(_MONTHS):
        first = (first - timedelta(days=1)).replace(day=1)
        yield first


def _text(minor: int, currency: str) -> str:
    amount: Decimal = from_minor(minor, currency)
    return format(amount, "f")
