"""Payments, their attempts, and the bank list. Source: interface, "Payments", "Banks and attempts"."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import given, make_call
from kycpack.api.protocol import Call
from kycpack.api.resources.methods import (
    AskAsync,
    AsyncResource,
    CallSender,
    Members,
    Resource,
    asked,
    awaited,
    paged,
    paged_async,
)
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


def create_attempt(
    payment_id: str,
    *,
    bank: BankChoice | Members | None = None,
    card: CardDetails | Members | None = None,
    billing_address: BillingAddress | Members | None = None,
    browser_data: BrowserData | Members | None = None,
    idempotency_key: str | None = None,
) -> Call[Attempt]:
    """Start a payment attempt, by bank or by card.

    Args:
        payment_id: Payment id.
        bank: `bank_id` from the bank list; give either bank or card.
        card: The card; it is kept in memory only, and masked until it is sent.
        billing_address: The card's billing address.
        browser_data: The payer's browser; required for a card.
        idempotency_key: Two attempts with the same key are one; the client makes one if it is not given.

    Returns:
        The attempt with its idempotency key; the payer has to be sent to `required_action.url` if there is one.

    Raises:
        InputError: An argument does not fit.
        OutcomeUnknownError: The answer was lost; read the payment before you try again with `idempotency_key`.
        ApiError: The service refused or could not be reached; `may_have_happened` says whether an attempt may exist.
    """
    members = given(
        bank=bank,
        card=card if card is None or isinstance(card, CardDetails) else CardDetails.read(dict(card)),
        billing_address=billing_address,
        browser_data=browser_data,
        idempotency_key=idempotency_key or str(uuid.uuid4()),
    )
    return make_call(op.CREATE_ATTEMPT, {"payment_id": payment_id}, body=members)


def finalize(payment_id: str, attempt_id: str, body: Members | None = None) -> Call[Attempt | Any]:
    """Complete a card attempt; a bank attempt does not need this.

    Args:
        payment_id: Payment id.
        attempt_id: Attempt id.
        body: Members of the body; the interface does not document them.

    Returns:
        The attempt if the answer fits, otherwise the parsed answer; None for an empty one.

    Raises:
        InputError: An id is empty or malformed.
        OutcomeUnknownError: The answer was lost; read the payment.
        ApiError: The service refused or could not be reached.
    """
    ids = {"payment_id": payment_id, "attempt_id": attempt_id}
    return make_call(op.FINALIZE_ATTEMPT, ids, body=body or {})


def create(
    *,
    amount: Decimal | str | int,
    reference: str,
    customer_id: str | None = None,
    ais_requirements: AisRequirements | Members | None = None,
    return_url: str | None = None,
    cancel_url: str | None = None,
    description: str | None = None,
) -> Call[PaymentCreated]:
    """Create a payment.

    Args:
        amount: Exact amount in major units, above 0; never a float.
        reference: Your own unique reference.
        customer_id: The payer's customer id; required with AIS requirements.
        ais_requirements: The bank access that is required first.
        return_url: Where the payer returns to; bank attempts need it.
        cancel_url: Where the payer goes after cancelling.
        description: What the payment is for.

    Returns:
        The payment's id, and the link to send the payer to.

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
    return make_call(op.CREATE_PAYMENT, body=members)


def get(payment_id: str) -> Call[Payment]:
    """Return a payment.

    Args:
        payment_id: Payment id.

    Raises:
        InputError: The id is empty or malformed.
        NotFoundError: The payment is unknown, or belongs to another organisation.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.GET_PAYMENT, {"payment_id": payment_id})


def list_banks(*, country_code: str | None = None) -> Call[Listing[Bank]]:
    """Return the banks of a country.

    Args:
        country_code: ISO 3166-1 alpha-2.

    Returns:
        The banks in the answer; `.has_more` is whether there are more pages. `iter` returns the items of all pages.

    Raises:
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.LIST_BANKS, query={"country_code": country_code})


class Attempts(Resource):
    """Payment attempts. Source: interface, "Banks and attempts"."""

    create = asked(create_attempt)
    finalize = asked(finalize)


class Payments(Resource):
    """Payments. Source: interface, "Payments"."""

    def __init__(self, ask: CallSender) -> None:
        super().__init__(ask)
        self.attempts = Attempts(ask)

    create = asked(create)
    get = asked(get)


class Banks(Resource):
    """The bank list. Source: interface, "Bank list item"."""

    list = asked(list_banks)
    iter = paged(list_banks)


class AsyncAttempts(AsyncResource):
    """`Attempts` for `AsyncClient`."""

    create = awaited(create_attempt)
    finalize = awaited(finalize)


class AsyncPayments(AsyncResource):
    """`Payments` for `AsyncClient`."""

    def __init__(self, ask: AskAsync) -> None:
        super().__init__(ask)
        self.attempts = AsyncAttempts(ask)

    create = awaited(create)
    get = awaited(get)


class AsyncBanks(AsyncResource):
    """`Banks` for `AsyncClient`."""

    list = awaited(list_banks)
    iter = paged_async(list_banks)
