"""The register: which customers, sessions and payments are known, how each was learned, and what is about to be created."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, insert, select, update

from kycpack.errors import WorkspaceError
from kycpack.models.cards import MethodsCard
from kycpack.workspace import schema
from kycpack.workspace.database import Workspace
from kycpack.workspace.register.identity_marks import same_person_of, shared_by
from kycpack.workspace.register.learning import TABLES, learn_record
from kycpack.workspace.rows import (
    CustomerRow,
    IntentRow,
    PaymentRow,
    SessionRow,
    portions,
    read_json,
)
from kycpack.workspace.schema import intents

_KINDS = {"customers.create": "customer", "onboarding.create": "session", "payments.create": "payment"}
"""What each operation creates."""
_AT_ONCE = 1000
_UNSETTLED = ("open", "unknown")
_IS_UNSETTLED = intents.c.state.in_(_UNSETTLED)


class Register(MethodsCard):
    """The register of a workspace; a client also records here what it creates.

    Args:
        workspace: The open workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    # --- what is known

    def known(self, customer_id: str) -> dict[str, Any]:
        """Return what the register contributes to a customer's evidence.

        Args:
            customer_id: The customer's id.

        Returns:
            `customerId`, `sessions` and `payments`, the body of the evidence entry `register.known`; if there is one,
            `riskProfile`, the body of `register.risk_profile`; if another customer has the same identity document,
            `sharedDocuments`, the body of `register.shared_documents`; and if another customer seems to be the same person,
            `samePerson`, the body of `register.same_person`.
        """
        return self.known_of([customer_id])[customer_id]

    def known_of(self, customer_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return what the register contributes to the evidence of many customers, from one snapshot.

        Args:
            customer_ids: The customers' ids.

        Returns:
            As from `known`, by customer.
        """
        known: dict[str, dict[str, Any]] = {
            one: {"customerId": one, "sessions": [], "payments": []} for one in customer_ids
        }
        with self.workspace.reading() as connection:
            for some in portions(list(known)):
                for session in _list_sessions(connection, schema.sessions.c.customer_id.in_(some)):
                    known[str(session.customer_id)]["sessions"].append(
                        {
                            "sessionId": session.session_id,
                            "learnedFrom": session.learned_from,
                            "createdAt": session.created_at,
                            "ordered": session.ordered,
                        }
                    )
                for payment in _list_payments(connection, schema.payments.c.customer_id.in_(some)):
                    known[str(payment.customer_id)]["payments"].append(
                        {
                            "paymentId": payment.payment_id,
                            "learnedFrom": payment.learned_from,
                            "createdAt": payment.created_at,
                        }
                    )
                for one, profile in _profiles_of(connection, some).items():
                    known[one]["riskProfile"] = {"customerId": one, **profile}
                for one, entry in shared_by(connection, some).items():
                    known[one]["sharedDocuments"] = entry
                for one, entry in same_person_of(connection, some).items():
                    known[one]["samePerson"] = entry
        return known

    def customers(self) -> tuple[CustomerRow, ...]:
        """Return all customers, in the order in which they were added."""
        table = schema.customers
        with self.workspace.reading() as connection:
            rows = connection.execute(
                select(table).order_by(table.c.learned_at, table.c.customer_id)
            ).mappings()
            return tuple(CustomerRow(**row) for row in rows)

    def customer_ids(self) -> Iterator[str]:
        """Yield the ids of all customers, in the order in which they were added."""
        table = schema.customers
        with self.workspace.reading() as connection:
            query = select(table.c.customer_id).order_by(table.c.learned_at, table.c.customer_id)
            yield from connection.scalars(query.execution_options(yield_per=_AT_ONCE))

    def organisations(self) -> tuple[str, ...]:
        """Return the branches of all customers, sorted."""
        branch = schema.customers.c.org_id
        with self.workspace.reading() as connection:
            found = connection.scalars(select(branch).where(branch != "").distinct())
            return tuple(sorted(found))

    def session_owners(self) -> Iterator[tuple[str, str | None]]:
        """Yield all sessions, each with its customer; None for an unknown customer."""
        table = schema.sessions
        with self.workspace.reading() as connection:
            query = select(table.c.session_id, table.c.customer_id)
            for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
                yield row.session_id, row.customer_id

    def sessions(self, customer_id: str | None = None) -> tuple[SessionRow, ...]:
        """Return all sessions, or those of a customer."""
        where = None if customer_id is None else schema.sessions.c.customer_id == customer_id
        with self.workspace.reading() as connection:
            return _list_sessions(connection, where)

    def payments(self, customer_id: str | None = None) -> tuple[PaymentRow, ...]:
        """Return all payments, or those of a customer."""
        where = None if customer_id is None else schema.payments.c.customer_id == customer_id
        with self.workspace.reading() as connection:
            return _list_payments(connection, where)

    # --- learning

    def add_customer(self, customer_id: str, *, learned_from: str, org_id: str | None = None) -> None:
        """Add a customer.

        Args:
            customer_id: The customer's id.
            learned_from: One of `LEARNED_FROM`.
            org_id: The caller's branch.

        Raises:
            InputError: The id or the source cannot be used.
        """
        self._learn("customer", customer_id, learned_from, org_id=org_id)

    def add_customers(self, customers: Iterable[tuple[str, str | None]], *, learned_from: str) -> int:
        """Add many customers, or none of them if one is wrong.

        Args:
            customers: Ids and branches.
            learned_from: One of `LEARNED_FROM`.

        Returns:
            How many of them are new.

        Raises:
            InputError: An id or the source cannot be used.
        """
        with self.workspace.transaction() as connection:
            now = self.workspace.timestamp()
            return sum(
                learn_record(connection, now, "customer", customer_id, learned_from, org_id=org_id)
                for customer_id, org_id in customers
            )

    def add_session(
        self,
        session_id: str,
        *,
        learned_from: str,
        customer_id: str | None = None,
        created_at: str | None = None,
        ordered: Mapping[str, Any] | None = None,
        status: str | None = None,
    ) -> None:
        """Add an onboard session and its customer.

        Args:
            session_id: The session's id.
            learned_from: One of `LEARNED_FROM`.
            customer_id: The customer, if known.
            created_at: When it was created, ISO 8601, if known.
            ordered: What was ordered, `{"identity": {...}, "ais": {...} | None}`, if known.
            status: The last known status.

        Raises:
            InputError: An id or the source cannot be used.
            WorkspaceError: The session is known to be another customer's.
        """
        known = {"customer_id": customer_id, "created_at": created_at, "ordered": ordered, "status": status}
        self._learn("session", session_id, learned_from, **known)

    def add_payment(
        self,
        payment_id: str,
        *,
        learned_from: str,
        customer_id: str | None = None,
        created_at: str | None = None,
    ) -> None:
        """Add a payment and its customer.

        Args:
            payment_id: The payment's id.
            learned_from: One of `LEARNED_FROM`.
            customer_id: The customer, if known.
            created_at: When it was created, ISO 8601, if known.

        Raises:
            InputError: An id or the source cannot be used.
            WorkspaceError: The payment is known to be another customer's.
        """
        known = {"customer_id": customer_id, "created_at": created_at}
        self._learn("payment", payment_id, learned_from, **known)

    def _learn(self, kind: str, subject_id: str, learned_from: str, **known: Any) -> None:
        with self.workspace.transaction() as connection:
            learn_record(connection, self.workspace.timestamp(), kind, subject_id, learned_from, **known)

    # --- what a client records

    def intend(self, operation: str, summary: Mapping[str, Any]) -> str:
        """Record that something is about to be created, durably, before the request is sent.

        Args:
            operation: The operation's name, as in `onboarding.create`.
            summary: Ids and options of the request; no personal data.

        Returns:
            The intent's id.
        """
        intent = {
            "intent_id": str(uuid.uuid4()),
            "operation": operation,
            "summary": json.dumps(dict(summary), sort_keys=True, default=str),
            "state": "open",
            "note": "",
            "made_at": self.workspace.timestamp(),
        }
        with self.workspace.transaction() as connection:
            connection.execute(insert(intents).values(intent))
        return intent["intent_id"]

    def learned(
        self,
        intent_id: str,
        kind: str,
        subject_id: str,
        *,
        customer_id: str | None = None,
        org_id: str | None = None,
        created_at: str | None = None,
        ordered: Mapping[str, Any] | None = None,
    ) -> None:
        """Record that an intent was answered, and what was created.

        Args:
            intent_id: The intent's id.
            kind: `customer`, `session` or `payment`; another kind only settles the intent.
            subject_id: The id that the service gave.
            customer_id: The customer of the session or payment.
            org_id: The caller's branch, for a customer.
            created_at: When it was created, ISO 8601.
            ordered: What a session ordered.

        Raises:
            WorkspaceError: There is no such intent.
        """
        known = {"customer_id": customer_id, "org_id": org_id, "created_at": created_at, "ordered": ordered}
        with self.workspace.transaction() as connection:
            self._learn_created(connection, kind, subject_id, known)
            self._settle(connection, intent_id, state="learned", subject_id=subject_id)

    def failed(self, intent_id: str, reason: str, *, unknown: bool = False) -> None:
        """Record that an intent failed, or that its outcome is unknown.

        Args:
            intent_id: The intent's id.
            reason: The kind of failure; no personal data.
            unknown: Whether the request was sent and its answer was lost.

        Raises:
            WorkspaceError: There is no such intent.
        """
        with self.workspace.transaction() as connection:
            self._settle(connection, intent_id, state="unknown" if unknown else "failed", note=reason)

    # --- intents without an answer

    def intents(self, *, unsettled: bool = False) -> tuple[IntentRow, ...]:
        """Return the intents in the order in which they were made.

        Args:
            unsettled: Only those that are open or whose outcome is unknown.
        """
        query = select(intents).order_by(intents.c.number)
        with self.workspace.reading() as connection:
            rows = connection.execute(query.where(_IS_UNSETTLED) if unsettled else query).mappings()
            return tuple(_intent(row) for row in rows)

    def resolve(self, intent_id: str, subject_id: str | None, *, note: str = "") -> IntentRow:
        """Settle an open or unknown intent by hand.

        Args:
            intent_id: The intent's id.
            subject_id: The id of what was created after all; None if nothing was.
            note: How this was found out.

        Returns:
            The intent in its new state.

        Raises:
            WorkspaceError: There is no such intent, or it is settled.
        """
        with self.workspace.transaction() as connection:
            intent = _get_intent(connection, intent_id)
            if intent.state not in _UNSETTLED:
                raise WorkspaceError(f"intent {intent_id} is already settled ({intent.state})")
            if subject_id is not None:
                known = {
                    "customer_id": intent.summary.get("customerId"),
                    "ordered": intent.summary.get("ordered"),
                }
                self._learn_created(connection, _KINDS.get(intent.operation, ""), subject_id, known)
            self._settle(connection, intent_id, state="resolved", subject_id=subject_id, note=note)
            return _get_intent(connection, intent_id)

    def _learn_created(
        self, connection: Connection, kind: str, subject_id: str, known: Mapping[str, Any]
    ) -> None:
        """Add what a client created, with what its kind of record has; another kind adds nothing."""
        if kind in TABLES:
            own = {column.name for column in TABLES[kind].columns} - {f"{kind}_id"}
            given = {name: value for name, value in known.items() if name in own}
            learn_record(connection, self.workspace.timestamp(), kind, subject_id, "created", **given)

    def _settle(self, connection: Connection, intent_id: str, **result: str | None) -> None:
        """Store the result of an intent.

        Raises:
            WorkspaceError: There is no such intent.
        """
        settled = {"subject_id": None, "note": "", "settled_at": self.workspace.timestamp(), **result}
        is_intent = intents.c.intent_id == intent_id
        if not connection.execute(update(intents).where(is_intent).values(settled)).rowcount:
            raise WorkspaceError(f"no intent {intent_id}")


def _list_sessions(connection: Connection, where: ColumnElement[bool] | None) -> tuple[SessionRow, ...]:
    table = schema.sessions
    query = select(table).order_by(table.c.created_at, table.c.learned_at, table.c.session_id)
    rows = connection.execute(query if where is None else query.where(where)).mappings()
    return tuple(
        SessionRow(**{**row, "ordered": read_json(row["ordered"], "ordered") if row["ordered"] else None})
        for row in rows
    )


def _list_payments(connection: Connection, where: ColumnElement[bool] | None) -> tuple[PaymentRow, ...]:
    table = schema.payments
    query = select(table).order_by(table.c.created_at, table.c.learned_at, table.c.payment_id)
    rows = connection.execute(query if where is None else query.where(where)).mappings()
    return tuple(PaymentRow(**row) for row in rows)


def _profiles_of(connection: Connection, customer_ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return what the file says about customers, by customer; those not in the file are left out."""
    found = connection.execute(
        select(schema.risk_profiles).where(schema.risk_profiles.c.customer_id.in_(list(customer_ids)))
    ).mappings()
    return {str(row["customer_id"]): read_json(row["profile"], "profile") for row in found}


def _get_intent(connection: Connection, intent_id: str) -> IntentRow:
    row = connection.execute(select(intents).where(intents.c.intent_id == intent_id)).mappings().first()
    if row is None:
        raise WorkspaceError(f"no intent {intent_id}; `kycpack register list --intents` shows them")
    return _intent(row)


def _intent(row: RowMapping) -> IntentRow:
    values = {name: value for name, value in row.items() if name != "number"}
    return IntentRow(**{**values, "summary": read_json(values["summary"], "summary")})
