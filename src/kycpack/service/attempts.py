"""Payment attempts by bank redirect or test card; the first success closes the payment.

No card number, cvc or expiry is stored, logged or echoed: they are compared and forgotten.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from kycpack.models.enums import ActionType, AttemptState, PaymentState
from kycpack.models.instants import format_instant, parse_instant
from kycpack.models.json import parse_json
from kycpack.models.money import from_minor
from kycpack.models.payments import AttemptCreate, CardDetails
from kycpack.service.auth import Tenant
from kycpack.service.bank_access import valid_accounts
from kycpack.service.banks import DOWN, condition_of, find_bank
from kycpack.service.links import AUTHORISE, Links
from kycpack.service.payments import find_payment, requirements_of
from kycpack.service.problems import (
    RefusedError,
    conflict,
    invalid_request,
    not_found,
    refusal,
)
from kycpack.service.rows import change_row, find_by_id, present
from kycpack.service.schema import attempts, payments

_ID = re.compile(r"att_[0-9a-f]{32}")
_BANK, _CARD = "bank", "card"
CLOSED_PAYMENTS = {PaymentState.COMPLETED.value, PaymentState.CANCELLED.value}

ATTEMPT_LIFETIME = timedelta(hours=1)
"""How long a payer has for the bank's page or the card's challenge. The interface states no limit."""


def create_attempt(
    connection: Connection, tenant: Tenant, payment_id: str, body: AttemptCreate, now: datetime
) -> Row[Any]:
    """Start an attempt, or return the earlier one with the same idempotency key.

    Raises:
        RefusedError: 404 unknown payment; 400 a rule of the payment or of the attempt is broken; 409 the payment has ended.
    """
    payment = find_payment(connection, tenant.id, payment_id, lock=True)
    hashed = sha256(body.idempotency_key.encode()).hexdigest() if body.idempotency_key else None
    if hashed is not None and (first := _by_idempotency(connection, payment, hashed)) is not None:
        return first
    if payment.status in CLOSED_PAYMENTS:
        raise conflict("payment_closed", f"The payment is {payment.status}")
    bank_id = body.bank.bank_id if body.bank else None
    _require_access(connection, payment, bank_id, now)
    outcome = (
        _bank_outcome(connection, payment, bank_id)
        if bank_id is not None
        else judge_card(body.card, now.date())
    )
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
    attempt = connection.execute(insert(attempts).values(values).returning(attempts)).one()
    _settle_payment(connection, payment, outcome.status, attempt.id, now)
    return attempt


def finalize_attempt(
    connection: Connection, tenant: Tenant, payment_id: str, attempt_id: str, now: datetime
) -> Row[Any]:
    """Complete a card attempt after its challenge; one that has ended is unchanged.

    Raises:
        RefusedError: 404 unknown; 400 the attempt is by bank, or the bank access that the payment requires has ended.
    """
    payment = find_payment(connection, tenant.id, payment_id, lock=True)
    attempt = find_attempt(connection, attempt_id, tenant.id)
    if attempt.payment_id != payment.id:
        raise not_found("attempt")
    if attempt.kind != _CARD:
        raise RefusedError(400, "finalize_not_applicable", "Finalize is for card attempts only")
    if attempt.status != AttemptState.STARTED.value:
        return attempt
    ended = _ended_anyway(payment, attempt, now)
    if ended is None:
        _require_access(connection, payment, None, now)
    return _end(connection, payment, attempt, ended or AttemptState.SUCCEEDED, now)


def settle_bank_attempt(
    connection: Connection, tenant_id: str, attempt_id: str, status: AttemptState, now: datetime
) -> Row[Any]:
    """End a bank attempt as the payer decided on the bank's page; one that has ended is unchanged.

    If the payment has been paid in the meantime, the attempt becomes DUPLICATE, so that the money is not lost track of. An
    approval counts only before the attempt expires, and if the payment may still be made from this bank.

    Args:
        connection: A writing connection.
        tenant_id: Id of the organisation, from the attempt of the page's link.
        attempt_id: Id of the attempt.
        status: SUCCEEDED, FAILED or CANCELLED.
        now: The service's time.
    """
    attempt = find_attempt(connection, attempt_id, tenant_id)
    payment = find_payment(connection, tenant_id, attempt.payment_id, lock=True)
    attempt = find_attempt(connection, attempt_id, tenant_id)
    paid = payment.status == PaymentState.COMPLETED.value
    late = attempt.kind == _BANK and attempt.closed_by is not None
    if paid and late and status is AttemptState.SUCCEEDED:
        return _end(connection, payment, attempt, AttemptState.DUPLICATE, now)
    if attempt.status != AttemptState.STARTED.value:
        return attempt
    status = _ended_anyway(payment, attempt, now) or status
    if status is AttemptState.SUCCEEDED and not _has_access(connection, payment, attempt.bank_id, now):
        status = AttemptState.FAILED
    return _end(connection, payment, attempt, status, now)


def _ended_anyway(payment: Row[Any], attempt: Row[Any], now: datetime) -> AttemptState | None:
    """Return how a started attempt ends whatever its payer decides; None if that decides."""
    if payment.status in CLOSED_PAYMENTS:
        return AttemptState.CANCELLED
    return AttemptState.EXPIRED if state_of_attempt(attempt, now) is AttemptState.EXPIRED else None


def state_of_attempt(row: Row[Any], now: datetime) -> AttemptState:
    """Return the state of an attempt at an instant; one that was not completed in time is expired."""
    state = AttemptState(row.status)
    ends = format_instant(parse_instant(row.created_at) + ATTEMPT_LIFETIME)
    started = state is AttemptState.STARTED
    return AttemptState.EXPIRED if started and format_instant(now) >= ends else state


def cancel_payment(connection: Connection, tenant_id: str, payment_id: str, now: datetime) -> Row[Any]:
    """Cancel a payment and its open attempts for the payer on the pay page; a payment that has ended is unchanged."""
    payment = find_payment(connection, tenant_id, payment_id, lock=True)
    if payment.status in CLOSED_PAYMENTS:
        return payment
    _cancel_open(connection, payment, "", now)
    cancelled = PaymentState.CANCELLED.value
    return change_row(connection, payments, payment, status=cancelled, updated_at=format_instant(now))


def verified_bank_ids(connection: Connection, payment: Row[Any], now: datetime) -> list[str]:
    """Return the banks that a payment with `useVerifiedBankAccount` may be made from, in order of linking."""
    if requirements_of(payment) is None or payment.customer_id is None:
        return []
    scopes = required_scopes(payment)
    rows = valid_accounts(connection, payment.tenant_id, payment.customer_id, scopes, now)
    return list(dict.fromkeys(row.bank_id for row in rows))


def required_scopes(payment: Row[Any]) -> list[str]:
    """Return the scopes that a payment's requirements in force include."""
    requirements = requirements_of(payment)
    scopes = ("accounts", "balances", "transactions")
    return [scope for scope in scopes if requirements is not None and getattr(requirements, scope)]


def get_payment(connection: Connection, tenant: Tenant, payment_id: str, now: datetime) -> dict[str, Any]:
    """Return a payment's record with its attempts at an instant."""
    row = find_payment(connection, tenant.id, payment_id)
    own = (attempts.c.payment_id == row.id) & (attempts.c.tenant_id == tenant.id)
    order = (attempts.c.created_at, attempts.c.id)
    tried = connection.execute(select(attempts).where(own).order_by(*order)).all()
    states = [state_of_attempt(attempt, now) for attempt in tried]
    lapsed = row.status == PaymentState.PENDING.value and AttemptState.STARTED not in states
    return present(
        {
            "id": row.id,
            "status": PaymentState.CREATED.value if lapsed else row.status,
            "amount": from_minor(row.amount_minor, row.currency),
            "currency": row.currency,
            "reference": row.reference,
            "customerId": row.customer_id,
            "description": row.description,
            "returnUrl": row.return_url,
            "cancelUrl": row.cancel_url,
            "aisRequirements": parse_json(row.ais_json) if row.ais_json else None,
            "attempts": [
                {"id": attempt.id, "status": state.value}
                for attempt, state in zip(tried, states, strict=True)
            ],
            "created": row.created_at,
            "updated": row.updated_at,
        }
    )


def attempt_record(row: Row[Any], links: Links, base_url: str, now: datetime) -> dict[str, Any]:
    """Return an attempt as in the interface."""
    state = state_of_attempt(row, now)
    action = {"type": row.action, "url": links.page(base_url, AUTHORISE, row.id)}
    is_required = state is AttemptState.STARTED and row.action is not None
    return present({"id": row.id, "status": state.value, "requiredAction": action if is_required else None})


def _require_access(connection: Connection, payment: Row[Any], bank_id: str | None, now: datetime) -> None:
    requirements = requirements_of(payment)
    if requirements is None:
        return
    verified = verified_bank_ids(connection, payment, now)
    if requirements.use_verified_bank_account and bank_id is None:
        raise refusal("verified_bank_required")
    if not verified:
        raise refusal("ais_required")
    if requirements.use_verified_bank_account and bank_id not in verified:
        raise refusal("verified_bank_required")


def _has_access(connection: Connection, payment: Row[Any], bank_id: str, now: datetime) -> bool:
    try:
        _require_access(connection, payment, bank_id, now)
    except RefusedError:
        return False
    return True


def _bank_outcome(connection: Connection, payment: Row[Any], bank_id: str) -> CardOutcome:
    if payment.return_url is None:
        raise RefusedError(400, "return_url_required", "A bank attempt needs a returnUrl on the payment")
    requirements = requirements_of(payment)
    verified = requirements is not None and requirements.use_verified_bank_account
    bank = find_bank(bank_id)
    if not verified and (bank is None or payment.currency not in bank.currencies):
        raise RefusedError(400, "invalid_bank", "bank.bankId is not a bank for this payment's currency")
    if condition_of(connection, bank_id).state == DOWN:
        return CardOutcome(AttemptState.FAILED, None)
    return CardOutcome(AttemptState.STARTED, ActionType.BANK_REDIRECT)


def _by_idempotency(connection: Connection, payment: Row[Any], hashed: str) -> Row[Any] | None:
    first = (attempts.c.payment_id == payment.id) & (attempts.c.idempotency_hash == hashed)
    return connection.execute(select(attempts).where(first)).one_or_none()


def find_attempt(connection: Connection, attempt_id: str, tenant_id: str | None = None) -> Row[Any]:
    """Return the row of an organisation's attempt; without an organisation, for the holder of its link.

    Raises:
        RefusedError: 404 unknown.
    """
    own = () if tenant_id is None else (attempts.c.tenant_id == tenant_id,)
    return find_by_id(connection, attempts, attempt_id, "attempt", *own, form=_ID)


def _end(
    connection: Connection, payment: Row[Any], attempt: Row[Any], status: AttemptState, now: datetime
) -> Row[Any]:
    instant = format_instant(now)
    ended = change_row(connection, attempts, attempt, status=status.value, closed_by=None, updated_at=instant)
    _settle_payment(connection, payment, status, attempt.id, now)
    return ended


def _settle_payment(
    connection: Connection, payment: Row[Any], attempt: AttemptState, attempt_id: str, now: datetime
) -> None:
    """Update a payment after one of its attempts: the first success closes it and its other attempts."""
    if payment.status in CLOSED_PAYMENTS:
        return
    if attempt is AttemptState.SUCCEEDED:
        _cancel_open(connection, payment, attempt_id, now)
        state = PaymentState.COMPLETED
    elif attempt is AttemptState.STARTED or _open_attempts(connection, payment, attempt_id, now):
        # Also after a failure: a payer who is still at their bank can pay.
        state = PaymentState.PENDING
    else:
        # After cancelling an attempt the payer may try again; the payment itself is cancelled on the pay page.
        state = PaymentState.FAILED if attempt is AttemptState.FAILED else PaymentState.CREATED
    change_row(connection, payments, payment, status=state.value, updated_at=format_instant(now))


def _open_attempts(connection: Connection, payment: Row[Any], but: str, now: datetime) -> bool:
    rows = connection.execute(select(attempts).where(*_open(payment, but)))
    return any(state_of_attempt(row, now) is AttemptState.STARTED for row in rows)


def _cancel_open(connection: Connection, payment: Row[Any], but: str, now: datetime) -> None:
    values = {
        "status": AttemptState.CANCELLED.value,
        "closed_by": but or None,
        "updated_at": format_instant(now),
    }
    connection.execute(update(attempts).where(*_open(payment, but)).values(values))


def _open(payment: Row[Any], but: str) -> tuple[Any, ...]:
    return (
        attempts.c.payment_id == payment.id,
        attempts.c.tenant_id == payment.tenant_id,
        attempts.c.status == AttemptState.STARTED.value,
        attempts.c.id != but,
    )


class CardOutcome(NamedTuple):
    """The outcome of an attempt with a published test card number."""

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


def judge_card(card: CardDetails | None, today: date) -> CardOutcome:
    """Return the outcome of an attempt with a card.

    Raises:
        RefusedError: 400: not a published test number, or an impossible expiry or cvc.
    """
    if card is not None:
        _require_possible(card, today)
    given = card.number.get_secret_value() if card is not None and card.number is not None else ""
    outcome = TEST_CARDS.get(re.sub(r"[ -]", "", given))
    if outcome is None:
        raise RefusedError(400, "card_not_accepted", "Only published test card numbers are accepted")
    return outcome


def _require_possible(card: CardDetails, today: date) -> None:
    """Refuse impossible card data; the message names the member, never its value. Absent members are not checked."""
    month, year, cvc = (
        None if secret is None else secret.get_secret_value().strip()
        for secret in (card.expiry_month, card.expiry_year, card.cvc)
    )
    if month is not None and not re.fullmatch(r"0?[1-9]|1[0-2]", month, re.ASCII):
        raise invalid_request("card.expiryMonth: expected 01 to 12")
    if year is not None and not re.fullmatch(r"(?:20)?[0-9]{2}", year, re.ASCII):
        raise invalid_request("card.expiryYear: expected a year such as 2030 or 30")
    if cvc is not None and not re.fullmatch(r"[0-9]{3,4}", cvc, re.ASCII):
        raise invalid_request("card.cvc: expected three or four digits")
    if year is not None and (2000 + int(year[-2:]), int(month or 12)) < (today.year, today.month):
        raise invalid_request("card.expiryYear: the card has expired")
