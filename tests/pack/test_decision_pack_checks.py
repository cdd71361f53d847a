"""What contradicts the ledger, its rules or an anchor in a pack with a decision is found by the pack itself."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.pack.decision_desk import DecidedDesk, Desk, manifest_of

from kycpack.evidence import sha256_hex
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import verify_pack
from kycpack.pack.bag import close_bag
from kycpack.workspace.cases.case_changes import change
from kycpack.workspace.entries.verify_ledger import list_digest


def test_a_run_that_was_made_up_to_decide_alone_is_found_by_the_pack_itself(desk: Desk) -> None:
    """Nobody signs what a run says: whoever writes past kycpack can make one up that asks for nobody."""
    case = desk.office.cases.get(desk.case_id)
    opened = desk.office.cases.history(desk.case_id)[0]["data"]
    milder = [{**each, "level": "review", "subject": "", "senior": False} for each in opened["findings"]]
    said = {**opened, "run_id": "run-2", "level": "review", "findings": milder}
    counts = {"opened": 0, "updated": 1, "reopened": 0, "unchanged": 0, "cleared": 0}
    with desk.office.ledger.writing() as writer:
        fewer = tuple(replace(each, level="review", subject="") for each in case.findings)
        change(writer, replace(case, run_id="run-2", level="review", findings=fewer), "case.updated", said)
        writer.append(
            "run.recorded",
            {
                "run_id": "run-2",
                "policy": opened["policy"],
                "counts": counts,
                "cleared_digest": list_digest([]),
            },
        )
    desk.decide()
    pack = desk.pack()
    assert (
        "data/ledger-excerpt.json: entry 2 of the case differs from the pack in the level or the findings"
        in verify_pack(pack).problems
    )


@pytest.mark.parametrize("altered", [{"alone_up_to": "reject"}, {"override_days": 1000}])
@pytest.mark.parametrize("root", ["", "2" * 64])
def test_rules_that_the_packs_policy_does_not_have_are_found_by_the_pack_itself(
    desk: Desk, altered: dict[str, Any], root: str
) -> None:
    case = desk.office.cases.get(desk.case_id)
    opened = desk.office.cases.history(desk.case_id)[0]["data"]
    said = {**opened, "policy": opened["policy"] | altered, "evidence_root": root or opened["evidence_root"]}
    with desk.office.ledger.writing() as writer:
        change(writer, change(writer, case, "case.updated", said), "case.updated", opened)
    desk.decide()
    problems = verify_pack(desk.pack()).problems
    assert any("it records other rules about decisions than its policy has" in each for each in problems)


def _other_words(excerpt: dict[str, Any]) -> None:
    entry = next(each for each in excerpt["entries"] if each["payload"]["kind"] == "case.decided")
    entry["payload"]["data"]["outcome"] = "approve"


def _other_case(excerpt: dict[str, Any]) -> None:
    excerpt["case_id"] = "another-case"


def _without_approval(excerpt: dict[str, Any]) -> None:
    excerpt["entries"] = [each for each in excerpt["entries"] if each["payload"]["kind"] != "case.decided"]


def _forged_second_person(excerpt: dict[str, Any]) -> None:
    excerpt["entries"][-1]["payload"]["actor"] = "sam"


@pytest.mark.parametrize("spoil", [_other_words, _other_case, _without_approval, _forged_second_person])
def test_an_excerpt_that_was_altered_is_found_when_every_hash_is_made_anew(
    decided_desk: DecidedDesk, tmp_path: Path, spoil: Callable[[dict[str, Any]], None]
) -> None:
    excerpt = json.loads(json.dumps(decided_desk.desk.excerpt()))
    pack = Path(shutil.copytree(decided_desk.pack, tmp_path / decided_desk.pack.name))
    spoil(excerpt)
    path = pack / "data/ledger-excerpt.json"
    path.write_bytes(canonical_json(excerpt) + b"\n")
    order = parse_json((pack / "data/order.json").read_bytes())
    order["ledger_excerpt"] = sha256_hex(path.read_bytes())
    (pack / "data/order.json").write_bytes(canonical_json(order) + b"\n")
    info = {
        name: value
        for name, _, value in (
            line.partition(": ") for line in (pack / "bag-info.txt").read_text().splitlines()
        )
        if name != "Payload-Oxum"
    }
    close_bag(pack, info)
    assert any("ledger-excerpt" in problem for problem in verify_pack(pack).problems)


def test_anchors_that_contradict_the_pack_are_found_and_without_any_it_says_so(
    decided_desk: DecidedDesk,
) -> None:
    excerpt = decided_desk.desk.excerpt()
    pack = decided_desk.pack
    assert any("anchor" in doubt for doubt in verify_pack(pack).not_shown)
    assert verify_pack(pack, anchors=[excerpt["head"]]).problems == ()
    false = {**excerpt["head"], "hash": "0" * 64, "root": "0" * 64}
    assert any("anchor" in problem for problem in verify_pack(pack, anchors=[false]).problems)
    run_head = manifest_of(pack)["ledger_head"]
    assert any(
        "order.json" in problem
        for problem in verify_pack(pack, anchors=[{**run_head, "root": "0" * 64}]).problems
    )
