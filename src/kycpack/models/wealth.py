"""The source of wealth statement.

Source: interface, "Source of wealth statement". The interface has no currency for sources: the base currency is named in
`PrimarySource.context` and in each description. It has no place for a context without a primary source: `SourceOfWealth.context` takes it.
"""

from __future__ import annotations

from pydantic import Field

from kycpack.models.enums import OpenSourceType
from kycpack.models.money import Amount
from kycpack.models.record import Record


class StatementCustomer(Record):
    """The customer in the statement."""

    first_name: str | None = None
    last_name: str | None = None
    city: str | None = None


class StatementAccountIdentity(Record):
    """An account as named in the statement, numbers masked."""

    bank_name: str | None = None
    account_holder_name: str | None = None
    account_number: str | None = None
    sort_code: str | None = None
    currency: str | None = None


class DataAvailability(Record):
    """Which data of an account was available."""

    balance_available: bool = False
    transactions_available: bool = False


class StatementAccount(Record):
    """An account with its balance, if that was available."""

    account: StatementAccountIdentity
    current_balance: Amount | None = None
    data_availability: DataAvailability


class AdditionalSource(Record):
    """A source: `frequency` is the number of payments observed, `total_value` their sum."""

    description: str
    amount: Amount
    frequency: int
    total_value: Amount
    type: OpenSourceType


class PrimarySource(AdditionalSource):
    """The largest eligible source, with a sentence of context."""

    context: str | None = None


class SourceOfWealth(Record):
    """A statement; `primary_source` is None when no source is eligible.

    Without a primary source, `context` says what was observed. `payment_amount` is set in the statement for a payment.
    """

    customer: StatementCustomer
    accounts: list[StatementAccount] = Field(default_factory=list)
    primary_source: PrimarySource | None = None
    additional_sources: list[AdditionalSource] = Field(default_factory=list)
    generated_at: str
    context: str | None = None
    payment_amount: Amount | None = None
