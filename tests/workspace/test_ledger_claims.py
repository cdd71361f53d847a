"""What a key holder could write past kycpack so that a reader takes it for more than it is; the verifier finds each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import MEDIA, SANCTIONS, Office, decision, open_cases, open_office
from tests.workspace.test_ledger_words import _appended, _decision, _whole, _written

from kycpack.errors import InputError, KycpackError
from kycpack.workspace.entries import ledger_writer, verify_ledger
from kycpack.workspace.entries.signing import make_key
from kycpack.workspace.entries.verify_ledger import check_ledger, is_same_name, list_digest, main, name_fault
from kycpack.workspace.samples.samples import Samples

HIDDEN_NAMES = (
    "ben\u200b", "ben\u034f", "b\u202een", "ben\u3164", "ben\ufe0f", "ben\nmia", "", " ben", "b" * 101, "kycpack", "KYCPACK",
)  # fmt: skip


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "kycpack.db", tmp_path)


@pytest.mark.parametrize("name", HIDDEN_NAMES)
def test_nobody_is_enrolled_under_a_name_that_reads_as_another(
    office: Office, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = make_key(tmp_path / "new.pem").public_key
    with pytest.raises(KycpackError):
        office.keys.enrol(name, key, actor=office.people["ada"])
    with monkeypatch.context() as patched:
        for module in (verify_ledger, ledger_writer):
            patched.setattr(module, "name_fault", lambda _name: "")
        patched.setattr(verify_ledger.People, "name_refusal", lambda _people, _name: "")
        with office.ledger.writing() as writer:
            writer.append("key.enrolled", {"name": name, "public_key": key}, actor=office.people["ada"])
    assert any("nobody can be enrolled under this name" in each for each in _whole(office).problems)


@pytest.mark.parametrize(
    "name", ["Zoë O'Neill-Šípek", "Anna van der Berg", "山田 太郎", "محمد علي", "Nguyễn Thị Hà"]
)
def test_names_of_people_can_be_enrolled(name: str) -> None:
    assert name_fault(name) == ""


def test_a_name_with_a_hidden_character_is_the_same_name() -> None:
    assert is_same_name("Ben\u200b Reader", "Ben Reader")
    assert is_same_name("Ben Re\u034fader", "Ben Reader")
    assert not is_same_name("Ben Reader", "Ben Leader")


def test_a_role_that_there_is_not_is_found(office: Office) -> None:
    with pytest.raises(KycpackError):
        office.keys.grant("ben", "MLRO ", actor=office.people["ada"])
    with pytest.raises(KycpackError, match="no such role"), office.ledger.writing() as writer:
        writer.append("role.granted", {"name": "ben", "role": "MLRO "}, actor=office.people["ada"])


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"reopens_on": "20261201"}, "has no end within"),
        ({"reopens_on": "2026-W40-1"}, "has no end within"),
        ({"second_person": ["none needed: agreed by telephone"]}, "other reasons for a second person"),
        ({"reason_code": ""}, "no reason code"),
        ({"reason": " "}, "no reason code"),
        ({"mlro_agreed": True}, "what entries of its kind do not: mlro_agreed"),
        (
            {"dispositions": {"F-1": {"verdict": "accepted", "evidence": {"list_entry": "P-1"}}}},
            "a part of it",
        ),
    ],
)
def test_a_decision_that_claims_what_kycpack_never_writes_is_found(
    office: Office, more: dict[str, Any], why: str
) -> None:
    open_cases(office, {"c-1": ("edd", [(*MEDIA[:2], "edd", MEDIA[3])])})
    (case,) = office.cases.list()
    end = f"{case.opened_at[:4]}-12-01"
    whole = {
        "reopens_on": end,
        "second_person": ["approve is softer than the recommendation, edd"],
        "state": "second_review",
    }
    assert _written(office, "case.decided", _decision(office, **{**whole, **more})) != []
    assert any(why in each for each in _whole(office).problems)


def test_a_rejection_or_a_hold_has_no_end(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    hold = {"outcome": "hold", "state": "in_review", "effect": "hold", "dispositions": {}}
    shown = _decision(office)["looked_at"]
    shown = {**shown, "findings": [{**each, "disposition": ""} for each in shown["findings"]]}
    problems = _written(
        office, "case.decided", _decision(office, **hold, looked_at=shown, reopens_on="2026-12-01")
    )
    assert any("only a decision softer than the recommendation has one" in each for each in problems)


def test_a_reason_code_keeps_its_words_under_one_policy(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA]), "c-2": ("review", [MEDIA])})
    case = office.cases.of_customer("c-1")[0]
    office.cases.decide(
        case.case_id,
        decision("approve", "REVIEWED", F_1="accepted"),
        version=case.version,
        actor=office.people["anna"],
    )
    other = office.cases.of_customer("c-2")[0]
    judged = next(each["data"] for each in office.cases.history(other.case_id) if "findings" in each["data"])
    shown = {**judged, "findings": [{**each, "disposition": "accepted"} for each in judged["findings"]]}
    data = _decision_of(other.case_id, looked_at=shown)
    about = {"case_id": other.case_id, "case_entry": other.entries + 1}
    problems = _appended(office, "case.decided", {"customer_id": "c-2", **data}, "anna", **about)
    assert any("its reason code other words" in each for each in problems)


def _decision_of(case_id: str, **more: Any) -> dict[str, Any]:
    return {
        "outcome": "approve", "decision_id": f"{case_id}-D1", "corrects": "", "text_used_before": 0,
        "text": "F-1: the article is about somebody of another age", "reason_code": "REVIEWED", "reason": "The MLRO agreed",
        "dispositions": {"F-1": {"verdict": "accepted", "evidence": {}}}, "second_person": [], "roles": [],
        "state": "closed", "effect": "", "reopens_on": "",
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"text_used_before": 1}, "was used 1 times before"),
        ({"note": "approved by the MLRO on the telephone"}, "its note is not one"),
        ({"on_behalf_of": "mia"}, "do not: on_behalf_of"),
    ],
)
def test_an_approval_says_nothing_further(office: Office, more: dict[str, Any], why: str) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    (case,) = office.cases.list()
    case = office.cases.decide(
        case.case_id,
        decision("escalate", "SUSPECTED-MATCH", F_1="inconclusive"),
        version=case.version,
        actor=office.people["anna"],
    )
    data = {
        "decision_id": case.decision_id, "outcome": "escalate", "text": "Read again: the match stands as it was found", "state": "closed",
        "authenticated": True, "note": "", "text_used_before": 0, "own_text_used_before": 0,
    }  # fmt: skip
    assert any(why in each for each in _written(office, "case.approved", data | more, "mia"))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"occasion": "whenever"}, "there is no such occasion"),
        ({"counts": {"cleared": 3}}, "not what the digest of their list says"),
        ({"cleared_digest": list_digest(["c-9"])}, "not what the digest of their list says"),
    ],
)
def test_a_run_record_that_contradicts_itself_is_found(
    office: Office, more: dict[str, Any], why: str
) -> None:
    data = {
        "run_id": "run-9",
        "occasion": "event",
        "counts": {"cleared": 0},
        "cleared_digest": list_digest([]),
    }
    assert any(why in each for each in _appended(office, "run.recorded", data | more, "kycpack"))


def test_a_person_records_no_run(office: Office) -> None:
    data = {
        "run_id": "run-9",
        "occasion": "event",
        "counts": {"cleared": 0},
        "cleared_digest": list_digest([]),
    }
    with pytest.raises(KycpackError, match="no person does"), office.ledger.writing() as writer:
        writer.append("run.recorded", data, actor=office.people["anna"])


def test_a_case_is_not_milder_than_its_hardest_finding(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [SANCTIONS])})
    assert any(
        "its level is review, and a finding of it asks for escalate" in each
        for each in _whole(office).problems
    )


def test_a_finding_of_a_sample_stays_until_somebody_has_disposed_of_it(office: Office) -> None:
    open_cases(office, {"c-1": ("approve", [])}, occasion="event")
    samples = Samples(office.ledger, office.people["ben"])
    sample = samples.draw("run-1", 1, "7")
    samples.review(sample.sample_id, "c-1", "disagrees", "The address is that of an agency")
    open_cases(office, {"c-1": ("review", [MEDIA])}, run="run-2", occasion="event")
    assert _whole(office).problems == []
    (case,) = office.cases.list()
    judged = office.cases.history(case.case_id)[-1]["data"]
    assert {each["rule"] for each in judged["findings"]} == {"SAMPLE", "ADV-2"}
    left = [each for each in judged["findings"] if each["rule"] != "SAMPLE"]
    about = {"case_id": case.case_id, "case_entry": case.entries + 1}
    data = {**judged, "findings": left, "run_id": "run-3", "gone": [], "new": []}
    problems = _appended(office, "case.updated", data, "kycpack", **about)
    assert any("which somebody found in a sample" in each for each in problems)


def test_a_policy_keeps_its_label_and_is_approved_with_a_reason(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    digest = office.cases.list()[0].policy_digest
    said = {
        "id": "default-uk",
        "version": "9.9.9",
        "digest": digest,
        "accepted_gaps": [],
        "text": "Agreed by the board",
    }
    assert any("another id or version" in each for each in _appended(office, "policy.approved", said, "sam"))
    empty = {"id": "other", "version": "1", "digest": "0" * 64, "accepted_gaps": [], "text": ""}
    assert any(
        "its text cannot be used" in each for each in _appended(office, "policy.approved", empty, "sam")
    )


def test_a_name_in_a_ledger_moves_no_cursor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "ledger.jsonl"
    ledger.write_text(
        '{"seq": 1, "\\u001b[2Jnothing found\\n": 1, "prev": "%s", "digest": "%s", "hash": "%s"}\n'
        % (("0" * 64,) * 3)
    )
    assert main([str(ledger)]) == 1
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "<U+001B>" in printed


def test_a_name_is_refused_before_anything_is_written(office: Office, tmp_path: Path) -> None:
    before = len(list(office.ledger.entries()))
    with pytest.raises(InputError, match="would not be seen"):
        office.keys.enrol(
            "ben\u3164", make_key(tmp_path / "other.pem").public_key, actor=office.people["ada"]
        )
    assert len(list(office.ledger.entries())) == before


def _changed(office: Office, kind: str = "case.updated", **more: Any) -> list[str]:
    """Write what a run says of the only case once more, past kycpack."""
    (case,) = office.cases.list(closed=True)
    judged = next(each["data"] for each in office.cases.history(case.case_id) if "findings" in each["data"])
    data = {
        **judged, "run_id": "run-2", "evidence_root": "3" * 64, "level_before": judged["level"], "new": [], "gone": [],
        "reason": "new evidence", "state": "open",
    } | more  # fmt: skip
    return _appended(office, kind, data, "kycpack", case_id=case.case_id, case_entry=case.entries + 1)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"level_before": "approve"}, "it says that the level was approve before"),
        ({"new": ["F-1"]}, "that it calls new are not"),
        ({"new": ["F-9"]}, "that it calls new are not"),
        ({"gone": ["F-1"]}, "that it says are gone are not"),
        ({"findings": []}, "that it says are gone are not"),
    ],
)
def test_a_run_that_says_otherwise_of_what_changed_is_found(
    office: Office, more: dict[str, Any], why: str
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    assert any(why in each for each in _changed(office, **more))


def test_a_closed_case_is_not_opened_for_nothing(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    office.cases.decide(
        case.case_id,
        decision("approve", "REVIEWED", F_1="accepted"),
        version=case.version,
        actor=office.people["anna"],
    )
    assert any("nothing of it changed" in each for each in _changed(office, "case.reopened"))


def test_a_case_that_does_not_rest_is_not_woken(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    office.cases.wait(case.case_id, "A letter was sent", actor=office.people["anna"])
    data = {"customer_id": "c-1", "reason": "the date was reached", "state": "in_review"}
    assert any("did not rest" in each for each in _written(office, "case.updated", data, "kycpack"))


def test_more_customers_or_others_than_drawn_are_found(office: Office) -> None:
    open_cases(office, {f"c-{number}": ("approve", []) for number in range(1, 5)}, occasion="event")
    samples = Samples(office.ledger, office.people["ben"])
    sample = samples.draw("run-1", 2, "7")
    first, second = samples.members(sample.sample_id)["customer_id"]
    samples.review(sample.sample_id, first, "agrees", "Read all of it, nothing was missed")
    other = next(f"c-{number}" for number in range(1, 5) if f"c-{number}" not in {first, second})
    said = {
        "sample_id": sample.sample_id,
        "verdict": "agrees",
        "text": "Read all of it as well, nothing was missed",
    }
    problems = _appended(office, "sample.reviewed", {**said, "customer_id": other}, "ben")
    assert any("are not those whom the sample drew" in each for each in problems)
    problems = _appended(office, "sample.reviewed", {**said, "customer_id": second}, "ben")
    assert any("more customers were looked at than the sample has" in each for each in problems)


def test_an_entry_dated_before_an_anchor_that_lacks_it_is_noted(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    entries = list(office.ledger.entries())
    made = "2026-06-09T10:00:00.000000Z"
    size = len(entries)
    anchor = {"at": made, "hash": entries[-1]["hash"], "ledger": entries[0]["hash"], "size": size}
    anchor["root"] = verify_ledger.merkle_root([each["hash"] for each in entries])
    assert not any("before an anchor" in each for each in check_ledger(entries, anchors=[anchor]).notes)
    open_cases(office, {"c-2": ("review", [MEDIA])}, run="run-2")
    report = check_ledger(list(office.ledger.entries()), anchors=[anchor])
    assert report.ok
    assert any(
        f"entry {size + 1}: it is dated before an anchor of 2026-06-09" in each for each in report.notes
    )
