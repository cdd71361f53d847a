"""Lists that come in pages are read to their end, or what is missing is a gap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.api.scripted_service import Handler, Service, gather, reply

from kycpack.api import Client, collect
from kycpack.evidence import Evidence
from kycpack.frames import flatten

TRANSACTION = {
    "amount": "1.00", "creditDebitIndicator": "Credit", "currency": "GBP", "description": "x", "bookingDate": "2026-05-01",
}  # fmt: skip


def paged(more: Callable[[int, str], dict[str, Any]], pages: int = 10, name: str = "page") -> Handler:
    """Pages of 100, whose ends `more` describes, from the number of the next page and the path."""

    def answer(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get(name, 1))
        items = [{**TRANSACTION, "id": f"t{number}-{n}"} for n in range(100)]
        following = more(number + 1, request.url.path) if number < pages else {}
        return reply({"items": items, **following})

    return answer


@pytest.mark.parametrize(
    ("more", "name"),
    [
        (lambda number, _: {"nextCursor": number}, "cursor"),
        (lambda number, _: {"nextCursor": str(number)}, "cursor"),
        (lambda number, path: {"next": f"https://bank.example{path}?page={number}"}, "page"),
        (lambda number, path: {"links": {"next": f"{path}?page={number}"}}, "page"),
        (lambda number, _: {"links": {"next": {"href": f"?page={number}"}}, "hasMore": True}, "page"),
        (lambda number, _: {"nextCursor": number, "totalCount": 1000}, "cursor"),
    ],
)
def test_pages_are_followed_whichever_way_they_name_the_next(
    more: Any, name: str, make_client: Callable[..., Client]
) -> None:
    service = Service({"a-1/transactions$": paged(more, name=name), "a-2/transactions$": lambda _: reply([])})
    frames = flatten(gather(service, make_client))
    assert len(frames.transactions) == 1000
    codes = frames.gaps.loc[frames.gaps["subject"] == "a-1", "code"]
    assert not codes.isin(["more_not_read", "count_differs", "not_asked"]).any()


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"hasMore": True}, "hasMore"),
        ({"totalCount": 1000}, "totalCount"),
        ({"total": 1000}, "total"),
        ({"page": 1, "totalPages": 10}, "number of pages"),
        ({"next": "https://elsewhere.example/other?page=2"}, "next leads elsewhere"),
        ({"next": {"page": 2}}, "next"),
        ({"pagination": {"nextOffset": 100}}, "pagination.nextOffset"),
        ({"nextCursor": "\x07"}, "nextCursor cannot be sent"),
    ],
)
@pytest.mark.parametrize("kind", ["make_client", "make_async_client"])
def test_pages_that_are_not_there_are_a_gap_by_name(
    more: dict[str, Any], named: str, kind: str, request: pytest.FixtureRequest
) -> None:
    service = Service({"a-1/transactions$": paged(lambda *_: more), "a-2/transactions$": lambda _: reply([])})
    frames = flatten(gather(service, request.getfixturevalue(kind)))
    assert len(frames.transactions) == 100
    gaps = frames.gaps[frames.gaps["subject"] == "a-1"]
    assert gaps["message"].str.contains(named, regex=False).any()


def test_accounts_come_in_pages_too(make_client: Callable[..., Client]) -> None:
    def accounts(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get("cursor", 1))
        return reply({"items": [{"id": f"acc-{number}"}], "nextCursor": number + 1 if number < 3 else None})

    service = Service({"/bank-accounts$": accounts, "/transactions$": lambda _: reply([])})
    frames = flatten(gather(service, make_client))
    assert frames.accounts["account_id"].tolist() == ["acc-1", "acc-2", "acc-3"]
    short = Service({"/bank-accounts$": lambda _: reply({"items": [{"id": "a-2"}], "totalCount": 7})})
    gaps = flatten(gather(short, make_client)).gaps
    assert "totalCount says 7 bank accounts, and 1 were read" in gaps["message"].tolist()


def test_what_a_list_names_twice_is_asked_once(make_client: Callable[..., Client]) -> None:
    def accounts(request: httpx.Request) -> httpx.Response:
        more = {} if "cursor" in request.url.params else {"nextCursor": "2"}
        return reply({"items": [{"id": "a-1"}, {"id": "a-2"}, {"id": "a-1"}], **more})

    service = Service({"/bank-accounts$": accounts})
    evidence = gather(service, make_client)
    asked = [request for request in service.asked if "/bank-accounts/" in request]
    assert sorted(asked) == sorted(set(asked))
    places = [entry.subject["account_id"] for entry in evidence.select("bank_accounts.balance")]
    assert places == ["a-1", "a-2"]
    assert "account_repeated" in flatten(evidence).gaps["code"].tolist()


def test_older_evidence_that_was_cut_off_has_the_gap_too() -> None:
    service = Service({"/transactions$": paged(lambda number, _: {"nextCursor": number}, name="cursor")})
    http = httpx.Client(transport=httpx.MockTransport(service))
    with http, Client("http://127.0.0.1:1", signer=lambda _: {}, http_client=http) as client:
        whole = collect(client, "c-1")
    first = [entry for entry in whole.entries if "cursor" not in entry.query]
    kept = {entry.id: whole.bodies[entry.id] for entry in first if entry.id in whole.bodies}
    gaps = flatten(Evidence("c-1", tuple(first), kept)).gaps
    assert (gaps["code"] == "more_not_read").sum() == 2
