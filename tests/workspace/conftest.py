from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kycpack.workspace import Register, Workspace

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "kycpack.db", now=lambda: NOW) as opened:
        yield opened


@pytest.fixture
def register(workspace: Workspace) -> Register:
    return Register(workspace)
