"""Payment attempt, banks, and the endpoints under them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conformance.rows import fields
from tests.service.signed import BROWSER, CARD, Caller, body_of, new_payment, ok, refused

from kycpack.models.payments import Attempt, Bank

row = pytest.mark.row
BANK = {"bank": {"bankId": "test-bank"}}
BY_CARD = {"card": CARD, "browserData": BROWSER}
ADDRESS = {
    "firstName": "Ada",
    "lastName": "Byron",
    "lineOne": "1 Example Street",
    "city": "Exampleton",
    "postalCode": "EX1 2MP",
    "country": "GB",
}


def attempt(call: Caller, body: Any, payment: str | None = None) -> Any:
    return call("POST", f"/v1/payments/{payment or new_payment(call)}/attempts", body)


@row("Payment attempt > Create request > idempotencyKey", "Banks and attempts > Attempt rules > rule 4")
def test_a_clash_of_idempotency_keys_returns_the_existing_attempt(call: Caller) -> None:
    payment = new_payment(call)
    first = ok(attempt(call, {"idempotencyKey": "k-1", **BANK}, payment))
    assert ok(attempt(call, {"idempotencyKey": "k-1", **BANK}, payment)) == first
    assert ok(attempt(call, {"idempotencyKey": "k-1", **BY_CARD}, payment)) == first
    assert ok(attempt(call, {"idempotencyKey": "k-2", **BANK}, payment))["id"] != first["id"]
    assert ok(attempt(call, {"idempotencyKey": "k-1", **BANK}))["id"] != first["id"]
    assert ok(attempt(call, BANK, payment))["id"] != ok(attempt(call, BANK, payment))["id"]


@row("Payment attempt > Create request > bank", "Payment attempt > Create request > card")
@row("Banks and attempts > Attempt rules > rule 1")
@pytest.mark.parametrize(
    "body", [{}, {**BANK, **BY_CARD}, {"browserData": BROWSER}, {"bank": None, "card": None}]
)
def test_exactly_one_of_bank_or_card(call: Caller, body: Any) -> None:
    refused(attempt(call, body), 400, "invalid_request")


@row("Payment attempt > Create request > bank.bankId", "Banks and attempts > Attempt rules > rule 2")
@pytest.mark.parametrize("bank", [{}, {"bankId": None}, {"bankId": ""}, {"id": "test-bank"}])
def test_a_bank_attempt_names_its_bank(call: Caller, bank: Any) -> None:
    refused(attempt(call, {"bank": bank}), 400, "invalid_request")


@row("Payment attempt > Create request > bank.bankId")
def test_a_bank_has_to_be_in_the_list(call: Caller) -> None:
    refused(attempt(call, {"bank": {"bankId": "no-such-bank"}}), 400, "invalid_bank")


@row("Payment attempt > Create request > browserData", "Banks and attempts > Attempt rules > rule 2")
def test_a_card_attempt_needs_browser_data(call: Caller) -> None:
    refused(attempt(call, {"card": CARD}), 400, "invalid_request")
    assert ok(attempt(call, BY_CARD))["status"] == "SUCCEEDED"


@pytest.mark.parametrize(
    "member",
    fields(
        "Payment attempt > browserData members",
        *(name for name in BROWSER if name != "browserTZ"),
        "browserTZ",
    ),
)
def test_a_member_of_browser_data_is_accepted_and_optional(call: Caller, member: str) -> None:
    assert ok(attempt(call, {"card": CARD, "browserData": {member: BROWSER[member]}}))["id"]
    wrong: Any = {} if isinstance(BROWSER[member], str) else "text"
    refused(attempt(call, {"card": CARD, "browserData": {member: wrong}}), 400, "invalid_request")


@row("Payment attempt > Create request > billingAddress", "Payment attempt > paragraph 1")
@pytest.mark.parametrize("member", sorted(ADDRESS))
def test_a_member_of_the_billing_address_is_a_string_and_optional(call: Caller, member: str) -> None:
    ok(attempt(call, {**BY_CARD, "billingAddress": {member: ADDRESS[member]}}))
    refused(attempt(call, {**BY_CARD, "billingAddress": {member: 7}}), 400, "invalid_request")


@pytest.mark.parametrize(
    "member",
    [
        pytest.param(name, marks=row(f"Payment attempt > Create request > card.{name}"), id=name)
        for name in ("number", "expiryMonth", "expiryYear", "cvc")
    ],
)
def test_a_member_of_the_card_is_a_string_and_never_comes_back(call: Caller, member: str) -> None:
    answer = attempt(call, {**BY_CARD, "card": {**CARD, member: "4000000000000002"}})
    assert "4000000000000002" not in answer.text
    wrong = attempt(call, {**BY_CARD, "card": {**CARD, member: ["4000000000000002"]}})
    assert wrong.status_code == 400
    assert "4000000000000002" not in wrong.text


@row("Payment attempt > paragraph 2")
@pytest.mark.parametrize("number", ["4111111111111111", "not a card", ""])
def test_only_test_cards_are_accepted(call: Caller, number: str) -> None:
    answer = attempt(call, {**BY_CARD, "card": {**CARD, "number": number}})
    refused(answer, 400, "card_not_accepted")
    assert not number or number not in answer.text


@row("Payment attempt > Attempt response > id", "Payment attempt > Attempt response > status")
@row(
    "Payment attempt > Attempt response > requiredAction",
    "Payment attempt > Attempt response > requiredAction.type",
)
@row("Payment attempt > Attempt response > requiredAction.url", "Banks and attempts > Attempt rules > rule 5")
@row("Payment attempt status > paragraph 1", "What the service does > rule 3")
@row("Banks and attempts > POST /v1/payments/{paymentId}/attempts")
def test_a_bank_attempt_is_started_and_redirects(call: Caller) -> None:
    answer = ok(attempt(call, BANK))
    assert Attempt.read(answer).wire() == answer
    assert answer["id"]
    assert answer["status"] == "STARTED"
    assert answer["requiredAction"]["type"] == "bank_redirect"
    assert answer["requiredAction"]["url"].startswith(f"{call.base_url}/bank/authorise/")


@row("Payment attempt > Attempt response > requiredAction.type")
@row("Banks and attempts > POST /v1/payments/{paymentId}/attempts/{attemptId}/finalize")
@pytest.mark.parametrize("body", [None, {}, {"anything": [1]}])
def test_a_card_that_asks_for_a_challenge_is_finalized(call: Caller, body: Any) -> None:
    payment = new_payment(call)
    started = ok(attempt(call, {**BY_CARD, "card": {**CARD, "number": "4000000000003220"}}, payment))
    assert started["requiredAction"]["type"] == "three_ds_challenge"
    path = f"/v1/payments/{payment}/attempts/{started['id']}/finalize"
    assert ok(call("POST", path, body)) == {"id": started["id"], "status": "SUCCEEDED"}
    assert ok(call("POST", path, body))["status"] == "SUCCEEDED"
    assert ok(call("GET", f"/v1/payments/{payment}"))["status"] == "completed"


@row("Banks and attempts > Attempt rules > rule 6")
def test_finalize_is_for_card_attempts_only(call: Caller) -> None:
    payment = new_payment(call)
    started = ok(attempt(call, BANK, payment))["id"]
    refused(
        call("POST", f"/v1/payments/{payment}/attempts/{started}/finalize"), 400, "finalize_not_applicable"
    )
    refused(call("POST", f"/v1/payments/{payment}/attempts/unknown/finalize"), 404, "attempt_not_found")
    another = new_payment(call)
    refused(call("POST", f"/v1/payments/{another}/attempts/{started}/finalize"), 404, "attempt_not_found")


@row("Banks and attempts > Attempt rules > rule 3", "Payment (create request) > returnUrl")
def test_a_bank_attempt_needs_a_return_url(call: Caller) -> None:
    payment = new_payment(call, returnUrl=None)
    refused(attempt(call, BANK, payment), 400, "return_url_required")
    assert ok(attempt(call, BY_CARD, payment))["status"] == "SUCCEEDED"


@row("Banks and attempts > Attempt rules > rule 7")
def test_the_final_state_is_confirmed_by_the_payment(call: Caller) -> None:
    payment = new_payment(call)
    link = ok(attempt(call, BANK, payment))["requiredAction"]["url"]
    assert call.plain("GET", link).status_code < 500
    assert ok(call("GET", f"/v1/payments/{payment}"))["status"] == "pending"


@row("Banks and attempts > GET /v1/banks?countryCode=<country_code>", "Bank list item > paragraph 1")
def test_banks_are_listed_by_country(call: Caller) -> None:
    listed = ok(call("GET", "/v1/banks?countryCode=GB"))["items"]
    assert listed
    for item in listed:
        assert Bank.read(item).wire() == item
        assert item["countryCode"] == "GB"
        assert ok(attempt(call, {"bank": {"bankId": item["id"]}}))["status"] == "STARTED"
    assert len(ok(call("GET", "/v1/banks"))["items"]) > len(listed)
    assert ok(call("GET", "/v1/banks?countryCode=AQ"))["items"] == []
    for wrong in ("gb", "GBR", "", "%00"):
        refused(call("GET", f"/v1/banks?countryCode={wrong}"), 400, "invalid_request")


@row("Banks and attempts > Attempt rules > rule 8")
def test_a_bank_has_to_take_the_payments_currency(call: Caller) -> None:
    answer = attempt(call, {"bank": {"bankId": "cedar-creek"}})
    assert (answer.status_code, body_of(answer)["error"]) == (400, "invalid_bank")
