from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import insert

from kycpack.errors import AuthenticationError, InputError, NotFoundError, TransportError
from kycpack.models.onboarding import SessionStatus
from kycpack.workspace import Inbox, Register, Workspace, reconcile, schema
from kycpack.workspace.inbox.inbox import MAX_BODY
from kycpack.workspace.register.learning import learn_record

UPDATED = "2026-05-25T09:30:00.000Z"


def delivery(session_id: str, **changes: Any) -> bytes:
    ended = {"Completed": True, "Confirmed": None, "CompletedAt": UPDATED}
    document: dict[str, Any] = {
        "Event": "onboard.session.completed",
        "Timestamp": UPDATED,
        "Session": {
            "Id": session_id,
            "Status": "Complete",
            "Progress": {"Identity": ended, "Ais": {**ended, "Completed": False}},
            "Created": UPDATED,
            "Updated": UPDATED,
        },
    }
    return json.dumps({**document, **changes}).encode()


class Truth:
    """The service's word on sessions."""

    def __init__(self, statuses: Mapping[str, str]) -> None:
        self.statuses = dict(statuses)
        self.asked: list[str] = []
        self.updated = UPDATED

    def __call__(self, session_id: str) -> SessionStatus:
        self.asked.append(session_id)
        if session_id not in self.statuses:
            raise NotFoundError("unknown", status=404)
        return SessionStatus(id=session_id, status=self.statuses[session_id], updated=self.updated)


@pytest.fixture
def inbox(workspace: Workspace) -> Inbox:
    return Inbox(workspace)


def test_a_completion_becomes_work_once(inbox: Inbox, register: Register) -> None:
    register.add_session("s-1", learned_from="created", customer_id="c-1")
    for _ in range(3):
        inbox.keep(delivery("s-1"))
    truth = Truth({"s-1": "complete"})
    report = inbox.work(truth)
    assert (report.completed, report.duplicate) == (1, 2)
    assert truth.asked == ["s-1"]
    (work,) = inbox.completions()
    assert (work.session_id, work.customer_id, work.learned_from) == ("s-1", "c-1", "webhook")
    inbox.finish(work)
    inbox.keep(delivery("s-1"))
    assert inbox.work(truth).duplicate == 1
    assert inbox.completions() == ()


def test_the_services_word_counts_and_not_the_payloads(inbox: Inbox, register: Register) -> None:
    for name in ("s-1", "s-2"):
        register.add_session(name, learned_from="created", customer_id="c-1")
    inbox.keep(delivery("s-1"))
    inbox.keep(delivery("s-2"))
    report = inbox.work(Truth({"s-1": "inprogress"}))
    assert (report.premature, report.quarantined) == (1, 1)
    assert inbox.completions() == ()
    inbox.keep(delivery("s-1"))
    assert inbox.work(Truth({"s-1": "complete"})).completed == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"Event":"onboard.session.completed"}',
        delivery("s-1", Event="payment.completed"),
        delivery("s 1"),
        delivery("../../etc/passwd\n"),
        b"[" * 1000,
    ],
)
def test_what_is_not_a_delivery_is_set_aside(inbox: Inbox, body: bytes) -> None:
    inbox.keep(body)
    truth = Truth({"s-1": "complete"})
    assert inbox.work(truth).quarantined == 1
    assert truth.asked == []
    assert inbox.counts() == {"quarantined": 1}


def test_a_delivery_that_is_too_large_is_refused(inbox: Inbox) -> None:
    with pytest.raises(InputError):
        inbox.keep(b"x" * (MAX_BODY + 1))


def test_a_session_that_the_register_does_not_know_is_held_and_nobody_is_asked(
    inbox: Inbox, register: Register
) -> None:
    for _ in range(2):
        inbox.keep(delivery("s-1"))
    truth = Truth({"s-1": "complete"})
    assert inbox.work(truth).held == 2
    assert inbox.work(truth).held == 0
    assert truth.asked == []
    assert inbox.held() == ("s-1",)
    assert inbox.completions() == ()
    register.add_session("s-1", learned_from="import", customer_id="c-1")
    report = inbox.work(truth)
    assert (report.completed, report.duplicate) == (1, 1)
    assert inbox.held() == ()
    assert [work.customer_id for work in inbox.completions()] == ["c-1"]


def test_held_sessions_are_asked_about_on_request(inbox: Inbox) -> None:
    inbox.keep(delivery("s-1"))
    inbox.keep(delivery("forged"))
    truth = Truth({"s-1": "complete"})
    assert inbox.work(truth).held == 2
    report = inbox.work(truth, ask_unknown=True)
    assert (report.completed, report.quarantined) == (1, 1)
    assert [work.customer_id for work in inbox.completions()] == [None]


def test_deliveries_wait_while_the_service_is_away(inbox: Inbox, register: Register) -> None:
    for number in range(10):
        register.add_session(f"s-{number}", learned_from="created", customer_id="c-1")
    calls: list[str] = []

    def away(session_id: str) -> SessionStatus:
        calls.append(session_id)
        raise TransportError("connection refused")

    for number in range(10):
        inbox.keep(delivery(f"s-{number}"))
    assert inbox.work(away).waiting == 10
    assert len(calls) == 3
    assert inbox.work(Truth({f"s-{number}": "complete" for number in range(10)})).completed == 10


def test_a_wrong_key_stops_the_work_and_loses_nothing(inbox: Inbox, register: Register) -> None:
    register.add_session("s-1", learned_from="created", customer_id="c-1")
    inbox.keep(delivery("s-1"))

    def refuse(_session_id: str) -> SessionStatus:
        raise AuthenticationError("who?", status=401)

    with pytest.raises(AuthenticationError):
        inbox.work(refuse)
    assert inbox.counts() == {"new": 1}


def test_a_session_that_changed_again_is_work_again(inbox: Inbox, register: Register) -> None:
    register.add_session("s-1", learned_from="created", customer_id="c-1")
    truth = Truth({"s-1": "complete"})
    inbox.keep(delivery("s-1"))
    inbox.work(truth)
    (work,) = inbox.completions()
    truth.updated = "2026-05-26T00:00:00.000Z"
    inbox.keep(delivery("s-1"))
    inbox.work(truth)
    inbox.finish(work)
    assert [each.updated for each in inbox.completions()] == [truth.updated]


def test_the_receivers_path_stays_the_same(inbox: Inbox) -> None:
    assert len(inbox.token()) >= 32
    assert inbox.token() == inbox.token()


def test_a_lost_delivery_is_found_by_asking(inbox: Inbox, workspace: Workspace, register: Register) -> None:
    for name in ("done", "open", "gone", "late"):
        register.add_session(name, learned_from="created", customer_id="c-1")
    truth = Truth({"done": "complete", "open": "inprogress", "late": "expired"})
    report = reconcile(workspace, truth)
    assert (report.completed, report.still_open, report.expired, report.unknown) == (1, 1, 1, 1)
    assert [(work.session_id, work.learned_from) for work in inbox.completions()] == [("done", "reconciler")]
    truth.asked.clear()
    reconcile(workspace, truth)
    assert sorted(truth.asked) == ["gone", "open"]


def test_reconciling_stops_when_the_service_is_away(workspace: Workspace, register: Register) -> None:
    for number in range(10):
        register.add_session(f"s-{number}", learned_from="created", customer_id="c-1")

    def away(_session_id: str) -> SessionStatus:
        raise TransportError("connection refused")

    assert reconcile(workspace, away).unanswered == 10


def test_ten_thousand_deliveries_give_one_piece_of_work_for_each_truly_completed_session(
    inbox: Inbox, workspace: Workspace, tally: Callable[..., None]
) -> None:
    chance = random.Random(20260601)  # noqa: S311 - a replay has to be the same each time
    sessions = {f"s-{number}": chance.choice(["complete"] * 3 + ["inprogress"]) for number in range(1500)}
    with workspace.transaction() as connection:
        for name in sessions:
            learn_record(connection, workspace.timestamp(), "session", name, "created", customer_id="c-1")
    truly = {name for name, status in sessions.items() if status == "complete"}
    lost = set(chance.sample(sorted(truly), 100))
    arriving, unfinished = sorted(truly - lost), sorted(set(sessions) - truly)
    sent = [delivery(name) for name in arriving]
    while len(sent) < 10_000:
        sent.append(
            chance.choice(
                [
                    delivery(chance.choice(arriving)),
                    delivery(f"forged-{chance.randrange(300)}"),
                    delivery(chance.choice(unfinished)),
                    b"not json",
                ]
            )
        )
    chance.shuffle(sent)
    rows = [{"received_at": "", "body": body, "state": "new", "note": ""} for body in sent]
    with workspace.transaction() as connection:  # as `keep` does, without ten thousand synced commits
        database = connection.dialect.name
        connection.execute(insert(schema.deliveries), rows)
    truth = Truth(sessions)
    report = inbox.work(truth)
    total = sum(asdict(report).values())
    assert total == 10_000
    assert {work.session_id for work in inbox.completions()} == truly - lost
    assert len(truth.asked) == len(set(truth.asked))

    reconcile(workspace, truth)
    found = [work.session_id for work in inbox.completions()]
    assert set(found) == truly
    assert len(found) == len(truly)
    for what, number in {
        "deliveries": total,
        "first news of a completion": report.completed,
        "duplicates": report.duplicate,
        "before completion": report.premature,
        "unreadable, set aside": report.quarantined,
        "of a session that the register does not know, held": report.held,
        "completions whose delivery was lost, found by asking": len(found) - report.completed,
        "sessions truly complete": len(truly),
        "pieces of work": len(found),
        "for a session that was not complete": len(set(found) - truly),
        "missing": len(truly - set(found)),
    }.items():
        tally(f"webhook replay, {database}", what, number)
