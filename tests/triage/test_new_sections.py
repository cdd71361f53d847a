"""A word or a boolean in a new section is a judgement until it is listed as fine; dates, places and numbers of documents are not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put


def _level(path: str, value: Any) -> str:
    return level(triage(results=put(path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("registry.found", False),
        ("registry.recordFound", False),
        ("businessRegister.entry", "not found"),
        ("lookup.match", False),
        ("overall.colour", "amber"),
        ("court.caseNumber", "C-44/26"),
        ("tenancy.start", "2028-01-01"),
        ("address.tenancy.start", "1975-01-01"),
        ("address.occupancyStart", "2028-01-01"),
        ("document.holder.suffix", "merhume"),
        ("document.holder.suffix", "покойная"),
        ("document.holder.suffix", "the younger's carer"),
        ("address.occupancyStart", "vacant"),
        ("address.occupancy", "vacant"),
        ("document.imageCount", 0),
        ("document.pageCount", 0.5),
        ("identity.faceCount", 2),
        ("document.holder.age", 14),
        ("electoralRoll.listed", False),
        ("document.police.caseNumber", "NX-2231"),
        ("police.reference", "NX-2231"),
        ("vendor.policeReference", "WYP/4412/26"),
        ("vendor.incidentReference", "INC-88"),
        ("vendor.complaintId", "88"),
        ("vendor.siblingReference", "0071-2"),
        ("overall.color", "black"),
        ("overall.stage", "review"),
        ("desk.action", "returned"),
        ("overall.standard", "insufficient"),
        ("overall.engine", "ABANDONED"),
        ("overall.provider", "abandoned"),
        ("overall.provider", "could not say"),
    ],
)
def test_a_word_of_a_new_section_that_is_not_listed_as_fine_is_not_known(path: str, value: Any) -> None:
    assert _level(path, value) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("fraudRegister.found", False),
        ("deathRegister.recordFound", False),
        ("insolvencySearch.hits", 0),
        ("stolenDocuments.result", "no record found"),
        ("overall.colour", "green"),
        ("tenancy.start", "2018-01-01"),
        ("address.residence.startDate", "2018-01-01"),
        ("document.holder.suffix", "Jr"),
        ("document.holder.suffix", "Junior"),
        ("document.holder.suffix", "III"),
        ("document.holder.suffix", "PhD, MBE"),
        ("address.occupancyStart", "2019-03-01"),
        ("address.residenceSince", "2019-03-01"),
        ("identity.latencyMs", 412),
        ("document.imageCount", 2),
        ("document.pageCount", 1),
        ("document.holder.age", 40),
        ("electoralRoll.listed", True),
        ("document.caseNumber", "NX-2231"),
        ("veridian.reference", "0071-2"),
        ("veridian.requestId", "0071-2"),
        ("device.installationId", "0071-2"),
        ("address.meterNumber", "0071-2"),
        ("document.holder.eyeColour", "amber"),
        ("device.colour", "black"),
        ("overall.engine", "Veridian 4.2"),
        ("overall.provider", "Veridian"),
        ("overall.provider", "northbank-kyc"),
        ("desk.reviewer", "mkowalska"),
        ("overall.engine", "facenet"),
    ],
)
def test_known_words_and_searches_for_named_trouble_are_approved(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


@pytest.mark.parametrize(
    "section",
    [
        {"alerts": [{"id": "A-1", "date": "2026-05-03"}]},
        {"alerts": ["name on a list"]},
        {"status": "paused"},
        {"alertCount": 1},
        {"newMatches": 2},
    ],
)
def test_alerts_of_monitoring_go_to_the_mlro_like_those_of_screening(section: Any) -> None:
    row = triage(results=put("monitoring", section)).recommendations.iloc[0]
    assert row["level"] in {"edd", "escalate"}
    assert "MLRO" in row["routes"]


@pytest.mark.parametrize(
    "section", [{"enabled": True, "alerts": []}, {"alertCount": 0, "lastRun": "2026-05-02"}]
)
def test_monitoring_without_alerts_is_approved(section: Any) -> None:
    assert _level("monitoring", section) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("vendor.result", "match"),
        ("vendor.result", "MATCHED"),
        ("vendor.isMatch", True),
        ("vendor.status", "match_confirmed"),
        ("summary.overall", "confirmed"),
        ("person.result", "match"),
        ("result", "match"),
        ("identity.lookalike.match", True),
        ("identity.lookalike.result", "match"),
        ("identity.lookalike.verified", True),
        ("document.warrant.match", "confirmed"),
        ("lookalike.verified", True),
        ("vendor.lookalike.match", "verified"),
    ],
)
def test_a_match_of_which_nothing_says_what_was_compared_is_not_clear(path: str, value: Any) -> None:
    assert _level(path, value) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("faceMatch.result", "match"),
        ("nameCheck.result", "match"),
        ("vendor.documentNumberMatch", True),
        ("vendor.selfie.status", "matched"),
        ("identity.similarity", {"decision": "MATCH"}),
        ("identity.face.match", True),
        ("address.electoralRoll.match", True),
        ("document.chip.verified", True),
        ("identity.lookalike.result", "passed"),
        ("vendor.result", "passed"),
    ],
)
def test_a_match_of_a_named_detail_is_clear(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("device.gunDetected", "found"),
        ("vendor.gunDetected", "visible"),
        ("vendor.gunDetected", "genuine"),
        ("device.tattooFound", "ok"),
        ("gun.type", "yes"),
        ("gun.name", "found"),
        ("gun.score", "verified"),
        ("gun.size", "found"),
        ("document.gun.type", "Y"),
        ("document.gun.name", "found"),
        ("identity.stain.category", "confirmed"),
        ("document.database.result", "match"),
    ],
)
def test_a_verdict_under_a_name_for_data_or_about_an_unknown_thing_is_not_clear(
    path: str, value: Any
) -> None:
    assert _level(path, value) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.holder.gender", "F"),
        ("document.holder.middleName", "Seen"),
        ("gun.type", "A4"),
        ("gun.id", "0A4F22"),
        ("document.nfc.chip", "present"),
        ("document.chip.read", "yes"),
        ("document.hologramDetected", "ok"),
        ("document.governmentDatabase.documentNumber", "match"),
        ("document.contentAnalysis.visualInspection", "ok"),
        ("email.deliverability", "valid"),
    ],
)
def test_a_code_a_name_and_a_word_for_yes_where_it_is_known_what_was_looked_for_are_clear(
    path: str, value: Any
) -> None:
    assert _level(path, value) == "approve"
