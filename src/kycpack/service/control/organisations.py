"""Organisations and their keys."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import select

from kycpack.errors import ServiceError
from kycpack.service.control.answers import KeyCreated, KeyList, TenantCreated, Tenants
from kycpack.service.control.bodies import KeyCreate, TenantCreate
from kycpack.service.control.operation import Control, ControlCall
from kycpack.service.keys import create_key, list_keys
from kycpack.service.problems import RefusedError, invalid_request
from kycpack.service.schema import tenants
from kycpack.service.state import add_tenant

_SHOWN = ("id", "name", "currency", "merchant_onboarded", "created_at")


def _add_tenant(call: ControlCall) -> dict[str, Any]:
    wanted: TenantCreate = call.body
    with call.service.database.write() as connection:
        tenant_id = add_tenant(
            connection,
            call.service.clock,
            wanted.name,
            currency=wanted.currency,
            merchant_onboarded=wanted.merchant_onboarded,
        )
    return {"tenant_id": tenant_id}


def _list_tenants(call: ControlCall) -> dict[str, Any]:
    with call.service.database.read() as connection:
        rows = connection.execute(select(tenants).order_by(tenants.c.created_at, tenants.c.id)).all()
    return {"items": [{name: getattr(row, name) for name in _SHOWN} for row in rows]}


def _add_key(call: ControlCall) -> dict[str, Any]:
    wanted: KeyCreate = call.body
    try:
        with call.service.database.write() as connection:
            key = create_key(
                connection,
                call.service.clock.now(wanted.tenant_id),
                tenant_id=wanted.tenant_id,
                permissions=wanted.wanted_permissions(),
                areas=wanted.wanted_areas(),
            )
    except RefusedError:
        raise
    except ServiceError as error:
        raise invalid_request(str(error)) from None
    return {"key_id": key.key_id, "secret": key.secret}


def _list_keys(call: ControlCall) -> dict[str, Any]:
    with call.service.database.read() as connection:
        return {"items": [asdict(record) for record in list_keys(connection)]}


CONTROLS = (
    Control("GET", "/tenants", _list_tenants, "List organisations", answer=Tenants),
    Control("POST", "/tenants", _add_tenant, "Add an organisation", TenantCreate, answer=TenantCreated),
    Control("GET", "/keys", _list_keys, "List keys, without secrets", answer=KeyList),
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
