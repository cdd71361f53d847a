"""A bank's export after it was read: its rows, its sums, whether its balances reconcile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import pandas as pd

from kycpack.frames.adapters.balance_chain import Break, Chain, Step, chain_balances
from kycpack.frames.schema import conform, empty
from kycpack.models.money import format_minor, from_minor


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One row of the export.

    Args:
        line: Line of the file on which the row starts, from 1.
        txn_id: Content hash and ordinal, so that rows that are alike stay different rows.
        booked_on: Booking date, bank-local.
        amount_minor: Minor units, plus is into the account.
        description: As it stands in the file.
        balance_after_minor: Running balance after the row, where the file has one.
    """

    line: int
    txn_id: str
    booked_on: date
    amount_minor: int
    description: str
    balance_after_minor: int | None


@dataclass(frozen=True)
class StatementFile:
    """A bank's export, read whole.

    Args:
        adapter: Name of the adapter that read it.
        currency: ISO 4217 code of every amount.
        rows: One for each row of the file, in its order.
        unread_columns: Header names that the adapter has no use for.
    """

    adapter: str
    currency: str
    rows: tuple[StatementRow, ...]
    unread_columns: tuple[str, ...] = ()

    @property
    def credits_minor(self) -> int:
        """Sum of money in, minor units."""
        return sum(row.amount_minor for row in self.rows if row.amount_minor > 0)

    @property
    def debits_minor(self) -> int:
        """Sum of money out, minor units, as a positive number."""
        return -sum(row.amount_minor for row in self.rows if row.amount_minor < 0)

    @cached_property
    def chain(self) -> Chain | None:
        """The running balance chained by value; None where the file has no balance column."""
        return chain_balances(
            [
                Step(
                    row.line,
                    row.booked_on,
                    row.balance_after_minor - row.amount_minor,
                    row.balance_after_minor,
                )
                for row in self.rows
                if row.balance_after_minor is not None
            ]
        )

    @property
    def breaks(self) -> tuple[Break, ...]:
        """Places where the running balance does not go on; empty when it reconciles or there is none."""
        return self.chain.breaks if self.chain else ()

    def describe_breaks(self) -> tuple[str, ...]:
        """Return each break of the running balance as a sentence that names the lines."""
        return tuple(
            f"after line {one.after_line} the balance is {format_minor(one.stands_minor, self.currency)}, "
            f"and line {one.next_line} opens at {format_minor(one.opens_minor, self.currency)}"
            for one in self.breaks
        )

    def to_bank_access_body(
        self,
        *,
        account_holder_name: str,
        bank_name: str = "Statement import",
        account_number: str | None = None,
        sort_code: str | None = None,
    ) -> dict[str, Any]:
        """Return the body that loads this history into the service by its control API.

        Args:
            account_holder_name: As the bank has it; the file does not say.
            bank_name: Shown as the account's bank.
            account_number: Full number; the service masks it.
            sort_code: Six digits.

        Returns:
            One account with all scopes, amounts as decimal strings without a sign.
        """
        account: dict[str, Any] = {
            "bankName": bank_name,
            "accountHolderName": account_holder_name,
            "accountNumber": account_number,
            "sortCode": sort_code,
            "currency": self.currency,
            "type": "current",
            "transactions": [self._transaction(row) for row in self.rows],
        }
        if self.chain:
            account["balance"] = {"current": self._text(self.chain.closing_minor), "currency": self.currency}
        return {
            "scopes": ["accounts", "balances", "transactions"],
            "accounts": [{name: value for name, value in account.items() if value is not None}],
        }

    def to_transactions_frame(
        self, *, customer_id: str, account_id: str, evidence_id: str | None = None
    ) -> pd.DataFrame:
        """Return the rows in the normal form of `transactions`, in the order of the file."""
        if not self.rows:
            return empty("transactions")
        columns = {
            "customer_id": customer_id,
            "account_id": account_id,
            "txn_id": [row.txn_id for row in self.rows],
            "booked_on": [row.booked_on for row in self.rows],
            "amount_minor": [row.amount_minor for row in self.rows],
            "currency": self.currency,
            "balance_after_minor": pd.array([row.balance_after_minor for row in self.rows], dtype="Int64"),
            "description_raw": [row.description for row in self.rows],
            "evidence_id": evidence_id,
        }
        return conform("transactions", pd.DataFrame(columns), self.adapter)

    def _transaction(self, row: StatementRow) -> dict[str, Any]:
        record: dict[str, Any] = {
            "id": row.txn_id,
            "bookingDate": row.booked_on.isoformat(),
            "status": "booked",
            "amount": self._text(abs(row.amount_minor)),
            "creditDebitIndicator": "Credit" if row.amount_minor >= 0 else "Debit",
            "currency": self.currency,
            "description": row.description,
        }
        if row.balance_after_minor is not None:
            record["balanceAfter"] = self._text(row.balance_after_minor)
        return record

    def _text(self, minor: int) -> str:
        return str(from_minor(minor, self.currency))
