"""Who may call: the signature, its date and nonce, the permissions of the key, and the limit of its requests.

An unknown key and a wrong signature get the same answer, and take the same amount of work.
"""

from __future__ import annotations

import hmac
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from sqlalchemy import Connection, bindparam, delete, select

from kycpack.errors import InputError
from kycpack.models import signing
from kycpack.service.clock import Clock
from kycpack.service.database import insert_if_new
from kycpack.service.problems import RefusedError, refusal
from kycpack.service.schema import key_secrets, keys, nonces, tenants

DATE_WINDOW_SECONDS = 300
"""Maximum difference between `x-date` and the service's clock, seconds."""

NONCE_SECONDS = 600
"""How long a nonce is remembered: longer than the date window."""

_NO_SECRET = bytes(32)
_CANDIDATES = 2
_PURGE_EVERY_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Tenant:
    """The organisation that a request acts for."""

    id: str
    currency: str
    merchant_onboarded: bool


@dataclass(frozen=True, slots=True)
class Principal:
    """A key whose signature was correct."""

    key_id: str
    tenant: Tenant
    permissions: frozenset[str]
    areas: frozenset[str]


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """The request as received, for checking its signature."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


class Verifier:
    """Checks `kyc-hmac-v1` signatures, and stores nonces in the database."""

    def __init__(self) -> None:
        self._next_purges: dict[str, float] = {}

    def identify(
        self, connection: Connection, request: SignedRequest, now_of: Callable[[str | None], datetime]
    ) -> Principal:
        """Return the key that signed a request; `use_nonce` must be called before the request is carried out.

        Args:
            connection: A connection for reading.
            request: The request.
            now_of: Returns the time of an organisation; None for the service's time.

        Raises:
            RefusedError: 401, for any reason.
        """
        try:
            key_id, signature = signing.parse_authorization(request.headers.get("authorization", ""))
        except InputError:
            raise refusal(
                "invalid_api_key", "the Authorization header is missing or malformed", "authorization"
            ) from None
        rows = connection.execute(_KEY_AND_SECRETS, {"key_id": key_id}).all()
        _require_signed_headers(request, now_of(rows[0].tenant_id if rows else None))
        expected = signed_text(request)
        found = [signing.decode_secret(row.secret) for row in rows[:_CANDIDATES]]
        padded = found + [_NO_SECRET] * (_CANDIDATES - len(found))
        matches = [hmac.compare_digest(signing.sign(secret, expected), signature) for secret in padded]
        if not any(matches[: len(found)]):
            raise refusal(
                "invalid_api_key", "unknown key or wrong signature", "signature" if found else "unknown_key"
            )
        row = rows[0]
        if row.tenant_id is None:
            raise refusal("invalid_api_key", "the key has no account context", "account")
        return Principal(
            key_id,
            Tenant(row.tenant_id, row.currency, row.merchant_onboarded),
            frozenset(row.permissions.split()),
            frozenset(row.areas.split()),
        )

    def use_nonce(
        self, connection: Connection, request: SignedRequest, tenant_id: str, now: datetime
    ) -> None:
        """Mark the nonce of an identified request as used.

        Args:
            connection: A writing connection; the nonce counts once it is committed.
            request: The request.
            tenant_id: Id of its organisation.
            now: That organisation's time.

        Raises:
            RefusedError: 401, the request was sent before.
        """
        second = int(now.timestamp())
        next_purge = self._next_purges.get(tenant_id, 0.0)
        if now.timestamp() >= next_purge or next_purge - now.timestamp() > _PURGE_EVERY_SECONDS:
            self._next_purges[tenant_id] = now.timestamp() + _PURGE_EVERY_SECONDS
            # By the clock of the keys' own organisation; nonces of keys that no longer exist are not needed.
            of_others = select(keys.c.id).where(keys.c.tenant_id.is_distinct_from(tenant_id))
            old = nonces.c.seen_at < second - NONCE_SECONDS
            connection.execute(delete(nonces).where(old, nonces.c.key_id.not_in(of_others)))
        key_id, _ = signing.parse_authorization(request.headers["authorization"])
        nonce = request.headers["x-nonce"]
        if not insert_if_new(connection, nonces, key_id=key_id, nonce=nonce, seen_at=second):
            raise refusal(
                "invalid_api_key", "this request was already sent (its nonce was used before)", "replay"
            )


def tenant_of_header(connection: Connection, authorization: str) -> str | None:
    """Return the organisation of the key in an `Authorization` header, without checking the signature."""
    try:
        key_id, _ = signing.parse_authorization(authorization)
    except InputError:
        return None
    return connection.scalar(select(keys.c.tenant_id).where(keys.c.id == key_id))


def signed_text(request: SignedRequest) -> str:
    """Return the text that the service expects to be signed."""
    host, date, nonce = (request.headers.get(name, "") for name in ("host", "x-date", "x-nonce"))
    digest = signing.content_sha256(request.body)
    return signing.string_to_sign(
        signing.CanonicalRequest(request.method, request.target, host, date, digest, nonce)
    )


def explain_refusal(
    connection: Connection, request: SignedRequest, now_of: Callable[[str | None], datetime]
) -> str:
    """Return why a signature was refused, for the operator of the service; never for the caller, who may be guessing.

    Args:
        connection: A connection for reading.
        request: The request.
        now_of: Returns the time of an organisation; None for the service's time.
    """
    try:
        key_id, _ = signing.parse_authorization(request.headers.get("authorization", ""))
    except InputError:
        return "Without a readable Authorization header nothing else was checked."
    found = connection.execute(_KEY_AND_SECRETS, {"key_id": key_id}).first()
    # An id that was not made here is the caller's own text, and could be anything.
    named = (
        f"{key_id} has a live secret here"
        if found is not None
        else "the given key is unknown here, or was revoked"
    )
    now = now_of(found.tenant_id if found is not None else None)
    date = request.headers.get("x-date", "")
    try:
        apart = f"{(_read_date(date) - now).total_seconds():+.0f} seconds from the organisation's time"
    except RefusedError:
        apart = "not an HTTP date"
    digest = signing.content_sha256(request.body)
    same = "is the body's" if request.headers.get("x-content-sha256", "") == digest else "is not the body's"
    return (
        f"Key: {named}.\nx-date: {apart}.\nx-content-sha256: {same}; "
        f"the body came with {len(request.body)} bytes.\nThe service signs these lines:\n\n{signed_text(request)}"
    )


def require(principal: Principal, permission: str, area: str | None) -> None:
    """Refuse a key that lacks the area or the permission.

    Raises:
        RefusedError: 403.
    """
    if area is not None and area not in principal.areas:
        raise refusal("insufficient_permissions", f"the key is not enabled for the area {area}")
    if permission not in principal.permissions:
        raise refusal("insufficient_permissions", f"{permission} is needed")


_KEY_AND_SECRETS = (
    select(
        key_secrets.c.secret,
        keys.c.tenant_id,
        keys.c.permissions,
        keys.c.areas,
        tenants.c.currency,
        tenants.c.merchant_onboarded,
    )
    .select_from(key_secrets.join(keys, keys.c.id == key_secrets.c.key_id).outerjoin(tenants))
    .where(keys.c.id == bindparam("key_id"), key_secrets.c.retired_at.is_(None))
    .order_by(key_secrets.c.id.desc())
)


def _require_signed_headers(request: SignedRequest, now: datetime) -> None:
    headers, digest = request.headers, signing.content_sha256(request.body)
    if not hmac.compare_digest(headers.get("x-content-sha256", "").encode(), digest.encode()):
        raise refusal("invalid_api_key", "x-content-sha256 is missing or does not match the body", "content")
    if signing.NONCE.fullmatch(headers.get("x-nonce", "")) is None:
        raise refusal("invalid_api_key", "x-nonce is missing or malformed", "nonce")
    if abs((_read_date(headers.get("x-date", "")) - now).total_seconds()) > DATE_WINDOW_SECONDS:
        raise refusal(
            "invalid_api_key",
            f"x-date is more than {DATE_WINDOW_SECONDS} seconds from the organisation's time",
            "date",
        )


def _read_date(text: str) -> datetime:
    refused = refusal("invalid_api_key", "x-date is missing or is not an HTTP date", "date_form")
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        raise refused from None
    if date.tzinfo is None:
        raise refused
    return date.astimezone(UTC)


class RateLimiter:
    """Limits the requests of each key per minute.

    Args:
        clock: The service's clock.
        per_minute: Maximum number of requests; None for no limit.
    """

    def __init__(self, clock: Clock, per_minute: int | None) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._windows: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def admit(self, key_id: str) -> None:
        """Count a request.

        Raises:
            RefusedError: 429 with Retry-After.
        """
        if self._per_minute is None:
            return
        now = self._clock.now().timestamp()
        minute = int(now // 60)
        with self._lock:
            window, used = self._windows.get(key_id, (minute, 0))
            used = used + 1 if window == minute else 1
            self._windows[key_id] = (minute, used)
        if used > self._per_minute:
            wait = max(1, math.ceil((minute + 1) * 60 - now))
            message = f"More than {self._per_minute} requests per minute"
            raise RefusedError(429, "rate_limited", message, headers={"Retry-After": str(wait)})
