from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from kycpack.workspace import Register, Workspace

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a workspace is kept that is made for the test."""
    if request.param == "sqlite":
        yield str(tmp_path / "kycpack.db")
        return
    server = os.environ.get("KYCPACK_TEST_POSTGRES")
    if not server:
        pytest.skip("KYCPACK_TEST_POSTGRES names no server")
    name = f"kycpack_{uuid.uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(server).set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def workspace(place: str) -> Iterator[Workspace]:
    with Workspace.open(place, now=lambda: NOW) as opened:
        yield opened


@pytest.fixture
def register(workspace: Workspace) -> Register:
    return Register(workspace)
