"""What is done to the ledger's part of a pack is found; what only an anchor or the founding key finds is named as such."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.pack.conftest import AS_OF
from tests.pack.decision_desk import open_first_case
from tests.pack.ledger_tampering import LEDGER_KINDS, Desk
from tests.pack.tampering import HASH, Kind, found_by
from tests.workspace.case_material import open_office

from kycpack.evidence import Evidence
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import PackResult, replay_pack, verify_pack
from kycpack.pack.check.ledger_forks import ledger_forks


def _desk(folder: Path, specimen: Evidence, *, is_other: bool = False) -> Iterator[Desk]:
    for office in open_office(folder / "kycpack.db", folder, is_other=is_other):
        open_first_case(office, folder, specimen, AS_OF)
        yield Desk(office, folder / "packs")


@pytest.fixture(scope="module")
def desk(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    for desk in _desk(tmp_path_factory.mktemp("desk"), specimen):
        desk.decide()
        yield desk


@pytest.fixture(scope="module")
def decided(desk: Desk) -> Path:
    """A pack with a decision, not to be changed."""
    pack = desk.pack()
    assert verify_pack(pack).problems == ()
    return pack


@pytest.mark.parametrize("kind", LEDGER_KINDS, ids=lambda kind: kind.name)
def test_what_is_done_to_the_ledgers_part_is_found(decided: Path, tmp_path: Path, kind: Kind) -> None:
    copy = Path(shutil.copytree(decided, tmp_path / decided.name))
    kind.act(copy)
    assert found_by(copy, replayed=False) == kind.naive == HASH
    assert kind.reseal is not None
    kind.reseal(copy)
    assert found_by(copy, replayed=False) == kind.resealed


def test_a_ledger_that_was_forged_as_a_whole_is_found_by_an_anchor_or_the_founding_key(
    desk: Desk, decided: Path, specimen: Evidence, tmp_path: Path
) -> None:
    head, founder = desk.office.ledger.head(), desk.office.ledger.people().founder
    assert head is not None
    for forged in _desk(tmp_path, specimen, is_other=True):
        forged.decide("hold", "PRECAUTION", "nothing is left open for anybody to look at again")
        pack = forged.pack()
        assert list(ledger_forks([decided, pack])) == []  # another ledger altogether: only its founding tells
        alone = verify_pack(pack)
        assert alone.ok
        assert any(
            "Whether the decision is in the firm's ledger is not shown" in each for each in alone.not_shown
        )
        assert replay_pack(pack).identical
        anchored = verify_pack(pack, anchors=[asdict(head)])
        keyed = verify_pack(pack, ledger_keys=[founder])
        assert any("not founded with a trusted key" in each for each in keyed.problems)
        assert any("another first entry than the anchors" in each for each in anchored.problems)
    assert verify_pack(decided, anchors=[asdict(head)], ledger_keys=[founder]).ok


def test_two_packs_of_a_ledger_that_was_forked_contradict_each_other(
    decided: Path, made: PackResult, tmp_path: Path
) -> None:
    assert list(ledger_forks([decided, decided, made.path])) == []
    fork = Path(shutil.copytree(decided, tmp_path / "fork"))
    excerpt = parse_json((fork / "data/ledger-excerpt.json").read_bytes())
    excerpt["entries"][-1]["hash"] = "0" * 64
    excerpt["head"]["root"] = "1" * 64
    (fork / "data/ledger-excerpt.json").write_bytes(canonical_json(excerpt))
    head, entry = ledger_forks([decided, fork])
    assert f"different hashes of entry {excerpt['entries'][-1]['seq']} of one ledger" in entry
    assert f"the head after entry {excerpt['head']['size']}" in head
    (fork / "data/ledger-excerpt.json").write_bytes(b'{"entries": 5, "head": [')
    assert list(ledger_forks([decided, fork])) == []


def test_what_was_decided_later_is_not_shown_and_it_says_so(
    desk: Desk, decided: Path, tmp_path: Path
) -> None:
    earlier = Path(shutil.copytree(decided, tmp_path / "earlier"))
    answer = verify_pack(earlier)
    assert answer.ok
    assert any("Whether the case has later entries" in each for each in answer.not_shown)


def _other_words(made: dict[str, Any]) -> dict[str, Any]:
    return made | {"sentence": "Nothing speaks against the customer (E-03)"}


def _other_code(made: dict[str, Any]) -> dict[str, Any]:
    return made | {"reason_code": "BECAUSE"}


def _other_reason(made: dict[str, Any]) -> dict[str, Any]:
    return made | {"reason": "All is well"}


def _other_version(made: dict[str, Any]) -> dict[str, Any]:
    return made | {"policy": {**made["policy"], "version": "9.9.9"}}


def _finding_twice(made: dict[str, Any]) -> dict[str, Any]:
    return made | {"findings": [*made["findings"], {**made["findings"][0], "id": "F-99"}]}


@pytest.mark.parametrize(
    ("place", "alter", "why"),
    [
        (
            "cases.case_opening.looked_at",
            _finding_twice,
            "differs from the pack in the level or the findings",
        ),
        (
            "cases.case_decisions._finding",
            _other_words,
            "words a finding about sanctions, terrorism or a PEP otherwise",
        ),
        ("cases.case_decisions.decision_data", _other_code, "its policy has no reason code BECAUSE"),
        (
            "cases.case_decisions.decision_data",
            _other_reason,
            "gives its reason code other words than its policy does",
        ),
        ("cases.case_opening.looked_at", _other_version, "gives the pack's policy another id or version"),
    ],
)
def test_what_was_written_past_kycpack_is_found_by_the_pack_that_carries_it(
    specimen: Evidence,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    alter: Callable[[dict[str, Any]], dict[str, Any]],
    why: str,
) -> None:
    module, _, name = place.rpartition(".")
    own = getattr(importlib.import_module(f"kycpack.workspace.{module}"), name)
    monkeypatch.setattr(f"kycpack.workspace.{place}", lambda *given: alter(own(*given)))
    for desk in _desk(tmp_path, specimen):
        desk.decide()
        assert any(why in each for each in verify_pack(desk.pack()).problems)
