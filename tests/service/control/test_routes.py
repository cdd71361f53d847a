"""The control API: for programs on this machine alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.service.running import database_url
from tests.service.signed import BANK_ACCESS, Caller, finish, grant, new_customer, new_session, ok, refused

from kycpack.service.app import create_app
from kycpack.service.control.document import PREFIX
from kycpack.service.control.routes import CONTROLS
from kycpack.service.embedded import EmbeddedService


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://127.0.0.1"}, {"Origin": "null"}, {"Host": "evil.example"}, {"Host": "127.0.0.1:1"}],
)
def test_a_request_that_a_web_page_could_have_caused_is_refused(
    call: Caller, headers: dict[str, str]
) -> None:
    refused(call.plain("GET", "/_control/clock", headers=headers), 403, "control_forbidden")
    refused(call.plain("POST", "/_control/reset", headers=headers), 403, "control_forbidden")


def test_it_is_there_only_on_loopback(tmp_path: Path) -> None:
    app = create_app(database_url(tmp_path), loopback=False)
    app.state.service.database.close()
    assert not [route for route in app.routes if getattr(route, "path", "").startswith(PREFIX)]


def test_the_clock_moves_and_every_answer_is_dated_by_it(call: Caller) -> None:
    told = call.control("/clock", {"now": "2027-01-31T12:00:00Z"})["now"]
    assert told.startswith("2027-01-31T12:00:0")
    assert call.control("/clock", {"advance_seconds": 86_400})["now"].startswith("2027-02-01")
    answer = call("GET", "/v1/banks")
    assert answer.status_code == 200
    assert "01 Feb 2027" in answer.headers["date"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"advance_seconds": 1, "now": "2027-01-01T00:00:00Z"},
        {"now": "soon"},
        {"now": "2027-01-01T00:00:00"},
        {"advance_seconds": 10**30},
        {"advance_seconds": "7"},
        {"now": "9999-12-31T23:59:59Z"},
    ],
)
def test_a_clock_setting_that_makes_no_sense_is_400(call: Caller, body: Any) -> None:
    refused(call.plain("POST", "/_control/clock", json=body), 400, "invalid_request")


def test_partial_results_merge_deeply_and_null_deletes(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    finish(
        call,
        session,
        screening={
            "outcome": "consider",
            "matchCount": 3,
            "summary": {"pep": {"level3": "attention"}, "watchlist": None},
        },
        identity=None,
        document={"holder": {"lastName": "Other"}, "new": {"leaf": 0}},
    )
    told = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert "identity" not in told
    assert told["screening"]["summary"] == {
        "pep": {"level1": "clear", "level2": "clear", "level3": "attention"},
        "adverseMedia": {"environmentProduction": "clear", "socialLabour": "clear"},
    }
    assert told["document"]["holder"]["firstName"] == "Ada"
    assert told["document"]["holder"]["lastName"] == "Other"
    assert told["document"]["new"] == {"leaf": 0}


def test_next_results_are_for_one_session(call: Caller) -> None:
    customer = new_customer(call)
    call.control(f"/customers/{customer}/next-results", {"results": {"address": {"outcome": "warning"}}})
    outcomes = []
    for _ in range(2):
        session = new_session(call, customer)
        finish(call, session)
        outcomes.append(ok(call("GET", f"/v1/onboard/sessions/{session}/results"))["address"]["outcome"])
    assert outcomes == ["warning", "clear"]


@pytest.mark.parametrize(
    ("tag", "section", "outcome"),
    [
        ("document-rejected", "document", "rejected"),
        ("address-warning", "address", "warning"),
        ("sanctions", "screening", "rejected"),
        ("pep1", "screening", "consider"),
        ("media", "screening", "warning"),
        ("expired-document", "document", "rejected"),
        ("face-mismatch", "identity", "rejected"),
    ],
)
def test_magic_values(call: Caller, tag: str, section: str, outcome: str) -> None:
    session = new_session(call, new_customer(call, emailAddress=f"ada+{tag}@example.com"))
    finish(call, session)
    told = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert {name: part["outcome"] for name, part in told.items() if part["outcome"] != "clear"} == {
        section: outcome
    }


def test_magic_values_combine(call: Caller) -> None:
    session = new_session(
        call, new_customer(call, emailAddress="ada+document-warning+pep2+unknown@example.com")
    )
    finish(call, session)
    told = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert (told["document"]["outcome"], told["screening"]["summary"]["pep"]["level2"]) == (
        "warning",
        "attention",
    )


def test_bank_access_of_a_linked_account_is_renewed_not_doubled(call: Caller) -> None:
    customer = new_customer(call)
    first = grant(call, customer)
    more = {**BANK_ACCESS["accounts"][0], "balance": {"current": "1.00"}}
    more["transactions"] = [
        *more["transactions"],
        {**more["transactions"][0], "id": "t7", "bookingDate": "2026-07-25"},
    ]
    second = grant(call, customer, accounts=[more])
    assert [item["id"] for item in second] == [item["id"] for item in first]
    path = f"/v1/customers/{customer}/bank-accounts/{first[0]['id']}"
    assert len(ok(call("GET", f"{path}/transactions"))["items"]) == 7
    assert ok(call("GET", f"{path}/balance"))["current"] == "1.00"


def test_accounts_that_are_alike_in_one_grant_stay_apart(call: Caller) -> None:
    customer = new_customer(call)
    assert len(grant(call, customer, accounts=BANK_ACCESS["accounts"] * 2)) == 2


def test_accounts_are_listed_in_the_order_of_linking_also_after_two_that_are_alike(call: Caller) -> None:
    customer_id = new_customer(call)
    account = BANK_ACCESS["accounts"][0]
    grant(call, customer_id, accounts=[{**account, "id": "z1"}, {**account, "id": "z2"}])
    held = grant(call, customer_id, accounts=[{**account, "id": "a1", "accountNumber": "87654321"}])
    assert [item["id"] for item in held] == ["z1", "z2", "a1"]


def test_rows_without_ids_that_are_alike_are_all_kept(call: Caller) -> None:
    customer = new_customer(call)
    alike = {
        name: value for name, value in BANK_ACCESS["accounts"][0]["transactions"][0].items() if name != "id"
    }
    account = {**BANK_ACCESS["accounts"][0], "transactions": [alike] * 3}
    held = grant(call, customer, accounts=[account])[0]["id"]
    assert (
        ok(call("GET", f"/v1/customers/{customer}/bank-accounts/{held}/transactions"))["items"] == [alike] * 3
    )


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"amount": "-1.00"}, "accounts.0.transactions.1.amount"),
        ({"amount": "1.005"}, "accounts.0.transactions.1"),
        ({"bookingDate": "2026-02-30"}, "accounts.0.transactions.1.bookingDate"),
        ({"creditDebitIndicator": "CR"}, "accounts.0.transactions.1.creditDebitIndicator"),
        ({"currency": "ABC"}, "accounts.0.transactions.1.currency"),
        ({"surprise": 1}, "accounts.0.transactions.1.surprise"),
    ],
)
def test_a_bad_transaction_is_refused_with_its_place_and_leaves_nothing(
    call: Caller, change: dict[str, Any], place: str
) -> None:
    customer = new_customer(call)
    account = BANK_ACCESS["accounts"][0]
    rows = [account["transactions"][0], {**account["transactions"][1], **change}]
    body = {"accounts": [{**account, "transactions": rows}]}
    answer = refused(
        call.plain("POST", f"/_control/customers/{customer}/bank-access", json=body), 400, "invalid_request"
    )
    assert place in answer["message"]
    assert ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"] == []


def test_a_long_history_fits_in_one_body(call: Caller) -> None:
    customer = new_customer(call)
    row = BANK_ACCESS["accounts"][0]["transactions"][0]
    rows = [{**row, "id": f"n{number}"} for number in range(8000)]
    account = grant(call, customer, accounts=[{**BANK_ACCESS["accounts"][0], "transactions": rows}])[0]["id"]
    page = ok(call("GET", f"/v1/customers/{customer}/bank-accounts/{account}/transactions?limit=500"))
    assert len(page["items"]) == 500


def test_reset_leaves_the_first_key_alone(call: Caller, embedded: EmbeddedService) -> None:
    new_customer(call)
    other = call.new_tenant()
    call.control("/faults", {"route": "GET /v1/banks", "kind": "status"})
    call.control("/clock", {"advance_seconds": 1_000_000})
    call.control("/reset")
    assert ok(call("GET", "/v1/customers"))["items"] == []
    ok(call("GET", "/v1/banks"))
    refused(call("GET", "/v1/customers", key=other), 401, "invalid_api_key")


def test_what_was_set_can_be_read_back(call: Caller) -> None:
    key = call.new_tenant(name="Readable", currency="EUR")
    tenants = call.control("/tenants", method="GET")["items"]
    assert [tenant["currency"] for tenant in tenants if tenant["name"] == "Readable"] == ["EUR"]
    listed = call.control("/keys", method="GET")
    assert key.key_id in [item["key_id"] for item in listed["items"]]
    assert key.secret not in str(listed)
    call.control("/faults", {"route": "GET /v1/banks", "kind": "status", "times": 2})
    assert call.control("/faults", method="GET")["items"][0]["times"] == 2
    refused(call("GET", "/v1/customers/x"), 404, "customer_not_found")
    assert call.control("/requests", method="GET")["items"][0]["error"] == "customer_not_found"


def test_one_customers_access_ends_and_others_stay(call: Caller) -> None:
    ann, bo = new_customer(call), new_customer(call)
    accounts = {person: grant(call, person)[0]["id"] for person in (ann, bo)}
    assert call.control(f"/customers/{ann}/expire-access")["accounts"] == 1
    balance = "/v1/customers/{}/bank-accounts/{}/balance"
    refused(call("GET", balance.format(ann, accounts[ann])), 403, "ais_access_expired")
    ok(call("GET", balance.format(bo, accounts[bo])))


def test_a_session_expires_on_demand_and_only_once(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    assert call.control(f"/sessions/{session}/expire")["status"] == "expired"
    refused(call.plain("POST", f"/_control/sessions/{session}/expire"), 409, "session_expired")


@pytest.mark.parametrize("number", ["0", "999999999", "x", "9" * 40])
def test_a_delivery_that_is_not_there_is_not_sent_again(call: Caller, number: str) -> None:
    refused(call.plain("POST", f"/_control/deliveries/{number}/redeliver"), 404, "delivery_not_found")


def test_its_document_names_every_operation_and_its_page_draws_them(call: Caller) -> None:
    document = call.control("/openapi.json", method="GET")
    named = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert named == {(control.method, PREFIX + control.path) for control in CONTROLS}
    page = call.plain("GET", "/docs/control").text
    assert all(PREFIX + control.path in page for control in CONTROLS)
