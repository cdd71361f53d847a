"""A population as frames: transactions in the normal form, and the truth about every credit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from kycpack.synthetic.records import Account, CustomerPlan, Population, Truth

_TWO_MAKE_A_RHYTHM = frozenset({"annual"})


@dataclass(frozen=True)
class CustomerIds:
    """Ids that a service assigned to one customer's records.

    Args:
        customer_id: Customer id.
        accounts: Account ids by the population's account key.
        session_ids: In the order of the plan's sessions.
        payment_ids: In the order of the plan's payments.
    """

    customer_id: str
    accounts: Mapping[str, str]
    session_ids: tuple[str, ...] = ()
    payment_ids: tuple[str, ...] = ()


def own_ids(population: Population) -> dict[str, CustomerIds]:
    """Return the population's own keys as ids, for evaluation without a service."""
    return {
        plan.key: CustomerIds(
            plan.key, {account.key: f"{plan.key}-{account.key}" for account in plan.accounts}
        )
        for plan in population.customers
    }


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
    for plan, account in _accounts(population):
        customer_id, account_id = _names(plan, account, known)
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
    ids = own_ids(population)
    rows = [
        (
            *_names(plan, account, ids),
            account.bank,
            account.holder,
            account.number,
            account.sort_code,
            account.currency,
        )
        for plan, account in _accounts(population)
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


def to_credit_truth(population: Population, ids: Mapping[str, CustomerIds] | None = None) -> pd.DataFrame:
    """Return the truth about every credit, booked or not.

    Returns:
        customer_id, account_id, txn_id, booked_on, amount_minor, currency, status, disposition (of the statement's
        vocabulary, and duplicate or pending for those set aside), stream_id, rule, type, and the debit of a pair as pair_account_id, pair_txn_id.
    """
    known = ids or own_ids(population)
    rows = []
    for plan in population.customers:
        partners = _partners(plan)
        for account in plan.accounts:
            customer_id, account_id = _names(plan, account, known)
            for posting in account.postings:
                movement = posting.movement
                if movement.amount_minor <= 0:
                    continue
                truth = movement.truth or Truth("unexplained")
                disposition = "duplicate" if account.duplicate_of else truth.disposition
                if movement.status != "booked":
                    disposition = movement.status
                stream = f"{customer_id}:{truth.stream}" if truth.stream and disposition == "stream" else None
                rows.append(
                    (
                        customer_id,
                        account_id,
                        posting.txn_id,
                        movement.booked_on,
                        movement.amount_minor,
                        account.currency,
                        movement.status,
                        disposition,
                        stream,
                        truth.rule,
                        truth.type,
                        *_partner_names(partners.get((account.key, posting.txn_id)), known[plan.key]),
                    )
                )
    return pd.DataFrame(rows, columns=list(_CREDIT_COLUMNS)).astype(_CREDIT_COLUMNS)


def to_stream_truth(credit_truth: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each true stream of `to_credit_truth`.

    Returns:
        stream_id, customer_id, currency, type, rule, cadence, count, total_minor, first_on, last_on. `rule` is the payer's
        cadence; `cadence` is `irregular` if there are fewer than three payments (annual: two).
    """
    rows = credit_truth[credit_truth["stream_id"].notna()]
    streams = rows.groupby("stream_id", as_index=False, sort=True).agg(
        customer_id=("customer_id", "first"),
        currency=("currency", "first"),
        type=("type", "first"),
        rule=("rule", "first"),
        count=("txn_id", "size"),
        total_minor=("amount_minor", "sum"),
        first_on=("booked_on", "min"),
        last_on=("booked_on", "max"),
    )
    needed = streams["rule"].isin(_TWO_MAKE_A_RHYTHM).map({True: 2, False: 3})
    streams.insert(5, "cadence", streams["rule"].where(streams["count"] >= needed, "irregular"))
    return streams


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

_CREDIT_COLUMNS = {
    "customer_id": "str",
    "account_id": "str",
    "txn_id": "str",
    "booked_on": "datetime64[s]",
    "amount_minor": "int64",
    "currency": "str",
    "status": "str",
    "disposition": "str",
    "stream_id": "str",
    "rule": "str",
    "type": "str",
    "pair_account_id": "str",
    "pair_txn_id": "str",
}


def _accounts(population: Population) -> list[tuple[CustomerPlan, Account]]:
    return [(plan, account) for plan in population.customers for account in plan.accounts]


def _names(plan: CustomerPlan, account: Account, ids: Mapping[str, CustomerIds]) -> tuple[str, str]:
    known = ids[plan.key]
    return known.customer_id, known.accounts[account.key]


def _partner_names(partner: tuple[str, str] | None, ids: CustomerIds) -> tuple[str | None, str | None]:
    return (ids.accounts[partner[0]], partner[1]) if partner else (None, None)


def _partners(plan: CustomerPlan) -> dict[tuple[str, str], tuple[str, str]]:
    """Return, for each credit of a pair, the account key and transaction id of its debit."""
    debits = {
        posting.movement.truth.pair: (account.key, posting.txn_id)
        for account in plan.accounts
        if not account.duplicate_of
        for posting in account.postings
        if posting.movement.truth and posting.movement.truth.pair and posting.movement.amount_minor < 0
    }
    return {
        (account.key, posting.txn_id): debits[posting.movement.truth.pair]
        for account in plan.accounts
        for posting in account.postings
        if posting.movement.truth
        and posting.movement.amount_minor > 0
        and posting.movement.status == "booked"
        and posting.movement.truth.pair in debits
    }
