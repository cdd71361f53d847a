"""Who and which accounts a source of wealth statement is about: the customer, the accounts with their balances, and joint and twice linked ones.

A reader of a stream learns who holds its accounts, and what may have come from the customer's other accounts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.models.money import exponent
from kycpack.models.wealth import (
    DataAvailability,
    StatementAccount,
    StatementAccountIdentity,
    StatementCustomer,
)
from kycpack.wealth.judge.account_doubts import linked_twice


def linked_twice_of(set_aside: pd.DataFrame) -> tuple[str, ...]:
    """Return a sentence for each account that was linked twice, with the credits that both links list and that are counted once.

    Args:
        set_aside: The customer's rows of frame `set_aside`.
    """
    return tuple(f"Accounts {doubt.words}." for doubt in linked_twice(set_aside))


def jointly_held(joint: pd.DataFrame) -> tuple[str, ...]:
    """Return a sentence for each joint account; the account's entry in the statement has the holders' names.

    Args:
        joint: From `joint_accounts_of`.
    """
    return tuple(
        f"Account {row.account_id} is a joint account: the data does not show whose income a payment into it is."
        for row in rows(joint, "account_id")
    )


def statement_customer(customers: pd.DataFrame | None, customer_id: str) -> StatementCustomer:
    """Return the customer's fields for a statement; empty if there is no record."""
    mine = [] if customers is None else records(customers[customers["customer_id"] == customer_id])
    row = next(iter(mine), {})
    return StatementCustomer(
        **{name: row[name] for name in ("first_name", "last_name", "city") if _has(row, name)}
    )


def statement_accounts(
    accounts: pd.DataFrame | None,
    balances: pd.DataFrame | None,
    customer_id: str,
    with_transactions: frozenset[str],
) -> list[StatementAccount]:
    """Return the accounts of a statement, in the order in which they were first listed.

    Args:
        accounts: Frame `accounts`.
        balances: Frame `balances`; if an account has several, that of `current_balances` counts.
        customer_id: Customer id.
        with_transactions: Accounts whose transactions were available.
    """
    if accounts is None:
        return []
    # Two sessions, or two responses to one request, may list the same account: the latest response counts.
    latest = {
        str(row["account_id"]): row for row in records(accounts[accounts["customer_id"] == customer_id])
    }
    current = {} if balances is None else current_balances(balances[balances["customer_id"] == customer_id])
    shown = []
    for account_id, row in latest.items():
        balance = current.get(account_id)
        names = {
            "bank_name": "bank_name",
            "account_holder_name": "holder_name",
            "account_number": "account_number",
            "sort_code": "sort_code",
            "currency": "currency",
        }
        identity = {name: str(row[column]) for name, column in names.items() if _has(row, column)}
        fields: dict[str, Any] = {
            "account": StatementAccountIdentity(**identity),
            "data_availability": DataAvailability(
                balance_available=balance is not None, transactions_available=account_id in with_transactions
            ),
        }
        if balance is not None:
            fields["current_balance"] = _major(balance)
        shown.append(StatementAccount(**fields))
    return shown


def current_balances(balances: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the row with the latest known balance of each account, by account id; of balances without a time, the last one.

    Args:
        balances: The customer's rows of frame `balances`.
    """
    if "balance_at" in balances.columns:
        balances = balances.sort_values("balance_at", kind="stable", na_position="first")
    return {
        str(row["account_id"]): row
        for row in records(balances)
        if _has(row, "current_minor") and _has(row, "currency")
    }


def _major(balance: dict[str, Any]) -> Decimal:
    return Decimal(int(balance["current_minor"])).scaleb(-exponent(str(balance["currency"])))


def _has(row: dict[str, Any], name: str) -> bool:
    return name in row and not pd.isna(row[name])


def account_lines(joint: Sequence[Mapping[str, Any]], moved: int, count: int) -> list[str]:
    """Return what a reader has to know about the accounts of a stream, one sentence a line.

    Args:
        joint: The joint accounts among them, rows of `joint_accounts`.
        moved: Number of credits with a debit in another account that may be their other side.
        count: Number of credits in the stream.
    """
    shared = [
        f"Account {one['account_id']} is a joint account ({one['holder_name']}): the data does not show whose income a payment into it is."
        for one in joint
    ]
    what = "a transfer" if moved == 1 else "transfers"
    own = f"{moved} of the {count} credits may be {what} between the customer's own accounts and not income: another account has a debit that fits."
    return [*shared, *([own] if moved else [])]
