"""Customers: stored as received, never merged, never shown to another organisation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, tuple_

from kycpack.models.customers import CustomerCreate, CustomerUpdate
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.service.auth import Tenant
from kycpack.service.problems import invalid_request
from kycpack.service.rows import change_row, find_by_id, is_uuid, page_of, present
from kycpack.service.schema import customers

_OLDEST_YEARS = 130
_AT_A_TIME = 1000
_CREATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z")
_COLUMNS = {
    "firstName": customers.c.first_name,
    "lastName": customers.c.last_name,
    "emailAddress": customers.c.email_address,
    "dateOfBirth": customers.c.date_of_birth,
    "orgId": customers.c.org_id,
}


def create_customer(
    connection: Connection, tenant: Tenant, body: CustomerCreate, now: datetime
) -> dict[str, Any]:
    """Store a customer and return the record.

    Raises:
        RefusedError: 400, the country does not exist or the date of birth is not possible.
    """
    given = body.wire()
    _require_possible(given, now)
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
    """Return a customer's row, locked against other writers if `lock` is set.

    Raises:
        RefusedError: 404, unknown or another organisation's.
    """
    own = customers.c.tenant_id == tenant.id
    return find_by_id(connection, customers, customer_id, "customer", own, lock=lock)


def find_any_customer(connection: Connection, customer_id: str, *, lock: bool = False) -> Row[Any]:
    """Return the row of a customer of any organisation, for the control API and the console.

    Raises:
        RefusedError: 404 unknown.
    """
    return find_by_id(connection, customers, customer_id, "customer", lock=lock)


def get_customer(connection: Connection, tenant: Tenant, customer_id: str) -> dict[str, Any]:
    """Return a customer's record."""
    return _record(find_customer(connection, tenant, customer_id)._asdict())


def update_customer(
    connection: Connection, tenant: Tenant, customer_id: str, body: CustomerUpdate, now: datetime
) -> dict[str, Any]:
    """Change the members in the body; null clears a member, an address is replaced as a whole."""
    held = find_customer(connection, tenant, customer_id)
    given = body.wire()
    _require_possible(given, now)
    changes = {_COLUMNS[name].name: value for name, value in given.items() if name in _COLUMNS}
    if "address" in given:
        changes["address_json"] = _address_json(given["address"])
    changes["updated_at"] = format_instant(now)
    return _record(change_row(connection, customers, held, **changes)._asdict())


def list_customers(
    connection: Connection, tenant: Tenant, org_id: str | None, limit: int, cursor: str | None
) -> dict[str, Any]:
    """Return a page of the organisation's customers, oldest first, or of those with an `orgId` if one is given.

    Raises:
        RefusedError: 400, the cursor is not valid.
    """
    after = _read_cursor(cursor)
    rows = _rows_after(connection, tenant, org_id, after, limit + 1)
    items = [_record(row._asdict()) for row in rows[:limit]]
    return page_of(items, rows, limit, "created_at", "id")


def stream_customers(
    read: Callable[[], AbstractContextManager[Connection]], tenant: Tenant, org_id: str | None
) -> Iterator[bytes]:
    """Write all customers of the organisation as one JSON document, oldest first, a thousand at a time.

    Each thousand is read separately, so that a slow caller does not block a database connection.
    """
    after: tuple[str, str] | None = None
    yield b'{"items":['
    while True:
        with read() as connection:
            rows = _rows_after(connection, tenant, org_id, after, _AT_A_TIME)
        comma = b"," if after is not None and rows else b""
        yield comma + b",".join(dump_json(_record(row._asdict())) for row in rows)
        if len(rows) < _AT_A_TIME:
            yield b"]}"
            return
        after = (rows[-1].created_at, rows[-1].id)


def _rows_after(
    connection: Connection, tenant: Tenant, org_id: str | None, after: tuple[str, str] | None, limit: int
) -> list[Row[Any]]:
    own = select(customers).where(customers.c.tenant_id == tenant.id)
    if org_id is not None:
        own = own.where(customers.c.org_id == org_id)
    place = (customers.c.created_at, customers.c.id)
    if after is not None:
        own = own.where(tuple_(*place) > tuple_(*after))
    return list(connection.execute(own.order_by(*place).limit(limit)))


def _read_cursor(cursor: str | None) -> tuple[str, str] | None:
    if cursor is None:
        return None
    created_at, _, customer_id = cursor.rpartition(".")
    if not (_CREATED.fullmatch(created_at) and is_uuid(customer_id)):
        raise invalid_request("cursor: not a valid nextCursor of this list")
    return created_at, customer_id


def full_name(row: Any) -> str:
    """Return the name of a row or record with `first_name` and `last_name`; empty if it has neither."""
    return " ".join(part for part in (row.first_name, row.last_name) if part)


def address_of(row: Row[Any]) -> dict[str, Any]:
    """Return the address of a customer's row; empty if there is none."""
    return dict(parse_json(row.address_json)) if row.address_json else {}


def _require_possible(given: dict[str, Any], now: datetime) -> None:
    country = (given.get("address") or {}).get("country")
    if country is not None and country not in countries():
        raise invalid_request("address.country: not an ISO 3166-1 country code")
    born = given.get("dateOfBirth")
    if born is None:
        return
    oldest = f"{now.year - _OLDEST_YEARS:04}{format_instant(now)[4:10]}"
    if not oldest <= born <= format_instant(now)[:10]:
        raise invalid_request(f"dateOfBirth: in the future, or more than {_OLDEST_YEARS} years ago")


def _address_json(address: dict[str, Any] | None) -> str | None:
    return None if address is None else dump_json(present(address)).decode()


def _record(values: dict[str, Any]) -> dict[str, Any]:
    address = values["address_json"]
    return present(
        {
            "id": values["id"],
            "tenantId": values["tenant_id"],
            **{name: values[column.name] for name, column in _COLUMNS.items()},
            "address": None if address is None else parse_json(address),
            "created": values["created_at"],
            "lastUpdated": values["updated_at"],
        }
    )


@cache
def countries() -> dict[str, str]:
    """Return the English name of each country by its code, sorted by name."""
    lines = files("kycpack.service.pages").joinpath("countries.txt").read_text("utf-8").splitlines()
    return {code: name for code, _, name in (line.partition(" ") for line in lines)}
