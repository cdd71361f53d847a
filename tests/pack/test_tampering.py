"""Every kind of tampering is found by the check that the table names, naively done and with all hashes recomputed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.pack.tampering import HASH, REPLAY, Kind, found_by, reseal
from tests.pack.tampering_kinds import KINDS
from tests.pack.tampering_page import table


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_is_tampered_with_is_found(copy: Path, kind: Kind) -> None:
    kind.act(copy)
    assert found_by(copy, replayed=False) == kind.naive == HASH


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_new_hashes_hide_nothing(copy: Path, kind: Kind) -> None:
    kind.act(copy)
    (kind.reseal or reseal)(copy)
    assert found_by(copy, replayed=kind.resealed == REPLAY) == kind.resealed


def test_the_page_of_kinds_is_this_list(checkout: Path) -> None:
    assert (checkout / "docs/tampering.md").read_text(encoding="utf-8") == table()
