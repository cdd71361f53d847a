"""The resources of `AsyncClient`: those of `Client`, awaited. Arguments, results and errors are told in `resources`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeVar, cast, overload

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import UNSET, Unset, attempt_call, given, make_call, statement_call, with_key
from kycpack.api.exchange import Call
from kycpack.api.resources import Members, iso_day
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


class Run(Protocol):
    """Runs a call to its record."""

    async def __call__(self, call: Call[T], /) -> T:
        """Return what the operation gives."""


class AsyncCustomers:
    """As `resources.Customers`, awaited."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def create(
        self,
        *,
        first_name: str | None = None,
        last_name: str | None = None,
        email_address: str | None = None,
        date_of_birth: str | date | None = None,
        address: AddressInput | Members | None = None,
        org_id: str | None = None,
    ) -> Customer:
        """Create a customer; the service does not prevent duplicates."""
        members = given(
            first_name=first_name,
            last_name=last_name,
            email_address=email_address,
            date_of_birth=iso_day(date_of_birth),
            address=address,
            org_id=org_id,
        )
        return await self._run(make_call(op.CREATE_CUSTOMER, body=members))

    async def get(self, customer_id: str) -> Customer:
        """Return a customer."""
        return await self._run(make_call(op.GET_CUSTOMER, {"customer_id": customer_id}))

    async def update(
        self,
        customer_id: str,
        *,
        first_name: str | Unset | None = UNSET,
        last_name: str | Unset | None = UNSET,
        email_address: str | Unset | None = UNSET,
        date_of_birth: str | date | Unset | None = UNSET,
        address: AddressInput | Members | Unset | None = UNSET,
    ) -> Customer:
        """Change a customer: what is not given stays as it is, what is None is cleared."""
        members = {
            "first_name": first_name,
            "last_name": last_name,
            "email_address": email_address,
            "date_of_birth": iso_day(date_of_birth),
            "address": address,
        }
        body = {name: value for name, value in members.items() if value is not UNSET}
        return await self._run(make_call(op.UPDATE_CUSTOMER, {"customer_id": customer_id}, body=body))

    async def list(self, *, org_id: str | None = None) -> Listing[Customer]:
        """Return the customers, those of one branch where `org_id` is given."""
        return await self._run(make_call(op.LIST_CUSTOMERS, query={"org_id": org_id}))


class AsyncAttempts:
    """As `resources.Attempts`, awaited."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def create(
        self,
        payment_id: str,
        *,
        bank: BankChoice | Members | None = None,
        card: CardDetails | Members | None = None,
        billing_address: BillingAddress | Members | None = None,
        browser_data: BrowserData | Members | None = None,
        idempotency_key: str | None = None,
    ) -> Attempt:
        """Start paying, by a bank or by a card."""
        call = attempt_call(
            payment_id,
            bank=bank,
            card=card,
            billing_address=billing_address,
            browser_data=browser_data,
            idempotency_key=idempotency_key,
        )
        return with_key(await self._run(call), call)

    async def finalize(self, payment_id: str, attempt_id: str, body: Members | None = None) -> Attempt | Any:
        """Complete a card attempt; a bank attempt needs none."""
        ids = {"payment_id": payment_id, "attempt_id": attempt_id}
        return await self._run(make_call(op.FINALIZE_ATTEMPT, ids, body=body or {}))


class AsyncPayments:
    """As `resources.Payments`, awaited."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.attempts = AsyncAttempts(run)

    async def create(
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
        """Create a payment."""
        members = given(
            amount=amount,
            reference=reference,
            customer_id=customer_id,
            ais_requirements=ais_requirements,
            return_url=return_url,
            cancel_url=cancel_url,
            description=description,
        )
        return await self._run(make_call(op.CREATE_PAYMENT, body=members))

    async def get(self, payment_id: str) -> Payment:
        """Return a payment."""
        return await self._run(make_call(op.GET_PAYMENT, {"payment_id": payment_id}))


class AsyncBanks:
    """As `resources.Banks`, awaited."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def list(self, *, country_code: str | None = None) -> Listing[Bank]:
        """Return the banks of a country."""
        return await self._run(make_call(op.LIST_BANKS, query={"country_code": country_code}))


class AsyncBankAccounts:
    """As `resources.BankAccounts`, awaited."""

    def __init__(self, run: Run) -> None:
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
    """As `resources.SourceOfWealthStatements`, awaited."""

    def __init__(self, run: Run) -> None:
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


class AsyncOnboarding:
    """As `resources.Onboarding`, awaited."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def create(
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
        """Order checks; the customer does them in the portal within seven days."""
        members = given(
            customer_id=customer_id,
            options=options,
            org_id=org_id,
            first_name=first_name,
            last_name=last_name,
            email_address=email_address,
            return_url=return_url,
        )
        return await self._run(make_call(op.CREATE_SESSION, body=members))

    async def get(self, session_id: str) -> SessionStatus:
        """Return the status of a session; it does not say which customer it belongs to."""
        return await self._run(make_call(op.GET_SESSION, {"session_id": session_id}))

    async def results(self, session_id: str) -> Results:
        """Return the results of a complete session."""
        return await self._run(make_call(op.GET_RESULTS, {"session_id": session_id}))

    async def media(self, session_id: str) -> MediaAccess:
        """Return the media of a session, with links that are valid for two hours."""
        return await self._run(make_call(op.ACCESS_MEDIA, {"session_id": session_id}, body={}))

    async def download(self, session_id: str, media_id: str) -> bytes:
        """Return a media file; the redirect is followed without our authorization."""
        return await self._run(make_call(op.DOWNLOAD_MEDIA, {"session_id": session_id, "media_id": media_id}))


class AsyncWebhooks:
    """As `resources.Webhooks`, awaited."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def create(
        self, *, url: str, name: str | None = None, events: Sequence[str] | None = None
    ) -> Webhook:
        """Register an endpoint."""
        kinds = None if events is None else [*events]
        return await self._run(make_call(op.CREATE_WEBHOOK, body=given(url=url, name=name, events=kinds)))

    async def list(self) -> Listing[Webhook]:
        """Return the endpoints, inactive ones too."""
        return await self._run(make_call(op.LIST_WEBHOOKS))

    async def delete(self, webhook_id: str) -> Webhook | Any:
        """Switch an endpoint off; its record is kept."""
        return await self._run(make_call(op.DELETE_WEBHOOK, {"webhook_id": webhook_id}))
