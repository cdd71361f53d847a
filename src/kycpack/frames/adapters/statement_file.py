"""A bank's export after reading: its rows, its sums, and whether its balances reconcile."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, TypeVar

import pandas as pd

from kycpack.errors import InputError, StatementFileError
from kycpack.frames.adapters.balance_chain import BalanceStep, Break, Chain, chain_balances
from kycpack.frames.adapters.result import OnMisfit
from kycpack.frames.schema import conform, empty
from kycpack.frames.transactions import MisfitError, TransactionIds
from kycpack.models.money import format_minor, from_minor

Record = TypeVar("Record")

_OPTIONAL = (
    "value_on",
    "counterparty_name",
    "counterparty_account",
    "bank_code",
    "purpose",
    "proprietary_code",
)


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One transaction of the export.

    Args:
        line: Line of the file on which it starts, from 1.
        booked_on: Booking date at the bank.
        amount_minor: Minor units, plus is into the account.
        currency: ISO 4217 code.
        description: The text as in the file.
        balance_after_minor: Running balance after it in minor units, if the file has one.
        account: The account in the file, hashed if it is a number; None if the file names none.
        txn_id: The bank's id, if there is one; otherwise `read_rows` fills it.
        status: A status of the normal form.
        value_on: Value date.
        counterparty_name: The counterparty.
        counterparty_account: The counterparty's account, hashed.
        bank_code: ISO 20022 domain-family-subfamily.
        purpose: ISO 20022 purpose code.
        proprietary_code: The bank's own code for the kind of transaction.
        statement: Number of the statement within the file, from 0.
    """

    line: int
    booked_on: date
    amount_minor: int
    currency: str
    description: str
    balance_after_minor: int | None = None
    account: str | None = None
    txn_id: str = ""
    status: str = "booked"
    value_on: date | None = None
    counterparty_name: str | None = None
    counterparty_account: str | None = None
    bank_code: str | None = None
    purpose: str | None = None
    proprietary_code: str | None = None
    statement: int = 0


@dataclass(frozen=True, slots=True)
class Reject:
    """A record of the file that did not become a row.

    Args:
        line: Line of the file on which it starts, from 1.
        reason: Why not, without the values of the record.
    """

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClosingBreak:
    """A statement whose closing balance is not its opening balance and its entries.

    Args:
        line: Line of the closing balance.
        currency: ISO 4217 code.
        comes_to_minor: Opening balance and entries, minor units.
        closing_minor: The closing balance, minor units.
    """

    line: int
    currency: str
    comes_to_minor: int
    closing_minor: int

    def describe(self) -> str:
        """Return it as a sentence that names the line."""
        return (
            f"the closing balance on line {self.line} is {format_minor(self.closing_minor, self.currency)}, "
            f"but the opening balance and the entries come to {format_minor(self.comes_to_minor, self.currency)}"
        )


@dataclass(frozen=True)
class StatementFile:
    """A bank's export: every record is a row or a reject.

    Args:
        name: Name of the file, for messages.
        layout: Name of the layout that it was read with.
        rows: One for each transaction, in the order of the file.
        rejects: One for each record that is not a transaction or does not fit.
        unread_columns: Header names that the layout does not use.
        stated_currency: The currency from the layout or the caller, for a file without rows.
        closing_breaks: Statements whose closing balance is not the opening balance and the entries.
    """

    name: str
    layout: str
    rows: tuple[StatementRow, ...]
    rejects: tuple[Reject, ...] = ()
    unread_columns: tuple[str, ...] = ()
    stated_currency: str | None = None
    closing_breaks: tuple[ClosingBreak, ...] = ()

    @property
    def currency(self) -> str:
        """ISO 4217 code of every amount.

        Raises:
            StatementFileError: There are several, or the file has none.
        """
        found: set[str | None] = {row.currency for row in self.rows}
        found = found or {self.stated_currency}
        if len(found) > 1:
            raise StatementFileError(f"has {len(found)} currencies where one was expected", place=self.name)
        (currency,) = found
        if currency is None:
            raise StatementFileError("has no currency and no rows", place=self.name)
        return currency

    @property
    def credits_minor(self) -> int:
        """Sum of money in, minor units."""
        return sum(row.amount_minor for row in self.rows if self.currency and row.amount_minor > 0)

    @property
    def debits_minor(self) -> int:
        """Sum of money out, minor units, as a positive number."""
        return -sum(row.amount_minor for row in self.rows if self.currency and row.amount_minor < 0)

    @cached_property
    def chains(self) -> dict[tuple[str | None, str], Chain]:
        """The chained running balances by account and currency; only booked rows with a balance are used."""
        steps: defaultdict[tuple[str | None, str], list[BalanceStep]] = defaultdict(list)
        for row in self.rows:
            after = row.balance_after_minor
            if after is not None and row.status == "booked":
                steps[row.account, row.currency].append(
                    BalanceStep(row.line, row.booked_on, after - row.amount_minor, after)
                )
        found = {key: chain_balances(listed) for key, listed in steps.items()}
        return {key: chain for key, chain in found.items() if chain is not None}

    @property
    def chain(self) -> Chain | None:
        """The chain of the only account; None if the file has no balances, or several accounts or currencies."""
        return next(iter(self.chains.values())) if len(self.chains) == 1 else None

    @property
    def breaks(self) -> tuple[Break, ...]:
        """Places where a running balance does not continue; empty when all balances reconcile or there are none."""
        return tuple(one for chain in self.chains.values() for one in chain.breaks)

    def describe_breaks(self) -> tuple[str, ...]:
        """Return each break of a running balance as a sentence that names the lines."""
        joined = tuple(
            f"after line {one.after_line} the balance is {format_minor(one.stands_minor, currency)}, "
            f"and line {one.next_line} opens at {format_minor(one.opens_minor, currency)}"
            for (_, currency), chain in self.chains.items()
            for one in chain.breaks
        )
        return joined + tuple(one.describe() for one in self.closing_breaks)

    def to_bank_access_body(
        self,
        *,
        account_holder_name: str,
        bank_name: str = "Statement import",
    ) -> dict[str, Any]:
        """Return the body that loads this history into the service by its control API.

        Args:
            account_holder_name: Name of the account holder, which is not in the file.
            bank_name: Name of the account's bank.

        Returns:
            One account with all scopes; amounts are decimal strings without a sign.

        Raises:
            StatementFileError: The file has several accounts or currencies.
        """
        accounts = {row.account for row in self.rows}
        if len(accounts) > 1:
            raise StatementFileError(f"has {len(accounts)} accounts where one was expected", place=self.name)
        account: dict[str, Any] = {
            "bankName": bank_name,
            "accountHolderName": account_holder_name,
            "currency": self.currency,
            "type": "current",
            "transactions": [self._transaction(row) for row in self.rows],
        }
        if self.chain:
            account["balance"] = {"current": self._text(self.chain.closing_minor), "currency": self.currency}
        return {"scopes": ["accounts", "balances", "transactions"], "accounts": [account]}

    def to_transactions_frame(
        self, *, customer_id: str, account_id: str | None = None, evidence_id: str | None = None
    ) -> pd.DataFrame:
        """Return the rows in the normal form of `transactions`, in the order of the file.

        Args:
            customer_id: Customer id.
            account_id: Account id; None to use the account of each row.
            evidence_id: Id of the evidence entry that the rows were read from.
        """
        if not self.rows:
            return empty("transactions")
        columns = {
            "customer_id": customer_id,
            "account_id": [account_id or row.account for row in self.rows],
            "txn_id": [row.txn_id for row in self.rows],
            "booked_on": [row.booked_on for row in self.rows],
            "status": [row.status for row in self.rows],
            "amount_minor": [row.amount_minor for row in self.rows],
            "currency": [row.currency for row in self.rows],
            "balance_after_minor": pd.array([row.balance_after_minor for row in self.rows], dtype="Int64"),
            "description_raw": [row.description for row in self.rows],
            "evidence_id": evidence_id,
            **{name: [getattr(row, name) for row in self.rows] for name in _OPTIONAL},
        }
        return conform("transactions", pd.DataFrame(columns), self.layout)

    def _transaction(self, row: StatementRow) -> dict[str, Any]:
        record: dict[str, Any] = {
            "id": row.txn_id,
            "bookingDate": row.booked_on.isoformat(),
            "status": row.status,
            "amount": self._text(abs(row.amount_minor)),
            "creditDebitIndicator": "Credit" if row.amount_minor >= 0 else "Debit",
            "currency": row.currency,
            "description": row.description,
        }
        if row.balance_after_minor is not None:
            record["balanceAfter"] = self._text(row.balance_after_minor)
        return record

    def _text(self, minor: int) -> str:
        return str(from_minor(minor, self.currency))


def read_rows(
    records: Iterable[tuple[int, Record]],
    read: Callable[[int, Record], StatementRow | Reject],
    name: str,
    on_misfit: OnMisfit,
) -> tuple[tuple[StatementRow, ...], tuple[Reject, ...]]:
    """Return the rows of a file, with ids that are unique within an account, and the rejects in order of lines.

    Args:
        records: Line and content of each record.
        read: Reads one record; returns a reject if it is not a transaction.
        name: Name of the file, for errors.
        on_misfit: `raise` stops at the first record that does not fit, `reject` lists it.

    Raises:
        StatementFileError: A record does not fit; the message names the line.
    """
    rows: list[StatementRow] = []
    rejects: list[Reject] = []
    for line, record in records:
        try:
            row = read(line, record)
        except (MisfitError, InputError) as misfit:
            if on_misfit == "raise":
                raise StatementFileError(str(misfit), place=f"{name}:{line}") from None
            row = Reject(line, str(misfit))
        if isinstance(row, Reject):
            rejects.append(row)
        else:
            rows.append(row)
    numbered, repeated = _numbered(rows)
    return numbered, tuple(sorted((*rejects, *repeated), key=lambda one: one.line))


def _numbered(rows: Iterable[StatementRow]) -> tuple[tuple[StatementRow, ...], list[Reject]]:
    """Return the rows with their ids, and the repetitions of an id with the same content.

    A row without the bank's id gets a content hash and an ordinal, so that identical rows remain separate rows, and the
    ids do not depend on the order of the file. Rows with the same id and different content are kept, the second with an ordinal.
    """
    numbered: list[StatementRow] = []
    repeated: list[Reject] = []
    alike: Counter[tuple[str | None, str]] = Counter()
    ids: defaultdict[str | None, TransactionIds] = defaultdict(TransactionIds)
    for row in rows:
        if row.txn_id:
            txn_id = ids[row.account].assign(row.txn_id, str(astuple(replace(row, line=0, statement=0))))
            if txn_id is None:
                repeated.append(Reject(row.line, "repeated under the same id"))
            else:
                numbered.append(replace(row, txn_id=txn_id))
            continue
        content = (
            row.booked_on.isoformat(),
            str(row.amount_minor),
            row.description,
            str(row.balance_after_minor),
        )
        digest = hashlib.sha256("\x1f".join(content).encode()).hexdigest()[:16]
        alike[row.account, digest] += 1
        numbered.append(replace(row, txn_id=f"{digest}-{alike[row.account, digest]}"))
    return tuple(numbered), repeated
