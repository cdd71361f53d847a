from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import insert
from tests.workspace.case_material import (
    ADDRESS,
    MEDIA,
    OUTSIDE,
    PEP,
    SANCTIONS,
    START,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)

from kycpack.assets import asset_path
from kycpack.evidence import Evidence, load_evidence
from kycpack.pack import build_review
from kycpack.render import render_queue_html
from kycpack.triage import load_policy
from kycpack.triage.observations.due_dates import DueDate, due_dates
from kycpack.workspace import Decision, Disposition, Workspace, schema
from kycpack.workspace.cases.cases import Cases
from kycpack.workspace.cases.queue import preview_words
from kycpack.workspace.ledger.ledger import Ledger

DAY = START.date()
FOREIGN = ("CTY-1", "HIT", "edd", "record.country")


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
        "escalate; no date runs out; opened today",
        "manual review; bank access ended 4 days ago; opened today",
        "manual review; identity document ends 3 Jun 2026; opened today",
        "manual review; no date runs out; opened today; 1 check without a result",
        "manual review; no date runs out; opened today",
    ]


def test_what_two_sessions_leave_unknown_is_one_check_in_the_reason(office: Office) -> None:
    """As in the reasons of the recommendation: a check counts once, however many sessions it is unknown of."""
    other = (*ADDRESS[:4], {"session_id": "s-2"})
    more = ("ADR-2", *ADDRESS[1:])
    open_cases(office, {"c-1": ("review", [ADDRESS, other]), "c-2": ("review", [ADDRESS, other, more])})
    reasons = office.cases.queue(as_of=DAY).set_index("customer_id")["reason"]
    assert reasons["c-1"].endswith("; 1 check without a result")
    assert reasons["c-2"].endswith("; 2 checks without a result")


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
        assert ("ended 7 days ago" in reason) == (case["due_on"] == "2026-05-25")
        assert ("ends 9 Jun 2026" in reason) == (case["due_on"] == "2026-06-09")
        assert ("without a result" in reason) == (case["unknown_count"] != 0)


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


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("media", "link to a file"),
        ("session", "session"),
        ("bank_access", "bank access"),
        ("document", "identity document"),
    ],
)
def test_a_date_says_what_ends_on_it_and_does_not_read_as_a_deadline(
    office: Office, kind: str, words: str
) -> None:
    dates = {
        "c-1": (
            DueDate(kind, "s-1", "2026-06-05T10:00:00Z"),
            DueDate("next_review", "", "2026-06-02T23:59:59Z"),
        )
    }
    open_cases(office, {"c-1": ("review", [MEDIA]), "c-2": ("review", [MEDIA])}, dates=dates)
    first, second = office.cases.list()
    assert (first.due_on, first.due_kind, first.due_words) == ("2026-06-05", kind, f"5 Jun 2026 ({words})")
    assert (second.due_on, second.due_kind, second.due_words) == (None, None, "")
    queue = office.cases.queue(as_of=DAY)
    assert queue["due_kind"].astype(object).where(queue["due_kind"].notna(), None).tolist() == [kind, None]
    assert queue["reason"].iloc[0] == f"manual review; {words} ends 5 Jun 2026; opened today"
    assert office.cases.frame()["due_kind"].tolist()[0] == kind
    page = render_queue_html(queue, office.cases.calendar, DAY)
    assert f"{words} ends 5 Jun 2026" in page
    assert "not a deadline for the decision" in page
    # Another run has another date first.
    moved = {"c-1": (DueDate("session", "s-2", "2026-06-03T10:00:00Z"),)}
    open_cases(office, {"c-1": ("review", [MEDIA])}, dates=moved, root="2" * 64, run="run-2")
    assert office.cases.list()[0].due_words == "3 Jun 2026 (session)"


def test_the_end_of_a_snooze_and_of_an_approval_are_named_as_such(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA]), "c-2": ("review", [MEDIA])})
    ids = {case.customer_id: case.case_id for case in office.cases.list()}
    anna = office.people["anna"]
    office.cases.snooze(ids["c-1"], dt.date(2026, 7, 1), "The register answers in July", actor=anna)
    approved = Decision(
        "approve", "REVIEWED", "F-1: the article is about somebody else", {"F-1": Disposition("accepted")}
    )
    closed = office.cases.decide(ids["c-2"], approved, version=1, actor=anna)
    assert office.cases.queue(as_of=DAY)["waits_for"].tolist() == ["the end of the snooze, 1 Jul 2026"]
    assert office.cases.calendar[["due_on", "meaning", "case_id"]].to_numpy().tolist() == [
        ["2026-07-01", "The snoozed case is taken up again", ids["c-1"]],
        [closed.reopens_on, "The approval or escalation ends and the case opens again", ids["c-2"]],
    ]


@pytest.mark.parametrize(
    ("finding", "outcome", "decider", "waits"),
    [
        (SANCTIONS, "approve", "anna", "a second person (MLRO)"),
        (SANCTIONS, "approve", "mia", "a second person"),
        (FOREIGN, "approve", "anna", "a second person (senior manager)"),
        (MEDIA, "escalate", "anna", "a second person"),
    ],
)
def test_a_case_in_second_review_says_which_role_its_second_person_needs(
    office: Office, finding: Any, outcome: str, decider: str, waits: str
) -> None:
    open_cases(office, {"c-1": ("escalate", [finding])})
    (case,) = office.cases.list()
    for item in load_policy().decisions.checklist:
        office.cases.check(case.case_id, item, "E-07, pay slips", actor=office.people["anna"])
    verdict = said("false_positive", **OUTSIDE) if finding == SANCTIONS else said("inconclusive")
    codes = {
        "approve": "FALSE-POSITIVE" if finding == SANCTIONS else "EXPLAINED",
        "escalate": "SUSPECTED-MATCH",
    }
    wanted = decision(outcome, codes[outcome], F_1=verdict)
    version = office.cases.get(case.case_id).version
    office.cases.decide(case.case_id, wanted, version=version, actor=office.people[decider])
    queue = office.cases.queue(as_of=DAY)
    assert queue["waits_for"].tolist() == [waits]
    assert waits in render_queue_html(queue, office.cases.calendar, DAY)


def test_both_roles_are_named_where_both_are_needed(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS, PEP])})
    (case,) = office.cases.list()
    for item in load_policy().decisions.checklist:
        office.cases.check(case.case_id, item, "E-07, pay slips", actor=office.people["anna"])
    cleared = said("false_positive", **OUTSIDE)
    wanted = decision("approve", "FALSE-POSITIVE", F_1=cleared, F_2="accepted")
    version = office.cases.get(case.case_id).version
    office.cases.decide(case.case_id, wanted, version=version, actor=office.people["anna"])
    assert office.cases.queue(as_of=DAY)["waits_for"].tolist() == ["a second person (MLRO, senior manager)"]


def test_a_queue_of_a_day_to_come_says_that_it_is_a_preview(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA]), "c-2": ("review", [MEDIA])})
    (case, _) = office.cases.list()
    anna = office.people["anna"]
    office.cases.snooze(case.case_id, dt.date(2026, 6, 4), "The register answers then", actor=anna)
    later = dt.date(2026, 6, 8)
    queue, calendar = office.cases.queue(as_of=later), office.cases.calendar
    assert queue["age_days"].tolist() == [7, 7]
    said_so = preview_words(calendar, later, DAY)
    assert said_so == (
        "A preview of 8 Jun 2026: the cases as they are today, 1 Jun 2026, with the ages and dates of that day. By then, "
        "1 case is to be opened again or taken up, since a snooze or an approval ends; what runs find until then is not known."
    )
    assert said_so in render_queue_html(queue, calendar, later, preview=said_so)
    assert "no case is to be opened again" in preview_words(calendar, dt.date(2026, 6, 3), DAY)
    assert preview_words(calendar, DAY, DAY) == preview_words(calendar, dt.date(2026, 5, 1), DAY) == ""
    assert "preview" not in render_queue_html(queue, calendar, DAY)


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


@pytest.mark.parametrize(
    ("created", "ends_at"),
    [("2026-06-01T09:00:00Z", "2026-06-08T09:00:00Z"), ("9999-12-31T00:00:00Z", "9999-12-31T23:59:59Z")],
)
def test_an_open_session_runs_out_after_seven_days_and_a_link_after_two_hours(
    created: str, ends_at: str
) -> None:
    columns = {
        "sessions": {
            "session_id": ["s-1"],
            "status": ["pending"],
            "created_at": [pd.Timestamp(created).as_unit("us")],
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
        ("session", ends_at),
    ]


def test_the_page_shows_hostile_text_and_loads_nothing(office: Office) -> None:
    open_cases(office, {"<script>x</script>": ("review", [MEDIA])})
    page = render_queue_html(office.cases.queue(as_of=DAY), office.cases.calendar, DAY)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src &#39;none&#39;" in page


def test_an_approval_before_which_something_is_missing_is_not_called_plain_in_the_queue(
    office: Office,
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    queue = office.cases.queue(as_of=DAY).assign(level="approve")
    queue["top_reason"] = ["No finding stands against approval."]
    assert "Approve</dt>" in render_queue_html(queue, office.cases.calendar, DAY)
    queue["top_reason"] = ["The customer risk file has to be obtained."]
    page = render_queue_html(queue, office.cases.calendar, DAY)
    assert page.count("Approve once conditions are met<") == 2
    assert "Approve<" not in page
