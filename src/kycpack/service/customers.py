"""Customers: stored as given, never merged, never told to another organisation."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from kycpack.models.customers import CustomerCreate, CustomerUpdate
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.service.auth import Tenant
from kycpack.service.problems import customer_not_found, invalid_customer_id
from kycpack.service.schema import customers

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_COLUMNS = {
    "firstName": customers.c.first_name,
    "lastName": customers.c.last_name,
    "emailAddress": customers.c.email_address,
    "dateOfBirth": customers.c.date_of_birth,
    "orgId": customers.c.org_id,
}


def is_uuid(text: str) -> bool:
    """Tell whether a text has the form of the ids that the service assigns."""
    return _UUID.fullmatch(text) is not None


def create_customer(
    connection: Connection, tenant: Tenant, body: CustomerCreate, now: datetime
) -> dict[str, Any]:
    """Store a customer and return the record."""
    given = body.wire()
    instant = format_instant(now)
    values = {
        "id": str(uuid4()),
        "tenant_id": tenant.id,
        "created_at": instant,
        "updated_at": instant,
        **{column.name: given.get(name) for name, column in _COLUMNS.items()},
        "address_json": _address_json(given.get("address")),
    }
    connection.execute(insert(customers), values)
    return _record(values)


def find_customer(
    connection: Connection, tenant: Tenant, customer_id: str, *, lock: bool = False
) -> Row[Any]:
    """Return a customer's row, locked against other writers where asked.

    Raises:
        RefusedError: 404, unknown or another organisation's.
    """
    row = None
    if is_uuid(customer_id):
        own = (customers.c.id == customer_id.lower()) & (customers.c.tenant_id == tenant.id)
        one = select(customers).where(own)
        row = connection.execute(one.with_for_update() if lock else one).one_or_none()
    if row is None:
        raise customer_not_found()
    return row


def find_customer_of_body(connection: Connection, tenant: Tenant, customer_id: str) -> Row[Any]:
    """Return the row of a customer whom a body names.

    Raises:
        RefusedError: 400 where the id has no valid form, 404 where it is unknown.
    """
    if not is_uuid(customer_id):
        raise invalid_customer_id()
    return find_customer(connection, tenant, customer_id)


def get_customer(connection: Connection, tenant: Tenant, customer_id: str) -> dict[str, Any]:
    """Return a customer's record."""
    return _record(find_customer(connection, tenant, customer_id)._asdict())


def update_customer(
    connection: Connection, tenant: Tenant, customer_id: str, body: CustomerUpdate, now: datetime
) -> dict[str, Any]:
    """Change what the body names; null clears, an address is replaced whole."""
    held = find_customer(connection, tenant, customer_id)
    given = body.wire()
    changes = {_COLUMNS[name].name: value for name, value in given.items() if name in _COLUMNS}
    if "address" in given:
        changes["address_json"] = _address_json(given["address"])
    changes["updated_at"] = format_instant(now)
    own = (customers.c.id == held.id) & (customers.c.tenant_id == tenant.id)
    changed = connection.execute(update(customers).where(own).values(changes).returning(customers)).one()
    return _record(changed._asdict())


def list_customers(connection: Connection, tenant: Tenant, org_id: str | None) -> dict[str, Any]:
    """Return the organisation's customers, oldest first, of one `orgId` where it is given."""
    own = select(customers).where(customers.c.tenant_id == tenant.id)
    if org_id is not None:
        own = own.where(customers.c.org_id == org_id)
    rows = connection.execute(own.order_by(customers.c.created_at, customers.c.id))
    return {"items": [_record(row._asdict()) for row in rows]}


def address_of(row: Row[Any]) -> dict[str, Any]:
    """Return the address of a customer's row; empty where there is none."""
    return dict(parse_json(row.address_json)) if row.address_json else {}


def _address_json(address: dict[str, Any] | None) -> str | None:
    if address is None:
        return None
    return dump_json({name: value for name, value in address.items() if value is not None}).decode()


def _record(values: dict[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = {"id": values["id"], "tenantId": values["tenant_id"]}
    for name, column in _COLUMNS.items():
        if values[column.name] is not None:
            record[name] = values[column.name]
    if values["address_json"] is not None:
        record["address"] = parse_json(values["address_json"])
    record["created"] = values["created_at"]
    record["lastUpdated"] = values["updated_at"]
    return record
