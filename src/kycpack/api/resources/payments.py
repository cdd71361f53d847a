"""Payments, their attempts, and the bank list. Source: interface, "Payments", "Banks and attempts"."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import attempt_call, given, make_call, sealed_card, with_key
from kycpack.api.resources.running import Members, Run, RunAsync
from kycpack.errors import InputError
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
            OutcomeUnknownError: The answer was lost; read the payment before you try again with `idempotency_key`.
            ApiError: The service refused or could not be reached; `may_have_happened` says whether an attempt may exist.
        """
        sealed = sealed_card(card)
        del card  # from here on it is a value that shows masks, in tracebacks too
        if isinstance(sealed, InputError):
            raise sealed
        call = attempt_call(
            payment_id,
            bank=bank,
            card=sealed,
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


class AsyncAttempts:
    """As `Attempts`, awaited."""

    def __init__(self, run: RunAsync) -> None:
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
        sealed = sealed_card(card)
        del card  # from here on it is a value that shows masks, in tracebacks too
        if isinstance(sealed, InputError):
            raise sealed
        call = attempt_call(
            payment_id,
            bank=bank,
            card=sealed,
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
    """As `Payments`, awaited."""

    def __init__(self, run: RunAsync) -> None:
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
    """As `Banks`, awaited."""

    def __init__(self, run: RunAsync) -> None:
        self._run = run

    async def list(self, *, country_code: str | None = None) -> Listing[Bank]:
        """Return the banks of a country."""
        return await self._run(make_call(op.LIST_BANKS, query={"country_code": country_code}))
