"""The list that `make conformance` prints: the interface, row by row, with pass or fail.

A plugin of pytest, loaded with `-p tests.conformance.report`.
"""

from __future__ import annotations

import os

import pytest
from tests.conformance.rows import listed_rows, rows_covered_by


class RowReport:
    """Gathers what came of each test, and prints it by row."""

    def __init__(self) -> None:
        self._covered: dict[str, list[str]] = {}
        self._passed: dict[str, bool] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._covered = rows_covered_by(session.items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or not report.passed:
            self._passed[report.nodeid] = self._passed.get(report.nodeid, True) and report.passed

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        database = "PostgreSQL" if os.environ.get("KYCPACK_TEST_POSTGRES") else "SQLite"
        terminalreporter.section(f"the interface, row by row, on {database}")
        rows = listed_rows()
        good = 0
        for row in rows:
            tests = self._covered.get(row, [])
            passed = bool(tests) and all(self._passed.get(test, False) for test in tests)
            good += passed
            word = "pass" if passed else "FAIL" if tests else "NO TEST"
            terminalreporter.write_line(f"{word:8}{row}")
        terminalreporter.write_line(f"{good} of {len(rows)} rows pass")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(RowReport())
