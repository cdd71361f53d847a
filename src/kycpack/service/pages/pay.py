"""The pay page: first bank access if the payment requires it, then a bank or a card, then the result.

The service decides which banks there are, whether a card may be used and whether access is valid; it refuses an attempt that
breaks a rule, whatever the form says.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from datetime import date
from typing import Any

from sqlalchemy import Row, select

from kycpack.models.enums import AttemptState, PaymentState
from kycpack.models.instants import format_instant
from kycpack.models.payments import AttemptCreate
from kycpack.service.attempts import CLOSED_PAYMENTS, cancel_payment, create_attempt, verified_bank_ids
from kycpack.service.bank_reading import list_accounts
from kycpack.service.banks import all_banks
from kycpack.service.bodies import check
from kycpack.service.links import AUTHORISE, PAY
from kycpack.service.pages.bank_choice import ListedBank, offered_banks
from kycpack.service.pages.forms import Form
from kycpack.service.pages.page import Page, PageCall, bank_page, money, organisation_of, payment_of
from kycpack.service.pages.screen import Redirect, Screen, origin_of, with_ids
from kycpack.service.payments import requirements_of
from kycpack.service.problems import RefusedError
from kycpack.service.schema import attempts
from kycpack.service.sessions import tenant_of

_LINK = f"/{PAY}/{{token}}"
_ACCESS_RULES = {"ais_required", "verified_bank_required", "payment_closed"}


def show_payment(call: PageCall) -> Screen | Redirect:
    """Show the next step of a payment: bank access, ways to pay, or its result."""
    payment = payment_of(call)
    if payment.status in CLOSED_PAYMENTS:
        return _result(call, payment)
    if not _may_pay(call, payment):
        return _access_screen(call, payment)
    return _methods_screen(call, payment)


def submit_access(call: PageCall) -> Screen | Redirect:
    """Go to the page of the bank whose accounts will be shared."""
    payment = payment_of(call)
    if payment.status in CLOSED_PAYMENTS or requirements_of(payment) is None:
        return _home(call)
    page = bank_page(call, payment, "payment")
    return page or _access_screen(call, payment, {"bank": "Choose your bank."})


def submit_bank(call: PageCall) -> Screen | Redirect:
    """Start a bank attempt and go to the bank's page."""
    payment = payment_of(call)
    bank_id = call.form.text("bank")
    if not bank_id:
        return _methods_screen(call, payment, {"bank": "Choose the bank you pay from."})
    attempt = _attempt(call, payment, {"bank": {"bankId": bank_id}})
    if attempt is None:
        return _methods_screen(
            call, payment, {"bank": "This bank cannot be used for this payment. Choose another."}
        )
    return attempt if isinstance(attempt, Redirect) else _to_bank(call, attempt)


def _attempt(call: PageCall, payment: Row[Any], way: Mapping[str, Any]) -> Row[Any] | Redirect | None:
    """Start an attempt. Where the bank access is missing or the payment is closed, go home; None if it is refused."""
    tenant = tenant_of(call.connection, payment.tenant_id)
    try:
        body = check(AttemptCreate, {**way, "idempotencyKey": f"page-{call.form.text('once')[:64]}"})
        return create_attempt(call.connection, tenant, payment.id, body, call.now)
    except RefusedError as refused:
        return _home(call) if refused.code in _ACCESS_RULES else None


def _to_bank(call: PageCall, attempt: Row[Any]) -> Redirect:
    return call.to(AUTHORISE, call.links.token(AUTHORISE, attempt.id))


def show_card(call: PageCall) -> Screen | Redirect:
    """Ask for the card details."""
    payment = payment_of(call)
    if not _card_allowed(payment) or not _may_pay(call, payment):
        return _home(call)
    return _card_screen(call, payment)


def submit_card(call: PageCall) -> Screen | Redirect:
    """Start a card attempt; card details are not stored or shown again."""
    payment = payment_of(call)
    if not _card_allowed(payment) or not _may_pay(call, payment):
        return _home(call)
    card, errors = read_card(call.form, call.now.date(), call.browser)
    if errors:
        return _card_screen(call, payment, errors)
    attempt = _attempt(call, payment, card)
    if attempt is None:
        return _card_screen(
            call, payment, {"number": "Only the test card numbers listed below are accepted here."}
        )
    return attempt if isinstance(attempt, Redirect) else _after_card(call, attempt)


def submit_cancel(call: PageCall) -> Screen | Redirect:
    """Cancel the payment and send the payer back."""
    payment = payment_of(call)
    payment = cancel_payment(call.connection, payment.tenant_id, payment.id, call.now)
    back = payment.cancel_url
    if payment.status == PaymentState.CANCELLED.value and back is not None and origin_of(back) is not None:
        return Redirect(with_ids(back, paymentId=payment.id))
    return _home(call)


def show_done(call: PageCall) -> Screen | Redirect:
    """Send the payer back to the shop, or show the result."""
    payment = payment_of(call)
    if (
        payment.status == PaymentState.COMPLETED.value
        and payment.return_url
        and origin_of(payment.return_url)
    ):
        return Redirect(
            with_ids(payment.return_url, paymentId=payment.id, attemptId=_settled_by(call, payment))
        )
    return _home(call)


def _after_card(call: PageCall, attempt: Row[Any]) -> Redirect:
    if attempt.status == AttemptState.STARTED.value:
        return _to_bank(call, attempt)
    if attempt.status == AttemptState.SUCCEEDED.value:
        return call.to(PAY, call.path["token"], "done")
    return _home(call)


def _methods_screen(
    call: PageCall, payment: Row[Any], errors: Mapping[str, str] | None = None
) -> Screen | Redirect:
    if not _may_pay(call, payment):
        return _home(call)
    verified = _verified_banks(call, payment)
    if verified is None:
        banks = [
            ListedBank(bank.id, bank.name, linked=False)
            for bank in all_banks()
            if payment.currency in bank.currencies
        ]
    else:
        banks = verified
    values = {
        "banks": banks if payment.return_url else [],
        "verified_only": verified is not None,
        "card_allowed": _card_allowed(payment),
        "once": secrets.token_hex(16),
        "failed": payment.status == PaymentState.FAILED.value,
        "declined": "declined" in call.query,
    }
    return _screen(call, payment, "pay/methods.html", errors, **values)


def _access_screen(call: PageCall, payment: Row[Any], errors: Mapping[str, str] | None = None) -> Screen:
    tenant = tenant_of(call.connection, payment.tenant_id)
    linked = list_accounts(call.connection, tenant, payment.customer_id, call.now)["items"]
    now = format_instant(call.now)
    requirements = requirements_of(payment)
    values = {
        "banks": offered_banks(call.connection, tenant, payment.customer_id),
        "expired": bool(linked) and all(item["tokenExpiry"] <= now for item in linked),
        "requirements": requirements,
        "declined": "declined" in call.query,
    }
    return _screen(call, payment, "pay/access.html", errors, **values)


def _card_screen(call: PageCall, payment: Row[Any], errors: Mapping[str, str] | None = None) -> Screen:
    return _screen(call, payment, "pay/card.html", errors, once=secrets.token_hex(16))


def _result(call: PageCall, payment: Row[Any]) -> Screen:
    completed = payment.status == PaymentState.COMPLETED.value
    address = payment.return_url if completed else payment.cancel_url
    ids = {"paymentId": payment.id}
    return _screen(
        call,
        payment,
        "pay/result.html",
        completed=completed,
        back=with_ids(address, **ids) if address else None,
    )


def _screen(
    call: PageCall, payment: Row[Any], template: str, errors: Mapping[str, str] | None = None, **values: Any
) -> Screen:
    frame = {
        "organisation": organisation_of(call.connection, payment.tenant_id),
        "home": _home(call).url,
        "amount": money(payment.amount_minor, payment.currency),
        "reference": payment.reference,
        "description": payment.description or "",
        "errors": errors or {},
    }
    leads_to = tuple(url for url in (payment.return_url, payment.cancel_url) if url)
    return Screen(template, {**frame, **values}, status=400 if errors else 200, leads_to=leads_to)


def _home(call: PageCall) -> Redirect:
    return call.to(PAY, call.path["token"])


def _may_pay(call: PageCall, payment: Row[Any]) -> bool:
    if payment.status in CLOSED_PAYMENTS:
        return False
    return requirements_of(payment) is None or bool(verified_bank_ids(call.connection, payment, call.now))


def _card_allowed(payment: Row[Any]) -> bool:
    requirements = requirements_of(payment)
    return requirements is None or not requirements.use_verified_bank_account


def _verified_banks(call: PageCall, payment: Row[Any]) -> list[ListedBank] | None:
    """Return the banks that the payment must be made from, None if the payer may choose."""
    if _card_allowed(payment):
        return None
    tenant = tenant_of(call.connection, payment.tenant_id)
    names = {
        item["bankId"]: item["bankName"]
        for item in list_accounts(call.connection, tenant, payment.customer_id, call.now)["items"]
    }
    return [
        ListedBank(bank_id, names[bank_id], linked=True)
        for bank_id in verified_bank_ids(call.connection, payment, call.now)
    ]


def _settled_by(call: PageCall, payment: Row[Any]) -> str:
    own = (
        (attempts.c.payment_id == payment.id)
        & (attempts.c.tenant_id == payment.tenant_id)
        & (attempts.c.status == AttemptState.SUCCEEDED.value)
    )
    return str(call.connection.scalar(select(attempts.c.id).where(own)))


_EXPIRY = re.compile(r"(0?[1-9]|1[0-2])\s*/\s*(?:20)?([0-9]{2})")


def read_card(form: Form, today: date, browser: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the members of a card attempt, and a sentence for each field with an error.

    Args:
        form: The submitted form.
        today: The service's date.
        browser: The headers that describe the browser.
    """
    number = re.sub(r"[ -]", "", form.text("number"))
    expiry = _EXPIRY.fullmatch(form.text("expiry"))
    cvc = form.text("cvc")
    errors: dict[str, str] = {}
    if not re.fullmatch(r"[0-9]{12,19}", number):
        errors["number"] = "Enter the card number: 12 to 19 digits."
    if expiry is None:
        errors["expiry"] = "Enter month and year, as in 04/30."
    elif (2000 + int(expiry[2]), int(expiry[1])) < (today.year, today.month):
        errors["expiry"] = "This card has expired. Use another one."
    if not re.fullmatch(r"[0-9]{3,4}", cvc):
        errors["cvc"] = "Enter the 3 or 4 digits of the security code."
    if errors or expiry is None:
        return {}, errors
    card = {"number": number, "expiryMonth": expiry[1].zfill(2), "expiryYear": f"20{expiry[2]}", "cvc": cvc}
    described = {
        "browserJavascriptEnabled": False,
        "browserLanguage": browser.get("accept-language", ""),
        "browserUserAgent": browser.get("user-agent", ""),
        "browserAcceptHeader": browser.get("accept", ""),
    }
    return {"card": card, "browserData": described}, errors


PAGES = (
    Page(_LINK, show_payment, submit_bank),
    Page(f"{_LINK}/access", show_payment, submit_access),
    Page(f"{_LINK}/card", show_card, submit_card),
    Page(f"{_LINK}/cancel", show_payment, submit_cancel),
    Page(f"{_LINK}/done", show_done),
)
"""The pay page and its parts."""
