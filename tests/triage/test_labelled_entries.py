"""An entry that names a member and gives its value is read as that member would be."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.insights", [{"label": "documentReadable", "result": "yes"}]),
        (
            "document.insights",
            [{"label": "documentFrontFullyVisible", "result": "yes", "category": "document"}],
        ),
        (
            "document.validations",
            [{"key": "photoPresent", "value": True}, {"key": "tampered", "value": False}],
        ),
        ("identity.signals", [{"name": "spoof_detected", "value": "no"}, {"name": "vpn", "value": False}]),
        ("identity.attackDetected", "no"),
        ("identity.presentationAttack", False),
        ("address.deliverable", "yes"),
        ("document.checks", [{"name": "tampering check", "result": True}]),
        (
            "document.checks",
            [{"name": "tampering", "passed": True}, {"name": "tampering", "result": "passed"}],
        ),
        ("document.images", [{"side": "front", "createdAt": "2026-05-02T08:40:00Z"}]),
    ],
)
def test_good_news_in_entries_and_words_is_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.insights", [{"label": "documentEdited", "result": "yes"}]),
        ("document.insights", [{"label": "documentReadable", "result": "no"}]),
        ("document.insights", [{"label": "documentReadable", "result": "yes", "verdict": "failed"}]),
        ("document.validations", [{"key": "tampered", "value": True}]),
        ("document.validations", [{"key": "photoPresent", "value": False}]),
        ("document.checks", [{"check": "tampering", "result": False}]),
        ("document.checks", [{"name": "tampering", "passed": False}]),
        ("document.checks", [{"name": "tampering", "result": "no"}]),
        ("document.checks", [{"name": "tampering", "result": True}]),
        ("document.checks", [{"type": "forgery", "outcome": "yes"}]),
        ("checks", [{"name": "tampering", "status": True}]),
        ("document.checks", [{"label": "tampered", "value": False, "result": "rejected"}]),
        ("identity.signals", [{"name": "gun_visible", "value": "yes"}]),
        ("identity.signals", [{"name": "same face seen before", "value": True}]),
        ("screening.aliases", [{"name": "tampered", "value": False}]),
        ("identity.attackDetected", "yes"),
        ("identity.presentationAttack", True),
        ("document.stampVisible", "yes"),
        ("document.images", [{"createdAt": "2019-01-01T00:00:00Z"}]),
        ("document.frontImage.createdOn", "2019-01-01"),
        ("identity.selfie.created", "2025-11-02T10:00:00Z"),
        ("identity.video.recordedAt", "2025-11-02T10:00:00Z"),
    ],
)
def test_bad_or_doubtful_news_in_entries_and_words_is_not(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"
