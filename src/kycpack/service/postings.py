"""Bank data to load: its request bodies, and how balances and transactions are stored.

Every amount fits its currency, and sums fit in 64 bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints
from sqlalchemy import Connection, Row, insert, update

from kycpack.errors import InputError
from kycpack.models.enums import TransactionStatus
from kycpack.models.instants import format_instant, parse_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.money import Amount, known_currency
from kycpack.models.record import IsoDate, NamedText, Request, Text
from kycpack.service.auth import Tenant
from kycpack.service.bank_reading import account_rows, own_account, stored_transactions
from kycpack.service.bodies import read_minor
from kycpack.service.customers import find_customer
from kycpack.service.problems import invalid_request, not_found
from kycpack.service.rows import present
from kycpack.service.schema import bank_accounts, transactions


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

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")] | None = None
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

    scopes: list[Literal["accounts", "balances", "transactions"]] = Field(
        default=["accounts", "balances", "transactions"]
    )
    accounts: list[AccountInput] = Field(min_length=1)


_LARGEST_MINOR = 10**13
"""Largest amount in minor units: sums over all transactions of one body fit in 64 bits."""


def add_transactions(
    connection: Connection, tenant: Tenant, customer_id: str, later: LaterTransactions, now: datetime
) -> int:
    """Add transactions to a linked account, as booked by its bank; the access to it is not changed.

    Transactions with an id that the account already has are left out. If no balance is given, the current and the available
    balance are updated with the booked ones.

    Returns:
        The number of transactions added.

    Raises:
        RefusedError: The customer or the account is unknown, or an amount does not fit.
    """
    customer = find_customer(connection, tenant, customer_id, lock=True)
    rows = account_rows(connection, tenant, customer.id)
    if later.account_id is not None:
        rows = [row for row in rows if row.id == later.account_id]
    if not rows:
        raise not_found("bank account")
    if len(rows) > 1:
        raise invalid_request("account_id: required, because the customer has several accounts")
    row = rows[0]
    new = store_transactions(connection, row, later.transactions, "")
    if later.balance is not None:
        balance = balance_json(later.balance, row.currency, now, "")
    else:
        balance = _moved_balance(row, new, now)
    change_account(connection, row, balance_json=balance)
    return len(new)


def change_account(connection: Connection, row: Row[Any], **values: Any) -> None:
    """Change columns of a linked account."""
    own = own_account(row.tenant_id, row.customer_id, row.id)
    connection.execute(update(bank_accounts).where(own).values(values))


def _moved_balance(row: Row[Any], added: Iterable[TransactionInput], now: datetime) -> str | None:
    """Return the balance of an account after the transactions booked in its currency."""
    if row.balance_json is None:
        return None
    record = dict(parse_json(row.balance_json))
    moved = sum(
        (item.amount if item.credit_debit_indicator == "Credit" else -item.amount)
        for item in added
        if item.currency == record["currency"] and item.status in {None, TransactionStatus.BOOKED}
    )
    for name in ("current", "available"):
        if name in record:
            record[name] = _plain(Decimal(record[name]) + moved, record["currency"], f"balance.{name}")
    return dump_json({**record, "asOf": format_instant(now)}).decode()


def balance_json(given: BalanceInput, own_currency: str, now: datetime, place: str) -> str | None:
    """Return a balance as JSON for storing, None if it has no amount.

    Raises:
        RefusedError: 400 with the place, if an amount or the instant does not fit.
    """
    if given.current is None and given.available is None:
        return None
    currency = given.currency or own_currency
    amounts = present({"current": given.current, "available": given.available})
    record = {
        **{name: _plain(amount, currency, f"{place}balance.{name}") for name, amount in amounts.items()},
        "currency": currency,
        "asOf": _read_as_of(given.as_of, place) if given.as_of else format_instant(now),
    }
    return dump_json(record).decode()


def _read_as_of(text: str, place: str) -> str:
    try:
        return format_instant(parse_instant(text))
    except InputError as error:
        raise invalid_request(f"{place}balance.asOf: {error}") from None


def store_transactions(
    connection: Connection, account: Row[Any], items: Sequence[TransactionInput], place: str
) -> list[TransactionInput]:
    """Store transactions of an account, and return them; those with an id that the account already has are left out.

    Raises:
        RefusedError: 400 with the place, if an amount does not fit or an id appears twice.
    """
    owner = {"tenant_id": account.tenant_id, "customer_id": account.customer_id, "account_id": account.id}
    held = map(parse_json, stored_transactions(connection, *owner.values()))
    seen = {record["id"] for record in held if "id" in record}
    given = Counter(item.id for item in items if item.id is not None)
    new, rows = [], []
    for number, item in enumerate(items):
        at = f"{place}transactions.{number}"
        if item.id is not None and given[item.id] > 1:
            # It is not clear which of them is meant, and both would be counted in the balance.
            raise invalid_request(f"{at}.id: appears twice")
        if item.id is None or item.id not in seen:
            new.append(item)
            rows.append({**owner, "booked_on": item.booking_date, "record_json": _transaction_json(item, at)})
    if rows:
        connection.execute(insert(transactions), rows)
    return new


def _transaction_json(item: TransactionInput, place: str) -> str:
    record = present(item.model_dump(by_alias=True))
    for name in ("amount", "balanceAfter"):
        if name in record:
            record[name] = _plain(record[name], item.currency, f"{place}.{name}")
    return dump_json(record).decode()


def _plain(amount: Any, currency: str, place: str) -> str:
    """Check that an amount fits its currency, and return it as the decimal string that was given."""
    read_minor(amount, currency, place, largest=_LARGEST_MINOR)
    return format(amount, "f")
