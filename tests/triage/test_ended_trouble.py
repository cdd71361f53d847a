"""Trouble that was not blocked, denied or closed goes on: `attackBlocked: false` is no denial of an attack."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.attackBlocked", False),
        ("identity.attack", {"blocked": "no"}),
        ("identity.spoofRejected", "none"),
        ("document.fraud", {"denied": False}),
        ("document.mismatchDiscounted", False),
        ("document.tampering", {"discounted": "no"}),
        ("document.tamperProof", False),
        ("identity.injectionFailed", False),
        ("complaints", {"closed": False}),
        ("complaintsClosed", "not found"),
        ("screening.matchDismissed", False),
        ("screening.matches", {"dismissed": "no"}),
        ("screening.alertClosed", False),
    ],
)
def test_trouble_that_did_not_end_is_reviewed(path: str, value: Any) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.attackDetected", False),
        ("document.rejected", False),
        ("identity.device", {"blocked": False}),
        ("identity.accountSuspended", False),
        ("identity.livenessFailed", "no"),
        ("identity.attacksBlocked", 0),
        ("screening.hitsDiscounted", 0),
        ("screening.alerts", {"dismissed": 0, "reviewed": 0}),
        ("screening.matchFound", False),
    ],
)
def test_trouble_that_is_denied_is_none(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"
