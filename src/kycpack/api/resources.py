"""The resources of `Client`: one class for each part of the interface, one method for each operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeVar, cast, overload

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import UNSET, Unset, attempt_call, given, make_call, statement_call, with_key
from kycpack.api.exchange import Call
from kycpack.models.bank_data import Balance, BankAccount, TransactionPage
from kycpack.models.customers import AddressInput, Customer
from kycpack.models.onboarding import MediaAccess, OnboardOptions, Results, SessionCreated, SessionStatus
from kycpack.models.payments import (
    AisRequirements,
    Attempt,
    Bank,
    BankChoice,
    BillingAddress,
    BrowserData,
    CardDetails,
    Payment,
    PaymentCreated,
)
from kycpack.models.wealth import SourceOfWealth
from kycpack.models.webhooks import Webhook

T = TypeVar("T")
D = TypeVar("D")

Members = Mapping[str, Any]
"""Members of a nested object, under their Python names or those of the wire."""


class Run(Protocol):
    """Runs a call to its record."""

    def __call__(self, call: Call[T], /) -> T:
        """Return what the operation gives."""


class Customers:
    """Customers. Source: interface, "Customers"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def create(
        self,
        *,
        first_name: str | None = None,
        last_name: str | None = None,
        email_address: str | None = None,
        date_of_birth: str | date | None = None,
        address: AddressInput | Members | None = None,
        org_id: str | None = None,
    ) -> Customer:
        """Create a customer; the service does not prevent duplicates.

        Args:
            first_name: First name; onboard sessions with checks need it, here or there.
            last_name: Last name; as above.
            email_address: Email address; as above.
            date_of_birth: A date, or YYYY-MM-DD.
            address: Postal address, country as ISO 3166-1 alpha-2.
            org_id: Your own organisation or branch, to list customers by.

        Returns:
            The customer as the service keeps it.

        Raises:
            InputError: An argument does not fit.
            OutcomeUnknownError: The answer was lost; the customer may exist.
            ApiError: The service refused or could not be reached.
        """
        members = given(
            first_name=first_name,
            last_name=last_name,
            email_address=email_address,
            date_of_birth=iso_day(date_of_birth),
            address=address,
            org_id=org_id,
        )
        return self._run(make_call(op.CREATE_CUSTOMER, body=members))

    def get(self, customer_id: str) -> Customer:
        """Return a customer.

        Raises:
            NotFoundError: Unknown, or of another organisation.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_CUSTOMER, {"customer_id": customer_id}))

    def update(
        self,
        customer_id: str,
        *,
        first_name: str | Unset | None = UNSET,
        last_name: str | Unset | None = UNSET,
        email_address: str | Unset | None = UNSET,
        date_of_birth: str | date | Unset | None = UNSET,
        address: AddressInput | Members | Unset | None = UNSET,
    ) -> Customer:
        """Change a customer: what is not given stays as it is, what is None is cleared.

        Args:
            customer_id: Whom.
            first_name: First name.
            last_name: Last name.
            email_address: Email address.
            date_of_birth: A date, or YYYY-MM-DD.
            address: The whole address.

        Returns:
            The customer as changed; `tenant_id` and `org_id` may be absent.

        Raises:
            InputError: An argument does not fit.
            ApiError: The service refused or could not be reached.
        """
        members = {
            "first_name": first_name,
            "last_name": last_name,
            "email_address": email_address,
            "date_of_birth": iso_day(date_of_birth),
            "address": address,
        }
        body = {name: value for name, value in members.items() if value is not UNSET}
        return self._run(make_call(op.UPDATE_CUSTOMER, {"customer_id": customer_id}, body=body))

    def list(self, *, org_id: str | None = None) -> Listing[Customer]:
        """Return the customers, those of one branch where `org_id` is given.

        Returns:
            The customers; `.raw` is the answer as it came, because the interface does not show its shape.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.LIST_CUSTOMERS, query={"org_id": org_id}))


class Attempts:
    """Payment attempts. Source: interface, "Banks and attempts"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def create(
        self,
        payment_id: str,
        *,
        bank: BankChoice | Members | None = None,
        card: CardDetails | Members | None = None,
        billing_address: BillingAddress | Members | None = None,
        browser_data: BrowserData | Members | None = None,
        idempotency_key: str | None = None,
    ) -> Attempt:
        """Start paying, by a bank or by a card.

        Args:
            payment_id: The payment.
            bank: `bank_id` of the bank list; exactly one of bank and card.
            card: The card; it lives in memory only, masked, on its way to the wire.
            billing_address: The card's billing address.
            browser_data: The payer's browser; must be there for a card.
            idempotency_key: Two attempts with one key are one; made by the client when absent.

        Returns:
            The attempt, with the key that made it; the payer goes to `required_action.url` where there is one.

        Raises:
            InputError: An argument does not fit.
            ApiError: The service refused or could not be reached; its note tells the key to repeat with.
        """
        call = attempt_call(
            payment_id,
            bank=bank,
            card=card,
            billing_address=billing_address,
            browser_data=browser_data,
            idempotency_key=idempotency_key,
        )
        return with_key(self._run(call), call)

    def finalize(self, payment_id: str, attempt_id: str, body: Members | None = None) -> Attempt | Any:
        """Complete a card attempt; a bank attempt needs none.

        Args:
            payment_id: The payment.
            attempt_id: The attempt.
            body: Members of the body; the interface does not show them.

        Returns:
            The attempt where the answer reads as one, else the parsed answer, None for an empty one.

        Raises:
            OutcomeUnknownError: The answer was lost; look at the payment.
            ApiError: The service refused or could not be reached.
        """
        ids = {"payment_id": payment_id, "attempt_id": attempt_id}
        return self._run(make_call(op.FINALIZE_ATTEMPT, ids, body=body or {}))


class Payments:
    """Payments. Source: interface, "Payments"."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.attempts = Attempts(run)

    def create(
        self,
        *,
        amount: Decimal | str | int,
        reference: str,
        customer_id: str | None = None,
        ais_requirements: AisRequirements | Members | None = None,
        return_url: str | None = None,
        cancel_url: str | None = None,
        description: str | None = None,
    ) -> PaymentCreated:
        """Create a payment.

        Args:
            amount: Exact amount in major units, above 0; never a float.
            reference: Your own unique reference.
            customer_id: The payer; must be there with AIS requirements.
            ais_requirements: The bank access that has to be there first.
            return_url: Where the payer comes back to; bank attempts need it.
            cancel_url: Where the payer goes on cancel.
            description: What it is for.

        Returns:
            Its id, and the link that the payer is sent to.

        Raises:
            InputError: An argument does not fit.
            OutcomeUnknownError: The answer was lost; the payment may exist.
            ApiError: The service refused or could not be reached.
        """
        members = given(
            amount=amount,
            reference=reference,
            customer_id=customer_id,
            ais_requirements=ais_requirements,
            return_url=return_url,
            cancel_url=cancel_url,
            description=description,
        )
        return self._run(make_call(op.CREATE_PAYMENT, body=members))

    def get(self, payment_id: str) -> Payment:
        """Return a payment.

        Raises:
            NotFoundError: Unknown, or of another organisation.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_PAYMENT, {"payment_id": payment_id}))


class Banks:
    """The bank list. Source: interface, "Bank list item"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def list(self, *, country_code: str | None = None) -> Listing[Bank]:
        """Return the banks of a country.

        Args:
            country_code: ISO 3166-1 alpha-2.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.LIST_BANKS, query={"country_code": country_code}))


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


class Onboarding:
    """Onboard sessions and their media. Source: interface, "Onboard sessions"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def create(
        self,
        customer_id: str,
        *,
        options: OnboardOptions | Members | None = None,
        org_id: str | None = None,
        first_name: str | None = None,
        last_name: str | None = None,
        email_address: str | None = None,
        return_url: str | None = None,
    ) -> SessionCreated:
        """Order checks; the customer does them in the portal within seven days.

        Args:
            customer_id: Whom.
            options: `identity` and `ais`; absent identity options mean the interface's defaults.
            org_id: Your own organisation or branch.
            first_name: Wins over the customer record.
            last_name: As above.
            email_address: As above.
            return_url: Absolute https URL that the customer returns to.

        Returns:
            The session's id, and the portal's link, which opens for whoever holds it.

        Raises:
            InputError: An argument does not fit.
            BadRequestError: With `missing_fields` where the person's data are missing.
            OutcomeUnknownError: The answer was lost; the session may exist.
            ApiError: The service refused or could not be reached.
        """
        members = given(
            customer_id=customer_id,
            options=options,
            org_id=org_id,
            first_name=first_name,
            last_name=last_name,
            email_address=email_address,
            return_url=return_url,
        )
        return self._run(make_call(op.CREATE_SESSION, body=members))

    def get(self, session_id: str) -> SessionStatus:
        """Return the status of a session; it does not say which customer it belongs to.

        Raises:
            PermissionDeniedError: It belongs to another organisation.
            NotFoundError: Unknown.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_SESSION, {"session_id": session_id}))

    def results(self, session_id: str) -> Results:
        """Return the results of a complete session.

        Raises:
            NotFoundError: Unknown, or not complete yet.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_RESULTS, {"session_id": session_id}))

    def media(self, session_id: str) -> MediaAccess:
        """Return the media of a session, with links that are valid for two hours.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.ACCESS_MEDIA, {"session_id": session_id}, body={}))

    def download(self, session_id: str, media_id: str) -> bytes:
        """Return a media file; the redirect is followed without our authorization.

        Raises:
            ContractError: It is too large, of a type that is not taken, or not what its type says.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.DOWNLOAD_MEDIA, {"session_id": session_id, "media_id": media_id}))


class Webhooks:
    """Webhook endpoints. Source: interface, "Webhooks"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def create(self, *, url: str, name: str | None = None, events: Sequence[str] | None = None) -> Webhook:
        """Register an endpoint.

        Args:
            url: Absolute URL that receives POSTs; https is recommended.
            name: A label.
            events: Kinds of events; `onboard.session.completed` when absent, and never empty.

        Raises:
            InputError: An argument does not fit.
            OutcomeUnknownError: The answer was lost; the endpoint may be registered.
            ApiError: The service refused or could not be reached.
        """
        kinds = None if events is None else [*events]
        return self._run(make_call(op.CREATE_WEBHOOK, body=given(url=url, name=name, events=kinds)))

    def list(self) -> Listing[Webhook]:
        """Return the endpoints, inactive ones too.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.LIST_WEBHOOKS))

    def delete(self, webhook_id: str) -> Webhook | Any:
        """Switch an endpoint off; its record is kept.

        Returns:
            The record where the answer reads as one, else the parsed answer, None for an empty one.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.DELETE_WEBHOOK, {"webhook_id": webhook_id}))


def iso_day(day: D | date) -> D | str:
    """Return a date as YYYY-MM-DD, and anything else as it is."""
    return day.isoformat() if isinstance(day, date) else day
