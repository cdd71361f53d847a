"""What must not be kept: card data, links that open something, signatures."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select
from tests.service.signed import BROWSER, CARD, Caller, finish, new_customer, new_payment, ok, refused

from kycpack.service.embedded import EmbeddedService
from kycpack.service.schema import metadata

NUMBER, CVC, EXPIRY = "4000000000003220", "cvc-canary", "expiry-canary"


def everything_stored(embedded: EmbeddedService) -> str:
    with embedded.service.database.read() as connection:
        rows = [
            str(tuple(row)) for table in metadata.sorted_tables for row in connection.execute(select(table))
        ]
    return "\n".join(rows)


def test_no_card_data_is_stored_or_logged(
    call: Caller, embedded: EmbeddedService, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    payment = new_payment(call)
    card = {**CARD, "number": NUMBER, "cvc": CVC, "expiryYear": EXPIRY}
    path = f"/v1/payments/{payment}/attempts"
    answers = [
        call("POST", path, {"card": card, "browserData": BROWSER}),
        call("POST", path, {"card": {**card, "number": "4929123456781234"}, "browserData": BROWSER}),
        call("POST", path, {"card": card}),
    ]
    for canary in (NUMBER, CVC, EXPIRY, "4929123456781234"):
        assert canary not in everything_stored(embedded)
        assert canary not in caplog.text
        assert not any(canary in answer.text for answer in answers)


def test_no_link_is_stored(call: Caller, embedded: EmbeddedService) -> None:
    created = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
    finish(call, created["sessionId"])
    paid = ok(
        call("POST", "/v1/payments", {"amount": 1, "reference": "r", "returnUrl": "https://shop.example/"})
    )
    started = ok(call("POST", f"/v1/payments/{paid['id']}/attempts", {"bank": {"bankId": "test-bank"}}))
    media = ok(call("POST", f"/v1/onboard-sessions/{created['sessionId']}/media-access"))["media"][0]
    stored = everything_stored(embedded)
    for url in (created["onboardUrl"], paid["payLink"], started["requiredAction"]["url"]):
        secret = urlsplit(url).path.rpartition(".")[2]
        assert len(secret) == 64
        assert secret not in stored
    assert media["downloadUrl"].rpartition("signature=")[2] not in stored


def test_a_link_of_one_kind_opens_no_other(call: Caller) -> None:
    created = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
    token = urlsplit(created["onboardUrl"]).path.rpartition("/")[2]
    altered = token[:-1] + ("0" if token[-1] != "0" else "1")
    for path in (
        f"/pay/{token}",
        f"/bank/authorise/{token}",
        f"/onboard/{altered}",
        "/onboard/x",
        "/onboard/.",
    ):
        assert call.plain("GET", path).status_code == 404


def test_another_hosts_header_does_not_make_links(call: Caller) -> None:
    refused(
        call("POST", "/v1/payments", {"amount": 1, "reference": "r"}, headers={"host": "evil.example"}),
        401,
        "invalid_api_key",
    )
