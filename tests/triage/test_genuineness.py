"""A document of which a member says that it is not genuine is as bad as a forged one, and goes to the MLRO."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.unaltered", False),
        ("document.notForged", False),
        ("document.notForged", "no"),
        ("document.isGenuine", False),
        ("document.isGenuine", "no"),
        ("document.genuine", "false"),
        ("document.genuine", 0),
        ("document.documentGenuine", False),
        ("document.contentAnalysis.isAuthentic", False),
        ("document.authenticity", False),
        ("document.untampered", "No"),
        ("document.unforged", "no"),
        ("document.photo_unmodified", False),
        ("document.notGenuine", True),
        ("document.isNotAuthentic", "yes"),
        ("address.bill.genuine", False),
        ("vendor.documentGenuine", False),
        ("vendor.passport.isReal", False),
    ],
)
def test_a_document_that_is_not_genuine_goes_to_the_mlro(path: str, value: Any) -> None:
    made = triage(results=put(path, value))
    assert finding(made, "DOC-5")["outcome"] == "HIT"
    assert finding(made, "DOC-5")["owner"] == "MLRO"
    assert level(made) == "edd"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("document.unaltered", True, "approve"),
        ("document.isGenuine", True, "approve"),
        ("document.genuine", None, "approve"),
        ("document.legible", False, "review"),
        ("document.valid", False, "review"),
        ("document.notExpired", False, "review"),
        ("document.original", False, "review"),
        ("document.authenticityVerified", False, "review"),
        ("document.authenticityCheck", False, "review"),
        ("document.genuine", "not checked", "review"),
        ("document.genuineScore", 0, "review"),
        ("identity.genuine", False, "review"),
        ("vendor.unaltered", False, "review"),
    ],
)
def test_a_document_that_is_genuine_or_not_checked_is_no_forged_one(
    path: str, value: Any, expected: str
) -> None:
    made = triage(results=put(path, value))
    assert finding(made, "DOC-5")["outcome"] == "CLEAR"
    assert level(made) == expected
