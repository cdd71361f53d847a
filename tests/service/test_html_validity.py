"""Every page of the service is valid HTML: the portal, the pages for paying, the console and the reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.render.html_validity import nu_messages, parse_errors
from tests.service.pages.person import Person
from tests.service.pages.ways import DOCUMENT, new_pay_link, new_portal
from tests.service.running import running
from tests.service.signed import Caller, finish, grant, new_customer, new_payment, new_session, ok, refused

SHARE = {"transactions": True, "useVerifiedBankAccount": True}
HOSTILE = {
    "firstName": '<b>Ada</b> & "Co" \'\u202e',
    "lastName": "</title><script>",
    "emailAddress": "a@mail.example",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every page that a person meets, with its errors."""
    folder = tmp_path_factory.mktemp("pages")
    with running(tmp_path_factory.mktemp("service")) as (_, call):
        person = Person(call.base_url)
        with closing(person.http):
            _go_through_a_session(call, person)
            _pay(call, person)
        for number, text in enumerate((*person.seen, *_of_the_console(call))):
            (folder / f"{number:03d}.html").write_text(text, encoding="utf-8")
    return folder


def _go_through_a_session(call: Caller, person: Person) -> None:
    options = {"identity": {"enhancedIdentityCheck": True}, "ais": {"transactions": True}}
    person.open(new_portal(call, options, **HOSTILE)[2])
    for answers in (
        {"agree": "yes"},
        {"specimen_photo": "yes", "specimen_video": "yes"},
        {**DOCUMENT, "specimen_front": "yes"},
        {"type": "utility_bill", "specimen_proof": "yes"},
        {"bank": "harbour-bank"},
        {"account": ["0"], "decision": "approve"},
    ):
        person.send()
        person.send(**answers)
    person.send()
    person.open(f"{call.base_url}/onboard/unknown")


def _pay(call: Caller, person: Person) -> None:
    _, link = new_pay_link(call, description="<i>\u202e</i> & more")
    person.open(link)
    person.send(bank="test-bank")
    person.send(decision="decline")
    person.open(f"{link}/card")
    person.send("/card")
    person.send("/card", number="4000000000003220", expiry="12/90", cvc="123")
    person.send(decision="decline")
    person.send("/cancel")
    _, link = new_pay_link(call, customerId=new_customer(call), aisRequirements=SHARE)
    person.open(link)
    person.send("/access", bank="test-bank")


def _of_the_console(call: Caller) -> Iterator[str]:
    customer = new_customer(call, **HOSTILE)
    grant(call, customer)
    new_payment(call, customerId=customer)
    ok(call("POST", "/v1/webhooks", {"url": f"{call.base_url}/nowhere"}))
    finish(call, new_session(call, customer))
    refused(call("GET", f"/v1/customers/{new_session(call, customer)}"), 404, "customer_not_found")
    seen: set[str] = set()
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = call.plain("GET", path)
        if answer.headers["content-type"].startswith("text/html"):
            waiting += re.findall(r'href="(/(?:console|docs)[^"#]*|/)"', answer.text)
            yield answer.text


def test_no_page_of_the_service_has_a_parse_error(pages: Path) -> None:
    found = {
        page.name: errors
        for page in sorted(pages.glob("*.html"))
        if (errors := parse_errors(page.read_text(encoding="utf-8")))
    }
    assert found == {}
    assert len(list(pages.glob("*.html"))) > 40


@pytest.mark.java
def test_the_nu_checker_finds_every_page_of_the_service_valid(pages: Path) -> None:
    assert nu_messages(pages) == []
