"""Which row each test covers, and the list that `make conformance` prints."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

import pytest
from tests.conformance.rows import listed_rows
from tests.service.running import running
from tests.service.signed import Caller

from kycpack.service.embedded import EmbeddedService

_COVERED = pytest.StashKey[dict[str, list[str]]]()
_OUTCOMES = pytest.StashKey[dict[str, bool]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--conformance", action="store_true", help="print the interface, row by row, with pass or fail"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "row(*names): rows of the interface that a test covers")
    config.stash[_COVERED] = defaultdict(list)
    config.stash[_OUTCOMES] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for marker in item.iter_markers("row"):
            for name in marker.args:
                config.stash[_COVERED][name].append(item.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.failed:
        passed = _config.stash[_OUTCOMES].get(report.nodeid, True) and report.passed
        _config.stash[_OUTCOMES][report.nodeid] = passed


def pytest_sessionstart(session: pytest.Session) -> None:
    global _config  # noqa: PLW0603 - reports do not carry the configuration
    _config = session.config


_config: pytest.Config


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not config.getoption("--conformance"):
        return
    covered, outcomes = config.stash[_COVERED], config.stash[_OUTCOMES]
    terminalreporter.section(
        f"the interface, row by row ({os.environ.get('KYCPACK_TEST_POSTGRES') or 'sqlite'})"
    )
    rows = listed_rows()
    good = 0
    for row in rows:
        tests = covered.get(row, [])
        passed = bool(tests) and all(outcomes.get(test, False) for test in tests)
        good += passed
        word = "pass" if passed else "FAIL" if tests else "NO TEST"
        terminalreporter.write_line(f"{word:8}{row}")
    terminalreporter.write_line(f"{good} of {len(rows)} rows pass")


@pytest.fixture(scope="session")
def covered_rows(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    return request.config.stash[_COVERED]


@pytest.fixture(scope="session")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[EmbeddedService, Caller]]:
    with running(tmp_path_factory.mktemp("conformance")) as pair:
        yield pair


@pytest.fixture
def embedded(running_service: tuple[EmbeddedService, Caller]) -> EmbeddedService:
    running_service[1].control("/reset")
    return running_service[0]


@pytest.fixture
def call(embedded: EmbeddedService, running_service: tuple[EmbeddedService, Caller]) -> Caller:
    return running_service[1]
