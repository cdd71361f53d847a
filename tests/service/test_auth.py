"""Signatures: vectors, window, nonces, rotation."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.service.signed import Caller, Credentials, ok, refused

from kycpack.errors import ServiceError
from kycpack.service.auth import DATE_WINDOW_SECONDS, NONCE_SECONDS
from kycpack.service.clock import http_date
from kycpack.service.embedded import EmbeddedService
from kycpack.service.keys import list_keys, retire_old_secrets, revoke_key, rotate_secret


def test_a_request_cannot_be_replayed(call: Caller) -> None:
    signed = call.headers("GET", "/v1/banks")
    assert call.plain("GET", "/v1/banks", headers=signed).status_code == 200
    refused(call.plain("GET", "/v1/banks", headers=signed), 401, "invalid_api_key")


def test_a_refused_write_uses_up_its_nonce(call: Caller) -> None:
    body = b'{"amount":0,"reference":"r"}'
    signed = {**call.headers("POST", "/v1/payments", body), "content-type": "application/json"}
    refused(call.plain("POST", "/v1/payments", content=body, headers=signed), 400, "invalid_request")
    refused(call.plain("POST", "/v1/payments", content=body, headers=signed), 401, "invalid_api_key")


def test_nonces_are_remembered_for_longer_than_the_window(call: Caller, embedded: EmbeddedService) -> None:
    signed = call.headers("GET", "/v1/banks")
    assert call.plain("GET", "/v1/banks", headers=signed).status_code == 200
    embedded.service.database.close()  # nothing of it is in memory
    call.advance(seconds=DATE_WINDOW_SECONDS - 5)
    refused(call.plain("GET", "/v1/banks", headers=signed), 401, "invalid_api_key")
    assert NONCE_SECONDS >= 2 * DATE_WINDOW_SECONDS


@pytest.mark.parametrize(
    ("offset", "status"),
    [(-DATE_WINDOW_SECONDS - 2, 401), (-290, 200), (290, 200), (DATE_WINDOW_SECONDS + 2, 401)],
)
def test_a_date_has_to_lie_within_the_window(
    call: Caller, embedded: EmbeddedService, offset: int, status: int
) -> None:
    date = http_date(embedded.service.clock.now() + timedelta(seconds=offset))
    assert (
        call.plain("GET", "/v1/banks", headers=call.headers("GET", "/v1/banks", date=date)).status_code
        == status
    )


@pytest.mark.parametrize(
    "date", ["yesterday", "2026-05-25T09:00:00Z", "Mon, 99 May 2026 09:00:00 GMT", "9" * 5000]
)
def test_a_date_that_is_none_is_401(call: Caller, date: str) -> None:
    signed = call.headers("GET", "/v1/banks", date=date)
    refused(call.plain("GET", "/v1/banks", headers=signed), 401, "invalid_api_key")


@pytest.mark.parametrize("nonce", ["short", "x" * 65, "sixteen chars ok", "0123456789abcde_"])
def test_a_nonce_has_its_form(call: Caller, nonce: str) -> None:
    signed = call.headers("GET", "/v1/banks", nonce=nonce)
    refused(call.plain("GET", "/v1/banks", headers=signed), 401, "invalid_api_key")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer x",
        "HMAC-SHA256",
        "HMAC-SHA256 Credential=, Signature=",
        "HMAC-SHA256 Credential=k, Signature=not-base64",
        "HMAC-SHA256 Signature=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=, Credential=k",
        "HMAC-SHA256 Credential=" + "k" * 10_000,
    ],
)
def test_an_authorization_header_has_its_form(call: Caller, header: str) -> None:
    answer = call("GET", "/v1/banks", headers={"authorization": header})
    refused(answer, 401, "invalid_api_key")
    assert answer.headers["www-authenticate"] == "HMAC-SHA256"


def test_a_secret_is_rotated_without_a_gap(call: Caller, embedded: EmbeddedService) -> None:
    service = embedded.service
    old = call.new_key(embedded.tenant_id)
    with service.database.write() as connection:
        made = rotate_secret(connection, service.clock.now(), old.key_id)
    new = Credentials(made.key_id, made.secret)
    for key in (old, new):
        ok(call("GET", "/v1/banks", key=key))
    with service.database.write() as connection, pytest.raises(ServiceError, match="two live secrets"):
        rotate_secret(connection, service.clock.now(), old.key_id)
    with service.database.write() as connection:
        assert retire_old_secrets(connection, service.clock.now(), old.key_id) == 1
    refused(call("GET", "/v1/banks", key=old), 401, "invalid_api_key")
    ok(call("GET", "/v1/banks", key=new))
    with service.database.write() as connection:
        assert revoke_key(connection, service.clock.now(), old.key_id) == 1
    refused(call("GET", "/v1/banks", key=new), 401, "invalid_api_key")
    with service.database.read() as connection:
        records = {record.key_id: record for record in list_keys(connection)}
    assert records[old.key_id].live_secrets == 0
    assert new.secret not in repr(records)
    assert new.secret not in repr(made)


def test_a_rate_limit_is_429_with_retry_after(call: Caller, embedded: EmbeddedService) -> None:
    limiter = embedded.service.limiter
    limiter._per_minute = 3
    try:
        answers = [call("GET", "/v1/banks") for _ in range(8)]
    finally:
        limiter._per_minute = None
    assert 429 in {answer.status_code for answer in answers}
    last = next(answer for answer in answers if answer.status_code == 429)
    refused(last, 429, "rate_limited")
    assert 1 <= int(last.headers["retry-after"]) <= 60
