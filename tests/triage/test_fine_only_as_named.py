"""Members that look like well-known good news and lack one thing that makes them so."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank


@pytest.mark.parametrize(
    ("path", "value"),
    [
        # Nothing is named that is visible, or nothing is said of what is named.
        ("document.fullyVisible", True),
        ("identity.present", True),
        ("document.cardIsPhoto", True),
        ("document.frontSide", True),
        ("document.imageImageVisible", True),
        ("document.otherDocumentVisible", True),
        ("findings.image.facePresent", True),
        # Finding nothing is good only where trouble was looked for.
        ("document.present", "not found"),
        ("document.visible", "no match"),
        ("document.results", 0),
        ("document.matches", 0),
        ("companySearch.matchCount", 0),
        ("identity.deepfake.chip", False),
        ("identity.deepfake.facePresent", "not detected"),
        # The search, and not the trouble, is what was not detected.
        ("document.fraudVerified", "not detected"),
        ("document.spoofPassed", "not detected"),
        ("document.sanctionMatch", "not detected"),
        # A link is data only under the name of a link, where nothing around it is about trouble.
        ("document.fraudReport.url", "https://x.example/a"),
        ("police.image.url", "https://x.example/a"),
        ("findings.image.url", "https://x.example/a"),
        ("sealBroken.image.url", "https://x.example/a"),
        ("fraudUrl", "https://x.example/a"),
        ("document.reportUrl", "https://x.example/stolen"),
        ("document.reportUrl", "https://x.example/police/1"),
    ],
)
def test_what_only_looks_like_good_news_is_reviewed(path: str, value: Any) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.frontVisible", True),
        ("document.fraudMatches", 0),
        ("fraudRegister.matchCount", 0),
        ("document.tampering", "not detected"),
        ("document.image.url", "https://x.example/a"),
    ],
)
def test_good_news_is_fine(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"
