"""Calls about payments, bank data and statements that are refused, and what the console's page of each has to say."""

from __future__ import annotations

from typing import Any

import httpx
from tests.service.console.refused_calls import NOBODY, Refused, poor_key
from tests.service.signed import (
    BANK_ACCESS,
    BROWSER,
    CARD,
    Caller,
    grant,
    new_customer,
    new_payment,
    ok,
)

_BY_BANK = {"bank": {"bankId": "test-bank"}}
_VERIFIED = {"accounts": True, "useVerifiedBankAccount": True}


def _attempt(call: Caller, body: Any, **payment: Any) -> httpx.Response:
    return call("POST", f"/v1/payments/{new_payment(call, **payment)}/attempts", body)


def _account(call: Caller, **access: Any) -> str:
    customer = new_customer(call)
    return f"/v1/customers/{customer}/bank-accounts/{grant(call, customer, **access)[0]['id']}"


def _wealth(call: Caller, *, query: str = "", expire: bool = False, **access: Any) -> httpx.Response:
    customer = new_customer(call)
    if access:
        grant(call, customer, **access)
    if expire:
        call.control(f"/customers/{customer}/expire-access")
    return call("GET", f"/v1/customers/{customer}/source-of-wealth{query}")


def _paid(call: Caller) -> httpx.Response:
    payment = new_payment(call)
    path = f"/v1/payments/{payment}/attempts"
    ok(call("POST", path, {"card": CARD, "browserData": BROWSER}))
    return call("POST", path, _BY_BANK)


def _expired_balance(call: Caller) -> httpx.Response:
    path = _account(call)
    call.advance(days=91)
    return call("GET", f"{path}/balance")


def _finalize_by_bank(call: Caller) -> httpx.Response:
    payment = new_payment(call)
    attempt = ok(call("POST", f"/v1/payments/{payment}/attempts", _BY_BANK))["id"]
    return call("POST", f"/v1/payments/{payment}/attempts/{attempt}/finalize")


def _without_merchant(call: Caller) -> httpx.Response:
    key = call.new_tenant(merchant_onboarded=False)
    customer = ok(call("POST", "/v1/customers", {"firstName": "Ada"}, key=key))["id"]
    body = {"amount": 1, "reference": "r", "customerId": customer, "aisRequirements": {"accounts": True}}
    return call("POST", "/v1/payments", body, key=key)


REFUSED_MONEY_CALLS: dict[str, Refused] = {
    "statement without permission": (
        lambda call: call(
            "GET", f"/v1/customers/{NOBODY}/source-of-wealth", key=poor_key(call, [], ["source_of_wealth"])
        ),
        401,
        "invalid_token",
        "read_customer is needed",
        "source of wealth needs the permission",
    ),
    "amount of nothing": (
        lambda call: call("POST", "/v1/payments", {"amount": 0, "reference": "r"}),
        400,
        "invalid_request",
        "amount: must be greater than 0",
        "Compare the body",
    ),
    "more decimals than the currency": (
        lambda call: call("POST", "/v1/payments", {"amount": "1.005", "reference": "r"}),
        400,
        "invalid_request",
        "amount: more decimals than GBP has",
        "Compare the body",
    ),
    "AIS without customer": (
        lambda call: call(
            "POST", "/v1/payments", {"amount": 1, "reference": "r", "aisRequirements": {"accounts": True}}
        ),
        400,
        "customer_required_for_ais",
        "needs a customerId",
        "Send customerId",
    ),
    "customer id of a payment": (
        lambda call: call("POST", "/v1/payments", {"amount": 1, "reference": "r", "customerId": "7"}),
        400,
        "invalid_customer_id",
        "Invalid customer id",
        "not a UUID",
    ),
    "unknown customer of a payment": (
        lambda call: call("POST", "/v1/payments", {"amount": 1, "reference": "r", "customerId": NOBODY}),
        404,
        "customer_not_found",
        "Customer not found",
        "No customer of this key",
    ),
    "no merchant": (
        _without_merchant,
        400,
        "no_merchant",
        "merchant onboarding",
        "merchant_onboarded true",
    ),
    "unknown payment": (
        lambda call: call("GET", "/v1/payments/pay_0"),
        404,
        "payment_not_found",
        "Payment not found",
        "No payment of this key",
    ),
    "unknown attempt": (
        lambda call: call("POST", f"/v1/payments/{new_payment(call)}/attempts/att_0/finalize"),
        404,
        "attempt_not_found",
        "Attempt not found",
        "No attempt of this payment",
    ),
    "bank and card": (
        lambda call: _attempt(call, {**_BY_BANK, "card": CARD, "browserData": BROWSER}),
        400,
        "invalid_request",
        "bank or card",
        "Compare the body",
    ),
    "no return URL": (
        lambda call: _attempt(call, _BY_BANK, returnUrl=None),
        400,
        "return_url_required",
        "needs a returnUrl",
        "Create the payment with one",
    ),
    "bank of another currency": (
        lambda call: _attempt(call, {"bank": {"bankId": "nobody"}}),
        400,
        "invalid_bank",
        "not a bank for this payment's currency",
        "Take a bankId of GET /v1/banks",
    ),
    "real card": (
        lambda call: _attempt(call, {"card": {**CARD, "number": "4111111111111111"}, "browserData": BROWSER}),
        400,
        "card_not_accepted",
        "test card numbers",
        "Use 4242424242424242",
    ),
    "finalize by bank": (
        _finalize_by_bank,
        400,
        "finalize_not_applicable",
        "card attempts only",
        "the payer decides on the bank's page",
    ),
    "paid already": (_paid, 409, "payment_closed", "is completed", "takes no more attempts"),
    "no bank access": (
        lambda call: _attempt(
            call, _BY_BANK, customerId=new_customer(call), aisRequirements={"accounts": True}
        ),
        400,
        "ais_required",
        "has to grant bank access",
        "Send the payer to the payLink",
    ),
    "card for a verified bank": (
        lambda call: _attempt(
            call,
            {"card": CARD, "browserData": BROWSER},
            customerId=new_customer(call),
            aisRequirements=_VERIFIED,
        ),
        400,
        "verified_bank_required",
        "verified bank account",
        "use its bankId",
    ),
    "unknown account": (
        lambda call: call("GET", f"/v1/customers/{new_customer(call)}/bank-accounts/x/balance"),
        404,
        "bank_account_not_found",
        "Bank account not found",
        "lists them",
    ),
    "account without balance": (
        lambda call: call(
            "GET",
            f"{_account(call, accounts=[{**BANK_ACCESS['accounts'][0], 'balance': None}])}/balance",
        ),
        404,
        "balance_not_found",
        "Balance not found",
        "its bank gave no balance",
    ),
    "expired access": (
        _expired_balance,
        403,
        "ais_access_expired",
        "has expired",
        "Grant it again",
    ),
    "scope that was not granted": (
        lambda call: call("GET", f"{_account(call, scopes=['accounts'])}/balance"),
        403,
        "ais_scope_missing",
        "does not include balances",
        "Ask for the scope",
    ),
    "statement of nobody": (
        lambda call: call("GET", f"/v1/customers/{NOBODY}/source-of-wealth"),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "No customer of this key",
    ),
    "statement of no payment": (
        lambda call: call(
            "GET", f"/v1/customers/{new_customer(call)}/payments/{new_payment(call)}/source-of-wealth"
        ),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "No payment of this customer",
    ),
    "statement for another merchant": (
        lambda call: _wealth(call, query=f"?merchantId={NOBODY}", scopes=["accounts", "balances"]),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "merchantId has to be",
    ),
    "statement without accounts": (
        _wealth,
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "has linked no bank account",
    ),
    "statement after expiry": (
        lambda call: _wealth(call, expire=True, scopes=["accounts", "balances"]),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "has expired",
    ),
    "statement of accounts alone": (
        lambda call: _wealth(call, scopes=["accounts"]),
        404,
        "not_found",
        "Customer unknown or no AIS data",
        "the list of accounts alone",
    ),
}
