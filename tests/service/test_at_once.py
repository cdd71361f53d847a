"""Consent and tenancy while everything happens at once: what one session, one key or one organisation may never get."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.service.pages.person import Person
from tests.service.running import running
from tests.service.signed import (
    BANK_ACCESS,
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

from kycpack.models.instants import parse_instant
from kycpack.service import operation
from kycpack.service.bank_access import TOKEN_LIFETIME
from kycpack.service.embedded import EmbeddedService
from kycpack.service.keys import revoke_key
from kycpack.service.snapshots import restore_snapshot

NO_CHECKS = dict.fromkeys(
    ["identityCheck", "documentCheck", "proofOfAddressCheck", "amlExtensiveScreening"], False
)
THREADS = 4
BY_BANK = {"bank": {"bankId": "test-bank"}}


def together(*works: Callable[[], Any]) -> list[Any]:
    """Do them at once, and return what each gave."""
    start = threading.Barrier(len(works))

    def one(work: Callable[[], Any]) -> Any:
        start.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


@contextmanager
def meanwhile(work: Callable[[], Any], threads: int = THREADS) -> Iterator[list[Any]]:
    """Do something again and again in some threads until the block ends; what each time gave is in the list."""
    over, gave = threading.Event(), list[Any]()

    def again() -> None:
        while not over.is_set():
            gave.append(work())

    with ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(again) for _ in range(threads)]
        try:
            yield gave
        finally:
            over.set()
        for one in running:
            one.result()


def accounts(call: Caller, customer: str, key: Credentials | None = None) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = ok(call("GET", f"/v1/customers/{customer}/bank-accounts", key=key))["items"]
    return items


def ais(*scopes: str, limit: int | None = None) -> dict[str, Any]:
    wanted: dict[str, Any] = dict.fromkeys(scopes, True)
    return {"identity": NO_CHECKS, "ais": {**wanted, **({"accountLimit": limit} if limit else {})}}


def test_sessions_that_end_at_once_give_what_their_own_pages_name(call: Caller) -> None:
    for _ in range(4):
        customer = new_customer(call)
        options = [ais("accounts"), ais("accounts", "balances"), ais("accounts", limit=1), ais("accounts")]
        sessions = [new_session(call, customer, options=one) for one in options]
        together(*(lambda session=session: finish(call, session) for session in sessions))
        held = accounts(call, customer)
        assert len(held) <= 2
        for account in held:
            assert set(account["scopes"]) <= {"accounts", "balances"}
            path = f"/v1/customers/{customer}/bank-accounts/{account['id']}"
            refused(call("GET", f"{path}/transactions"), 403, "ais_scope_missing")


def test_a_session_shares_no_more_accounts_than_its_limit_however_it_is_ended(
    call: Caller, embedded: EmbeddedService
) -> None:
    """Two banks' pages are approved while the control API finishes the session."""
    for _ in range(6):
        customer = new_customer(call)
        made = ok(
            call(
                "POST",
                "/v1/onboard/sessions",
                {"customerId": customer, "options": ais("accounts", limit=1)},
            )
        )
        people = [Person(embedded.base_url) for _ in range(3)]
        try:
            for person, bank in zip(people, ("harbour-bank", "northern-counties", "test-bank"), strict=True):
                person.open(made["onboardUrl"])
                if "agree" in person.asked:
                    person.send(agree="yes")
                person.send(bank=bank)
            approvals = [
                lambda person=person: person.send(account=["0"], decision="approve") for person in people
            ]
            end = f"/_control/sessions/{made['sessionId']}/finish"
            ended = together(
                *approvals,
                lambda end=end: call.plain("POST", end, json={}),
            )
        finally:
            for person in people:
                person.http.close()
        assert {answer.status_code for answer in ended} <= {200, 400, 409}
        assert len(accounts(call, customer)) <= 1
        assert ok(call("GET", f"/v1/onboard/sessions/{made['sessionId']}"))["status"] in {
            "complete",
            "inprogress",
        }


def test_an_approval_that_is_sent_twice_shares_the_account_once(
    call: Caller, embedded: EmbeddedService
) -> None:
    for _ in range(4):
        customer = new_customer(call)
        made = ok(call("POST", "/v1/onboard/sessions", {"customerId": customer, "options": ais("accounts")}))
        people = [Person(embedded.base_url) for _ in range(4)]
        try:
            for person in people:
                person.open(made["onboardUrl"])
                if "agree" in person.asked:
                    person.send(agree="yes")
                person.send(bank="harbour-bank")
            together(
                *(lambda person=person: person.send(account=["0"], decision="approve") for person in people)
            )
        finally:
            for person in people:
                person.http.close()
        assert len(accounts(call, customer)) == 1


def test_access_that_ends_while_transactions_are_read_gives_nothing_more(call: Caller) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    path = f"/v1/customers/{customer}/bank-accounts/{account}/transactions?limit=2"

    def read() -> tuple[int, str]:
        answer = call("GET", path)
        return answer.status_code, answer.json().get("error", "")

    with meanwhile(read) as gave:
        while len(gave) < 20:
            time.sleep(0.005)
        call.control(f"/customers/{customer}/expire-access", {})
        refused(call("GET", path), 403, "ais_access_expired")
        done = len(gave)
        while len(gave) < done + 20:
            time.sleep(0.005)
    # One of each thread may have been on its way when the access ended; later ones are refused.
    assert set(gave) == {(200, ""), (403, "ais_access_expired")}
    assert gave[done:].count((200, "")) <= THREADS


def test_a_revoked_key_opens_nothing_and_the_other_organisations_goes_on(
    call: Caller, embedded: EmbeddedService
) -> None:
    service = embedded.service
    first, second = call.new_tenant(), call.new_tenant()

    def create(key: Credentials) -> tuple[int, str]:
        answer = call("POST", "/v1/customers", {"firstName": "Ada"}, key=key)
        return answer.status_code, str(answer.json().get("id", answer.json().get("error")))

    with meanwhile(lambda: create(first)) as by_first, meanwhile(lambda: create(second)) as by_second:
        while len(by_first) < 15 or len(by_second) < 15:
            time.sleep(0.005)
        with service.database.write() as connection:
            assert revoke_key(connection, service.clock.now(), first.key_id) == 1
        refused(call("GET", "/v1/customers", key=first), 401, "invalid_api_key")
        done, before = len(by_first), len(by_second)
        while len(by_first) < done + 15 or len(by_second) < before + 15:
            time.sleep(0.005)
    assert {status for status, _ in by_first} == {200, 401}
    assert [status for status, _ in by_first[done:]].count(200) <= THREADS
    assert {status for status, _ in by_second} == {200}
    listed = {item["id"] for item in ok(call("GET", "/v1/customers", key=second))["items"]}
    assert {made for _, made in by_second} == listed
    assert not listed & {made for _, made in by_first}


def test_an_organisation_that_a_snapshot_does_not_have_writes_nothing_into_it(call: Caller) -> None:
    """Its requests began before the snapshot was brought back: they are refused, and nothing of them stays."""
    kept = new_customer(call)
    call.control("/snapshots", {"name": "at-once"})
    try:
        statuses: Counter[int] = Counter()
        for _ in range(3):
            late = call.new_tenant()
            customer = new_customer_of(call, late)

            def write(late: Credentials = late, customer: str = customer) -> None:
                body = {"customerId": customer, "options": ais("accounts")}
                statuses[call("POST", "/v1/onboard/sessions", body, key=late).status_code] += 1
                statuses[
                    call("PUT", f"/v1/customers/{customer}", {"firstName": "B"}, key=late).status_code
                ] += 1
                statuses[call("POST", "/v1/customers", {"firstName": "Late"}, key=late).status_code] += 1

            with meanwhile(write) as gave:
                while len(gave) < 4:
                    time.sleep(0.005)
                call.control("/snapshots/at-once/restore")
            refused(call("GET", "/v1/customers", key=late), 401, "invalid_api_key")
            listed = ok(call("GET", "/v1/customers"))["items"]
            assert "Late" not in {item.get("firstName") for item in listed}
            assert kept in {item["id"] for item in listed}
        # 400, 404: the customer of a request is gone; 401: its key is; 503: what it began with went away meanwhile.
        assert set(statuses) <= {200, 400, 401, 404, 503}
    finally:
        call.control("/snapshots/at-once", method="DELETE")


def test_a_request_whose_organisation_goes_away_between_its_key_and_its_work_is_503(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as (embedded, call):
        call.control("/snapshots", {"name": "before"})
        late = call.new_tenant()
        permit = operation._permit

        def permit_and_restore(asked: Any, principal: Any) -> None:
            permit(asked, principal)
            restore_snapshot(embedded.service, "before")

        monkeypatch.setattr(operation, "_permit", permit_and_restore)
        answer = call("POST", "/v1/customers", {"firstName": "Late"}, key=late)
        refused(answer, 503, "database_unavailable")
        assert answer.headers["retry-after"]


def new_customer_of(call: Caller, key: Credentials) -> str:
    return str(ok(call("POST", "/v1/customers", {"firstName": "Ada"}, key=key))["id"])


def test_the_same_ids_in_two_organisations_stay_apart(call: Caller) -> None:
    """One bank, one account number, one transaction id, one orgId, in both, written and read at once."""
    keys = [call.new_tenant(), call.new_tenant()]
    made = [[new_customer_of(call, key) for _ in range(3)] for key in keys]

    def share(customer: str, name: str) -> None:
        account = {**BANK_ACCESS["accounts"][0], "accountHolderName": name}
        account["transactions"] = [{**one, "description": name} for one in account["transactions"]]
        grant(call, customer, accounts=[account])

    together(
        *(
            lambda customer=customer, number=number: share(customer, f"Holder {number}")
            for number, customers in enumerate(made)
            for customer in customers
        )
    )
    for number, key in enumerate(keys):
        other = keys[1 - number]
        assert {item["id"] for item in ok(call("GET", "/v1/customers", key=key))["items"]} == set(
            made[number]
        )
        for customer in made[number]:
            (account,) = accounts(call, customer, key)
            assert account["accountHolderName"] == f"Holder {number}"
            path = f"/v1/customers/{customer}/bank-accounts/{account['id']}/transactions"
            items = ok(call("GET", path, key=key))["items"]
            assert len(items) == 6
            assert {item["description"] for item in items} == {f"Holder {number}"}
            assert call("GET", path, key=other).status_code in {403, 404}


def test_one_idempotency_key_in_two_organisations_is_two_attempts(call: Caller) -> None:
    keys = [call.new_tenant(merchant_onboarded=True), call.new_tenant(merchant_onboarded=True)]
    body = {"amount": "12.50", "reference": "order-1", "returnUrl": "https://shop.example/back"}
    payments = [str(ok(call("POST", "/v1/payments", body, key=key))["id"]) for key in keys]

    def attempt(number: int, payment: str) -> tuple[int, str]:
        answer = call(
            "POST",
            f"/v1/payments/{payment}/attempts",
            {**BY_BANK, "idempotencyKey": "one"},
            key=keys[number],
        )
        return answer.status_code, str(answer.json().get("id", answer.json().get("error")))

    gave = together(
        *(lambda number=number: attempt(number % 2, payments[number % 2]) for number in range(10))
    )
    assert {status for status, _ in gave} == {200}
    ids = [{made for _, made in gave[number::2]} for number in (0, 1)]
    assert [len(one) for one in ids] == [1, 1]
    assert not ids[0] & ids[1]
    for number, key in enumerate(keys):
        own = ok(call("GET", f"/v1/payments/{payments[number]}", key=key))
        assert {item["id"] for item in own["attempts"]} == ids[number]
        status, error = attempt(number, payments[1 - number])
        assert status in {403, 404}, error


def test_a_clock_that_is_moved_during_a_finish_gives_one_time_and_only_its_own_organisation(
    call: Caller, embedded: EmbeddedService
) -> None:
    tenant = call.control("/tenants", {"name": "Elsewhere"})["tenant_id"]
    elsewhere = call.new_key(tenant)
    clock = embedded.service.clock
    customer = new_customer_of(call, elsewhere)
    sessions = [
        str(
            ok(
                call(
                    "POST",
                    "/v1/onboard/sessions",
                    {"customerId": customer, "options": ais("accounts")},
                    key=elsewhere,
                )
            )["sessionId"]
        )
        for _ in range(4)
    ]
    own = new_customer(call)
    own_sessions = [new_session(call, own, options=ais("accounts")) for _ in range(4)]
    before = clock.now()
    moves = iter(range(10**6))

    def move() -> None:
        call.control(f"/tenants/{tenant}/clock", {"advance_seconds": 86400 if next(moves) % 2 else -86400})

    with meanwhile(move, 1):
        together(*(lambda session=session: finish(call, session) for session in [*sessions, *own_sessions]))
    after = clock.now()
    for session in own_sessions:
        ended = parse_instant(ok(call("GET", f"/v1/onboard/sessions/{session}"))["updated"])
        assert before - timedelta(seconds=1) <= ended <= after + timedelta(seconds=1)
    call.control(f"/tenants/{tenant}/clock", method="DELETE")
    instants = [
        parse_instant(ok(call("GET", f"/v1/onboard/sessions/{session}", key=elsewhere))["updated"])
        for session in sessions
    ]
    granted = {
        parse_instant(item["tokenExpiry"]) - TOKEN_LIFETIME for item in accounts(call, customer, elsewhere)
    }
    # Each grant has the time of the session that gave it, and no time in between.
    assert granted <= set(instants)


def test_one_payment_is_paid_once_from_two_organisations_pages(
    call: Caller, embedded: EmbeddedService
) -> None:
    """The key of another organisation can neither make nor finish an attempt, while the payer approves."""
    payment, stranger = new_payment(call), call.new_tenant(merchant_onboarded=True)
    made = ok(call("POST", f"/v1/payments/{payment}/attempts", BY_BANK))
    people = [Person(embedded.base_url) for _ in range(4)]
    try:
        for person in people:
            person.open(made["requiredAction"]["url"])
        path = f"/v1/payments/{payment}/attempts"
        gave = together(
            *(lambda person=person: person.send(decision="approve") for person in people),
            lambda: call("POST", path, BY_BANK, key=stranger),
            lambda: call("POST", f"{path}/{made['id']}/finalize", key=stranger),
        )
    finally:
        for person in people:
            person.http.close()
    assert {answer.status_code for answer in gave[4:]} <= {403, 404}
    record = ok(call("GET", f"/v1/payments/{payment}"))
    assert (record["status"], [item["status"] for item in record["attempts"]]) == ("completed", ["SUCCEEDED"])
