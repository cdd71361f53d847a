from __future__ import annotations

from contextlib import closing
from typing import Any

import httpx
import pytest
from markupsafe import escape
from tests.service.pages.person import PDF, PNG, Person
from tests.service.pages.ways import DOCUMENT, new_portal, walk
from tests.service.signed import Caller, finish, grant, new_customer, ok

NO_CHECKS = dict.fromkeys(
    ["identityCheck", "documentCheck", "proofOfAddressCheck", "amlExtensiveScreening"], False
)
ALL_SCOPES = {"accounts": True, "balances": True, "transactions": True}


def status(call: Caller, session_id: str) -> Any:
    return ok(call("GET", f"/v1/onboard/sessions/{session_id}"))


def media(call: Caller, session_id: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = ok(call("POST", f"/v1/onboard-sessions/{session_id}/media-access", {}))[
        "media"
    ]
    return items


def titles(person: Person) -> list[str]:
    known = ["Your photo", "Identity document", "Proof of address", "Your bank", "Check and send"]
    return [title for title in known if f'class="label">{title}' in person.text]


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (None, ["Your photo", "Identity document", "Proof of address", "Check and send"]),
        ({"identity": NO_CHECKS}, ["Check and send"]),
        ({"identity": NO_CHECKS, "ais": {"accounts": True}}, ["Your bank", "Check and send"]),
        ({"identity": {**NO_CHECKS, "enhancedIdentityCheck": True}}, ["Your photo", "Check and send"]),
        ({"identity": {**NO_CHECKS, "documentCheck": True}}, ["Identity document", "Check and send"]),
    ],
)
def test_what_was_not_ordered_is_not_asked(
    call: Caller, person: Person, options: dict[str, Any] | None, shown: list[str]
) -> None:
    _, session_id, url = new_portal(call, options)
    person.open(url)
    assert titles(person) == shown
    walk(person, url)
    person.send()
    assert person.path.endswith("/done")
    assert "All done" in person.text
    assert status(call, session_id)["status"] == "complete"


@pytest.mark.parametrize(
    ("identity", "asked"),
    [
        ({}, {"photo", "specimen_photo"}),
        ({"identityCheck": False, "enhancedIdentityCheck": True}, {"video", "specimen_video"}),
        ({"enhancedIdentityCheck": True}, {"photo", "specimen_photo", "video", "specimen_video"}),
    ],
)
def test_photo_and_video_are_asked_as_ordered(
    call: Caller, person: Person, identity: dict[str, bool], asked: set[str]
) -> None:
    _, _, url = new_portal(call, {"identity": identity})
    person.open(url)
    person.send(agree="yes")
    assert person.asked == asked


def test_a_person_ends_in_the_same_records_as_the_control_api(call: Caller, person: Person) -> None:
    ordered = {"ais": ALL_SCOPES}
    customer, mine, url = new_portal(call, ordered)
    walk(person, url, bank="test-bank", accounts=("0", "1"))
    person.send()
    other = new_customer(call)
    theirs = ok(call("POST", "/v1/onboard/sessions", {"customerId": other, "options": ordered}))["sessionId"]
    finish(call, theirs)

    def told(session_id: str) -> Any:
        results = ok(call("GET", f"/v1/onboard/sessions/{session_id}/results"))
        entered = results["document"].pop("document")
        files = [
            {name: item[name] for name in ("fileName", "contentType", "description", "type")}
            for item in media(call, session_id)
        ]
        progress = status(call, session_id)["progress"]
        return results, set(entered), files, {part: set(told) for part, told in progress.items()}

    def held(customer_id: str) -> Any:
        items = ok(call("GET", f"/v1/customers/{customer_id}/bank-accounts"))["items"]
        return [
            {name: item[name] for name in item if name not in {"id", "tokenExpiry", "accountNumber"}}
            for item in items
        ]

    assert told(mine) == told(theirs)
    assert held(customer) == held(other)
    assert status(call, mine)["progress"]["identity"]["confirmed"] is True
    statements = [ok(call("GET", f"/v1/customers/{one}/source-of-wealth")) for one in (customer, other)]
    assert statements[0]["primarySource"]["totalValue"] == statements[1]["primarySource"]["totalValue"]


def test_starts_are_counted_and_openings_and_steps_are_not(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call)
    for method in ("HEAD", "GET", "GET"):
        assert person.http.request(method, url).status_code == 200
    assert status(call, session_id)["attemptCount"] == 0
    assert status(call, session_id)["status"] == "pending"
    walk(person, url)
    assert status(call, session_id)["attemptCount"] == 1
    assert status(call, session_id)["status"] == "inprogress"
    person.open(url)
    assert person.path.endswith("/review")
    assert status(call, session_id)["attemptCount"] == 1


def test_uploads_become_media_under_names_of_our_own(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call, {"identity": {"proofOfAddressCheck": False}})
    person.open(url)
    person.send(agree="yes")
    person.send(files={"photo": PNG + b"face"})
    person.send(files={"front": PDF + b"front", "back": PNG + b"back"}, **DOCUMENT)
    person.send()
    files = {item["type"]: item for item in media(call, session_id)}
    assert {kind: item["fileName"] for kind, item in files.items()} == {
        "portrait": "portrait.png",
        "document_front": "document-front.pdf",
        "document_back": "document-back.png",
    }
    kept = httpx.get(files["document_front"]["downloadUrl"])
    assert kept.content == PDF + b"front"
    assert kept.headers["content-type"] == "application/pdf"
    assert kept.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<script>alert(1)</script>", "must be JPEG or PNG"),
        (PDF, "must be JPEG or PNG"),
        (b"MZ\x90\x00", "must be JPEG or PNG"),
        (PNG + bytes(8 << 20), "larger than 8 MB"),
        (b"", "Add a photo"),
    ],
)
def test_a_file_that_is_no_photo_is_not_taken(call: Caller, person: Person, content: bytes, why: str) -> None:
    _, session_id, url = new_portal(call)
    person.open(url)
    person.send(agree="yes")
    answer = person.send(files={"photo": content})
    assert answer.status_code == 400
    assert why in answer.text
    assert "<title>Error: " in answer.text
    assert media(call, session_id) == []
    person.open(url)
    assert person.path.endswith("/identity")


def test_one_link_is_no_way_to_fill_the_database(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call)
    person.open(url)
    person.send(agree="yes")
    for _ in range(20):
        person.open(f"{url}/identity")
        person.send(files={"photo": PNG})
    person.open(f"{url}/identity")
    assert person.send(files={"photo": PNG}).status_code == 409
    assert len(media(call, session_id)) == 20


@pytest.mark.parametrize("step", ["document", "address", "review", "done"])
def test_a_step_whose_turn_has_not_come_leads_to_the_one_that_has(
    call: Caller, person: Person, step: str
) -> None:
    _, _, url = new_portal(call)
    person.open(url)
    person.send(agree="yes")
    person.open(f"{url}/{step}")
    assert person.path.endswith("/identity")


@pytest.mark.parametrize("step", ["bank", "nonsense", "../../v1/customers"])
def test_a_step_that_was_not_ordered_is_not_there(call: Caller, person: Person, step: str) -> None:
    _, _, url = new_portal(call)
    person.open(url)
    person.send(agree="yes")
    assert person.open(f"{url}/{step}").status_code in {404, 401}


def test_nothing_goes_on_without_consent(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call)
    person.open(url)
    answer = person.send()
    assert answer.status_code == 400
    assert "Tick the box" in answer.text
    person.open(f"{url}/review")
    assert "agree" in person.asked
    assert status(call, session_id)["status"] == "pending"


@pytest.mark.parametrize(
    ("changes", "field", "why"),
    [
        ({"type": "library card"}, "type", "Choose which document"),
        ({"country": "XX"}, "country", "Choose the issuing country"),
        ({"country": ""}, "country", "Choose the issuing country"),
        ({"number": "1"}, "number", "5 to 20 letters"),
        ({"number": "<b>123456</b>"}, "number", "5 to 20 letters"),
        ({"expiry": "2020-02-02"}, "expiry", "has expired"),
        ({"expiry": "2031-02-30"}, "expiry", "Enter its expiry date"),
        ({"expiry": "31/12/2030"}, "expiry", "Enter its expiry date"),
        ({"specimen_front": ""}, "front", "Add a photo"),
    ],
)
def test_a_document_that_cannot_be_is_told_at_its_field(
    call: Caller, person: Person, changes: dict[str, str], field: str, why: str
) -> None:
    _, _, url = new_portal(call, {"identity": {"identityCheck": False}})
    person.open(url)
    person.send(agree="yes")
    answer = person.send(**{**DOCUMENT, "specimen_front": "yes", **changes})
    assert answer.status_code == 400
    assert f'href="#{field}"' in answer.text
    assert f'id="{field}-problem"' in answer.text
    assert why in answer.text
    assert "<b>123456" not in answer.text


def test_results_name_the_document_that_was_entered(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(
        call, {"identity": {"identityCheck": False, "proofOfAddressCheck": False}}
    )
    walk(person, url)
    assert "number ending 456" in person.text
    assert "AB123456" not in person.text
    person.send()
    entered = ok(call("GET", f"/v1/onboard/sessions/{session_id}/results"))["document"]["document"]
    assert entered == {
        "documentType": "passport",
        "issuingCountry": "GB",
        "documentNumber": "AB123456",
        "expirationDate": "2090-01-31",
    }


def test_what_was_given_can_be_changed_before_it_is_sent(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(
        call, {"identity": {"identityCheck": False, "proofOfAddressCheck": False}}
    )
    walk(person, url)
    person.open(f"{url}/document")
    assert 'value="AB123456"' in person.text
    person.send(**{**DOCUMENT, "number": "XY987654"}, specimen_front="yes")
    assert person.path.endswith("/review")
    person.send()
    results = ok(call("GET", f"/v1/onboard/sessions/{session_id}/results"))
    assert results["document"]["document"]["documentNumber"] == "XY987654"


def test_magic_values_and_next_results_hold_for_people_too(call: Caller, person: Person) -> None:
    customer = new_customer(call, emailAddress="ada+sanctions@example.com")
    call.control(f"/customers/{customer}/next-results", {"results": {"document": {"outcome": "consider"}}})
    _, session_id, url = new_portal(call, customerId=customer)
    walk(person, url)
    person.send()
    results = ok(call("GET", f"/v1/onboard/sessions/{session_id}/results"))
    assert results["document"]["outcome"] == "consider"
    assert results["screening"]["outcome"] == "rejected"
    assert status(call, session_id)["progress"]["identity"]["confirmed"] is False


def test_an_expired_link_says_so_kindly_and_nothing_of_the_person(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call, firstName="Zebulon", emailAddress="zebulon@example.com")
    person.open(url)
    call.advance(days=7)
    for address in (url, f"{url}/identity", f"{url}/review", f"{url}/done"):
        answer = person.open(address)
        assert answer.status_code == 410
        assert "This link has expired" in answer.text
        assert "ebulon" not in answer.text
    assert status(call, session_id)["attemptCount"] == 0


def test_the_link_of_a_complete_session_shows_the_end_alone_and_for_7_days(
    call: Caller, person: Person
) -> None:
    _, session_id, url = new_portal(call, firstName="Zebulon", emailAddress="zebulon@example.com")
    person.open(url)
    finish(call, session_id)
    for address in (url, f"{url}/identity", f"{url}/bank", f"{url}/nonsense", f"{url}/review", f"{url}/done"):
        answer = person.open(address)
        assert answer.status_code == 200
        assert not person.asked
        assert "ebulon" not in answer.text
    call.advance(days=7)
    for address in (url, f"{url}/identity", f"{url}/done"):
        assert person.open(address).status_code == 410


def test_the_limit_of_accounts_is_for_all_banks_of_a_session(call: Caller, person: Person) -> None:
    only_bank = {"identity": NO_CHECKS, "ais": {"accounts": True, "accountLimit": 2}}
    customer_id, _, url = new_portal(call, only_bank)
    walk(person, url, bank="harbour-bank", accounts=("0", "1"))
    person.open(f"{url}/bank")
    person.send(bank="northern-counties")
    answer = person.send(account=["0"], decision="approve")
    assert answer.status_code == 400
    assert "at most 2 accounts in total" in answer.text
    items = ok(call("GET", f"/v1/customers/{customer_id}/bank-accounts"))["items"]
    assert {item["bankId"] for item in items} == {"harbour-bank"}
    assert len(items) == 2


def test_a_form_sent_after_the_end_of_the_link_changes_nothing(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call)
    walk(person, url)
    call.advance(days=7)
    assert person.send().status_code == 410
    assert status(call, session_id)["status"] == "expired"


def test_an_unknown_link_opens_nothing(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call)
    token = url.rpartition("/")[2]
    for wrong in ("nonsense", token[:-1], f"{session_id}.", token.swapcase(), "%00", "a" * 5000):
        answer = person.open(f"/onboard/{wrong}")
        assert answer.status_code == 404
        assert "could not find this page" in answer.text
    assert person.open(f"/pay/{token}").status_code == 404
    assert person.open(f"/bank/authorise/{token}").status_code == 404


def test_a_complete_session_stays_complete(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call)
    walk(person, url)
    review = person.answer
    person.send()
    before = status(call, session_id)
    person.answer = review
    person.send()  # the same form once more, as by a double click
    assert "All done" in person.text
    for address in (url, f"{url}/identity", f"{url}/review"):
        assert "All done" in person.open(address).text
    assert status(call, session_id) == before


def test_the_person_goes_back_with_the_id_of_the_session_and_nothing_else(
    call: Caller, person: Person
) -> None:
    _, session_id, url = new_portal(call, returnUrl="https://shop.example/back?cart=7#top")
    walk(person, url)
    policy = person.answer.headers["content-security-policy"]
    assert "form-action 'self' https://shop.example;" in policy
    person.send()
    assert person.left_for == f"https://shop.example/back?cart=7&sessionId={session_id}#top"
    person.open(url)
    assert f"https://shop.example/back?cart=7&sessionId={session_id}#top" in person.links


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "{{ 7 * 7 }}", '"><img src=x onerror=alert(1)>']
)
def test_hostile_names_are_text(call: Caller, person: Person, hostile: str) -> None:
    address = {"addressLine1": hostile, "city": hostile, "country": "GB"}
    with closing(Caller(call.base_url, call.new_tenant(name=hostile), call._now)) as mine:
        _, _, url = new_portal(
            mine, {"ais": ALL_SCOPES}, firstName=hostile, lastName=hostile, address=address
        )
        seen = [person.open(url).text]
        person.send(agree="yes")
        person.send(specimen_photo="yes")
        person.send(**DOCUMENT, specimen_front="yes")
        seen.append(person.text)
        person.send(type="utility_bill", specimen_proof="yes")
        person.send(bank="test-bank")
        seen.append(person.text)
    for text in seen:
        assert str(escape(hostile)) in text
        assert "<script" not in text
        assert "<img" not in text


def test_access_is_asked_again_even_where_it_is_valid(call: Caller, person: Person) -> None:
    customer = new_customer(call)
    before = grant(call, customer)
    call.advance(days=1)
    _, session_id, url = new_portal(
        call, {"identity": NO_CHECKS, "ais": {"accounts": True}}, customerId=customer
    )
    person.open(url)
    person.send(agree="yes")
    assert person.path.endswith("/bank")
    assert "Used before" in person.text
    person.send(bank="test-bank")
    assert "****5678" in person.text
    person.send(account=before[0]["id"], decision="approve")
    person.send()
    after = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]
    assert [item["id"] for item in after] == [item["id"] for item in before]
    assert after[0]["tokenExpiry"] > before[0]["tokenExpiry"]
    assert status(call, session_id)["progress"]["ais"]["completed"] is True
