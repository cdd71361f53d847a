"""Request bodies for loading bank access: accounts with full numbers, balances and transactions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from kycpack.models.enums import TransactionStatus
from kycpack.models.money import Amount, known_currency
from kycpack.models.record import IsoDate, NamedText, Request, Text

SCOPES = ("accounts", "balances", "transactions")
"""The scopes that a customer can grant."""


def require_currency(code: str) -> str:
    """Return the code if it is in ISO 4217.

    Raises:
        ValueError: The code is not in ISO 4217.
    """
    if not known_currency(code):
        raise ValueError("not an ISO 4217 currency code")
    return code


_Currency = Annotated[str, AfterValidator(require_currency)]


def _is_near(text: str) -> str:
    # The calendars of the statement's libraries end beyond these years.
    if not "1900-01-01" <= text <= "2199-12-31":
        raise ValueError("expected a day from 1900 to 2199")
    return text


_Day = Annotated[IsoDate, AfterValidator(_is_near)]
_RecordId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
_Scope = Literal["accounts", "balances", "transactions"]


class BalanceInput(Request):
    """A balance to load."""

    current: Amount | None = None
    available: Amount | None = None
    currency: _Currency | None = None
    as_of: Text | None = None


class TransactionInput(Request):
    """A transaction to load; the amount has no sign."""

    id: Text | None = None
    booking_date: _Day
    value_date: _Day | None = None
    status: Annotated[TransactionStatus | None, Field(strict=False)] = None
    amount: Annotated[Amount, Field(ge=0)]
    credit_debit_indicator: Literal["Credit", "Debit"]
    currency: _Currency
    description: Text
    counterparty_name: Text | None = None
    counterparty_account: Text | None = None
    merchant_name: Text | None = None
    purpose_code: Text | None = None
    bank_transaction_code: Text | None = None
    merchant_category_code: Text | None = None
    balance_after: Amount | None = None


class LaterTransactions(Request):
    """Transactions to add to an account that is linked already.

    The balance is updated with the booked ones, unless one is given. `account_id` may be omitted if the customer has one account.
    """

    account_id: Annotated[str | None, Field(alias="account_id")] = None
    transactions: list[TransactionInput] = Field(min_length=1)
    balance: BalanceInput | None = None


class AccountInput(Request):
    """An account to load, with its full numbers; they are masked in every answer."""

    id: _RecordId | None = None
    bank_id: NamedText | None = None
    bank_name: NamedText
    account_holder_name: Text
    account_number: Text | None = None
    sort_code: Text | None = None
    currency: _Currency
    type: Text | None = None
    balance: BalanceInput | None = None
    transactions: list[TransactionInput] = Field(default_factory=list)


class BankAccessInput(Request):
    """What a customer grants: scopes, and the accounts to link."""

    scopes: list[_Scope] = Field(default=["accounts", "balances", "transactions"])
    accounts: list[AccountInput] = Field(min_length=1)
