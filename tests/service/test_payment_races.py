"""A payment can be paid once: by card and by bank alike, in turn and at once."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from tests.service.signed import (
    BROWSER,
    CARD,
    Caller,
    grant,
    new_customer,
    new_payment,
    ok,
    refused,
)

from kycpack.models.enums import AttemptState
from kycpack.service.attempts import ATTEMPT_LIFETIME, settle_bank_attempt
from kycpack.service.embedded import EmbeddedService

CHALLENGED = {"card": {**CARD, "number": "4000000000003220"}, "browserData": BROWSER}
AT_ONCE = {"card": CARD, "browserData": BROWSER}
BY_BANK = {"bank": {"bankId": "test-bank"}}


def attempt(call: Caller, payment: str, body: dict[str, Any], **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = ok(call("POST", f"/v1/payments/{payment}/attempts", {**body, **more}))
    return made


def states(call: Caller, payment: str) -> tuple[str, Counter[str]]:
    record = ok(call("GET", f"/v1/payments/{payment}"))
    return record["status"], Counter(item["status"] for item in record["attempts"])


def approve(embedded: EmbeddedService, attempt_id: str) -> str:
    """Approve at the bank, as its page does."""
    service = embedded.service
    with service.database.write() as connection:
        row = settle_bank_attempt(
            connection, embedded.tenant_id, attempt_id, AttemptState.SUCCEEDED, service.clock.now()
        )
    return str(row.status)


def test_ten_card_attempts_that_are_finalized_pay_once(call: Caller) -> None:
    payment = new_payment(call)
    made = [attempt(call, payment, CHALLENGED)["id"] for _ in range(10)]
    ended = [ok(call("POST", f"/v1/payments/{payment}/attempts/{one}/finalize"))["status"] for one in made]
    assert ended == ["SUCCEEDED"] + ["CANCELLED"] * 9
    assert states(call, payment) == ("completed", Counter(SUCCEEDED=1, CANCELLED=9))


def test_finalized_and_approved_at_once_they_pay_once(call: Caller, embedded: EmbeddedService) -> None:
    for _ in range(3):
        payment = new_payment(call)
        by_card = [attempt(call, payment, CHALLENGED)["id"] for _ in range(6)]
        by_bank = [attempt(call, payment, BY_BANK)["id"] for _ in range(3)]
        together = threading.Barrier(10)

        def finalize(one: str, payment: str = payment, together: threading.Barrier = together) -> None:
            together.wait()
            ok(call("POST", f"/v1/payments/{payment}/attempts/{one}/finalize"))

        def authorise(one: str, together: threading.Barrier = together) -> None:
            together.wait()
            approve(embedded, one)

        def pay(payment: str = payment, together: threading.Barrier = together) -> None:
            together.wait()
            call("POST", f"/v1/payments/{payment}/attempts", AT_ONCE)

        with ThreadPoolExecutor(10) as pool:
            done = [pool.submit(finalize, one) for one in by_card]
            done += [pool.submit(authorise, one) for one in by_bank]
            done.append(pool.submit(pay))
            for future in done:
                future.result()
        status, counts = states(call, payment)
        assert status == "completed"
        assert counts["SUCCEEDED"] == 1
        assert counts["STARTED"] == 0


def test_a_card_that_pays_closes_open_bank_attempts(call: Caller) -> None:
    payment = new_payment(call)
    attempt(call, payment, BY_BANK)
    attempt(call, payment, AT_ONCE)
    assert states(call, payment) == ("completed", Counter(SUCCEEDED=1, CANCELLED=1))
    refused(call("POST", f"/v1/payments/{payment}/attempts", AT_ONCE), 409, "payment_closed")


def test_a_payment_has_not_failed_while_another_attempt_can_still_pay_it(
    call: Caller, embedded: EmbeddedService
) -> None:
    payment = new_payment(call)
    open_attempt = attempt(call, payment, BY_BANK)["id"]
    declined = {"card": {**CARD, "number": "4000000000000002"}, "browserData": BROWSER}
    attempt(call, payment, declined)
    assert states(call, payment) == ("pending", Counter(STARTED=1, FAILED=1))
    assert approve(embedded, open_attempt) == "SUCCEEDED"
    assert states(call, payment)[0] == "completed"
    alone = new_payment(call)
    attempt(call, alone, declined)
    assert states(call, alone)[0] == "failed"


def test_a_late_success_at_the_bank_is_recorded_as_a_duplicate(
    call: Caller, embedded: EmbeddedService
) -> None:
    payment = new_payment(call)
    late = attempt(call, payment, BY_BANK)["id"]
    attempt(call, payment, AT_ONCE)
    assert approve(embedded, late) == "DUPLICATE"
    assert approve(embedded, late) == "DUPLICATE"
    assert states(call, payment) == ("completed", Counter(SUCCEEDED=1, DUPLICATE=1))


def test_the_same_idempotency_key_after_closure_returns_its_attempt(call: Caller) -> None:
    payment = new_payment(call)
    first = attempt(call, payment, BY_BANK, idempotencyKey="one")
    attempt(call, payment, AT_ONCE, idempotencyKey="two")
    again = attempt(call, payment, BY_BANK, idempotencyKey="one")
    assert (again["id"], again["status"]) == (first["id"], "CANCELLED")
    assert attempt(call, payment, BY_BANK, idempotencyKey="two")["status"] == "SUCCEEDED"


def test_an_attempt_has_an_end_of_life(call: Caller, embedded: EmbeddedService) -> None:
    payment = new_payment(call)
    by_card, by_bank = attempt(call, payment, CHALLENGED)["id"], attempt(call, payment, BY_BANK)["id"]
    assert states(call, payment)[0] == "pending"
    call.advance(seconds=(ATTEMPT_LIFETIME + timedelta(seconds=1)).total_seconds())
    assert states(call, payment) == ("created", Counter(EXPIRED=2))
    finalized = ok(call("POST", f"/v1/payments/{payment}/attempts/{by_card}/finalize"))
    assert finalized["status"] == "EXPIRED"
    assert "requiredAction" not in finalized
    assert approve(embedded, by_bank) == "EXPIRED"
    assert states(call, payment) == ("created", Counter(EXPIRED=2))
    attempt(call, payment, AT_ONCE)
    assert states(call, payment)[0] == "completed"


def test_the_verified_bank_is_judged_again_when_the_payer_approves(
    call: Caller, embedded: EmbeddedService
) -> None:
    customer = new_customer(call)
    grant(call, customer)
    requirements = {"accounts": True, "useVerifiedBankAccount": True}
    payment = new_payment(call, customerId=customer, aisRequirements=requirements)
    call.advance(days=89, hours=23, seconds=1800)
    started = attempt(call, payment, BY_BANK)["id"]
    call.advance(seconds=2400)
    assert approve(embedded, started) == "FAILED"
    assert states(call, payment)[0] == "failed"


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("expiryYear", "2001"),
        ("expiryMonth", "13"),
        ("expiryMonth", "0"),
        ("cvc", "x"),
        ("cvc", "12"),
        ("expiryYear", "1"),
    ],
)
def test_what_no_card_has_printed_on_it_is_refused(call: Caller, member: str, value: str) -> None:
    body = {"card": {**CARD, member: value}, "browserData": BROWSER}
    answer = refused(call("POST", f"/v1/payments/{new_payment(call)}/attempts", body), 400, "invalid_request")
    assert f"card.{member}" in answer["message"]
