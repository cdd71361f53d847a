"""Members as providers of identity checks write them: what may be trouble is never approved, and what tells nothing bad asks for nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank


def _level(path: str, value: Any) -> str:
    return level(triage(results=put(path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("companySearch.hits", 0),
        ("companySearch", {"totalHits": 0, "items": []}),
        ("companySearch.results", []),
        ("registry.matchCount", 0),
        ("registry.records", []),
        ("lookup.hit", False),
        ("vendor.hits", 0),
    ],
)
def test_a_search_that_names_no_trouble_and_found_nothing_is_not_known(path: str, value: Any) -> None:
    assert _level(path, value) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("fraudSearch.hits", 0),
        ("fraudSearch.results", []),
        ("pepCheck.matches", 0),
        ("duplicateCheck", {"hits": 0, "items": []}),
        ("screening.hits", []),
        ("screening.totalHits", 0),
        ("registry.warnings", []),
    ],
)
def test_a_search_for_trouble_that_found_nothing_is_approved(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


@pytest.mark.parametrize("name", ["nofraud", "notforged", "nontampered", "unexpired"])
@pytest.mark.parametrize("value", [False, {"value": False}])
def test_a_joined_word_may_turn_the_meaning_round(name: str, value: Any) -> None:
    assert rank(_level(f"vendor.{name}", value)) >= rank("review")


def test_a_good_word_that_begins_like_a_denial_is_not_turned_round() -> None:
    assert _level("vendor.unaltered", True) == "approve"
    assert _level("vendor.unaltered", False) == "review"


@pytest.mark.parametrize("name", ["place", "city", "office", "issuer"])
@pytest.mark.parametrize("value", ["échoué", "abgelehnt", ["отказано"], ["niezgodne dane"]])
def test_a_place_in_small_letters_may_be_a_verdict(name: str, value: Any) -> None:
    assert _level(f"vendor.{name}", value) == "review"


@pytest.mark.parametrize("value", ["Leeds", "York and Selby", ["Łódź"], "東京", "بغداد", "1st Office"])
def test_the_name_of_a_place_is_data(value: Any) -> None:
    assert _level("vendor.place", value) == "approve"


@pytest.mark.parametrize(
    "value",
    [
        {"results": [{"matchStrength": "STRONG", "categories": ["TERRORISM"]}]},
        {"people": [{"topics": ["crime.traffick"]}]},
        {"entries": [{"reason": "money laundering"}]},
    ],
)
def test_an_entry_of_the_screening_that_names_a_crime_escalates(value: Any) -> None:
    assert _level("screening.provider", value) == "escalate"


@pytest.mark.parametrize(
    "value",
    [
        {"listsSearched": [{"name": "UN Security Council", "categories": ["terrorism"]}]},
        {"filters": [{"type": "terrorism"}]},
        {"results": [{"note": "no terrorism found"}]},
    ],
)
def test_crimes_that_were_searched_or_denied_do_not_escalate(value: Any) -> None:
    assert rank(_level("screening.vendor", value)) < rank("escalate")


@pytest.mark.parametrize("score", [0.02, 0.3, 2.1, 49])
def test_a_low_score_of_fraud_is_reviewed_and_not_called_a_forged_document(score: float) -> None:
    made = triage(results=put("device.fraudScore", score))
    assert level(made) == "review"
    assert finding(made, "DOC-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize("score", [0.5, 0.97, 50, 92.5, 640])
def test_a_high_score_of_fraud_reads_as_fraud(score: float) -> None:
    assert _level("device.fraudScore", score) == "edd"


_FIELD = {"fieldName": "LastName", "status": "match"}
_BOX = {"x": 12, "y": 88, "width": 340, "height": 410}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("registry", {"found": True, "source": "Electoral Roll"}),
        ("creditFile", {"found": True, "bureau": "Northbank Data", "oldestAccount": "2009-02-01"}),
        ("companyRegister.recordFound", True),
        ("registry.results", [{"datasourceName": "Electoral Roll", "fields": [_FIELD]}]),
        ("document.imageQuality", {"sharpness": 0.92, "brightness": 0.55, "result": "clear"}),
        ("identity.faceAnalysis.boundingBox", {"left": 12, "top": 88, "width": 340, "height": 410}),
        ("document.fields.lastName.bbox", _BOX),
        ("identity.faceAnalysis.landmarks", [{"type": "left eye", "x": 0.31, "y": 0.42}]),
        ("device.batteryLevel", 0.8),
        ("latency", 120),
        ("pricing", {"tier": 2, "currency": "GBP", "amount": 1.2}),
        ("workflow.step", "done"),
        ("consent.termsVersion", "2026-01"),
        ("identity.decision", {"status": "approved", "acceptanceTime": "2026-05-02T08:59:00Z"}),
        ("schema", "https://provider.example/results/v4.json"),
        ("decision", {"automatic": "APPROVED", "decidedAt": "2026-05-02T09:00:01Z", "ruleset": "retail-7"}),
        ("document.ocr.confidence", {"firstName": 0.99, "lastName": 0.98}),
        ("address.proof.ocrConfidence", 0.97),
        ("identity.ageEstimation", {"lowerBound": 36, "upperBound": 44}),
        ("document.checks", [{"type": "face match", "state": "DONE", "result": "PASS"}]),
        ("document.pages", [{"pageNumber": 1, "widthPx": 1200, "rotation": 0}]),
        ("webhook.deliveredAt", "2026-05-02T09:00:02Z"),
        ("device.impossibleTravel", False),
        ("document.regions", [{"name": "portrait", "x": 10, "y": 20, "w": 100, "h": 120}]),
        ("document.comparison", [{"field": "dateOfBirth", "viz": "1985-12-10", "result": "match"}]),
        ("address.standardised", {"line1": "1 HIGH STREET", "town": "LEEDS"}),
        ("address.matchLevel", "exact"),
        ("address.geoLocationAnalysis.distanceMetres", 850),
        ("identity.session", {"retries": 0, "durationSec": 73}),
        ("screening.monitored", True),
        ("checksPerformed", ["document", "face", "address"]),
        ("metadata.environment", "production"),
        ("credit.insolvent", "0"),
        ("graph.linkedFrauds", 0),
        ("address.mailDrop", False),
        ("address.utility", {"supplier": "Yorkshire Water"}),
        ("document.nfc.dscTrusted", True),
        ("screening.notes", None),
        ("screening.totalResults", 0),
        ("screening.coincidencias", 0),
        ("screening.searchTerm", "Ada Byron"),
        ("screening.filters.birthYear", 1985),
    ],
)
def test_what_providers_add_to_a_good_result_is_approved(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("registry", {"found": True, "source": "Sex Offenders Register"}),
        ("registry", {"found": True, "name": "Register of Judgments"}),
        ("registry", {"found": True, "status": "struck off"}),
        ("offendersRegistry.found", True),
        ("insolvencyRegister.found", True),
        ("lookup.found", True),
        ("creditFile", {"found": True, "defaults": 2}),
        ("creditFile.oldestDefault", "2009-02-01"),
        ("registry.results", [{"name": "Death Index", "fields": [_FIELD]}]),
        ("registry.results", [{"name": "Bankruptcy notices", "fields": [_FIELD]}]),
        ("registry.results", [{"name": "Electoral Roll", "fields": [{**_FIELD, "status": "partial match"}]}]),
        ("fraudList.fields", [_FIELD]),
        ("document.imageQuality", {"sharpness": 0.05, "result": "clear"}),
        ("document.imageQuality", {"brightness": 0.55, "result": "poor"}),
        ("device.batteryLevel", -1),
        ("device.threatLevel", 3),
        ("pricing.outstanding", 500),
        ("police.report", "https://provider.example/report/71"),
        ("vendor.reason", "https://provider.example/codes/9102"),
        ("seizedAt", "2026-05-02T09:00:01Z"),
        ("document.ocr.confidence", {"firstName": 0.41, "lastName": 0.98}),
        ("identity.maskClassification", {"confidence": 0.97}),
        ("document.classification.screenshot.confidence", 0.97),
        ("document.whiteout.fieldConfidence", 0.97),
        ("identity.secondFace", _BOX),
        ("identity.bystander", _BOX),
        ("document.stain", _BOX),
        ("identity.ageEstimation", {"lowerBound": 13, "upperBound": 17}),
        ("document.checks", [{"type": "face match", "state": "ABORTED", "result": "PASS"}]),
        ("device.impossibleTravel", True),
        ("document.regions", [{"name": "portrait", "x": 10, "score": 0.2, "w": 100, "h": 120}]),
        ("document.comparison", [{"field": "dateOfBirth", "viz": "1985-12-11", "result": "match"}]),
        ("address.standardised", {"line1": "2 HIGH STREET", "town": "LEEDS"}),
        ("address.rejected.line1", "1 HIGH STREET"),
        ("document.holder.title", "The late"),
        ("document.holder.status", "deceased"),
        ("address.geoLocationAnalysis.distanceMetres", 850_000),
        ("identity.session.durationSec", 2),
        ("checksSkipped", ["liveness"]),
        ("checksPerformed", []),
        ("address.tenant", "George King"),
        ("address.judgment", "1 High Street"),
        ("address.utility.period", "2016-03"),
        ("document.cancelled.number", "X1234567"),
        ("overall.evidence", "https://provider.example/a.png"),
        ("overall.pdf", "https://provider.example/police/7.pdf"),
        ("latency", -5),
        ("checksPerformed", ["nothing"]),
        ("credit.insolvent", "1"),
        ("address.mailDrop", True),
        ("document.nfc.dscTrusted", False),
        ("consortium", {"score": 0.97, "threshold": 0.8}),
        ("fraud.sigma", {"score": 0.973, "threshold": 0.5}),
        ("screening.searchTerm", "Bea Stone"),
        ("screening.filters.birthYear", 1970),
    ],
)
def test_the_same_with_something_that_is_not_fine_is_reviewed(path: str, value: Any) -> None:
    assert _level(path, value) == "review"


def test_a_list_of_persons_that_matched_escalates() -> None:
    lists = [{"name": "OFAC SDN", "matched": True}, {"name": "UK HMT", "matched": False}]
    assert _level("screening.lists", lists) == "escalate"
    assert _level("screening.lists", lists[1:]) == "approve"


@pytest.mark.parametrize("note", ["note", "comment", "remarks"])
def test_an_entry_of_a_screening_is_no_less_one_if_nothing_is_noted_of_it(note: str) -> None:
    assert _level("screening.results", [{note: None}]) == "edd"
    assert _level(f"screening.{note}", None) == "approve"


def test_matches_counted_in_another_language_escalate() -> None:
    assert _level("screening.coincidencias", 3) == "escalate"
    assert _level("screening.treffer", [{"name": "Ada Byron"}]) == "escalate"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.faces", [{"id": 1}, {"id": 2}]),
        ("identity.scene", {"people": [{"box": 1}, {"box": 2}, {"box": 3}]}),
        ("identity.integrity.verdict", []),
        ("document.checks.result", {}),
        ("vendor.place", "ÉCHOUÉ"),
        ("lookup.report.name", "Abgelehnt"),
        ("vendor.report.city", "Отказано"),
    ],
)
def test_a_second_face_an_empty_verdict_and_verdicts_as_names_are_reviewed(path: str, value: Any) -> None:
    assert _level(path, value) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [("identity.faces", [{"id": 1}]), ("lookup.report.name", "Paint Rock"), ("vendor.name", "Azure")],
)
def test_one_face_and_names_that_contain_such_words_are_approved(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


def test_a_share_of_the_lists_is_no_number_of_lists() -> None:
    assert _level("screening.coverage", 0.4) == "edd"
    assert _level("screening.coverage", 1200) == "approve"


def test_a_sex_that_is_not_stated_is_another_one() -> None:
    results = put("document.holder.sex", "X")
    results["document"]["chip"] = {"sex": "M"}
    assert "another sex" in finding(triage(results=results), "RES-5")["sentence"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.zorg", {"box": _BOX}),
        ("identity.boxes", [{**_BOX, "type": "gun"}]),
        ("document.box", {"name": "stain", "w": 2, "h": 3}),
        ("document.zorg.bbox", [12, 88, 340, 410]),
        ("document.photo.bbox", [12, 88, 340]),
    ],
)
def test_a_box_around_something_nobody_knows_is_reviewed(path: str, value: Any) -> None:
    assert _level(path, value) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.fields.lastName.bbox", [12, 88, 340, 410]),
        ("document.boxes", [{**_BOX, "type": "portrait"}]),
        ("identity.face", {"boundingBox": _BOX}),
    ],
)
def test_a_box_around_something_known_is_data(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"
