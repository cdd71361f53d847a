from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.api.scripted_service import CANARY, PLAN, PNG, Handler, Service, code, gather, reply, session_of

from kycpack.api import AsyncClient, Client, CollectionProgress, collect, collect_async
from kycpack.errors import ConfigurationError, InputError
from kycpack.evidence import INVENTED, Evidence, load_evidence, sha256_hex


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_everything_is_asked_and_listed_in_order_of_the_plan(
    kind: str, make_client: Callable[..., Client], make_async_client: Callable[..., AsyncClient]
) -> None:
    evidence = gather(Service(), make_client if kind == "sync" else make_async_client)
    assert [(entry.id, entry.operation) for entry in evidence.entries] == PLAN
    assert {entry.outcome for entry in evidence.entries} == {"answered", "not_asked"}
    pages = evidence.select("bank_accounts.transactions")
    assert [page.note for page in pages] == ["page 1", "page 2", "page 3", "page 1"]
    assert [page.query for page in pages] == ["", "cursor=two", "cursor=three", ""]
    assert evidence.body("M-01") == PNG
    assert evidence.entry("M-01").file == "M-01.png"
    statements = [dict(entry.subject) for entry in evidence.select("source_of_wealth.get")]
    assert statements == [
        {"customer_id": "c-1", "payment_id": "p-1", "format": "json"},
        {"customer_id": "c-1", "payment_id": "p-1", "format": "pdf"},
        {"customer_id": "c-1", "format": "json"},
        {"customer_id": "c-1", "format": "pdf"},
    ]


def test_both_ways_give_the_same_evidence(
    make_client: Callable[..., Client], make_async_client: Callable[..., AsyncClient]
) -> None:
    left, right = gather(Service(), make_client), gather(Service(), make_async_client)
    assert left.bodies == right.bodies
    for one, other in zip(left.entries, right.entries, strict=True):
        assert (one.id, one.path, one.sha256, one.outcome) == (
            other.id,
            other.path,
            other.sha256,
            other.outcome,
        )


def test_links_that_open_by_themselves_are_not_kept(
    make_client: Callable[..., Client], tmp_path: Any
) -> None:
    evidence = gather(Service(), make_client)
    folder = evidence.save(tmp_path / "ev")
    assert not any(CANARY.encode() in path.read_bytes() for path in folder.iterdir())
    media = evidence.select("onboarding.media")[0]
    assert media.redacted == ("media[0].downloadUrl",)
    assert media.received_sha256 != media.sha256
    assert evidence.select("payments.get")[0].redacted == ("payLink",)
    assert load_evidence(folder) == evidence


def test_an_untouched_body_is_kept_as_it_was_received(make_client: Callable[..., Client]) -> None:
    received = b'{ "id" : "c-1", "amount": 1.50, "unicode": "\\u00e9" }'
    service = Service({"/customers/c-1$": lambda _: httpx.Response(200, content=received)})
    evidence = gather(service, make_client)
    assert evidence.body("E-01") == received
    assert evidence.entry("E-01").sha256 == sha256_hex(received)
    assert evidence.entry("E-01").received_sha256 is None


@pytest.mark.parametrize(("said", "note"), [("true", INVENTED), ("false", ""), ("", ""), (None, "")])
def test_only_a_service_that_says_so_has_invented_data(
    make_client: Callable[..., Client], said: str | None, note: str
) -> None:
    headers = {} if said is None else {"X-Demonstration-Data": said}
    service = Service({"/customers/c-1$": lambda _: httpx.Response(200, json={"id": "c-1"}, headers=headers)})
    assert gather(service, make_client).entry("E-01").note == note


@pytest.mark.parametrize(
    ("replacement", "outcome", "status", "note"),
    [
        (code(401, "invalid_token"), "refused", 401, "invalid_token"),
        (code(403, "session_forbidden"), "refused", 403, "session_forbidden"),
        (code(404, "not_found"), "refused", 404, "not_found"),
        (code(503, ""), "failed", 503, ""),
        (lambda _: httpx.Response(404, html="<h1>Ann</h1>"), "refused", 404, "the body is not JSON"),
        (lambda _: httpx.Response(200, content=b"{nope"), "failed", 200, "the answer cannot be read"),
        (lambda _: httpx.Response(200, content=b'{"a":1,"a":2}'), "answered", 200, ""),
        (lambda _: httpx.Response(302, headers={"location": "/x"}), "failed", 302, ""),
    ],
)
def test_what_went_wrong_is_an_entry(
    replacement: Handler,
    outcome: str,
    status: int,
    note: str,
    make_client: Callable[..., Client],
) -> None:
    evidence = gather(Service({"/results$": replacement}), make_client)
    for entry in evidence.select("onboarding.results"):
        assert (entry.outcome, entry.status) == (outcome, status)
        assert note in entry.note
        assert "Ann" not in entry.note
        assert entry.request_id
        assert (entry.id in evidence.bodies) == (entry.file is not None)
    assert evidence.select("customers.get")[0].outcome == "answered"


@pytest.mark.parametrize(
    ("error", "outcome", "note"),
    [
        (httpx.ReadTimeout, "timeout", "RequestTimeoutError"),
        (httpx.ConnectTimeout, "timeout", "RequestTimeoutError"),
        (httpx.ConnectError, "failed", "TransportError"),
        (httpx.RemoteProtocolError, "failed", "TransportError"),
    ],
)
def test_no_answer_is_an_entry(
    error: type[Exception], outcome: str, note: str, make_client: Callable[..., Client]
) -> None:
    def lose(_: httpx.Request) -> httpx.Response:
        raise error("lost")

    evidence = gather(Service({"/balance$": lose}), make_client)
    for entry in evidence.select("bank_accounts.balance"):
        assert (entry.outcome, entry.status, entry.note) == (outcome, None, note)
        assert entry.requested_at == "2026-06-01T12:00:00.000Z"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("pending", "pending"),
        ("inprogress", "in progress"),
        ("expired", "expired"),
        ("Pending", "pending"),
    ],
)
def test_results_of_a_session_that_is_not_complete_are_not_asked(
    status: str, words: str, make_client: Callable[..., Client]
) -> None:
    service = Service({"/sessions/s-1$": lambda _: reply({"id": "s-1", "status": status})})
    evidence = gather(service, make_client, sessions=["s-1"])
    for operation in ("onboarding.results", "onboarding.media"):
        (entry,) = evidence.select(operation)
        assert entry.outcome == "not_asked"
        assert entry.note == f"the session is {words}"
        assert entry.method == ""
    assert not any("results" in asked for asked in service.asked)


def test_results_are_asked_when_the_status_says_nothing_we_know(make_client: Callable[..., Client]) -> None:
    service = Service({"/sessions/s-1$": code(403, "insufficient_permissions")})
    evidence = gather(service, make_client, sessions=["s-1"])
    assert evidence.select("onboarding.get")[0].outcome == "refused"
    assert evidence.select("onboarding.results")[0].outcome == "answered"


def test_what_was_not_asked_is_named(make_client: Callable[..., Client]) -> None:
    evidence = gather(Service(), make_client, sessions=[], payments=[])
    absent = {entry.operation: entry.note for entry in evidence.entries if entry.outcome == "not_asked"}
    assert absent == {
        "register.known": "no register was given",
        "onboarding.get": "no session of this customer is known",
        "payments.get": "no payment of this customer is known",
    }
    without_media = gather(Service(), make_client, media=False)
    assert {entry.note for entry in without_media.select("onboarding.media")} == {"media were not wanted"}
    assert without_media.select("onboarding.download") == ()


def test_what_the_register_knows_is_asked_and_kept(make_client: Callable[..., Client]) -> None:
    known = {
        "customerId": "c-1",
        "sessions": [
            {"sessionId": "s-2", "learnedFrom": "created"},
            {"sessionId": "s-9", "learnedFrom": "webhook"},
        ],
        "payments": [{"paymentId": "p-7", "learnedFrom": "import"}, {"learnedFrom": "import"}],
    }
    evidence = gather(Service(), make_client, known=known)
    sessions = [entry.subject["session_id"] for entry in evidence.select("onboarding.get")]
    assert sessions == ["s-1", "s-2", "s-9"]
    assert [entry.subject["payment_id"] for entry in evidence.select("payments.get")] == ["p-1", "p-7"]
    (register,) = evidence.select("register.known")
    assert (register.id, register.outcome, register.file) == ("R-01", "answered", "R-01.json")
    assert evidence.json("R-01") == known


def test_no_window_by_default_and_one_when_asked(make_client: Callable[..., Client]) -> None:
    service = Service()
    gather(service, make_client)
    assert not any("from=" in asked for asked in service.asked)
    evidence = gather(Service(), make_client, window=(date(2026, 1, 1), None))
    pages = evidence.select("bank_accounts.transactions")
    assert [page.query for page in pages][:2] == ["from=2026-01-01", "from=2026-01-01&cursor=two"]
    assert pages[0].note == "page 1, booked 2026-01-01 to any time"


def test_a_cursor_that_repeats_ends_the_paging(make_client: Callable[..., Client]) -> None:
    evidence = gather(
        Service({"/transactions$": lambda _: reply({"items": [], "nextCursor": "same"})}), make_client
    )
    pages = [
        entry
        for entry in evidence.select("bank_accounts.transactions")
        if entry.subject["account_id"] == "a-1"
    ]
    assert [page.outcome for page in pages] == ["answered", "answered", "not_asked"]
    assert pages[-1].note == "page 3 was not requested: the cursor repeats"


@pytest.mark.parametrize(
    "odd",
    [
        {"id": 7},
        {"id": ""},
        {"id": ".."},
        {"id": "x" * 257},
        {"id": "a\nb"},
        {"id": "\u202ea"},
        {},
        "text",
        None,
    ],
)
def test_an_account_or_file_without_an_id_is_named(odd: Any, make_client: Callable[..., Client]) -> None:
    def media(request: httpx.Request) -> httpx.Response:
        return reply({"sessionId": session_of(request), "media": [odd]})

    service = Service({"/bank-accounts$": lambda _: reply([odd]), "/media-access$": media})
    evidence = gather(service, make_client)
    assert evidence.select("bank_accounts.balance")[0].note == "account 1 has no id"
    assert evidence.select("bank_accounts.transactions")[0].outcome == "not_asked"
    assert evidence.select("onboarding.download")[0].note == "item 1 has no id"


def test_a_media_type_that_is_none_is_not_repeated(make_client: Callable[..., Client]) -> None:
    odd = httpx.Response(200, content=b"{}", headers={"content-type": "<script>alert(1)</script>"})
    evidence = gather(Service({"/results$": lambda _: odd}), make_client)
    assert {entry.content_type for entry in evidence.select("onboarding.results")} == {None}


def test_an_interruption_does_not_wait_for_the_rest(make_client: Callable[..., Client]) -> None:
    release = threading.Event()
    held = Service({"/balance$": lambda _: (release.wait(30), reply({}))[1]})

    def interrupt(_: CollectionProgress) -> None:
        if any(asked.endswith("/balance") for asked in held.asked):
            raise KeyboardInterrupt

    try:
        with pytest.raises(KeyboardInterrupt):
            gather(held, make_client, on_progress=interrupt)
        assert held.at_once > 0
    finally:
        release.set()


def test_a_file_that_is_not_what_it_says_is_not_kept(make_client: Callable[..., Client]) -> None:
    html = httpx.Response(200, content=b"<script>", headers={"content-type": "image/png"})
    evidence = gather(Service({"/media/m-1$": lambda _: html}), make_client)
    first, second = evidence.select("onboarding.download")[:2]
    assert (first.outcome, first.note, first.file) == ("failed", "the content is not image/png", None)
    assert first.received_sha256 == sha256_hex(b"<script>")
    assert second.outcome == "answered"


def test_a_statement_that_is_no_pdf_is_not_kept(make_client: Callable[..., Client]) -> None:
    evidence = gather(Service({"/source-of-wealth$": lambda _: reply({"customer": {}})}), make_client)
    outcomes = {entry.subject["format"]: entry.outcome for entry in evidence.select("source_of_wealth.get")}
    assert outcomes == {"json": "answered", "pdf": "failed"}


def test_requests_run_side_by_side_and_are_bounded(make_client: Callable[..., Client]) -> None:
    meeting = threading.Barrier(2, timeout=10)
    slow = Service({"/balance$": lambda _: (meeting.wait(), reply({}))[1]})
    evidence = gather(slow, make_client, concurrency=3)
    assert {entry.outcome for entry in evidence.select("bank_accounts.balance")} == {"answered"}
    assert 2 <= slow.most_at_once <= 3


def test_order_does_not_depend_on_arrival(make_client: Callable[..., Client]) -> None:
    def late(request: httpx.Request) -> httpx.Response:
        time.sleep(0.05 if "a-1" in request.url.path else 0)
        return reply({"items": []})

    evidence = gather(Service({"/transactions$": late}), make_client)
    accounts = [entry.subject["account_id"] for entry in evidence.select("bank_accounts.transactions")]
    assert accounts == ["a-1", "a-2"]


def test_progress_is_told(make_client: Callable[..., Client]) -> None:
    told: list[CollectionProgress] = []
    evidence = gather(Service(), make_client, on_progress=told.append)
    assert len(told) == len(evidence.entries)
    assert [each.done for each in told] == list(range(1, len(told) + 1))
    assert told[-1].done == told[-1].planned


def test_a_client_that_cannot_be_used_is_an_error_not_evidence(
    make_client: Callable[..., Client], make_async_client: Callable[..., AsyncClient]
) -> None:
    with pytest.raises(ConfigurationError):
        collect(make_client(Service(), secret="AAAA"), "c-1")
    with pytest.raises(ConfigurationError):
        asyncio.run(collect_async(make_async_client(Service(), secret="AAAA"), "c-1"))


@pytest.mark.parametrize(
    "odd",
    [{"sessions": "s-1"}, {"payments": "p-1"}, {"sessions": [".."]}, {"payments": [7]}, {"concurrency": 0}],
)
def test_what_makes_no_sense_is_refused_before_anything_is_asked(
    odd: dict[str, Any], make_client: Callable[..., Client], make_async_client: Callable[..., AsyncClient]
) -> None:
    service = Service()
    for make in (make_client, make_async_client):
        with pytest.raises(InputError):
            gather(service, make, **odd)
    assert service.asked == []


def test_it_runs_in_a_notebook_cell(make_client: Callable[..., Client]) -> None:
    async def cell() -> Evidence:
        return gather(Service(), make_client)

    assert len(asyncio.run(cell()).entries) == len(PLAN)


@given(st.lists(st.sampled_from(["answered", "refused", "lost"]), min_size=24, max_size=24))
def test_entries_out_are_asks_in(fates: list[str]) -> None:
    """Whatever fails, every ask has exactly one entry, and every body its hash."""
    script = iter(fates)

    def answer(request: httpx.Request) -> httpx.Response:
        fate = next(script, "answered")
        if fate == "lost":
            raise httpx.ReadError("lost")
        return Service()(request) if fate == "answered" else reply({"error": "not_found"}, 404)

    async def run() -> Evidence:
        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
            client = AsyncClient(
                "http://127.0.0.1:1",
                signer=lambda _: {},
                http_client=http,
                max_retries=0,
                now=lambda: datetime(2026, 6, 1, tzinfo=UTC),
            )
            return await collect_async(client, "c-1", sessions=["s-1"], payments=["p-1"], without_record=True)

    evidence = asyncio.run(run())
    ids = [entry.id for entry in evidence.entries]
    assert len(ids) == len(set(ids))
    assert {"customers.get", "register.known", "bank_accounts.list"} <= {
        entry.operation for entry in evidence.entries
    }
    for entry in evidence.entries:
        if entry.file is not None:
            assert sha256_hex(evidence.body(entry.id)) == entry.sha256
        assert json.dumps(dict(entry.subject))
