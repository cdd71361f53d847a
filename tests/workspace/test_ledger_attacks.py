"""Attacks on an export of the ledger, written from its description alone: by somebody with a text editor, and by members of staff with their own keys.

Each is found with the trusted key or with the anchor. What only an anchor finds is listed by name: who holds the last key can rewrite
what came after the last entry of somebody else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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

from kycpack.workspace.entries.signing import SigningKey, make_key
from kycpack.workspace.entries.verify_ledger import canonical, entry_hash, payload_digest
from kycpack.workspace.ledger.ledger_files import add_anchor, write_export

# 2^252 + 27742317777372353535851937790883648493, the order of the group of Ed25519 (RFC 8032, 5.1).
_ORDER = 2**252 + 27742317777372353535851937790883648493


@dataclass(frozen=True)
class Export:
    """An export, the anchor that lies elsewhere, and the keys of the people."""

    folder: Path
    anchor: Path
    keys: dict[str, SigningKey]

    @property
    def lines(self) -> list[str]:
        return (self.folder / "ledger.jsonl").read_text().splitlines()

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Export]:
    folder = tmp_path_factory.mktemp("office")
    for office in open_office(folder / "kycpack.db", folder):
        _work(office)
        head = write_export(office.ledger, folder / "export")
        add_anchor(folder / "elsewhere" / "anchor.jsonl", head, "2026-06-01T12:00:00Z", "export")
        keys = {name: actor.key for name, actor in office.people.items() if actor.key is not None}
        yield Export(folder / "export", folder / "elsewhere" / "anchor.jsonl", keys)


def _work(office: Office) -> None:
    """Two sanctions cases decided by two people each, one decided alone, one refused at the end."""
    cases, people = office.cases, office.people
    open_cases(
        office,
        {
            "c-1": ("escalate", [SANCTIONS]),
            "c-2": ("escalate", [SANCTIONS]),
            "c-3": ("review", [MEDIA]),
            "c-4": ("review", [MEDIA]),
        },
    )
    for customer in ("c-1", "c-2"):
        (case,) = cases.of_customer(customer)
        cleared = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE))
        case = cases.decide(case.case_id, cleared, version=case.version, actor=people["anna"])
        cases.approve(
            case.case_id, "Another person than the listed one", version=case.version, actor=people["mia"]
        )
    for customer, who in (("c-3", "anna"), ("c-4", "ben")):
        (case,) = cases.of_customer(customer)
        cases.decide(
            case.case_id,
            decision("approve", "REVIEWED", F_1="accepted"),
            version=case.version,
            actor=people[who],
        )


Entries = list[dict[str, Any]]
Attack = Callable[[Export], str]


def _text(entries: Entries) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def _kind(entries: Entries, kind: str, number: int = 0) -> dict[str, Any]:
    return [entry for entry in entries if entry["payload"]["kind"] == kind][number]


def _chained(entries: Entries, keys: dict[str, SigningKey]) -> str:
    """Make the chain anew from the first entry on that does not fit; those whose keys are at hand sign again."""
    by_print = {key.fingerprint: key for key in keys.values()}
    prev = "0" * 64
    for number, entry in enumerate(entries, 1):
        digest = payload_digest(entry["salt"], canonical(entry["payload"]))
        made = entry_hash(number, prev, digest)
        if made != entry["hash"] and entry["key"] in by_print:
            entry["signature"] = by_print[entry["key"]].sign(made)
        entry.update(seq=number, prev=prev, digest=digest, hash=made)
        prev = made
    return _text(entries)


def _insider(*names: str) -> Callable[[Callable[[Entries, Export], None]], Attack]:
    """Let people change the payloads with their keys in hand, and make the chain anew."""

    def wrap(change: Callable[[Entries, Export], None]) -> Attack:
        def attack(export: Export) -> str:
            entries = export.entries
            change(entries, export)
            return _chained(entries, {name: export.keys[name] for name in names})

        attack.__name__ = change.__name__
        return attack

    return wrap


# --- with a text editor


def one_letter_of_a_rationale(export: Export) -> str:
    entries = export.entries
    entry = _kind(entries, "case.approved")
    entry["payload"]["data"]["text"] = entry["payload"]["data"]["text"].replace("Another", "Another ")
    return _text(entries)


def look_alike_letter(export: Export) -> str:
    """A Cyrillic letter that looks the same."""
    return "\n".join(line.replace('"anna"', '"\\u0430nna"') for line in export.lines) + "\n"


def second_value_of_a_name(export: Export) -> str:
    """The name stands twice in the line: most readers take the last, an eye takes the first."""
    return (
        "\n".join(line.replace('"outcome":', '"outcome": "reject", "outcome":', 1) for line in export.lines)
        + "\n"
    )


def outer_name_twice(export: Export) -> str:
    return "\n".join(line.replace('"salt":', '"payload": null, "salt":', 1) for line in export.lines) + "\n"


def note_beside_the_payload(export: Export) -> str:
    """A member that no hash covers, for a reader to believe."""
    entries = export.entries
    _kind(entries, "case.decided")["remark"] = "overruled by the MLRO"
    return _text(entries)


def float_that_equals_a_whole_number(export: Export) -> str:
    lines = export.lines
    place = next(place for place, line in enumerate(lines) if '"case_entry":' in line.replace(" ", ""))
    entry = json.loads(lines[place])
    lines[place] = (
        lines[place]
        .replace(
            f'"case_entry": {entry["payload"]["case_entry"]}',
            f'"case_entry": {entry["payload"]["case_entry"]}.0',
        )
        .replace(
            f'"case_entry":{entry["payload"]["case_entry"]},',
            f'"case_entry":{entry["payload"]["case_entry"]}.0,',
        )
    )
    return "\n".join(lines) + "\n"


def two_lines_change_places(export: Export) -> str:
    lines = export.lines
    lines[-1], lines[-2] = lines[-2], lines[-1]
    return "\n".join(lines) + "\n"


def line_written_twice(export: Export) -> str:
    lines = export.lines
    return "\n".join([*lines, lines[-1]]) + "\n"


def last_line_cut_in_the_middle(export: Export) -> str:
    return "\n".join(export.lines)[:-120]


def empty_line_instead_of_an_entry(export: Export) -> str:
    lines = export.lines
    lines[-2] = ""
    return "\n".join(lines) + "\n"


def payload_taken_away_as_if_erased(export: Export) -> str:
    entries = export.entries
    _kind(entries, "case.decided", 2)["payload"] = None
    return _text(entries)


def payload_and_salt_taken_away(export: Export) -> str:
    entries = export.entries
    entry = _kind(entries, "case.decided", 2)
    entry["payload"] = entry["salt"] = None
    return _text(entries)


def salt_of_another_entry(export: Export) -> str:
    entries = export.entries
    entries[-1]["salt"] = entries[-2]["salt"]
    return _text(entries)


def signature_with_the_order_added(export: Export) -> str:
    """The same signature in its second form, which a careless verifier takes."""
    entries = export.entries
    entry = entries[-1]
    raw = bytes.fromhex(entry["signature"])
    changed = int.from_bytes(raw[32:], "little") + _ORDER
    entry["signature"] = (raw[:32] + changed.to_bytes(32, "little")).hex()
    return _text(entries)


def key_and_signature_taken_off(export: Export) -> str:
    entries = export.entries
    entry = _kind(entries, "case.approved")
    entry["key"] = entry["signature"] = None
    return _text(entries)


def key_written_in_capitals(export: Export) -> str:
    entries = export.entries
    _kind(entries, "case.approved")["key"] = _kind(entries, "case.approved")["key"].upper() + "00"
    return _text(entries)


def number_as_text(export: Export) -> str:
    entries = export.entries
    entries[3]["seq"] = "4"
    return _text(entries)


def entry_before_the_first(export: Export) -> str:
    entries = export.entries
    return _text([{**entries[0], "seq": 0}, *entries])


def nothing_but_the_opening(export: Export) -> str:
    return export.lines[0] + "\n"


# --- members of staff, each with their own key


@_insider("anna")
def decider_changes_an_old_decision(entries: Entries, _export: Export) -> None:
    _kind(entries, "case.decided")["payload"]["data"]["reason_code"] = "REVIEWED"


@_insider("anna")
def decider_takes_the_second_persons_place(entries: Entries, export: Export) -> None:
    approved = _kind(entries, "case.approved")
    approved["payload"]["actor"] = "anna"
    approved["key"] = export.keys["anna"].fingerprint
    approved["hash"] = ""


@_insider("anna")
def approval_moved_to_another_case(entries: Entries, _export: Export) -> None:
    first, second = _kind(entries, "case.approved", 0), _kind(entries, "case.approved", 1)
    first["payload"]["case_id"], second["payload"]["case_id"] = (
        second["payload"]["case_id"],
        first["payload"]["case_id"],
    )


@_insider("ben", "anna")
def two_analysts_make_up_a_role(entries: Entries, export: Export) -> None:
    grant = _kind(entries, "role.granted")
    grant["payload"]["data"]["name"] = "ben"
    grant["payload"]["actor"] = "anna"
    grant["key"] = export.keys["anna"].fingerprint
    grant["hash"] = ""


@_insider("ada")
def administrator_puts_an_own_key_for_the_mlro(entries: Entries, export: Export) -> None:
    key = make_key(export.folder.parent / f"puppet-{len(list(export.folder.parent.glob('puppet-*')))}.pem")
    for entry in entries:
        data = entry["payload"]["data"]
        if entry["payload"]["kind"] == "key.enrolled" and data.get("name") == "mia":
            data["public_key"] = key.public_key
        if entry["payload"]["actor"] == "mia":
            entry["key"] = key.fingerprint
            entry["signature"] = key.sign(entry["hash"])


@_insider("ada", "anna", "mia")
def all_but_one_rewrite_the_past(entries: Entries, _export: Export) -> None:
    """Everybody but the last signer takes part; ben's signature at the end still stands over the true history."""
    _kind(entries, "case.opened")["payload"]["data"]["level"] = "review"


@_insider("ben")
def last_signer_changes_the_last_decision(entries: Entries, _export: Export) -> None:
    entries[-1]["payload"]["data"]["text"] = "F-1: looked at, nothing of note."


@_insider("ben")
def last_signer_takes_the_last_decision_back(entries: Entries, _export: Export) -> None:
    del entries[-1]


@_insider("ada", "anna", "ben", "mia", "sam")
def everybody_rewrites_the_past(entries: Entries, _export: Export) -> None:
    for entry in entries:
        data = entry["payload"]["data"]
        for document in (data, data.get("looked_at", {})):
            document.update({"run_id": "another"} if "run_id" in document else {})


ATTACKS: tuple[Attack, ...] = (
    one_letter_of_a_rationale, look_alike_letter, second_value_of_a_name, outer_name_twice, note_beside_the_payload,
    float_that_equals_a_whole_number, two_lines_change_places, line_written_twice, last_line_cut_in_the_middle,
    empty_line_instead_of_an_entry, payload_taken_away_as_if_erased, payload_and_salt_taken_away, salt_of_another_entry,
    signature_with_the_order_added, key_and_signature_taken_off, key_written_in_capitals, number_as_text, entry_before_the_first,
    nothing_but_the_opening, decider_changes_an_old_decision, decider_takes_the_second_persons_place, approval_moved_to_another_case,
    two_analysts_make_up_a_role, administrator_puts_an_own_key_for_the_mlro, all_but_one_rewrite_the_past,
    last_signer_changes_the_last_decision, last_signer_takes_the_last_decision_back, everybody_rewrites_the_past,
)  # fmt: skip
ONLY_AN_ANCHOR: tuple[Attack, ...] = (
    last_signer_changes_the_last_decision,
    last_signer_takes_the_last_decision_back,
    everybody_rewrites_the_past,
)


def _verified(export: Export, place: Path, *arguments: object) -> int:
    command = [sys.executable, "-I", "-S", export.folder / "verify_ledger.py", place, *arguments]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    assert "Traceback" not in done.stderr
    return done.returncode


def test_the_export_as_it_was_made_is_accepted(export: Export) -> None:
    founder = export.keys["ada"].fingerprint
    assert (
        _verified(export, export.folder / "ledger.jsonl", "--anchor", export.anchor, "--trust", founder) == 0
    )


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_an_attack_is_found(export: Export, tmp_path: Path, attack: Attack) -> None:
    place = tmp_path / "ledger.jsonl"
    place.write_text(attack(export))
    assert place.read_text() != (export.folder / "ledger.jsonl").read_text()
    assert _verified(export, place, "--anchor", export.anchor) in {1, 2}
    by_signatures = _verified(export, place, "--trust", export.keys["ada"].fingerprint)
    assert (by_signatures == 0) == (attack in ONLY_AN_ANCHOR)
