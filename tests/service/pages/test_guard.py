from __future__ import annotations

import httpx
import pytest
from tests.service.pages.person import PNG, Person
from tests.service.pages.ways import DOCUMENT, new_pay_link, new_portal, walk
from tests.service.signed import Caller, ok

FORM = {"content-type": "application/x-www-form-urlencoded"}

FIELD = b'--x\r\nContent-Disposition: form-data; name="agree"\r\n\r\n+2AA-\xff\r\n--x--\r\n'


def pages(call: Caller, person: Person) -> list[httpx.Response]:
    _, _, url = new_portal(call, {"ais": {"accounts": True}})
    _, link = new_pay_link(call)
    seen = [person.open(url)]
    person.send(agree="yes")
    seen.append(person.answer)
    person.send(specimen_photo="yes")
    seen.append(person.answer)
    person.send(**DOCUMENT, specimen_front="yes")
    seen.append(person.answer)
    person.send(type="utility_bill", specimen_proof="yes")
    seen.append(person.answer)
    seen.append(person.send(bank="test-bank"))
    seen.append(person.send(account="0", decision="approve"))
    seen.append(person.send())
    seen.append(person.open(link))
    seen.append(person.open(f"{link}/card"))
    seen.append(person.open("/onboard/unknown"))
    return seen


def test_every_page_carries_the_same_strict_headers(call: Caller, person: Person) -> None:
    for answer in pages(call, person):
        headers = answer.headers
        assert headers["content-type"] == "text/html; charset=utf-8"
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["style-src"] == "'self'"
        assert policy["img-src"] == "'self' data:"
        assert policy["frame-ancestors"] == "'none'"
        assert policy["base-uri"] == "'none'"
        assert policy["form-action"].split()[0] == "'self'"
        assert "script" not in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "date" in headers
        for forbidden in ("<script", "style=", "onclick", "javascript:", "http-equiv"):
            assert forbidden not in answer.text


def test_every_page_can_be_read_aloud(call: Caller, person: Person) -> None:
    for answer in pages(call, person):
        assert '<html lang="en">' in answer.text
        assert answer.text.count("<h1>") == 1
        assert 'href="#main"' in answer.text
        assert answer.text.count("<main") == 1
        assert "<title></title>" not in answer.text


def test_forms_lead_outside_only_to_where_the_merchant_said(call: Caller, person: Person) -> None:
    _, link = new_pay_link(
        call, returnUrl="https://shop.example:8443/a?b=c;d", cancelUrl="http://127.0.0.1:9/x"
    )
    policy = person.open(link).headers["content-security-policy"]
    assert "form-action 'self' https://shop.example:8443 http://127.0.0.1:9;" in policy


def test_an_address_that_has_no_place_in_a_policy_is_a_link_and_no_redirect(
    call: Caller, person: Person
) -> None:
    _, link = new_pay_link(call, returnUrl="https://a,b;c/d")
    assert "form-action 'self';" in person.open(link).headers["content-security-policy"]
    person.send(bank="test-bank")
    person.send(decision="approve")
    assert person.left_for == ""
    assert "Payment complete" in person.text


def test_an_address_in_another_script_is_gone_to(call: Caller, person: Person) -> None:
    _, link = new_pay_link(call, returnUrl="https://müller.example/zurück")
    assert (
        "form-action 'self' https://xn--mller-kva.example;"
        in person.open(link).headers["content-security-policy"]
    )
    person.send(bank="test-bank")
    person.send(decision="approve")
    assert person.left_for.startswith("https://m%C3%BCller.example/zur%C3%BCck?paymentId=")


def test_the_cookie_is_for_the_server_alone_and_says_nothing(call: Caller, person: Person) -> None:
    _, _, url = new_portal(call)
    cookie = person.open(url).headers["set-cookie"]
    name, _, rest = cookie.partition("=")
    assert name == "kycpack_visit"
    assert "HttpOnly" in rest
    assert "SameSite=lax" in rest
    assert "Max-Age" not in rest
    assert "set-cookie" not in person.open(url).headers


def test_a_form_counts_only_in_the_browser_it_was_shown_to(call: Caller, person: Person) -> None:
    _, session_id, url = new_portal(call)
    person.open(url)
    shown = person._read().forms[0].fields["form_token"]
    altered = shown[:-1] + ("0" if shown[-1] != "0" else "1")
    with httpx.Client() as without_cookie, httpx.Client() as stranger:
        stranger.get(url)
        for http, token in (
            (person.http, ""),
            (person.http, altered),
            (stranger, shown),
            (without_cookie, shown),
        ):
            answer = http.post(url, data={"agree": "yes", "form_token": token})
            assert answer.status_code == 403
            assert "Please open the page again" in answer.text
    person.open(url)
    assert "agree" in person.asked
    assert ok(call("GET", f"/v1/onboard/sessions/{session_id}"))["status"] == "pending"


@pytest.mark.parametrize("path", ["/identity", "/review", "/done", "/bank"])
def test_nothing_but_a_form_changes_anything(call: Caller, person: Person, path: str) -> None:
    _, session_id, url = new_portal(call, {"ais": {"accounts": True}})
    walk(person, url)
    before = ok(call("GET", f"/v1/onboard/sessions/{session_id}"))
    person.http.get(url + path)
    person.http.head(url + path)
    assert ok(call("GET", f"/v1/onboard/sessions/{session_id}")) == before


@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        ({"content-type": "application/json"}, b"{}", 415),
        ({"content-type": "text/plain"}, b"agree=yes", 415),
        ({}, b"agree=yes", 415),
        (FORM, b"agree=%ff%fe", 400),
        (FORM, b"\xff\xfe", 400),
        (FORM, b"a=1&" * 200, 400),
        (FORM, b"agree=" + b"a" * 5000, 400),
        (FORM, b"agree=%00", 400),
        ({"content-type": "multipart/form-data"}, b"--x", 400),
        ({"content-type": "multipart/form-data; boundary=x; charset=zip"}, FIELD, 403),
        ({"content-type": "multipart/form-data; boundary=x; charset=utf-7"}, FIELD, 403),
        ({"content-type": "multipart/form-data; boundary=x"}, b"--x\r\nnonsense", 403),
        ({"content-type": "multipart/form-data; boundary=x"}, b"--x\r\nA: b\r\n\r\nc\r\n--x--\r\n", 400),
    ],
)
def test_what_is_no_form_is_a_page_that_says_so(
    call: Caller, person: Person, headers: dict[str, str], content: bytes, status: int
) -> None:
    _, _, url = new_portal(call)
    person.open(url)
    answer = person.http.post(url, content=content, headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert "<h1>" in answer.text


def test_a_form_beyond_all_limits_is_not_read(call: Caller, person: Person) -> None:
    _, _, url = new_portal(call)
    person.open(url)
    person.send(agree="yes")
    answer = person.send(files={"photo": PNG + bytes(24 << 20)})
    assert answer.status_code == 413
    assert "That file is too large" in answer.text


def test_the_stylesheet_is_the_services_own(call: Caller) -> None:
    answer = call.plain("GET", "/pages.css")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css")
    assert "@import" not in answer.text
    assert "http:" not in answer.text.replace("http://www.w3.org/2000/svg", "")
