from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from kycpack.errors import (
    AuthenticationError,
    BadRequestError,
    ContractError,
    NotFoundError,
    OutcomeUnknownError,
    PermissionDeniedError,
    ServerError,
)
from kycpack.models.payments import CardDetails

UNKNOWN = "00000000-0000-4000-8000-000000000000"
ACCOUNT = {
    "bankName": "Test Bank",
    "accountHolderName": "Ada Byron",
    "accountNumber": "12345678",
    "sortCode": "112233",
    "currency": "GBP",
    "type": "current",
    "balance": {"current": "1650.00", "currency": "GBP"},
    "transactions": [
        {
            "id": f"t{day}",
            "bookingDate": f"2026-05-{day:02d}",
            "status": "booked",
            "amount": "2450.10",
            "creditDebitIndicator": "Credit",
            "currency": "GBP",
            "description": "ACME LTD SALARY",
        }
        for day in range(1, 29)
    ],
}
ACCESS = {"scopes": ["accounts", "balances", "transactions"], "accounts": [ACCOUNT]}
BROWSER = {
    "browser_java_enabled": False,
    "browser_javascript_enabled": True,
    "browser_language": "en-GB",
    "browser_color_depth": 24,
    "browser_screen_height": 1080,
    "browser_screen_width": 1920,
    "browser_tz": "0",
    "browser_user_agent": "test",
    "browser_accept_header": "*/*",
}


def test_a_customer_is_created_read_changed_and_listed(bench: Any) -> None:
    org = f"branch-{bench.kind}"
    address = {"address_line1": "1 High St", "city": "Leeds", "postal_code": "LS1 1AA", "country": "GB"}
    made = bench.person(date_of_birth="1990-02-03", address=address, org_id=org)
    assert made.tenant_id == bench.service.tenant_id
    read = bench(lambda client: client.customers.get(made.id))
    assert (read.first_name, read.address.city, read.date_of_birth) == ("Ada", "Leeds", "1990-02-03")
    bench(lambda client: client.customers.update(made.id, last_name=None, first_name="Augusta"))
    changed = bench(lambda client: client.customers.get(made.id))
    assert (changed.first_name, changed.last_name, changed.email_address) == (
        "Augusta",
        None,
        "ada@mail.example",
    )
    listed = bench(lambda client: client.customers.list(org_id=org))
    assert [customer.id for customer in listed] == [made.id]
    assert listed.raw["items"][0]["id"] == made.id


def test_an_unknown_customer_is_not_found(bench: Any) -> None:
    with pytest.raises(NotFoundError) as caught:
        bench(lambda client: client.customers.get(UNKNOWN))
    assert caught.value.code == "customer_not_found"
    assert UNKNOWN in str(caught.value)


def test_payments_and_their_rules(bench: Any) -> None:
    person = bench.person()
    ais = {"transactions": True}
    made = bench(lambda c: c.payments.create(amount=Decimal("12.34"), reference="r-1", customer_id=person.id))
    assert made.pay_link.startswith(bench.service.base_url)
    assert bench(lambda c: c.payments.get(made.id)).amount == Decimal("12.34")
    for code, error, given in (
        ("customer_required_for_ais", BadRequestError, {"ais_requirements": ais}),
        ("invalid_customer_id", BadRequestError, {"customer_id": "no-uuid"}),
        ("customer_not_found", NotFoundError, {"customer_id": UNKNOWN}),
    ):
        with pytest.raises(error) as caught:
            bench(lambda c, given=given: c.payments.create(amount=1, reference="r-2", **given))
        assert caught.value.code == code


def test_attempts_by_bank_and_by_card(bench: Any) -> None:
    payment = bench(
        lambda c: c.payments.create(amount=5, reference="r", return_url="https://shop.example/done")
    )
    banks = bench(lambda c: c.banks.list(country_code="GB"))
    assert banks
    bank = {"bank_id": banks[0].id}
    first = bench(lambda c: c.payments.attempts.create(payment.id, bank=bank, idempotency_key="k-1"))
    again = bench(lambda c: c.payments.attempts.create(payment.id, bank=bank, idempotency_key="k-1"))
    assert first.id == again.id
    assert (first.status, first.required_action.type) == ("STARTED", "bank_redirect")
    card = CardDetails.model_validate(
        {"number": "4000000000003220", "expiry_month": "12", "expiry_year": "2030", "cvc": "123"}
    )
    other = bench(lambda c: c.payments.create(amount=5, reference="r"))
    attempt = bench(lambda c: c.payments.attempts.create(other.id, card=card, browser_data=BROWSER))
    assert attempt.required_action.type == "three_ds_challenge"
    done = bench(lambda c: c.payments.attempts.finalize(other.id, attempt.id))
    assert done.status == "SUCCEEDED"


def test_a_session_from_order_to_media(bench: Any) -> None:
    person = bench.person()
    made = bench(lambda c: c.onboarding.create(person.id))
    assert bench(lambda c: c.onboarding.get(made.session_id)).status == "pending"
    with pytest.raises(NotFoundError):
        bench(lambda c: c.onboarding.results(made.session_id))
    outcome = {"results": {"screening": {"outcome": "consider", "matchCount": 2}}}
    bench.control(f"/sessions/{made.session_id}/finish", outcome)
    status = bench(lambda c: c.onboarding.get(made.session_id))
    assert (status.status, status.progress.identity.completed) == ("complete", True)
    results = bench(lambda c: c.onboarding.results(made.session_id))
    assert (results.screening.outcome, results.screening.match_count) == ("consider", 2)
    assert results.document.outcome == "clear"
    media = bench(lambda c: c.onboarding.media(made.session_id)).media
    assert media
    for item in media:
        content = bench(lambda c, item=item: c.onboarding.download(made.session_id, item.id))
        assert content


def test_missing_person_data_are_named(bench: Any) -> None:
    nobody = bench(lambda c: c.customers.create(first_name="Ada"))
    with pytest.raises(BadRequestError) as caught:
        bench(lambda c: c.onboarding.create(nobody.id))
    assert caught.value.code == "missing_person_data"
    assert set(caught.value.missing_fields) == {"lastName", "emailAddress"}
    assert "lastName" in str(caught.value)


def test_bank_data_page_by_page(bench: Any) -> None:
    person = bench.person()
    bench.control(f"/customers/{person.id}/bank-access", ACCESS)
    (account,) = bench(lambda c: c.bank_accounts.list(person.id))
    assert account.account_number.endswith("5678")
    assert "12345678" not in account.account_number
    assert bench(lambda c: c.bank_accounts.balance(person.id, account.id)).current == Decimal("1650.00")
    items: list[Any] = []
    cursor = None
    while True:
        page = bench(
            lambda c, cursor=cursor: c.bank_accounts.transactions(
                person.id, account.id, limit=10, cursor=cursor
            )
        )
        items += page.items
        cursor = page.next_cursor
        if cursor is None:
            break
    assert [item.id for item in items] == [f"t{day}" for day in range(1, 29)]
    assert sum(item.amount for item in items) == Decimal("2450.10") * 28
    window = bench(
        lambda c: c.bank_accounts.transactions(
            person.id, account.id, date_from="2026-05-10", date_to="2026-05-12"
        )
    )
    assert [item.id for item in window.items] == ["t10", "t11", "t12"]


def test_statements_in_both_formats(bench: Any) -> None:
    person = bench.person()
    with pytest.raises(NotFoundError) as caught:
        bench(lambda c: c.source_of_wealth.get(person.id))
    assert caught.value.code == "not_found"
    bench.control(f"/customers/{person.id}/bank-access", ACCESS)
    payment = bench(lambda c: c.payments.create(amount="99.90", reference="r", customer_id=person.id))
    statement = bench(lambda c: c.source_of_wealth.get(person.id))
    assert statement.accounts[0].account.bank_name == "Test Bank"
    of_payment = bench(lambda c: c.source_of_wealth.get(person.id, payment.id))
    assert of_payment.payment_amount == Decimal("99.90")
    assert bench(lambda c: c.source_of_wealth.get(person.id, format="pdf")).startswith(b"%PDF-")


def test_webhooks_are_registered_listed_and_switched_off(bench: Any) -> None:
    made = bench(lambda c: c.webhooks.create(url=f"https://hooks.example/{bench.kind}", name="test"))
    assert (made.active, made.events, made.delivery_attempts) == (True, ["onboard.session.completed"], 0)
    assert made.id in [webhook.id for webhook in bench(lambda c: c.webhooks.list())]
    assert bench(lambda c: c.webhooks.delete(made.id)).active is False


def test_keys_that_may_not(bench: Any) -> None:
    person = bench.person()
    narrow = bench.key(permissions=["read_customers"])
    with pytest.raises(PermissionDeniedError):
        bench(lambda c: c.onboarding.create(person.id), **narrow)
    with pytest.raises(AuthenticationError) as caught:
        bench(lambda c: c.source_of_wealth.get(person.id), **narrow)
    assert caught.value.code == "invalid_token"
    for wrong in ({"key_id": "nobody"}, {"secret": "MDEyMzQ1Njc4OWFiY2RlZg=="}, bench.key(tenant_id=None)):
        with pytest.raises(AuthenticationError):
            bench(lambda c: c.customers.get(person.id), **wrong)
    with pytest.raises(AuthenticationError, match="clock differs from ours by"):
        bench(lambda c: c.customers.get(person.id), now=lambda: bench.now() - timedelta(days=1))


def test_another_organisation_sees_nothing(bench: Any) -> None:
    person = bench.person()
    session = bench(lambda c: c.onboarding.create(person.id))
    tenant = bench.control("/tenants", {"name": "Other", "currency": "GBP", "merchant_onboarded": True})
    other = bench.key(tenant_id=tenant["tenant_id"])
    with pytest.raises(NotFoundError):
        bench(lambda c: c.customers.get(person.id), **other)
    with pytest.raises(PermissionDeniedError):
        bench(lambda c: c.onboarding.get(session.session_id), **other)


def test_an_expired_download_link_is_renewed_unseen(time_machine: Any) -> None:
    bench = time_machine
    person = bench.person()
    made = bench(lambda c: c.onboarding.create(person.id))
    bench.control(f"/sessions/{made.session_id}/finish", {})
    (item, *_) = bench(lambda c: c.onboarding.media(made.session_id)).media
    bench.control("/clock", {"advance_seconds": 3 * 3600})
    bench.skew += timedelta(hours=3)
    assert bench(lambda c: c.onboarding.download(made.session_id, item.id))


# --- faults of a real wire


MATRIX = "fault matrix, service"
KINDS = ("latency", "status", "drop_before", "drop_after", "half_body", "wrong_json")


@pytest.mark.parametrize("kind", KINDS)
def test_reading_outlives_a_fault_or_says_what_is_wrong(
    kind: str, bench: Any, tally: Callable[..., None]
) -> None:
    rule = {"route": "GET /v1/banks", "kind": kind, "times": 2, "seconds": "0.05"}
    bench.control("/faults", rule)
    if kind == "wrong_json":
        with pytest.raises(ContractError):
            bench(lambda c: c.banks.list(country_code="GB"))
        tally(MATRIX, "unreadable answers told as ContractError")
        return
    assert bench(lambda c: c.banks.list(country_code="GB"))
    tally(MATRIX, "reads that came through after two faults")


@pytest.mark.parametrize("kind", KINDS)
def test_after_a_fault_the_service_agrees_with_what_the_caller_was_told(
    kind: str, bench: Any, tally: Callable[..., None]
) -> None:
    org = f"fault-{kind}-{bench.kind}"
    bench.control("/faults", {"route": "POST /v1/customers", "kind": kind, "times": 1, "seconds": "0.05"})
    told = ""
    try:
        bench(lambda c: c.customers.create(org_id=org))
    except (OutcomeUnknownError, ContractError) as error:
        told = type(error).__name__
    except ServerError:
        told = "ServerError"
    exists = len(bench(lambda c: c.customers.list(org_id=org)))
    expected = {
        "latency": ("", 1),
        "status": ("ServerError", 0),
        "drop_before": ("OutcomeUnknownError", 0),
        "drop_after": ("OutcomeUnknownError", 1),
        "half_body": ("OutcomeUnknownError", 1),
        "wrong_json": ("ContractError", 1),
    }
    assert (told, exists) == expected[kind]
    if bench.kind == "sync":
        tally(MATRIX, "kinds of faults")
    tally(MATRIX, f"creates told {told or 'done'}, and {'done' if exists else 'not done'}")


def test_a_limit_is_waited_for(bench: Any) -> None:
    rule = {"route": "POST /v1/customers", "kind": "status", "status": 429, "retry_after": 0, "times": 2}
    bench.control("/faults", rule)
    org = f"limited-{bench.kind}"
    bench(lambda c: c.customers.create(org_id=org))
    assert len(bench(lambda c: c.customers.list(org_id=org))) == 1


@pytest.mark.parametrize("kind", ["drop_before", "drop_after", "half_body"])
def test_an_attempt_whose_answer_was_lost_is_one_attempt(
    kind: str, bench: Any, tally: Callable[..., None]
) -> None:
    payment = bench(
        lambda c: c.payments.create(amount=5, reference="r", return_url="https://shop.example/done")
    )
    bank = {"bank_id": bench(lambda c: c.banks.list(country_code="GB"))[0].id}
    route = "POST /v1/payments/{id}/attempts"
    bench.control("/faults", {"route": route, "kind": kind, "times": 2})
    attempt = bench(lambda c: c.payments.attempts.create(payment.id, bank=bank))
    listed = bench(lambda c: c.payments.get(payment.id)).attempts
    assert [each.id for each in listed] == [attempt.id]
    tally(MATRIX, "attempts sent three times and made once")


def test_the_service_repeats_the_request_id(bench: Any) -> None:
    answer = bench(lambda c: c.raw("banks.list", country_code="GB"))
    assert answer.headers["x-request-id"] == answer.request_id
