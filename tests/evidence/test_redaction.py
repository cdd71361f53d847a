from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.evidence import may_hold_links, redact_links

CANARY = "CANARY-8f21"


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"media": [{"downloadUrl": f"https://m.example/a/{CANARY}?sig={CANARY}"}]}, "media[0].downloadUrl"),
        ({"onboardUrl": f"https://p.example/onboard/{CANARY}"}, "onboardUrl"),
        ({"payLink": f"https://p.example/pay/{CANARY}#t={CANARY}"}, "payLink"),
        ({"pay_link": f"/pay/{CANARY}"}, "pay_link"),
        (
            {"attempts": [{"requiredAction": {"url": f"https://b.example/{CANARY}"}}]},
            "attempts[0].requiredAction.url",
        ),
        ({"somethingNew": f"https://x.example/f?X-Amz-Signature={CANARY}"}, "somethingNew"),
        ({"somethingNew": f"HTTPS://u:{CANARY}@x.example/f"}, "somethingNew"),
        ({"somethingNew": f"https://[{CANARY}"}, "somethingNew"),
        ({"downloadUrl": f"javascript:{CANARY}"}, "downloadUrl"),
    ],
)
def test_a_link_that_opens_by_itself_loses_its_secret(document: Any, path: str) -> None:
    redaction = redact_links(document)
    assert redaction.paths == (path,)
    assert CANARY not in json.dumps(redaction.document)


def test_scheme_host_and_port_stay() -> None:
    redacted = redact_links({"payLink": "http://127.0.0.1:8080/pay/x"}).document
    assert redacted == {"payLink": "http://127.0.0.1:8080/removed"}


@pytest.mark.parametrize(
    "document",
    [
        {"returnUrl": "https://shop.example/done?order=17"},
        {"url": "https://hooks.example/in"},
        {"description": "PAYMENT http is a word"},
        {"payLink": None, "downloadUrl": ""},
        [1, True, None, "text"],
    ],
)
def test_the_rest_stays_as_it_is(document: Any) -> None:
    redaction = redact_links(document)
    assert redaction.document == document
    assert redaction.paths == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_redacting_twice_is_redacting_once(document: Any) -> None:
    once = redact_links({"payLink": "https://p.example/pay/t", "rest": document}).document
    assert redact_links(once).document == once


NAMES = st.sampled_from(["payLink", "pay_lin\u212a", "down_loadURL", "requiredAction", "url", "note"])
LINKS = st.sampled_from(
    [
        "/pay/t",
        "HTTPS://a.example/f?sig=1",
        "https://[",
        "http://u:p@a.example/",
        "https://a.example/?o=1",
        "text \\ \n",
    ]
)
WITH_LINKS = st.recursive(
    LINKS | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(WITH_LINKS, st.booleans())
def test_no_link_is_overlooked_by_the_quick_search(document: Any, ascii_only: bool) -> None:  # noqa: FBT001
    body = json.dumps(document, ensure_ascii=ascii_only).encode()
    assert may_hold_links(body) or not redact_links(document).paths


def test_a_page_without_links_is_not_walked() -> None:
    items = [{"id": f"t-{n}", "amount": "12.34", "description": "CAF\u00c9"} for n in range(3)]
    assert not may_hold_links(json.dumps({"items": items}, ensure_ascii=False).encode())
