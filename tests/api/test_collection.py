from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.api import AsyncClient, Client, Progress, collect, collect_async
from kycpack.errors import ConfigurationError, InputError
from kycpack.evidence import Evidence, load_evidence, sha256_hex
from kycpack.frames import flatten

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PDF = b"%PDF-1.7 statement"
CANARY = "CANARY-51d7"

Handler = Callable[[httpx.Request], httpx.Response]


class Service:
    """A customer with sessions, two accounts and a payment, as the interface would tell them.

    Args:
        replaced: Answers of its own for paths that match a pattern.
    """

    def __init__(self, replaced: dict[str, Handler] | None = None) -> None:
        self.routes = [*(replaced or {}).items(), *ROUTES.items()]
        self.asked: list[str] = []
        self.lock = threading.Lock()
        self.at_once = 0
        self.most_at_once = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        with self.lock:
            self.asked.append(f"{request.method} {request.url.raw_path.decode()}")
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return next(answer for route, answer in self.routes if re.search(route, request.url.path))(
                request
            )
        finally:
            with self.lock:
                self.at_once -= 1


def reply(document: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=document)


def statement(request: httpx.Request) -> httpx.Response:
    if request.url.params.get("format") == "pdf":
        return httpx.Response(200, content=PDF, headers={"content-type": "application/pdf"})
    return reply({"customer": {}, "accounts": []})


def page(request: httpx.Request) -> httpx.Response:
    cursor = request.url.params.get("cursor")
    account = request.url.path.split("/")[5]
    following = {None: "two", "two": "three"}.get(cursor) if account == "a-1" else None
    return reply(
        {"items": [{"id": f"{account}-{cursor}"}], **({"nextCursor": following} if following else {})}
    )


def session_of(request: httpx.Request) -> str:
    return request.url.path.split("/")[4 if "/onboard/" in request.url.path else 3]


LINK = f"https://store.example/{CANARY}?sig={CANARY}"
ROUTES: dict[str, Handler] = {
    "/source-of-wealth$": statement,
    "/transactions$": page,
    "/balance$": lambda _: reply({"current": "1.00", "currency": "GBP"}),
    "/bank-accounts$": lambda _: reply({"items": [{"id": "a-1"}, {"id": "a-2"}]}),
    "/media-access$": lambda request: reply(
        {"sessionId": session_of(request), "media": [{"id": "m-1", "downloadUrl": LINK}, {"id": "m-2"}]}
    ),
    "/media/": lambda _: httpx.Response(200, content=PNG, headers={"content-type": "image/png"}),
    "/results$": lambda _: reply({"document": {"outcome": "clear"}}),
    "/onboard/sessions/": lambda request: reply({"id": session_of(request), "status": "complete"}),
    "/v1/payments/": lambda _: reply({"id": "p-1", "payLink": f"https://pay.example/pay/{CANARY}"}),
    "/v1/customers/": lambda _: reply({"id": "c-1", "firstName": "Ann"}),
}


def code(status: int, error: str) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: reply({"error": error, "message": "Ann"}, status)


def gather(service: Service, make: Callable[..., Any], **wanted: Any) -> Evidence:
    given = {"sessions": ["s-1", "s-2"], "payments": ["p-1"], **wanted}
    client = make(service, max_retries=0)
    if isinstance(client, AsyncClient):
        return asyncio.run(collect_async(client, "c-1", **given))
    return collect(client, "c-1", **given)


PLAN = [
    ("E-01", "customers.get"),
    ("R-01", "register.known"),
    ("E-02", "onboarding.get"),
    ("E-03", "onboarding.results"),
    ("E-04", "onboarding.media"),
    ("M-01", "onboarding.download"),
    ("M-02", "onboarding.download"),
    ("E-05", "onboarding.get"),
    ("E-06", "onboarding.results"),
    ("E-07", "onboarding.media"),
    ("M-03", "onboarding.download"),
    ("M-04", "onboarding.download"),
    ("E-08", "bank_accounts.list"),
    ("E-09", "bank_accounts.balance"),
    ("E-10", "bank_accounts.transactions"),
    ("E-11", "bank_accounts.transactions"),
    ("E-12", "bank_accounts.transactions"),
    ("E-13", "bank_accounts.balance"),
    ("E-14", "bank_accounts.transactions"),
    ("E-15", "payments.get"),
    ("E-16", "source_of_wealth.get"),
    ("E-17", "source_of_wealth.get"),
    ("E-18", "source_of_wealth.get"),
    ("E-19", "source_of_wealth.get"),
]


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


@pytest.mark.parametrize("status", ["pending", "inprogress", "expired", "Pending"])
def test_results_of_a_session_that_is_not_complete_are_not_asked(
    status: str, make_client: Callable[..., Client]
) -> None:
    service = Service({"/sessions/s-1$": lambda _: reply({"id": "s-1", "status": status})})
    evidence = gather(service, make_client, sessions=["s-1"])
    for operation in ("onboarding.results", "onboarding.media"):
        (entry,) = evidence.select(operation)
        assert entry.outcome == "not_asked"
        assert entry.note == f"the session is {status.lower()}"
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

    def interrupt(_: Progress) -> None:
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
    told: list[Progress] = []
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


# --- earlier evidence

START = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


def later(hours: int) -> Callable[[], datetime]:
    return lambda: START + timedelta(hours=hours)


def test_what_is_fresh_enough_is_not_fetched_again(make_client: Callable[..., Client]) -> None:
    previous = gather(Service(), make_client)
    service = Service()
    client = make_client(service, now=later(1))
    evidence = collect(
        client,
        "c-1",
        sessions=["s-1", "s-2"],
        payments=["p-1"],
        previous=previous,
        max_age=timedelta(hours=2),
    )
    assert service.asked == []
    assert evidence.bodies == previous.bodies
    assert [entry.requested_at for entry in evidence.entries] == [
        entry.requested_at for entry in previous.entries
    ]
    assert "from earlier evidence" in evidence.entry("E-01").note


def test_what_is_too_old_is_fetched_again_but_media_never_change(make_client: Callable[..., Client]) -> None:
    previous = gather(Service(), make_client)
    service = Service()
    client = make_client(service, now=later(3))
    evidence = collect(
        client,
        "c-1",
        sessions=["s-1", "s-2"],
        payments=["p-1"],
        previous=previous,
        max_age=timedelta(hours=2),
    )
    assert not any("/media/" in asked for asked in service.asked)
    assert len(service.asked) == len(PLAN) - 5
    assert evidence.entry("E-01").requested_at == "2026-06-01T15:00:00.000Z"
    assert evidence.entry("M-01").requested_at == "2026-06-01T12:00:00.000Z"


def session_updated(at: str | None, status: str = "complete") -> Handler:
    return lambda request: reply({"id": session_of(request), "status": status, "updated": at})


@pytest.mark.parametrize(
    ("before", "now", "spared"),
    [
        (session_updated("2026-05-01T00:00:00Z"), session_updated("2026-05-01T00:00:00Z"), True),
        (session_updated("2026-05-01T00:00:00Z"), session_updated("2026-05-02T00:00:00Z"), False),
        (session_updated(None), session_updated(None), False),
        (session_updated("x", "review"), session_updated("x", "review"), False),
        (code(404, "session_not_found"), session_updated("2026-05-01T00:00:00Z"), False),
    ],
)
def test_media_of_a_session_that_was_not_updated_are_not_listed_again(
    before: Handler, now: Handler, *, spared: bool, make_client: Callable[..., Client]
) -> None:
    previous = gather(Service({"/onboard/sessions/[^/]+$": before}), make_client)
    service = Service({"/onboard/sessions/[^/]+$": now})
    client = make_client(service, now=later(3))
    evidence = collect(client, "c-1", sessions=["s-1", "s-2"], payments=["p-1"], previous=previous)
    listed = [asked for asked in service.asked if asked.endswith("/media-access")]
    assert len(listed) == (0 if spared else 2)
    for operation in ("onboarding.get", "onboarding.results", "bank_accounts.list", "customers.get"):
        times = {entry.requested_at for entry in evidence.select(operation)}
        assert times == {"2026-06-01T15:00:00.000Z"}  # these are always asked again
    for entry in evidence.select("onboarding.media"):
        assert (entry.requested_at == "2026-06-01T12:00:00.000Z") == spared
        assert ("from earlier evidence" in entry.note) == spared


def test_an_unchanged_customer_without_bank_access_costs_six_requests(
    make_client: Callable[..., Client],
) -> None:
    """As the table in docs/operations.md says; whatever is spared here has to be spared there."""
    routes: dict[str, Handler] = {
        "/onboard/sessions/[^/]+$": session_updated("2026-05-01T00:00:00Z"),
        "/bank-accounts$": lambda _: reply({"items": []}),
        "/source-of-wealth$": code(404, "not_found"),
    }
    previous = collect(make_client(Service(routes)), "c-1", sessions=["s-1"])
    service = Service(routes)
    again = collect(make_client(service, now=later(24)), "c-1", sessions=["s-1"], previous=previous)
    assert sorted(service.asked) == [
        "GET /v1/customers/c-1",
        "GET /v1/customers/c-1/bank-accounts",
        "GET /v1/customers/c-1/source-of-wealth",
        "GET /v1/customers/c-1/source-of-wealth?format=pdf",
        "GET /v1/onboard/sessions/s-1",
        "GET /v1/onboard/sessions/s-1/results",
    ]
    assert again.bodies == previous.bodies


def test_an_unchanged_linked_account_costs_two_requests_and_one_for_each_further_page(
    make_client: Callable[..., Client],
) -> None:
    previous = collect(make_client(Service()), "c-1")
    service = Service()
    collect(make_client(service, now=later(24)), "c-1", previous=previous)
    of_accounts = [asked for asked in service.asked if "/bank-accounts/" in asked]
    assert len(of_accounts) == 2 * 2 + 2  # two accounts, of which one has three pages


def test_a_refusal_is_always_asked_again(make_client: Callable[..., Client]) -> None:
    previous = gather(Service({"/results$": code(404, "session_not_found")}), make_client)
    evidence = collect(
        make_client(Service()), "c-1", sessions=["s-1"], previous=previous, max_age=timedelta(days=1)
    )
    assert evidence.select("onboarding.results")[0].outcome == "answered"


def test_evidence_of_another_customer_is_refused(make_client: Callable[..., Client]) -> None:
    previous = gather(Service(), make_client)
    with pytest.raises(InputError, match="another customer"):
        collect(make_client(Service()), "c-2", previous=previous)


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
                "http://127.0.0.1:1", signer=lambda _: {}, http_client=http, max_retries=0, now=lambda: START
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


def test_older_evidence_that_was_cut_off_has_the_gap_too() -> None:
    service = Service({"/transactions$": paged(lambda number, _: {"nextCursor": number}, name="cursor")})
    http = httpx.Client(transport=httpx.MockTransport(service))
    with http, Client("http://127.0.0.1:1", signer=lambda _: {}, http_client=http) as client:
        whole = collect(client, "c-1")
    first = [entry for entry in whole.entries if "cursor" not in entry.query]
    kept = {entry.id: whole.bodies[entry.id] for entry in first if entry.id in whole.bodies}
    gaps = flatten(Evidence("c-1", tuple(first), kept)).gaps
    assert (gaps["code"] == "more_not_read").sum() == 2
