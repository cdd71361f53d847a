"""Running services for tests: on SQLite, or on the PostgreSQL that KYCPACK_TEST_POSTGRES names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, make_url, text
from tests.service.signed import Caller, caller_of

from kycpack.service.embedded import EmbeddedService

POSTGRES = "KYCPACK_TEST_POSTGRES"


def database_url(folder: Path) -> str:
    """Return the URL of an empty database of its own, named after a folder of the test."""
    url = os.environ.get(POSTGRES)
    if not url:
        return f"sqlite:///{folder / 'service.db'}"
    name = f"kycpack_{sha256(str(folder).encode()).hexdigest()[:16]}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return make_url(url).set(database=name).render_as_string(hide_password=False)


@contextmanager
def running(folder: Path, **options: Any) -> Iterator[tuple[EmbeddedService, Caller]]:
    """Run a service on an empty database."""
    with EmbeddedService(database_url(folder), **options) as service:
        call = caller_of(service)
        try:
            yield service, call
        finally:
            call.close()
