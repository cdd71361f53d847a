"""Reads bank data that customers have granted access to: accounts with masked numbers, balances, pages of transactions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, tuple_

from kycpack.models.instants import format_instant
from kycpack.models.json import parse_json
from kycpack.service.auth import Tenant
from kycpack.service.customers import find_customer
from kycpack.service.problems import invalid_request, not_found, refusal
from kycpack.service.rows import page_of, present, require_row
from kycpack.service.schema import bank_accounts, transactions

SCOPES = ("accounts", "balances", "transactions")
"""The scopes that a customer can grant."""

LARGEST_PAGE = 500
USUAL_PAGE = 100
_MASKED_TAIL = 4
_CURSOR = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.([0-9]{1,18})")


def list_accounts(connection: Connection, tenant: Tenant, customer_id: str, now: datetime) -> dict[str, Any]:
    """Return the linked accounts of a customer, including those with an expired token."""
    customer = find_customer(connection, tenant, customer_id)
    return {"items": [account_record(row, now) for row in account_rows(connection, tenant, customer.id)]}


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


def list_transactions(  # noqa: PLR0913 - one argument for each query parameter
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
        tenant: The organisation of the key.
        customer_id: Customer id.
        account_id: Account id.
        now: The service's time.
        first_on: Earliest booking date, inclusive.
        last_on: Latest booking date, inclusive.
        limit: Maximum number of items.
        cursor: `nextCursor` of the previous page.

    Raises:
        RefusedError: 404 unknown; 403 access expired or without the scope; 400 the cursor is not valid.
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
            raise invalid_request("cursor: not a valid nextCursor of this list")
        own = own.where(tuple_(table.booked_on, table.number) > tuple_(match[1], int(match[2])))
    rows = connection.execute(own.order_by(table.booked_on, table.number).limit(limit + 1)).all()
    items = masked_records(item.record_json for item in rows[:limit])
    return page_of(items, rows, limit, "booked_on", "number")


def bank_of_account(connection: Connection, tenant: Tenant, customer_id: str, account_id: str) -> str:
    """Return the bank id of an account that is known to exist."""
    own = own_account(tenant.id, customer_id.lower(), account_id)
    return str(connection.execute(select(bank_accounts.c.bank_id).where(own)).scalar_one())


def stored_transactions(
    connection: Connection, tenant_id: str, customer_id: str, account_id: str
) -> Sequence[str]:
    """Return all transactions of an account as stored, in order of booking date; counterparties' account numbers are not masked."""
    table = transactions.c
    own = select(table.record_json).where(
        table.customer_id == customer_id, table.account_id == account_id, table.tenant_id == tenant_id
    )
    return connection.scalars(own.order_by(table.booked_on, table.number)).all()


def scope_ends(row: Row[Any]) -> dict[str, str]:
    """Return the end of each scope of an account's row: each lasts as long as the grant that included it."""
    if row.scope_ends_json is None:
        return dict.fromkeys(row.scopes.split(), row.expires_at)
    return dict(parse_json(row.scope_ends_json))


def scopes_in_force(row: Row[Any], now: datetime) -> list[str]:
    """Return the scopes of an account that are in force at an instant."""
    instant, ends = format_instant(now), scope_ends(row)
    return [scope for scope in SCOPES if ends.get(scope, "") > instant]


def account_record(row: Row[Any], now: datetime) -> dict[str, Any]:
    """Return an account as in the interface, with masked numbers; without valid access, with the scopes of the last grant."""
    return present(
        {
            "id": row.id,
            "bankId": row.bank_id,
            "bankName": row.bank_name,
            "accountHolderName": row.holder_name,
            "accountNumber": mask_number(row.account_number),
            "sortCode": mask_sort_code(row.sort_code),
            "currency": row.currency,
            "type": row.type,
            "scopes": scopes_in_force(row, now) or row.scopes.split(),
            "tokenExpiry": row.expires_at,
        }
    )


def masked_records(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Return stored transactions for an answer: of a counterparty's account number only the end is shown."""
    records: list[dict[str, Any]] = parse_json(f"[{','.join(texts)}]".encode())
    for record in records:
        if "counterpartyAccount" in record:
            record["counterpartyAccount"] = mask_number(record["counterpartyAccount"])
    return records


def mask_number(number: str | None) -> str | None:
    """Return an account number with all but the last four characters masked."""
    if number is None:
        return None
    return (
        "*" * max(len(number) - _MASKED_TAIL, _MASKED_TAIL) + number[-_MASKED_TAIL:]
        if len(number) > _MASKED_TAIL
        else "*" * _MASKED_TAIL
    )


def mask_sort_code(sort_code: str | None) -> str | None:
    """Return a sort code with all but the last two digits masked."""
    if sort_code is None:
        return None
    return f"**-**-{sort_code[-2:]}" if len(sort_code) > _MASKED_TAIL else "**-**-**"


def own_account(tenant_id: str, customer_id: str, account_id: str) -> Any:
    """Return the SQL condition for one account of an organisation's customer."""
    return (
        (bank_accounts.c.tenant_id == tenant_id)
        & (bank_accounts.c.customer_id == customer_id)
        & (bank_accounts.c.id == account_id)
    )


def account_rows(connection: Connection, tenant: Tenant, customer_id: str) -> list[Row[Any]]:
    """Return the rows of a customer's accounts, in order of linking."""
    own = (bank_accounts.c.customer_id == customer_id) & (bank_accounts.c.tenant_id == tenant.id)
    return list(connection.execute(select(bank_accounts).where(own).order_by(bank_accounts.c.position)))


def _readable(
    connection: Connection, tenant: Tenant, customer_id: str, account_id: str, scope: str, now: datetime
) -> Row[Any]:
    customer = find_customer(connection, tenant, customer_id)
    wanted = select(bank_accounts).where(own_account(tenant.id, customer.id, account_id))
    is_id = re.fullmatch(r"[A-Za-z0-9_.:-]{1,64}", account_id)
    row = require_row(connection, wanted if is_id else None, "bank account")
    in_force = scopes_in_force(row, now)
    # Access that was ended during this request has no scope left, although it ends after the request's own time.
    if format_instant(now) >= row.expires_at or not in_force:
        raise refusal("ais_access_expired")
    if scope not in in_force:
        raise refusal("ais_scope_missing", scope)
    return row
