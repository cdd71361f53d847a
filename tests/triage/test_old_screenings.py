"""A screening that was made long before the session is found, by whichever name its date has."""

from __future__ import annotations

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

NAMES = (
    "searchedAt", "searchDate", "runDate", "date", "timestamp", "createdAt", "screeningDate", "checkDate", "dateOfSearch", "executedOn", "search.date", "run.date",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("day", ["2019-01-01", "2021-01-01T00:00:00Z"])
def test_an_old_screening_is_not_approved(name: str, day: str) -> None:
    made = triage(results=put(f"screening.{name}", day))
    assert "a time long before the session" in str(finding(made, "RES-6")["sentence"])
    assert level(made) != "approve"


@pytest.mark.parametrize("name", [*NAMES, "monitoring.createdAt", "listDate"])
def test_a_fresh_screening_asks_for_nothing(name: str) -> None:
    assert level(triage(results=put(f"screening.{name}", "2026-05-02T09:00:00Z"))) == "approve"


def test_monitoring_may_have_begun_earlier() -> None:
    assert level(triage(results=put("screening.monitoring.createdAt", "2024-05-01"))) == "approve"
