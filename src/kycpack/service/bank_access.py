"""Bank access that customers granted: accounts, balances, transactions, and until when they may be read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import uuid4

from pydantic import AfterValidator, Field, StringConstraints
from sqlalchemy import Connection, Row, func, insert, select, tuple_, update

from kycpack.errors import InputError
from kycpack.models.instants import format_instant, parse_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.money import Amount, known_currency, to_minor
from kycpack.models.record import IsoDate, NamedText, Request, Text
from kycpack.service.auth import Tenant
from kycpack.service.banks import bank_id_of
from kycpack.service.customers import find_customer
from kycpack.service.problems import ais_access_expired, ais_scope_missing, invalid_request, not_found
from kycpack.service.schema import bank_accounts, transactions

TOKEN_LIFETIME = timedelta(days=90)
"""Source: interface, "Limits"."""

SCOPES = ("accounts", "balances", "transactions")
LARGEST_PAGE = 500
USUAL_PAGE = 100
_MASKED_TAIL = 4
_CURSOR = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.([0-9]{1,18})")


def _is_currency(code: str) -> str:
    if not known_currency(code):
        raise ValueError("not an ISO 4217 currency code")
    return code


_Currency = Annotated[str, AfterValidator(_is_currency)]
_RecordId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
_Scope = Literal["accounts", "balances", "transactions"]


class BalanceInput(Request):
    """A balance as it is loaded."""

    current: Amount | None = None
    available: Amount | None = None
    currency: _Currency | None = None
    as_of: Text | None = None


class TransactionInput(Request):
    """A transaction as it is loaded; the amount has no sign."""

    id: Text | None = None
    booking_date: IsoDate
    value_date: IsoDate | None = None
    status: Text | None = None
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


class AccountInput(Request):
    """An account as it is loaded, with its full numbers; they are masked on every way out."""

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
    """What a customer grants: scopes, and the accounts that are linked."""

    scopes: list[_Scope] = Field(default=["accounts", "balances", "transactions"])
    accounts: list[AccountInput] = Field(min_length=1)


def grant_access(
    connection: Connection, tenant: Tenant, customer_id: str, access: BankAccessInput, now: datetime
) -> list[dict[str, Any]]:
    """Link accounts with a token granted now, and return the customer's accounts.

    An account that is linked already (same bank, numbers and currency) is renewed: its token, scopes and balance are the new ones,
    and transactions with ids it does not hold yet are added. Accounts that are alike within one grant stay apart.

    Raises:
        RefusedError: The customer is unknown, or an amount has more decimals than its currency.
    """
    customer = find_customer(connection, tenant, customer_id)
    held = {_identity(row): row for row in _account_rows(connection, tenant, customer.id)}
    position = len(held)
    for index, account in enumerate(access.accounts):
        place = f"accounts.{index}"
        key = (account.bank_name, account.sort_code, account.account_number, account.currency)
        known = held.pop(key, None) if account.account_number else None
        if known is None:
            account_id, seen = _link(connection, tenant, customer.id, account, position), set[str]()
            position += 1
        else:
            account_id, seen = known.id, _transaction_ids(connection, tenant, known)
        own = _own_account(tenant, customer.id, account_id)
        values: dict[str, Any] = _token(access.scopes, now)
        if account.balance is not None:
            values["balance_json"] = _balance_json(account, now, place)
        connection.execute(update(bank_accounts).where(own).values(values))
        _store_transactions(connection, tenant, customer.id, account_id, account, seen, place)
    return [account_record(row) for row in _account_rows(connection, tenant, customer.id)]


def renew_access(
    connection: Connection,
    tenant: Tenant,
    customer_id: str,
    scopes: Iterable[str],
    now: datetime,
    *,
    only: Collection[str] | None = None,
    limit: int | None = None,
) -> int:
    """Grant a new token for linked accounts, with these scopes beside those they have; return how many there are.

    Args:
        connection: A writing connection.
        tenant: The customer's organisation.
        customer_id: Whose accounts.
        scopes: What is granted.
        now: The service's time.
        only: Ids of the accounts that are renewed; all where None.
        limit: Most accounts that are renewed, in the order they were linked; all where None.
    """
    rows = [row for row in _account_rows(connection, tenant, customer_id) if only is None or row.id in only]
    for row in rows[:limit]:
        own = _own_account(tenant, customer_id, row.id)
        values = _token({*row.scopes.split(), *scopes}, now)
        connection.execute(update(bank_accounts).where(own).values(values))
    return len(rows)


def valid_accounts(
    connection: Connection, tenant_id: str, customer_id: str, scopes: Iterable[str], now: datetime
) -> list[Row[Any]]:
    """Return the accounts whose token is valid now and has all of these scopes."""
    own = select(bank_accounts).where(
        bank_accounts.c.customer_id == customer_id,
        bank_accounts.c.tenant_id == tenant_id,
        bank_accounts.c.expires_at > format_instant(now),
    )
    rows = connection.execute(own.order_by(bank_accounts.c.position))
    return [row for row in rows if set(scopes) <= set(row.scopes.split())]


def list_accounts(connection: Connection, tenant: Tenant, customer_id: str) -> dict[str, Any]:
    """Return the linked accounts of a customer; those with an expired token stay listed."""
    customer = find_customer(connection, tenant, customer_id)
    return {"items": [account_record(row) for row in _account_rows(connection, tenant, customer.id)]}


def get_balance(
    connection: Connection, tenant: Tenant, customer_id: str, account_id: str, now: datetime
) -> dict[str, Any]:
    """Return the balance of an account.

    Raises:
        RefusedError: 404 unknown; 403 access expired or without the scope.
    """
    row = _readable(connection, tenant, customer_id, account_id, "balances", now)
    if row.balance_json is None:
        raise not_found("balance")
    return dict(parse_json(row.balance_json))


def list_transactions(  # noqa: PLR0913 - one argument for each parameter of the query
    connection: Connection,
    tenant: Tenant,
    customer_id: str,
    account_id: str,
    now: datetime,
    *,
    first_on: str | None = None,
    last_on: str | None = None,
    limit: int = USUAL_PAGE,
    cursor: str | None = None,
) -> dict[str, Any]:
    """Return a page of an account's transactions, oldest booking date first.

    Args:
        connection: For reading.
        tenant: Whose key asks.
        customer_id: Whose account.
        account_id: Which account.
        now: The service's time.
        first_on: Earliest booking date, inclusive.
        last_on: Latest booking date, inclusive.
        limit: Most items.
        cursor: `nextCursor` of the page before.

    Raises:
        RefusedError: 404 unknown; 403 access expired or without the scope; 400 the cursor is not one.
    """
    row = _readable(connection, tenant, customer_id, account_id, "transactions", now)
    table = transactions.c
    own = select(table.number, table.booked_on, table.record_json).where(
        table.customer_id == row.customer_id, table.account_id == row.id, table.tenant_id == tenant.id
    )
    if first_on is not None:
        own = own.where(table.booked_on >= first_on)
    if last_on is not None:
        own = own.where(table.booked_on <= last_on)
    if cursor is not None:
        match = _CURSOR.fullmatch(cursor)
        if match is None:
            raise invalid_request("cursor: not a nextCursor of this list")
        own = own.where(tuple_(table.booked_on, table.number) > tuple_(match[1], int(match[2])))
    rows = connection.execute(own.order_by(table.booked_on, table.number).limit(limit + 1)).all()
    page: dict[str, Any] = {"items": [parse_json(item.record_json) for item in rows[:limit]]}
    if len(rows) > limit:
        page["nextCursor"] = f"{rows[limit - 1].booked_on}.{rows[limit - 1].number}"
    return page


def all_transactions(
    connection: Connection, tenant: Tenant, customer_id: str, account_id: str
) -> list[dict[str, Any]]:
    """Return every transaction held of an account, in order of booking date."""
    table = transactions.c
    own = select(table.record_json).where(
        table.customer_id == customer_id, table.account_id == account_id, table.tenant_id == tenant.id
    )
    return [parse_json(text) for text in connection.scalars(own.order_by(table.booked_on, table.number))]


def account_record(row: Row[Any]) -> dict[str, Any]:
    """Return an account as the interface tells it, numbers masked."""
    record = {
        "id": row.id,
        "bankId": row.bank_id,
        "bankName": row.bank_name,
        "accountHolderName": row.holder_name,
        "accountNumber": mask_number(row.account_number),
        "sortCode": mask_sort_code(row.sort_code),
        "currency": row.currency,
        "type": row.type,
        "scopes": row.scopes.split(),
        "tokenExpiry": row.expires_at,
    }
    return {name: value for name, value in record.items() if value is not None}


def mask_number(number: str | None) -> str | None:
    """Return an account number of which only the last four characters show."""
    if number is None:
        return None
    return (
        "*" * max(len(number) - _MASKED_TAIL, _MASKED_TAIL) + number[-_MASKED_TAIL:]
        if len(number) > _MASKED_TAIL
        else "*" * _MASKED_TAIL
    )


def mask_sort_code(sort_code: str | None) -> str | None:
    """Return a sort code of which only the last two digits show."""
    if sort_code is None:
        return None
    return f"**-**-{sort_code[-2:]}" if len(sort_code) > _MASKED_TAIL else "**-**-**"


def _own_account(tenant: Tenant, customer_id: str, account_id: str) -> Any:
    return (
        (bank_accounts.c.tenant_id == tenant.id)
        & (bank_accounts.c.customer_id == customer_id)
        & (bank_accounts.c.id == account_id)
    )


def _account_rows(connection: Connection, tenant: Tenant, customer_id: str) -> list[Row[Any]]:
    own = (bank_accounts.c.customer_id == customer_id) & (bank_accounts.c.tenant_id == tenant.id)
    return list(connection.execute(select(bank_accounts).where(own).order_by(bank_accounts.c.position)))


def _identity(row: Row[Any]) -> tuple[str, str | None, str | None, str]:
    return (row.bank_name, row.sort_code, row.account_number, row.currency)


def _readable(
    connection: Connection, tenant: Tenant, customer_id: str, account_id: str, scope: str, now: datetime
) -> Row[Any]:
    customer = find_customer(connection, tenant, customer_id)
    row = None
    if re.fullmatch(r"[A-Za-z0-9_.:-]{1,64}", account_id):
        own = _own_account(tenant, customer.id, account_id)
        row = connection.execute(select(bank_accounts).where(own)).one_or_none()
    if row is None:
        raise not_found("bank account")
    if format_instant(now) >= row.expires_at:
        raise ais_access_expired()
    if scope not in row.scopes.split():
        raise ais_scope_missing(scope)
    return row


def _token(scopes: Iterable[str], now: datetime) -> dict[str, Any]:
    wanted = set(scopes)
    if wanted & {"balances", "transactions"}:
        wanted.add("accounts")
    return {
        "scopes": " ".join(scope for scope in SCOPES if scope in wanted),
        "granted_at": format_instant(now),
        "expires_at": format_instant(now + TOKEN_LIFETIME),
    }


def _link(
    connection: Connection, tenant: Tenant, customer_id: str, account: AccountInput, position: int
) -> str:
    account_id = account.id or str(uuid4())
    own = _own_account(tenant, customer_id, account_id)
    if account.id and connection.scalar(select(func.count()).select_from(bank_accounts).where(own)):
        raise invalid_request("accounts: the customer has an account with that id already")
    connection.execute(
        insert(bank_accounts).values(
            customer_id=customer_id,
            id=account_id,
            tenant_id=tenant.id,
            position=position,
            bank_id=account.bank_id or bank_id_of(account.bank_name),
            bank_name=account.bank_name,
            holder_name=account.account_holder_name,
            account_number=account.account_number,
            sort_code=account.sort_code,
            currency=account.currency,
            type=account.type,
            scopes="",
            granted_at="",
            expires_at="",
        )
    )
    return account_id


def _balance_json(account: AccountInput, now: datetime, place: str) -> str | None:
    given = account.balance
    if given is None or (given.current is None and given.available is None):
        return None
    currency = given.currency or account.currency
    record: dict[str, Any] = {}
    for name, amount in (("current", given.current), ("available", given.available)):
        if amount is not None:
            record[name] = _plain(amount, currency, f"{place}.balance.{name}")
    record["currency"] = currency
    record["asOf"] = _read_as_of(given.as_of, place) if given.as_of else format_instant(now)
    return dump_json(record).decode()


def _read_as_of(text: str, place: str) -> str:
    try:
        return format_instant(parse_instant(text))
    except InputError as error:
        raise invalid_request(f"{place}.balance.asOf: {error}") from None


def _store_transactions(
    connection: Connection,
    tenant: Tenant,
    customer_id: str,
    account_id: str,
    account: AccountInput,
    seen: set[str],
    place: str,
) -> None:
    rows = [
        {
            "tenant_id": tenant.id,
            "customer_id": customer_id,
            "account_id": account_id,
            "booked_on": item.booking_date,
            "record_json": _transaction_json(item, f"{place}.transactions.{number}"),
        }
        for number, item in enumerate(account.transactions)
        if item.id is None or item.id not in seen
    ]
    if rows:
        connection.execute(insert(transactions), rows)


def _transaction_ids(connection: Connection, tenant: Tenant, account: Row[Any]) -> set[str]:
    held = all_transactions(connection, tenant, account.customer_id, account.id)
    return {record["id"] for record in held if "id" in record}


def _transaction_json(item: TransactionInput, place: str) -> str:
    record = {name: value for name, value in item.model_dump(by_alias=True).items() if value is not None}
    record["amount"] = _plain(item.amount, item.currency, f"{place}.amount")
    if item.balance_after is not None:
        record["balanceAfter"] = _plain(item.balance_after, item.currency, f"{place}.balanceAfter")
    return dump_json(record).decode()


def _plain(amount: Any, currency: str, place: str) -> str:
    """Return an amount as the decimal string it was given as, once it is known to fit its currency."""
    try:
        to_minor(amount, currency)
    except InputError as error:
        raise invalid_request(f"{place}: {error}") from None
    return format(amount, "f")
