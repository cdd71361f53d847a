"""Bank accounts, balances and transactions of a customer.

Of these, the interface documents only `tokenExpiry` of an account. The fields here are the embedded service's own format;
another provider's format is read by an adapter in `kycpack.frames.adapters`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import field_validator

from kycpack.models.enums import OpenTransactionStatus
from kycpack.models.money import Amount
from kycpack.models.record import Id, Record, to_frame

if TYPE_CHECKING:
    import pandas as pd


class BankAccount(Record):
    """A linked bank account; numbers are masked, and `token_expiry` is when access ends."""

    id: Id
    bank_id: str | None = None
    bank_name: str | None = None
    account_holder_name: str | None = None
    account_number: str | None = None
    sort_code: str | None = None
    currency: str | None = None
    type: str | None = None
    scopes: list[str] | None = None
    token_expiry: str | None = None


class Balance(Record):
    """Balance of an account at an instant."""

    current: Amount | None = None
    available: Amount | None = None
    currency: str | None = None
    as_of: str | None = None


class Transaction(Record):
    """A transaction; the amount has no sign, and the indicator (Credit, Debit) gives the direction."""

    id: str | None = None
    booking_date: str
    value_date: str | None = None
    status: OpenTransactionStatus | None = None
    amount: Amount
    credit_debit_indicator: str
    currency: str
    description: str
    counterparty_name: str | None = None
    counterparty_account: str | None = None
    merchant_name: str | None = None
    purpose_code: str | None = None
    bank_transaction_code: str | None = None
    merchant_category_code: str | None = None
    balance_after: Amount | None = None


class TransactionPage(Record):
    """A page of transactions; `next_cursor` requests the next one and is absent on the last."""

    items: list[Transaction]
    next_cursor: str | None = None

    def to_frame(self) -> pd.DataFrame:
        """Return the transactions as a frame, one row each, as received: amounts have no sign.

        `kp.flatten` returns the normal form, with signs and minor units.
        """
        return to_frame(self.items, Transaction)

    @field_validator("next_cursor", mode="before")
    @classmethod
    def _number_as_text(cls, value: Any) -> Any:
        return str(value) if type(value) is int else value
