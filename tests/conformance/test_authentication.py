"""Authentication, errors, limits, versioning: what holds for every endpoint."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import uuid4

import pytest
from tests.service.signed import Caller, Credentials, body_of, new_customer, ok, refused

from kycpack.service.embedded import EmbeddedService
from kycpack.service.keys import AREAS, PERMISSIONS
from kycpack.service.routes import OPERATIONS

row = pytest.mark.row


@row("Authentication > rule 1", "Endpoints > paragraph 1")
def test_every_request_carries_the_authorization_header(call: Caller) -> None:
    for operation in OPERATIONS:
        for path in (operation.path, *operation.aliases):
            answer = call.plain(operation.method, path.replace("{", "").replace("}", ""))
            code = "invalid_token" if operation.area == "source_of_wealth" else "invalid_api_key"
            refused(answer, 401, code)
            assert answer.headers["content-type"] == "application/json"
    customer = new_customer(call)
    sent = call.headers("GET", f"/v1/customers/{customer}")["authorization"]
    assert sent.startswith(f"HMAC-SHA256 Credential={call.key.key_id}, Signature=")


@row("Authentication > rule 2", "Errors > 403 Insufficient permissions")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_requires_its_permission(
    call: Caller, embedded: EmbeddedService, operation: Any
) -> None:
    others = [name for name in PERMISSIONS if name != operation.permission]
    lacking = call.new_key(embedded.tenant_id, permissions=others)
    path = operation.path.replace("{", "").replace("}", "")
    answer = call(operation.method, path, key=lacking)
    if operation.area == "source_of_wealth":
        refused(answer, 401, "invalid_token")
    else:
        assert refused(answer, 403, "insufficient_permissions")["message"].startswith(
            "Insufficient permissions"
        )
    holding = call.new_key(embedded.tenant_id, permissions=[operation.permission])
    assert call(operation.method, path, key=holding).status_code not in {401, 403}


@row("Authentication > rule 2")
def test_the_permissions_are_those_of_the_interface() -> None:
    named = {
        "create_customer",
        "read_customers",
        "update_customer",
        "read_customer",
        "create_payment",
        "create_onboard_session",
        "read_onboard_session",
        "read_onboard_results",
        "manage_webhooks",
    }
    assert set(PERMISSIONS) == named
    assert {operation.permission for operation in OPERATIONS} == named


@row("Authentication > rule 3")
@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.area], ids=lambda operation: operation.name)
def test_an_area_has_to_be_enabled(call: Caller, embedded: EmbeddedService, operation: Any) -> None:
    elsewhere = call.new_key(embedded.tenant_id, areas=[area for area in AREAS if area != operation.area])
    answer = call(operation.method, operation.path.replace("{", "").replace("}", ""), key=elsewhere)
    if operation.area == "source_of_wealth":
        refused(answer, 401, "invalid_token")
    else:
        refused(answer, 403, "insufficient_permissions")


@row("Authentication > rule 4", "Errors > 401 Invalid API key")
def test_a_missing_or_invalid_key_or_one_without_account_is_401(call: Caller) -> None:
    unknown = Credentials("key_unknown", call.key.secret)
    wrong = Credentials(call.key.key_id, "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
    homeless = call.new_key(None)
    for key in (unknown, wrong, homeless):
        for path in ("/v1/customers", "/v1/webhooks", f"/v1/onboard/sessions/{uuid4()}"):
            assert refused(call("GET", path, key=key), 401, "invalid_api_key")["message"].startswith(
                "Invalid API key"
            )
    told = [body_of(call("GET", "/v1/customers", key=key)) for key in (unknown, wrong)]
    assert told[0].pop("requestId") != told[1].pop("requestId")
    assert told[0] == told[1]


@row("Authentication > rule 5")
@pytest.mark.parametrize("header", ["x-date", "x-nonce", "x-content-sha256", "authorization"])
def test_everything_that_is_signed_has_to_be_there(call: Caller, header: str) -> None:
    refused(call("GET", "/v1/customers", without=(header,)), 401, "invalid_api_key")


@row("Authentication > rule 5")
def test_nothing_that_is_signed_can_be_altered(call: Caller) -> None:
    signed = call.headers("GET", "/v1/customers?orgId=a")
    for method, path in (("GET", "/v1/customers?orgId=b"), ("GET", "/v1/customers"), ("GET", "/v1/webhooks")):
        refused(call.plain(method, path, headers=signed), 401, "invalid_api_key")
    for name, value in (
        ("x-nonce", secrets.token_hex(16)),
        ("x-date", "Tue, 20 Apr 2021 02:07:55 GMT"),
        ("host", "x"),
    ):
        refused(
            call.plain("GET", "/v1/customers?orgId=a", headers={**signed, name: value}),
            401,
            "invalid_api_key",
        )
    body = call.headers("POST", "/v1/customers", b"{}")
    refused(
        call.plain("POST", "/v1/customers", content=b'{"orgId":"x"}', headers=body), 401, "invalid_api_key"
    )
    assert call.plain("GET", "/v1/customers?orgId=a", headers=signed).status_code == 200


@row("Authentication > rule 6")
def test_a_new_key_holds_what_it_was_given(call: Caller, embedded: EmbeddedService) -> None:
    key = call.new_key(embedded.tenant_id, permissions=["read_customers"], areas=["customers"])
    assert call("GET", "/v1/customers", key=key).status_code == 200
    refused(call("POST", "/v1/customers", {}, key=key), 403, "insufficient_permissions")
    for body in ({"permissions": ["root"]}, {"areas": ["everything"]}, {"tenant_id": str(uuid4())}):
        refused(call.plain("POST", "/_control/keys", json=body), 400, "invalid_request")


@row("Errors > paragraph 2")
def test_every_error_has_error_and_message(call: Caller) -> None:
    for answer in (
        call("GET", "/v1/nothing"),
        call.plain("PATCH", "/v1/customers"),
        call("POST", "/v1/payments", raw=b"{"),
        call("POST", "/v1/webhooks", {"url": 7}),
        call("POST", f"/v1/onboard-sessions/{uuid4()}/media-access"),
    ):
        body = body_of(answer)
        assert 400 <= answer.status_code < 500
        assert isinstance(body["error"], str)
        assert isinstance(body["message"], str)


@row("Limits > paragraph 1")
def test_there_is_no_rate_limit_unless_configured_and_bodies_are_bounded(call: Caller) -> None:
    for _ in range(40):
        ok(call("GET", "/v1/banks"))
    ok(call("POST", "/v1/customers", {"firstName": "x" * 1000}))
    refused(call("POST", "/v1/customers", {"firstName": "x" * 1001}), 400, "invalid_request")
    refused(call("POST", "/v1/customers", raw=b" " * (1 << 20) + b"{}"), 413, "request_too_large")


@row("Versioning > rule 1", "Versioning > rule 4")
def test_the_version_is_in_every_path(call: Caller) -> None:
    assert len(OPERATIONS) == 22
    for operation in OPERATIONS:
        assert operation.path.startswith("/v1/")
    assert call("GET", "/customers").status_code == 404
    assert call("GET", "/v2/customers").status_code == 404


@row("Versioning > rule 3")
def test_answers_use_camel_case(call: Caller) -> None:
    record = ok(call("GET", f"/v1/customers/{new_customer(call)}"))
    assert all(name[0].islower() and "_" not in name for name in record)
