"""What somebody with the database, the export or the code in hand might try. Each is found with an anchor or signatures."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import (
    MEDIA,
    OUTSIDE,
    SANCTIONS,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)

from kycpack.workspace.cases.cases import Cases
from kycpack.workspace.entries.signing import Actor, make_key
from kycpack.workspace.entries.verify_ledger import (
    NO_END,
    NOT_AUTHENTICATED,
    ONLY_INCONSISTENT,
    START,
    People,
    canonical,
    check_ledger,
    entry_hash,
    merkle_root,
    payload_digest,
)
from kycpack.workspace.ledger.ledger_files import add_anchor, write_export

Entries = list[dict[str, Any]]


def _work(office: Office) -> None:
    """Two cases decided by two people each, one decided alone, one waiting."""
    customers = {
        "c-1": ("escalate", [SANCTIONS]),
        "c-2": ("escalate", [SANCTIONS]),
        "c-3": ("review", [MEDIA]),
        "c-4": ("review", [MEDIA]),
        "c-5": ("approve", []),
    }
    open_cases(office, customers, prepared_by="anna")
    cases, people = office.cases, office.people
    for customer in ("c-1", "c-2"):
        case = cases.of_customer(customer)[0]
        cleared = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE))
        case = cases.decide(case.case_id, cleared, version=case.version, actor=people["anna"])
        cases.approve(
            case.case_id,
            "Compared the list entry; it is another person",
            version=case.version,
            actor=people["mia"],
        )
    case = cases.of_customer("c-3")[0]
    cases.decide(
        case.case_id,
        decision("approve", "REVIEWED", F_1="accepted"),
        version=case.version,
        actor=people["anna"],
    )
    cases.wait(cases.of_customer("c-4")[0].case_id, "Asked for a letter of the council", actor=people["ben"])


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Office, Path, Path]]:
    folder = tmp_path_factory.mktemp("office")
    for office in open_office(folder / "kycpack.db", folder):
        _work(office)
        head = write_export(office.ledger, folder / "export")
        add_anchor(folder / "elsewhere" / "anchor.jsonl", head, "2026-06-01T12:00:00Z", "export")
        yield office, folder / "export", folder / "elsewhere" / "anchor.jsonl"


@pytest.fixture
def entries(exported: tuple[Office, Path, Path]) -> Entries:
    return [json.loads(line) for line in (exported[1] / "ledger.jsonl").read_text().splitlines()]


@pytest.fixture
def anchors(exported: tuple[Office, Path, Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported[2].read_text().splitlines()]


def _of_kind(entries: Entries, kind: str, number: int = 0) -> dict[str, Any]:
    return [entry for entry in entries if entry["payload"] and entry["payload"]["kind"] == kind][number]


def _rehashed(entries: Entries) -> Entries:
    """Make every number, digest and hash fit again; signatures stay, since nobody has the keys."""
    prev = START
    for number, entry in enumerate(entries, 1):
        entry["seq"], entry["prev"] = number, prev
        entry["digest"] = payload_digest(entry["salt"], canonical(entry["payload"]))
        entry["hash"] = prev = entry_hash(number, entry["prev"], entry["digest"])
    return entries


def _edit(entries: Entries) -> Entries:
    _of_kind(entries, "case.decided")["payload"]["data"]["outcome"] = "reject"
    return entries


def _edit_rehashed(entries: Entries) -> Entries:
    return _rehashed(_edit(entries))


def _edit_text(entries: Entries) -> Entries:
    _of_kind(entries, "case.decided")["payload"]["data"]["text"] += " "
    return entries


def _edit_time(entries: Entries) -> Entries:
    _of_kind(entries, "case.decided")["payload"]["at"] = "2025-01-01T00:00:00.000000Z"
    return _rehashed(entries)


def _edit_actor(entries: Entries) -> Entries:
    _of_kind(entries, "case.decided")["payload"]["actor"] = "ben"
    return _rehashed(entries)


def _edit_evidence(entries: Entries) -> Entries:
    _of_kind(entries, "case.decided")["payload"]["data"]["looked_at"]["evidence_root"] = "2" * 64
    return _rehashed(entries)


def _edit_opening(entries: Entries) -> Entries:
    _of_kind(entries, "case.opened")["payload"]["data"]["level"] = "approve"
    return _rehashed(entries)


def _delete(entries: Entries) -> Entries:
    return [entry for entry in entries if entry is not _of_kind(entries, "case.decided")]


def _delete_rehashed(entries: Entries) -> Entries:
    return _rehashed(_delete(entries))


def _delete_case(entries: Entries) -> Entries:
    gone = _of_kind(entries, "case.decided", 2)["payload"]["case_id"]
    return _rehashed([entry for entry in entries if entry["payload"].get("case_id") != gone])


def _delete_payload(entries: Entries) -> Entries:
    entry = _of_kind(entries, "case.decided")
    entry["payload"] = entry["salt"] = None
    return entries


def _insert(entries: Entries) -> Entries:
    entries.insert(5, copy.deepcopy(entries[5]))
    return entries


def _insert_rehashed(entries: Entries) -> Entries:
    return _rehashed(_insert(entries))


def _insert_decision(entries: Entries) -> Entries:
    added = copy.deepcopy(_of_kind(entries, "case.decided", 2))
    added["payload"]["case_id"] = _of_kind(entries, "case.waiting")["payload"]["case_id"]
    added["payload"]["case_entry"] = 3
    return _rehashed([*entries, added])


def _reorder(entries: Entries) -> Entries:
    entries[-1], entries[-2] = entries[-2], entries[-1]
    return entries


def _reorder_rehashed(entries: Entries) -> Entries:
    return _rehashed(_reorder(entries))


def _swap_cases(entries: Entries) -> Entries:
    """Let each of two customers have the other's decision."""
    first, second = _of_kind(entries, "case.decided", 0), _of_kind(entries, "case.decided", 1)
    for name in ("payload", "salt"):
        first[name], second[name] = second[name], first[name]
    return entries


def _swap_cases_rehashed(entries: Entries) -> Entries:
    first, second = _of_kind(entries, "case.decided", 0), _of_kind(entries, "case.decided", 2)
    for name in ("case_id", "case_entry"):
        first["payload"][name], second["payload"][name] = second["payload"][name], first["payload"][name]
    return _rehashed(entries)


def _truncate(entries: Entries) -> Entries:
    return entries[:-1]


def _truncate_before_approval(entries: Entries) -> Entries:
    return entries[: entries.index(_of_kind(entries, "case.approved"))]


def _cut_beginning(entries: Entries) -> Entries:
    return _rehashed(entries[1:])


def _empty(entries: Entries) -> Entries:
    return []


def _other_genesis(entries: Entries) -> Entries:
    entries[0]["payload"]["data"]["ledger_id"] = "0" * 32
    return _rehashed(entries)


def _forged_second(entries: Entries) -> Entries:
    """Say that somebody else approved; the signature is the real one."""
    _of_kind(entries, "case.approved")["payload"]["actor"] = "sam"
    return _rehashed(entries)


def _self_approved(entries: Entries) -> Entries:
    approved = _of_kind(entries, "case.approved")
    approved["payload"]["actor"] = "anna"
    return _rehashed(entries)


def _unsigned_second(entries: Entries) -> Entries:
    approved = _of_kind(entries, "case.approved")
    approved["signature"] = approved["key"] = None
    return entries


def _signature_of_another(entries: Entries) -> Entries:
    first, second = _of_kind(entries, "case.approved", 0), _of_kind(entries, "case.approved", 1)
    first["signature"], second["signature"] = second["signature"], first["signature"]
    return entries


def _no_signatures(entries: Entries) -> Entries:
    for entry in entries:
        entry["signature"] = entry["key"] = None
    return _rehashed(entries)


def _no_keys(entries: Entries) -> Entries:
    """Rewrite the history as if nobody had ever had a key."""
    for entry in _no_signatures(entries):
        entry["payload"]["data"].pop("public_key", None)
    return _rehashed(entries)


def _drop_second_person(entries: Entries) -> Entries:
    decided = _of_kind(entries, "case.decided")
    decided["payload"]["data"] |= {"second_person": [], "state": "closed"}
    return _delete_named(_rehashed(entries), "case.approved")


def _delete_named(entries: Entries, kind: str) -> Entries:
    return _rehashed([entry for entry in entries if entry is not _of_kind(entries, kind)])


def _role_by_oneself(entries: Entries) -> Entries:
    _of_kind(entries, "role.granted")["payload"]["actor"] = "mia"
    return _rehashed(entries)


def _renumber(entries: Entries) -> Entries:
    entries[3]["seq"] = 99
    return entries


def _claim_erasure(entries: Entries) -> Entries:
    """Take a decision away and claim that it was erased on request."""
    gone = _of_kind(entries, "case.decided", 2)
    case_id, place = gone["payload"]["case_id"], gone["payload"]["case_entry"]
    gone["payload"] = gone["salt"] = None
    data = {"seq": gone["seq"], "case_entry": place, "reason": "asked for"}
    payload = {
        "kind": "payload.erased",
        "at": "2026-06-01T13:00:00.000000Z",
        "actor": "anna",
        "case_id": case_id,
        "case_entry": place + 1,
        "data": data,
    }
    digest = payload_digest("00", canonical(payload))
    prev, seq = entries[-1]["hash"], len(entries) + 1
    made = {"seq": seq, "prev": prev, "digest": digest, "hash": entry_hash(seq, prev, digest), "salt": "00"}
    return [*entries, {**made, "payload": payload, "key": None, "signature": None}]


def _float(entries: Entries) -> Entries:
    _of_kind(entries, "case.decided")["payload"]["data"]["text_used_before"] = 0.0
    return entries


TAMPERINGS = [
    _edit, _edit_rehashed, _edit_text, _edit_time, _edit_actor, _edit_evidence, _edit_opening, _delete, _delete_rehashed,
    _delete_case, _delete_payload, _insert, _insert_rehashed, _insert_decision, _reorder, _reorder_rehashed, _swap_cases,
    _swap_cases_rehashed, _truncate, _truncate_before_approval, _cut_beginning, _empty, _other_genesis, _forged_second,
    _self_approved, _unsigned_second, _signature_of_another, _no_signatures, _no_keys, _drop_second_person, _role_by_oneself,
    _renumber, _claim_erasure, _float,
]  # fmt: skip
CUTS = [_truncate, _truncate_before_approval, _empty]
"""What signatures alone cannot show: that the end is missing. Only an anchor can."""


def test_an_untouched_ledger_has_no_problem(entries: Entries, anchors: list[dict[str, Any]]) -> None:
    report = check_ledger(entries, anchors=anchors)
    assert report.problems == []
    assert report.signatures == sum(entry["signature"] is not None for entry in entries) > 10
    assert report.anchors == 1
    assert not any(NOT_AUTHENTICATED in note or ONLY_INCONSISTENT in note for note in report.notes)


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda each: each.__name__.strip("_"))
def test_a_tampering_is_found_with_an_anchor(
    entries: Entries, anchors: list[dict[str, Any]], tamper: Callable[[Entries], Entries]
) -> None:
    report = check_ledger(tamper(entries), anchors=anchors)
    assert report.problems


@pytest.mark.parametrize(
    "tamper", [each for each in TAMPERINGS if each not in CUTS], ids=lambda each: each.__name__.strip("_")
)
def test_a_tampering_is_found_with_signatures_alone(
    exported: tuple[Office, Path, Path], entries: Entries, tamper: Callable[[Entries], Entries]
) -> None:
    founder = exported[0].people["ada"].key
    assert founder is not None
    assert check_ledger(entries, trusted=[founder.fingerprint]).problems == []
    assert check_ledger(tamper(entries), trusted=[founder.fingerprint]).problems


def test_somebody_who_makes_the_whole_ledger_anew_with_own_keys_is_found(
    exported: tuple[Office, Path, Path], anchors: list[dict[str, Any]], tmp_path: Path
) -> None:
    founder = exported[0].people["ada"].key
    assert founder is not None
    for forged in open_office(tmp_path / "forged.db", tmp_path, is_other=True):
        _work(forged)
        listed = list(forged.ledger.entries())
    assert check_ledger(listed).problems == []
    assert check_ledger(listed, anchors=anchors).problems
    assert check_ledger(listed, trusted=[founder.fingerprint]).problems == [
        "the ledger was not founded with a trusted key"
    ]


def test_without_anchor_and_trusted_key_the_report_says_what_it_cannot_find(entries: Entries) -> None:
    report = check_ledger(entries)
    assert {ONLY_INCONSISTENT, NO_END} <= set(report.notes)


def test_a_missing_end_is_found_by_an_anchor_alone_and_the_report_says_so(
    exported: tuple[Office, Path, Path], entries: Entries, anchors: list[dict[str, Any]]
) -> None:
    founder = exported[0].people["ada"].key
    assert founder is not None
    report = check_ledger(entries[:-1], trusted=[founder.fingerprint])
    assert report.problems == []
    assert NO_END in report.notes
    report = check_ledger(entries[:-1], anchors=anchors)
    assert report.problems


def test_entries_after_the_last_anchor_and_signature_are_named(
    exported: tuple[Office, Path, Path], anchors: list[dict[str, Any]], tmp_path: Path
) -> None:
    for office in open_office(tmp_path / "kycpack.db", tmp_path):
        open_cases(office, {"c-1": ("review", [MEDIA])})
        listed = list(office.ledger.entries())
        founder = office.people["ada"].key
    assert founder is not None
    report = check_ledger(listed, trusted=[founder.fingerprint])
    assert report.ok
    assert any("came after the last anchor or signature" in note for note in report.notes)


def _alone(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(folder / "verify_ledger.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words


def test_the_verifier_runs_alone_on_an_export(exported: tuple[Office, Path, Path], tmp_path: Path) -> None:
    office, folder, anchor = exported
    founder = office.people["ada"].key
    assert founder is not None
    good = _alone(folder, folder / "ledger.jsonl", "--anchor", anchor, "--trust", founder.fingerprint)
    assert (good.returncode, good.stderr) == (0, "")
    assert "nothing found" in good.stdout
    altered = tmp_path / "altered.jsonl"
    lines = (folder / "ledger.jsonl").read_text().splitlines()
    altered.write_text("\n".join(lines[:-1]) + "\n")
    bad = _alone(folder, altered, "--anchor", anchor)
    assert bad.returncode == 1
    assert "the end is missing" in bad.stdout
    altered.write_text(lines[0] + "\n{\n")
    unreadable = _alone(folder, altered)
    assert (unreadable.returncode, unreadable.stdout) == (2, "")


def test_a_case_that_was_changed_in_the_table_alone_is_found(place: str, tmp_path: Path) -> None:
    for office in open_office(place, tmp_path):
        open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
        assert office.ledger.verify().ok
        with office.workspace.transaction() as connection:
            connection.exec_driver_sql("UPDATE cases SET state = 'closed'")
        assert any("its row in the workspace" in each for each in office.ledger.verify().problems)


def test_a_puppet_that_the_decider_enrolled_is_no_second_person(place: str, tmp_path: Path) -> None:
    """Even where the workspace's own code was gone around, the verifier sees who enrolled whom."""
    for office in open_office(place, tmp_path):
        ada = office.people["ada"]
        key = make_key(tmp_path / "puppet.pem")
        office.keys.enrol("puppet", key.public_key, actor=ada)
        office.keys.grant("puppet", "MLRO", actor=ada)
        open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
        cases = Cases(office.ledger)
        case = cases.list()[0]
        cleared = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE))
        case = cases.decide(case.case_id, cleared, version=case.version, actor=ada)
        with office.ledger.writing() as writer:
            data = {"decision_id": case.decision_id, "state": "closed"}
            writer.append(
                "case.approved",
                data,
                actor=Actor("puppet", key),
                case_id=case.case_id,
                case_entry=case.entries + 1,
            )
        problems = check_ledger(office.ledger.entries()).problems
        assert any("was enrolled or given a role by ada" in each for each in problems)


def test_the_head_of_an_export_is_that_of_its_entries(
    exported: tuple[Office, Path, Path], entries: Entries
) -> None:
    head = json.loads((exported[1] / "head.json").read_text())
    hashes = [entry["hash"] for entry in entries]
    assert head == {
        "ledger": hashes[0], "size": len(hashes), "hash": hashes[-1], "root": merkle_root(hashes)
    }  # fmt: skip
    current = exported[0].ledger.head()
    assert current is not None
    assert asdict(current) == head


def test_a_second_person_without_the_role_that_was_asked_for_is_found(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for office in open_office(place, tmp_path):
        open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
        case = office.cases.of_customer("c-1")[0]
        cleared = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE))
        case = office.cases.decide(case.case_id, cleared, version=case.version, actor=office.people["anna"])
        with monkeypatch.context() as altered:  # as somebody might run kycpack without its check
            altered.setattr(People, "lacking", lambda *_: [])
            office.cases.approve(
                case.case_id, "Compared the entry", version=case.version, actor=office.people["ben"]
            )
        problems = office.ledger.verify().problems
        assert [each.partition(": ")[2] for each in problems] == ["neither anna nor ben held the role MLRO"]


def test_a_signature_where_nobody_signs_is_found(entries: Entries) -> None:
    opened = _of_kind(entries, "case.opened")
    opened["signature"] = _of_kind(entries, "case.decided")["signature"]
    assert any("nobody has to sign it" in each for each in check_ledger(entries).problems)
