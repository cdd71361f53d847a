"""Payment attempts by bank redirect or by test card.

No card number, cvc or expiry is stored, logged or echoed: they are compared with the published test numbers and forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from kycpack.models.enums import ActionType, AttemptState, PaymentState
from kycpack.models.instants import format_instant
from kycpack.models.payments import AttemptCreate, CardDetails
from kycpack.service.auth import Tenant
from kycpack.service.bank_access import valid_accounts
from kycpack.service.banks import find_bank
from kycpack.service.links import AUTHORISE, Links
from kycpack.service.payments import find_payment, requirements_of
from kycpack.service.problems import (
    RefusedError,
    ais_required,
    conflict,
    not_found,
    verified_bank_required,
)
from kycpack.service.schema import attempts, payments

_ID = re.compile(r"att_[0-9a-f]{32}")
_BANK, _CARD = "bank", "card"
_CLOSED = {PaymentState.COMPLETED.value, PaymentState.CANCELLED.value}


class CardOutcome(NamedTuple):
    """What an attempt with a published test card number comes to."""

    status: AttemptState
    action: ActionType | None


TEST_CARDS = {
    "4242424242424242": CardOutcome(AttemptState.SUCCEEDED, None),
    "5555555555554444": CardOutcome(AttemptState.SUCCEEDED, None),
    "4000000000000002": CardOutcome(AttemptState.FAILED, None),
    "4000000000009995": CardOutcome(AttemptState.FAILED, None),
    "4000000000003220": CardOutcome(AttemptState.STARTED, ActionType.THREE_DS_CHALLENGE),
    "4000000000003063": CardOutcome(AttemptState.STARTED, ActionType.THREE_DS_CHALLENGE),
}
"""Published test card numbers; every other number is refused."""


def create_attempt(
    connection: Connection, tenant: Tenant, payment_id: str, body: AttemptCreate, now: datetime
) -> Row[Any]:
    """Start an attempt, or return the one that its idempotency key named first.

    Raises:
        RefusedError: 404 unknown payment; 400 a rule of the payment or of the attempt is broken; 409 the payment is over.
    """
    payment = find_payment(connection, tenant.id, payment_id, lock=True)
    hashed = sha256(body.idempotency_key.encode()).hexdigest() if body.idempotency_key else None
    if hashed is not None and (first := _by_idempotency(connection, payment, hashed)) is not None:
        return first
    if payment.status in _CLOSED:
        raise conflict("payment_closed", f"The payment is {payment.status}")
    bank_id = body.bank.bank_id if body.bank else None
    _require_access(connection, payment, bank_id, now)
    outcome = _bank_outcome(payment, bank_id) if bank_id is not None else _card_outcome(body.card)
    instant = format_instant(now)
    values = {
        "id": f"att_{uuid4().hex}",
        "tenant_id": tenant.id,
        "payment_id": payment.id,
        "idempotency_hash": hashed,
        "kind": _CARD if bank_id is None else _BANK,
        "bank_id": bank_id,
        "action": outcome.action,
        "status": outcome.status.value,
        "created_at": instant,
        "updated_at": instant,
    }
    connection.execute(insert(attempts).values(values))
    _settle_payment(connection, payment, outcome.status, now)
    return connection.execute(select(attempts).where(attempts.c.id == values["id"])).one()


def finalize_attempt(
    connection: Connection, tenant: Tenant, payment_id: str, attempt_id: str, now: datetime
) -> Row[Any]:
    """Complete a card attempt after its challenge; one that is over stays as it is.

    Raises:
        RefusedError: 404 unknown; 400 the attempt is by bank.
    """
    payment = find_payment(connection, tenant.id, payment_id, lock=True)
    attempt = _find(connection, tenant.id, attempt_id)
    if attempt.payment_id != payment.id:
        raise not_found("attempt")
    if attempt.kind != _CARD:
        raise RefusedError(400, "finalize_not_applicable", "Finalize is for card attempts only")
    if attempt.status != AttemptState.STARTED.value:
        return attempt
    return _end(connection, payment, attempt, AttemptState.SUCCEEDED, now)


def settle_bank_attempt(
    connection: Connection, tenant_id: str, attempt_id: str, status: AttemptState, now: datetime
) -> Row[Any]:
    """End a bank attempt as the payer decided on the bank's page; one that is over stays as it is.

    Args:
        connection: A writing connection.
        tenant_id: The organisation, from the attempt that the page's link opened.
        attempt_id: Which attempt.
        status: SUCCEEDED, FAILED or CANCELLED.
        now: The service's time.
    """
    attempt = _find(connection, tenant_id, attempt_id)
    payment = find_payment(connection, tenant_id, attempt.payment_id, lock=True)
    attempt = _find(connection, tenant_id, attempt_id)
    if attempt.status != AttemptState.STARTED.value:
        return attempt
    if payment.status in _CLOSED:
        status = AttemptState.CANCELLED
    return _end(connection, payment, attempt, status, now)


def cancel_payment(connection: Connection, tenant_id: str, payment_id: str, now: datetime) -> Row[Any]:
    """Cancel a payment and its open attempts, as the payer decided on the pay page; one that is over stays as it is."""
    payment = find_payment(connection, tenant_id, payment_id, lock=True)
    if payment.status in _CLOSED:
        return payment
    open_ = (
        (attempts.c.payment_id == payment.id)
        & (attempts.c.tenant_id == tenant_id)
        & (attempts.c.status == AttemptState.STARTED.value)
    )
    instant = format_instant(now)
    connection.execute(
        update(attempts).where(open_).values(status=AttemptState.CANCELLED.value, updated_at=instant)
    )
    _set_payment(connection, payment, PaymentState.CANCELLED, now)
    return find_payment(connection, tenant_id, payment_id)


def verified_bank_ids(connection: Connection, payment: Row[Any], now: datetime) -> list[str]:
    """Return the banks that a payment with `useVerifiedBankAccount` may be made from, first linked first."""
    requirements = requirements_of(payment)
    if requirements is None or payment.customer_id is None:
        return []
    scopes = required_scopes(payment)
    rows = valid_accounts(connection, payment.tenant_id, payment.customer_id, scopes, now)
    return list(dict.fromkeys(row.bank_id for row in rows))


def required_scopes(payment: Row[Any]) -> list[str]:
    """Return the scopes that a payment's requirements in force ask for."""
    requirements = requirements_of(payment)
    scopes = ("accounts", "balances", "transactions")
    return [scope for scope in scopes if requirements is not None and getattr(requirements, scope)]


def attempt_record(row: Row[Any], links: Links, base_url: str) -> dict[str, Any]:
    """Return an attempt as the interface tells it."""
    record: dict[str, Any] = {"id": row.id, "status": row.status}
    if row.status == AttemptState.STARTED.value and row.action is not None:
        record["requiredAction"] = {"type": row.action, "url": links.page(base_url, AUTHORISE, row.id)}
    return record


def _require_access(connection: Connection, payment: Row[Any], bank_id: str | None, now: datetime) -> None:
    requirements = requirements_of(payment)
    if requirements is None:
        return
    verified = verified_bank_ids(connection, payment, now)
    if requirements.use_verified_bank_account and bank_id is None:
        raise verified_bank_required()
    if not verified:
        raise ais_required()
    if requirements.use_verified_bank_account and bank_id not in verified:
        raise verified_bank_required()


def _bank_outcome(payment: Row[Any], bank_id: str) -> CardOutcome:
    if payment.return_url is None:
        raise RefusedError(400, "return_url_required", "A bank attempt needs a returnUrl on the payment")
    requirements = requirements_of(payment)
    verified = requirements is not None and requirements.use_verified_bank_account
    bank = find_bank(bank_id)
    if not verified and (bank is None or payment.currency not in bank.currencies):
        raise RefusedError(400, "invalid_bank", "bank.bankId is not a bank for this payment's currency")
    return CardOutcome(AttemptState.STARTED, ActionType.BANK_REDIRECT)


def _card_outcome(card: CardDetails | None) -> CardOutcome:
    given = card.number.get_secret_value() if card is not None and card.number is not None else ""
    outcome = TEST_CARDS.get(re.sub(r"[ -]", "", given))
    if outcome is None:
        raise RefusedError(400, "card_not_accepted", "Only published test card numbers are accepted")
    return outcome


def _by_idempotency(connection: Connection, payment: Row[Any], hashed: str) -> Row[Any] | None:
    first = (attempts.c.payment_id == payment.id) & (attempts.c.idempotency_hash == hashed)
    return connection.execute(select(attempts).where(first)).one_or_none()


def find_attempt(connection: Connection, attempt_id: str) -> Row[Any]:
    """Return an attempt's row for whoever holds its link.

    Raises:
        RefusedError: 404 unknown.
    """
    return _one(connection, attempt_id, ())


def _find(connection: Connection, tenant_id: str, attempt_id: str) -> Row[Any]:
    return _one(connection, attempt_id, (attempts.c.tenant_id == tenant_id,))


def _one(connection: Connection, attempt_id: str, also: Iterable[Any]) -> Row[Any]:
    row = None
    if _ID.fullmatch(attempt_id):
        own = select(attempts).where(attempts.c.id == attempt_id, *also)
        row = connection.execute(own).one_or_none()
    if row is None:
        raise not_found("attempt")
    return row


def _end(
    connection: Connection, payment: Row[Any], attempt: Row[Any], status: AttemptState, now: datetime
) -> Row[Any]:
    own = (attempts.c.id == attempt.id) & (attempts.c.tenant_id == payment.tenant_id)
    values = {"status": status.value, "updated_at": format_instant(now)}
    ended = connection.execute(update(attempts).where(own).values(values).returning(attempts)).one()
    _settle_payment(connection, payment, status, now)
    return ended


def _settle_payment(connection: Connection, payment: Row[Any], attempt: AttemptState, now: datetime) -> None:
    states = {
        AttemptState.STARTED: PaymentState.PENDING,
        AttemptState.SUCCEEDED: PaymentState.COMPLETED,
        AttemptState.FAILED: PaymentState.FAILED,
        # Whoever cancels an attempt may try again; the payment itself is cancelled on the pay page.
        AttemptState.CANCELLED: PaymentState.CREATED,
    }
    if payment.status not in _CLOSED:
        _set_payment(connection, payment, states[attempt], now)


def _set_payment(connection: Connection, payment: Row[Any], state: PaymentState, now: datetime) -> None:
    own = (payments.c.id == payment.id) & (payments.c.tenant_id == payment.tenant_id)
    values = {"status": state.value, "updated_at": format_instant(now)}
    connection.execute(update(payments).where(own).values(values))
