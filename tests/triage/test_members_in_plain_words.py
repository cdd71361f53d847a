"""Members in which a provider says more in plain words are approved, and the same members with worse values are not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

FINE_AND_NOT: list[tuple[str, Any, Any]] = [
    ("identity.videoAnalysis.thirdPartyPresent", False, True),
    ("identity.videoAnalysis.coercionIndicators", "none", "slight"),
    ("identity.voice.passphraseSpoken", True, False),
    ("engine", {"face": "biom 5.0", "screening": "feed 2026-05-01"}, {"face": "biom 5.0 deepfake"}),
    ("email.firstSeen", "2014-05", "2026-05"),
    ("email", {"ageYears": 8, "breaches": 0}, {"ageYears": 0, "breaches": 0}),
    ("bankAccount", {"openedYear": 2013, "closed": False}, {"openedYear": 2013, "closed": True}),
    ("bankAccount.openedOn", "2013-02-01", "2026-04-30"),
    ("autoDocument", "DOC_VALIDATED", "DOC_NOT_VALIDATED"),
    ("explanation", "All checks completed without findings. No manual action is needed.", "All checks completed with findings."),
    ("summaryText", {"face": "Same person.", "document": "Genuine document."}, {"face": "Not the same person."}),
    ("summaryText.face", "Same person.", "Same person, other name."),
    ("screening.history", [{"date": "2025-11-12", "matchCount": 0, "outcome": "clear"}], [{"date": "2025-11-12", "matchCount": 1, "outcome": "clear"}]),
    ("screening.coverage", {"requested": 412, "answered": 412}, {"requested": 412, "answered": 397}),
    ("screening.adverseMediaArticles", 0, 2),
    ("consent", {"biometric": True, "privacyNoticeVersion": "4.2", "acceptedAt": "2026-05-02T08:50:00Z"}, {"biometric": False}),
    ("retention", {"deleteAfter": "2031-11-30"}, {"deletedBecause": "fraud"}),
    ("behaviour.humanLikelihood", 0.996, 0.7),
    ("device", {"developerMode": False, "fingerprintSeenBefore": False}, {"fingerprintSeenBefore": True}),
    ("subChecks", {"d01_template": {"passed": True, "weight": 3}, "s01_lists": {"passed": True}}, {"d01_template": {"passed": False}}),
    ("weights", {"totalWeight": 22, "achievedWeight": 22, "minimumWeight": 18}, {"totalWeight": 22, "achievedWeight": 22, "minimumWeight": 30}),
    ("document.specimen", False, True),
    ("document.portraitReplaced", False, True),
    ("document.seenBefore", False, True),
    ("document.expiredDaysAgo", None, 12),
    ("document.revokedAt", None, "2026-03-01"),
    ("document.tamperingFound", False, None),
    ("document.images", [{"side": "front", "width": 2048, "blur": 0.05}], [{"side": "front", "width": 2048, "blur": 0.6}]),
    ("document.image", {"sharpness": 0.9, "glare": 0.03}, {"sharpness": 0.9, "glare": 0.03, "scale": "0-1, higher is better"}),
    ("document.daysToExpiry", 1675, 4),
    ("document.tampering", {"detected": False, "score": 0.01}, {"detected": False, "score": 0.4}),
    ("identificationProcess", {"companyId": "northbank", "transactionNumber": "TST-KQZLB"}, {"companyId": "virtual camera"}),
    ("identificationProcess.transactionNumber", "TST-KQZLB", "DOC-TAMPERED"),
    ("identificationProcess.transactionNumber", "TST-KQZLB", "FACE-LOOKALIKE"),
    ("email.verifiedAt", "2026-05-01T10:20:00Z", "2029-05-01T10:20:00Z"),
    ("identity.faceAnalysis.facesFound", 1, 2),
]  # fmt: skip


@pytest.mark.parametrize(("path", "fine", "other"), FINE_AND_NOT)
def test_what_a_provider_says_in_plain_words_is_read(path: str, fine: Any, other: Any) -> None:
    assert level(triage(results=put(path, fine))) == "approve"
    assert level(triage(results=put(path, other))) != "approve"
