"""Running services for tests: on SQLite, or on the PostgreSQL that KYCPACK_TEST_POSTGRES names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text
from tests.service.signed import Caller, caller_of

from kycpack.service.embedded import EmbeddedService

POSTGRES = "KYCPACK_TEST_POSTGRES"


def database_url(folder: Path, name: str = "service.db") -> str:
    """Return the URL of an empty database."""
    url = os.environ.get(POSTGRES)
    if not url:
        return f"sqlite:///{folder / name}"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


@contextmanager
def running(folder: Path, **options: Any) -> Iterator[tuple[EmbeddedService, Caller]]:
    """Run a service on an empty database."""
    with EmbeddedService(database_url(folder), **options) as service:
        call = caller_of(service)
        try:
            yield service, call
        finally:
            call.close()
