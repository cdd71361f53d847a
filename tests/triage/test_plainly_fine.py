"""Leaves that nobody has listed and that plainly say that all is well send nobody to review, and the same words of trouble do."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.checks.hologramm", "bestanden"),
        ("identity.liveness.detection", "réussi"),
        ("identity.prueba.resultado", "superada"),
        ("document.echtheit", "echt"),
        ("document.checks.ultraviolet", "as expected"),
        ("document.chip.chipRead", True),
        ("address.connection.vpn", False),
        ("address.connection.tor", "not detected"),
        ("identity.device.rooted", "no"),
        ("identity.capture.faceCount", 1),
        ("identity.capture.attempts", 1),
        ("document.holder.isOver18", True),
        ("address.bill.addressee", "Ms Ada Byron"),
        ("address.formatted", "1 HIGH STREET, LEEDS, LS1 1AA, UNITED KINGDOM"),
        ("address.connection.ipCountry", "GB"),
        ("document.image.contentType", "image/jpeg"),
        ("document.mrz.checkDigitsValid", True),
        ("document.chip.read", True),
        ("identity.face.count", 1),
        ("identity.livenessMethod", "passive"),
        ("identity.camera.facing", "front"),
        ("identity.camera.fps", 30),
        ("identity.camera.resolution", "1280x720"),
        ("manualReview.required", False),
    ],
)
def test_what_is_plainly_fine_is_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.fraude", "bestanden"),
        ("screening.alerts.quality", "genuine"),
        ("screening.hit.name", "genuine"),
        ("identity.notAlive", "réussi"),
        ("document.hologramm", "nicht bestanden"),
        ("document.checks.echtheit", "non conforme"),
        ("address.connection.vpn", True),
        ("address.connection.tor", "detected"),
        ("identity.device.rooted", "yes"),
        ("identity.capture.faceCount", 2),
        ("identity.capture.attempts", 27),
        ("identity.spoofing.attempts", 1),
        ("document.holder.isOver18", False),
        ("address.bill.addressee", "Charles Babbage"),
        ("address.formatted", "1 LOW STREET, LEEDS, LS1 1AA"),
        ("address.formatted", "Leeds"),
        ("address.formatted", "not found"),
        ("address.connection.ipCountry", "RU"),
        ("address.connection.ipCountry", "somewhere abroad"),
        ("document.image.contentType", "printed photocopy"),
        ("document.mrz.checkDigitsValid", False),
        ("document.chip.read", False),
        ("identity.face.count", 2),
        ("identity.spoofing.count", 1),
        ("identity.livenessMethod", "skipped"),
        ("identity.camera.facing", "a screen"),
        ("identity.camera.facing", "virtual"),
        ("identity.camera.resolution", "too low"),
        ("manualReview.required", True),
    ],
)
def test_the_same_words_of_trouble_are_never_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"
