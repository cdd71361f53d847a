"""What comes later: results after a review, and transactions that a bank books some day."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.signed import Caller, grant, new_customer, new_session, ok, refused

DAY = 86_400
BOOKING = {
    "id": "later-1",
    "bookingDate": "2026-07-25",
    "status": "booked",
    "amount": "100.25",
    "creditDebitIndicator": "Credit",
    "currency": "GBP",
    "description": "LATE SALARY",
}


def _status(call: Caller, session: str) -> dict[str, Any]:
    status: dict[str, Any] = ok(call("GET", f"/v1/onboard/sessions/{session}"))
    return status


def test_results_come_when_the_review_is_over_and_not_before(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    body = {"results": {"screening": {"outcome": "consider"}}, "after_seconds": 2 * DAY}
    assert call.control(f"/sessions/{session}/finish", body)["status"] == "inprogress"
    progress = _status(call, session)["progress"]["identity"]
    assert (progress["completed"], progress["confirmed"]) == (True, False)
    refused(call("GET", f"/v1/onboard/sessions/{session}/results"), 404, "results_not_found")
    call.advance(days=1)
    assert _status(call, session)["status"] == "inprogress"
    call.advance(days=30)
    status = _status(call, session)
    assert status["status"] == "complete"
    scheduled = call.control("/scheduled", method="GET")["items"]
    assert [item["state"] for item in scheduled] == ["done"]
    # As of the instant it was due, however far the clock went beyond it.
    assert status["updated"] == scheduled[0]["due"]
    results = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert results["screening"]["outcome"] == "consider"


def test_a_session_stays_in_review_until_it_is_finished_again(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    call.control(
        f"/sessions/{session}/finish", {"results": {"address": {"outcome": "warning"}}, "hold": True}
    )
    call.advance(days=6)
    assert _status(call, session)["status"] == "inprogress"
    call.control(f"/sessions/{session}/finish", {"results": {"document": {"outcome": "rejected"}}})
    results = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert (results["address"]["outcome"], results["document"]["outcome"]) == ("warning", "rejected")
    refused(call.plain("POST", f"/_control/sessions/{session}/finish"), 409, "session_complete")


def test_a_review_that_outlasts_the_session_ends_with_its_expiry(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    call.control(f"/sessions/{session}/finish", {"after_seconds": 8 * DAY})
    call.advance(days=9)
    assert _status(call, session)["status"] == "expired"
    failed = call.control("/scheduled", method="GET")["items"][0]
    assert (failed["state"], failed["reason"]) == ("failed", "The session has expired")


def test_the_next_session_of_a_customer_can_be_held(call: Caller) -> None:
    customer = new_customer(call)
    call.control(f"/customers/{customer}/next-results", {"results": {}, "hold": True})
    first, second = new_session(call, customer), new_session(call, customer)
    assert call.control(f"/sessions/{first}/finish")["status"] == "inprogress"
    assert call.control(f"/sessions/{second}/finish")["status"] == "complete"


def test_nothing_is_delivered_before_the_review_is_over(call: Caller) -> None:
    ok(call("POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/"}))
    session = new_session(call, new_customer(call))
    call.control(f"/sessions/{session}/finish", {"after_seconds": 60})
    assert call.control("/deliveries", method="GET")["items"] == []
    call.advance(seconds=61)
    assert [item["sessionId"] for item in call.control("/deliveries", method="GET")["items"]] == [session]


@pytest.mark.parametrize(
    "body", [{"after_seconds": -1}, {"after_seconds": 1, "hold": True}, {"after_seconds": "soon"}]
)
def test_a_review_that_makes_no_sense_is_400(call: Caller, body: dict[str, Any]) -> None:
    session = new_session(call, new_customer(call))
    refused(call.plain("POST", f"/_control/sessions/{session}/finish", json=body), 400, "invalid_request")


def _held(call: Caller, customer: str, account: str) -> tuple[int, str]:
    path = f"/v1/customers/{customer}/bank-accounts/{account}"
    count = len(ok(call("GET", f"{path}/transactions?limit=500"))["items"])
    return count, ok(call("GET", f"{path}/balance"))["current"]


def test_a_bank_books_transactions_later_and_the_balance_follows(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    body = {"transactions": [BOOKING], "after_seconds": 3 * DAY}
    assert call.control(f"/customers/{customer}/transactions", body)["added"] == 0
    assert _held(call, customer, account) == (6, "1650.00")
    call.advance(days=4)
    assert _held(call, customer, account) == (7, "1750.25")
    assert call.control(f"/customers/{customer}/transactions", {"transactions": [BOOKING]})["added"] == 0
    assert _held(call, customer, account) == (7, "1750.25")


def test_an_id_that_comes_twice_in_one_body_is_refused_and_nothing_is_booked(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    body = {"transactions": [BOOKING, {**BOOKING, "amount": "5.00"}]}
    answer = refused(
        call.plain("POST", f"/_control/customers/{customer}/transactions", json=body), 400, "invalid_request"
    )
    assert "transactions.0.id: appears twice" in answer["message"]
    assert _held(call, customer, account) == (6, "1650.00")


def test_pending_transactions_do_not_move_the_balance_and_a_given_balance_wins(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    pending = {**BOOKING, "id": "p", "status": "pending"}
    call.control(f"/customers/{customer}/transactions", {"transactions": [pending]})
    assert _held(call, customer, account) == (7, "1650.00")
    given = {"transactions": [{**BOOKING, "id": "q"}], "balance": {"current": "1.00"}}
    call.control(f"/customers/{customer}/transactions", given)
    assert _held(call, customer, account) == (8, "1.00")


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"transactions": [{**BOOKING, "amount": "1.005"}]}, "invalid_request", "transactions.0.amount"),
        ({"account_id": "nobody"}, "bank_account_not_found", ""),
        ({"at": "some day"}, "invalid_request", "at"),
        ({"transactions": []}, "invalid_request", "transactions"),
    ],
)
def test_what_can_never_be_booked_is_refused_at_once(
    call: Caller, change: dict[str, Any], code: str, place: str
) -> None:
    customer = new_customer(call)
    grant(call, customer)
    body = {"transactions": [BOOKING], "after_seconds": 60, **change}
    if "at" in change:
        body.pop("after_seconds")
    answer = call.plain("POST", f"/_control/customers/{customer}/transactions", json=body)
    assert place in refused(answer, 400 if code == "invalid_request" else 404, code)["message"]
    assert call.control("/scheduled", method="GET")["items"] == []
