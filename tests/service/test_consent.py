"""Consent lasts as long as the grant that gave it, and holds what was on its page and no more."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from tests.service.signed import Caller, finish, grant, new_customer, new_session, ok, refused

from kycpack.service.auth import Tenant
from kycpack.service.bank_reading import get_balance
from kycpack.service.embedded import EmbeddedService
from kycpack.service.problems import RefusedError

ACCOUNTS_ONLY: dict[str, Any] = {"ais": {"accounts": True}}
EVERYTHING: dict[str, Any] = {"ais": {"accounts": True, "balances": True, "transactions": True}}


def only_account(call: Caller, customer: str) -> dict[str, Any]:
    items = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]
    assert len(items) == 1
    account: dict[str, Any] = items[0]
    return account


def test_a_new_session_for_account_names_gives_no_transactions_again(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    call.advance(days=91)
    finish(call, new_session(call, customer, options=ACCOUNTS_ONLY))
    account = only_account(call, customer)
    assert account["scopes"] == ["accounts"]
    base = f"/v1/customers/{customer}"
    path = f"{base}/bank-accounts/{account['id']}"
    refused(call("GET", f"{path}/transactions"), 403, "ais_scope_missing")
    refused(call("GET", f"{path}/balance"), 403, "ais_scope_missing")
    refused(call("GET", f"{base}/source-of-wealth"), 404, "not_found")


def test_a_smaller_grant_neither_shortens_nor_lengthens_the_larger_one(call: Caller) -> None:
    customer = new_customer(call)
    grant(call, customer)
    call.advance(days=60)
    finish(call, new_session(call, customer, options=ACCOUNTS_ONLY))
    account = only_account(call, customer)
    transactions = f"/v1/customers/{customer}/bank-accounts/{account['id']}/transactions"
    ok(call("GET", transactions))
    call.advance(days=31)
    assert only_account(call, customer)["scopes"] == ["accounts"]
    refused(call("GET", transactions), 403, "ais_scope_missing")
    call.advance(days=60)
    refused(call("GET", transactions), 403, "ais_access_expired")


def test_sessions_that_end_at_once_link_the_accounts_once(call: Caller) -> None:
    customer = new_customer(call)
    sessions = [new_session(call, customer, options=EVERYTHING) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda session: finish(call, session), sessions))
    items = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]
    assert len(items) == 2
    assert len({(item["accountNumber"], item["type"]) for item in items}) == 2


def test_the_next_result_is_for_one_session(call: Caller) -> None:
    customer = new_customer(call)
    call.control(f"/customers/{customer}/next-results", {"results": {"document": {"outcome": "rejected"}}})
    sessions = [new_session(call, customer) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda session: finish(call, session), sessions))
    outcomes = [
        ok(call("GET", f"/v1/onboard/sessions/{session}/results"))["document"]["outcome"]
        for session in sessions
    ]
    assert sorted(outcomes) == ["clear"] * 7 + ["rejected"]


def test_access_that_was_ended_a_moment_later_than_the_request_began_has_expired(
    call: Caller, embedded: EmbeddedService
) -> None:
    """The request's time is taken before the access is ended, and what it reads is from after that."""
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    call.control(f"/customers/{customer}/expire-access", {})
    database, tenant = embedded.service.database, Tenant(embedded.tenant_id, "GBP", merchant_onboarded=True)
    before = embedded.service.clock.now() - timedelta(minutes=1)
    with database.read() as connection, pytest.raises(RefusedError) as caught:
        get_balance(connection, tenant, customer, account, before)
    assert caught.value.code == "ais_access_expired"
