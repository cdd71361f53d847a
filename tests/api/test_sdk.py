"""What people expect of a client library: pages that follow each other, request ids, frames, a logger, and plain errors."""

from __future__ import annotations

import asyncio
import inspect
import logging
import pickle
import time
from collections.abc import AsyncIterator, Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest

import kycpack as kp
from kycpack.api import AsyncClient, Client, collect, collect_async, resources
from kycpack.errors import ApiError, AuthenticationError, ContractError, InputError, NotFoundError

Handler = Callable[[httpx.Request], httpx.Response]
TRANSACTION = {
    "amount": "1.00", "creditDebitIndicator": "Credit", "currency": "GBP", "bookingDate": "2026-05-01", "description": "x",
}  # fmt: skip
PAGES: dict[str, Callable[[int], dict[str, Any]]] = {
    "cursor": lambda number: {"nextCursor": f"p{number}"},
    "number": lambda number: {"nextCursor": number},
    "link": lambda number: {"links": {"next": f"?cursor=p{number}"}},
}


def client_of(answer: Handler, kind: type[Any] = Client) -> Any:
    http = (httpx.Client if kind is Client else httpx.AsyncClient)(transport=httpx.MockTransport(answer))
    return kind("http://127.0.0.1:1", signer=lambda _: {}, http_client=http, max_retries=0)


def pages(style: str, most: int = 3) -> Handler:
    def answer(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get("cursor", "p1").removeprefix("p"))
        if "transactions" in request.url.path:
            items: list[Any] = [{**TRANSACTION, "id": f"t{number}-{n}"} for n in range(2)]
        else:
            items = [{"id": f"i{number}-{n}"} for n in range(2)]
        more = PAGES[style](number + 1) if number < most else {}
        return httpx.Response(200, json={"items": items, **more})

    return answer


LISTS: dict[str, Callable[[Any], Any]] = {
    "transactions": lambda c: c.bank_accounts.iter_transactions("c-1", "a-1", limit=2),
    "accounts": lambda c: c.bank_accounts.iter("c-1"),
    "customers": lambda c: c.customers.iter(org_id="north"),
    "banks": lambda c: c.banks.iter(country_code="GB"),
    "webhooks": lambda c: c.webhooks.iter(),
}


async def _all(items: AsyncIterator[Any]) -> list[Any]:
    return [item async for item in items]


@pytest.mark.parametrize("style", PAGES)
@pytest.mark.parametrize("what", ["transactions", "accounts", "customers", "banks"])
def test_an_iterator_gives_every_page_with_either_client(what: str, style: str) -> None:
    sync = [item.id for item in LISTS[what](client_of(pages(style)))]
    awaited = [item.id for item in asyncio.run(_all(LISTS[what](client_of(pages(style), AsyncClient))))]
    assert sync == awaited
    assert len(set(sync)) == 6


def test_pages_are_asked_for_as_they_are_needed_and_keep_their_filter() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.query.decode())
        return pages("cursor")(request)

    items = client_of(answer).bank_accounts.iter_transactions("c-1", "a-1", date_from="2026-01-01", limit=2)
    assert seen == []
    next(items)
    assert seen == ["from=2026-01-01&limit=2"]
    list(items)
    assert seen[1:] == ["from=2026-01-01&limit=2&cursor=p2", "from=2026-01-01&limit=2&cursor=p3"]


@pytest.mark.parametrize(
    "more", [{"hasMore": True}, {"nextCursor": "p1"}, {"next": "https://elsewhere/x?y=1"}]
)
def test_a_list_never_ends_in_silence(more: dict[str, Any]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        del request
        return httpx.Response(200, json={"items": [{"id": "c-1"}], **more})

    client = client_of(answer)
    with pytest.raises(ContractError, match="there are more pages"):
        list(client.customers.iter())
    listing = client.customers.list()
    assert listing.has_more
    assert repr(listing) == "Listing(1 items, and there are more)"


def test_a_wrong_id_is_an_error_before_the_first_item() -> None:
    with pytest.raises(InputError, match="customer_id"):
        client_of(pages("cursor")).bank_accounts.iter("")


def test_records_and_listings_say_which_request_gave_them() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["x-request-id"])
        listed = not request.url.path.endswith("c-1")
        return httpx.Response(200, json=[{"id": "c-1"}] if listed else {"id": "c-1", "requestId": "theirs"})

    client = client_of(answer)
    one, again, listing = client.customers.get("c-1"), client.customers.get("c-1"), client.customers.list()
    assert [one.request_id, again.request_id, listing.request_id] == seen
    assert len(set(seen)) == 3
    assert one == again
    assert "request_id" not in one.model_dump()
    assert one.wire() == {"id": "c-1", "requestId": "theirs"}
    assert pickle.loads(pickle.dumps(one)).request_id == seen[0]  # noqa: S301 - our own


def test_a_listing_becomes_a_frame() -> None:
    people = [{"id": "c-1", "firstName": "Ann", "address": {"city": "Leeds"}, "colour": "red"}, {"id": "c-2"}]
    frame = client_of(lambda _: httpx.Response(200, json=people)).customers.list().to_frame()
    assert frame[["id", "first_name", "address.city", "colour"]].to_numpy().tolist() == [
        ["c-1", "Ann", "Leeds", "red"],
        ["c-2", None, None, None],
    ]
    empty = client_of(lambda _: httpx.Response(200, json=[])).customers.list().to_frame()
    assert len(empty) == 0
    assert {"id", "first_name", "address.city"} <= {*empty.columns}


def test_a_page_of_transactions_becomes_a_frame() -> None:
    page = client_of(pages("cursor")).bank_accounts.transactions("c-1", "a-1")
    frame = page.to_frame()
    assert frame["id"].tolist() == ["t1-0", "t1-1"]
    assert frame["amount"].tolist() == [Decimal("1.00")] * 2


def test_the_logger_says_what_was_asked_and_nothing_of_anybody(caplog: pytest.LogCaptureFixture) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if "ann@mail.example" in request.url.path:
            raise httpx.ReadError("ann")
        return httpx.Response(503, json={"message": "Ann Secret"})

    client = client_of(answer)
    with caplog.at_level(logging.DEBUG, "kycpack"):
        for customer_id in ("c-1", "ann@mail.example"):
            with pytest.raises(ApiError):
                client.customers.get(customer_id)
    said = [record.getMessage() for record in caplog.records if record.name.startswith("kycpack")]
    assert said[0].startswith("customers.get: sending 1 answered 503, request ")
    assert said[1].startswith("customers.get: sending 1 lost (connection), request ")
    assert not any(word in line for line in said for word in ("Ann", "ann@", "Secret"))
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("kycpack").handlers)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_client_says_why_it_is_not_pickled(kind: type[Any]) -> None:
    client = kind("http://127.0.0.1:1", key_id="k", secret="c2VjcmV0")
    with pytest.raises(
        TypeError, match="it contains a secret and open connections; make one in each process"
    ):
        pickle.dumps(client)


def refusing(status: int) -> Handler:
    return lambda request: httpx.Response(
        status if request.url.path == "/v1/customers/c-1" else 404, json={"error": "nope"}
    )


def test_an_unknown_customer_is_named() -> None:
    client = client_of(refusing(404))
    with pytest.raises(NotFoundError, match=r"^customer c-1 not found \(404\)"):
        client.customers.get("c-1")
    with pytest.raises(NotFoundError, match=r"^account a-1 of customer c-1 not found \(404\)"):
        client.bank_accounts.balance("c-1", "a-1")
    with pytest.raises(NotFoundError, match="has given no access to bank data"):
        client.source_of_wealth.get("c-1")
    with pytest.raises(NotFoundError, match=r"^customer c-9 not found \(404\)"):
        client.onboarding.create("c-9")


def test_a_refused_key_says_which_two_things_to_check() -> None:
    with pytest.raises(
        AuthenticationError, match=r"check two things, the key id .*KYCPACK_KEY_ID.* its secret"
    ):
        client_of(refusing(401)).customers.get("c-1")


@pytest.mark.parametrize(("status", "error"), [(404, NotFoundError), (401, AuthenticationError)])
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_collecting_somebody_unknown_says_so(
    status: int, error: type[Exception], kind: str, tmp_path: Any
) -> None:
    def run(**more: Any) -> Any:
        if kind == "sync":
            return collect(client_of(refusing(status)), "c-1", **more)
        return asyncio.run(collect_async(client_of(refusing(status), AsyncClient), "c-1", **more))

    with pytest.raises(error, match=str(status)):
        run(folder=tmp_path / "c-1")
    assert not list(tmp_path.iterdir())
    evidence = run(without_record=True)
    assert evidence.select("customers.get")[0].status == status


def test_no_request_is_under_way_when_collecting_has_failed() -> None:
    under_way: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        under_way.append(request.url.path)
        if not request.url.path.endswith("/customers/c-1"):
            time.sleep(0.3)
        under_way.remove(request.url.path)
        return httpx.Response(404, json={})

    with pytest.raises(NotFoundError):
        collect(client_of(answer), "c-1", sessions=["s-1", "s-2"])
    assert under_way == []


def test_every_method_says_what_it_raises() -> None:
    classes = [getattr(resources, name) for name in resources.__all__]
    methods = [
        (kind, name, method)
        for kind in classes
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    ]
    assert len(methods) > 40
    for kind, name, method in methods:
        assert "Raises:" in (inspect.getdoc(method) or ""), f"{kind.__name__}.{name}"
    for function in (collect, collect_async, kp.collect_many, kp.collect_many_async, Client.raw, Client.ask):
        assert "Raises:" in (inspect.getdoc(function) or ""), function.__qualname__
