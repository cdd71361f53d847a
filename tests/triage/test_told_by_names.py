"""Trouble that the name of a group, a code or a few words tell, and how hard it counts; the same places with mere data are approved."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank


def _level(path: str, value: Any) -> str:
    return level(triage(results=put(path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.remarks", {"photoGluedBack": {"page": 2}}),
        ("document.pages", [{"number": 3, "visaPageTornOut": {"at": "2026-05-02"}}]),
        ("document.issues", [{"page": 2, "region": "portrait"}]),
        ("document.contentAnalysis.detections", {"portrait": {"page": 1}}),
        ("identity.notes", [{"somebodyWhispers": {"at": "00:12"}}]),
        ("identity.observed", {"readsFromPaper": {"ms": 1200}}),
        ("identity.capture", {"device": "Pixel", "handedOverAt": "00:40"}),
    ],
)
def test_a_group_that_says_what_was_found_is_no_mere_data(path: str, value: Any) -> None:
    assert _level(path, value) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.pages", [{"number": 3, "visaPage": {"width": 1200}}]),
        ("document.images", {"documentFront": {"mediaId": "m-12", "side": "front"}}),
        ("document.findings", []),
        ("document.findings", {"count": 0}),
        ("identity.capture", {"device": "Pixel", "capturedAt": "00:40"}),
        ("identity.videoCapture", {"startedAt": "2026-05-02T08:58:00Z", "durationMs": 9000}),
    ],
)
def test_a_group_that_only_holds_data_is_approved(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("screening.summary.watchlist.frozenFunds", {"since": "2025-01-01"}),
        ("screening.summary.watchlist.proscribedGroupMember", "attention"),
        ("screening.summary.watchlist.ofacSdn", 2),
        ("screening.summary.watchlist.sanctions", {"entity": {"reference": "Q-17"}}),
        ("screening.summary.watchlist.mostWanted", True),
        ("screening.summary.watchlist.interpolNotice", "red"),
        ("screening.results", [{"name": "Ada Byron", "verdict": "matched on two points"}]),
        ("screening.person", {"status": "designated by the council"}),
    ],
)
def test_a_person_said_to_be_sanctioned_or_wanted_is_escalated(path: str, value: Any) -> None:
    assert _level(path, value) == "escalate"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("screening.summary.watchlist.frozenFunds", "clear", "approve"),
        ("screening.summary.watchlist.mostWanted", False, "approve"),
        ("screening.summary.watchlist.disqualifiedDirectors", "attention", "edd"),
        ("screening.person", {"status": "not identified on a list"}, "edd"),
        ("screening.source", {"name": "Designated persons"}, "edd"),
    ],
)
def test_what_names_no_sanctioned_or_wanted_person_is_not_escalated(
    path: str, value: Any, expected: str
) -> None:
    assert _level(path, value) == expected


@pytest.mark.parametrize("value", ["a few", "2", -2, [2], {"total": 1}, True])
def test_a_number_of_matches_that_is_no_number_asks_for_enhanced_diligence(value: Any) -> None:
    made = triage(results=put("screening.matchCount", value))
    assert level(made) == "edd"
    assert "MLRO" in made.recommendations.iloc[0]["routes"]


@pytest.mark.parametrize(("value", "expected"), [(2, "edd"), (None, "review")])
def test_matches_whose_list_is_not_named_are_edd_and_a_number_that_is_not_given_a_review(
    value: Any, expected: str
) -> None:
    assert _level("screening.matchCount", value) == expected


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.code", "PASSPORT_STOLEN_2024"),
        ("document.codes", ["D-14", "PHOTO-TAMPERED"]),
        ("document.prüfung", "verfälscht"),
        ("document.contentAnalysis.estado", "robado"),
        ("document.etat", "contrefait"),
        ("signals", [{"text": "card reported as counterfeit"}]),
    ],
)
def test_a_code_or_a_few_words_of_forgery_or_theft_ask_for_enhanced_diligence(path: str, value: Any) -> None:
    made = triage(results=put(path, value))
    assert rank(level(made)) >= rank("edd")
    assert "DOC-5" in made.recommendations.iloc[0]["fired"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.code", "NOT_STOLEN"),
        ("document.note", "not forged as far as one can see"),
        ("document.checks", [{"name": "check for stolen documents", "result": "unsure"}]),
    ],
)
def test_a_denial_and_the_name_of_a_check_do_not_tell_of_forgery(path: str, value: Any) -> None:
    assert "DOC-5" not in triage(results=put(path, value)).recommendations.iloc[0]["fired"]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("watchlists", {"ofac": "hit"}, "escalate"),
        ("sanctionsScreening", {"hits": 2}, "escalate"),
        ("politicalScreening", {"peps": ["mayor"]}, "edd"),
        ("terrorism_lists", {"search": "unfinished"}, "edd"),
        ("sanctionsScreening", {"hits": 0, "result": "clear"}, "approve"),
        ("loyalty", {"search": "unfinished"}, "review"),
    ],
)
def test_a_new_section_on_screening_counts_as_screening(path: str, value: Any, expected: str) -> None:
    assert _level(path, value) == expected


@pytest.mark.parametrize("value", ["yes", "ja", "reported", "under examination"])
def test_media_on_a_crime_ask_for_enhanced_diligence_in_any_word(value: str) -> None:
    assert _level("screening.summary.adverseMedia.bribery", value) == "edd"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.contentAnalysis.dataIntegrity", "verfälscht"),
        ("document.echtheit.ausweisGefälscht", True),
        ("document.contentAnalysis.fakeFeatures", "probable"),
        ("identity.authenticityAnalysis.deepfakeVideo", "very likely"),
    ],
)
def test_forgery_that_a_listed_check_or_a_foreign_name_tells_or_that_is_likely(path: str, value: Any) -> None:
    assert "DOC-5" in triage(results=put(path, value)).recommendations.iloc[0]["fired"]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("identity.state", "unsuccesful", "review"),
        ("document.state", "inconclusve", "review"),
        ("address.extractedAddress.state", "Bavaria", "approve"),
        ("document.placeOfIssue", {"state": "Ontario"}, "approve"),
        ("address.months", 31, "review"),
        ("address.monthsAtAddress", 31, "approve"),
    ],
)
def test_a_state_and_a_time_say_how_things_stand_where_no_place_and_no_stay_is_named(
    path: str, value: Any, expected: str
) -> None:
    assert _level(path, value) == expected


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.faceAnalysis.resultCode", "FACE_NO_MATCH"),
        ("identity.faceAnalysis.reason", "SELFIE_NO_MATCH"),
        ("document.nameCode", "NAME_NO_MATCH"),
        ("address.lookupCode", "ADDRESS_NO_MATCH"),
        ("screening.remark", "sanctions no fraud"),
    ],
)
def test_no_before_something_good_denies_it_wherever_it_stands(path: str, value: str) -> None:
    assert rank(_level(path, value)) >= rank("review")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.faceAnalysis.resultCode", "FACE_NO_SPOOFING"),
        ("screening.resultCode", "SANCTIONS_NO_MATCH"),
    ],
)
def test_no_before_trouble_denies_it_wherever_it_stands(path: str, value: str) -> None:
    assert _level(path, value) == "approve"
