"""The console: for a browser on this machine, safe against other sites, and enough to learn why a call was refused."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import httpx
import pytest
from tests.service.signed import (
    CARD,
    Caller,
    Credentials,
    finish,
    grant,
    new_customer,
    new_payment,
    new_session,
    ok,
    refused,
)

from kycpack.service.app import create_app
from kycpack.service.embedded import EmbeddedService
from kycpack.service.request_log import HEADER


class Console:
    """A browser without JavaScript, as small as can be."""

    def __init__(self, base_url: str) -> None:
        self.http = httpx.Client(base_url=base_url, timeout=30, follow_redirects=True)

    def get(self, path: str) -> str:
        answer = self.http.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    def token(self) -> str:
        found = re.search(r'name="form_token" value="([^"]+)"', self.get("/console/clock"))
        assert found
        return found[1]

    def post(self, path: str, **fields: str) -> httpx.Response:
        return self.http.post(path, data={"form_token": self.token(), **fields})


@pytest.fixture
def console(embedded: EmbeddedService) -> Iterator[Console]:
    browser = Console(embedded.base_url)
    yield browser
    browser.http.close()


def _until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.05)


def test_every_page_that_a_page_leads_to_is_there(call: Caller, console: Console) -> None:
    customer = new_customer(call)
    grant(call, customer)
    new_payment(call, customerId=customer)
    ok(call("POST", "/v1/webhooks", {"url": f"{call.base_url}/nowhere"}))
    finish(call, new_session(call, customer))
    new_session(call, customer)
    refused(call("GET", f"/v1/customers/{new_session(call, customer)}"), 404, "customer_not_found")
    seen: set[str] = set()
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        waiting += re.findall(r'href="(/(?:console|docs)[^"]*|/)"', console.get(path))
    for section in ("requests", "customers", "sessions", "payments", "deliveries"):
        assert [path for path in seen if path.startswith(f"/console/{section}/")], section


def test_names_are_shown_as_text(call: Caller, console: Console) -> None:
    customer = new_customer(call, firstName="<script>alert(1)</script>")
    for path in ("/console/customers", f"/console/customers/{customer}"):
        page = console.get(path)
        assert "<script>" not in page
        assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_another_site_can_neither_look_nor_act(
    call: Caller, console: Console, headers: dict[str, str]
) -> None:
    fields = {"form_token": console.token(), "advance": "86400"}
    before = call.control("/clock", method="GET")["now"]
    assert console.http.post("/console/clock", data=fields, headers=headers).status_code == 403
    assert call.control("/clock", method="GET")["now"][:13] == before[:13]
    if "Sec-Fetch-Site" not in headers:
        assert console.http.get("/", headers=headers).status_code == 403


def test_a_form_without_its_own_token_does_nothing(call: Caller, console: Console) -> None:
    session = new_session(call, new_customer(call))
    path = f"/console/sessions/{session}/finish"
    stranger = httpx.post(f"{call.base_url}{path}", data={"form_token": console.token(), "outcome": "clear"})
    assert stranger.status_code == 403
    assert console.http.post(path, data={"outcome": "clear"}).status_code == 403
    assert ok(call("GET", f"/v1/onboard/sessions/{session}"))["status"] == "pending"


def test_it_is_there_on_loopback_alone(tmp_path: object) -> None:
    app = create_app(f"{tmp_path}/service.db", loopback=False)
    app.state.service.database.close()
    paths = [getattr(route, "path", "") for route in app.routes]
    assert not [path for path in paths if path == "/" or path.startswith("/console/")]
    assert "/healthz" in paths


@pytest.mark.parametrize("number", ["", "--5", "5-", "1.5", "\u00b2", "1234567890"])
def test_what_is_not_a_whole_number_is_refused_in_words(console: Console, number: str) -> None:
    answer = console.post("/console/clock", advance=number)
    assert answer.status_code == 400
    assert "advance: not a whole number" in answer.text


def test_a_click_finishes_a_session_with_the_chosen_outcome(call: Caller, console: Console) -> None:
    session = new_session(call, new_customer(call))
    answer = console.post(f"/console/sessions/{session}/finish", outcome="rejected")
    assert "The session is complete" in answer.text
    assert ok(call("GET", f"/v1/onboard/sessions/{session}"))["status"] == "complete"
    results = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert {section["outcome"] for section in results.values()} == {"rejected"}
    again = console.post(f"/console/sessions/{session}/finish", outcome="clear")
    assert again.status_code == 409
    assert "The session is complete" in again.text


def test_a_click_expires_a_session(call: Caller, console: Console) -> None:
    session = new_session(call, new_customer(call))
    console.post(f"/console/sessions/{session}/expire")
    assert ok(call("GET", f"/v1/onboard/sessions/{session}"))["status"] == "expired"


def test_a_click_grants_and_expires_bank_access(call: Caller, console: Console) -> None:
    customer = new_customer(call)
    console.post(f"/console/customers/{customer}/grant")
    account = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"][0]["id"]
    balance = f"/v1/customers/{customer}/bank-accounts/{account}/balance"
    ok(call("GET", balance))
    console.post(f"/console/customers/{customer}/expire-access")
    refused(call("GET", balance), 403, "ais_access_expired")
    console.post(f"/console/customers/{customer}/grant")
    ok(call("GET", balance))


def test_the_clock_is_moved_set_and_put_back(call: Caller, console: Console) -> None:
    console.post("/console/clock", now="2030-01-01T00:00:00Z")
    assert call.control("/clock", method="GET")["now"].startswith("2030-01-01")
    assert "moved" in console.post("/console/clock", advance="86400").text
    assert call.control("/clock", method="GET")["now"].startswith("2030-01-02")
    assert console.post("/console/clock", advance="soon").status_code == 400
    console.post("/console/clock", reset="yes")
    assert not call.control("/clock", method="GET")["now"].startswith("2030")


def test_a_fault_is_added_and_lifted_and_spares_the_console(call: Caller, console: Console) -> None:
    rule = {
        "route": "GET /v1/banks",
        "kind": "status",
        "times": "3",
        "status": "502",
        "seconds": "0",
        "percent": "100",
    }
    assert "502" in console.post("/console/faults", **rule).text
    assert call("GET", "/v1/banks").status_code == 502
    call.control("/faults", {"route": "GET /{a}/{b}", "kind": "status", "times": 9})
    console.get("/console/faults")
    console.post("/console/faults/clear")
    ok(call("GET", "/v1/banks"))


def test_webhooks_are_tried_and_delivered_again(call: Caller, console: Console) -> None:
    bodies: list[bytes] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
            """Keep quiet."""

    receiver = HTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=receiver.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{receiver.server_address[1]}/hook"
        webhook = ok(call("POST", "/v1/webhooks", {"url": url}))["id"]
        tried = console.post(f"/console/webhooks/{webhook}/test")
        assert "answered 204" in tried.text
        assert b"00000000-0000-4000-8000-000000000000" in bodies.pop()
        session = new_session(call, new_customer(call))
        finish(call, session)
        _until(lambda: len(bodies) == 1)
        number = call.control("/deliveries", method="GET")["items"][-1]["id"]
        console.post(f"/console/deliveries/{number}/redeliver")
        _until(lambda: len(bodies) == 2)
        assert bodies[0] == bodies[1]
    finally:
        receiver.shutdown()
        receiver.server_close()


def test_the_journal_says_why_a_signature_was_refused(call: Caller, console: Console) -> None:
    def detail(answer: httpx.Response) -> str:
        return console.get(f"/console/requests/{answer.headers[HEADER]}")

    wrong = Credentials(call.key.key_id, "AAAA" + call.key.secret[4:])
    page = detail(call("GET", "/v1/banks?countryCode=GB", key=wrong))
    assert "has a live secret here" in page
    assert "decode it before use" in page
    assert "/v1/banks?countryCode=GB" in page
    unknown = Credentials("key_000000000000000000000000", call.key.secret)
    assert "is unknown here" in detail(call("GET", "/v1/banks", key=unknown))
    late = call("GET", "/v1/banks", headers={"x-date": "Tue, 20 Apr 2021 02:07:55 GMT"})
    assert re.search(r"x-date: -\d+ seconds", detail(late))
    tampered = call("POST", "/v1/customers", headers={"x-content-sha256": "AAAA"}, body={})
    assert "is not the body&#39;s" in detail(tampered)
    assert "Hash the bytes" in detail(tampered)


def test_the_journal_says_why_a_key_was_not_enough(call: Caller, console: Console) -> None:
    poor = call.new_key(call.control("/tenants", {"name": "Poor"})["tenant_id"], [], "all")
    answer = call("GET", f"/v1/customers/{new_customer(call)}/source-of-wealth", key=poor)
    assert answer.status_code == 401
    page = console.get(f"/console/requests/{answer.headers[HEADER]}")
    assert poor.key_id in page
    assert "read_customer is needed" in page


def test_the_journal_keeps_no_card_and_no_look_at_the_console(call: Caller, console: Console) -> None:
    payment = new_payment(call)
    call("POST", f"/v1/payments/{payment}/attempts", {"card": CARD, "browserData": {"browserTZ": "0"}})
    page = console.get("/console/requests")
    assert CARD["number"] not in page
    assert "/v1/payments/{paymentId}/attempts" in page
    assert "/console/requests</code>" not in page


def test_readiness_counts_workers_and_health_needs_no_key(call: Caller) -> None:
    assert ok(call.plain("GET", "/healthz")) == {"status": "ok"}
    ready = ok(call.plain("GET", "/readyz"))
    assert ready["status"] == "ready"
    assert ready["webhook_workers"] >= 1


def test_the_outbox_is_shown_and_read_back(call: Caller, console: Console) -> None:
    finish(call, new_session(call, new_customer(call)))
    page = console.get("/console/mail")
    items = call.control("/mail", method="GET")["items"]
    assert items
    assert all(item["subject"] in page and item["to"] in page for item in items)


def test_a_session_is_sent_to_review_and_finished_from_there(call: Caller, console: Console) -> None:
    session = new_session(call, new_customer(call))
    path = f"/console/sessions/{session}"
    assert "in review" in console.post(f"{path}/review", outcome="consider", minutes="0").text
    assert ok(call("GET", f"/v1/onboard/sessions/{session}"))["status"] == "inprogress"
    assert "when somebody completes it" in console.get("/console/clock")
    console.post(f"{path}/finish", outcome="clear")
    results = ok(call("GET", f"/v1/onboard/sessions/{session}/results"))
    assert results["document"]["outcome"] == "consider"


def test_one_organisations_clock_is_set_and_follows_again(call: Caller, console: Console) -> None:
    tenant_id = call.control("/tenants", {"name": "Elsewhere & Sons"})["tenant_id"]
    page = console.post("/console/clock", tenant=tenant_id, now="2030-01-02T03:04:05Z").text
    assert "2030-01-02 03:04" in page
    assert "Elsewhere &amp; Sons" in page
    console.post("/console/clock", follow=tenant_id)
    assert "All organisations follow" in console.get("/console/clock")
    assert console.post("/console/clock", tenant="nobody", now="2030-01-02T03:04:05Z").status_code == 404


def test_a_bank_is_set_down_and_up_again(call: Caller, console: Console) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    path = f"/v1/customers/{customer}/bank-accounts/{account}/balance"
    console.post("/console/banks", bank="test-bank", state="down", seconds="5")
    refused(call("GET", path), 503, "bank_unavailable")
    console.post("/console/banks", bank="test-bank", state="up", seconds="5")
    ok(call("GET", path))


def test_a_rule_for_some_requests_is_added_by_a_form(call: Caller, console: Console) -> None:
    rule = {"route": "* *", "kind": "status", "times": "9", "status": "500", "seconds": "0", "percent": "100"}
    page = console.post("/console/faults", **rule, header="X-Trial: a*").text
    assert "X-Trial: a*" in page
    ok(call("GET", "/v1/banks"))
    refused(call("GET", "/v1/banks", headers={"X-Trial": "abc"}), 500, "fault")
    assert console.post("/console/faults", **rule, header="no colon").status_code == 400


def test_a_snapshot_is_taken_brought_back_and_forgotten(call: Caller, console: Console) -> None:
    customer = new_customer(call)
    assert "saved as start" in console.post("/console/snapshots", name="start").text
    later = new_customer(call)
    assert "restored from start" in console.post("/console/snapshots/restore", name="start").text
    ok(call("GET", f"/v1/customers/{customer}"))
    refused(call("GET", f"/v1/customers/{later}"), 404, "customer_not_found")
    assert "No snapshots yet" in console.post("/console/snapshots/delete", name="start").text


def test_a_form_that_is_too_large_is_refused(console: Console) -> None:
    assert console.post("/console/snapshots", name="x" * 70_000).status_code == 413


def _headers_with(call: Caller, name: str, value: str) -> dict[str, str]:
    return {**call.headers("GET", "/v1/banks"), name: value}


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("x-date", "Tue, 20 Apr 2021 02:07:55 GMT", "Clock shows it and moves it back"),
        ("x-date", "yesterday", "as HTTP writes dates"),
        ("x-nonce", "short", "16 to 64 letters"),
        ("x-content-sha256", "AAAA", "Hash the bytes that go over the wire"),
        ("authorization", "Bearer x", "Credential=KEY_ID, Signature=SIGNATURE"),
        ("host", "localhost:1", "the host with its port"),
    ],
)
def test_each_way_to_sign_wrongly_has_its_own_advice(
    call: Caller, console: Console, name: str, value: str, advice: str
) -> None:
    answer = call.plain("GET", "/v1/banks", headers=_headers_with(call, name, value))
    refused(answer, 401, "invalid_api_key")
    assert advice in console.get(f"/console/requests/{answer.headers[HEADER]}")
    path = "/v1/customers/none/source-of-wealth"
    signed = {**call.headers("GET", path), name: value}
    answer = call.plain("GET", path, headers=signed)
    refused(answer, 401, "invalid_token")
    assert advice in console.get(f"/console/requests/{answer.headers[HEADER]}")


def test_a_repeated_request_an_unknown_key_and_a_wrong_secret_are_told_apart(
    call: Caller, console: Console
) -> None:
    signed = call.headers("GET", "/v1/banks")
    assert call.plain("GET", "/v1/banks", headers=signed).status_code == 200
    answers = {
        "was used before with this key": call.plain("GET", "/v1/banks", headers=signed),
        "No live key here has the id": call("GET", "/v1/banks", key=Credentials("key_x", call.key.secret)),
        "The key is known": call("GET", "/v1/banks", key=Credentials(call.key.key_id, "A" * 44)),
    }
    for advice, answer in answers.items():
        refused(answer, 401, "invalid_api_key")
        page = console.get(f"/console/requests/{answer.headers[HEADER]}")
        assert [one for one in answers if one in page] == [advice]
    assert "key_x" not in page
    assert call.key.key_id in page


def test_a_wrong_path_shows_the_words_that_are_known_and_no_others(call: Caller, console: Console) -> None:
    answer = call("GET", "/v1/customers/Ada%20Byron/bank-account")
    refused(answer, 404, "not_found")
    page = console.get(f"/console/requests/{answer.headers[HEADER]}")
    assert "/v1/customers/?/? (unknown path)" in page
    assert "paths begin with /v1" in page
    assert "Byron" not in page
