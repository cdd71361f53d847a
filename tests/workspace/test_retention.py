"""What is past its date is listed, and erased by two people from every byte of the workspace; the ledger still verifies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, insert, text
from sqlalchemy.engine import make_url
from tests.workspace.case_material import MEDIA, Office, decision, open_cases, open_office

from kycpack.errors import InputError, WorkspaceError
from kycpack.workspace import Inbox, Register, schema, server_vacuum
from kycpack.workspace.entries.verify_ledger import People, check_excerpt
from kycpack.workspace.retention.retention import Retention
from kycpack.workspace.retention.retention_rules import (
    Relationship,
    RetentionPlan,
    load_rules,
    plan_retention,
    read_relationships,
)
from kycpack.workspace.samples.samples import Samples

GONE, STAYS = "customer-gone", "customer-stays"
CANARY = "CANARY{}of-the-one-who-left"
DAY = date(2026, 6, 1)
ENDED = {
    GONE: Relationship(GONE, date(2021, 6, 1), ""),
    STAYS: Relationship(STAYS, date(2021, 6, 2), ""),
}


@pytest.fixture
def office(place: str, tmp_path: Path) -> Iterator[Office]:
    for office in open_office(place, tmp_path):
        _fill(office)
        yield office


def _fill(office: Office) -> None:
    """Put something of both customers into every table, with a canary where text from outside is kept."""
    open_cases(office, {name: ("review", [MEDIA]) for name in (GONE, STAYS)})
    for case in office.cases.list():
        wanted = decision("approve", "REVIEWED", F_1="accepted")
        wanted = replace(wanted, text=f"{wanted.text} {_canary(case.customer_id, 0)}")
        office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    register, inbox = Register(office.workspace), Inbox(office.workspace)
    for name in (GONE, STAYS):
        register.add_customer(name, learned_from="import")
        register.add_session(f"session-{name}", learned_from="import", customer_id=name)
        register.add_payment(f"payment-{name}", learned_from="import", customer_id=name)
        register.intend("onboarding.create", {"customerId": name, "note": _canary(name, 1)})
        inbox.keep(json.dumps({"sessionId": f"session-{name}", "x": _canary(name, 2)}).encode())
    with office.workspace.transaction() as connection:
        for name in (GONE, STAYS):
            rows = {
                schema.completions: {"session_id": f"session-{name}", "updated": "", "learned_from": "", "learned_at": "", "state": ""},
                schema.run_customers: {"run_id": "run-1", "customer_id": name, "position": 1, "occasion": "", "entry": _canary(name, 3), "attempts": 1},
                schema.packs: {"output_id": "o", "customer_id": name, "entry": _canary(name, 4)},
                schema.due_dates: {"customer_id": name, "kind": "document", "subject": _canary(name, 5), "due_at": ""},
                schema.risk_profiles: {"customer_id": name, "profile": _canary(name, 6), "read_at": ""},
                schema.identity_marks: {"mark": _canary(name, 7), "customer_id": name, "session_id": f"session-{name}", "kind": "document"},
                schema.alike_customers: {"customer_id": "customer-a", "other_customer_id": name, "grounds": _canary(name, 9)},
            }  # fmt: skip
            for table, row in rows.items():
                connection.execute(insert(table).values(row))
    open_cases(office, {name: ("approve", []) for name in (GONE, STAYS)}, run="run-2", occasion="event")
    sample = Samples(office.ledger, office.people["anna"]).draw("run-2", 2, "7")
    for name in (GONE, STAYS):
        Samples(office.ledger).review(
            sample.sample_id, name, "agrees", f"Read it: {_canary(name, 8)}", actor=office.people["ben"]
        )


def _canary(name: str, number: int) -> str:
    return CANARY.format(number) if name == GONE else f"kept-{number}"


def _retention(office: Office, who: str) -> Retention:
    return Retention(office.ledger, office.people[who])


def _plan(office: Office) -> RetentionPlan:
    one = _retention(office, "ada")
    return plan_retention(one.known(), ENDED, load_rules(), DAY, one.open_cases())


def _erase(office: Office, proposed_by: str = "ben", started_by: str = "ada") -> int:
    plan = _plan(office)
    _retention(office, proposed_by).propose(plan)
    one = _retention(office, started_by)
    return one.finish(one.start(plan, []))


def _bytes_of(place: str, folder: Path, office: Office) -> bytes:
    """Return every byte in which the database is kept: the file and its log, or the files of all tables and indexes."""
    if "://" not in place:
        return b"".join(path.read_bytes() for path in sorted(folder.glob("kycpack.db*")))
    assert make_url(place).get_backend_name() == "postgresql"
    with office.workspace._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("CHECKPOINT"))
        query = text(
            "SELECT pg_read_binary_file(pg_relation_filepath(oid)) FROM pg_class "
            "WHERE relkind IN ('r', 'i', 't') AND pg_relation_filepath(oid) IS NOT NULL"
        )
        return b"".join(bytes(content) for content in connection.scalars(query))


def test_no_byte_of_a_customer_is_left_and_everything_of_the_others_is(
    office: Office, place: str, tmp_path: Path
) -> None:
    office.workspace._engine.dispose()  # so that the log is in the file
    before = _bytes_of(place, tmp_path, office)
    canaries = [CANARY.format(number).encode() for number in range(10)]
    assert [each for each in canaries if each not in before] == []
    rows = _erase(office)
    assert rows > 10
    after = _bytes_of(place, tmp_path, office)
    assert [each for each in canaries if each in after] == []
    assert f"session-{GONE}".encode() not in after
    assert f"payment-{GONE}".encode() not in after
    assert [number for number in range(10) if f"kept-{number}".encode() not in after] == []
    assert _retention(office, "ada").known() == {
        STAYS: {"register", "decisions"},
        "customer-a": {"register"},
    }
    report = office.ledger.verify()
    assert report.problems == []
    (erasure,) = _retention(office, "ada").erasures()
    assert (erasure.number, erasure.is_executed) == (1, True)
    assert [one["customer_id"] for one in erasure.customers] == [GONE]
    assert "MLR 2017 reg. 40" in str(erasure.customers[0]["laws"])


@pytest.mark.parametrize("place", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True)
def test_no_value_of_a_customer_is_left_in_what_the_server_knows_of_its_columns(
    office: Office, place: str, tmp_path: Path
) -> None:
    with office.workspace._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
        known = "SELECT count(*) FROM pg_stats WHERE histogram_bounds::text LIKE '%CANARY%' OR most_common_vals::text LIKE '%CANARY%'"
        assert connection.scalar(text(known)) > 3
        _erase(office)
        assert connection.scalar(text(known)) == 0
    assert b"CANARY" not in _bytes_of(place, tmp_path, office)


@pytest.mark.parametrize("place", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True)
# The first locks what is erased as well, the second only sees the moment before.
@pytest.mark.parametrize("query", ["SELECT 1 FROM sessions", "SELECT 1 FROM pg_class"])
def test_an_erasure_says_so_while_somebody_could_still_see_the_rows(
    query: str, office: Office, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_vacuum, "_WAIT_SECONDS", 1)
    reader = create_engine(place, isolation_level="REPEATABLE READ")
    with reader.connect() as connection:
        connection.scalar(text(query))
        with pytest.raises(WorkspaceError, match="another process has been reading"):
            _erase(office)
    reader.dispose()
    (erasure,) = _retention(office, "ada").erasures()
    _retention(office, "ada").finish(erasure)
    assert b"CANARY" not in _bytes_of(place, tmp_path, office)


@pytest.mark.parametrize(
    ("proposed_by", "started_by", "refusal"),
    [
        ("ben", "ben", "only an administrator"),
        ("ada", "ada", "another person has to start it"),
        ("ben", "anna", "only an administrator"),
    ],
)
def test_one_person_alone_erases_nothing(
    office: Office, proposed_by: str, started_by: str, refusal: str
) -> None:
    with pytest.raises(WorkspaceError, match=refusal):
        _erase(office, proposed_by, started_by)
    assert GONE in _retention(office, "ada").known()


def test_a_customer_who_returns_after_an_erasure_has_a_case_that_verifies(office: Office) -> None:
    _erase(office)
    open_cases(office, {GONE: ("review", [MEDIA])}, run="run-3")
    (case,) = office.cases.of_customer(GONE)
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    assert office.ledger.verify().problems == []
    assert check_excerpt(office.ledger.excerpt(case.case_id)).problems == []


def test_a_person_whom_the_proposer_enrolled_is_no_second_person(office: Office) -> None:
    office.keys.grant("mia", "administrator", actor=office.people["ada"])
    with pytest.raises(WorkspaceError, match="was enrolled or given a role by ada"):
        _erase(office, "ada", "mia")
    assert GONE in _retention(office, "ada").known()


def test_nothing_is_erased_that_nobody_proposed_or_that_has_changed_since(office: Office) -> None:
    plan = _plan(office)
    with pytest.raises(WorkspaceError, match="nobody proposed"):
        _retention(office, "ada").start(plan, [])
    _retention(office, "ben").propose(plan)
    other = plan_retention(_retention(office, "ada").known(), ENDED, load_rules(), date(2026, 6, 2))
    with pytest.raises(WorkspaceError, match="nobody proposed"):
        _retention(office, "ada").start(other, [])


def test_people_without_keys_erase_nothing(tmp_path: Path) -> None:
    for office in open_office(tmp_path / "kycpack.db", tmp_path, keys=False):
        office.cases  # noqa: B018 - opened without a case
        Register(office.workspace).add_customer(GONE, learned_from="import")
        with pytest.raises(WorkspaceError, match="two enrolled people with keys"):
            _retention(office, "ben").propose(_plan(office))


def test_an_open_case_keeps_everything_of_its_customer(office: Office) -> None:
    case = office.cases.of_customer(GONE)[0]
    office.cases.reopen(case.case_id, "Another question came up", actor=office.people["anna"])
    assert {
        (item.state, item.customer_id) for item in _plan(office).items if item.customer_id != "customer-a"
    } == {
        ("open", GONE),
        ("kept", STAYS),
    }


def test_the_ledger_shows_an_erasure_that_broke_the_rules(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as careless:  # as a program would that does not check who acts
        careless.setattr(People, "retention_refusal", lambda _self, _payload: "")
        _erase(office, "ada", "ada")
    problems = office.ledger.verify().problems
    assert any("ada proposed this erasure; another person has to start it" in each for each in problems)


DAYS = st.dates(date(1990, 1, 1), date(2060, 1, 1))


SAID = st.builds(Relationship, st.just("c"), st.none() | DAYS, st.sampled_from(["", "LIT-1"]))


@given(relationship=st.none() | SAID, as_of=DAYS)
def test_nothing_is_due_before_its_time_nor_under_a_hold_nor_without_a_date(
    relationship: Relationship | None, as_of: date
) -> None:
    given_ = {} if relationship is None else {"c": relationship}
    plan = plan_retention({"c": {"packs", "register"}}, given_, load_rules(), as_of)
    assert len(plan.items) == 2
    may_go = relationship is not None and relationship.ended_on is not None and not relationship.hold
    if not may_go:
        assert plan.due == ()
        return
    assert relationship is not None
    assert relationship.ended_on is not None
    ended = relationship.ended_on
    is_over = (as_of.year - 5, as_of.month, as_of.day) >= (ended.year, ended.month, ended.day)
    assert bool(plan.due) == is_over


def test_a_relationship_that_ended_on_29_february_is_kept_to_the_end_of_february() -> None:
    said = {"c": Relationship("c", date(2024, 2, 29), "")}
    states = [
        plan_retention({"c": {"packs"}}, said, load_rules(), day).items[0].state
        for day in (date(2029, 2, 28), date(2029, 3, 1))
    ]
    assert states == ["kept", "due"]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("customer_id,ended_on\nc,2020-01-01\n", "needs the column hold"),
        ("customer_id,ended_on,hold\nc,01/02/2020,\n", "line 2: ended_on is not a date"),
        ("customer_id,ended_on,hold\nc,2020-01-01,\nc,,\n", "line 3: customer c is named twice"),
        ("customer_id,ended_on,hold\nc,2020-01-01\n", "line 2: more or fewer values"),
    ],
)
def test_a_wrong_file_of_relationships_is_refused_and_says_where(
    tmp_path: Path, content: str, place: str
) -> None:
    path = tmp_path / "relationships.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=place):
        read_relationships(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda text_: text_.replace("years: 5", "years: 0", 1),
        lambda text_: text_.replace("covers: [packs]", "covers: [packs, decisions]"),
        lambda text_: text_.replace("covers: [packs]", "covers: [pakcs]"),
        lambda text_: text_.replace("kycpack-retention-1", "kycpack-retention-9"),
        lambda text_: text_ + "\n  : [",
    ],
)
def test_rules_that_leave_a_store_out_or_keep_it_no_time_are_refused(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    path = tmp_path / "retention.yaml"
    path.write_text(change((Path(__file__).parents[2] / "data/retention.yaml").read_text()))
    with pytest.raises(InputError, match=str(path)):
        load_rules(path)
