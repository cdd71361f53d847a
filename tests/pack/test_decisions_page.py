"""The page that links the packs with decisions names the pack that each decision is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kycpack.models.json import canonical_json
from kycpack.pack.bag import TAG_MANIFEST
from kycpack.pack.decide.decisions_page import packs_with_decisions


def write(out: Path, name: str, root: str, decision: dict[str, Any] | None = None) -> None:
    place = out / name
    (place / "data").mkdir(parents=True)
    manifest = {"customer_id": "C1", "evidence_root": root, "decision": decision}
    (place / "data" / "manifest.json").write_bytes(canonical_json(manifest))
    (place / TAG_MANIFEST).touch()


def test_a_decision_stands_beside_the_pack_with_its_evidence(tmp_path: Path) -> None:
    write(tmp_path, "C1", "aa")
    write(tmp_path, "C1+1", "bb")
    write(tmp_path, "C1+2", "aa", {"evidence_root": "aa", "sentence": "Approved", "standing": "In force"})
    write(tmp_path, "C1+3", "cc", {"evidence_root": "cc", "sentence": "Rejected", "standing": ""})
    found = {one["pack"]: (one["decided_on"], one["sentence"]) for one in packs_with_decisions(tmp_path)}
    assert found == {"C1+2": ("C1", "Approved. In force"), "C1+3": (None, "Rejected")}
