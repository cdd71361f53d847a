"""A pack can be made again from what is in it, and what differs is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from kycpack.errors import EvidenceError, PackError
from kycpack.pack import PackResult, replay_pack


def test_a_pack_replays_identically(made: PackResult) -> None:
    replay = replay_pack(made.path)
    assert (replay.identical, replay.differences) == (True, ())


def test_a_figure_that_was_changed_is_named_with_both_values(copy: Path) -> None:
    figures = copy / "data/figures.json"
    figures.write_bytes(figures.read_bytes().replace(b'"level":"edd"', b'"level":"approve"'))
    differences = replay_pack(copy).differences
    assert "data/figures.json level: approve in the pack, edd now" in differences
    assert "data/figures.json differs" in differences


def test_what_is_appended_to_a_pdf_and_is_no_signature_differs(copy: Path) -> None:
    with (copy / "data/report/review.pdf").open("ab") as pdf:
        pdf.write(b"\n% an update\n")
    assert "data/report/review.pdf differs" in replay_pack(copy).differences


def test_altered_evidence_is_not_replayed(copy: Path) -> None:
    (copy / "data/evidence/E-01.json").write_bytes(b"{}")
    with pytest.raises(EvidenceError, match="E-01"):
        replay_pack(copy)


def test_what_is_no_pack_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PackError):
        replay_pack(tmp_path)
