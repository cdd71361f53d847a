"""`inbox work` killed at random and run twice at once: each delivery settled once, each completion found once."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

import pytest
from sqlalchemy import insert
from tests.workspace.writers import begin_settling

from kycpack.workspace import Inbox, Workspace, schema
from kycpack.workspace.register.learning import learn_record

SESSIONS, DELIVERIES, KILLS = 400, 4000, 12


def _delivery(number: int) -> bytes:
    moment = "2026-05-25T09:30:00.000Z"
    ended = {"Completed": True, "Confirmed": None, "CompletedAt": moment}
    session = {
        "Id": f"s-{number}",
        "Status": "Complete",
        "Progress": {"Identity": ended, "Ais": ended},
        "Created": moment,
        "Updated": moment,
    }
    return json.dumps(
        {"Event": "onboard.session.completed", "Timestamp": moment, "Session": session}
    ).encode()


@pytest.mark.timeout(600)
def test_two_at_once_and_killed_lose_and_double_nothing(place: str, tally: Callable[..., None]) -> None:
    chance = random.Random(11)  # noqa: S311 - a replay has to be the same each time
    numbers = [*range(SESSIONS), *(chance.randrange(SESSIONS) for _ in range(DELIVERIES - SESSIONS))]
    chance.shuffle(numbers)
    with Workspace.open(place) as workspace:
        with workspace.transaction() as connection:
            for number in range(SESSIONS):
                learn_record(
                    connection,
                    workspace.timestamp(),
                    "session",
                    f"s-{number}",
                    "created",
                    customer_id=f"c-{number}",
                )
            rows = [
                {"received_at": "", "body": _delivery(number), "state": "new", "note": ""}
                for number in numbers
            ]
            connection.execute(insert(schema.deliveries), rows)
            database = connection.dialect.name
        running = [begin_settling(place), begin_settling(place)]
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.0, 0.3))
            victim = running.pop(0)
            victim.kill()
            victim.join()
            running.append(begin_settling(place))
        for working in running:
            working.join()
            assert working.exitcode == 0
        inbox = Inbox(workspace)
        counts = inbox.counts()
        found = [work.session_id for work in inbox.completions()]
    assert counts.get("new", 0) == 0
    assert sum(counts.values()) == DELIVERIES
    complete = {f"s-{number}" for number in range(SESSIONS) if number % 4}
    assert len(found) == len(set(found))
    assert set(found) == complete
    assert counts["completed"] == len(complete)
    for what, count in {
        "kills": KILLS,
        "deliveries": DELIVERIES,
        "lost": 0,
        "pieces of work": len(found),
        "doubled": 0,
    }.items():
        tally(f"inbox work, two at once, killed, {database}", what, count)
