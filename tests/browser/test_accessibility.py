"""Every page, looked at as it is drawn: labels, headings, contrast, focus, and room on the narrowest phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import press

import kycpack as kp
from kycpack.errors import KycpackError
from kycpack.service.embedded import EmbeddedService

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 568}

LOOK = """() => {
  const faults = [];
  const luminance = ([r, g, b]) => {
    const part = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const colour = text => (text.match(/[0-9.]+/g) || []).map(Number);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const found = colour(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!walker.currentNode.textContent.trim() || box.width < 2 || box.height < 2) continue;
    const style = getComputedStyle(element);
    if (style.fontSize === '0px') continue;
    const ratio = contrast(colour(style.color).slice(0, 3), behind(element));
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${walker.currentNode.textContent.trim()}`);
  }
  for (const field of document.querySelectorAll('input:not([type=hidden]), select')) {
    if (!field.labels.length) faults.push(`no label: ${field.name}`);
    for (const id of (field.getAttribute('aria-describedby') || '').split(' ').filter(Boolean))
      if (!document.getElementById(id)) faults.push(`described by nothing: ${id}`);
    const box = (field.closest('label') || field).getBoundingClientRect();
    if (box.width < 24 || box.height < 24) faults.push(`too small to hit: ${field.name}`);
  }
  for (const group of document.querySelectorAll('fieldset'))
    if (!group.querySelector('legend')) faults.push('a group without a legend');
  for (const link of document.querySelectorAll('a[href^="#"]'))
    if (!document.getElementById(link.getAttribute('href').slice(1))) faults.push(`leads nowhere: ${link.textContent}`);
  const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
  if (new Set(ids).size !== ids.length) faults.push(`an id twice: ${ids.sort()}`);
  if (document.querySelectorAll('h1').length !== 1) faults.push('not one heading of the first level');
  if (!document.title || !document.documentElement.lang) faults.push('no title or language');
  const levels = [...document.querySelectorAll('main :is(h1, h2, h3)')].map(heading => +heading.tagName[1]);
  levels.forEach((level, at) => { if (at && level > levels[at - 1] + 1) faults.push('a level of heading left out'); });
  return faults;
}"""

FOCUSED = """() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const drawn = [element, element.closest('.option')].filter(Boolean).map(getComputedStyle);
  return [element.id || element.textContent.trim(), drawn.some(style => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)];
}"""

SETTLED = """() => Promise.allSettled(document.getAnimations().map(colour => colour.finished))"""

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def pages(client: kp.Client, page: Page) -> Iterator[str]:
    """Go through every page, with and without its errors; stop at each."""
    yield from identity_pages(client, page)
    yield from bank_pages(page)
    yield from pay_pages(client, page)
    page.goto(f"{page.url}unknown")
    yield "unknown link"


def identity_pages(client: kp.Client, page: Page) -> Iterator[str]:
    long = "Maximiliana-Alexandrina"
    customer = client.customers.create(
        first_name=long,
        last_name="Byron",
        email_address="ada@example.com",
        address={
            "addressLine1": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
            "country": "GB",
        },
    )
    options = {"identity": {"enhancedIdentityCheck": True}, "ais": {"transactions": True}}
    url = client.onboarding.create(customer_id=customer.id, options=options).onboard_url
    page.goto(url)
    yield "welcome"
    press(page, "Agree and start")
    yield "welcome, not agreed"
    page.get_by_label("I agree that").check()
    press(page, "Agree and start")
    yield "identity"
    press(page, "Continue")
    yield "identity, empty"
    page.get_by_label("Use a specimen photo").check()
    page.get_by_label("Use a specimen video").check()
    press(page, "Continue")
    yield "document"
    press(page, "Continue")
    yield "document, empty"
    page.get_by_label("Residence permit").check()
    page.get_by_label("Document number").fill("SPEC12345")
    page.get_by_label("Valid until").fill("2090-05-01")
    page.get_by_label("Use a specimen document").check()
    press(page, "Continue")
    yield "address"
    press(page, "Continue")
    yield "address, empty"
    page.get_by_label("Tenancy").check()
    page.get_by_label("Use a specimen document").check()
    press(page, "Continue")


def bank_pages(page: Page) -> Iterator[str]:
    yield "bank"
    press(page, "Continue to your bank")
    yield "bank, not chosen"
    page.get_by_label("Thistle & Wren").check()
    press(page, "Continue to your bank")
    yield "consent"
    press(page, "Approve")
    yield "consent, no account"
    page.get_by_label("Savings account").check()
    press(page, "Approve")
    yield "review"
    press(page, "Send")
    yield "done"


def pay_pages(client: kp.Client, page: Page) -> Iterator[str]:
    url = "https://shop.example/back"
    payment = client.payments.create(
        amount="123456789.01", reference="R" * 80, description="D" * 200, return_url=url
    )
    page.goto(payment.pay_link)
    yield "ways to pay"
    press(page, "Pay by card")
    yield "card"
    press(page, "Pay £")
    yield "card, empty"
    page.get_by_label("Card number").fill("4000 0000 0000 3220")
    page.get_by_label("Expires").fill("04/90")
    page.get_by_label("Security code").fill("123")
    press(page, "Pay £")
    yield "challenge"
    press(page, "Decline")
    yield "ways to pay, after a refusal"
    press(page, "Cancel this payment")
    yield "cancelled"
    other = client.customers.create(first_name="Bo", last_name="Lee")
    needs = {"transactions": True, "useVerifiedBankAccount": True}
    payment = client.payments.create(
        amount="1", reference="r", customer_id=other.id, ais_requirements=needs, return_url=url
    )
    page.goto(payment.pay_link)
    yield "access before payment"


def console_pages(client: kp.Client, service: EmbeddedService, page: Page) -> Iterator[str]:
    """Go through every page of the console, and the API reference."""
    customer = client.customers.create(
        first_name="Maximiliana-Alexandrina", last_name="Byron", email_address="a@example.com"
    )
    session = client.onboarding.create(customer_id=customer.id, options={"ais": {"transactions": True}})
    payment = client.payments.create(amount="123456789.01", reference="R" * 80, customer_id=customer.id)
    client.webhooks.create(url=f"{service.base_url}/nowhere/{'x' * 200}")
    with pytest.raises(KycpackError):
        client.customers.get("00000000-0000-4000-8000-000000000000")
    refused = service.service.requests.entries()[0].request_id
    places = (
        f"sessions/{session.session_id}",
        "requests",
        f"requests/{refused}",
        "customers",
        f"customers/{customer.id}",
        "sessions",
        "payments",
        f"payments/{payment.id}",
        "mail",
        "clock",
        "faults",
    )
    page.goto(service.base_url)
    yield "overview"
    for place in places:
        page.goto(f"{service.base_url}/console/{place}")
        yield place
    page.goto(f"{service.base_url}/console/sessions/{session.session_id}")
    press(page, "Finish")
    yield "a finished session"
    page.goto(f"{service.base_url}/console/deliveries")
    yield "deliveries"
    page.locator("a[href^='/console/deliveries/']").first.click()
    yield "a delivery"
    for reference in ("/docs", "/docs/control"):
        page.goto(f"{service.base_url}{reference}")
        yield reference


def looked_at(page: Page) -> list[str]:
    """Return what is wrong with a page, in the light and in the dark."""
    found: list[str] = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate(SETTLED)
        found += [f"{scheme}: {fault}" for fault in page.evaluate(LOOK)]
    return found


def test_every_page_of_the_console_is_labelled_legible_and_fits(
    client: kp.Client, service: EmbeddedService, desk: Page
) -> None:
    faults: dict[str, Any] = {}
    wide = desk.viewport_size
    assert wide is not None
    for name in console_pages(client, service, desk):
        found = looked_at(desk)
        desk.set_viewport_size(NARROW)
        found += desk.evaluate(LOOK)
        if (over := desk.evaluate(TOO_WIDE)) > 0:
            found.append(f"{over} pixels too wide")
        desk.set_viewport_size(wide)
        if found:
            faults[name] = found
    assert faults == {}


def test_every_page_is_labelled_legible_and_fits(client: kp.Client, desk: Page) -> None:
    refusals: list[str] = []
    desk.on("console", lambda message: refusals.append(message.text))
    wide = desk.viewport_size
    assert wide is not None
    faults: dict[str, Any] = {}
    for name in pages(client, desk):
        found = looked_at(desk)
        desk.set_viewport_size(NARROW)
        found += desk.evaluate(LOOK)
        if (over := desk.evaluate(TOO_WIDE)) > 0:
            found.append(f"{over} pixels too wide")
        desk.set_viewport_size(wide)
        if found:
            faults[name] = found
    assert faults == {}
    assert [text for text in refusals if "Content Security Policy" in text] == []


def test_the_focus_is_seen_wherever_it_goes(client: kp.Client, desk: Page) -> None:
    for name in pages(client, desk):
        if "," in name:
            continue
        seen: list[str] = []
        for _ in range(40):
            desk.keyboard.press("Tab")
            focused = desk.evaluate(FOCUSED)
            if focused is None or focused[0] in seen:
                break
            assert focused[1], (name, focused)
            seen.append(focused[0])
        assert seen, name
