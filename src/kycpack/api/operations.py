"""Every operation of the interface, as data: both clients, `collect` and the tests read this table.

Source: interface, "Endpoints".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from kycpack.api.answers import (
    Answer,
    Listing,
    as_attempt,
    as_listing,
    as_media,
    as_pdf,
    as_record,
    as_transactions,
    as_whatever,
)
from kycpack.api.bodies import MAX_MEDIA_BYTES
from kycpack.errors import InputError
from kycpack.models.bank_data import Balance, BankAccount, TransactionPage
from kycpack.models.customers import Customer, CustomerCreate, CustomerUpdate
from kycpack.models.onboarding import MediaAccess, Results, SessionCreate, SessionCreated, SessionStatus
from kycpack.models.payments import Attempt, AttemptCreate, Bank, Payment, PaymentCreate, PaymentCreated
from kycpack.models.record import Request
from kycpack.models.wealth import SourceOfWealth
from kycpack.models.webhooks import Webhook, WebhookCreate

T = TypeVar("T")

MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""Largest answer that is read, in bytes; the interface states no limit."""


class Repeat(StrEnum):
    """When a request may be sent a second time."""

    SAFE = "safe"
    """When there was no answer, and on 408, 429 and 5xx: doing it twice has the same effect as once."""
    KEYED = "keyed"
    """As SAFE, because its idempotency key makes it so."""
    ONCE = "once"
    """Only when the connection never opened, and on 429: the service does not deduplicate."""


class Echo(NamedTuple):
    """A member of an answer that repeats an id of the request.

    Attributes:
        argument: The argument with the id.
        member: The member of the answer that repeats it.
    """

    argument: str
    member: str


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """One operation.

    Attributes:
        name: Resource and verb, as in `customers.get`.
        method: HTTP method.
        path: Path template below the base URL.
        read: Turns a 2xx answer into what the caller gets.
        repeat: When it may be sent again.
        query: Query parameters: argument name to name on the wire.
        request: Model of the body; None if there is none.
        accept: Media types for the Accept header.
        follow: Whether a redirect is followed, without the Authorization header.
        limit: Largest answer in bytes.
        echoes: Members of an answer that repeat ids of the request; if they are present, they must match.
    """

    name: str
    method: str
    path: str
    read: Callable[[Answer[T]], T]
    repeat: Repeat = Repeat.SAFE
    query: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    request: type[Request] | None = None
    accept: str = "application/json"
    follow: bool = False
    limit: int = MAX_ANSWER_BYTES
    echoes: tuple[Echo, ...] = ()

    @property
    def creates(self) -> bool:
        """Whether it makes something new."""
        return self.repeat is not Repeat.SAFE

    @property
    def changes(self) -> bool:
        """Whether it changes data of the service."""
        return self.creates or self.method in {"PUT", "DELETE"}

    def fill_path(self, ids: Mapping[str, str]) -> str:
        """Return the path with its ids, each percent-encoded as one segment.

        Raises:
            InputError: An id is missing, empty, or would change the path.
        """
        return self.path.format_map({name: _segment(name, value) for name, value in ids.items()})

    def fill_query(self, given: Mapping[str, object]) -> str:
        """Return the raw query of the arguments that are not None, in the table's order."""
        pairs = [(wire, str(given[name])) for name, wire in self.query.items() if given.get(name) is not None]
        return urlencode(pairs, quote_via=quote)


def _segment(name: str, value: object) -> str:
    if not isinstance(value, str) or not value or value in {".", ".."}:
        raise InputError("expected an id", place=name)
    return quote(value, safe="")


_STATEMENT_QUERY = {"format": "format", "merchant_id": "merchantId"}
_SOW = "/v1/customers/{customer_id}/source-of-wealth"
_PAYMENT_SOW = "/v1/customers/{customer_id}/payments/{payment_id}/source-of-wealth"
_ACCOUNTS = "/v1/customers/{customer_id}/bank-accounts"

CREATE_CUSTOMER = Operation(
    "customers.create", "POST", "/v1/customers", as_record(Customer), Repeat.ONCE, request=CustomerCreate
)
_CUSTOMER_ID = (Echo("customer_id", "id"),)
_OF_SESSION = (Echo("session_id", "sessionId"),)
_OF_CUSTOMER = (Echo("customer_id", "customerId"),)
_OF_ACCOUNT = (*_OF_CUSTOMER, Echo("account_id", "accountId"))

GET_CUSTOMER = Operation(
    "customers.get", "GET", "/v1/customers/{customer_id}", as_record(Customer), echoes=_CUSTOMER_ID
)
UPDATE_CUSTOMER = Operation(
    "customers.update",
    "PUT",
    "/v1/customers/{customer_id}",
    as_record(Customer),
    request=CustomerUpdate,
    echoes=_CUSTOMER_ID,
)
LIST_CUSTOMERS: Operation[Listing[Customer]] = Operation(
    "customers.list", "GET", "/v1/customers", as_listing(Customer, "customers"), query={"org_id": "orgId"}
)
CREATE_PAYMENT = Operation(
    "payments.create", "POST", "/v1/payments", as_record(PaymentCreated), Repeat.ONCE, request=PaymentCreate
)
GET_PAYMENT = Operation(
    "payments.get",
    "GET",
    "/v1/payments/{payment_id}",
    as_record(Payment),
    echoes=(Echo("payment_id", "id"), Echo("payment_id", "paymentId")),
)
LIST_BANKS: Operation[Listing[Bank]] = Operation(
    "banks.list", "GET", "/v1/banks", as_listing(Bank, "banks"), query={"country_code": "countryCode"}
)
CREATE_ATTEMPT = Operation(
    "attempts.create",
    "POST",
    "/v1/payments/{payment_id}/attempts",
    as_attempt,
    Repeat.KEYED,
    request=AttemptCreate,
    echoes=(Echo("payment_id", "paymentId"), Echo("idempotency_key", "idempotencyKey")),
)
FINALIZE_ATTEMPT: Operation[Attempt | Any] = Operation(
    "attempts.finalize",
    "POST",
    "/v1/payments/{payment_id}/attempts/{attempt_id}/finalize",
    as_whatever(Attempt),
    Repeat.ONCE,
    echoes=(Echo("payment_id", "paymentId"), Echo("attempt_id", "id")),
)
LIST_ACCOUNTS: Operation[Listing[BankAccount]] = Operation(
    "bank_accounts.list",
    "GET",
    _ACCOUNTS,
    as_listing(BankAccount, "accounts"),
    query={"cursor": "cursor"},
    echoes=_OF_CUSTOMER,
)
GET_BALANCE = Operation(
    "bank_accounts.balance",
    "GET",
    _ACCOUNTS + "/{account_id}/balance",
    as_record(Balance),
    echoes=_OF_ACCOUNT,
)
LIST_TRANSACTIONS: Operation[TransactionPage] = Operation(
    "bank_accounts.transactions",
    "GET",
    _ACCOUNTS + "/{account_id}/transactions",
    as_transactions,
    query={"date_from": "from", "date_to": "to", "limit": "limit", "cursor": "cursor"},
    echoes=_OF_ACCOUNT,
)
GET_STATEMENT = Operation(
    "source_of_wealth.get",
    "GET",
    _SOW,
    as_record(SourceOfWealth),
    query=_STATEMENT_QUERY,
    echoes=_OF_CUSTOMER,
)
GET_PAYMENT_STATEMENT = Operation(
    "source_of_wealth.get_for_payment",
    "GET",
    _PAYMENT_SOW,
    as_record(SourceOfWealth),
    query=_STATEMENT_QUERY,
    echoes=(*_OF_CUSTOMER, Echo("payment_id", "paymentId")),
)
GET_STATEMENT_PDF = Operation(
    "source_of_wealth.get_pdf", "GET", _SOW, as_pdf, query=_STATEMENT_QUERY, accept="application/pdf"
)
GET_PAYMENT_STATEMENT_PDF = Operation(
    "source_of_wealth.get_pdf_for_payment",
    "GET",
    _PAYMENT_SOW,
    as_pdf,
    query=_STATEMENT_QUERY,
    accept="application/pdf",
)
CREATE_SESSION = Operation(
    "onboarding.create",
    "POST",
    "/v1/onboard/sessions",
    as_record(SessionCreated),
    Repeat.ONCE,
    request=SessionCreate,
)
GET_SESSION = Operation(
    "onboarding.get",
    "GET",
    "/v1/onboard/sessions/{session_id}",
    as_record(SessionStatus),
    echoes=(Echo("session_id", "id"), *_OF_SESSION),
)
GET_RESULTS = Operation(
    "onboarding.results",
    "GET",
    "/v1/onboard/sessions/{session_id}/results",
    as_record(Results),
    echoes=_OF_SESSION,
)
ACCESS_MEDIA = Operation(
    "onboarding.media",
    "POST",
    "/v1/onboard-sessions/{session_id}/media-access",
    as_record(MediaAccess),
    echoes=_OF_SESSION,
)
DOWNLOAD_MEDIA = Operation(
    "onboarding.download",
    "GET",
    "/v1/onboard-sessions/{session_id}/media/{media_id}",
    as_media,
    accept="*/*",
    follow=True,
    limit=MAX_MEDIA_BYTES,
)
CREATE_WEBHOOK = Operation(
    "webhooks.create", "POST", "/v1/webhooks", as_record(Webhook), Repeat.ONCE, request=WebhookCreate
)
LIST_WEBHOOKS: Operation[Listing[Webhook]] = Operation(
    "webhooks.list", "GET", "/v1/webhooks", as_listing(Webhook, "webhooks")
)
DELETE_WEBHOOK: Operation[Webhook | Any] = Operation(
    "webhooks.delete",
    "DELETE",
    "/v1/webhooks/{webhook_id}",
    as_whatever(Webhook),
    echoes=(Echo("webhook_id", "id"),),
)

OPERATIONS: Mapping[str, Operation[Any]] = MappingProxyType(
    {
        operation.name: operation
        for operation in (
            CREATE_CUSTOMER,
            GET_CUSTOMER,
            UPDATE_CUSTOMER,
            LIST_CUSTOMERS,
            CREATE_PAYMENT,
            GET_PAYMENT,
            LIST_BANKS,
            CREATE_ATTEMPT,
            FINALIZE_ATTEMPT,
            LIST_ACCOUNTS,
            GET_BALANCE,
            LIST_TRANSACTIONS,
            GET_STATEMENT,
            GET_STATEMENT_PDF,
            GET_PAYMENT_STATEMENT,
            GET_PAYMENT_STATEMENT_PDF,
            CREATE_SESSION,
            GET_SESSION,
            GET_RESULTS,
            ACCESS_MEDIA,
            DOWNLOAD_MEDIA,
            CREATE_WEBHOOK,
            LIST_WEBHOOKS,
            DELETE_WEBHOOK,
        )
    }
)
"""By name: the interface's 22 operations; the two statements have one entry for each of their two formats."""
