"""The database: private, of one version, and one truth for many processes."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event, func, inspect, select, text, update
from tests.service.running import POSTGRES, database_url
from tests.service.signed import caller_of, refused

from kycpack.errors import ServiceError
from kycpack.models.payments import AttemptCreate, PaymentCreate
from kycpack.service.attempts import create_attempt
from kycpack.service.clock import Clock
from kycpack.service.database import Database
from kycpack.service.embedded import EmbeddedService
from kycpack.service.keys import revoke_key
from kycpack.service.payments import create_payment
from kycpack.service.problems import RefusedError
from kycpack.service.schema import facts
from kycpack.service.sessions import tenant_of
from kycpack.service.state import ensure_first_key, keep_fact

NOW = datetime(2026, 5, 25, tzinfo=UTC)


def test_a_database_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "service.db"
    Database(str(path)).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("version", ["0", "999", "x"])
def test_a_database_of_a_version_that_cannot_be_read_is_refused(tmp_path: Path, version: str) -> None:
    url = database_url(tmp_path)
    database = Database(url)
    with database.write() as connection:
        connection.execute(update(facts).where(facts.c.name == "version").values(value=version))
    database.close()
    with pytest.raises(ServiceError, match=f"version {version}, this service reads versions 1 to"):
        Database(url)


def test_an_older_database_is_brought_up_to_date_with_what_it_holds(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    engine = create_engine(url)
    script = Path(__file__).parent / "schemas" / f"version_1.{engine.dialect.name}.sql"
    with engine.begin() as connection:
        for statement in script.read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
        connection.exec_driver_sql("INSERT INTO service_facts (name, value) VALUES ('version', '1')")
        connection.exec_driver_sql(
            "INSERT INTO tenants (id, name, currency, merchant_onboarded, created_at) VALUES ('t', 'T', 'GBP', true, '')"
        )
    engine.dispose()
    migrated = Database(url)
    (tmp_path / "new").mkdir()
    new = Database(database_url(tmp_path / "new"))
    assert _layout(migrated) == _layout(new)
    with migrated.read() as connection:
        assert tenant_of(connection, "t").currency == "GBP"
    migrated.close()
    new.close()


def _layout(database: Database) -> dict[str, Any]:
    """Return the columns and indexes of each table."""
    with database.read() as connection:
        inspector = inspect(connection)
        return {
            table: (
                {
                    column["name"]: (str(column["type"]), column["nullable"])
                    for column in inspector.get_columns(table)
                },
                {str(index["name"]): index["column_names"] for index in inspector.get_indexes(table)},
            )
            for table in inspector.get_table_names()
        }


def test_two_services_on_one_database_are_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    with EmbeddedService(url) as first:
        with pytest.raises(ServiceError, match="another service is running on this database"):
            EmbeddedService(url)
        call = caller_of(first)
        assert call("GET", "/v1/banks").status_code == 200
        call.close()
    with EmbeddedService(url) as second:
        assert second.key_id == first.key_id


def test_the_clock_outlives_a_restart(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    with EmbeddedService(url, clock=lambda: NOW) as first:
        first.service.clock.advance(86_400 * 8)
    with EmbeddedService(url, clock=lambda: NOW) as second:
        assert second.service.clock.now() == NOW + timedelta(days=8)
        second.service.clock.reset()
    with EmbeddedService(url, clock=lambda: NOW) as third:
        assert third.service.clock.now() == NOW


def test_a_revoked_first_key_is_not_announced(tmp_path: Path) -> None:
    url = database_url(tmp_path)
    with EmbeddedService(url) as first, first.service.database.write() as connection:
        revoke_key(connection, NOW, first.key_id)
    with EmbeddedService(url) as second:
        assert second.key_id != first.key_id
        assert second.tenant_id == first.tenant_id
        call = caller_of(second)
        assert call("GET", "/v1/customers").status_code == 200
        call.close()


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("nonsense://x", "nonsense"),
        ("mysql://root:hunter2@db/x", "mysql"),
        ("/nowhere/at/all/x.db", "/nowhere/at/all/x.db"),
        ("postgresql+psycopg://u:hunter2@127.0.0.1:1/x", "127.0.0.1:1"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_without_its_password(url: str, named: str) -> None:
    with pytest.raises(ServiceError) as raised:
        Database(url)
    assert named in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_a_reader_sees_one_state_while_another_writes(tmp_path: Path) -> None:
    database = Database(database_url(tmp_path))
    with database.read() as reading:
        before = reading.scalar(select(func.count()).select_from(facts))
        with database.write() as writing:
            keep_fact(writing, "something", "new")
        assert reading.scalar(select(func.count()).select_from(facts)) == before
    database.close()


def test_a_locked_file_is_503_soon_and_never_a_replay_accepted(tmp_path: Path) -> None:
    path = tmp_path / "service.db"
    with EmbeddedService(str(path)) as service:
        call = caller_of(service)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with ThreadPoolExecutor(6) as pool:
            asked = [pool.submit(call, "GET", "/v1/banks") for _ in range(3)]
            asked += [pool.submit(call, "POST", "/v1/customers", {}) for _ in range(3)]
            answers = [one.result() for one in asked]
        assert time.monotonic() - began < 8
        for answer in answers:
            refused(answer, 503, "database_unavailable")
            assert int(answer.headers["retry-after"]) >= 1
        other.execute("ROLLBACK")
        other.close()
        assert call("GET", "/v1/banks").status_code == 200
        call.close()


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


def _start_attempts_in_eight_processes(*arguments: object) -> None:
    """Be the one process that imports the service; the eight that share it come of it in no time, and so at once."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_start_attempts, args=arguments) for _ in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


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
    parent = context.Process(target=_start_attempts_in_eight_processes, args=arguments)
    parent.start()
    ids = [found.get(timeout=120) for _ in range(8)]
    parent.join()
    assert len({one for several in ids for one in several}) == 1


def test_while_everything_is_replaced_nobody_else_writes(tmp_path: Path) -> None:
    begun, over = threading.Event(), threading.Event()

    def write(number: int) -> None:
        begun.wait(5)
        while not over.is_set():
            with writers.write() as connection:
                keep_fact(connection, f"fact_{number}", str(time.monotonic()))

    url = database_url(tmp_path)
    with closing(Database(url)) as database, closing(Database(url)) as writers, ThreadPoolExecutor(4) as pool:
        done = [pool.submit(write, number) for number in range(4)]
        with database.write(alone=True) as connection:
            begun.set()
            seen = []
            for _ in range(20):
                seen.append(connection.execute(select(facts).order_by(facts.c.name)).all())
                time.sleep(0.02)
        over.set()
        assert all(held == seen[0] for held in seen)
        assert [one.result(10) for one in done] == [None] * 4
        with database.read() as connection:
            assert len(connection.execute(select(facts)).all()) == len(seen[0]) + 4


@pytest.mark.postgres
def test_a_connection_that_breaks_before_its_first_statement_is_503(tmp_path: Path) -> None:
    with closing(Database(database_url(tmp_path))) as database:
        event.listen(database.engine, "checkout", lambda connection, *_: connection.pgconn.finish())
        for begin in (database.read, database.write):
            with pytest.raises(RefusedError) as refusal, begin() as connection:
                connection.execute(text("SELECT 1"))
            assert refusal.value.status == 503


@pytest.mark.postgres
def test_postgres_is_what_the_tests_ran_on() -> None:
    assert os.environ.get(POSTGRES), f"set {POSTGRES} to run the tests of the service on PostgreSQL"


def test_what_is_acknowledged_survives_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite waits for the disk where something was done; the nonce of a read is all that it does not wait for."""
    with EmbeddedService(str(tmp_path / "service.db")) as service:
        call, seen = caller_of(service), list[tuple[str, int]]()
        used = service.service.verifier.use_nonce

        def look(connection: Any, request: Any, *more: Any) -> None:
            seen.append((request.method, connection.execute(text("PRAGMA synchronous")).scalar_one()))
            used(connection, request, *more)

        monkeypatch.setattr(service.service.verifier, "use_nonce", look)
        for _ in range(3):
            assert call("POST", "/v1/customers", {"firstName": "Ada"}).status_code == 200
            assert call("GET", "/v1/customers").status_code == 200
        call.close()
    assert seen == [("POST", 2), ("GET", 1)] * 3
