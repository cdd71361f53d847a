"""The date of a theft or a forgery says that there was one, and goes to the MLRO as a plain yes does."""

from __future__ import annotations

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize("name", ["reportedStolen", "stolenOn", "lostOrStolen", "forgerySuspectedAt"])
@pytest.mark.parametrize("value", ["2025-03-03", "2025-03-03T10:00:00Z", "03/03/2025", "yes", True])
def test_a_dated_theft_or_forgery_goes_to_the_mlro(name: str, value: object) -> None:
    made = triage(results=put(f"document.{name}", value))
    assert level(made) == "edd"
    assert finding(made, "DOC-5")["outcome"] == "HIT"
    assert "MLRO" in made.recommendations["routes"].iloc[0]


@pytest.mark.parametrize(
    "name", ["fraudCheckedAt", "fraudCheckDate", "stolenRegisterUpdatedOn", "tamperTestDate", "notStolenAsOf"]
)
def test_the_date_of_a_check_is_no_forgery(name: str) -> None:
    made = triage(results=put(f"document.{name}", "2026-05-02"))
    assert finding(made, "DOC-5")["outcome"] == "CLEAR"
