"""Bank data and source of wealth. Source: interface, "Customer bank data", "Source of wealth"."""

from __future__ import annotations

from datetime import date
from typing import Literal, cast, overload

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import make_call, statement_call
from kycpack.api.resources.running import Run, RunAsync, iso_day
from kycpack.api.steps import Call
from kycpack.models.bank_data import Balance, BankAccount, TransactionPage
from kycpack.models.wealth import SourceOfWealth


class BankAccounts:
    """A customer's bank data. Source: interface, "Customer bank data"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def list(self, customer_id: str) -> Listing[BankAccount]:
        """Return the accounts that the customer gave access to.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.LIST_ACCOUNTS, {"customer_id": customer_id}))

    def balance(self, customer_id: str, account_id: str) -> Balance:
        """Return the balance of an account.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_BALANCE, {"customer_id": customer_id, "account_id": account_id}))

    def transactions(
        self,
        customer_id: str,
        account_id: str,
        *,
        date_from: str | date | None = None,
        date_to: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> TransactionPage:
        """Return a page of an account's transactions.

        Args:
            customer_id: The customer.
            account_id: The account.
            date_from: First booking date; all history when absent.
            date_to: Last booking date.
            limit: Most items of a page.
            cursor: `next_cursor` of the page before.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        query = {
            "date_from": iso_day(date_from),
            "date_to": iso_day(date_to),
            "limit": limit,
            "cursor": cursor,
        }
        ids = {"customer_id": customer_id, "account_id": account_id}
        return self._run(make_call(op.LIST_TRANSACTIONS, ids, query))


class SourceOfWealthStatements:
    """Source of wealth statements. Source: interface, "Source of wealth"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @overload
    def get(
        self,
        customer_id: str,
        payment_id: str | None = None,
        *,
        format: Literal["json"] = "json",
        merchant_id: str | None = None,
    ) -> SourceOfWealth: ...
    @overload
    def get(
        self,
        customer_id: str,
        payment_id: str | None = None,
        *,
        format: Literal["pdf"],
        merchant_id: str | None = None,
    ) -> bytes: ...
    def get(
        self,
        customer_id: str,
        payment_id: str | None = None,
        *,
        format: Literal["json", "pdf"] = "json",  # noqa: A002 - the interface's name of the parameter
        merchant_id: str | None = None,
    ) -> SourceOfWealth | bytes:
        """Return a customer's statement, or that of one payment.

        Args:
            customer_id: The customer.
            payment_id: The payment whose amount the statement shall name.
            format: `json` for the record, `pdf` for the file's bytes.
            merchant_id: For organisations with several merchants.

        Raises:
            AuthenticationError: Also where the key lacks the permission.
            NotFoundError: The customer is unknown, or there is no bank data.
            ApiError: The service refused or could not be reached.
        """
        call = statement_call(customer_id, payment_id, format, merchant_id)
        return self._run(cast("Call[SourceOfWealth | bytes]", call))


class AsyncBankAccounts:
    """As `BankAccounts`, awaited."""

    def __init__(self, run: RunAsync) -> None:
        self._run = run

    async def list(self, customer_id: str) -> Listing[BankAccount]:
        """Return the accounts that the customer gave access to."""
        return await self._run(make_call(op.LIST_ACCOUNTS, {"customer_id": customer_id}))

    async def balance(self, customer_id: str, account_id: str) -> Balance:
        """Return the balance of an account."""
        return await self._run(
            make_call(op.GET_BALANCE, {"customer_id": customer_id, "account_id": account_id})
        )

    async def transactions(
        self,
        customer_id: str,
        account_id: str,
        *,
        date_from: str | date | None = None,
        date_to: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> TransactionPage:
        """Return a page of an account's transactions."""
        query = {
            "date_from": iso_day(date_from),
            "date_to": iso_day(date_to),
            "limit": limit,
            "cursor": cursor,
        }
        ids = {"customer_id": customer_id, "account_id": account_id}
        return await self._run(make_call(op.LIST_TRANSACTIONS, ids, query))


class AsyncSourceOfWealthStatements:
    """As `SourceOfWealthStatements`, awaited."""

    def __init__(self, run: RunAsync) -> None:
        self._run = run

    @overload
    async def get(
        self,
        customer_id: str,
        payment_id: str | None = None,
        *,
        format: Literal["json"] = "json",
        merchant_id: str | None = None,
    ) -> SourceOfWealth: ...
    @overload
    async def get(
        self,
        customer_id: str,
        payment_id: str | None = None,
        *,
        format: Literal["pdf"],
        merchant_id: str | None = None,
    ) -> bytes: ...
    async def get(
        self,
        customer_id: str,
        payment_id: str | None = None,
        *,
        format: Literal["json", "pdf"] = "json",  # noqa: A002 - the interface's name of the parameter
        merchant_id: str | None = None,
    ) -> SourceOfWealth | bytes:
        """Return a customer's statement, or that of one payment."""
        call = statement_call(customer_id, payment_id, format, merchant_id)
        return await self._run(cast("Call[SourceOfWealth | bytes]", call))
