"""The interface's words: what is possible is taken, what is not is refused with its place, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.service.signed import (
    BANK_ACCESS,
    PERSON,
    Caller,
    finish,
    grant,
    new_customer,
    new_session,
    ok,
    refused,
)

from kycpack.models.json import dump_json
from kycpack.synthetic import generate


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"address": {"country": "XX"}}, "address.country"),
        ({"address": {"country": "UK"}}, "address.country"),
        ({"dateOfBirth": "2999-01-01"}, "dateOfBirth"),
        ({"dateOfBirth": "1066-10-14"}, "dateOfBirth"),
        ({"emailAddress": "ada"}, "emailAddress"),
        ({"emailAddress": "ada@nowhere"}, "emailAddress"),
        ({"emailAddress": "ada lovelace@example.com"}, "emailAddress"),
    ],
)
def test_what_is_not_possible_is_refused_with_its_place(
    call: Caller, changes: dict[str, Any], place: str
) -> None:
    answer = refused(call("POST", "/v1/customers", {**PERSON, **changes}), 400, "invalid_request")
    assert answer["message"].startswith(f"Invalid request: {place}: ")
    customer = new_customer(call)
    answer = refused(call("PUT", f"/v1/customers/{customer}", changes), 400, "invalid_request")
    assert place in answer["message"]


@pytest.mark.parametrize("email", ["o'brien+kyc@mail.example.co.uk", "ä@bücher.example", "a@b.c"])
def test_an_unusual_address_is_kept(call: Caller, email: str) -> None:
    assert ok(call("POST", "/v1/customers", {"emailAddress": email}))["emailAddress"] == email


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/v1/payments", {"amount": 0, "reference": "r"}, "amount: must be greater than 0"),
        ("/v1/payments", {"amount": 1}, "reference: is required"),
        ("/v1/customers", [1], "expected an object"),
        ("/v1/customers", {"firstName": 1}, "firstName: expected text"),
        ("/v1/customers", {"address": "x"}, "address: expected an object"),
        ("/v1/customers", {"middleName": "x"}, "middleName: unknown field"),
        ("/v1/webhooks", {"url": "https://a.example/", "events": []}, "events: has fewer entries than 1"),
    ],
)
def test_messages_speak_of_json_and_not_of_python(call: Caller, path: str, body: Any, said: str) -> None:
    message = refused(call("POST", path, body), 400, "invalid_request")["message"]
    assert message == f"Invalid request: {said}"


@pytest.mark.parametrize("day", ["20260501", "2026-W18-5", "2026-5-1", "2026-05-01T00:00:00"])
def test_a_day_has_one_form(call: Caller, day: str) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    path = f"/v1/customers/{customer}/bank-accounts/{account}/transactions?from={day}"
    assert refused(call("GET", path), 400, "invalid_request")["message"].endswith(
        "from: expected a date as YYYY-MM-DD"
    )


def test_another_persons_account_number_is_masked(call: Caller) -> None:
    customer = new_customer(call)
    account = with_transaction(counterpartyAccount="GB29NWBK60161331926819")
    account_id = grant(call, customer, accounts=[account])[0]["id"]
    answer = call("GET", f"/v1/customers/{customer}/bank-accounts/{account_id}/transactions")
    assert ok(answer)["items"][0]["counterpartyAccount"].endswith("*6819")
    assert "NWBK" not in answer.text


def test_the_banks_of_invented_customers_are_in_the_list(call: Caller) -> None:
    listed = {bank["id"] for bank in ok(call("GET", "/v1/banks"))["items"]}
    for plan in generate(12, seed=1, as_of=date(2026, 5, 25)).customers:
        if plan.bank_access_body is None:
            continue
        customer = new_customer(call)
        items = call.control(f"/customers/{customer}/bank-access", plan.bank_access_body)["items"]
        assert {item["bankId"] for item in items} <= listed


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_download_takes_head(call: Caller, method: str) -> None:
    session = new_session(call, new_customer(call))
    finish(call, session)
    item = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"][0]
    answer = call.plain(method, item["downloadUrl"].removeprefix(call.base_url))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == item["contentType"]
    assert bool(answer.content) == (method == "GET")


def with_transaction(**changes: Any) -> dict[str, Any]:
    """Return an account with one transaction."""
    account: dict[str, Any] = BANK_ACCESS["accounts"][0]
    return {**account, "transactions": [{**account["transactions"][0], **changes}]}


@pytest.mark.parametrize(
    ("account", "place"),
    [
        (with_transaction(status="BOOKED"), "accounts.0.transactions.0.status"),
        (with_transaction(amount="92233720368547758.08"), "accounts.0.transactions.0.amount"),
        (with_transaction(balanceAfter="-92233720368547758.08"), "accounts.0.transactions.0.balanceAfter"),
        (with_transaction(bookingDate="0001-01-01"), "accounts.0.transactions.0.bookingDate"),
        (
            {**BANK_ACCESS["accounts"][0], "balance": {"current": "12345678901234567890123456789"}},
            "accounts.0.balance.current",
        ),
    ],
)
def test_bank_data_that_could_not_be_read_again_is_refused(
    call: Caller, account: dict[str, Any], place: str
) -> None:
    customer = new_customer(call)
    body = dump_json({**BANK_ACCESS, "accounts": [account]})
    answer = call.plain("POST", f"/_control/customers/{customer}/bank-access", content=body)
    assert place in refused(answer, 400, "invalid_request")["message"]
    assert ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"] == []


_AMOUNTS = st.one_of(
    st.integers(0, 10**12).map(lambda minor: f"{minor // 100}.{minor % 100:02}"),
    st.sampled_from(["0", "0.01", "99999999999.99", "100000000000.00", "1e3", "9" * 30]),
)
_TRANSACTIONS = st.fixed_dictionaries(
    {
        "bookingDate": st.dates().map(str),
        "amount": _AMOUNTS,
        "creditDebitIndicator": st.sampled_from(["Credit", "Debit"]),
        "currency": st.sampled_from(["GBP", "JPY", "BHD", "CLF"]),
        "description": st.text(max_size=20),
    },
    optional={
        "id": st.sampled_from(["a", "b", ""]),
        "status": st.sampled_from(["booked", "pending", "future", "info", "rejected", "Booked", ""]),
        "valueDate": st.dates().map(str),
        "purposeCode": st.text(max_size=5),
        "bankTransactionCode": st.text(max_size=8),
        "merchantCategoryCode": st.text(max_size=5),
        "balanceAfter": _AMOUNTS,
        "counterpartyAccount": st.text(max_size=8),
    },
)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(rows=st.lists(_TRANSACTIONS, max_size=6))
def test_what_is_stored_can_be_read(call: Caller, rows: list[Mapping[str, Any]]) -> None:
    customer = new_customer(call)
    account = {**BANK_ACCESS["accounts"][0], "transactions": rows}
    try:
        body = dump_json({**BANK_ACCESS, "accounts": [account]})
    except UnicodeEncodeError:
        return
    loaded = call.plain("POST", f"/_control/customers/{customer}/bank-access", content=body)
    assert loaded.status_code in {200, 400}, loaded.text
    statement = call("GET", f"/v1/customers/{customer}/source-of-wealth")
    assert statement.status_code == (200 if loaded.status_code == 200 else 404), statement.text


@pytest.mark.parametrize(
    ("results", "place"),
    [
        ({"document": {"outcome": 7}}, "results.document.outcome"),
        ({"document": "clear"}, "results.document"),
        ({"screening": {"matchCount": "two"}}, "results.screening.matchCount"),
        ({"screening": {"matchCount": True}}, "results.screening.matchCount"),
        ({"screening": {"summary": {"pep": "clear"}}}, "results.screening.summary.pep"),
        (
            {"identity": {"faceAnalysis": {"facialSimilarityScore": "high"}}},
            "results.identity.faceAnalysis.facialSimilarityScore",
        ),
    ],
)
def test_results_that_break_the_contract_are_refused(
    call: Caller, results: dict[str, Any], place: str
) -> None:
    customer = new_customer(call)
    session = new_session(call, customer)
    for path in (f"/sessions/{session}/finish", f"/customers/{customer}/next-results"):
        answer = call.plain("POST", f"/_control{path}", content=dump_json({"results": results}))
        assert place in refused(answer, 400, "invalid_request")["message"]
    assert ok(call("GET", f"/v1/onboard/sessions/{session}"))["status"] == "pending"


def test_unknown_members_and_words_of_results_are_kept(call: Caller) -> None:
    session = new_session(call, new_customer(call))
    finish(
        call,
        session,
        document={"outcome": "escalated", "hologram": {"seen": [1]}},
        screening={"matchCount": None},
    )
    results = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert results["document"]["outcome"] == "escalated"
    assert results["document"]["hologram"] == {"seen": [1]}
    assert "matchCount" not in results["screening"]


def test_a_fault_sends_raw_bytes_on_purpose(call: Caller) -> None:
    call.control("/faults", {"route": "GET /v1/banks", "kind": "raw_body", "body": "//4AAQ=="})
    assert call("GET", "/v1/banks").content == b"\xff\xfe\x00\x01"


def test_the_list_of_customers_comes_in_pages_where_asked(call: Caller) -> None:
    made = [new_customer(call, orgId=f"org-{index % 2}") for index in range(7)]
    assert [item["id"] for item in ok(call("GET", "/v1/customers"))["items"]] == made
    gathered, cursor = [], ""
    while True:
        page = ok(call("GET", f"/v1/customers?orgId=org-0&limit=2{cursor}"))
        gathered += [item["id"] for item in page["items"]]
        if "nextCursor" not in page:
            break
        cursor = f"&cursor={page['nextCursor']}"
    assert gathered == made[::2]
    for wrong in ("limit=0", "limit=1001", "limit=x", "cursor=x"):
        refused(call("GET", f"/v1/customers?{wrong}"), 400, "invalid_request")


def test_a_long_list_is_one_document(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    for at_a_time in (1, 2, 3):
        monkeypatch.setattr("kycpack.service.customers._AT_A_TIME", at_a_time)
        call.control("/reset")
        assert ok(call("GET", "/v1/customers")) == {"items": []}
        made = [new_customer(call) for _ in range(6)]
        assert [item["id"] for item in ok(call("GET", "/v1/customers"))["items"]] == made
