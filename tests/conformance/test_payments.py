"""Payment and its AIS requirements, and the endpoints under it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from tests.conformance.rows import fields
from tests.service.signed import BROWSER, CARD, Caller, body_of, grant, new_customer, new_payment, ok, refused

from kycpack.models.payments import Payment, PaymentCreated

row = pytest.mark.row
BANK = {"bank": {"bankId": "test-bank"}}


@row(
    "Payment (create request) > amount", "Limits > amount", "Payments > Rules for POST /v1/payments > rule 1"
)
@pytest.mark.parametrize(
    "amount",
    [
        0,
        "0",
        "0.00",
        -1,
        "-12.50",
        None,
        "",
        "abc",
        "1e3",
        True,
        "NaN",
        [],
        "12.505",
        "0.001",
        "1" + 20 * "0",
    ],
)
def test_an_amount_is_a_decimal_greater_than_0(call: Caller, amount: Any) -> None:
    refused(call("POST", "/v1/payments", {"amount": amount, "reference": "r"}), 400, "invalid_request")


@row("Payment (create request) > amount")
@pytest.mark.parametrize("raw", [b"12.5", b"12.50", b'"12.50"', b"12", b"0.01", b"9999999999.99", b"1.25e1"])
def test_an_amount_is_exact(call: Caller, raw: bytes) -> None:
    body = b'{"reference":"r","amount":' + raw + b"}"
    payment = ok(call("POST", "/v1/payments", raw=body))["id"]
    told = ok(call("GET", f"/v1/payments/{payment}"))["amount"]
    assert isinstance(told, Decimal)
    assert told == Decimal(raw.decode().strip('"'))


@row("Payment (create request) > reference")
def test_a_reference_is_required_and_the_callers_own(call: Caller) -> None:
    refused(call("POST", "/v1/payments", {"amount": 1}), 400, "invalid_request")
    refused(call("POST", "/v1/payments", {"amount": 1, "reference": ""}), 400, "invalid_request")
    assert new_payment(call, reference="same") != new_payment(call, reference="same")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param(name, value, marks=row(f"Payment (create request) > {name}"), id=name)
        for name, value in {
            "returnUrl": "https://shop.example/back",
            "cancelUrl": "https://shop.example/cancel",
            "description": "An order",
        }.items()
    ],
)
def test_a_field_is_optional_and_comes_back(call: Caller, field: str, value: str) -> None:
    with_it, without = new_payment(call, **{field: value}), new_payment(call, **{field: None})
    assert ok(call("GET", f"/v1/payments/{with_it}"))[field] == value
    assert field not in ok(call("GET", f"/v1/payments/{without}"))


@row("Payment (create request) > customerId", "Payment (create request) > aisRequirements")
@row("Payments > Rules for POST /v1/payments > rule 2", "Errors > 400 customer_required_for_ais")
@pytest.mark.parametrize("accounts", [True, False])
def test_ais_requirements_need_a_customer(call: Caller, *, accounts: bool) -> None:
    body = {"amount": 1, "reference": "r", "aisRequirements": {"accounts": accounts}}
    refused(call("POST", "/v1/payments", body), 400, "customer_required_for_ais")
    ok(call("POST", "/v1/payments", {**body, "customerId": new_customer(call)}))


@row("Payments > Rules for POST /v1/payments > rule 3")
@row("Errors > 400 invalid_customer_id", "Errors > 404 customer_not_found")
def test_an_invalid_customer_is_400_and_an_unknown_one_404(call: Caller) -> None:
    body = {"amount": 1, "reference": "r"}
    refused(call("POST", "/v1/payments", {**body, "customerId": "no-id"}), 400, "invalid_customer_id")
    refused(call("POST", "/v1/payments", {**body, "customerId": ""}), 400, "invalid_customer_id")
    refused(call("POST", "/v1/payments", {**body, "customerId": str(uuid4())}), 404, "customer_not_found")
    mine, other = new_customer(call), call.new_tenant()
    refused(call("POST", "/v1/payments", {**body, "customerId": mine}, key=other), 404, "customer_not_found")


@row("Payments > POST /v1/payments", "What the service does > rule 2")
@pytest.mark.parametrize(
    "field", fields("Payment (create request) > Payment create response", "id", "payLink")
)
def test_post_payments_answers_id_and_pay_link(call: Caller, field: str) -> None:
    answer = ok(call("POST", "/v1/payments", {"amount": "5", "reference": "r"}))
    assert answer.keys() == {"id", "payLink"}
    assert PaymentCreated.read(answer).wire() == answer
    assert answer[field]
    assert answer["payLink"].startswith(f"{call.base_url}/pay/")


@row("Payments > GET /v1/payments/{paymentId}", "Payment (create request) > paragraph 1")
def test_get_payment_returns_the_record(call: Caller) -> None:
    customer = new_customer(call)
    payment = new_payment(call, customerId=customer, aisRequirements={"balances": True})
    record = ok(call("GET", f"/v1/payments/{payment}"))
    assert Payment.read(record).wire() == record
    assert record["amount"] == Decimal("12.50")
    assert (record["currency"], record["reference"], record["customerId"]) == ("GBP", "order-1", customer)
    refused(call("GET", f"/v1/payments/{payment}", key=call.new_tenant()), 404, "payment_not_found")
    refused(call("GET", "/v1/payments/unknown"), 404, "payment_not_found")


@pytest.mark.parametrize(
    "scope",
    fields("Payment (create request) > aisRequirements object", "accounts", "balances", "transactions"),
)
def test_a_scope_defaults_to_false_and_is_required_when_true(call: Caller, scope: str) -> None:
    customer = new_customer(call)
    payment = new_payment(call, customerId=customer, aisRequirements={scope: True})
    told = ok(call("GET", f"/v1/payments/{payment}"))["aisRequirements"]
    names = ("accounts", "balances", "transactions", "useVerifiedBankAccount")
    assert told == {name: name == scope for name in names}
    refused(call("POST", f"/v1/payments/{payment}/attempts", BANK), 400, "ais_required")
    grant(call, customer, scopes=[scope])
    assert ok(call("POST", f"/v1/payments/{payment}/attempts", BANK))["status"] == "STARTED"


@row("Payment (create request) > aisRequirements object > useVerifiedBankAccount")
@row("Payment (create request) > aisRequirements object rules > rule 2")
def test_a_verified_bank_account_is_enforced_by_the_server(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    wanted = {"accounts": True, "useVerifiedBankAccount": True}
    payment = new_payment(call, customerId=customer, aisRequirements=wanted)
    path = f"/v1/payments/{payment}/attempts"
    by_card = {"card": CARD, "browserData": BROWSER}
    refused(call("POST", path, by_card), 400, "verified_bank_required")
    refused(call("POST", path, {"bank": {"bankId": "harbour-bank"}}), 400, "verified_bank_required")
    assert ok(call("POST", path, BANK))["requiredAction"]["type"] == "bank_redirect"


@row("Payment (create request) > aisRequirements object rules > rule 1")
def test_requirements_that_are_all_false_are_ignored(call: Caller) -> None:
    customer = new_customer(call)
    payment = new_payment(call, customerId=customer, aisRequirements={"useVerifiedBankAccount": True})
    assert ok(call("POST", f"/v1/payments/{payment}/attempts", BANK))["status"] == "STARTED"


@row("Customer AIS access (for payments) > Valid token with required scopes payment created")
def test_with_a_valid_token_the_payment_proceeds(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    payment = new_payment(call, customerId=customer, aisRequirements={"transactions": True})
    assert ok(call("POST", f"/v1/payments/{payment}/attempts", BANK))["status"] == "STARTED"


@row("Customer AIS access (for payments) > Token expired payment created")
def test_with_an_expired_token_access_has_to_be_granted_again(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    call.advance(days=91)
    payment = new_payment(call, customerId=customer, aisRequirements={"transactions": True})
    path = f"/v1/payments/{payment}/attempts"
    refused(call("POST", path, BANK), 400, "ais_required")
    grant(call, customer)
    assert ok(call("POST", path, BANK))["status"] == "STARTED"


@row("Customer AIS access (for payments) > No token payment created")
def test_without_a_token_access_has_to_be_granted_first(call: Caller) -> None:
    customer = new_customer(call)
    payment = new_payment(call, customerId=customer, aisRequirements={"accounts": True})
    refused(call("POST", f"/v1/payments/{payment}/attempts", BANK), 400, "ais_required")


@row("Customer AIS access (for payments) > paragraph 1")
def test_one_several_or_no_verified_bank(call: Caller) -> None:
    customer = new_customer(call)
    wanted = {"accounts": True, "useVerifiedBankAccount": True}
    payment = new_payment(call, customerId=customer, aisRequirements=wanted)
    path = f"/v1/payments/{payment}/attempts"
    refused(call("POST", path, BANK), 400, "ais_required")
    grant(call, customer)
    ok(call("POST", path, BANK))
    second = {
        "bankName": "Harbour Bank",
        "accountHolderName": "Ada Byron",
        "accountNumber": "87654321",
        "currency": "GBP",
    }
    grant(call, customer, accounts=[second])
    for bank, status in (("test-bank", 200), ("harbour-bank", 200), ("thistle-and-wren", 400)):
        assert call("POST", path, {"bank": {"bankId": bank}}).status_code == status


@row("Payment states > paragraph 1")
def test_states_of_a_payment(call: Caller) -> None:
    def state(payment: str) -> str:
        return str(ok(call("GET", f"/v1/payments/{payment}"))["status"])

    payment = new_payment(call)
    assert state(payment) == "created"
    ok(call("POST", f"/v1/payments/{payment}/attempts", BANK))
    assert state(payment) == "pending"
    failing = {"card": {**CARD, "number": "4000000000000002"}, "browserData": BROWSER}
    failed = new_payment(call)
    ok(call("POST", f"/v1/payments/{failed}/attempts", failing))
    assert state(failed) == "failed"
    ok(call("POST", f"/v1/payments/{payment}/attempts", failing))
    assert state(payment) == "pending"
    ok(call("POST", f"/v1/payments/{payment}/attempts", {"card": CARD, "browserData": BROWSER}))
    assert state(payment) == "completed"
    answer = call("POST", f"/v1/payments/{payment}/attempts", BANK)
    assert (answer.status_code, body_of(answer)["error"]) == (409, "payment_closed")


@row("Errors > 400 no_merchant")
def test_ais_before_merchant_onboarding_is_refused(call: Caller) -> None:
    other = call.new_tenant(merchant_onboarded=False)
    customer = ok(call("POST", "/v1/customers", {"firstName": "Ada"}, key=other))["id"]
    body = {"amount": 1, "reference": "r", "customerId": customer}
    wanted = {**body, "aisRequirements": {"accounts": True}}
    refused(call("POST", "/v1/payments", wanted, key=other), 400, "no_merchant")
    ok(call("POST", "/v1/payments", {**body, "aisRequirements": {"accounts": False}}, key=other))
    session = {"customerId": customer, "options": {"identity": _nothing(), "ais": {"accounts": True}}}
    refused(call("POST", "/v1/onboard/sessions", session, key=other), 400, "no_merchant")


def _nothing() -> dict[str, bool]:
    names = ("identityCheck", "documentCheck", "proofOfAddressCheck", "amlExtensiveScreening")
    return dict.fromkeys(names, False)
