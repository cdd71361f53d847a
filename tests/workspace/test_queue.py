from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from sqlalchemy import insert
from tests.workspace.case_material import (
    ADDRESS,
    MEDIA,
    PEP,
    SANCTIONS,
    START,
    Office,
    open_cases,
    open_office,
)

from kycpack.assets import asset_path
from kycpack.evidence import Evidence, load_evidence
from kycpack.pack import build_review
from kycpack.render import render_queue_html
from kycpack.triage.due_dates import DueDate, due_dates
from kycpack.workspace import Decision, Workspace, schema
from kycpack.workspace.cases import Cases
from kycpack.workspace.ledger import Ledger

DAY = START.date()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "kycpack.db", tmp_path, keys=False, is_honest=True)


@pytest.fixture(scope="module")
def specimen() -> Evidence:
    return load_evidence(asset_path("samples/evidence/index.json").parent)


def test_the_hardest_comes_first_then_what_is_due_then_what_is_known_least(office: Office) -> None:
    dates = {
        "c-late": (DueDate("bank_access", "a-1", "2026-05-28T10:00:00Z"),),
        "c-soon": (DueDate("document", "s-1", "2026-06-03T23:59:59Z"),),
    }
    open_cases(
        office,
        {
            "c-soon": ("review", [MEDIA]),
            "c-known": ("review", [MEDIA]),
            "c-poor": ("review", [MEDIA, ADDRESS]),
            "c-late": ("review", [MEDIA]),
            "c-match": ("escalate", [SANCTIONS]),
        },
        dates=dates,
    )
    queue = office.cases.queue(as_of=DAY)
    assert queue["customer_id"].tolist() == ["c-match", "c-late", "c-soon", "c-poor", "c-known"]
    assert queue["place"].tolist() == [1, 2, 3, 4, 5]
    assert queue["reason"].tolist() == [
        "escalate; nothing due; opened today",
        "manual review; overdue by 4 days; opened today",
        "manual review; due 3 Jun 2026; opened today",
        "manual review; nothing due; opened today; 1 check could not be evaluated",
        "manual review; nothing due; opened today",
    ]


def test_what_two_sessions_leave_unknown_is_one_check_in_the_reason(office: Office) -> None:
    """As in the reasons of the recommendation: a check counts once, however many sessions it is unknown of."""
    other = (*ADDRESS[:4], {"session_id": "s-2"})
    more = ("ADR-2", *ADDRESS[1:])
    open_cases(office, {"c-1": ("review", [ADDRESS, other]), "c-2": ("review", [ADDRESS, other, more])})
    reasons = office.cases.queue(as_of=DAY).set_index("customer_id")["reason"]
    assert reasons["c-1"].endswith("; 1 check could not be evaluated")
    assert reasons["c-2"].endswith("; 2 checks could not be evaluated")


def test_the_order_does_not_depend_on_the_order_of_arrival(tmp_path: Path) -> None:
    orders = []
    people = {f"c-{number}": ("review", [MEDIA]) for number in range(9)}
    for number, customers in enumerate((people, dict(reversed(people.items())))):
        folder = tmp_path / str(number)
        folder.mkdir()
        for office in open_office(folder / "kycpack.db", folder, keys=False):
            open_cases(office, customers)
            orders.append(office.cases.queue(as_of=DAY)["case_id"].tolist())
    assert orders[0] == orders[1]


def _some_cases(number: int) -> list[dict[str, object]]:
    """Return cases as the table keeps them, with every state, level and date that a case may have or lack."""
    draw = random.Random(23)  # noqa: S311 - invented cases
    return [
        {
            "case_id": f"k-{draw.randrange(10**9)}",
            "customer_id": f"c-{each}",
            "occasion": draw.choice(["onboarding", "event"]),
            "state": draw.choice(["open", "waiting_for_customer", "second_review", "snoozed", "closed"]),
            "version": draw.randrange(1, 4),
            "entries": 1,
            "level": draw.choice(["review", "edd", "escalate", "reject"]),
            "top_reason": draw.choice(["", "Something was reported (E-03)", "\u00e9\u202e <b>"]),
            "assignee": draw.choice([None, "ben", "anna"]),
            "effect": draw.choice([None, "hold"]),
            "snoozed_until": draw.choice([None, "2026-07-01"]),
            "run_id": "run-1",
            "evidence_root": "1" * 64,
            "policy_digest": "2" * 64,
            "opened_at": f"2026-05-{draw.randrange(20, 32)}T{draw.randrange(24):02}:00:00.000000Z",
            "changed_at": "2026-05-01T00:00:00.000000Z",
            "due_on": draw.choice([None, "2026-05-25", "2026-06-01", "2026-06-09"]),
            "findings": "[]",
            "finding_count": 4,
            "open_count": draw.randrange(4),
            "unknown_count": draw.randrange(3),
        }
        for each in range(number)
    ]


def test_the_queue_is_that_of_a_plain_sort_of_its_cases(place: str) -> None:
    kept = _some_cases(400)
    with Workspace.open(place) as workspace:
        with workspace.transaction() as connection:
            connection.execute(insert(schema.cases), kept)
        queue = Cases(Ledger(workspace)).queue(as_of=DAY)
    by_severity = ["reject", "escalate", "edd", "review"]
    expected = sorted(
        (case for case in kept if case["state"] != "closed"),
        key=lambda case: (
            by_severity.index(str(case["level"])),
            case["due_on"] or "9",
            str(case["opened_at"])[:10],
            -int(str(case["unknown_count"])),
            case["case_id"],
        ),
    )
    assert 200 < len(expected) < 400
    for name in expected[0].keys() & set(queue.columns):
        column = queue[name].astype(object)
        assert column.where(column.notna(), None).tolist() == [case[name] for case in expected], name
    opened = [dt.date.fromisoformat(str(case["opened_at"])[:10]) for case in expected]
    assert queue["age_days"].tolist() == [(DAY - day).days for day in opened]
    late = {"2026-05-25": 7}
    assert queue["overdue_days"].astype(object).where(queue["overdue_days"].notna(), None).tolist() == [
        late.get(str(case["due_on"])) for case in expected
    ]
    for case, reason in zip(expected, queue["reason"], strict=True):
        assert ("hold in force" in reason) == (case["effect"] == "hold")
        assert ("overdue by 7 days" in reason) == (case["due_on"] == "2026-05-25")
        assert ("due 9 Jun 2026" in reason) == (case["due_on"] == "2026-06-09")
        assert ("could not be evaluated" in reason) == (case["unknown_count"] != 0)


def test_who_waits_for_whom(office: Office) -> None:
    open_cases(office, {name: ("review", [MEDIA]) for name in ("c-1", "c-2", "c-3")})
    ids = {case.customer_id: case.case_id for case in office.cases.list()}
    office.cases.assign(ids["c-1"], "ben", actor=office.people["anna"])
    office.cases.wait(ids["c-2"], "Asked the customer for a letter", actor=office.people["anna"])
    queue = office.cases.queue(as_of=DAY).set_index("customer_id")
    assert queue["waits_for"].to_dict() == {
        "c-1": "ben",
        "c-2": "the customer",
        "c-3": "somebody to take it on",
    }


def test_a_held_case_waits_for_its_assignee_or_the_mlro(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    held = Decision("hold", "PRECAUTION", "F-1: nobody has explained what was reported so far")
    office.cases.decide(case.case_id, held, version=case.version, actor=office.people["anna"])
    assert office.cases.queue(as_of=DAY)["waits_for"].tolist() == ["the MLRO"]
    office.cases.assign(case.case_id, "ben", actor=office.people["anna"])
    assert office.cases.queue(as_of=DAY)["waits_for"].tolist() == ["ben"]


def test_a_closed_case_is_in_the_calendar_only(office: Office) -> None:
    open_cases(
        office,
        {"c-1": ("approve", [])},
        dates={"c-1": (DueDate("next_review", "", "2027-06-01T23:59:59Z"),)},
    )
    assert office.cases.queue(as_of=DAY).empty
    calendar = office.cases.calendar
    assert calendar[["due_on", "kind", "customer_id", "case_id"]].to_numpy().tolist() == [
        ["2027-06-01", "next_review", "c-1", ""]
    ]


def test_a_later_run_moves_the_dates(office: Office) -> None:
    customers = {"c-1": ("edd", [PEP])}
    open_cases(office, customers, dates={"c-1": (DueDate("bank_access", "a-1", "2026-06-05T00:00:00Z"),)})
    open_cases(
        office,
        customers,
        root="2" * 64,
        run="run-2",
        dates={"c-1": (DueDate("bank_access", "a-1", "2026-09-05T00:00:00Z"),)},
    )
    assert office.cases.calendar["due_on"].tolist() == ["2026-09-05"]
    assert office.cases.queue(as_of=DAY)["due_on"].tolist() == ["2026-09-05"]


def test_dates_come_from_what_the_service_lets_run_out(specimen: Evidence) -> None:
    review = build_review(specimen, as_of="2026-06-30T12:00:00Z")
    found = due_dates(review.tables, review.as_of)[specimen.customer_id]
    kinds = {each.kind: each.due_at for each in found}
    assert kinds["document"] == "2026-08-02T23:59:59Z"
    assert kinds["next_review"] == "2027-06-30T23:59:59Z"
    assert kinds["bank_access"].startswith("2026-09-18")
    # A session that is complete has nothing left to run out; one of unknown state and age has no date.
    assert "session" not in kinds


def test_an_open_session_runs_out_after_seven_days_and_a_link_after_two_hours() -> None:
    created = pd.Timestamp("2026-06-01T09:00:00Z")
    columns = {
        "sessions": {
            "session_id": ["s-1"],
            "status": ["pending"],
            "created_at": [created],
            "expires_at": [pd.NaT],
        },
        "accounts": {"account_id": [], "token_expires_at": []},
        "media": {"media_id": ["m-1"], "downloaded": [False]},
        "documents": {"session_id": [], "kind": [], "expires_on": []},
        "recommendations": {"next_review_on": []},
    }
    frames = {
        name: pd.DataFrame({"customer_id": ["c-1"] * len(next(iter(given.values()))), **given})
        for name, given in columns.items()
    }
    found = due_dates(frames, dt.datetime(2026, 6, 2, 12, tzinfo=dt.UTC))["c-1"]
    assert [(each.kind, each.due_at) for each in found] == [
        ("media", "2026-06-02T14:00:00Z"),
        ("session", "2026-06-08T09:00:00Z"),
    ]


def test_the_page_shows_hostile_text_and_loads_nothing(office: Office) -> None:
    open_cases(office, {"<script>x</script>": ("review", [MEDIA])})
    page = render_queue_html(office.cases.queue(as_of=DAY), office.cases.calendar, DAY)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src &#39;none&#39;" in page
