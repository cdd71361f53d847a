"""Bank data and source of wealth. Source: interface, "Customer bank data", "Source of wealth"."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Literal, overload

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import make_call
from kycpack.api.protocol import Call
from kycpack.api.resources.methods import (
    AsyncResource,
    Resource,
    asked,
    awaited,
    iso_day,
    paged,
    paged_async,
)
from kycpack.errors import InputError
from kycpack.models.bank_data import Balance, BankAccount, TransactionPage
from kycpack.models.wealth import SourceOfWealth


def list_(customer_id: str) -> Call[Listing[BankAccount]]:
    """Return the accounts that the customer has given access to.

    Args:
        customer_id: Customer id.

    Returns:
        The accounts in the answer; `.has_more` is whether there are more pages. `iter` returns the items of all pages.

    Raises:
        InputError: The id is empty or malformed.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.LIST_ACCOUNTS, {"customer_id": customer_id})


def balance(customer_id: str, account_id: str) -> Call[Balance]:
    """Return the balance of an account.

    Args:
        customer_id: Customer id.
        account_id: Account id.

    Raises:
        InputError: An id is empty or malformed.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.GET_BALANCE, {"customer_id": customer_id, "account_id": account_id})


def list_transactions(
    customer_id: str,
    account_id: str,
    *,
    date_from: str | date | None = None,
    date_to: str | date | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[TransactionPage]:
    """Return a page of an account's transactions; `iter_transactions` returns all of them.

    Args:
        customer_id: Customer id.
        account_id: Account id.
        date_from: First booking date; None for all history.
        date_to: Last booking date.
        limit: Maximum number of items on a page.
        cursor: `next_cursor` of the previous page.

    Raises:
        InputError: An id is empty or malformed.
        ApiError: The service refused or could not be reached.
    """
    query = {"date_from": iso_day(date_from), "date_to": iso_day(date_to), "limit": limit, "cursor": cursor}
    ids = {"customer_id": customer_id, "account_id": account_id}
    return make_call(op.LIST_TRANSACTIONS, ids, query)


class BankAccounts(Resource):
    """A customer's bank data. Source: interface, "Customer bank data"."""

    list = asked(list_)
    iter = paged(list_)
    balance = asked(balance)
    transactions = asked(list_transactions)
    iter_transactions = paged(list_transactions)


class AsyncBankAccounts(AsyncResource):
    """`BankAccounts` for `AsyncClient`."""

    list = awaited(list_)
    iter = paged_async(list_)
    balance = awaited(balance)
    transactions = awaited(list_transactions)
    iter_transactions = paged_async(list_transactions)


@overload
def get(
    customer_id: str,
    payment_id: str | None = None,
    *,
    format: Literal["json"] = "json",
    merchant_id: str | None = None,
) -> Call[SourceOfWealth]: ...
@overload
def get(
    customer_id: str,
    payment_id: str | None = None,
    *,
    format: Literal["pdf"],
    merchant_id: str | None = None,
) -> Call[bytes]: ...
def get(
    customer_id: str,
    payment_id: str | None = None,
    *,
    format: Literal["json", "pdf"] = "json",  # noqa: A002 - the interface's name of the parameter
    merchant_id: str | None = None,
) -> Call[Any]:
    """Return a customer's statement, or the statement for one payment.

    Args:
        customer_id: Customer id.
        payment_id: Id of the payment whose amount the statement should show.
        format: `json` for the record, `pdf` for the bytes of the file.
        merchant_id: For organisations with several merchants.

    Raises:
        InputError: An id is empty or malformed, or the format is neither `json` nor `pdf`.
        AuthenticationError: The key was refused, or lacks the permission.
        NotFoundError: The customer is unknown, or has no bank data.
        ApiError: The service refused or could not be reached.
    """
    if format not in {"json", "pdf"}:
        raise InputError("expected json or pdf", place="format")
    query = {"format": None if format == "json" else format, "merchant_id": merchant_id}
    ids = {"customer_id": customer_id}
    operation: op.Operation[Any]
    if payment_id is None:
        operation = op.GET_STATEMENT if format == "json" else op.GET_STATEMENT_PDF
    else:
        ids["payment_id"] = payment_id
        operation = op.GET_PAYMENT_STATEMENT if format == "json" else op.GET_PAYMENT_STATEMENT_PDF
    return make_call(operation, ids, query)


class SourceOfWealthStatements(Resource):
    """Source of wealth statements. Source: interface, "Source of wealth"."""

    get = asked(get)


class AsyncSourceOfWealthStatements(AsyncResource):
    """`SourceOfWealthStatements` for `AsyncClient`."""

    if TYPE_CHECKING:  # a type checker cannot await each overload of the description

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
        async def get(self, *args: Any, **kwargs: Any) -> Any:
            """Return a customer's statement, or the statement for one payment; see `SourceOfWealthStatements.get`."""

    else:
        get = awaited(get)
