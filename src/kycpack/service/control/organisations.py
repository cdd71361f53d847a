"""Organisations, their keys, and the clocks."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, select

from kycpack.errors import ServiceError
from kycpack.models.instants import format_instant, parse_instant
from kycpack.service.control.models import (
    Clocks,
    ClockSetting,
    Control,
    ControlCall,
    KeyCreate,
    KeyCreated,
    KeyList,
    TenantCreate,
    TenantCreated,
    Tenants,
    TenantTime,
)
from kycpack.service.keys import AREAS, PERMISSIONS, create_key, list_keys
from kycpack.service.problems import invalid_request
from kycpack.service.rows import find_by_id
from kycpack.service.schema import tenants
from kycpack.service.state import add_tenant, reading, writing


def _read(call: ControlCall) -> dict[str, Any]:
    clock = call.service.clock
    return {
        "now": format_instant(clock.now()),
        "tenants": {tenant_id: format_instant(clock.now(tenant_id)) for tenant_id in clock.own()},
    }


def set_clock(call: ControlCall) -> dict[str, Any]:
    """Move or set the service's clock; return the clocks."""
    _move(call, None)
    return _read(call)


def _read_own(call: ControlCall) -> dict[str, Any]:
    clock, tenant_id = call.service.clock, _tenant(call)
    return {"now": format_instant(clock.now(tenant_id)), "own": tenant_id in clock.own()}


def set_own(call: ControlCall) -> dict[str, Any]:
    """Move or set the clock of the organisation with the path's id; return it."""
    _move(call, _tenant(call))
    return _read_own(call)


def follow(call: ControlCall) -> dict[str, Any]:
    """Make the organisation with the path's id follow the service's clock; return it."""
    call.service.clock.follow(_tenant(call))
    call.service.scheduler.run_due()
    return _read_own(call)


def _move(call: ControlCall, tenant_id: str | None) -> None:
    setting: ClockSetting = call.body
    if setting.now is not None:
        call.service.clock.set(parse_instant(setting.now), tenant_id)
    else:
        call.service.clock.advance(float(setting.advance_seconds or 0), tenant_id)
    call.service.scheduler.run_due()


def _tenant(call: ControlCall) -> str:
    with call.service.database.read() as connection:
        return str(find_by_id(connection, tenants, call.path["id"], "organisation").id)


@writing
def _add_tenant(call: ControlCall, connection: Connection) -> dict[str, Any]:
    wanted: TenantCreate = call.body
    return {"tenant_id": add_tenant(connection, call.service.clock, **wanted.model_dump())}


@reading
def _list_tenants(_call: ControlCall, connection: Connection) -> dict[str, Any]:
    rows = connection.execute(select(tenants).order_by(tenants.c.created_at, tenants.c.id)).all()
    return {
        "items": [
            {
                name: getattr(row, name)
                for name in ("id", "name", "currency", "merchant_onboarded", "created_at")
            }
            for row in rows
        ]
    }


@writing
def _add_key(call: ControlCall, connection: Connection) -> dict[str, Any]:
    wanted: KeyCreate = call.body
    now = call.service.clock.now(wanted.tenant_id)
    try:
        key = create_key(
            connection,
            now,
            tenant_id=wanted.tenant_id,
            permissions=PERMISSIONS if wanted.permissions == "all" else wanted.permissions,
            areas=AREAS if wanted.areas == "all" else wanted.areas,
        )
    except ServiceError as error:
        raise invalid_request(str(error)) from None
    return {"key_id": key.key_id, "secret": key.secret}


CONTROLS = (
    Control("GET", "/clock", _read, "Read the clocks", answer=Clocks),
    Control(
        "POST",
        "/clock",
        set_clock,
        "Move or set the service's clock",
        ClockSetting,
        answer=Clocks,
        about="Work that becomes due is carried out before the answer. Organisations with a clock of their own are not affected.",
    ),
    Control("GET", "/tenants/{id}/clock", _read_own, "Read an organisation's clock", answer=TenantTime),
    Control(
        "POST",
        "/tenants/{id}/clock",
        set_own,
        "Give an organisation a clock of its own, and move or set it",
        ClockSetting,
        answer=TenantTime,
        about="Requests signed with its keys must have a date within 300 seconds of it.",
    ),
    Control(
        "DELETE",
        "/tenants/{id}/clock",
        follow,
        "Make an organisation follow the service's clock again",
        answer=TenantTime,
    ),
    Control("GET", "/tenants", _list_tenants, "List organisations", answer=Tenants),
    Control("POST", "/tenants", _add_tenant, "Add an organisation", TenantCreate, answer=TenantCreated),
    Control(
        "GET",
        "/keys",
        reading(lambda _, connection: {"items": [asdict(record) for record in list_keys(connection)]}),
        "List keys, without secrets",
        answer=KeyList,
    ),
    Control(
        "POST",
        "/keys",
        _add_key,
        "Create a key",
        KeyCreate,
        answer=KeyCreated,
        about="Its secret is in this answer only.",
    ),
)
