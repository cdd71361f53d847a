from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from kycpack.workspace import Register, Workspace

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def workspace(place: str) -> Iterator[Workspace]:
    with Workspace.open(place, now=lambda: NOW) as opened:
        yield opened


@pytest.fixture
def register(workspace: Workspace) -> Register:
    return Register(workspace)
