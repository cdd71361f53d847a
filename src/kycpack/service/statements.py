"""Source of wealth statements: what the toolkit derives from bank transactions, over the bank data that the service holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row

from kycpack.models.instants import format_instant
from kycpack.models.json import parse_json
from kycpack.models.money import from_minor, to_minor
from kycpack.models.wealth import SourceOfWealth
from kycpack.service.auth import Tenant
from kycpack.service.bank_access import valid_accounts
from kycpack.service.bank_reading import (
    account_rows,
    all_transactions,
    mask_number,
    mask_sort_code,
    scopes_in_force,
)
from kycpack.service.customers import address_of, find_customer
from kycpack.service.payments import find_payment
from kycpack.service.problems import RefusedError, statement_not_found

if TYPE_CHECKING:
    import pandas as pd

_COUNTRY = "GB"


@dataclass(frozen=True, slots=True)
class DerivedStatement:
    """A statement with what the interface has no place for.

    Attributes:
        statement: As the interface has it.
        currencies: ISO 4217 code of each source, the primary one first.
    """

    statement: SourceOfWealth
    currencies: tuple[str, ...]


def make_statement(
    connection: Connection,
    tenant: Tenant,
    customer_id: str,
    now: datetime,
    *,
    payment_id: str | None = None,
    merchant_id: str | None = None,
) -> DerivedStatement:
    """Derive a statement from all history that valid access with balances or transactions gives.

    Args:
        connection: For reading.
        tenant: Whose key asks; its id is the only `merchantId` that is known.
        customer_id: The customer that the statement is about.
        now: The service's time; `generatedAt`.
        payment_id: The payment whose amount the statement carries.
        merchant_id: `merchantId` of the query.

    Returns:
        The statement, and the currency of each of its sources.

    Raises:
        RefusedError: 404 for an unknown customer, payment or merchant, and for no readable AIS data.
    """
    customer, payment = _find(connection, tenant, customer_id, payment_id, merchant_id)
    accounts = [
        row
        for row in valid_accounts(connection, tenant.id, customer.id, ("accounts",), now)
        if {"balances", "transactions"} & set(scopes_in_force(row, now))
    ]
    if not accounts:
        raise statement_not_found(_why_unreadable(connection, tenant, customer.id, now))
    from kycpack.wealth import derive  # noqa: PLC0415 - pandas is slow to import, and only statements need it

    wealth = derive(
        _transactions_frame(connection, tenant, accounts, now),
        customers=_customers_frame(customer),
        accounts=_accounts_frame(accounts, now),
        balances=_balances_frame(accounts, now),
        country=address_of(customer).get("country") or _COUNTRY,
        as_of=now,
    )
    amount = from_minor(payment.amount_minor, payment.currency) if payment is not None else None
    return DerivedStatement(
        _complete(wealth.statement(customer.id), amount, now), wealth.statement_currencies(customer.id)
    )


def _why_unreadable(connection: Connection, tenant: Tenant, customer_id: str, now: datetime) -> str:
    held = account_rows(connection, tenant, customer_id)
    if not held:
        return "accounts"
    return "scope" if any(scopes_in_force(row, now) for row in held) else "expired"


def _find(
    connection: Connection, tenant: Tenant, customer_id: str, payment_id: str | None, merchant_id: str | None
) -> tuple[Row[Any], Row[Any] | None]:
    try:
        customer = find_customer(connection, tenant, customer_id)
    except RefusedError:
        raise statement_not_found("customer") from None
    try:
        payment = None if payment_id is None else find_payment(connection, tenant.id, payment_id)
    except RefusedError:
        raise statement_not_found("payment") from None
    if payment is not None and payment.customer_id != customer.id:
        raise statement_not_found("payment")
    if merchant_id is not None and merchant_id != tenant.id:
        raise statement_not_found("merchant")
    return customer, payment


def _complete(statement: SourceOfWealth, amount: Decimal | None, now: datetime) -> SourceOfWealth:
    known = {} if amount is None else {"payment_amount": amount}
    return statement.model_copy(update={"generated_at": format_instant(now), **known})


def _transactions_frame(
    connection: Connection, tenant: Tenant, accounts: Sequence[Row[Any]], now: datetime
) -> pd.DataFrame:
    from kycpack.frames.transactions import read_transaction  # noqa: PLC0415 - pandas is slow to import

    rows: list[dict[str, Any]] = []
    for account in accounts:
        if "transactions" not in scopes_in_force(account, now):
            continue
        seen: dict[str, int] = {}
        for number, record in enumerate(
            all_transactions(connection, tenant, account.customer_id, account.id)
        ):
            row = read_transaction(record)
            txn_id = row.pop("txn_id") or f"row-{number}"
            seen[txn_id] = seen.get(txn_id, 0) + 1
            unique = txn_id if seen[txn_id] == 1 else f"{txn_id}#{seen[txn_id]}"
            rows.append(
                {
                    "customer_id": account.customer_id,
                    "account_id": account.id,
                    "txn_id": unique,
                    "evidence_id": "",
                    **row,
                }
            )
    return _frame(rows, "transactions")


def _customers_frame(customer: Row[Any]) -> pd.DataFrame:
    row = {
        "customer_id": customer.id,
        "first_name": customer.first_name,
        "last_name": customer.last_name,
        "city": address_of(customer).get("city"),
        "evidence_id": "",
    }
    return _frame([row], "customers")


def _accounts_frame(accounts: Sequence[Row[Any]], now: datetime) -> pd.DataFrame:
    rows = [
        {
            "customer_id": row.customer_id,
            "account_id": row.id,
            "bank_id": row.bank_id,
            "bank_name": row.bank_name,
            "holder_name": row.holder_name,
            "account_number": mask_number(row.account_number),
            "sort_code": mask_sort_code(row.sort_code),
            "currency": row.currency,
            "type": row.type,
            "scopes": " ".join(scopes_in_force(row, now)),
            "token_expires_at": row.expires_at,
            "evidence_id": "",
        }
        for row in accounts
    ]
    return _frame(rows, "accounts")


def _balances_frame(accounts: Sequence[Row[Any]], now: datetime) -> pd.DataFrame:
    rows = []
    for row in accounts:
        if row.balance_json is None or "balances" not in scopes_in_force(row, now):
            continue
        balance = parse_json(row.balance_json)
        minors = {
            f"{name}_minor": to_minor(balance[name], balance["currency"])
            for name in ("current", "available")
            if name in balance
        }
        rows.append(
            {
                "customer_id": row.customer_id,
                "account_id": row.id,
                "currency": balance["currency"],
                "balance_at": balance["asOf"],
                "evidence_id": "",
                **minors,
            }
        )
    return _frame(rows, "balances")


def _frame(rows: list[dict[str, Any]], name: str) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415 - slow to import, and only statements need it

    from kycpack.frames.schema import conform, empty  # noqa: PLC0415 - as above

    return conform(name, pd.DataFrame(rows)) if rows else empty(name)
