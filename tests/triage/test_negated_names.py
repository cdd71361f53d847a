"""A name that denies trouble is good news with yes and trouble with no; one that denies something good never clears anything."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from tests.triage.test_evaluate import POLICY, level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.case_file import Observation
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN, rank
from kycpack.triage.results.trouble_words import reads_as_forged
from kycpack.triage.results.unlisted_leaves import read_leaf

DENIALS = [
    "notExpired", "isNotForged", "not_reported_lost_or_stolen", "NOT-TAMPERED", "noTampering", "hasNoAnomalies", "nonFraudulent", "withoutTampering",
    "neverReportedStolen", "unaltered", "unforged", "notforged", "tamperFree", "tamperfree", "freeOfForgery", "absenceOfTampering", "tamperingAbsent",
    "tamperingNotDetected", "neitherForgedNorAltered", "notDeceased", "nothingMissing", "noneForged", "noneAltered",
]  # fmt: skip
OTHERS = [
    "notaryStampForged", "noteTampered", "noticeOfFraud", "northFraud", "nodeCompromised", "unitForged", "uniqueAlert", "unwantedFraud", "unreportedFraud",
    "unresolvedAlert", "unalteredButForged", "notNotForged", "notTamperFree", "fraudNotRuledOut", "noDoubtForged", "noWarningForged", "withoutDoubtTampered", "noErrorFake", "fraudNotResolved", "uncompromisedFraud",
    "expiredOrNotFound", "forgedOrAbsent", "missingOrAbsent", "photoMissingAbsent", "missingPageNotFound", "missingNotFound", "tamperedOrNotDetected", "fraudOrNotPresent",
    "stolenDocumentNotFound", "lostDocumentNotReported", "suspectNotIdentified", "noneForgedButOne", "forgedNone",
]  # fmt: skip
GOOD_DENIED = [
    "notVerified", "notGenuine", "noMatch", "noFaceDetected", "noHologram", "noLiveness", "noUntampered", "notUnaltered", "withoutHologram", "noFaceMatch",
    "noTamperCheck", "noFraudScreening", "inValid", "in_complete", "isInCorrect", "toBeVerified", "verifiedNo",
]  # fmt: skip


def said(path: str, value: Any) -> str:
    return read_leaf(Observation(path, value, ("E-03",), of_results=True), POLICY.vocabulary)


@pytest.mark.parametrize("name", DENIALS)
def test_denied_trouble_is_fine_with_yes_and_trouble_with_no(name: str) -> None:
    for group in ("document", "document.visualChecks", "identity", "device"):
        assert said(f"{group}.{name}", True) == CLEAR
        assert said(f"{group}.{name}", "yes") in {CLEAR, UNKNOWN}
        assert said(f"{group}.{name}", False) == HIT
        assert said(f"{group}.{name}", "no") == HIT
    assert level(triage(results=put(f"document.{name}", True))) == "approve"
    assert rank(level(triage(results=put(f"document.{name}", False)))) >= rank("review")


@pytest.mark.parametrize("name", ["notSanctioned", "noHits", "noMatch", "noSanctionsMatch", "notOnWatchlist"])
def test_below_screening_it_is_not_known_with_yes_and_trouble_with_no(name: str) -> None:
    assert said(f"screening.{name}", True) == UNKNOWN
    assert said(f"screening.{name}", False) == HIT
    assert said(f"screening.matches.0.{name}", True) == HIT


@pytest.mark.parametrize("value", [{}, [], "not checked", "unknown"])
def test_a_denial_without_an_answer_is_not_known(value: Any) -> None:
    for name in ("notExpired", "noTampering", "notForged"):
        assert rank(level(triage(results=put(f"document.{name}", value)))) >= rank("review")


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_that_only_looks_like_a_denial_is_trouble(name: str) -> None:
    assert said(f"document.{name}", True) == HIT


@pytest.mark.parametrize("name", GOOD_DENIED)
@pytest.mark.parametrize(
    "group",
    ["document", "document.visualChecks", "document.contentAnalysis", "identity", "identity.faceAnalysis"],
)
def test_nothing_good_that_is_denied_is_clear(name: str, group: str) -> None:
    assert said(f"{group}.{name}", True) in {UNKNOWN, HIT}
    assert rank(level(triage(results=put(f"{group}.{name}", True)))) >= rank("review")


@pytest.mark.parametrize(
    "group", ["failedChecks", "clearedAlerts", "tampering", "fraudSignals", "notPerformed"]
)
def test_what_a_group_turns_round_is_not_clear(group: str) -> None:
    assert said(f"document.{group}.notExpired", True) in {UNKNOWN, HIT}


def test_a_number_after_no_counts_the_trouble() -> None:
    assert said("document.noAlerts", Decimal(3)) == HIT


@pytest.mark.parametrize(
    ("name", "value", "is_forged"),
    [
        ("isNotForged", True, False),
        ("isNotForged", False, True),
        ("result", "notary seal forged", False),
        ("result", "forged", True),
        ("result", "not forged", False),
        ("forgery", "notable", False),
        ("forgery", "detected", True),
    ],
)
def test_who_denies_a_forgery_reports_none(name: str, value: Any, *, is_forged: bool) -> None:
    seen = Observation(f"document.{name}", value, ("E-03",), of_results=True)
    assert reads_as_forged(seen, POLICY.vocabulary) is is_forged


LEFT_OPEN = [
    "noTamperingCheck", "no_fraud_check", "NO-FORGERY-ANALYSIS", "noFraudCheckCarriedOut", "noCheckForFraudMade", "withoutFraudScreening", "tamperingNotChecked",
    "notCheckedForTampering", "neverScreenedForFraud", "tamperingCheckWasNotMade", "isFraudUnchecked", "fraudCheckSkipped", "deepfakeDetectionUnavailable", "fraudAnalysisMissing",
    "fraudExcluded", "forgeryRuledOut", "documentForgeryExcluded", "spoofTestPassed", "fraudCheckPassed",
]  # fmt: skip
STILL_TROUBLE = [
    "fraudNotExcluded", "forgeryNotRuledOut", "cannotExcludeFraud", "neverExcludedFraud", "fraudCheckNotPassed", "fraudCheckNotClear", "noFraudCheckFailed", "noFraudCheckClear", "fraudCheckFailed",
    "fraudCheckFound", "forgedExcluded", "tamperedDocumentExcluded", "documentForgedNotChecked", "reportedStolenNotChecked", "fraudAnalysisPositive", "fraudMissing", "fraudPending",
    "forgeryPossible", "notFraudFree", "notGenuine", "fraudReviewed", "fraudCheck.tamperingExcluded.forged",
]  # fmt: skip


@pytest.mark.parametrize("name", LEFT_OPEN)
@pytest.mark.parametrize("value", [True, "yes"])
def test_a_check_that_was_not_made_and_trouble_that_was_excluded_are_not_known(name: str, value: Any) -> None:
    path = f"document.contentAnalysis.{name}"
    assert said(path, value) == UNKNOWN
    assert not reads_as_forged(Observation(path, value, ("E-03",), of_results=True), POLICY.vocabulary)
    assert level(triage(results=put(path, value))) == "review"


@pytest.mark.parametrize("name", STILL_TROUBLE)
def test_whatever_else_is_said_of_a_check_leaves_trouble_as_it_was(name: str) -> None:
    path = f"document.contentAnalysis.{name}"
    assert reads_as_forged(Observation(path, True, ("E-03",), of_results=True), POLICY.vocabulary)
    assert rank(level(triage(results=put(path, True)))) >= rank("edd")


@pytest.mark.parametrize("name", ["fraudExcluded", "noFraudFound", "fraudCheckPassed", "forgeryRuledOut"])
def test_trouble_that_is_not_excluded_is_no_approval(name: str) -> None:
    assert rank(level(triage(results=put(f"document.{name}", False)))) >= rank("review")


def test_a_screening_that_was_not_made_is_not_known_and_goes_no_lower() -> None:
    assert level(triage(results=put("screening.noSanctionsCheck", True))) == "edd"
    assert level(triage(results=put("screening.sanctionsExcluded", True))) == "edd"
    assert level(triage(results=put("screening.sanctionsNotExcluded", True))) == "escalate"
    for name in ("noSanctionsCheck", "fraudExcluded", "sanctionsExcluded"):
        assert said(f"screening.matches.0.{name}", True) == HIT
