"""Plain data of providers by kind, told by the name and the form of the value together: it sends nobody to review, and the same names with other values, or the same values under other names, do."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

DIGEST = "sha256:" + "ab12cd34" * 8
HERE = {"addressLine1": "1 High Street", "city": "Leeds", "postalCode": "LS1 1AA", "country": "GB", "from": "2021-05", "to": None}  # fmt: skip
BEFORE = {"addressLine1": "2 Castle Court", "city": "Durham", "postalCode": "DH1 3RJ", "country": "GB", "from": "2014-10", "to": "2021-04"}  # fmt: skip
FINE: list[tuple[str, Any]] = [
    # How many lists were searched.
    ("screening.sanctionsListsSearched", 4),
    ("screening.numberOfSanctionsListsChecked", 4),
    ("screening.watchlistsScreened", 12),
    ("screening.pepSourcesSearched", 3),
    # Tokens.
    ("document.imageDigests", {"front": DIGEST, "back": DIGEST.replace("ab", "ef")}),
    ("document.checksumMd5", "5d41402abc4b2a76b9719d911017c592"),
    ("identity.media", ["med_25e23c74c4"]),
    ("persona", {"inquiryId": "inq_8pdM3uCHVSgLGo8mTcnP"}),
    ("sumsub.inspectionId", "5d14d1f2"),
    ("audit", {"signature": "MEUCIQ65b0d19dcf70a28e25acb54b6de2051bdfc94ece", "keyId": "kid-2026-10"}),
    ("consent.textHash", DIGEST),
    # What was searched, how much of it and over how long.
    ("identity.duplicateSearch", {"facesCompared": 184223, "duplicatesFound": 0, "window": "24 months"}),
    ("identity.duplicateCheck", {"recordsSearched": 99120, "matches": 0, "lookbackDays": 730}),
    ("document.imagesReceived", 2),
    ("screening.adverseMediaSearch", {"keywords": ["fraud", "money laundering"], "sources": 8400, "found": "nothing about this person"}),
    ("screening.filters.types", ["sanction", "warning", "pep"]),
    ("screening.adverseMedia2", {"articlesScanned": 1213, "relevantArticles": 0, "languages": ["fr", "en"]}),
    ("screening.searchTerms", ["Ada Byron"]),
    ("document.lostStolenLookup", {"register": "INTERPOL SLTD", "answer": "not listed", "checkedAt": "2026-05-02T09:02:51Z"}),
    ("screening.registreGelDesAvoirs", "aucune correspondance"),
    # Details of the document and the person.
    ("document.document.personAge", 40),
    ("document.fonts", ["OCR-B", "Helvetica"]),
    ("document.document.permit", {"kind": "Indefinite leave to remain", "workRestriction": "none"}),
    ("document.document.fechaExpedicion", "2021-01-01"),
    ("document.document.ausstellungsdatum", "2021-01-01"),
    ("document.document.fechaCaducidad", "2031-01-01"),
    ("document.holder.geburtsdatum", "1985-12-10"),
    ("document.numeroDocumento", "X1234567"),
    ("document.holder.augenfarbe", "braun"),
    ("document.holder.koerpergroesseCm", 170),
    ("document.document.auflagen", "keine"),
    ("document.holder.nationalityLabels", {"en": "British", "fr": "britannique", "de": "britisch"}),
    ("address.history", [HERE, BEFORE]),
    ("address.previousAddresses", [{"line1": "2 Castle Court", "postcode": "DH1 3RJ", "country": "GB", "movedOut": "2021-04"}]),
    # Pictures, consent and devices.
    ("document.completeness", "100%"),
    ("identity.quality", {"brightness": "82%", "sharpness": "91%"}),
    ("document.qualityScore", {"value": 86, "max": 100}),
    ("document.capturedSides", "both"),
    ("identity.mode", "both"),
    ("consent", {"marketing": False, "biometricRetentionDays": 30}),
    ("device.charging", True),
    ("session.networkThreatLevel", "low"),
    ("engines", [{"name": "forgery-detector", "version": "3.1.4"}]),
    ("document.document.type", "TD3"),
    # Verdicts in plain words and in other languages.
    ("flags.noSignOfTampering", True),
    ("identity.spoofVerdict", "genuine live capture"),
    ("email", {"deliverable": True, "firstSeenYearsAgo": 9, "breachExposure": "none known"}),
    ("dictamen", "favorable"),
    ("document.uitslag", "akkoord"),
    ("document.status", "geprüft"),
    ("document.hinweis", "Überprüft"),
    ("document.conclusion", "Aucune anomalie relevée sur la pièce présentée."),
    ("document.motif", "Pièce authentique et en cours de validité"),
    ("kontoabgleich", {"kontoinhaber": "Ada Byron", "abgleich": "vollständige Übereinstimmung"}),
]  # fmt: skip
OPEN: list[tuple[str, Any]] = [
    ("screening.sanctionsListsSearched", 0),
    ("screening.sanctionsListsMatched", 1),
    ("screening.sanctionsSearched", 1),
    ("screening.sanctionsListsSearchedAndMatched", 1),
    ("screening.results", [{"sanctionsListsSearched": 4, "name": "Ada Byron"}]),
    ("identity.duplicateOf", "cus_25e23c74c4"),
    ("identity.sameFaceId", "med_25e23c74c4"),
    ("warrant.id", "5d14d1f2"),
    ("arrestId", "5d14d1f2"),
    ("overall.ruleId", "VELOCITY-3"),
    ("document.imageDigests.front", "photocopy"),
    ("identity.duplicateSearch", {"facesCompared": 184223, "duplicatesFound": 4}),
    ("identity.duplicateSearch", {"facesCompared": 0}),
    ("document.suspensionPeriod", "24 months"),
    ("screening.keywords", ["fraud"]),
    ("screening.articles", [{"search": {"keywords": ["fraud"]}}]),
    ("screening.adverseMediaSearch", {"keywordsMatched": ["fraud"]}),
    ("screening.adverseMediaSearch", {"keywords": ["fraud"], "found": 3}),
    ("screening.adverseMediaSearch.found", "nothing checked"),
    ("screening.searchTerms", ["Bob Smith"]),
    ("document.lostStolenLookup", {"register": "INTERPOL SLTD", "answer": "reported stolen", "reportedOn": "2026-04-02"}),
    ("screening.registreGelDesAvoirs", "présent depuis 2026"),
    ("document.document.personAge", 19),
    ("document.fonts", ["inconsistent"]),
    ("document.document.permit", {"kind": "overstayer"}),
    ("document.document.fechaExpedicion", "2027-01-01"),
    ("document.document.fechaCaducidad", "2024-01-01"),
    ("document.holder.geburtsdatum", "1986-12-10"),
    ("document.numeroDocumento", "X7654321"),
    ("document.document.auflagen", "Meldepflicht"),
    ("document.holder.nationalityLabels", {"en": "Iran", "fr": "iranienne"}),
    ("address.history", [{**HERE, "addressLine1": "41 Queen Street", "postalCode": "CF10 2BU"}, BEFORE]),
    ("address.history", [{**BEFORE, "country": "IR"}]),
    ("address.previousAddresses", [{"line1": "Leeds Prison", "postcode": "LS12 2TJ", "country": "GB", "movedOut": "2021-04"}]),
    ("document.completeness", "60%"),
    ("identity.quality", {"brightness": "82%", "sharpness": "12%"}),
    ("document.qualityScore", {"value": 60, "max": 100}),
    ("document.authenticityScore", {"value": 86, "max": 100}),
    ("session.networkThreatLevel", "elevated"),
    ("engines", [{"name": "forgery", "version": "found"}]),
    ("document.type", "ban"),
    ("device.kind", "VM"),
    ("checks.same", True),
    ("checks.same", False),
    ("flags.noSignOfTampering", False),
    ("flags.noTamperingCheck", True),
    ("identity.spoofVerdict", "confirmed"),
    ("dictamen", "desfavorable"),
    ("screening.dictamen", "favorable"),
    ("behaviour.retentionDays", 0.97),
    ("document.uitslag", "niet akkoord"),
    ("document.status", "nicht geprüft"),
    ("screening.hinweis", "geprüft"),
    ("document.conclusion", "Anomalie relevée sur la pièce présentée."),
    ("kontoabgleich", {"kontoinhaber": "Bob Smith", "abgleich": "vollständige Übereinstimmung"}),
    ("kontoabgleich.abgleich", "keine Übereinstimmung"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value"), FINE)
def test_data_of_a_known_kind_sends_nobody_to_review(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(("path", "value"), OPEN)
def test_what_only_looks_like_it_is_not_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value, RESULTS))) != "approve"
