"""Bank access granted by customers: linking accounts, renewing tokens, and expiry."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, func, insert, select

from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json
from kycpack.models.money import from_minor
from kycpack.service.auth import Tenant
from kycpack.service.bank_reading import (
    SCOPES,
    account_record,
    account_rows,
    own_account,
    scope_ends,
    scopes_in_force,
)
from kycpack.service.banks import bank_id_of
from kycpack.service.customers import find_customer, full_name
from kycpack.service.postings import (
    AccountInput,
    BankAccessInput,
    balance_json,
    change_account,
    store_transactions,
)
from kycpack.service.problems import invalid_request
from kycpack.service.schema import bank_accounts

TOKEN_LIFETIME = timedelta(days=90)
"""Source: interface, "Limits"."""

_MONTHS = 6
_OPENING_MINOR = 120_000
_EACH_MONTH = {
    "current": (
        (0, -95_000, "STANDING ORDER SPECIMEN LETTINGS", "SPECIMEN LETTINGS", ""),
        (11, -31_250, "CARD PAYMENT SPECIMEN GROCERS", "SPECIMEN GROCERS", ""),
        (24, 243_817, "SPECIMEN WORKS LTD SALARY", "SPECIMEN WORKS LTD", "SALA"),
    ),
    "savings": ((2, 410, "GROSS INTEREST", "TEST BANK", "INTE"),),
}
"""What happens in each kind of invented account: days after the first of the month, minor units, text, counterparty, purpose."""


def grant_access(
    connection: Connection, tenant: Tenant, customer_id: str, access: BankAccessInput, now: datetime
) -> list[dict[str, Any]]:
    """Link accounts with a new token, and return the customer's accounts.

    An account that is linked already (same bank, numbers and currency) is renewed: its token, scopes and balance are replaced, and
    transactions with new ids are added. Identical accounts within one grant remain separate.

    Raises:
        RefusedError: The customer is unknown, or an amount has more decimals than its currency.
    """
    customer = find_customer(connection, tenant, customer_id, lock=True)
    rows = account_rows(connection, tenant, customer.id)
    held = {(row.bank_name, row.sort_code, row.account_number, row.currency): row for row in rows}
    position = len(rows)
    for index, account in enumerate(access.accounts):
        place = f"accounts.{index}."
        key = (account.bank_name, account.sort_code, account.account_number, account.currency)
        known = held.pop(key, None) if account.account_number else None
        if known is None:
            known = _link(connection, tenant, customer.id, account, position)
            position += 1
        values: dict[str, Any] = _token(access.scopes, now)
        if account.balance is not None:
            values["balance_json"] = balance_json(account.balance, account.currency, now, place)
        change_account(connection, known, **values)
        store_transactions(connection, known, account.transactions, place)
    return [account_record(row, now) for row in account_rows(connection, tenant, customer.id)]


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
    """Grant scopes of linked accounts for 90 days from now; return the number of accounts.

    A scope of an earlier grant that is not in this one is not extended: it ends with the earlier grant.

    Args:
        connection: A writing connection.
        tenant: The customer's organisation.
        customer_id: Customer id.
        scopes: The scopes to grant.
        now: The service's time.
        only: Ids of the accounts to renew; None for all.
        limit: Maximum number of accounts to renew, in order of linking; None for all.
    """
    customer = find_customer(connection, tenant, customer_id, lock=True)
    rows = [row for row in account_rows(connection, tenant, customer.id) if only is None or row.id in only]
    granted = set(scopes)
    for row in rows[:limit]:
        change_account(connection, row, **_token(granted, now, scope_ends(row)))
    return len(rows)


def renew_or_link(
    connection: Connection,
    tenant: Tenant,
    person: Any,
    customer_id: str,
    scopes: Sequence[str],
    now: datetime,
    *,
    limit: int | None = None,
) -> None:
    """Renew a customer's linked accounts, or link accounts with a small generated history.

    Args:
        connection: A writing connection.
        tenant: The organisation.
        person: The row with the name of the holder.
        customer_id: Customer id.
        scopes: The scopes.
        now: The service's time.
        limit: The largest number of accounts; None for no limit.
    """
    if renew_access(connection, tenant, customer_id, scopes, now, limit=limit) == 0:
        holder = full_name(person) or "Account holder"
        access = small_history(holder, tenant.currency, scopes, now.date(), limit, person=customer_id)
        grant_access(connection, tenant, customer_id, access, now)


def valid_accounts(
    connection: Connection, tenant_id: str, customer_id: str, scopes: Iterable[str], now: datetime
) -> list[Row[Any]]:
    """Return the accounts with a valid token that has all of these scopes."""
    own = select(bank_accounts).where(
        bank_accounts.c.customer_id == customer_id,
        bank_accounts.c.tenant_id == tenant_id,
        bank_accounts.c.expires_at > format_instant(now),
    )
    rows = connection.execute(own.order_by(bank_accounts.c.position))
    return [row for row in rows if set(scopes) <= set(scopes_in_force(row, now))]


def end_access(connection: Connection, tenant: Tenant, customer_id: str, now: datetime) -> int:
    """End the access to a customer's linked accounts now, as if the token had expired; return the number of accounts.

    Args:
        connection: A writing connection.
        tenant: The customer's organisation.
        customer_id: Customer id.
        now: The service's time.
    """
    customer = find_customer(connection, tenant, customer_id, lock=True)
    rows = account_rows(connection, tenant, customer.id)
    for row in rows:
        change_account(connection, row, expires_at=format_instant(now), scope_ends_json="{}")
    return len(rows)


def _token(scopes: Iterable[str], now: datetime, before: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the columns of a grant; `before` has the end of each scope granted earlier."""
    wanted = set(scopes)
    if wanted & {"balances", "transactions"}:
        wanted.add("accounts")
    instant, end = format_instant(now), format_instant(now + TOKEN_LIFETIME)
    lasting = {scope: until for scope, until in (before or {}).items() if until > instant}
    return {
        "scopes": " ".join(scope for scope in SCOPES if scope in wanted),
        "granted_at": instant,
        "expires_at": end,
        "scope_ends_json": dump_json({**lasting, **dict.fromkeys(sorted(wanted), end)}).decode(),
    }


def _link(
    connection: Connection, tenant: Tenant, customer_id: str, account: AccountInput, position: int
) -> Row[Any]:
    account_id = account.id or str(uuid4())
    own = own_account(tenant.id, customer_id, account_id)
    if account.id and connection.scalar(select(func.count()).select_from(bank_accounts).where(own)):
        raise invalid_request("accounts: the customer already has an account with that id")
    linked = insert(bank_accounts).values(
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
    return connection.execute(linked.returning(bank_accounts)).one()


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
    sort_code, numbers = _invented_numbers(person, bank_name)
    accounts = [
        _invented_account(bank_name, holder, number, sort_code, currency, kind, today)
        for kind, number in zip(_EACH_MONTH, numbers, strict=True)
    ]
    document = {
        "scopes": [scope for scope in SCOPES if scope in scopes],
        "accounts": accounts[:account_limit],
    }
    return BankAccessInput.read(document)


def _invented_numbers(person: str, bank_name: str) -> tuple[str, tuple[str, str]]:
    """Return an invented sort code of a bank, and a person's account numbers there."""
    bank = int.from_bytes(sha256(bank_name.encode()).digest()[:4], "big")
    own = int.from_bytes(sha256(f"{person}\n{bank_name}".encode()).digest()[:8], "big")
    first = own % 10**8
    return f"00{bank % 10**4:04}", (f"{first:08}", f"{(first + 1 + own // 10**8 % 9_999) % 10**8:08}")


def _invented_account(
    bank: str, holder: str, number: str, sort_code: str, currency: str, kind: str, today: date
) -> dict[str, Any]:
    events = (
        (first + timedelta(days=after), minor, description, name, code)
        for first in _month_starts(today)
        for after, minor, description, name, code in _EACH_MONTH[kind]
    )
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


def _month_starts(today: date) -> Iterator[date]:
    first = today.replace(day=1)
    for _ in range(_MONTHS):
        first = (first - timedelta(days=1)).replace(day=1)
        yield first


def _text(minor: int, currency: str) -> str:
    amount: Decimal = from_minor(minor, currency)
    return format(amount, "f")
