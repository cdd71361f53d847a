"""The OpenAPI document is true: it names every operation, and generated requests get documented answers."""

from __future__ import annotations

import re

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

from kycpack.assets import asset_yaml
from kycpack.service.routes import OPERATIONS

ANSWERS = asset_yaml("service/examples.yaml")["answers"]


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


def test_every_example_of_an_answer_is_one(call: Caller) -> None:
    table = {operation.name: operation for operation in OPERATIONS}
    for name, example in ANSWERS.items():
        assert table[name].answer.read(example)


def test_a_client_made_from_it_signs_and_hears_of_completion(call: Caller) -> None:
    document = body_of(call.plain("GET", "/openapi.json"))
    headers = {"x-date", "x-nonce", "x-content-sha256"}
    for methods in document["paths"].values():
        for item in methods.values():
            named = {given["$ref"].rpartition("/")[2] for given in item["parameters"] if "$ref" in given}
            assert named == headers
    assert set(document["components"]["parameters"]) == headers
    assert list(document["webhooks"]) == ["onboard.session.completed"]
    assert document["servers"]


def test_the_reference_draws_every_operation_with_the_packages_own_files(call: Caller) -> None:
    page = call.plain("GET", "/docs").text
    for operation in OPERATIONS:
        assert operation.path in page
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert "<script" not in page


def test_generated_requests_get_documented_answers(call: Caller) -> None:
    tally = fuzz(call, 144)
    assert tally.requests >= 120
    assert max(tally.statuses) < 500
