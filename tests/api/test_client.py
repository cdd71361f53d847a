from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kycpack.api import AsyncClient, Client, Listing
from kycpack.errors import (
    ApiError,
    ConfigurationError,
    ContractError,
    InputError,
    NotFoundError,
    TransportError,
)
from kycpack.models.payments import CardDetails


def test_nothing_is_refused_before_the_first_call() -> None:
    for base_url, secret in (("no url at all", "x"), ("http://bank.example", "AAAA"), ("", "")):
        client = Client(base_url, key_id="key-1", secret=secret)
        with pytest.raises(ConfigurationError):
            client.customers.get("c-1")
        client.close()
    AsyncClient("http://127.0.0.1:9", key_id="key-1", secret="x")  # no event loop runs here


@pytest.mark.parametrize(
    "base_url",
    [
        "http://bank.example",
        "http://10.0.0.1",
        "ftp://127.0.0.1",
        "https://user:pass@bank.example",
        "https://bank.example/?a=b",
        "//bank.example",
        "http://[::1",
    ],
)
def test_an_address_that_cannot_be_used_is_an_error(
    base_url: str, make_client: Callable[..., Client]
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make_client(lambda _: httpx.Response(200), base_url=base_url).banks.list()
    assert "pass" not in str(caught.value)


@pytest.mark.parametrize("base_url", ["http://localhost:1", "http://127.1.2.3:1", "http://[::1]:1/prefix/"])
def test_plain_http_is_for_loopback(base_url: str, make_client: Callable[..., Client]) -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=[])

    make_client(answer, base_url=base_url).banks.list(country_code="GB")
    assert str(seen[0].url) == f"{base_url.rstrip('/')}/v1/banks?countryCode=GB"
    assert seen[0].headers["host"] == httpx.URL(base_url).netloc.decode()


@pytest.mark.parametrize("customer_id", ["", ".", "..", None, 7])
def test_an_id_that_would_change_the_path_is_refused(
    customer_id: Any, make_client: Callable[..., Client]
) -> None:
    with pytest.raises(InputError, match="customer_id"):
        make_client(lambda _: httpx.Response(200)).customers.get(customer_id)


def test_an_id_is_one_segment_whatever_it_is(make_client: Callable[..., Client]) -> None:
    seen: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.raw_path)
        return httpx.Response(200, json={"id": "a/../b?c#d é"})

    make_client(answer).customers.get("a/../b?c#d é")
    assert seen == [b"/v1/customers/a%2F..%2Fb%3Fc%23d%20%C3%A9"]


@pytest.mark.parametrize(
    "body",
    [
        [{"id": "c-1"}],
        {"items": [{"id": "c-1"}], "total": 1},
        {"customers": [{"id": "c-1"}]},
        {"whatever": [{"id": "c-1"}], "next": None},
    ],
)
def test_a_list_is_read_as_array_or_envelope(body: Any, make_client: Callable[..., Client]) -> None:
    listing = make_client(lambda _: httpx.Response(200, json=body)).customers.list()
    assert [customer.id for customer in listing] == ["c-1"]
    assert listing.raw == body
    assert isinstance(listing, Listing)
    assert repr(listing) == "Listing(1 items)"


@pytest.mark.parametrize("body", [{}, {"a": [], "b": []}, 7, "text", None, [7], [{"no": "id"}]])
def test_what_is_no_list_breaks_the_contract(body: Any, make_client: Callable[..., Client]) -> None:
    with pytest.raises(ContractError) as caught:
        make_client(lambda _: httpx.Response(200, json=body)).customers.list()
    assert caught.value.expected


def test_unknown_fields_and_words_are_kept(make_client: Callable[..., Client]) -> None:
    body = {"id": "s", "status": "paused", "brandNew": {"deep": [1, None]}}
    status = make_client(lambda _: httpx.Response(200, json=body)).onboarding.get("s")
    assert status.status == "paused"
    assert status.brandNew == {"deep": [1, None]}


def test_amounts_never_pass_through_float(make_client: Callable[..., Client]) -> None:
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.read())
        content = b'{"id":"p","payLink":"https://p.example/x","amount":0.1}'
        return httpx.Response(200, content=content)

    client = make_client(answer)
    client.payments.create(amount=Decimal("90071992547409.93"), reference="r")
    assert b"90071992547409.93" in sent[0]
    assert client.payments.get("p").amount == Decimal("0.1")


def test_a_float_or_an_unknown_member_is_refused_before_it_is_sent(
    make_client: Callable[..., Client],
) -> None:
    client = make_client(lambda _: pytest.fail("nothing may be sent"))
    with pytest.raises(InputError, match="amount"):
        client.payments.create(amount=1.5, reference="r")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"(?i)colour"):
        client.onboarding.create("c", options={"colour": "red"})
    with pytest.raises(InputError, match="format"):
        client.source_of_wealth.get("c", format="docx")  # type: ignore[call-overload]


def test_update_clears_what_is_none_and_leaves_out_the_rest(make_client: Callable[..., Client]) -> None:
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.read())
        return httpx.Response(200, json={"id": "c-1"})

    make_client(answer).customers.update("c-1", last_name=None, first_name="Ann")
    assert sent == [b'{"firstName":"Ann","lastName":null}']


def test_options_share_the_connections(make_client: Callable[..., Client], naps: list[float]) -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(500)

    client = make_client(answer)
    with pytest.raises(ApiError):
        client.with_options(max_retries=0, timeout=1.5).banks.list()
    assert len(seen) == 1
    assert seen[0].extensions["timeout"]["read"] == 1.5
    with pytest.raises(ApiError):
        client.banks.list()
    assert len(seen) == 5


def test_a_raw_answer_has_any_status(make_client: Callable[..., Client]) -> None:
    client = make_client(lambda _: httpx.Response(404, json={"error": "not_found"}))
    answer = client.raw("customers.get", customer_id="c-1")
    assert (answer.status, answer.json(), answer.attempts) == (404, {"error": "not_found"}, 1)
    assert answer.requested_at == "2026-06-01T12:00:00.000Z"
    with pytest.raises(NotFoundError):
        answer.record()
    with pytest.raises(InputError, match="unknown argument"):
        client.raw("customers.get", customer_id="c-1", colour="red")
    with pytest.raises(InputError, match="missing argument"):
        client.raw("customers.get")
    with pytest.raises(InputError, match="no such operation"):
        client.raw("customers.destroy")


def test_a_pdf_comes_as_bytes_and_only_a_pdf(make_client: Callable[..., Client]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.query == b"format=pdf"
        pdf = b"%PDF-1.7 ..." if "good" in request.url.path else b"<html>"
        return httpx.Response(200, content=pdf, headers={"content-type": "application/pdf"})

    client = make_client(answer)
    assert client.source_of_wealth.get("good", format="pdf").startswith(b"%PDF-")
    with pytest.raises(ContractError, match="not a PDF"):
        client.source_of_wealth.get("bad", format="pdf")


def test_a_delete_may_answer_with_nothing(make_client: Callable[..., Client]) -> None:
    answers = iter([httpx.Response(204), httpx.Response(200, json={"ok": True})])
    client = make_client(lambda _: next(answers))
    assert client.webhooks.delete("w") is None
    assert client.webhooks.delete("w") == {"ok": True}


def test_an_attempt_says_which_key_made_it(make_client: Callable[..., Client]) -> None:
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(request.read())
        return httpx.Response(200, json={"id": "a-1", "status": "STARTED"})

    client = make_client(answer)
    made = client.payments.attempts.create("p", bank={"bankId": "b"})
    assert made.idempotency_key
    assert made.idempotency_key.encode() in bodies[0]
    again = client.payments.attempts.create("p", bank={"bankId": "b"}, idempotency_key="mine")
    assert again.idempotency_key == "mine"


def test_a_card_can_be_a_mapping_or_details(make_client: Callable[..., Client]) -> None:
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(request.read())
        return httpx.Response(200, json={"id": "a-1"})

    client = make_client(answer)
    card = {"number": "4111111111111111", "cvc": "123"}
    client.payments.attempts.create("p", card=card, browser_data={}, idempotency_key="k")
    details = CardDetails.model_validate(card)
    client.payments.attempts.create("p", card=details, browser_data={}, idempotency_key="k")
    assert bodies[0] == bodies[1]
    assert b'"number":"4111111111111111"' in bodies[0]


def test_a_closed_client_says_so() -> None:
    client = Client("http://127.0.0.1:9", key_id="key-1", secret="MDEyMzQ1Njc4OWFiY2RlZg==")
    client.close()
    with pytest.raises(TransportError, match="closed"):
        client.banks.list()


def test_a_given_http_client_stays_open_and_cannot_change_what_is_sent() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(302, headers={"location": "https://elsewhere.example/"})

    http = httpx.Client(
        transport=httpx.MockTransport(answer),
        auth=("user", "password"),
        headers={"X-Extra": "1"},
        cookies={"session": "1"},
        follow_redirects=True,
    )
    with http:
        client = Client(
            "http://127.0.0.1:1", key_id="key-1", secret="MDEyMzQ1Njc4OWFiY2RlZg==", http_client=http
        )
        with pytest.raises(ContractError, match="status 302"):
            client.banks.list()
        client.close()
        assert not http.is_closed
    assert len(seen) == 1
    assert seen[0].headers["authorization"].startswith("HMAC-SHA256 Credential=key-1, Signature=")
    assert "cookie" not in seen[0].headers
    assert "x-extra" not in seen[0].headers


def test_the_sync_client_works_where_an_event_loop_runs(make_client: Callable[..., Client]) -> None:
    async def cell() -> str:
        return make_client(lambda _: httpx.Response(200, json={"id": "c-1"})).customers.get("c-1").id

    assert asyncio.run(cell()) == "c-1"


def test_a_table_of_a_notebook_escapes_what_came_from_outside(make_client: Callable[..., Client]) -> None:
    body = [{"id": "b", "name": "<img src=x onerror=alert(1)>"}]
    shown = make_client(lambda _: httpx.Response(200, json=body)).banks.list()._repr_html_()
    assert "<img" not in shown
    assert "&lt;img" in shown


def test_the_client_shows_neither_secret_nor_more(
    make_client: Callable[..., Client], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = make_client(lambda _: httpx.Response(200, json=[]))
    client.banks.list()
    assert repr(client) == "Client('http://127.0.0.1:8443', key_id='key-1')"
    assert "MDEyMzQ1" not in caplog.text


def test_errors_survive_the_way_home_from_a_worker(make_client: Callable[..., Client]) -> None:
    body = {"error": "missing_person_data", "message": "x", "missingFields": ["firstName"]}
    client = make_client(lambda _: httpx.Response(400, json=body, headers={"retry-after": "7"}))
    with pytest.raises(ApiError) as caught:
        client.onboarding.create("c-1")
    home = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own error
    assert type(home) is type(caught.value)
    assert str(home) == str(caught.value)
    assert vars(home) == vars(caught.value)
    assert home.missing_fields == ("firstName",)
    assert home.code == "missing_person_data"
