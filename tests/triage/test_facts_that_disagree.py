"""Members that are data by themselves and disagree with another: a reading, a zone of the clock, a camera, an answer, a former residence."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("document.zones", {"visual": {"documentNumber": "X1234567"}, "mrz": {"documentNumber": "X1234568"}}, "another document number under “mrz”"),
        ("document.chipData.docNumber", "Z9912345", "another document number under “chip data”"),
        ("document.readings.printed.expiryDate", "2029-01-01", "another date of expiry under “printed”"),
        ("device.timezone", "Asia/Phnom_Penh", "another country's time zone"),
        ("device.tz", "America/Bogota", "another country's time zone"),
        ("phone.countryCode", "NG", "another country of the telephone number"),
        ("bankAccount.ibanCountry", "LT", "another country of the bank account"),
        ("permit.holder", "Peter Smith", "another name in the section “permit”"),
        ("device.ipCountry", "NG", "another country of the connection"),
        ("identity.challenge", {"requested": ["left", "up"], "performed": ["left", "down"]}, "an answer that was not asked for under “challenge”"),
        ("identity.challenge", {"codeShown": "417", "codeSpoken": "471"}, "an answer that was not asked for under “challenge”"),
        ("identity.gesture", {"expected": "smile", "observed": "blink"}, "an answer that was not asked for under “gesture”"),
    ],
)  # fmt: skip
def test_a_fact_that_disagrees_is_a_finding(path: str, value: Any, said: str) -> None:
    made = triage(results=put(path, value))
    assert level(made) == "review"
    assert said in str(finding(made, "RES-5")["sentence"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (
            "document.zones",
            {"visual": {"documentNumber": "X1234567"}, "mrz": {"documentNumber": "X12345674"}},
        ),
        ("document.zones.mrz.documentNumber", "X1234567<<"),
        ("document.visa.documentNumber", "V8812345"),
        ("document.supportingDocument.documentNumber", "V8812345"),
        ("document.extractionConfidence.documentNumber", 99),
        ("device.timezone", "Europe/London"),
        ("phone.countryCode", "44"),
        ("phone.countryCode", "GB"),
        ("identity.challenge", {"requested": ["left", "up"], "performed": ["left", "up"]}),
        ("identity.challenge", {"requestedAt": "2026-05-02T08:00:00Z", "receivedAt": "2026-05-02T08:00:09Z"}),
        ("device.camera", "FaceTime HD Camera"),
        ("device.camera.name", "iPhone 15 Pro back triple camera 6.765mm f/1.78"),
        ("device.cameras", ["front", "back"]),
        ("address.previousAddresses", [{"country": "FR"}]),
    ],
)
def test_facts_that_agree_or_are_of_something_else_are_no_finding(path: str, value: Any) -> None:
    made = triage(results=put(path, value))
    assert finding(made, "RES-5")["outcome"] == "CLEAR"
    assert not made.findings["reason"].str.contains("camera|zone of").any()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("device.camera", "e2eSoft VCam"),
        ("device.cameraName", "Snap Camera"),
        ("device.cameras", ["FaceTime HD", "CamTwist"]),
        ("device.camera.driver", "v4l2loopback"),
        ("identity.capture.camera", {"name": "Iriun Webcam"}),
        ("device.webcam", "YouCam"),
        ("device.camera", "NDI Webcam Video 1"),
        ("device.os", "Kali Linux"),
        ("device.model", "Google SDK built for arm64"),
        ("session.durationSeconds", 4),
        ("identity.frames", 1),
        ("address.fileMetadata.producer", "PDF Editor Online"),
        ("address.geoLocationAnalysis.isp", "M247 Ltd"),
        ("screening.scope", "sanctions only"),
        ("document.holder.lastName", "Byron (deceased)"),
        ("document.document.documentNumber", "X1234567 (cancelled)"),
        ("document.document.documentNumber", "X1234567 cancelled"),
    ],
)
def test_a_name_of_a_program_or_a_remark_among_data_goes_to_a_person(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) in {"review", "edd"}


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("address.previousAddresses", [{"city": "Shiraz", "country": "IR", "to": "2026-02"}], "edd"),
        ("taxResidency.country", "Iran", "edd"),
        ("document.holder.countryOfResidence", "PRK", "edd"),
        ("document.holder.countryOfBirth", "FR", "approve"),
        ("address.geoLocationAnalysis.ipCountry", "IR", "review"),
        ("document.issuerAddress.country", "IR", "review"),
    ],
)
def test_a_further_residence_is_held_against_the_lists_of_countries(
    path: str, value: Any, expected: str
) -> None:
    assert level(triage(results=put(path, value))) == expected
