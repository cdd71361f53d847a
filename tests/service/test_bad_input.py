"""What must not get through: every answer is 4xx with `error` and `message`, and quotes nothing."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest
from tests.service.signed import BROWSER, CARD, Caller, body_of, new_customer, new_payment

from kycpack.models.json import dump_json, parse_json
from kycpack.service import operation
from kycpack.service.bodies import read_model

CANARIES = ("4929123456781234", "Zebedee-Canary", "c@nary.example", "987-cvc")

BODIES = {
    "empty": b"",
    "not json": b"{",
    "not utf-8": b'{"firstName":"\xff\xfe"}',
    "utf-16": '{"firstName":"Ada"}'.encode("utf-16"),
    "an array": b'[{"firstName":"Zebedee-Canary"}]',
    "a number": b"7",
    "null": b"null",
    "two documents": b"{}{}",
    "deep nesting": b'{"address":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "moderate nesting": b'{"address":' + b'{"city":' * 100 + b"1" + b"}" * 101,
    "a name twice": b'{"firstName":"Zebedee-Canary","firstName":"B"}',
    "a NUL": b'{"firstName":"Zebedee-Canary\\u0000"}',
    "a lone surrogate": b'{"firstName":"Zebedee-Canary\\ud800"}',
    "1e400": b'{"firstName":1e400}',
    "NaN": b'{"firstName":NaN}',
    "a long number": b'{"firstName":' + b"9" * 10_000 + b"}",
    "unknown field": b'{"Zebedee-Canary":1}',
    "prototype": b'{"__proto__":{"admin":true}}',
    "wrong type": b'{"firstName":["Zebedee-Canary"]}',
    "a date that does not exist": b'{"dateOfBirth":"2025-02-29"}',
    "too long": b'{"firstName":"' + b"Zebedee-Canary" * 100 + b'"}',
}


def fine_refusal(answer: Any) -> None:
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text)
    body = body_of(answer)
    assert isinstance(body["error"], str)
    assert isinstance(body["message"], str)
    for canary in CANARIES:
        assert canary not in answer.text


@pytest.mark.parametrize("raw", BODIES.values(), ids=BODIES)
def test_a_bad_body(call: Caller, raw: bytes) -> None:
    fine_refusal(call("POST", "/v1/customers", raw=raw, headers={"content-type": "application/json"}))


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/xml", "multipart/form-data; boundary=x", "text/json"]
)
def test_a_wrong_content_type(call: Caller, kind: str) -> None:
    answer = call("POST", "/v1/customers", {"firstName": "Ada"}, headers={"content-type": kind})
    assert answer.status_code == 415
    fine_refusal(answer)


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_a_right_content_type(call: Caller, kind: str) -> None:
    assert call("POST", "/v1/customers", {}, headers={"content-type": kind}).status_code == 200


@pytest.mark.parametrize(
    "amount",
    [
        b"1e400",
        b"0.001",
        b"-0",
        b"1e-400",
        b"1E+30",
        b"99999999999999999999",
        b'"1_000"',
        b'"\\u0661"',
        b"01",
    ],
)
def test_a_bad_amount(call: Caller, amount: bytes) -> None:
    fine_refusal(call("POST", "/v1/payments", raw=b'{"reference":"r","amount":' + amount + b"}"))


@pytest.mark.parametrize(
    "part",
    [
        "../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%ff",
        "a%0ab",
        "' OR 1=1 --",
        "\u202e",
        "x" * 5000,
        ".",
    ],
)
def test_a_bad_id_in_a_path(call: Caller, part: str) -> None:
    for template in (
        "/v1/customers/{}",
        "/v1/payments/{}",
        "/v1/onboard/sessions/{}",
        "/v1/customers/{}/bank-accounts",
        "/v1/customers/{}/source-of-wealth",
        "/v1/onboard-sessions/{}/media/x",
        "/downloads/{}",
    ):
        path = template.format(part if "%" in part else quote(part, safe=""))
        answer = call("GET", path)
        assert 400 <= answer.status_code < 500, (path, answer.status_code, answer.text)
        body_of(answer)


@pytest.mark.parametrize(
    "query",
    ["orgId=a&orgId=b", "orgid=a", "orgId=%00", "orgId=%ff", "orgId=" + "x" * 1001, "a=1&" * 100, "%%%"],
)
def test_a_bad_query(call: Caller, query: str) -> None:
    fine_refusal(call("GET", f"/v1/customers?{query}"))


# PostgreSQL cannot look for a text with a NUL: with another database the answers are the same.
@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/downloads/%00?expires=1&signature=x", None, 403),
        ("GET", "/console/customers?q=%00", None, 200),
        ("GET", "/console/customers?before=%00~x", None, 200),
        ("POST", "/_control/snapshots/a%00b/restore", None, 404),
        ("DELETE", "/_control/snapshots/a%00b", None, 404),
        ("POST", "/_control/keys", {"tenant_id": "a\0b"}, 400),
    ],
)
def test_a_nul_is_never_looked_for(call: Caller, method: str, path: str, body: Any, status: int) -> None:
    content = b"" if body is None else dump_json(body)
    assert call.plain(method, path, content=content).status_code == status


def test_card_data_is_never_echoed(call: Caller) -> None:
    payment = new_payment(call)
    card = {**CARD, "number": "4929123456781234", "cvc": "987-cvc"}
    for body in (
        {"card": card, "browserData": BROWSER},
        {"card": {**card, "4929123456781234": 1}, "browserData": BROWSER},
        {"card": card},
        {"card": [card], "browserData": BROWSER},
        {"card": card, "browserData": BROWSER, "bank": {"bankId": "4929123456781234"}},
        {"bank": {"bankId": "4929123456781234"}},
    ):
        fine_refusal(call("POST", f"/v1/payments/{payment}/attempts", body))


def test_a_huge_body_is_413(call: Caller) -> None:
    answer = call("POST", "/v1/customers", raw=b'{"firstName":"' + b"x" * (1 << 20) + b'"}')
    assert answer.status_code == 413
    fine_refusal(answer)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GARBAGE\r\n\r\n",
        b"GET /v1/banks HTTP/1.1\r\nHost: a\r\nbroken header\r\n\r\n",
        b"GET /v1/banks HTTP/1.1\r\n\r\n",
        b"POST /v1/customers HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/customers HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"GET /v1/banks HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 200_000,
    ],
)
def test_what_is_not_http_is_400_in_the_same_shape(call: Caller, request_bytes: bytes) -> None:
    host, _, port = call.base_url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as peer:
        peer.sendall(request_bytes)
        answer = b""
        while chunk := peer.recv(65536):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert parse_json(body).keys() == {"error", "message", "requestId"}


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "{nb}",
        "=1+1",
        "\u202eabc",
        "\u0639\u0644\u064a",
        "\u5f20\u4f1f",
        "\U0001f600",
    ],
)
def test_strange_names_are_kept_as_they_are(call: Caller, text: str) -> None:
    customer = new_customer(call, firstName=text)
    assert body_of(call("GET", f"/v1/customers/{customer}"))["firstName"] == text


def test_a_body_that_is_long_to_read_holds_no_other_writer_up(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def read(*arguments: Any, **more: Any) -> Any:
        if b"slow" in arguments[1]:
            reading.set()
            go_on.wait(20)
        return read_model(*arguments, **more)

    monkeypatch.setattr(operation, "read_model", read)
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(call, "POST", "/v1/customers", {"firstName": "slow"})
        assert reading.wait(5)
        began = time.monotonic()
        new_customer(call)
        assert time.monotonic() - began < 10
        go_on.set()
        assert slow.result().status_code == 200
