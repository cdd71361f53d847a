"""What earlier evidence spares the next collection of a customer."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.api.scripted_service import PLAN, Handler, Service, code, gather, reply, session_of, statement

import kycpack as kp
from kycpack.api import Client, collect
from kycpack.api.listed_records import ListedRecords
from kycpack.api.unchanged import record_digest
from kycpack.batch.customer_record import cause_of, record_problem
from kycpack.errors import InputError
from kycpack.evidence import Evidence
from kycpack.models.customers import Customer

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


COSTS: dict[str, list[str]] = {
    "customer": ["GET /v1/customers/c-1"],
    "session": ["GET /v1/onboard/sessions/s-1"],
    "results": ["GET /v1/onboard/sessions/s-1/results"],
    "bank accounts": ["GET /v1/customers/c-1/bank-accounts"],
    "statement, JSON": ["GET /v1/customers/c-1/source-of-wealth"],
    "statement, PDF": ["GET /v1/customers/c-1/source-of-wealth?format=pdf"],
    "balance, transactions": [],  # of each linked account
}
"""What the first column of the table in docs/operations.md calls each request of an unchanged customer."""


def test_the_page_for_operators_gives_a_reason_for_each_request(checkout: Path) -> None:
    page = (checkout / "docs/operations.md").read_text(encoding="utf-8")
    table = page.partition("### What an unchanged customer costs")[2].partition("\n###")[0]
    rows = dict(
        re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table.partition("Media and their list")[0], re.MULTILINE)
    )
    reasons = {name: why for name, why in rows.items() if name not in {"request", "---"}}
    assert reasons.keys() == COSTS.keys()
    assert all(len(why.split()) > 4 for why in reasons.values())


@pytest.mark.parametrize(
    ("answer", "spared"),
    [
        (code(404, "not_found"), {"statement, JSON", "statement, PDF"}),
        (code(403, "forbidden"), set()),
        (code(500, "fault"), set()),
        (statement, set()),
    ],
    ids=["no statement", "refused", "failed", "a statement"],
)
def test_what_an_unchanged_customer_without_linked_accounts_costs(
    answer: Handler, spared: set[str], make_client: Callable[..., Client]
) -> None:
    """As the table in docs/operations.md says; whatever is spared here has to be spared there."""
    routes: dict[str, Handler] = {
        "/onboard/sessions/[^/]+$": session_updated("2026-05-01T00:00:00Z"),
        "/bank-accounts$": lambda _: reply({"items": []}),
        "/source-of-wealth$": answer,
    }
    previous = collect(make_client(Service(routes)), "c-1", sessions=["s-1"])
    service = Service(routes)
    again = collect(make_client(service, now=later(24)), "c-1", sessions=["s-1"], previous=previous)
    expected = [asked for name, requests in COSTS.items() if name not in spared for asked in requests]
    assert sorted(set(service.asked)) == sorted(expected)
    assert again.bodies == previous.bodies
    assert [(entry.id, entry.subject.get("format")) for entry in again.select("source_of_wealth.get")] == [
        ("E-07", "json"),
        ("E-08", "pdf"),
    ]


RECORD = {"id": "c-1", "firstName": "Ann", "lastUpdated": "2026-05-01T00:00:00Z", "tier": 2.5}
UNCHANGED: dict[str, Handler] = {
    "/onboard/sessions/[^/]+$": session_updated("2026-05-01T00:00:00Z"),
    "/bank-accounts$": lambda _: reply({"items": []}),
    "/source-of-wealth$": code(404, "not_found"),
    "/v1/customers/[^/]+$": lambda _: reply(RECORD),
}


def digest(**changed: object) -> bytes:
    """Return the digest of the record that the service's list shows."""
    return record_digest(Customer.read({**RECORD, **changed}))


def again(
    make_client: Callable[..., Client], listed: bytes, replaced: dict[str, Handler] | None = None
) -> tuple[set[str], Evidence, Evidence]:
    """Collect twice; return what was asked the second time, and both evidences."""
    previous = collect(make_client(Service(UNCHANGED)), "c-1", sessions=["s-1"])
    service = Service({**UNCHANGED, **(replaced or {})})
    client = make_client(service, now=later(24), max_retries=0)
    found = collect(client, "c-1", sessions=["s-1"], previous=previous, listed=listed, without_record=True)
    return set(service.asked), previous, found


THREE = {asked for name in ("session", "results", "bank accounts") for asked in COSTS[name]}


def test_an_unchanged_customer_costs_three_requests(make_client: Callable[..., Client]) -> None:
    asked, previous, found = again(make_client, digest())
    assert asked == THREE
    assert found.bodies == previous.bodies
    assert [entry.id for entry in found.entries] == [entry.id for entry in previous.entries]
    pairs = list(zip(previous.entries, found.entries, strict=True))
    reused = [(before, now) for before, now in pairs if now.note.endswith("from earlier evidence")]
    assert [now.operation for _, now in reused] == [
        "customers.get",
        "onboarding.media",
        "onboarding.download",
        "onboarding.download",
        "source_of_wealth.get",
    ]
    assert all(
        before.requested_at == now.requested_at and before.status == now.status for before, now in reused
    )
    assert "list of customers shows the same record" in found.entry("E-01").note


@pytest.mark.parametrize(
    ("hours", "fetched"),
    [(24 * 30, ()), (24 * 30 + 1, ("customer", "statement, JSON")), (-1, ("customer", "statement, JSON"))],
    ids=["30 days", "older", "clock"],
)
def test_a_reused_answer_has_an_age_limit_and_media_have_none(
    hours: int, fetched: tuple[str, ...], make_client: Callable[..., Client]
) -> None:
    previous = collect(make_client(Service(UNCHANGED)), "c-1", sessions=["s-1"])
    service = Service(UNCHANGED)
    given: Any = {"previous": previous, "listed": digest(), "reuse_for": timedelta(days=30)}
    found = collect(make_client(service, now=later(hours)), "c-1", sessions=["s-1"], **given)
    more = {asked for name in fetched for asked in COSTS[name]}
    assert set(service.asked) == THREE | more
    assert found.bodies == previous.bodies


def test_what_is_reused_says_nothing_new_in_the_frames(make_client: Callable[..., Client]) -> None:
    _, previous, found = again(make_client, digest())
    before, now = (kp.flatten(one).gaps["message"].tolist() for one in (previous, found))
    assert before == now


def test_what_is_reused_every_night_is_marked_once(make_client: Callable[..., Client]) -> None:
    _, _, second = again(make_client, digest())
    service = Service(UNCHANGED)
    client = make_client(service, now=later(48))
    third = collect(client, "c-1", sessions=["s-1"], previous=second, listed=digest())
    assert set(service.asked) == THREE
    assert [entry.note for entry in third.entries] == [entry.note for entry in second.entries]


@pytest.mark.parametrize(
    ("listed", "replaced"),
    [
        (b"", {}),
        (digest(firstName="Anne"), {}),
        (digest(lastUpdated="2026-06-01T18:00:00Z"), {}),
        (digest(unknown=True), {}),
        (digest(), {"/bank-accounts$": code(401, "invalid_token")}),
        (digest(), {"/bank-accounts$": code(503, "fault")}),
        (digest(), {"/bank-accounts$": code(404, "not_found")}),
    ],
    ids=["no list", "another name", "updated", "a new member", "key refused", "no answer", "not found"],
)
def test_the_record_is_fetched_unless_the_list_shows_the_same_one(
    listed: bytes, replaced: dict[str, Handler], make_client: Callable[..., Client]
) -> None:
    asked, _, found = again(make_client, listed, replaced)
    assert "GET /v1/customers/c-1" in asked
    assert found.entry("E-01").note == ""


@pytest.mark.parametrize("first_name", ["Ann", "Anne"])
def test_a_customer_whom_the_list_shows_differently_twice_is_fetched(
    first_name: str, make_client: Callable[..., Client]
) -> None:
    shown = [{**RECORD, "firstName": name} for name in ("Ann", "Anne", first_name)]
    listed = ListedRecords(map(Customer.read, shown))
    assert listed.keys() == {"c-1"}
    asked, _, _ = again(make_client, listed["c-1"])
    assert "GET /v1/customers/c-1" in asked


def test_a_customer_whom_the_list_shows_alike_twice_is_not_fetched(
    make_client: Callable[..., Client],
) -> None:
    listed = ListedRecords(map(Customer.read, [RECORD, RECORD]))
    asked, _, _ = again(make_client, listed["c-1"])
    assert asked == THREE


def test_a_service_that_refuses_the_key_is_seen_though_the_record_is_known(
    make_client: Callable[..., Client],
) -> None:
    _, _, found = again(make_client, digest(), dict.fromkeys([*UNCHANGED, "/results$"], code(401, "no")))
    assert (cause_of(found), bool(record_problem(found))) == ("key refused", True)


def test_a_customer_who_was_deleted_after_the_list_was_read_is_not_reviewed(
    make_client: Callable[..., Client],
) -> None:
    _, _, found = again(make_client, digest(), dict.fromkeys([*UNCHANGED, "/results$"], code(404, "gone")))
    assert record_problem(found)


def test_a_missing_list_of_bank_accounts_does_not_show_that_there_is_no_statement(
    make_client: Callable[..., Client],
) -> None:
    routes = {**UNCHANGED, "/bank-accounts$": code(404, "not_found")}
    previous = collect(make_client(Service(routes)), "c-1")
    service = Service({**routes, "/source-of-wealth$": statement})
    found = collect(make_client(service, now=later(24)), "c-1", previous=previous, listed=digest())
    assert found.select("source_of_wealth.get")[0].outcome == "answered"


@pytest.mark.parametrize(
    "accounts",
    [
        lambda _: reply({"items": [{"id": "a-1"}]}),
        lambda _: reply({"items": [], "consent": "given"}),
        code(404, "not_found"),
        code(403, "forbidden"),
        code(503, "fault"),
    ],
    ids=["an account", "another form", "no longer a list", "refused", "failed"],
)
def test_a_statement_is_asked_for_when_bank_access_may_have_changed(
    accounts: Handler, make_client: Callable[..., Client]
) -> None:
    asked, _, _ = again(make_client, digest(), {"/bank-accounts$": accounts})
    assert "GET /v1/customers/c-1/source-of-wealth" in asked


def test_a_statement_that_was_there_is_asked_for_though_no_account_is_linked(
    make_client: Callable[..., Client],
) -> None:
    routes = {**UNCHANGED, "/source-of-wealth$": statement}
    previous = collect(make_client(Service(routes)), "c-1")
    service = Service(UNCHANGED)
    found = collect(make_client(service, now=later(24)), "c-1", previous=previous, listed=digest())
    assert found.select("source_of_wealth.get")[0].status == 404


def test_where_there_is_no_statement_the_pack_says_why_its_pdf_was_not_requested(
    make_client: Callable[..., Client],
) -> None:
    evidence = collect(make_client(Service({"/source-of-wealth$": code(404, "not_found")})), "c-1")
    as_json, as_pdf = evidence.select("source_of_wealth.get")
    assert (as_json.outcome, as_json.status) == ("refused", 404)
    assert (as_pdf.outcome, as_pdf.status, as_pdf.requested_at) == ("not_asked", None, None)
    gaps = kp.flatten(evidence).gaps.set_index("evidence_id")["message"]
    assert gaps[as_pdf.id] == (
        "the service's own statement as PDF was not requested, because there is no statement: the request for it as JSON was answered with 404"
    )


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
