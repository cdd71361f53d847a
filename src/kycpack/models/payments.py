"""Payments, banks and payment attempts.

Source: interface, "Payment", "Payment attempt", "Bank list item".
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, ClassVar, NoReturn, Self

from pydantic import Field, SecretStr, StringConstraints, model_validator

from kycpack.models.enums import OpenActionType, OpenAttemptState, OpenPaymentState
from kycpack.models.money import Amount
from kycpack.models.record import Id, NamedText, Record, Request, Text, WebUrl

CardSecret = Annotated[SecretStr, Field(max_length=64, strict=False)]
"""Card data: masked wherever it is shown, dumped or pickled; only `wire()` returns it."""


class AisRequirements(Request):
    """The bank access that a payment requests."""

    accounts: bool = False
    balances: bool = False
    transactions: bool = False
    use_verified_bank_account: bool = False

    @property
    def in_force(self) -> bool:
        """Whether at least one scope is requested; otherwise the requirements are ignored."""
        return self.accounts or self.balances or self.transactions


class PaymentCreate(Request):
    """The data of a new payment."""

    amount: Annotated[Amount, Field(gt=Decimal(0))]
    reference: NamedText
    customer_id: Text | None = None
    ais_requirements: AisRequirements | None = None
    return_url: WebUrl | None = None
    cancel_url: WebUrl | None = None
    description: Text | None = None


class PaymentCreated(Record):
    """Answer to a new payment; anyone who has `pay_link` can open the pay page."""

    id: Id
    pay_link: str


class Payment(Record):
    """A payment; the interface does not document its fields, so all but the id may be absent."""

    id: Id
    status: OpenPaymentState | None = None
    amount: Amount | None = None
    currency: str | None = None
    reference: str | None = None
    customer_id: str | None = None
    description: str | None = None
    return_url: str | None = None
    cancel_url: str | None = None
    ais_requirements: dict[str, Any] | None = None
    attempts: list[Attempt] | None = None
    created: str | None = None
    updated: str | None = None


class Bank(Record):
    """An item of the bank list."""

    open_members: ClassVar[frozenset[str]] = frozenset({"name"})

    id: Id
    name: str | None = None
    country_code: str | None = None
    currencies: list[str] | None = None


class BankChoice(Request):
    """The bank of a bank attempt."""

    bank_id: NamedText


class CardDetails(Request):
    """The card of a card attempt. It is kept in memory only: it cannot be pickled, and is masked wherever it is shown."""

    number: CardSecret | None = None
    expiry_month: CardSecret | None = None
    expiry_year: CardSecret | None = None
    cvc: CardSecret | None = None

    def __getstate__(self) -> NoReturn:
        raise TypeError("card data cannot be pickled")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self


class BillingAddress(Request):
    """The billing address of a card."""

    first_name: Text | None = None
    last_name: Text | None = None
    line_one: Text | None = None
    city: Text | None = None
    postal_code: Text | None = None
    country: Text | None = None


class BrowserData(Request):
    """What a card issuer needs to know about the payer's browser."""

    browser_java_enabled: bool | None = None
    browser_javascript_enabled: bool | None = None
    browser_language: Text | None = None
    browser_color_depth: int | None = None
    browser_screen_height: int | None = None
    browser_screen_width: int | None = None
    browser_tz: Text | None = Field(default=None, alias="browserTZ")
    browser_user_agent: Text | None = None
    browser_accept_header: Text | None = None


class AttemptCreate(Request):
    """The data of a new attempt: a bank, or a card with the payer's browser."""

    idempotency_key: Annotated[Text, StringConstraints(min_length=1)] | None = None
    bank: BankChoice | None = None
    card: CardDetails | None = None
    billing_address: BillingAddress | None = None
    browser_data: BrowserData | None = None

    @model_validator(mode="after")
    def _one_way_to_pay(self) -> Self:
        if (self.bank is None) == (self.card is None):
            raise ValueError("exactly one of bank or card must be given")
        if self.card is not None and self.browser_data is None:
            raise ValueError("browserData must be given for a card attempt")
        return self


class RequiredAction(Record):
    """What the frontend has to do; for a bank attempt the payer is sent to `url` at once."""

    type: OpenActionType | None = None
    url: str | None = None


class Attempt(Record):
    """A payment attempt."""

    id: Id
    status: OpenAttemptState | None = None
    required_action: RequiredAction | None = None
    idempotency_key: str | None = None


Payment.model_rebuild()
