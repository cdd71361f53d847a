"""The types of the control API: its operations as data, their request bodies and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from kycpack.models.bank_data import BankAccount
from kycpack.models.record import NamedText, Request
from kycpack.service.banks import State
from kycpack.service.completion import ReviewTime
from kycpack.service.faults import FaultRule
from kycpack.service.keys import KeyRecord
from kycpack.service.postings import LaterTransactions, require_currency
from kycpack.service.request_log import RequestEntry
from kycpack.service.state import Service


@dataclass(frozen=True, slots=True)
class ControlCall:
    """The input of a handler.

    Attributes:
        service: The service.
        path: Parameters of the path.
        body: The body as the operation's model; None if it takes none.
    """

    service: Service
    path: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True, slots=True)
class Control:
    """One operation of the control API.

    Attributes:
        method: HTTP method.
        path: Path template below `/_control`.
        handler: Carries it out, and returns a JSON document.
        summary: One line.
        body: Model of its body; None if it takes none.
        answer: Model of its answer.
        about: Further description.
    """

    method: str
    path: str
    handler: Callable[[ControlCall], Any]
    summary: str
    body: type[BaseModel] | None = None
    _: KW_ONLY
    answer: type[BaseModel]
    about: str = ""


_RecordT = TypeVar("_RecordT")

_LONGEST_WAIT = 100 * 366 * 86_400


class ControlBody(Request):
    """A body with names in the style of the control API: `advance_seconds`."""

    model_config = ConfigDict(alias_generator=None)


class ClockSetting(ControlBody):
    """Move a clock by seconds, or set it to an instant."""

    advance_seconds: Decimal | int | None = None
    now: NamedText | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.advance_seconds is None) == (self.now is None):
            raise ValueError("exactly one of advance_seconds or now must be given")
        return self


class TenantCreate(ControlBody):
    """A new organisation."""

    name: NamedText = "Organisation"
    currency: Annotated[str, AfterValidator(require_currency)] = "GBP"
    merchant_onboarded: bool = True


class KeyCreate(ControlBody):
    """A new key; with `tenant_id` null it has no account context."""

    tenant_id: str | None = None
    permissions: list[str] | Literal["all"] = "all"
    areas: list[str] | Literal["all"] = "all"


class PartialResults(ControlBody):
    """Partial results to merge over the all-clear document; null deletes a member.

    With `after_seconds` the session is in review for that long before it is complete; with `hold` it stays in review until it is
    finished again. Meanwhile it is `inprogress`, its steps are completed, and it has no results.
    """

    results: dict[str, Any] = Field(
        default_factory=dict,
        description="Members of the answer of GET /v1/onboard/sessions/{sessionId}/results to change.",
    )
    after_seconds: Annotated[int, Field(ge=0, le=_LONGEST_WAIT)] | None = None
    hold: bool = False

    @model_validator(mode="after")
    def _at_most_one(self) -> Self:
        if self.hold and self.after_seconds is not None:
            raise ValueError("at most one of after_seconds and hold can be given")
        return self

    @property
    def review(self) -> ReviewTime | None:
        """The requested review; None if none is requested."""
        return ReviewTime(self.after_seconds) if self.hold or self.after_seconds is not None else None


class BookTransactions(LaterTransactions):
    """Transactions for the bank of a linked account to book: after some seconds, at an instant, or at once.

    The balance is updated with them, unless `balance` is given. `account_id` may be omitted if the customer has one account.
    """

    after_seconds: Annotated[
        Annotated[int, Field(ge=0, le=_LONGEST_WAIT)] | None, Field(alias="after_seconds")
    ] = None
    at: NamedText | None = None

    @model_validator(mode="after")
    def _at_most_one(self) -> Self:
        if self.after_seconds is not None and self.at is not None:
            raise ValueError("at most one of after_seconds and at can be given")
        return self


class BankState(ControlBody):
    """The condition of a bank: its pages and data are served at once, late by some seconds, or not at all."""

    state: State
    seconds: Annotated[Decimal, Field(ge=0, le=60, strict=False)] = Decimal(5)


class SnapshotName(ControlBody):
    """The name of a snapshot: letters, digits, dots, dashes and underscores."""

    name: NamedText


class _Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class Items(BaseModel, Generic[_RecordT]):
    """Records of one kind."""

    items: list[_RecordT]


class Document(BaseModel):
    """An OpenAPI 3.1 document."""

    openapi: str
    info: dict[str, Any]
    servers: list[dict[str, Any]]
    paths: dict[str, Any]
    components: dict[str, Any]
    security: list[dict[str, Any]] = Field(default_factory=list)


class Time(BaseModel):
    """The service's time."""

    now: str


class Clocks(Time):
    """The service's time, and the time of each organisation with a clock of its own, by id."""

    tenants: dict[str, str]


class TenantTime(Time):
    """An organisation's time; `own` is whether it has a clock of its own."""

    own: bool


class TenantRecord(BaseModel):
    """An organisation."""

    id: str
    name: str
    currency: str
    merchant_onboarded: bool
    created_at: str


class Tenants(Items[TenantRecord]):
    """Organisations, oldest first."""


class TenantCreated(BaseModel):
    """The id of a new organisation."""

    tenant_id: str


class KeyList(Items[KeyRecord]):
    """Keys, oldest first, without secrets."""


class KeyCreated(BaseModel):
    """A new key; its secret is in this answer only."""

    key_id: str
    secret: str


class LinkedAccounts(Items[BankAccount]):
    """A customer's linked accounts, with numbers masked."""


class AccessEnded(BaseModel):
    """The number of accounts whose access was ended."""

    customer_id: str
    accounts: int


class Booked(BaseModel):
    """The number of transactions added now; if they are added later, the number of the scheduled work."""

    added: int
    scheduled: int | None


class CustomerNamed(BaseModel):
    """The customer concerned."""

    customer_id: str


class WebhookDelivery(_Camel):
    """A webhook delivery, with its payload."""

    id: int
    tenant_id: str
    webhook_id: str
    session_id: str
    event: str
    url: str
    state: Literal["queued", "sending", "delivered", "failed", "unknown"]
    status: int | None
    reason: str | None
    payload: dict[str, Any]
    created: str
    sent: str | None
    finished: str | None


class Deliveries(Items[WebhookDelivery]):
    """Webhook deliveries, oldest first."""


class DeliveryQueued(BaseModel):
    """The number of the new delivery."""

    id: int


class TrialOutcome(BaseModel):
    """An endpoint's answer to a test; `reason` is why it failed, null if it was delivered."""

    status: int | None
    reason: str | None


class Mail(_Camel):
    """An email notification."""

    id: str
    tenant_id: str
    session_id: str
    kind: Literal["invitation", "completed"]
    to: str
    subject: str
    text: str
    state: Literal["queued", "sending", "sent", "failed", "unknown"]
    reason: str | None
    created: str
    sent: str | None


class Mails(Items[Mail]):
    """Email notifications, oldest first."""


class FaultRules(Items[FaultRule]):
    """Fault rules in force, in the order in which they are tried; `times` is the number of requests left for each."""


class BankOutage(BaseModel):
    """A bank that is slow or down."""

    bank_id: str
    state: State
    seconds: float


class BankOutages(Items[BankOutage]):
    """Banks that are slow or down; all others are up."""


class Requests(Items[RequestEntry]):
    """The last requests, newest first."""


class Ordered(BaseModel):
    """Scheduled work. `due` is null if it waits until somebody completes the session."""

    number: int
    tenant_id: str
    kind: Literal["session", "transactions"]
    subject_id: str
    due: str | None
    state: Literal["waiting", "done", "failed"]
    reason: str | None
    created: str
    finished: str | None


class Scheduled(Items[Ordered]):
    """Scheduled work and its outcomes, in the order in which it was scheduled."""


class OrganisationAdded(BaseModel):
    """An organisation of a scenario, with its key if one was requested."""

    tenant_id: str
    key_id: str | None = None
    secret: str | None = None


class CustomerAdded(BaseModel):
    """A customer of a scenario, with the ids of their sessions and payments in the order of the scenario."""

    id: str
    sessions: list[str]
    payments: list[str]


class ScenarioAdded(BaseModel):
    """The records that a scenario added, by their names in it."""

    organisations: dict[str, OrganisationAdded]
    customers: dict[str, CustomerAdded]


class Snapshot(BaseModel):
    """A snapshot and its number of rows."""

    name: str
    created: str
    rows: int


class Snapshots(Items[Snapshot]):
    """Snapshots, oldest first."""
