from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.models.payments import PaymentCreate
from kycpack.service.pages.screen import Redirect, Screen, origin_of, to_page, with_ids


@pytest.mark.parametrize(
    ("url", "with_id"),
    [
        ("https://a.example", "https://a.example?id=1"),
        ("https://a.example/b?", "https://a.example/b?id=1"),
        ("https://a.example/b?c", "https://a.example/b?c&id=1"),
        ("https://a.example/b?c=%20+&d=1#e", "https://a.example/b?c=%20+&d=1&id=1#e"),
    ],
)
def test_ids_are_added_and_the_rest_stays_as_the_merchant_wrote_it(url: str, with_id: str) -> None:
    assert with_ids(url, id="1") == with_id


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://a.example/b", "https://a.example"),
        ("http://127.0.0.1:8080/b", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/b", "http://[::1]:8080"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://a;b.example", None),
        ("https://a,b", None),
        ("https://*", None),
        ("https://" + "a" * 70 + ".example", None),
        ("https://a..example", None),
    ],
)
def test_the_origin_of_an_address(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin


@given(st.text(max_size=40), st.text(max_size=20))
def test_no_address_that_the_interface_takes_breaks_out_of_the_policy_or_the_header(
    host: str, rest: str
) -> None:
    url = f"https://{host}/{rest}"
    try:
        PaymentCreate.read({"amount": 1, "reference": "r", "returnUrl": url})
    except InputError:
        return
    page = to_page(
        Screen("message.html", {"title": "t", "text": "t"}, leads_to=(url,)),
        {"prefix": "", "form_token": "f"},
    )
    sources = re.search(r"form-action ([^;]*);", page.headers["content-security-policy"])
    assert sources is not None
    assert len(sources[1].split()) <= 2
    assert page.headers["content-security-policy"].count(";") == 5
    left = to_page(Redirect(with_ids(url, paymentId="p")), {})
    assert left.headers["location"].isascii()
    assert parse_qsl(urlsplit(left.headers["location"]).query)[-1] == ("paymentId", "p")
