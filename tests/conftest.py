"""What every test may ask for, and the rule that on a full machine nothing is skipped."""

from __future__ import annotations

import functools
import gc
import multiprocessing
import os
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest
import typer.testing
from hypothesis import HealthCheck, settings
from sqlalchemy import Connection, create_engine, text

settings.register_profile(
    "kycpack", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile("kycpack")

# What a developer has set for work of their own (a service, a signer, a workspace) is nothing to a test.
_FOR_TESTS = ("KYCPACK_TEST_", "KYCPACK_NO_SKIPS", "KYCPACK_SHARED_DATA", "KYCPACK_VNU_JAR")
for _name in [name for name in os.environ if name.startswith("KYCPACK_") and not name.startswith(_FOR_TESTS)]:
    del os.environ[_name]

# Where an object store is, and by which keys, is in a file of this process's own: what begins before a test of one knows it too.
os.environ["AWS_CONFIG_FILE"] = os.path.join(tempfile.gettempdir(), f"kycpack-tests-{os.getpid()}.aws")  # noqa: PTH118
os.environ["AWS_SHARED_CREDENTIALS_FILE"] = os.devnull

# Typer's runner reads the signatures of all commands anew whenever it runs one; once will do.
typer.testing._get_command = functools.cache(typer.testing._get_command)

# Python starts one server of forks a process, with what its first run asks for: of stubs, that is next to nothing, and each
# pack that came later would import all of kycpack for itself.
_EVERY_IMPORT = ("kycpack.batch.executor", "kycpack.pack.preload", "kycpack.render.statement_pdf")
forkserver.set_forkserver_preload = functools.partial(
    lambda preload, modules: preload([*_EVERY_IMPORT, *modules]), forkserver.set_forkserver_preload
)

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session", autouse=True)
def _notebooks_from_the_server() -> Iterator[None]:
    """Run cells in a fork with the imports done; how kycpack itself begins their process is what `tests/pack/test_engine.py` tests."""
    from kycpack.pack.notebooks import cells, engine  # noqa: PLC0415 - what tests of other rooms collect does not wait for it

    def run(arguments: list[str]) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([])
        process = context.Process(target=cells.main, args=(arguments,))
        process.start()
        process.join(engine._LIMIT_SECONDS)
        process.kill()
        process.join()
        process.close()

    with pytest.MonkeyPatch.context() as patch:
        for name in ("_run_forked", "_run_afresh"):
            patch.setattr(engine, name, run)
        yield


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The top of the checkout."""
    return ROOT


def _shared_data() -> Path:
    given = os.environ.get("KYCPACK_SHARED_DATA")
    return Path(given) if given else ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of data that is measured against and not shipped; tests that ask for it are left out without it."""
    return _shared_data()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage when every test is imported and not 1,800 times on the way; what was imported by then stays.

    From then on it is looked for seldom: at Python's own pace that takes a tenth of the time of the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        gc.enable()


# What takes longest, most of it in waiting for processes: at the end, one worker would be alone with it.
_FIRST = (
    "browser/test_lab",
    "batch/test_dask_executor",
    "batch/test_bad_night",
    "batch/test_run",
    "batch/test_run_faults",
    "batch/test_shared_run",
    "batch/test_publication",
    "cli/test_watch",
    "cli/test_outage",
    "cli/test_streams",
    "cli/test_watch_store",
    "cli/test_decided_runs",
    "architecture/test_wheel",
    "workspace/test_inbox_killed",
    "browser/test_review_page",
    "notebooks/test_getting_started",
    "service/test_durability",
    "service/test_openapi",
    "service/test_sender",
    "workspace/test_receiver",
    "workspace/test_inbox",
    "workspace/test_ledger",
    "workspace/test_identity_marks",
    "workspace/test_decisions",
    "workspace/test_ledger_alone",
    "workspace/test_cases",
)


def _place(item: pytest.Item) -> int:
    name = item.path.relative_to(ROOT / "tests").with_suffix("").as_posix()
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest; leave out, and count as such, the tests that measure against data which is not shipped."""
    items.sort(key=_place)
    if _shared_data().is_dir():
        return
    left_out = [item for item in items if "shared_data" in getattr(item, "fixturenames", ())]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Count something that is printed after the tests: its topic, what it is, and how many."""

    def count(topic: str, what: str, number: int = 1) -> None:
        record_property("tally", (topic, what, number))

    return count


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests counted, a line a topic; of a test that failed, nothing is counted."""
    totals: dict[str, Counter[str]] = {}
    for report in terminalreporter.stats.get("passed", ()):
        for name, value in report.user_properties:
            if name == "tally":
                topic, what, number = value
                totals.setdefault(topic, Counter())[what] += number
    if totals:
        terminalreporter.section("counted")
    for topic, counts in sorted(totals.items()):
        terminalreporter.write_line(f"{topic}: " + "; ".join(f"{n:,} {what}" for what, n in counts.items()))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where everything a test could need is there, a skip is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("KYCPACK_NO_SKIPS") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def postgres() -> Iterator[Connection]:
    """A connection to the server, on which databases are made and dropped; to connect takes as long as to make one."""
    server = os.environ.get("KYCPACK_TEST_POSTGRES")
    if not server:
        pytest.skip("KYCPACK_TEST_POSTGRES names no server")
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a workspace is kept that is made for the test."""
    if request.param == "sqlite":
        yield str(tmp_path / "kycpack.db")
        return
    connection: Connection = request.getfixturevalue("postgres")
    name = f"kycpack_{uuid.uuid4().hex}"
    connection.execute(text(f"CREATE DATABASE {name}"))
    yield connection.engine.url.set(database=name).render_as_string(hide_password=False)
    connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
