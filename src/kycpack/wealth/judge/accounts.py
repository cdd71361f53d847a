"""The accounts of a customer: those that a source of wealth statement is about, and what is doubtful about them.

A statement has the customer, the accounts with their balances, and joint and twice linked ones. Doubtful is whether two accounts are one, and whether months of a
busy one are missing from the data. A reader of a stream learns who holds its accounts, and what may have come from the customer's other accounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.frames.rows import plain_rows, records, rows
from kycpack.models.dates import day_words
from kycpack.models.listed import counted, listed
from kycpack.models.money import format_minor, from_minor
from kycpack.models.wealth import (
    DataAvailability,
    StatementAccount,
    StatementAccountIdentity,
    StatementCustomer,
)
from kycpack.wealth.prepare.feed_holes import HOLE, MONTH_DAYS

LINKED_TWICE, SILENT = "linked_twice", "silent_account"
POSSIBLE, CERTAIN, QUIET = "possible", "certain", "quiet"
_JOINED = "the balances before and after join, which does not rule out missing rows"  # a bank may work them out from the rows that it gives


@dataclass(frozen=True)
class AccountDoubt:
    """A doubt about an account.

    Args:
        customer_id: Customer id.
        account_ids: The account and the one that it may be, or the accounts that are silent at the same time.
        code: `linked_twice` or `silent_account`.
        verdict: Of accounts `certain` or `possible`; of a silent time `hole`, `quiet` or `possible`.
        words: A plain sentence without a full stop.
        total_minor: The sum in the sentence, minor units.
        own_minor: The part of the credits in the sentence that is own transfers, minor units.
        currency: ISO 4217; empty where there is no sum.
        evidence_ids: The entries of the credits that show it, in both accounts.
        ends_on: Of a silent time the days of the transactions before and after it.
    """

    customer_id: str
    account_ids: tuple[str, ...]
    code: str
    verdict: str
    words: str
    own_minor: int = 0
    total_minor: int = 0
    currency: str = ""
    evidence_ids: tuple[str, ...] = ()
    ends_on: tuple[pd.Timestamp, ...] = ()


def account_doubts_of(
    credits_: pd.DataFrame, set_aside: pd.DataFrame, feed_holes: pd.DataFrame, quiet_times: pd.DataFrame
) -> Iterator[AccountDoubt]:
    """Yield all doubts about the accounts of all customers in these frames of a derivation."""
    yield from linked_twice(set_aside)
    yield from maybe_linked_twice(credits_)
    yield from _silent_accounts(feed_holes, quiet_times)


def maybe_linked_twice(credits_: pd.DataFrame) -> Iterator[AccountDoubt]:
    """Yield the accounts with credits that may repeat credits of another account, or of the same account.

    Args:
        credits_: Frame `credits`.
    """
    names = (
        "customer_id",
        "account_id",
        "txn_id",
        "booked_on",
        "amount_minor",
        "currency",
        "may_repeat_txn_id",
        "evidence_id",
        "disposition",
    )
    if credits_["may_repeat_txn_id"].isna().all():
        return
    every = plain_rows(credits_, *names)
    shown_in: dict[tuple[Any, ...], set[str]] = {}
    entry_of = {(one.customer_id, str(one.account_id), one.txn_id): one.evidence_id for one in every}
    for one in every:
        key = one.customer_id, one.txn_id, one.booked_on, one.amount_minor
        shown_in.setdefault(key, set()).add(str(one.account_id))
    found: dict[tuple[str, str, str, str], list[Any]] = {}
    for one in every:
        if not pd.isna(one.may_repeat_txn_id):
            account = str(one.account_id)
            accounts = shown_in[one.customer_id, one.may_repeat_txn_id, one.booked_on, one.amount_minor]
            other = min(accounts - {account}, default=account)
            found.setdefault((one.customer_id, account, other, str(one.currency)), []).append(one)
    for (customer, account, other, currency), mine in sorted(found.items()):
        count, total = _count_and_total(mine, currency)
        entries = [one.evidence_id for one in mine]
        entries += [entry_of.get((customer, other, one.may_repeat_txn_id)) for one in mine]
        why = (
            f"{account} and {other} may be one account that was linked twice"
            if account != other
            else f"The bank may have given payments of {account} twice"
        )
        yield AccountDoubt(
            customer,
            tuple(dict.fromkeys((account, other))),
            LINKED_TWICE,
            POSSIBLE,
            f"{why}: {count}, {total} in all, may be counted twice",
            sum(one.amount_minor for one in mine if one.disposition == "own_transfer"),
            sum(one.amount_minor for one in mine),
            currency,
            tuple(sorted({str(one) for one in entries if not pd.isna(one)})),
        )


def linked_twice(set_aside: pd.DataFrame) -> Iterator[AccountDoubt]:
    """Yield the accounts of which the number shows that they are two links to one, with the credits that both list and that are counted once.

    Args:
        set_aside: Frame `set_aside`.
    """
    names = ("customer_id", "account_id", "kept_account_id", "currency", "amount_minor", "disposition")
    both: dict[tuple[str, str, str, str], list[Any]] = {}
    for row in plain_rows(set_aside, *names):
        if row.disposition == "duplicate" and row.kept_account_id != row.account_id:
            key = row.customer_id, str(row.kept_account_id), str(row.account_id), str(row.currency)
            both.setdefault(key, []).append(row)
    for (customer, kept, other, currency), mine in both.items():
        count, total = _count_and_total(mine, currency)
        words = f"{kept} and {other} are two links to one account: {count} of {total} in all, which both list, {'is' if len(mine) == 1 else 'are'} counted once"
        yield AccountDoubt(customer, (kept, other), LINKED_TWICE, CERTAIN, words, currency=currency)


def _silent_accounts(feed_holes: pd.DataFrame, quiet_times: pd.DataFrame) -> Iterator[AccountDoubt]:
    """Yield the times of a month or longer without any transaction in accounts where some are usual; accounts with the same times together."""
    names = ("customer_id", "account_id", "from_on", "to_on", "days", "usual_count")
    found: dict[tuple[Any, ...], list[Any]] = {}
    for row in plain_rows(feed_holes, *names, "verdict", "reason"):
        if row.days >= MONTH_DAYS:
            verdict = HOLE if row.verdict == HOLE else POSSIBLE
            found.setdefault((row.customer_id, row.from_on, row.to_on, verdict, row.reason), []).append(row)
    for row in plain_rows(quiet_times, *names):
        found.setdefault((row.customer_id, row.from_on, row.to_on, QUIET, _JOINED), []).append(row)
    for (customer, from_on, to_on, verdict, why), mine in found.items():
        accounts = tuple(str(one.account_id) for one in mine)
        days = f"between {day_words(from_on)} and {day_words(to_on)}"
        usual = max(one.usual_count for one in mine)
        words = f"No transaction of {listed(accounts)} {days}, where about {usual} are usual ({why})"
        yield AccountDoubt(customer, accounts, SILENT, verdict, words, ends_on=(from_on, to_on))


def _count_and_total(mine: list[Any], currency: str) -> tuple[str, str]:
    return counted(len(mine), "credit"), format_minor(sum(one.amount_minor for one in mine), currency)


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
            fields["current_balance"] = from_minor(balance["current_minor"], str(balance["currency"]))
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
