"""Loads a population into a service, and writes the truth about it where the toolkit does not look."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from kycpack.models.customers import CustomerCreate
from kycpack.models.onboarding import SessionCreate
from kycpack.models.payments import PaymentCreate
from kycpack.service.bank_access import grant_access
from kycpack.service.completion import finish_session
from kycpack.service.customers import create_customer
from kycpack.service.payments import create_payment
from kycpack.service.postings import BankAccessInput
from kycpack.service.sessions import LIFETIME, create_session, tenant_of
from kycpack.service.state import Service
from kycpack.synthetic.records import CustomerPlan, Population
from kycpack.synthetic.truth_frames import CustomerIds, to_credit_truth, to_stream_truth

_LONG_AGO = LIFETIME + timedelta(days=1)


class PopulationTarget(Protocol):
    """A target for customers: the service itself, or a client."""

    def create_customer(self, body: Mapping[str, Any]) -> str:
        """Create a customer and return the id."""

    def grant_bank_access(self, customer_id: str, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Load bank accounts and return their ids in the order of the body."""

    def create_payment(self, body: Mapping[str, Any]) -> str:
        """Create a payment and return the id."""

    def create_session(self, body: Mapping[str, Any], age: timedelta) -> str:
        """Order a session as if it had been that long ago, and return the id."""

    def finish_session(self, session_id: str, results: Mapping[str, Any]) -> None:
        """Complete a session with partial results."""


class ServiceTarget:
    """A service in this process, loaded without HTTP.

    Args:
        service: The running service.
        tenant_id: Id of the organisation for the customers; None for the first tenant.
    """

    def __init__(self, service: Service, tenant_id: str | None = None) -> None:
        self._service = service
        with service.database.read() as connection:
            self._tenant = tenant_of(connection, tenant_id or service.first.tenant_id)

    def create_customer(self, body: Mapping[str, Any]) -> str:
        """Create a customer and return the id."""
        with self._service.database.write() as connection:
            record = create_customer(
                connection, self._tenant, CustomerCreate.read(body), self._service.clock.now(self._tenant.id)
            )
        return str(record["id"])

    def grant_bank_access(self, customer_id: str, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Load bank accounts and return their ids in the order of the body."""
        access = BankAccessInput.read(body)
        with self._service.database.write() as connection:
            held = grant_access(
                connection, self._tenant, customer_id, access, self._service.clock.now(self._tenant.id)
            )
        return tuple(str(account["id"]) for account in held[-len(access.accounts) :])

    def create_payment(self, body: Mapping[str, Any]) -> str:
        """Create a payment and return the id."""
        with self._service.database.write() as connection:
            return create_payment(
                connection, self._tenant, PaymentCreate.read(body), self._service.clock.now(self._tenant.id)
            )

    def create_session(self, body: Mapping[str, Any], age: timedelta) -> str:
        """Order a session as if it had been that long ago, and return the id."""
        with self._service.database.write() as connection:
            return create_session(
                connection,
                self._tenant,
                SessionCreate.read(body),
                self._service.clock.now(self._tenant.id) - age,
            )

    def finish_session(self, session_id: str, results: Mapping[str, Any]) -> None:
        """Complete a session with partial results."""
        with self._service.database.write() as connection:
            now = self._service.clock.now(self._tenant.id)
            finish_session(connection, session_id, now, results=results)
        self._service.sender.wake()


def load(
    population: Population, target: PopulationTarget, on_progress: Callable[[int, int], None] | None = None
) -> dict[str, CustomerIds]:
    """Create all customers of a population with everything that belongs to them.

    Args:
        population: From `generate`.
        target: Where to create them.
        on_progress: Called after each customer with the number of finished customers and the total.

    Returns:
        The assigned ids, by the population's customer key.
    """
    ids: dict[str, CustomerIds] = {}
    for done, plan in enumerate(population.customers, 1):
        ids[plan.key] = load_customer(plan, target)
        if on_progress:
            on_progress(done, len(population.customers))
    return ids


def load_customer(plan: CustomerPlan, target: PopulationTarget) -> CustomerIds:
    """Create one customer with bank access, payments and sessions, in this order."""
    customer_id = target.create_customer(plan.customer_body)
    accounts: dict[str, str] = {}
    access = plan.bank_access_body
    if access is not None:
        given = target.grant_bank_access(customer_id, access)
        accounts = {account.key: account_id for account, account_id in zip(plan.accounts, given, strict=True)}
    payment_ids = tuple(
        target.create_payment({**body, "customerId": customer_id}) for body in plan.payment_bodies
    )
    session_ids = []
    for session in plan.sessions:
        body: dict[str, Any] = {"customerId": customer_id}
        if session.options is not None:
            body["options"] = session.options
        age = _LONG_AGO if session.ending == "expired" else timedelta()
        session_ids.append(target.create_session(body, age))
        if session.ending == "complete":
            target.finish_session(session_ids[-1], session.results)
    return CustomerIds(customer_id, accounts, tuple(session_ids), payment_ids)


def write_truth(population: Population, ids: Mapping[str, CustomerIds], folder: str | Path) -> Path:
    """Write the truth about a loaded population: `customers.json`, `credits.parquet`, `streams.parquet`.

    `register.csv` beside them is for `kycpack register import`: the interface cannot list sessions and payments.

    Args:
        population: From `generate`.
        ids: From `load`.
        folder: The folder; it is created if needed, readable by its owner only.

    Returns:
        The folder.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    truth = to_credit_truth(population, ids)
    truth.to_parquet(place / "credits.parquet", index=False)
    to_stream_truth(truth).to_parquet(place / "streams.parquet", index=False)
    people = [
        {
            "key": plan.key,
            **asdict(ids[plan.key]),
            "scenario": plan.scenario,
            "level": plan.meant_level,
            "why": plan.why,
        }
        for plan in population.customers
    ]
    header = {"seed": population.seed, "as_of": population.as_of.isoformat(), "profile": population.profile}
    text = json.dumps({**header, "customers": people}, indent=1, ensure_ascii=False)
    (place / "customers.json").write_text(text + "\n", encoding="utf-8")
    lines = ["customer_id,session_id,payment_id"]
    for one in ids.values():
        lines += [f"{one.customer_id},{session_id}," for session_id in one.session_ids]
        lines += [f"{one.customer_id},,{payment_id}" for payment_id in one.payment_ids]
    (place / "register.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in place.iterdir():
        path.chmod(0o600)
    return place
