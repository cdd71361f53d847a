"""Times of a session that cannot follow one another are a finding."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.frames.evidence_maker import STATUS
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put


def at(created: str, completed: str, updated: str) -> Any:
    status = copy.deepcopy(STATUS)
    status["created"], status["updated"] = created, updated
    status["progress"]["identity"]["completedAt"] = completed
    return status


@pytest.mark.parametrize(
    ("created", "completed", "updated"),
    [
        ("2026-06-10T10:00:00Z", "2026-06-10T10:20:00Z", "2026-06-10T10:20:00Z"),
        ("2026-06-10T10:00:00Z", "2026-06-10T09:58:00Z", "2026-06-10T10:20:00Z"),
        ("2026-06-10T10:00:00Z", "2026-06-12T10:20:00Z", "2026-06-12T10:18:00Z"),
        ("2026-06-10T10:00:00+02:00", "2026-06-10T08:20:00Z", "2026-06-10T09:20:00Z"),
        ("2026-06-03T10:00:00Z", "2026-06-10T09:58:00Z", "2026-06-10T10:20:00Z"),
    ],
)
def test_times_in_order_are_no_finding(created: str, completed: str, updated: str) -> None:
    made = triage(status=at(created, completed, updated))
    assert finding(made, "SES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("created", "completed", "updated", "said"),
    [
        ("2026-06-11T10:00:00Z", "2026-06-10T03:20:00Z", "2026-06-11T10:20:00Z", "its identity part was finished before it was created"),
        ("2026-06-11T10:00:00Z", "2026-06-11T09:50:00Z", "2026-06-11T10:20:00Z", "its identity part was finished before it was created"),
        ("2026-06-11T10:00:00Z", "2026-06-11T10:10:00Z", "2026-06-09T10:20:00Z", "it was last changed before it was created"),
        ("2026-05-30T10:00:00Z", "2026-06-10T10:10:00Z", "2026-06-10T10:20:00Z", "its identity part was finished after it had expired"),
    ],
)  # fmt: skip
def test_times_out_of_order_are_a_finding(created: str, completed: str, updated: str, said: str) -> None:
    made = triage(status=at(created, completed, updated))
    assert finding(made, "SES-5")["outcome"] == "HIT"
    assert said in finding(made, "SES-5")["sentence"]
    assert level(made) != "approve"


@pytest.mark.parametrize("created", ["0001-01-01T00:00:00Z", "0001-02-01T00:00:00Z", "2026-06-10T10:00:00Z"])
@pytest.mark.parametrize("completed", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
def test_a_placeholder_at_the_edge_of_the_calendar_stops_no_review(created: str, completed: str) -> None:
    for updated in ("2026-06-10T10:20:00Z", completed):
        status = at(created, completed, updated)
        made = triage(status=status, results=put("screening.listDate", "2026-05-01"))
        assert level(made) != "approve"
