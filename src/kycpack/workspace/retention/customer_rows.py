"""Finds and deletes the rows of a workspace about a customer."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from sqlalchemy import Column, Connection, delete, select

from kycpack.workspace import schema
from kycpack.workspace.cases.case_changes import erase_entries
from kycpack.workspace.entries.ledger_writer import Writer
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.rows import portions, read_json
from kycpack.workspace.schema import (
    cases,
    cleared_customers,
    completions,
    deliveries,
    intents,
    ledger_payloads,
    metadata,
    rationales,
    sampled_customers,
)

_DECISIONS = (cases, cleared_customers, sampled_customers)
# Any other table that names customers, now or in later versions, belongs to the register.
_REGISTER = tuple(
    table for table in metadata.sorted_tables if "customer_id" in table.columns and table not in _DECISIONS
)


def customers_with_rows(connection: Connection) -> dict[str, set[str]]:
    """Return which of the stores `register` and `decisions` have rows, by customer."""
    found: dict[str, set[str]] = {}
    for store, tables in (("register", _REGISTER), ("decisions", _DECISIONS)):
        for table in tables:
            query = select(table.c.customer_id).where(table.c.customer_id.is_not(None)).distinct()
            for customer_id in connection.scalars(query):
                found.setdefault(str(customer_id), set()).add(store)
    return found


def customers_with_open_cases(connection: Connection) -> set[str]:
    """Return the customers who have a case that is not closed."""
    return set(connection.scalars(select(cases.c.customer_id).where(cases.c.state != "closed")))


def erase_register(connection: Connection, customer_ids: Collection[str]) -> int:
    """Delete what the register, the inbox and the record of runs contain about customers.

    Args:
        connection: A transaction that may write.
        customer_ids: The customers.

    Returns:
        How many rows were deleted.
    """
    sessions = _ids(connection, schema.sessions.c.session_id, schema.sessions.c.customer_id, customer_ids)
    payments = _ids(connection, schema.payments.c.payment_id, schema.payments.c.customer_id, customer_ids)
    about = {*customer_ids, *sessions, *payments}
    count = _delete(connection, deliveries.c.number, _deliveries_about(connection, about))
    count += _delete(connection, intents.c.number, _intents_about(connection, about))
    count += _delete(connection, completions.c.session_id, sessions)
    for table in _REGISTER:
        for name in ("customer_id", "other_customer_id"):
            if name in table.columns:
                count += _delete(connection, table.c[name], customer_ids)
    return count


def erase_decisions(writer: Writer, customer_ids: Collection[str], reason: str, actor: Actor) -> int:
    """Delete the cases of customers, and erase what the ledger says about them; the chain can still be verified.

    Args:
        writer: A transaction that may write to the ledger.
        customer_ids: The customers.
        reason: The reason, for each entry about an erased payload.
        actor: Who erases.

    Returns:
        How many rows were deleted.
    """
    connection, count = writer.connection, 0
    for case_id in sorted(_ids(connection, cases.c.case_id, cases.c.customer_id, customer_ids)):
        entries = connection.scalar(select(cases.c.entries).where(cases.c.case_id == case_id)) or 0
        count += erase_entries(writer, case_id, entries, reason, actor)
        is_decision = rationales.c.decision_id.startswith(f"{case_id}-D", autoescape=True)
        count += connection.execute(delete(rationales).where(is_decision)).rowcount
    for seq in _reviews_of(connection, customer_ids):
        writer.erase(seq, reason, actor)
        count += 1
    for table in _DECISIONS:
        count += _delete(connection, table.c.customer_id, customer_ids)
    return count


def _ids(connection: Connection, wanted: Column[Any], owner: Column[Any], owners: Iterable[str]) -> set[str]:
    return {
        str(found)
        for some in portions(sorted(owners))
        for found in connection.scalars(select(wanted).where(owner.in_(some)))
    }


def _delete(connection: Connection, column: Column[Any], values: Iterable[Any]) -> int:
    return sum(
        connection.execute(delete(column.table).where(column.in_(some))).rowcount
        for some in portions(sorted(values))
    )


def _deliveries_about(connection: Connection, ids: Collection[str]) -> list[int]:
    return [
        row.number
        for row in connection.execute(select(deliveries.c.number, deliveries.c.body, deliveries.c.session_id))
        if row.session_id in ids or _names(bytes(row.body), ids)
    ]


def _intents_about(connection: Connection, ids: Collection[str]) -> list[int]:
    return [
        row.number
        for row in connection.execute(select(intents.c.number, intents.c.summary, intents.c.subject_id))
        if row.subject_id in ids or _names(row.summary.encode(), ids)
    ]


def _names(content: bytes, ids: Collection[str]) -> bool:
    """Return whether a document contains one of the ids as a value or, if it cannot be parsed, anywhere."""
    try:
        return any(value in ids for value in _texts(json.loads(content)))
    except (ValueError, RecursionError):
        return any(each.encode() in content for each in ids)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _reviews_of(connection: Connection, customer_ids: Collection[str]) -> list[int]:
    query = (
        select(ledger_payloads.c.seq, ledger_payloads.c.payload)
        .where(ledger_payloads.c.kind == "sample.reviewed")
        .order_by(ledger_payloads.c.seq)
    )
    return [
        row.seq
        for row in connection.execute(query)
        if read_json(row.payload, "payload")["data"].get("customer_id") in customer_ids
    ]
