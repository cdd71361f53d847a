"""API keys: permissions, tenant, and one or two live secrets."""

from __future__ import annotations

import base64
import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from kycpack.errors import ServiceError
from kycpack.models.instants import format_instant
from kycpack.service.rows import is_uuid
from kycpack.service.schema import key_secrets, keys, tenants

PERMISSIONS = (
    "create_customer",
    "read_customers",
    "update_customer",
    "read_customer",
    "create_payment",
    "create_onboard_session",
    "read_onboard_session",
    "read_onboard_results",
    "manage_webhooks",
)
"""Every permission. Source: interface, "Authentication", 2."""

AREAS = ("customers", "onboard", "source_of_wealth")
"""Areas that a key can be enabled for. Source: interface, "Authentication", 3."""

MOST_SECRETS = 2
"""Maximum number of live secrets of one key; two allow rotation without a gap."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key; its secret is shown only once."""

    key_id: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A key without its secret."""

    key_id: str
    tenant_id: str | None
    permissions: tuple[str, ...]
    areas: tuple[str, ...]
    created: str
    live_secrets: int


def create_key(
    connection: Connection,
    now: datetime,
    *,
    tenant_id: str | None,
    permissions: Iterable[str] = PERMISSIONS,
    areas: Iterable[str] = AREAS,
) -> NewKey:
    """Create a key with its first secret.

    Args:
        connection: A writing connection.
        now: The service's time.
        tenant_id: Id of the key's organisation; None for a key without account context.
        permissions: Names in `PERMISSIONS`.
        areas: Names in `AREAS`.

    Raises:
        ServiceError: A permission, an area or the tenant is unknown.
    """
    permitted, enabled = tuple(dict.fromkeys(permissions)), tuple(dict.fromkeys(areas))
    _require_known("permission", permitted, PERMISSIONS)
    _require_known("area", enabled, AREAS)
    if tenant_id is not None:
        found = select(tenants.c.id).where(tenants.c.id == tenant_id)
        if not is_uuid(tenant_id) or connection.scalar(found) is None:
            raise ServiceError("there is no tenant with that id")
    key_id = f"key_{secrets.token_hex(12)}"
    connection.execute(
        insert(keys).values(
            id=key_id,
            tenant_id=tenant_id,
            permissions=" ".join(permitted),
            areas=" ".join(enabled),
            created_at=format_instant(now),
        )
    )
    return NewKey(key_id, _add_secret(connection, now, key_id))


def list_keys(connection: Connection) -> tuple[KeyRecord, ...]:
    """Return every key, oldest first, without secrets."""
    live = select(key_secrets.c.key_id).where(key_secrets.c.retired_at.is_(None))
    counts = Counter(connection.scalars(live))
    rows = connection.execute(select(keys).order_by(keys.c.created_at, keys.c.id))
    return tuple(
        KeyRecord(
            row.id,
            row.tenant_id,
            tuple(row.permissions.split()),
            tuple(row.areas.split()),
            row.created_at,
            counts[row.id],
        )
        for row in rows
    )


def rotate_secret(connection: Connection, now: datetime, key_id: str) -> NewKey:
    """Give a key a second live secret; the older one works until `retire_old_secrets`.

    Raises:
        ServiceError: The key does not exist, or has two live secrets already.
    """
    live = len(_live_secrets(connection, key_id))
    if live == 0 and connection.scalar(select(keys.c.id).where(keys.c.id == key_id)) is None:
        raise ServiceError("there is no key with that id")
    if live >= MOST_SECRETS:
        raise ServiceError("the key has two live secrets already; retire the older one first")
    return NewKey(key_id, _add_secret(connection, now, key_id))


def retire_old_secrets(connection: Connection, now: datetime, key_id: str) -> int:
    """Retire all live secrets of a key except the newest; return their number."""
    return _retire(connection, now, _live_secrets(connection, key_id)[:-1])


def revoke_key(connection: Connection, now: datetime, key_id: str) -> int:
    """Retire all live secrets of a key, so that it can no longer be used; return their number."""
    return _retire(connection, now, _live_secrets(connection, key_id))


def _live_secrets(connection: Connection, key_id: str) -> list[int]:
    live = (key_secrets.c.key_id == key_id) & key_secrets.c.retired_at.is_(None)
    return list(connection.scalars(select(key_secrets.c.id).where(live).order_by(key_secrets.c.id)))


def _retire(connection: Connection, now: datetime, numbers: list[int]) -> int:
    if numbers:
        retired = (
            update(key_secrets).where(key_secrets.c.id.in_(numbers)).values(retired_at=format_instant(now))
        )
        connection.execute(retired)
    return len(numbers)


def _add_secret(connection: Connection, now: datetime, key_id: str) -> str:
    secret = base64.b64encode(secrets.token_bytes(32)).decode("ascii")
    row = insert(key_secrets).values(key_id=key_id, secret=secret, created_at=format_instant(now))
    connection.execute(row)
    return secret


def _require_known(what: str, given: tuple[str, ...], known: tuple[str, ...]) -> None:
    if not set(given) <= set(known):
        raise ServiceError(f"unknown {what}; the known ones are {', '.join(known)}")
