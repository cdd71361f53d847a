"""A scenario: data to load into a service, from a YAML file or through the control API.

The author chooses the names in it; the answer gives the ids that the service assigned.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field
from sqlalchemy import Connection

from kycpack.errors import ServiceError
from kycpack.models.customers import CustomerCreate
from kycpack.models.instants import parse_instant
from kycpack.models.onboarding import SessionCreate
from kycpack.models.payments import PaymentCreate
from kycpack.models.record import NamedText
from kycpack.models.webhooks import WebhookCreate
from kycpack.service.bank_access import end_access, grant_access, small_history
from kycpack.service.bank_reading import SCOPES
from kycpack.service.banks import set_condition
from kycpack.service.bodies import check
from kycpack.service.completion import finish_session, set_next_results
from kycpack.service.control.models import BankState, ControlBody, PartialResults, TenantCreate
from kycpack.service.customers import create_customer, find_customer, full_name
from kycpack.service.faults import FaultRule
from kycpack.service.keys import create_key
from kycpack.service.payments import create_payment
from kycpack.service.postings import BankAccessInput
from kycpack.service.problems import RefusedError, invalid_request
from kycpack.service.sessions import create_session, expire_session, tenant_of
from kycpack.service.state import Service, add_tenant, keep_fact, read_fact
from kycpack.service.webhooks.records import create_webhook
from kycpack.service.webhooks.targets import TargetError, require_registrable

_LARGEST_FILE = 16 << 20
_FACT = "scenario_"  # followed by the hash of the file


class OrganisationPart(TenantCreate):
    """An organisation; with `key` it gets a key with all permissions."""

    key: bool = False


class SessionPart(ControlBody):
    """A session of a customer: what is ordered, and how it ends; without an ending it is open."""

    order: dict[str, Any] = Field(
        default_factory=dict, description="The body of POST /v1/onboard/sessions, without customerId."
    )
    finish: PartialResults | None = None
    expired: bool = False


class CustomerPart(ControlBody):
    """A customer with everything that belongs to them."""

    name: NamedText
    organisation: NamedText | None = None
    record: CustomerCreate = Field(default_factory=CustomerCreate)
    bank_access: BankAccessInput | Literal["invented"] | None = None
    access_expired: bool = False
    sessions: list[SessionPart] = Field(default_factory=list)
    payments: list[dict[str, Any]] = Field(
        default_factory=list, description="Bodies of POST /v1/payments, without customerId."
    )
    next_results: PartialResults | None = None


class WebhookPart(ControlBody):
    """An endpoint of an organisation."""

    url: NamedText
    name: NamedText | None = None
    organisation: NamedText | None = None


class Scenario(ControlBody):
    """Data to load into a service: organisations, customers and banks, by name. Every part is optional."""

    clock: NamedText | None = None
    organisations: list[OrganisationPart] = Field(default_factory=list)
    customers: Annotated[list[CustomerPart], Field(max_length=10_000)] = Field(default_factory=list)
    webhooks: list[WebhookPart] = Field(default_factory=list)
    banks: dict[str, BankState] = Field(default_factory=dict)
    faults: list[FaultRule] = Field(default_factory=list)


def read_scenario(path: Path) -> tuple[Scenario, str]:
    """Return the scenario in a YAML file, and the hash under which the database records it.

    Raises:
        ServiceError: The file cannot be read or does not fit; the message names the line or the member.
    """
    try:
        content = path.read_bytes()
        if len(content) > _LARGEST_FILE:
            raise ServiceError(f"{path.name} is larger than {_LARGEST_FILE >> 20} MiB")
        document = yaml.load(content, _Loader)  # noqa: S506 - a safe loader that reads numbers exactly
    except OSError as error:
        raise ServiceError(f"{path}: cannot be read ({error.strerror})") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise ServiceError(f"{path.name}{line}: {getattr(error, 'problem', None) or 'not YAML'}") from None
    except ValueError:
        raise ServiceError(f"{path.name}: not text in UTF-8") from None
    try:
        scenario: Scenario = check(Scenario, {} if document is None else document)
    except RefusedError as error:
        raise ServiceError(f"{path.name}: {error.message}") from None
    return scenario, sha256(content).hexdigest()


def holds_scenario(service: Service, digest: str) -> bool:
    """Return whether a scenario with this hash has been added to the database before."""
    with service.database.read() as connection:
        return read_fact(connection, f"{_FACT}{digest[:32]}") is not None


def apply_scenario(service: Service, scenario: Scenario, digest: str = "") -> dict[str, Any]:
    """Add everything in a scenario, or nothing.

    Args:
        service: The service.
        scenario: The scenario to add.
        digest: The hash under which the database records it; empty for no record.

    Returns:
        The ids by name: `organisations`, with a key if one was requested, and `customers`, with sessions and payments.

    Raises:
        RefusedError: 400 and others; the message begins with the place in the scenario.
    """
    _require_targets(service, scenario)
    offsets = service.clock.offsets()
    if scenario.clock is not None:
        service.clock.set(parse_instant(scenario.clock))
    try:
        with service.database.write() as connection:
            given = _add(service, connection, scenario)
            if digest:
                keep_fact(connection, f"{_FACT}{digest[:32]}", "added")
    except BaseException:
        service.clock.restore(offsets)
        raise
    for rule in scenario.faults:
        service.faults.add(rule)
    service.sender.wake()
    return given


def _require_targets(service: Service, scenario: Scenario) -> None:
    for index, endpoint in enumerate(scenario.webhooks):
        try:
            require_registrable(endpoint.url, loopback=service.loopback)
        except TargetError as error:
            raise invalid_request(f"webhooks.{index}.url: {error}") from None


def _add(service: Service, connection: Connection, scenario: Scenario) -> dict[str, Any]:
    tenants: dict[str | None, str] = {None: service.first.tenant_id}
    organisations: dict[str, Any] = {}
    for index, part in enumerate(scenario.organisations):
        if part.name in tenants:
            raise invalid_request(f"organisations.{index}.name: appears twice")
        tenant_id = add_tenant(
            connection,
            service.clock,
            part.name,
            currency=part.currency,
            merchant_onboarded=part.merchant_onboarded,
        )
        tenants[part.name] = tenant_id
        organisations[part.name] = {"tenant_id": tenant_id}
        if part.key:
            key = create_key(connection, service.clock.now(), tenant_id=tenant_id)
            organisations[part.name] |= {"key_id": key.key_id, "secret": key.secret}
    customers: dict[str, Any] = {}
    for index, person in enumerate(scenario.customers):
        place = f"customers.{index}"
        if person.name in customers:
            raise invalid_request(f"{place}.name: appears twice")
        with _at(place):
            tenant_id = _tenant(tenants, person.organisation)
            customers[person.name] = _add_customer(service, connection, tenant_id, person)
    for index, endpoint in enumerate(scenario.webhooks):
        with _at(f"webhooks.{index}"):
            tenant = tenant_of(connection, _tenant(tenants, endpoint.organisation))
            body: WebhookCreate = check(WebhookCreate, {"url": endpoint.url, "name": endpoint.name})
            create_webhook(connection, tenant, body, service.clock.now())
    for bank_id, state in scenario.banks.items():
        set_condition(connection, bank_id, state.state, state.seconds)
    return {"organisations": organisations, "customers": customers}


def _tenant(tenants: dict[str | None, str], name: str | None) -> str:
    if name not in tenants:
        raise invalid_request("organisation: the scenario has no organisation with that name")
    return tenants[name]


def _add_customer(
    service: Service, connection: Connection, tenant_id: str, person: CustomerPart
) -> dict[str, Any]:
    tenant, now = tenant_of(connection, tenant_id), service.clock.now()
    customer_id = str(create_customer(connection, tenant, person.record, now)["id"])
    access = person.bank_access
    if access == "invented":
        holder = full_name(person.record) or "Account holder"
        access = small_history(holder, tenant.currency, SCOPES, now.date(), None, person=customer_id)
    if access is not None:
        with _at("bank_access"):
            grant_access(connection, tenant, customer_id, access, now)
    given: dict[str, Any] = {"id": customer_id, "sessions": [], "payments": []}
    for index, session in enumerate(person.sessions):
        with _at(f"sessions.{index}"):
            order: SessionCreate = check(SessionCreate, {**session.order, "customerId": customer_id})
            session_id = create_session(connection, tenant, order, now)
            if session.expired:
                expire_session(connection, session_id, now)
            elif session.finish is not None:
                finish_session(
                    connection,
                    session_id,
                    now,
                    results=session.finish.results,
                    review=session.finish.review,
                )
        given["sessions"].append(session_id)
    for index, payment in enumerate(person.payments):
        with _at(f"payments.{index}"):
            body: PaymentCreate = check(PaymentCreate, {**payment, "customerId": customer_id})
            given["payments"].append(create_payment(connection, tenant, body, now))
    if person.next_results is not None:
        row = find_customer(connection, tenant, customer_id)
        set_next_results(connection, row, person.next_results.results, person.next_results.review)
    if person.access_expired:
        end_access(connection, tenant, customer_id, now)
    return given


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Add the place in the scenario to the message of a refusal."""
    try:
        yield
    except RefusedError as error:
        if error.status >= 500:
            raise
        opening = "Invalid request: "
        message = f"{opening}{place}: {error.message.removeprefix(opening)}"
        raise RefusedError(error.status, error.code, message) from None


class _Loader(yaml.SafeLoader):
    """Reads YAML like JSON: exact numbers, dates and times as text, and no repeated names."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the library's own way to leave one out
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - the library's signature
        seen: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in seen:
                raise yaml.constructor.ConstructorError(None, None, "a name appears twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)

    def construct_yaml_float(self, node: yaml.ScalarNode) -> Any:
        text = str(self.construct_scalar(node)).replace("_", "")
        try:
            number = Decimal(text)
        except ArithmeticError:
            number = Decimal("NaN")
        if not number.is_finite():
            raise yaml.constructor.ConstructorError(None, None, "not a number", node.start_mark)
        return number


_Loader.add_constructor("tag:yaml.org,2002:float", _Loader.construct_yaml_float)
