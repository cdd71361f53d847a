"""The database: private, of one version, and one truth for many processes."""

from __future__ import annotations

import multiprocessing
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text, update
from tests.service.running import POSTGRES, database_url

from kycpack.errors import ServiceError
from kycpack.models.payments import AttemptCreate, PaymentCreate
from kycpack.service.attempts import create_attempt
from kycpack.service.clock import Clock
from kycpack.service.database import Database
from kycpack.service.payments import create_payment
from kycpack.service.schema import facts
from kycpack.service.sessions import tenant_of
from kycpack.service.state import ensure_first_key

NOW = datetime(2026, 5, 25, tzinfo=UTC)


def test_a_database_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "service.db"
    Database(str(path)).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_database_of_another_version_is_refused(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    database = Database(url)
    with database.write() as connection:
        connection.execute(update(facts).where(facts.c.name == "version").values(value="0"))
    database.close()
    with pytest.raises(ServiceError, match="version 0, this service needs version"):
        Database(url)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE customers (id TEXT)"))
    engine.dispose()
    with pytest.raises(ServiceError, match="another program"):
        Database(url)


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "nonsense://x", "://", "/nowhere/at/all/x.db"]
)
def test_a_database_that_cannot_be_used_is_a_clear_error(url: str) -> None:
    with pytest.raises(ServiceError):
        Database(url)


def test_a_key_outlives_a_restart(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    told = []
    for _ in range(2):
        database = Database(url)
        told.append(ensure_first_key(database, Clock()).key.secret)
        database.close()
    assert told[0] == told[1]


def _start_attempts(
    url: str, tenant_id: str, payment_id: str, found: multiprocessing.Queue[list[str]]
) -> None:
    database = Database(url)
    body = AttemptCreate.read({"idempotencyKey": "one", "bank": {"bankId": "test-bank"}})
    ids = []
    for _ in range(10):
        with database.write() as connection:
            tenant = tenant_of(connection, tenant_id)
            ids.append(create_attempt(connection, tenant, payment_id, body, NOW).id)
    database.close()
    found.put(ids)


def test_eight_processes_with_one_idempotency_key_get_one_attempt(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    database = Database(url)
    first = ensure_first_key(database, Clock(lambda: NOW))
    with database.write() as connection:
        tenant = tenant_of(connection, first.tenant_id)
        body = PaymentCreate.read({"amount": 1, "reference": "r", "returnUrl": "https://shop.example/"})
        payment_id = create_payment(connection, tenant, body, NOW)
    database.close()
    context = multiprocessing.get_context("spawn")
    found: multiprocessing.Queue[list[str]] = context.Queue()
    arguments = (url, first.tenant_id, payment_id, found)
    processes = [context.Process(target=_start_attempts, args=arguments) for _ in range(8)]
    for process in processes:
        process.start()
    ids = [found.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    assert len({one for several in ids for one in several}) == 1


@pytest.mark.postgres
def test_postgres_is_what_the_tests_ran_on() -> None:
    assert os.environ.get(POSTGRES), f"set {POSTGRES} to run the tests of the service on PostgreSQL"
