"""The OpenAPI document is true: it names every operation, and generated requests get documented answers."""

from __future__ import annotations

from tests.service.fuzz import fuzz
from tests.service.signed import (
    BROWSER,
    CARD,
    Caller,
    body_of,
    grant,
    new_customer,
    new_payment,
    new_session,
    ok,
)

from kycpack.service.routes import OPERATIONS


def test_it_names_every_operation_with_its_permission(call: Caller) -> None:
    document = body_of(call.plain("GET", "/openapi.json"))
    told = {
        (method.upper(), path): item["x-permission"]
        for path, methods in document["paths"].items()
        for method, item in methods.items()
    }
    assert told == {
        (operation.method, path): operation.permission
        for operation in OPERATIONS
        for path in (operation.path, *operation.aliases)
    }
    assert document["security"] == [{"signature": []}]


def test_every_example_is_accepted(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    payment = new_payment(call, customerId=customer)
    by_card = {"card": {**CARD, "number": "4000000000003220"}, "browserData": BROWSER}
    attempt = ok(call("POST", f"/v1/payments/{payment}/attempts", by_card))["id"]
    session = new_session(call, customer)
    ids = {"id": customer, "paymentId": payment, "attemptId": attempt, "sessionId": session}
    document = body_of(call.plain("GET", "/openapi.json"))
    tried = 0
    for path, methods in document["paths"].items():
        for method, item in methods.items():
            if "requestBody" in item:
                body = dict(item["requestBody"]["content"]["application/json"]["example"])
                if "customerId" in body:
                    body["customerId"] = customer
                ok(call(method.upper(), path.format(**ids), body))
                tried += 1
    assert tried == 10


def test_generated_requests_get_documented_answers(call: Caller) -> None:
    tally = fuzz(call, 144)
    assert tally.cases >= 120
    assert max(tally.statuses) < 500
