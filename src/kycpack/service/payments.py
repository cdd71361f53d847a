"""Payments and their AIS requirements."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert

from kycpack.models.enums import PaymentState
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.payments import AisRequirements, PaymentCreate
from kycpack.service.auth import Tenant
from kycpack.service.bodies import read_minor
from kycpack.service.customers import find_customer
from kycpack.service.problems import refusal
from kycpack.service.rows import find_by_id, is_uuid
from kycpack.service.schema import payments

_PAYMENT_ID = re.compile(r"pay_[0-9a-f]{32}")
_LARGEST_MINOR = 10**15


def create_payment(connection: Connection, tenant: Tenant, body: PaymentCreate, now: datetime) -> str:
    """Store a payment and return its id.

    Raises:
        RefusedError: The amount does not fit the currency, or a rule of AIS requirements is broken.
    """
    minor = read_minor(body.amount, tenant.currency, "amount", largest=_LARGEST_MINOR)
    requirements = body.ais_requirements
    if requirements is not None and body.customer_id is None:
        raise refusal("customer_required_for_ais")
    customer_id = None
    if body.customer_id is not None:
        if not is_uuid(body.customer_id):
            raise refusal("invalid_customer_id")
        customer_id = find_customer(connection, tenant, body.customer_id).id
    if requirements is not None and requirements.in_force and not tenant.merchant_onboarded:
        raise refusal("no_merchant")
    payment_id = f"pay_{uuid4().hex}"
    instant = format_instant(now)
    values = {
        "id": payment_id,
        "tenant_id": tenant.id,
        "customer_id": customer_id,
        "amount_minor": minor,
        "currency": tenant.currency,
        "reference": body.reference,
        "description": body.description,
        "ais_json": None
        if requirements is None
        else dump_json(requirements.model_dump(by_alias=True)).decode(),
        "return_url": body.return_url,
        "cancel_url": body.cancel_url,
        "status": PaymentState.CREATED.value,
        "created_at": instant,
        "updated_at": instant,
    }
    connection.execute(insert(payments), values)
    return payment_id


def find_payment(connection: Connection, tenant_id: str, payment_id: str, *, lock: bool = False) -> Row[Any]:
    """Return a payment's row, locked against other writers if `lock` is set.

    Raises:
        RefusedError: 404, unknown or another organisation's.
    """
    own = payments.c.tenant_id == tenant_id
    return find_by_id(connection, payments, payment_id, "payment", own, form=_PAYMENT_ID, lock=lock)


def find_any_payment(connection: Connection, payment_id: str) -> Row[Any]:
    """Return the row of a payment of any organisation, for the console or the holder of its link.

    Raises:
        RefusedError: 404 unknown.
    """
    return find_by_id(connection, payments, payment_id, "payment", form=_PAYMENT_ID)


def requirements_of(row: Row[Any]) -> AisRequirements | None:
    """Return the requirements of a payment's row that are in force."""
    if row.ais_json is None:
        return None
    requirements = AisRequirements.read(parse_json(row.ais_json))
    return requirements if requirements.in_force else None
