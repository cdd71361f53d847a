"""Values and members of another form than kycpack writes: each is named, and none stops the verifier."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.workspace.case_material import (
    ADDRESS,
    MEDIA,
    SANCTIONS,
    Office,
    decision,
    open_cases,
    open_office,
)
from tests.workspace.test_ledger_words import _approved, _decision, _whole, _written

from kycpack.errors import KycpackError
from kycpack.triage import load_policy
from kycpack.workspace.cases import case_opening
from kycpack.workspace.cases.policies import Policies
from kycpack.workspace.entries.ledger_writer import KYCPACK
from kycpack.workspace.entries.verify_ledger import (
    START,
    canonical,
    check_excerpt,
    check_ledger,
    entry_hash,
    is_same_name,
    main,
    payload_digest,
)
from kycpack.workspace.retention.retention_rules import load_rules, plan_retention
from kycpack.workspace.samples.samples import Samples

DAY = date(2026, 6, 1)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "kycpack.db", tmp_path)


@pytest.mark.parametrize("place", ["", "head", "entry"])
def test_a_further_member_of_an_excerpt_is_found(office: Office, place: str) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    excerpt = json.loads(json.dumps(office.ledger.excerpt(_approved(office))))
    assert check_excerpt(excerpt).problems == []
    {"": excerpt, "head": excerpt["head"], "entry": excerpt["entries"][0]}[place]["agreed_by"] = "mia"
    assert any("members that no hash covers: agreed_by" in each for each in check_excerpt(excerpt).problems)


def test_what_no_entry_of_its_kind_says_is_found_in_an_excerpt_as_well(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    data = {"state": "open", "reason": "A letter was sent", "mlro_agreed": True}
    _written(office, "case.waiting", data | {"state": "waiting_for_customer"})
    problems = check_excerpt(json.loads(json.dumps(office.ledger.excerpt(case.case_id)))).problems
    assert any("what entries of its kind do not: mlro_agreed" in each for each in problems)


def test_a_forged_step_of_kycpack_is_refused_where_a_person_has_to_act(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    with pytest.raises(KycpackError, match="a person has to do this"), office.ledger.writing() as writer:
        writer.append("payload.erased", {"seq": 1, "reason": "no reason"}, actor=KYCPACK)


@pytest.mark.parametrize(
    "more",
    [
        {"outcome": "CLEAR"}, {"outcome": None}, {"id": "7"}, {"level": "none"}, {"subject": "family"}, {"senior": 0},
        {"rule": ""},
    ],
)  # fmt: skip
def test_a_finding_that_no_run_can_have_is_found(
    office: Office, monkeypatch: pytest.MonkeyPatch, more: dict[str, Any]
) -> None:
    own = case_opening.looked_at

    def looked_at(*given: Any) -> dict[str, Any]:
        said = own(*given)
        return said | {"findings": [said["findings"][0] | more]}

    with monkeypatch.context() as patched:
        patched.setattr(case_opening, "looked_at", looked_at)
        open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    assert any("of its findings" in each and "cannot be read" in each for each in _whole(office).problems)


def test_a_decision_says_of_its_policy_whether_it_was_approved(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    Policies(office.ledger, office.people["sam"]).approve(load_policy(), "Agreed by the board")
    data = _decision(office)
    policy = {**data["looked_at"]["policy"], "state": "seen"}
    problems = _written(
        office, "case.decided", {**data, "looked_at": {**data["looked_at"], "policy": policy}}
    )
    assert problems == [problems[0]]
    assert "it says that its policy was not approved" in problems[0]


def test_a_count_of_earlier_uses_is_a_number(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (problem,) = _written(office, "case.decided", _decision(office, text_used_before="none"))
    assert "does not say how often its text was used before" in problem


@pytest.mark.parametrize("within", ["", "looked_at", "policy", "finding", "disposition"])
def test_what_is_said_within_a_member_is_one_of_its_members(office: Office, within: str) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    data = json.loads(json.dumps(_decision(office)))
    places = {
        "": data,
        "looked_at": data["looked_at"],
        "policy": data["looked_at"]["policy"],
        "finding": data["looked_at"]["findings"][0],
        "disposition": data["dispositions"]["F-1"],
    }
    places[within]["mlro_agreed"] = True
    assert any("do not: mlro_agreed" in each for each in _written(office, "case.decided", data))


def test_a_person_who_opens_a_case_again_finds_nothing(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    _approved(office)
    data = {"state": "open", "reason": "Another question came up"}
    (case,) = office.cases.list(closed=True)
    judged = next(each["data"] for each in office.cases.history(case.case_id) if "findings" in each["data"])
    problems = _written(office, "case.reopened", {**judged, **data, "level": "approve", "findings": []})
    assert any("do not: evidence_root, findings, level" in each for each in problems)


def test_a_decision_asks_for_the_roles_that_are_needed(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    problems = _written(office, "case.decided", _decision(office, roles=["administrator"]))
    assert any("it asks for other roles than are needed: none" in each for each in problems)


@pytest.mark.parametrize("case_id", [["c-1"], {}, 7])
def test_an_excerpt_of_no_id_is_named(office: Office, case_id: Any) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    excerpt = json.loads(json.dumps(office.ledger.excerpt(office.cases.list()[0].case_id)))
    assert not check_excerpt(excerpt | {"case_id": case_id}).ok


ODD = (
    None, True, 0, -1, 10**30, "", "x", "2026-13-45", [], [[]], {}, {"a": 1}, ["x", 1], "sanctions", [None],
    [["a", "b"]], {"id": []},
)  # fmt: skip


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from _places(value[name], (*place, name))


def _put(document: Any, place: tuple[Any, ...], value: Any) -> None:
    for name in place[:-1]:
        document = document[name]
    document[place[-1]] = json.loads(json.dumps(value))


def _hashed_anew(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    prev = START
    for entry in entries:
        digest = payload_digest(entry["salt"], canonical(entry["payload"]))
        entry |= {"digest": digest, "prev": prev, "hash": entry_hash(entry["seq"], prev, digest)}
        prev = entry["hash"]
    return entries


def test_no_value_of_another_form_stops_the_verifier(office: Office) -> None:
    policies, samples = (
        Policies(office.ledger, office.people["sam"]),
        Samples(office.ledger, office.people["ben"]),
    )
    policies.approve(load_policy(), "Agreed by the board")
    findings = {"c-1": ("review", [MEDIA]), "c-2": ("escalate", [SANCTIONS]), "c-3": ("approve", [])}
    open_cases(office, findings, occasion="event", prepared_by="anna")
    _approved(office)
    samples.review(samples.draw("run-1", 1, "7").sample_id, "c-3", "disagrees", "Not an address of theirs")
    open_cases(
        office, {"c-1": ("review", [MEDIA, ADDRESS])}, run="run-2", occasion="event", prepared_by="anna"
    )
    plan = plan_retention({}, {}, load_rules(), DAY)
    with office.ledger.writing() as writer:
        data = {"proposal": plan.digest, "as_of": str(DAY), "rules": plan.rules, "customers": 0}
        writer.append("retention.proposed", data, actor=office.people["ben"])
        more = {"number": 1, "customers": [], "due": [], "packs": []}
        writer.append("retention.started", data | more, actor=office.people["ada"])
    whole = json.dumps(list(office.ledger.entries()))
    excerpt = json.dumps(office.ledger.excerpt(office.cases.of_customer("c-1")[0].case_id))
    chance = Random(7)  # noqa: S311 - no secret
    for _ in range(150):
        entries, shown = json.loads(whole), json.loads(excerpt)
        data = chance.choice(entries)["payload"]["data"]
        _put(data, chance.choice(list(_places(data))), chance.choice(ODD))
        check_ledger(_hashed_anew(entries), verify=lambda *_given: True)
        _put(shown, chance.choice(list(_places(shown))), chance.choice(ODD))
        check_excerpt(shown, verify=lambda *_given: True)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"decision_id": "D01"}, "its id is not the next one of its case"),
        ({"reopens_on": None}, "it has an end, and only a decision softer"),
        ({"reopens_on": []}, "it has an end, and only a decision softer"),
    ],
)
def test_a_decision_has_the_id_and_the_end_that_kycpack_writes(
    office: Office, more: dict[str, Any], why: str
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    rejected = {
        "outcome": "reject", "reason_code": "OUTSIDE-APPETITE", "reason": "The risk is more than the firm accepts",
        "reopens_on": "",
    }  # fmt: skip
    given = {name: f"{case.case_id}-D01" if name == "decision_id" else each for name, each in more.items()}
    assert any(
        why in each for each in _written(office, "case.decided", _decision(office, **rejected | given))
    )


def test_a_decision_names_no_finding_twice(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    data = _decision(office)
    (shown,) = data["looked_at"]["findings"]
    data["looked_at"] = {**data["looked_at"], "findings": [shown, {**shown, "sentence": "Nothing was found"}]}
    assert any("names a finding twice" in each for each in _written(office, "case.decided", data))


def test_a_case_is_given_to_no_name_with_hidden_characters(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    data = {"from": "", "to": "mi\u200ba", "reason": "", "state": "in_review"}
    assert any("a name that nobody can have" in each for each in _written(office, "case.assigned", data))


def _waiting(office: Office) -> Any:
    open_cases(office, {"c-1": ("reject", [MEDIA])})
    (case,) = office.cases.list()
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    return office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])


@pytest.mark.parametrize("said", [{"authenticated": False}, {"authenticated": 1}])
def test_an_approval_says_of_its_keys_what_they_show(office: Office, said: dict[str, Any]) -> None:
    case = _waiting(office)
    data = {
        "decision_id": case.decision_id, "outcome": "approve", "text": "Compared the letter with the record of the bank",
        "authenticated": True, "note": "", "text_used_before": 0, "own_text_used_before": 0, "state": "closed",
    }  # fmt: skip
    assert any(
        "whether the second person was authenticated" in each
        for each in _written(office, "case.approved", data | said, "mia")
    )


def test_another_decision_than_the_last_one_is_not_sent_back(office: Office) -> None:
    case = _waiting(office)
    data = {
        "decision_id": f"{case.case_id}-D7",
        "text": "The letter of the bank is not cited",
        "state": "in_review",
    }
    (problem,) = _written(office, "case.returned", data, "mia")
    assert "it sends back another decision than the last one" in problem


def test_a_salt_without_its_payload_is_found(office: Office) -> None:
    """Whoever has it can try whom a digest is about."""
    open_cases(office, {"c-1": ("review", [MEDIA])})
    case_id = _approved(office)
    office.cases.erase(case_id, "Order of the court", actor=office.people["ada"])
    entries = json.loads(json.dumps(list(office.ledger.entries())))
    assert check_ledger(entries).problems == []
    next(each for each in entries if each["payload"] is None)["salt"] = "ab" * 16
    (problem,) = check_ledger(entries).problems
    assert "the salt is there" in problem


@pytest.mark.parametrize(
    "at", ["2026-06-01T12:00:00Z", "2026-06-01T12:00:00.000000+00:00", "2026-06-01 12:00"]
)
def test_a_time_in_another_form_is_found(office: Office, at: str) -> None:
    entries = json.loads(json.dumps(list(office.ledger.entries())))
    entries[-1]["payload"]["at"] = at
    assert any("its time is not written as" in each for each in check_ledger(entries).problems)


@pytest.mark.parametrize(
    "change",
    [
        lambda excerpt: excerpt["head"].update(hash="ab" * 32),
        lambda excerpt: excerpt["head"].update(ledger="ab" * 32),
        lambda excerpt: excerpt["head"].update(size=float(excerpt["head"]["size"])),
        lambda excerpt: excerpt.update(schema="kycpack-ledger-excerpt-2"),
        lambda excerpt: excerpt.pop("schema"),
        lambda excerpt: excerpt.pop("head"),
    ],
)
def test_the_head_and_the_form_of_an_excerpt_are_checked_without_an_anchor(
    office: Office, change: Any
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    excerpt = json.loads(json.dumps(office.ledger.excerpt(_approved(office))))
    assert check_excerpt(excerpt).problems == []
    change(excerpt)
    assert check_excerpt(excerpt).problems


@pytest.mark.parametrize("first", [[], {}, [[1]], 7])
def test_a_head_whose_first_entry_is_not_named_by_a_hash_is_a_problem_and_no_failure(
    office: Office, first: Any
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    excerpt = json.loads(json.dumps(office.ledger.excerpt(_approved(office))))
    excerpt["head"]["ledger"] = first
    assert check_excerpt(excerpt).problems == [
        "the excerpt's head does not name the first entry of its ledger by a hash"
    ]


@pytest.mark.parametrize("content", [b"", b"\n", b"[1]\n", b"null\n"])
@pytest.mark.parametrize("option", ["", "--excerpt"])
def test_a_file_without_anchors_is_an_error_where_it_was_named(
    office: Office, tmp_path: Path, content: bytes, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "anchors").write_bytes(content)
    (tmp_path / "ledger").write_bytes(canonical(next(iter(office.ledger.entries()))) + b"\n")
    arguments = [*filter(None, [option]), str(tmp_path / "ledger"), "--anchor", str(tmp_path / "anchors")]
    assert main(arguments) == 2
    assert "has no anchor, or a line that is not an anchor" in capsys.readouterr().err


def test_an_anchor_whose_time_cannot_be_read_is_found(office: Office) -> None:
    head = office.ledger.head()
    assert head is not None
    anchor = {"ledger": head.ledger, "size": head.size, "hash": head.hash, "root": head.root}
    entries = json.loads(json.dumps(list(office.ledger.entries())))
    assert check_ledger(entries, anchors=[anchor]).problems == []
    assert check_ledger(entries, anchors=[{**anchor, "at": "yesterday"}]).problems == [
        "anchor 1: it cannot be read"
    ]


@pytest.mark.parametrize("name", ["mia.", "m-i-a", "«mia»"])
def test_a_name_that_differs_by_punctuation_alone_is_that_of_the_same_person(name: str) -> None:
    assert is_same_name(name, "m i a" if "-" in name else "mia")
