from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import Any

import httpx
import pytest

import kycpack.api.wire
from kycpack.api import AsyncClient, Client, Listing
from kycpack.errors import (
    ApiError,
    ConfigurationError,
    ContractError,
    OutcomeUnknownError,
    RequestTimeoutError,
)
from kycpack.models.payments import Bank


class Drip(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that comes in crumbs and never ends."""

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield b" " * 1024

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b" " * 1024


@pytest.fixture(params=["sync", "async"])
def ask(
    request: pytest.FixtureRequest,
    make_client: Callable[..., Client],
    make_async_client: Callable[..., AsyncClient],
) -> Callable[..., Any]:
    """Asks with a client of either kind."""

    def with_either(
        question: Callable[[Any], Any], answer: Callable[..., httpx.Response], **terms: Any
    ) -> Any:
        if request.param == "sync":
            return question(make_client(answer, **terms))

        async def run() -> Any:
            return await question(make_async_client(answer, **terms))

        return asyncio.run(run())

    return with_either


def test_an_answer_without_end_is_cut_off_at_the_limit(ask: Callable[..., Any]) -> None:
    endless = httpx.Response(200, stream=Drip())
    with pytest.raises(ContractError, match="more than 67108864 bytes"):
        ask(lambda client: client.banks.list(), lambda _: endless, deadline=1e6)


def test_an_answer_in_crumbs_is_cut_off_at_the_deadline(
    ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count(step=10)
    monkeypatch.setattr(kycpack.api.wire, "monotonic", lambda: next(seconds))
    drips: list[int] = []

    def answer(_: httpx.Request) -> httpx.Response:
        drips.append(1)
        return httpx.Response(200, stream=Drip())

    with pytest.raises(RequestTimeoutError, match="deadline"):
        ask(lambda client: client.banks.list(), answer, deadline=60.0, max_retries=1)
    assert len(drips) == 2
    with pytest.raises(OutcomeUnknownError):
        ask(lambda client: client.customers.create(first_name="Ann"), answer, deadline=60.0)
    assert len(drips) == 3


@pytest.mark.parametrize(
    "headers", [{"Authorization": None}, {"Authorization": "ключ"}, {"Authorization": 7}]
)
def test_a_signer_whose_headers_cannot_be_sent_is_a_matter_of_configuration(
    headers: dict[str, Any], ask: Callable[..., Any]
) -> None:
    with pytest.raises(ConfigurationError, match="cannot be sent"):
        ask(lambda c: c.banks.list(), lambda _: pytest.fail("nothing may be sent"), signer=lambda _: headers)


def test_what_the_library_will_not_write_is_a_matter_of_configuration(ask: Callable[..., Any]) -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.LocalProtocolError("Illegal header value")

    with pytest.raises(ConfigurationError, match="LocalProtocolError"):
        ask(lambda client: client.customers.create(first_name="Ann"), refuse)


def test_a_client_that_was_closed_says_so(ask: Callable[..., Any]) -> None:
    async def close_and_ask(client: AsyncClient) -> Any:
        await client._connections.given.aclose()
        return await client.banks.list()

    def close_and_ask_sync(client: Client) -> Any:
        client._connections.given.close()
        return client.banks.list()

    def question(client: Any) -> Any:
        return close_and_ask_sync(client) if isinstance(client, Client) else close_and_ask(client)

    with pytest.raises(ApiError, match="closed"):
        ask(question, lambda _: httpx.Response(200, json=[]))


def test_no_exception_of_the_library_goes_unmapped(ask: Callable[..., Any], naps: list[float]) -> None:
    kinds = [
        kind
        for name in httpx.__all__
        if isinstance(kind := getattr(httpx, name), type) and issubclass(kind, Exception)
    ]
    assert len(kinds) > 20
    for kind in kinds:
        error = kind.__new__(kind, "fault")
        Exception.__init__(error, "fault")

        def fail(_: httpx.Request, error: Exception = error) -> httpx.Response:
            raise error

        with pytest.raises((ApiError, ConfigurationError)):
            ask(lambda client: client.banks.list(), fail)


def test_a_listing_is_a_sequence() -> None:
    one, two = Bank(id="b-1"), Bank(id="b-2")
    listing = Listing([one, two], raw=[])
    assert listing[0] == one
    assert listing[-1:] == (two,)
    assert list(listing) == [one, two]
    assert two in listing
    assert listing == Listing([one, two], raw={})
    assert listing != [one, two]
    assert Listing([], raw=[])._repr_html_().startswith("<div><strong>Listing(0 items)")


@pytest.mark.parametrize(
    "base_url", ["http://[::1", "http://a b", "https://", "http://\x00", "https://a:99999", "https://a:0"]
)
def test_an_address_that_is_none_is_told_at_the_first_call(base_url: str) -> None:
    client = Client(base_url, key_id="key-1", secret="MDEyMzQ1Njc4OWFiY2RlZg==")
    with client, pytest.raises(ConfigurationError, match="base URL"):
        client.banks.list()
