"""The truth about every credit of a population, as frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from kycpack.synthetic.records import CustomerPlan, Population, Truth

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


def to_credit_truth(population: Population, ids: Mapping[str, CustomerIds] | None = None) -> pd.DataFrame:
    """Return the truth about every credit, booked or not.

    Returns:
        customer_id, account_id, txn_id, booked_on, amount_minor, currency, status, disposition (of the statement's
        vocabulary, and duplicate or pending for those set aside), stream_id, rule, type, and the debit of a pair as pair_account_id, pair_txn_id.
    """
    all_ids = ids or own_ids(population)
    rows = []
    for plan in population.customers:
        known, partners = all_ids[plan.key], _partners(plan)
        for account in plan.accounts:
            for posting in account.postings:
                movement = posting.movement
                if movement.amount_minor <= 0:
                    continue
                truth = movement.truth or Truth("unexplained")
                disposition = "duplicate" if account.duplicate_of else truth.disposition
                if movement.status != "booked":
                    disposition = movement.status
                stream = (
                    f"{known.customer_id}:{truth.stream}"
                    if truth.stream and disposition == "stream"
                    else None
                )
                partner_key, partner_txn_id = partners.get((account.key, posting.txn_id), ("", None))
                rows.append(
                    (
                        known.customer_id,
                        known.accounts[account.key],
                        posting.txn_id,
                        movement.booked_on,
                        movement.amount_minor,
                        account.currency,
                        movement.status,
                        disposition,
                        stream,
                        truth.rule,
                        truth.type,
                        known.accounts.get(partner_key),
                        partner_txn_id,
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
