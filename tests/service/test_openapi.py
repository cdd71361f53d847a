"""The OpenAPI document is true: it names every operation, and generated requests get documented answers."""

from __future__ import annotations

from tests.service.fuzz import fuzz
from tests.service.signed import Caller, body_of

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


def test_generated_requests_get_documented_answers(call: Caller) -> None:
    tally = fuzz(call, 240)
    assert tally.cases >= 200
    assert max(tally.statuses) < 500
