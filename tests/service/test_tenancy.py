"""The whole tenancy table: every operation x own, another's, unknown record x permission held or not, aliases included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from tests.service.signed import (
    BROWSER,
    CARD,
    Caller,
    Credentials,
    body_of,
    finish,
    grant,
    new_customer,
    new_payment,
    new_session,
    ok,
)

from kycpack.service.embedded import EmbeddedService
from kycpack.service.keys import PERMISSIONS
from kycpack.service.operation import ServedOperation
from kycpack.service.routes import OPERATIONS

_UNKNOWN = {
    "id": str(uuid4()),
    "customerId": str(uuid4()),
    "paymentId": f"pay_{uuid4().hex}",
    "attemptId": f"att_{uuid4().hex}",
    "accountId": str(uuid4()),
    "sessionId": str(uuid4()),
    "mediaId": str(uuid4()),
    "webhookId": str(uuid4()),
}
_SESSIONS = ("onboarding.get", "onboarding.results", "onboarding.media", "onboarding.download")


@dataclass(frozen=True)
class World:
    """Two organisations, each with one of everything."""

    own: Credentials
    records: dict[str, dict[str, str]]


def _everything(call: Caller, key: Credentials) -> dict[str, str]:
    mine = Caller(call.base_url, key, call._now)
    customer = new_customer(mine)
    account = grant(mine, customer)[0]["id"]
    payment = new_payment(mine, customerId=customer)
    card = {"card": {**CARD, "number": "4000000000003220"}, "browserData": BROWSER}
    attempt = ok(mine("POST", f"/v1/payments/{payment}/attempts", card))["id"]
    session = new_session(mine, customer)
    finish(mine, session)
    media = ok(mine("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][0]["id"]
    webhook = ok(mine("POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/"}))["id"]
    mine.close()
    return {
        "id": customer,
        "customerId": customer,
        "paymentId": payment,
        "attemptId": attempt,
        "accountId": account,
        "sessionId": session,
        "mediaId": media,
        "webhookId": webhook,
    }


def _body(operation: ServedOperation, record: dict[str, str]) -> Any:
    bodies: dict[str, Any] = {
        "customers.create": {},
        "customers.update": {"firstName": "Eve"},
        "payments.create": {"amount": 1, "reference": "r", "customerId": record["customerId"]},
        "payments.attempts.create": {"card": CARD, "browserData": BROWSER},
        "onboarding.create": {"customerId": record["customerId"]},
        "webhooks.create": {"url": "http://127.0.0.1:9/"},
    }
    return bodies.get(operation.name)


def _expected(operation: ServedOperation, whose: str, *, held: bool) -> int:
    """What the interface and its choices say; written out by hand, not read from the code."""
    if not held:
        return 401 if operation.name.startswith("source_of_wealth") else 403
    if operation.name in {
        "customers.create",
        "customers.list",
        "banks.list",
        "webhooks.create",
        "webhooks.list",
    }:
        return 200
    if whose == "own":
        return 302 if operation.name == "onboarding.download" else 200
    if operation.name == "onboarding.create":
        return 400
    if operation.name in _SESSIONS and whose == "other":
        return 403
    return 404


def _paths() -> list[Any]:
    return [
        pytest.param(operation, path, id=f"{operation.method} {path}")
        for operation in OPERATIONS
        for path in (operation.path, *operation.aliases)
    ]


@pytest.mark.parametrize(("operation", "path"), _paths())
def test_own_anothers_and_unknown_with_and_without_permission(
    call: Caller, embedded: EmbeddedService, operation: ServedOperation, path: str
) -> None:
    other_key = call.new_tenant()
    own, other = _everything(call, call.key), _everything(call, other_key)
    lacking = call.new_key(embedded.tenant_id, [name for name in PERMISSIONS if name != operation.permission])
    holding = call.new_key(embedded.tenant_id, [operation.permission])
    told: dict[tuple[str, bool], int] = {}
    for held in (False, True):
        for whose, record in (("unknown", _UNKNOWN), ("other", other), ("own", own)):
            target = path.format(**record)
            answer = call(
                operation.method, target, _body(operation, record), key=holding if held else lacking
            )
            told[(whose, held)] = answer.status_code
            if whose != "own" and answer.status_code == 200:
                assert other["customerId"] not in answer.text
            if answer.status_code >= 400:
                assert body_of(answer).keys() >= {"error", "message"}
    assert told == {key: _expected(operation, key[0], held=key[1]) for key in told}


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.path.count("{") == 2], ids=lambda o: o.name)
def test_an_own_record_under_anothers_is_not_found(call: Caller, operation: ServedOperation) -> None:
    other = _everything(call, call.new_tenant())
    own = _everything(call, call.key)
    names = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    for mixed in ({**own, names[0]: other[names[0]]}, {**own, names[1]: other[names[1]]}):
        answer = call(operation.method, operation.path.format(**mixed), _body(operation, mixed))
        assert answer.status_code in {403, 404}
