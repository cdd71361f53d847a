"""A bank's own page, on which a customer approves or declines sharing of data or a payment.

The same kind of link is used for consent to bank access (for a session or a payment), a bank payment, and the challenge of a card
payment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row

from kycpack.models.enums import AttemptState
from kycpack.service.attempts import (
    CLOSED_PAYMENTS,
    finalize_attempt,
    find_attempt,
    required_scopes,
    settle_bank_attempt,
)
from kycpack.service.auth import Tenant
from kycpack.service.bank_access import TOKEN_LIFETIME
from kycpack.service.bank_reading import SCOPES, list_accounts
from kycpack.service.banks import find_bank, require_reachable
from kycpack.service.customers import find_any_customer, full_name
from kycpack.service.links import AUTHORISE, ONBOARD, PAY
from kycpack.service.pages.bank_choice import (
    Consent,
    ListedBank,
    Offer,
    offered_accounts,
    offered_banks,
    read_consent,
    share_accounts,
)
from kycpack.service.pages.page import Page, PageCall, money, opened, organisation_of
from kycpack.service.pages.portal import may_show
from kycpack.service.pages.screen import Redirect, Screen, origin_of, with_ids
from kycpack.service.payments import find_any_payment, find_payment
from kycpack.service.problems import conflict, refusal
from kycpack.service.sessions import (
    BANK,
    ais_options,
    find_session,
    require_open,
    steps_done,
    take_step,
    tenant_of,
)


@dataclass(frozen=True, slots=True)
class _AskedConsent:
    """A consent with everything that its page shows.

    Attributes:
        consent: The session or payment that it is for.
        tenant: The organisation that requests it.
        customer_id: Customer id.
        holder: Name of the account holder.
        bank: The bank.
        scopes: The scopes to share.
        limit: Maximum number of accounts; None for no limit.
        accounts: The accounts to choose from.
    """

    consent: Consent
    tenant: Tenant
    customer_id: str
    holder: str
    bank: ListedBank
    scopes: tuple[str, ...]
    limit: int | None
    accounts: list[Offer]


def show_authorise(call: PageCall) -> Screen | Redirect:
    """Show what the customer is asked to approve."""
    record_id = opened(call, AUTHORISE)
    consent = read_consent(record_id)
    if consent is not None:
        asked = _asked(call, consent)
        return _when_reachable(call, asked.bank.id, _consent_screen(call, asked))
    attempt = find_attempt(call.connection, record_id)
    return _when_reachable(call, attempt.bank_id or "", _attempt_screen(call, attempt))


def submit_authorise(call: PageCall) -> Screen | Redirect:
    """Carry out the person's decision."""
    record_id = opened(call, AUTHORISE)
    consent = read_consent(record_id)
    if consent is not None:
        return _decide_consent(call, _asked(call, consent))
    return _decide_attempt(call, find_attempt(call.connection, record_id))


def _when_reachable(call: PageCall, bank_id: str, outcome: Screen | Redirect) -> Screen | Redirect:
    delay = require_reachable(call.connection, bank_id)
    return replace(outcome, delay_seconds=delay) if isinstance(outcome, Screen) else outcome


def _asked(call: PageCall, consent: Consent) -> _AskedConsent:
    limit = None
    if consent.purpose == "session":
        record = find_session(call.connection, consent.record_id)
        require_open(record, call.now)
        if not may_show(record, BANK):
            raise conflict("step_missing", "Another step comes first")
        options = ais_options(record)
        scopes = tuple(scope for scope in SCOPES if getattr(options, scope, False))
        limit = options.account_limit if options else None
        holder = full_name(record)
    else:
        record = find_any_payment(call.connection, consent.record_id)
        if record.status in CLOSED_PAYMENTS:
            raise conflict("payment_closed", "The payment is closed")
        scopes = tuple(dict.fromkeys(["accounts", *required_scopes(record)]))
        holder = full_name(find_any_customer(call.connection, record.customer_id))
    tenant = tenant_of(call.connection, record.tenant_id)
    offered = offered_banks(call.connection, tenant, record.customer_id)
    bank = next((choice for choice in offered if choice.reference == consent.bank), None)
    if bank is None:
        raise refusal("link_unknown")
    name = holder or "Account holder"
    accounts = offered_accounts(call.connection, tenant, record.customer_id, bank, name, call.now)
    return _AskedConsent(consent, tenant, record.customer_id, name, bank, scopes, limit, accounts)


def _decide_consent(call: PageCall, asked: _AskedConsent) -> Screen | Redirect:
    kind = ONBOARD if asked.consent.purpose == "session" else PAY
    token = call.links.token(kind, asked.consent.record_id)
    if call.form.text("decision") != "approve":
        rest = (BANK,) if kind == ONBOARD else ()
        back = call.to(kind, token, *rest)
        return Redirect(f"{back.url}?declined")
    known = {account.key for account in asked.accounts}
    chosen = [key for key in dict.fromkeys(call.form.values("account")) if key in known]
    if not chosen:
        return _consent_screen(call, asked, {"account": "Choose at least one account, or decline."})
    shared = _shared_before(call, asked)
    if asked.limit is not None and len(shared | set(chosen)) > asked.limit:
        return _consent_screen(call, asked, {"account": _too_many(asked.limit, len(shared))})
    ids = share_accounts(
        call.connection,
        asked.tenant,
        asked.customer_id,
        asked.bank,
        asked.holder,
        chosen,
        asked.scopes,
        call.now,
    )
    if kind == PAY:
        return call.to(PAY, token)
    accounts = sorted(shared | set(ids))
    entered = {"bankId": asked.bank.id, "bankName": asked.bank.name, "accounts": accounts}
    take_step(call.connection, asked.consent.record_id, BANK, call.now, entered)
    return call.to(ONBOARD, token, "review")


def _shared_before(call: PageCall, asked: _AskedConsent) -> set[str]:
    """Return the ids of the accounts shared in this session at all banks: the limit is for all of them together."""
    if asked.consent.purpose != "session":
        return set()
    # Locked before the customer, as everywhere: if two banks' pages are sent at the same time, they take turns.
    row = find_session(call.connection, asked.consent.record_id, lock=True)
    return set(steps_done(row).get(BANK, {}).get("accounts", ()))


def _too_many(limit: int, before: int) -> str:
    accounts = "account" if limit == 1 else "accounts"
    if before == 0:
        return f"Choose at most {limit} {accounts}."
    return f"You can share at most {limit} {accounts} in total, and you have already shared {before}."


def _consent_screen(call: PageCall, asked: _AskedConsent, errors: Mapping[str, str] | None = None) -> Screen:
    values = {
        "bank": asked.bank.name,
        "organisation": organisation_of(call.connection, asked.tenant.id),
        "holder": asked.holder,
        "scopes": asked.scopes,
        "until": call.now + TOKEN_LIFETIME,
        "accounts": asked.accounts,
        "limit": asked.limit,
        "errors": errors or {},
        "chosen": call.form.values("account"),
    }
    return Screen("bank/consent.html", values, status=400 if errors else 200)


def _decide_attempt(call: PageCall, attempt: Row[Any]) -> Screen | Redirect:
    approved = call.form.text("decision") == "approve"
    tenant = tenant_of(call.connection, attempt.tenant_id)
    if attempt.kind == "card" and approved:
        attempt = finalize_attempt(call.connection, tenant, attempt.payment_id, attempt.id, call.now)
    else:
        declined = AttemptState.FAILED if attempt.kind == "card" else AttemptState.CANCELLED
        status = AttemptState.SUCCEEDED if approved else declined
        attempt = settle_bank_attempt(call.connection, attempt.tenant_id, attempt.id, status, call.now)
    token = call.links.token(PAY, attempt.payment_id)
    if attempt.status != AttemptState.SUCCEEDED.value:
        return Redirect(f"{call.to(PAY, token).url}?declined")
    payment = find_payment(call.connection, attempt.tenant_id, attempt.payment_id)
    if payment.return_url is not None and origin_of(payment.return_url) is not None:
        return Redirect(with_ids(payment.return_url, paymentId=payment.id, attemptId=attempt.id))
    return call.to(PAY, token)


def _attempt_screen(call: PageCall, attempt: Row[Any]) -> Screen | Redirect:
    payment = find_payment(call.connection, attempt.tenant_id, attempt.payment_id)
    if attempt.status != AttemptState.STARTED.value or payment.status in CLOSED_PAYMENTS:
        return call.to(PAY, call.links.token(PAY, payment.id))
    values = {
        "bank": _bank_name(call, payment, attempt),
        "organisation": organisation_of(call.connection, payment.tenant_id),
        "amount": money(payment.amount_minor, payment.currency),
        "reference": payment.reference,
        "by_card": attempt.kind == "card",
    }
    leads_to = (payment.return_url,) if payment.return_url else ()
    return Screen("bank/payment.html", values, leads_to=leads_to)


def _bank_name(call: PageCall, payment: Row[Any], attempt: Row[Any]) -> str:
    if attempt.kind == "card":
        return "Your card's bank"
    bank = find_bank(attempt.bank_id)
    if bank is not None:
        return bank.name
    tenant = tenant_of(call.connection, payment.tenant_id)
    linked = (
        list_accounts(call.connection, tenant, payment.customer_id, call.now)["items"]
        if payment.customer_id
        else []
    )
    return next((str(item["bankName"]) for item in linked if item["bankId"] == attempt.bank_id), "Your bank")


PAGES = (Page(f"/{AUTHORISE}/{{token}}", show_authorise, submit_authorise),)
"""The bank's pages."""
