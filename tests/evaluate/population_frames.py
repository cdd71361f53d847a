"""A population as frames, as a bank would give its transactions and accounts: what a method is measured on, without a service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from kycpack.synthetic import Account, Population
from kycpack.synthetic.truth_frames import CustomerIds, own_ids


def to_transactions_frame(
    population: Population, ids: Mapping[str, CustomerIds] | None = None
) -> pd.DataFrame:
    """Return every transaction in the columns of the normal form, one row each.

    Args:
        population: Customers with accounts.
        ids: Ids by customer key; None for the population's own keys.

    Returns:
        Plain pandas columns: strings, int64 minor units (plus is into the account), datetime64[s] dates.
    """
    known = ids or own_ids(population)
    rows = []
    for customer_id, account_id, account in _accounts(population, known):
        for posting in account.postings:
            movement = posting.movement
            rows.append(
                (
                    customer_id,
                    account_id,
                    posting.txn_id,
                    movement.booked_on,
                    movement.value_on or movement.booked_on,
                    movement.status,
                    movement.amount_minor,
                    account.currency,
                    posting.balance_after_minor,
                    movement.text,
                    movement.counterparty_name,
                    movement.merchant_name,
                    movement.counterparty_account,
                    movement.bank_code,
                    movement.purpose,
                    movement.mcc,
                    None,
                    "truth",
                )
            )
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


def to_accounts_frame(population: Population) -> pd.DataFrame:
    """Return the accounts, one row each, with full numbers: account_id, customer_id, bank_name, account_holder_name and so on."""
    rows = [
        (
            customer_id,
            account_id,
            account.bank,
            account.holder,
            account.number,
            account.sort_code,
            account.currency,
        )
        for customer_id, account_id, account in _accounts(population, own_ids(population))
    ]
    names = (
        "customer_id",
        "account_id",
        "bank_name",
        "account_holder_name",
        "account_number",
        "sort_code",
        "currency",
    )
    return pd.DataFrame(rows, columns=list(names)).astype("str")


_COLUMNS = {
    "customer_id": "str",
    "account_id": "str",
    "txn_id": "str",
    "booked_on": "datetime64[s]",
    "value_on": "datetime64[s]",
    "status": "str",
    "amount_minor": "int64",
    "currency": "str",
    "balance_after_minor": "Int64",
    "description_raw": "str",
    "counterparty_name": "str",
    "merchant_name": "str",
    "counterparty_account": "str",
    "bank_code": "str",
    "purpose": "str",
    "mcc": "str",
    "proprietary_code": "str",
    "evidence_id": "str",
}


def _accounts(population: Population, ids: Mapping[str, CustomerIds]) -> Iterator[tuple[str, str, Account]]:
    for plan in population.customers:
        known = ids[plan.key]
        for account in plan.accounts:
            yield known.customer_id, known.accounts[account.key], account
