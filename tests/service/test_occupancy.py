"""The claim of a running service on its database."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine
from tests.service.running import POSTGRES, database_url

from kycpack.service.database import occupied


@pytest.mark.postgres
def test_a_claim_is_free_before_the_server_notices_that_its_connection_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not os.environ.get(POSTGRES):
        pytest.skip(f"{POSTGRES} names no server")
    url = database_url(tmp_path)
    first, second = create_engine(url), create_engine(url)
    monkeypatch.setattr(Connection, "invalidate", lambda _: None)  # the connection stays open on the server
    for engine in (first, second):
        with occupied(engine):
            pass
    first.dispose()
    second.dispose()
