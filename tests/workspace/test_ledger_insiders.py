"""What members of staff might write past kycpack: with their own keys into the ledger, or with SQL into the tables beside it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from tests.workspace.case_material import (
    MEDIA,
    OUTSIDE,
    SANCTIONS,
    START,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)

from kycpack.errors import InputError, WorkspaceError
from kycpack.triage import load_policy
from kycpack.workspace import Decision, schema
from kycpack.workspace.cases.case_records import Case
from kycpack.workspace.cases.policies import Policies
from kycpack.workspace.entries.ledger_writer import KYCPACK
from kycpack.workspace.entries.signing import Actor, make_key
from kycpack.workspace.entries.verify_ledger import check_ledger, is_key, is_same_name, verify_ed25519

IDENTITY_POINT = (1).to_bytes(32, "little")


@pytest.fixture
def office(place: str, tmp_path: Path) -> Any:
    yield from open_office(place, tmp_path)


def _cases(office: Office) -> tuple[Case, Case]:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS]), "c-2": ("review", [MEDIA])})
    return office.cases.of_customer("c-1")[0], office.cases.of_customer("c-2")[0]


def _decided(office: Office, case: Case) -> Case:
    cleared = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE))
    return office.cases.decide(case.case_id, cleared, version=case.version, actor=office.people["anna"])


def _write(office: Office, kind: str, case: Case | None, who: Actor, **data: Any) -> None:
    """Write an entry as kycpack's own writer would, but for the rules about what may be decided."""
    about: dict[str, Any] = {"case_id": case.case_id, "case_entry": case.entries + 1} if case else {}
    given = {"customer_id": case.customer_id, **data} if case else data
    with office.ledger.writing() as writer:
        writer.append(kind, given, actor=who, **about)


def _looked_at(office: Office, case: Case, **altered: Any) -> dict[str, Any]:
    policy = load_policy()
    return {
        "evidence_root": case.evidence_root,
        "run_id": case.run_id,
        "policy": {"id": policy.id, "version": policy.version, "digest": case.policy_digest},
        "level": case.level,
        "findings": [
            {"id": each.finding_id, "rule": each.rule_id, "outcome": each.outcome, "level": each.level}
            for each in case.findings
        ],
    } | altered


def _decide_past_the_rules(office: Office, outcome: str = "approve", **altered: Any) -> None:
    case, _ = _cases(office)
    looked_at = _looked_at(office, case, **altered)
    who = office.people["anna"]
    _write(
        office,
        "case.decided",
        case,
        who,
        decision_id="D",
        outcome=outcome,
        state="closed",
        looked_at=looked_at,
    )


def without_a_finding(office: Office) -> None:
    _decide_past_the_rules(office, findings=[])


def on_a_milder_finding(office: Office) -> None:
    milder = {"id": "F-1", "rule": "DOC-1", "outcome": "HIT", "level": "review"}
    _decide_past_the_rules(office, findings=[milder])


def on_a_milder_level(office: Office) -> None:
    _decide_past_the_rules(office, level="review")


def on_other_evidence(office: Office) -> None:
    _decide_past_the_rules(office, evidence_root="2" * 64)


def by_another_policy(office: Office) -> None:
    _decide_past_the_rules(office, policy={"digest": "3" * 64})


def another_outcome_is_approved(office: Office) -> None:
    case = _decided(office, _cases(office)[0])
    _write(
        office,
        "case.approved",
        case,
        office.people["mia"],
        decision_id=case.decision_id,
        outcome="reject",
        state="closed",
    )


def waiting_closes(office: Office) -> None:
    _write(office, "case.waiting", _cases(office)[0], office.people["anna"], reason="Asked", state="closed")


def a_run_closes(office: Office) -> None:
    _write(office, "case.updated", _cases(office)[0], KYCPACK, reason="the date was reached", state="closed")


def sending_back_opens(office: Office) -> None:
    _write(office, "case.returned", _cases(office)[0], office.people["anna"], text="Look again", state="open")


def opened_twice(office: Office) -> None:
    _write(office, "case.opened", _cases(office)[0], KYCPACK, state="open")


def about_another_customer(office: Office) -> None:
    _write(
        office,
        "case.waiting",
        _cases(office)[0],
        office.people["anna"],
        customer_id="c-2",
        state="waiting_for_customer",
    )


def ledger_opened_twice(office: Office) -> None:
    _write(office, "ledger.opened", None, KYCPACK, ledger_id="0")


def by_a_withdrawn_policy(office: Office) -> None:
    policies = Policies(office.ledger)
    policies.approve(load_policy(), "In force from June on", actor=office.people["sam"])
    policies.withdraw(load_policy(), "A rule was wrong", actor=office.people["sam"])
    _decide_past_the_rules(office, "reject")


@pytest.mark.parametrize(
    ("write", "problem"),
    [
        (without_a_finding, "decided without F-1 of the case"),
        (on_a_milder_finding, "decided without F-1 of the case"),
        (on_a_milder_level, "on another level than the case had"),
        (on_other_evidence, "on another evidence root than the case had"),
        (by_another_policy, "by another policy than the case was judged by"),
        (by_a_withdrawn_policy, "by a policy that was withdrawn"),
        (another_outcome_is_approved, "approves another outcome than the one that was decided"),
        (waiting_closes, "case.waiting cannot leave a case closed"),
        (a_run_closes, "case.updated cannot leave a case closed"),
        (sending_back_opens, "case.returned cannot leave a case open"),
        (opened_twice, "a case is opened by its first entry and by no other"),
        (about_another_customer, "about another customer than the entries of its case before it"),
        (ledger_opened_twice, "a ledger is opened by its first entry and by no other"),
    ],
)  # fmt: skip
def test_an_entry_that_no_rule_allows_is_found_though_it_is_signed(
    office: Office, write: Callable[[Office], None], problem: str
) -> None:
    write(office)
    assert any(problem in each for each in check_ledger(office.ledger.entries()).problems)


def test_an_entry_that_is_dated_back_and_does_not_say_so_is_found(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, _ = _cases(office)
    office.clock.moment = START - timedelta(days=30)
    office.cases.wait(case.case_id, "Asked for a letter", actor=office.people["anna"])
    assert check_ledger(office.ledger.entries()).problems == []
    monkeypatch.setattr("kycpack.workspace.entries.ledger_writer._last", _last_without_its_time)
    office.clock.moment = START - timedelta(days=60)
    office.cases.resume(case.case_id, "The letter came", actor=office.people["anna"])
    (problem,) = check_ledger(office.ledger.entries()).problems
    assert "dated before the entry before it" in problem


def _last_without_its_time(connection: Any) -> tuple[int, str, dict[str, Any]]:
    row = connection.exec_driver_sql("SELECT seq, hash FROM ledger_entries ORDER BY seq DESC").first()
    return int(row.seq), str(row.hash), {"people_entries": 7}


@pytest.mark.parametrize("twin", ["Anna", "ANNA", "\uff41nna"])
def test_nobody_is_enrolled_under_another_spelling_of_a_name(
    office: Office, tmp_path: Path, twin: str
) -> None:
    key = make_key(tmp_path / "twin.pem")
    with pytest.raises(WorkspaceError, match="another spelling"):
        office.keys.enrol(twin, key.public_key, actor=office.people["ada"])


@pytest.mark.parametrize(
    ("enrolled", "twin"),
    [
        ("Acop Opec", "\u0410\u0441\u043e\u0440 \u041e\u0440\u0435\u0441"),  # all of it Cyrillic
        ("NAKIM", "\u039d\u0391\u039a\u0399\u039c"),  # all of it Greek
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Romy", "Rorny"),
    ],
)
def test_nobody_is_enrolled_under_a_name_that_looks_the_same(
    office: Office, tmp_path: Path, enrolled: str, twin: str
) -> None:
    ada = office.people["ada"]
    for first, second in ((enrolled, twin), (twin, enrolled)):
        assert is_same_name(first, second)
    office.keys.enrol(enrolled, make_key(tmp_path / "one.pem").public_key, actor=ada)
    with pytest.raises(WorkspaceError, match="looks the same"):
        office.keys.enrol(twin, make_key(tmp_path / "two.pem").public_key, actor=ada)


@pytest.mark.parametrize("name", ["\u0410nna", "Anna \u0421mith", "\u039fna", "Anna-M\u0430ria"])
def test_a_word_of_two_scripts_is_no_name(office: Office, tmp_path: Path, name: str) -> None:
    key, ada = make_key(tmp_path / "mixed.pem").public_key, office.people["ada"]
    with pytest.raises(InputError, match=r"mixes letters of (Cyrillic|Greek) and Latin"):
        office.keys.enrol(name, key, actor=ada)
    with office.ledger.writing() as writer, pytest.raises(WorkspaceError, match="mixes letters"):
        writer.append("key.enrolled", {"name": name, "public_key": key}, actor=ada)


@pytest.mark.parametrize(
    "name",
    [
        "Zo\u00eb M\u00fcller-\u0141\u0119cki", "\u0410\u043d\u043d\u0430 Smith", "\u7530\u4e2d\u3055\u304f\u3089", "Ke\u02bbala O\u2019Brien",
        "\u0645\u062d\u0645\u062f \u0639\u0644\u064a", "analyst 2", "\u0939\u093f\u0928\u094d\u0926\u0940",
    ],
)  # fmt: skip
def test_names_of_the_world_are_names(office: Office, tmp_path: Path, name: str) -> None:
    ada = office.people["ada"]
    office.keys.enrol("analyst 1", make_key(tmp_path / "one.pem").public_key, actor=ada)
    office.keys.enrol(name, make_key(tmp_path / "two.pem").public_key, actor=ada)
    assert check_ledger(office.ledger.entries()).problems == []


def test_a_second_spelling_that_looks_the_same_is_no_second_person(tmp_path: Path) -> None:
    """Without keys nobody is enrolled as a second person has to be, and a name is all there is."""
    for office in open_office(tmp_path / "names.db", tmp_path, keys=False):
        case, _ = _cases(office)
        office.people["anna"] = Actor("Alice")
        case = _decided(office, case)
        with pytest.raises(WorkspaceError, match="somebody else has to be the second person"):
            office.cases.approve(
                case.case_id, "Compared the entry of the list", version=case.version, actor=Actor("AIice")
            )


def test_two_forms_of_an_accent_and_two_blanks_are_one_name(office: Office, tmp_path: Path) -> None:
    ada = office.people["ada"]
    office.keys.enrol("Am\u00e9lie Roy", make_key(tmp_path / "one.pem").public_key, actor=ada)
    for number, twin in enumerate(("Ame\u0301lie Roy", "Am\u00e9lie  Roy")):
        with pytest.raises(WorkspaceError, match="another spelling"):
            office.keys.enrol(twin, make_key(tmp_path / f"{number}.pem").public_key, actor=ada)


def test_a_key_for_which_anybody_can_sign_is_not_enrolled(office: Office) -> None:
    assert verify_ed25519(IDENTITY_POINT, b"anything", IDENTITY_POINT + bytes(32))
    assert not is_key(IDENTITY_POINT.hex())
    with pytest.raises(WorkspaceError, match="one person alone"):
        office.keys.enrol("weak", IDENTITY_POINT.hex(), actor=office.people["ada"])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE cases SET level = 'review' WHERE customer_id = 'c-1'",
        "UPDATE cases SET findings = '[]' WHERE customer_id = 'c-1'",
        'UPDATE cases SET findings = replace(findings, \'"disposition": ""\', \'"disposition": "accepted"\')',
        "UPDATE cases SET effect = NULL",
        "UPDATE cases SET outcome = 'approve'",
        "UPDATE cases SET decision_id = 'another'",
        "UPDATE cases SET reopens_on = '2099-01-01'",
        "UPDATE cases SET assignee = 'ben'",
        "UPDATE cases SET snoozed_until = '2099-01-01'",
        "UPDATE cases SET evidence_root = 'another'",
        "UPDATE cases SET run_id = 'another'",
        "UPDATE cases SET policy_digest = 'another'",
        "DELETE FROM cases WHERE customer_id = 'c-1'",
        "UPDATE policies SET state = 'approved'",
        "UPDATE ledger_payloads SET kind = 'forgotten' WHERE kind = 'role.granted'",
        "UPDATE ledger_payloads SET case_id = NULL WHERE kind = 'case.decided'",
        "UPDATE ledger_payloads SET payload = replace(payload, 'sanctions', 'media')",
        "DELETE FROM ledger_payloads WHERE kind = 'case.decided'",
        "UPDATE ledger_entries SET signature = NULL WHERE seq = 5",
        "UPDATE ledger_entries SET hash = digest WHERE seq = 5",
    ],
)
def test_a_table_that_was_changed_beside_the_ledger_is_found(office: Office, statement: str) -> None:
    case, other = _cases(office)
    office.cases.decide(
        case.case_id, decision("hold", "PRECAUTION"), version=case.version, actor=office.people["anna"]
    )
    office.cases.snooze(
        other.case_id, START.date() + timedelta(days=9), "The archive answers", actor=office.people["anna"]
    )
    office.cases.assign(other.case_id, "anna", actor=office.people["anna"])
    assert office.ledger.verify().problems == []
    with office.workspace.transaction() as connection:
        connection.exec_driver_sql(statement)
    assert office.ledger.verify().problems


def test_a_policy_that_was_softened_where_it_is_kept_decides_nothing(office: Office) -> None:
    case, _ = _cases(office)
    softer = load_policy().source.replace(b"alone_up_to: review", b"alone_up_to: reject")
    with office.workspace.transaction() as connection:
        connection.execute(update(schema.policies).values(source=softer))
    assert any("does not have this digest" in each for each in office.ledger.verify().problems)
    with pytest.raises(WorkspaceError, match="was changed in the workspace"):
        _decided(office, case)


@pytest.mark.parametrize(
    "text",
    [
        "F-1 8e742d8d-6104-4c0c-9a0a-67fdf6740b33 E-03 SAN-1",
        "F-1: a \u3164\uffa0\u115f\u1160\u3164\uffa0\u115f\u1160\u3164\uffa0\u115f\u1160",
    ],
)  # fmt: skip
def test_ids_of_any_kind_and_unseen_letters_are_no_reason(office: Office, text: str) -> None:
    case, _ = _cases(office)
    held = Decision("hold", "PRECAUTION", text)
    with pytest.raises(InputError):
        office.cases.decide(case.case_id, held, version=case.version, actor=office.people["anna"])
