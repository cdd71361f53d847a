from __future__ import annotations

from typing import Any

import pytest
from tests.service.pages.person import Person
from tests.service.pages.ways import new_pay_link
from tests.service.signed import BROWSER, CARD, Caller, grant, new_customer, ok, refused

SHARE = {"accounts": True, "balances": True, "transactions": True}
VERIFIED = {**SHARE, "useVerifiedBankAccount": True}


def payment(call: Caller, payment_id: str) -> Any:
    return ok(call("GET", f"/v1/payments/{payment_id}"))


def access_to(call: Caller, customer_id: str, *banks: str) -> None:
    for index, name in enumerate(banks):
        account = {
            "bankName": name,
            "accountHolderName": "Ada",
            "accountNumber": f"1234567{index}",
            "currency": "GBP",
        }
        grant(call, customer_id, accounts=[account])


def test_a_valid_token_lets_the_payment_proceed_with_no_redirect_for_access(
    call: Caller, person: Person
) -> None:
    customer = new_customer(call)
    access_to(call, customer, "Test Bank")
    payment_id, link = new_pay_link(call, customerId=customer, aisRequirements=SHARE)
    person.open(link)
    assert "How would you like to pay?" in person.text
    person.send(bank="harbour-bank")
    assert "Approve this payment?" in person.text
    person.send(decision="approve")
    done = payment(call, payment_id)
    assert done["status"] == "completed"
    attempt = done["attempts"][0]["id"]
    assert person.left_for == f"https://shop.example/back?paymentId={payment_id}&attemptId={attempt}"


def test_an_expired_token_asks_to_authorise_again(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    access_to(call, customer, "Test Bank")
    call.advance(days=90)
    payment_id, link = new_pay_link(call, customerId=customer, aisRequirements=SHARE)
    person.open(link)
    assert "Your bank access has expired" in person.text
    person.send("/access", bank="test-bank")
    assert "until" in person.text
    account = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"][0]["id"]
    person.send(account=account, decision="approve")
    assert "How would you like to pay?" in person.text
    assert len(ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]) == 1
    assert payment(call, payment_id)["status"] == "created"


def test_no_token_leads_through_the_whole_flow(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    _, link = new_pay_link(call, customerId=customer, aisRequirements={"balances": True})
    person.open(link)
    assert "First, connect your bank" in person.text
    person.send("/access", bank="northern-counties")
    assert "Share account details with" in person.text
    assert "Balances" in person.text
    assert "Transactions" not in person.text
    person.send(account=["0", "1"], decision="approve")
    assert "How would you like to pay?" in person.text
    held = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]
    assert [item["bankName"] for item in held] == ["Northern Counties"] * 2
    assert held[0]["scopes"] == ["accounts", "balances"]


def test_a_token_without_the_scopes_is_not_enough(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    grant(call, customer, scopes=["accounts"])
    _, link = new_pay_link(call, customerId=customer, aisRequirements=SHARE)
    person.open(link)
    assert "First, connect your bank" in person.text


def test_whoever_declines_at_the_bank_shares_nothing(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    _, link = new_pay_link(call, customerId=customer, aisRequirements=SHARE)
    person.open(link)
    person.send("/access", bank="test-bank")
    person.send(account="0", decision="decline")
    assert "You declined at your bank" in person.text
    assert ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"] == []


def test_one_verified_bank_is_paid_from_without_a_choice(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    access_to(call, customer, "Harbour Bank")
    payment_id, link = new_pay_link(call, customerId=customer, aisRequirements=VERIFIED)
    person.open(link)
    assert "Pay from Harbour Bank" in person.text
    assert 'type="radio"' not in person.text
    assert "Pay by card" not in person.text
    person.send()
    person.send(decision="approve")
    assert payment(call, payment_id)["status"] == "completed"


def test_of_several_verified_banks_only_they_are_listed(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    access_to(call, customer, "Harbour Bank", "Corner Savings", "Test Bank")
    payment_id, link = new_pay_link(call, customerId=customer, aisRequirements=VERIFIED)
    person.open(link)
    assert person.text.count('name="bank"') == 3
    assert "Northern Counties" not in person.text
    person.send(bank="corner-savings")
    assert "Corner Savings" in person.text
    person.send(decision="approve")
    assert payment(call, payment_id)["status"] == "completed"


def test_with_no_verified_bank_access_comes_first_and_that_bank_is_paid_from(
    call: Caller, person: Person
) -> None:
    customer = new_customer(call)
    payment_id, link = new_pay_link(call, customerId=customer, aisRequirements=VERIFIED)
    person.open(link)
    assert "The payment will be made from the bank you connect" in person.text
    person.send("/access", bank="thistle-and-wren")
    person.send(account="0", decision="approve")
    assert "Pay from Thistle &amp; Wren" in person.text
    person.send()
    person.send(decision="approve")
    assert payment(call, payment_id)["status"] == "completed"


def test_the_rules_hold_whatever_a_form_says(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    access_to(call, customer, "Test Bank")
    payment_id, link = new_pay_link(call, customerId=customer, aisRequirements=VERIFIED)
    person.open(link)
    person.send(bank="harbour-bank")
    assert "Pay from Test Bank" in person.text
    form = person.answer
    person.open(f"{link}/card")
    assert "Card number" not in person.text
    person.answer = form
    token = person._read().forms[0].fields["form_token"]
    card = {"number": CARD["number"], "expiry": "12/30", "cvc": "123", "form_token": token}
    assert person.http.post(f"{link}/card", data=card).status_code == 303
    assert payment(call, payment_id)["attempts"] == []
    body = {"card": CARD, "browserData": BROWSER}
    refused(call("POST", f"/v1/payments/{payment_id}/attempts", body), 400, "verified_bank_required")


def test_a_form_cannot_pay_before_the_access_is_there(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    payment_id, link = new_pay_link(call, customerId=customer, aisRequirements=SHARE)
    person.open(link)
    token = person._read().forms[0].fields["form_token"]
    person._arrive(person.http.post(link, data={"bank": "test-bank", "form_token": token}))
    assert "First, connect your bank" in person.text
    assert payment(call, payment_id)["attempts"] == []


def test_requirements_that_are_all_false_are_ignored(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    _, link = new_pay_link(call, customerId=customer, aisRequirements={"useVerifiedBankAccount": True})
    person.open(link)
    assert "How would you like to pay?" in person.text


def test_banks_are_those_of_the_currency(call: Caller, person: Person) -> None:
    key = call.new_tenant(currency="CZK")
    made = ok(
        call(
            "POST",
            "/v1/payments",
            {"amount": "10", "reference": "r", "returnUrl": "https://a.example"},
            key=key,
        )
    )
    person.open(made["payLink"])
    assert person.text.count('name="bank"') == 1
    assert "Vltava banka" in person.text
    assert "10.00 CZK" in person.text


def test_without_a_return_address_only_a_card_can_pay(call: Caller, person: Person) -> None:
    payment_id, link = new_pay_link(call, returnUrl=None)
    person.open(link)
    assert 'name="bank"' not in person.text
    person.open(f"{link}/card")
    person.send("/card", number="4242 4242 4242 4242", expiry="12/90", cvc="123")
    assert person.left_for == ""
    assert "Payment complete" in person.text
    assert payment(call, payment_id)["status"] == "completed"


def test_a_challenge_comes_between_card_and_payment(call: Caller, person: Person) -> None:
    payment_id, link = new_pay_link(call)
    person.open(f"{link}/card")
    person.send("/card", number="4000000000003220", expiry="1/2090", cvc="1234")
    assert "Is this you paying by card?" in person.text
    assert payment(call, payment_id)["status"] == "pending"
    person.send(decision="approve")
    assert person.left_for.startswith("https://shop.example/back?paymentId=")
    assert payment(call, payment_id)["status"] == "completed"


@pytest.mark.parametrize(("number", "declines"), [("4000000000000002", False), ("4000000000003220", True)])
def test_a_refused_card_may_be_followed_by_another(
    call: Caller, person: Person, number: str, *, declines: bool
) -> None:
    payment_id, link = new_pay_link(call)
    person.open(f"{link}/card")
    person.send("/card", number=number, expiry="12/90", cvc="123")
    if declines:
        person.send(decision="decline")
    assert "The payment was refused, and nothing was taken" in person.text
    assert payment(call, payment_id)["status"] == "failed"
    person.open(f"{link}/card")
    person.send("/card", number="5555 5555 5555 4444", expiry="12/90", cvc="123")
    assert payment(call, payment_id)["status"] == "completed"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"number": "4111111111111111"}, "Only the test card numbers"),
        ({"number": "98765"}, "12 to 19 digits"),
        ({"number": "4242424242424242\x00"}, ""),
        ({"expiry": "13/30"}, "month and year"),
        ({"expiry": "01/20"}, "has expired"),
        ({"cvc": "12"}, "3 or 4 digits"),
    ],
)
def test_a_card_that_is_not_taken_is_never_shown_again(
    call: Caller, person: Person, fields: dict[str, str], why: str
) -> None:
    payment_id, link = new_pay_link(call)
    person.open(f"{link}/card")
    card = {"number": "4242424242424242", "expiry": "12/90", "cvc": "987", **fields}
    answer = person.send("/card", **card)
    assert answer.status_code == 400
    assert why in answer.text
    assert card["number"] not in answer.text
    assert 'value="987"' not in answer.text
    assert payment(call, payment_id)["attempts"] == []


def test_a_double_click_is_one_attempt(call: Caller, person: Person) -> None:
    payment_id, link = new_pay_link(call)
    shown = person.open(link)
    person.send(bank="test-bank")
    first = person.path
    person.answer = shown
    person.send(bank="test-bank")
    assert person.path == first
    assert len(payment(call, payment_id)["attempts"]) == 1


def test_whoever_declines_the_payment_may_try_again(call: Caller, person: Person) -> None:
    payment_id, link = new_pay_link(call)
    person.open(link)
    person.send(bank="test-bank")
    person.send(decision="decline")
    assert "You did not approve the payment" in person.text
    person.send(bank="harbour-bank")
    person.send(decision="approve")
    attempts = payment(call, payment_id)["attempts"]
    assert sorted(attempt["status"] for attempt in attempts) == ["CANCELLED", "SUCCEEDED"]


@pytest.mark.parametrize("cancel_url", ["https://shop.example/cancel", None])
def test_whoever_cancels_goes_back_and_nothing_is_taken(
    call: Caller, person: Person, cancel_url: str | None
) -> None:
    payment_id, link = new_pay_link(call, cancelUrl=cancel_url)
    person.open(link)
    person.send("/cancel")
    assert payment(call, payment_id)["status"] == "cancelled"
    if cancel_url:
        assert person.left_for == f"{cancel_url}?paymentId={payment_id}"
    assert "Payment cancelled" in person.open(link).text
    assert "Payment cancelled" in person.open(f"{link}/card").text


def test_a_payment_that_is_over_stays_as_it_is(call: Caller, person: Person) -> None:
    payment_id, link = new_pay_link(call, cancelUrl="https://shop.example/cancel")
    shown = person.open(link)
    person.send(bank="test-bank")
    at_the_bank = person.answer
    person.send(decision="approve")
    before = payment(call, payment_id)
    for page, fields, action in (
        (shown, {"bank": "harbour-bank"}, ""),
        (shown, {}, "/cancel"),
        (at_the_bank, {"decision": "decline"}, ""),
    ):
        person.answer = page
        person.send(action, **fields)
        assert "Payment complete" in person.open(link).text
    assert payment(call, payment_id) == before


def test_an_attempt_made_by_the_merchant_is_approved_on_the_banks_page(call: Caller, person: Person) -> None:
    payment_id, _ = new_pay_link(call)
    body = {"bank": {"bankId": "test-bank"}}
    made = ok(call("POST", f"/v1/payments/{payment_id}/attempts", body))
    person.open(made["requiredAction"]["url"])
    assert "Approve this payment?" in person.text
    person.send(decision="approve")
    assert person.left_for == f"https://shop.example/back?paymentId={payment_id}&attemptId={made['id']}"
    assert payment(call, payment_id)["attempts"] == [{"id": made["id"], "status": "SUCCEEDED"}]


def test_the_banks_page_holds_the_account_limit(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    nothing = dict.fromkeys(
        ["identityCheck", "documentCheck", "proofOfAddressCheck", "amlExtensiveScreening"], False
    )
    options = {"identity": nothing, "ais": {"accounts": True, "accountLimit": 1}}
    made = ok(call("POST", "/v1/onboard/sessions", {"customerId": customer, "options": options}))
    person.open(made["onboardUrl"])
    person.send(agree="yes")
    person.send(bank="test-bank")
    assert person.text.count('type="radio"') == 2
    for chosen, why in (
        (["0", "1"], "Choose at most 1 account."),
        ([], "Choose at least one"),
        (["9"], "Choose at least"),
    ):
        answer = person.send(account=chosen, decision="approve")
        assert answer.status_code == 400
        assert why in answer.text
    assert ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"] == []
    person.send(account="1", decision="approve")
    assert "Test Bank, 1 account shared" in person.text
    person.send()
    held = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]
    assert [item["type"] for item in held] == ["savings"]


def test_hostile_words_of_a_payment_are_text(call: Caller, person: Person) -> None:
    hostile = "<script>alert(1)</script>"
    _, link = new_pay_link(call, reference=hostile, description=hostile)
    assert "<script" not in person.open(link).text
    person.send(bank="test-bank")
    assert "<script" not in person.text
    assert "&lt;script&gt;" in person.text
