"""What an outsider thought of is found as the table says, naively done and with all hashes recomputed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.pack.further_tampering import FURTHER_KINDS
from tests.pack.outside_tampering import OUTSIDE_KINDS
from tests.pack.tampering import HASH, REPLAY, Kind, found_by, reseal


@pytest.mark.parametrize("kind", [*OUTSIDE_KINDS, *FURTHER_KINDS], ids=lambda kind: kind.name)
def test_what_an_outsider_does_is_found(copy: Path, kind: Kind) -> None:
    kind.act(copy)
    assert found_by(copy, replayed=False) == kind.naive == HASH
    (kind.reseal or reseal)(copy)
    assert found_by(copy, replayed=kind.resealed == REPLAY) == kind.resealed
