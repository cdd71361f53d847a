from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect
from tests.browser.conftest import Shop, press

import kycpack as kp

pytestmark = pytest.mark.browser

PHOTO = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
PAPER = b"%PDF-1.7\n" + bytes(range(256)) * 40


def file(name: str, kind: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": kind, "buffer": content}


def heading(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(words)


def onboard(page: Page, url: str) -> None:
    page.goto(url)
    heading(page, "confirm who you are")
    page.get_by_label("I agree that").check()
    press(page, "Agree and start")
    page.get_by_label("Photo of your face").set_input_files(file("me at home.png", "image/png", PHOTO))
    press(page, "Continue")
    page.get_by_label("Passport").check()
    page.get_by_label("Issuing country").select_option(label="United Kingdom")
    page.get_by_label("Document number").fill("SPEC 12345")
    page.get_by_label("Valid until").fill("2090-05-01")
    page.get_by_label("Use a specimen document instead").check()
    press(page, "Continue")
    page.get_by_label("Gas, electricity or water bill").check()
    page.get_by_label("Photo or PDF of it").set_input_files(file("bill.pdf", "application/pdf", PAPER))
    press(page, "Continue")
    page.get_by_label("Harbour Bank").check()
    press(page, "Continue to your bank")
    heading(page, "Share account details with First organisation?")
    page.get_by_label("Current account").check()
    press(page, "Approve")
    heading(page, "Check and send")


def test_a_person_onboards_and_pays_and_everything_is_there(
    client: kp.Client, phone: Page, shop: Shop
) -> None:
    client.webhooks.create(url=f"{shop.url}/hooks")
    address = {
        "addressLine1": "12 Analytical Row",
        "city": "London",
        "postalCode": "NW1 4AB",
        "country": "GB",
    }
    customer = client.customers.create(
        first_name="Ada", last_name="Byron", email_address="ada@example.com", address=address
    )
    ordered = {"ais": {"balances": True, "transactions": True, "accountLimit": 1}}
    session = client.onboarding.create(customer_id=customer.id, options=ordered)
    onboard(phone, session.onboard_url)
    press(phone, "Send")
    heading(phone, "All done")

    told = json.loads(shop.webhooks.get(timeout=30))
    assert told["Event"] == "onboard.session.completed"
    assert told["Session"]["Id"] == session.session_id
    assert told["Session"]["Status"] == "Complete"
    assert told["Session"]["Progress"]["Identity"]["Confirmed"] is True

    status = client.onboarding.get(session.session_id)
    assert (status.status, status.attempt_count) == ("complete", 1)
    results = client.onboarding.results(session.session_id).wire()
    assert {section: results[section]["outcome"] for section in results} == dict.fromkeys(
        ["document", "address", "identity", "screening"], "clear"
    )
    assert results["document"]["document"]["documentNumber"] == "SPEC12345"
    kept = {
        item.type: client.onboarding.download(session.session_id, item.id)
        for item in client.onboarding.media(session.session_id).media
    }
    assert set(kept) == {"portrait", "proof_of_address", "document_front"}
    assert content_of(kept["portrait"]) == PHOTO
    assert content_of(kept["proof_of_address"]) == PAPER
    assert content_of(kept["document_front"]).startswith(b"\x89PNG")

    accounts = list(client.bank_accounts.list(customer.id))
    assert [account.bank_name for account in accounts] == ["Harbour Bank"]
    assert client.bank_accounts.balance(customer.id, accounts[0].id).current is not None
    assert client.bank_accounts.transactions(customer.id, accounts[0].id).items
    statement = client.source_of_wealth.get(customer.id)
    assert statement.primary_source is not None
    assert "SPECIMEN WORKS LTD" in (statement.primary_source.description or "")

    payment = client.payments.create(
        amount="1250.00",
        reference="INV-2041",
        customer_id=customer.id,
        ais_requirements={"balances": True, "useVerifiedBankAccount": True},
        return_url=f"{shop.url}/back",
    )
    phone.goto(payment.pay_link)
    heading(phone, "Pay from Harbour Bank")
    press(phone, "Continue to Harbour Bank")
    heading(phone, "Approve this payment?")
    press(phone, "Approve")
    heading(phone, "Welcome back")
    assert phone.url.startswith(f"{shop.url}/back?paymentId={payment.id}&attemptId=")
    assert client.payments.get(payment.id).status == "completed"
    pdf = client.source_of_wealth.get(customer.id, payment.id, format="pdf")
    assert content_of(pdf).startswith(b"%PDF-")


def content_of(answer: Any) -> bytes:
    return bytes(getattr(answer, "content", answer))


def test_the_portal_sends_the_person_back_to_the_return_url(client: kp.Client, phone: Page) -> None:
    customer = client.customers.create(first_name="Bo", last_name="Lee", email_address="bo@example.com")
    session = client.onboarding.create(
        customer_id=customer.id,
        options={"identity": {"identityCheck": False, "documentCheck": False, "proofOfAddressCheck": False}},
        return_url="https://shop.example/back",
    )
    phone.goto(session.onboard_url)
    phone.get_by_label("I agree that").check()
    press(phone, "Agree and start")
    with phone.expect_request("https://shop.example/**") as asked:
        phone.get_by_role("button", name="Send").click()
    assert asked.value.url == f"https://shop.example/back?sessionId={session.session_id}"


def test_whoever_cancels_arrives_at_the_cancel_url(client: kp.Client, phone: Page, shop: Shop) -> None:
    payment = client.payments.create(
        amount="5", reference="r", return_url=shop.url, cancel_url=f"{shop.url}/no"
    )
    phone.goto(payment.pay_link)
    press(phone, "Cancel this payment")
    assert phone.url == f"{shop.url}/no?paymentId={payment.id}"


def test_a_card_payment_goes_through_its_challenge_and_back_to_the_shop(
    client: kp.Client, phone: Page, shop: Shop
) -> None:
    payment = client.payments.create(amount="19.99", reference="r", return_url=f"{shop.url}/back")
    phone.goto(payment.pay_link)
    press(phone, "Pay by card")
    phone.get_by_label("Card number").fill("4000 0000 0000 3220")
    phone.get_by_label("Expires").fill("04/90")
    phone.get_by_label("Security code").fill("123")
    press(phone, "Pay £19.99")
    heading(phone, "Is this you paying by card?")
    press(phone, "Approve")
    heading(phone, "Welcome back")
    assert client.payments.get(payment.id).status == "completed"


def test_the_portal_is_walked_with_the_keyboard_alone(client: kp.Client, desk: Page) -> None:
    customer = client.customers.create(first_name="Cy", last_name="Fox", email_address="cy@example.com")
    session = client.onboarding.create(customer_id=customer.id)
    desk.goto(session.onboard_url)
    desk.keyboard.press("Tab")
    expect(desk.get_by_role("link", name="Skip to content")).to_be_focused()
    desk.keyboard.press("Enter")
    desk.keyboard.press("Tab")
    expect(desk.get_by_label("I agree that")).to_be_focused()
    desk.keyboard.press("Space")
    desk.keyboard.press("Tab")
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    heading(desk, "Take a photo of your face")
