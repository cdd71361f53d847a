"""In groups that hold data a text, a number or a capability that names no trouble sends nobody to review, and trouble there does."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import level, triage

from kycpack.triage.addresses.places import sanctioned_territory
from kycpack.triage.results.identity_documents import is_number_of

WELL: list[tuple[str, Any]] = [
    ("document.holder", {"middleNames": ["Augusta", "King"], "nameNative": "Ада Байрон", "placeOfBirth": "London", "religion": "Roman Catholic", "heightCm": 171, "maritalStatus": "single"}),
    ("document.document", {"dateOfIssue": "2021-01-02", "generation": "ePassport", "pageCount": 34, "booklet": "standard", "vehicleClass": "3", "endorsements": "NONE"}),
    ("document.document.variant", {"name": "UK passport 2020 edition", "icaoCode": "P"}),
    ("document.nfc", {"read": True, "lds": "1.8", "accessProtocol": "PACE", "dataGroups": ["DG1", "DG2"], "dg1": {"documentNumber": "X1234567", "lastName": "BYRON"}, "certificate": {"issuer": "C=GB, O=HMPO, CN=CSCA", "notAfter": "2033-01-01"}}),
    ("document.images", [{"side": "data page", "width": 2400, "height": 1600, "sharpness": 0.97, "mimeType": "image/jpeg"}]),
    ("document.imageQuality", {"sharpness": 94, "completeness": 100, "noGlare": 97, "scale": "0-100, higher is better"}),
    ("document.imageQuality", {"sharpness": 88, "scaleMax": 100}),
    ("document.classification", {"template": "GBR-PP-2020", "model": "doc-net", "modelVersion": "7.3.1"}),
    ("document.checks", [{"name": "mrz_checksum", "result": "clear", "lines": 2, "method": "cnn"}]),
    ("document.forensics.digitalTampering", "none detected"),
    ("document.contentAnalysis.visibleDigitalSeal", {"present": True, "signature": "valid", "certificate": "FR01-2041"}),
    ("document.contentAnalysis.ocrConfidence", {"firstName": 0.998, "lastName": 0.997, "documentNumber": 0.996}),
    ("document.bemerkung", "Ausweis echt, Daten stimmen überein, keine Beanstandungen."),
    ("address.proofKind", "council tax bill"),
    ("address.proof", {"kind": "bank statement", "issuer": "Leeds Building Society", "issuedOn": "2026-04-04", "language": "en", "recipient": "Ms A Byron"}),
    ("address.extractedAddress", {"ward": "Headingley & Hyde Park", "dwellingType": "flat", "uprn": "72094411"}),
    ("address.registryComparison", {"compared": 7, "equal": 7}),
    ("address.lookup", {"provider": "PAF", "deliveryPointSuffix": "1A", "result": "clear"}),
    ("identity.capture", {"device": "iPhone 15", "frames": 180, "fps": 30, "durationMs": 6021, "lighting": "daylight"}),
    ("identity.biometricTemplate", {"algorithm": "arcface-r100", "dimension": 512}),
    ("identity.certification", {"standard": "ISO/IEC 30107-3", "level": 2, "lab": "iBeta"}),
    ("identity.authenticityAnalysis.challenges", [{"type": "read_digits", "expected": "417", "heard": "417", "passed": True}]),
    ("identity.authenticityAnalysis.spoofedImageAnalysis", {"verdict": "clear", "attackProbability": {"print": 0.001, "deepfake": 0.003}}),
    ("identity.faceAnalysis.ageEstimate", {"low": 36, "high": 44}),
    ("device", {"model": "Pixel 9", "osVersion": "16", "cpuCores": 8, "memoryGb": 12, "touch": True, "timezone": "Europe/London"}),
    ("device", {"userAgent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15", "cookiesEnabled": True}),
    ("device", {"mockLocation": False, "remoteControl": False}),
    ("timings", {"upload": 1240, "faceMatch": 310, "total": 42_370}),
    ("timeline", [{"event": "selfie captured", "gps": [53.8, -1.55]}]),
    ("duplicates", {"face": 0, "document": 0}),
    ("riskScore", {"value": 3, "max": 100, "lowerIsBetter": True}),
    ("riskScore", {"value": 2, "scale": "0 = lowest risk, 100 = highest risk"}),
    ("overall", {"decision": "approved", "code": 9001}),
    ("contact", {"email": {"domain": "gmail.com", "firstSeen": "2012-06-04"}, "phone": {"portedRecently": False}}),
    ("validUntil", "2027-06-01"),
    ("screening.search", {"term": "Ada Byron", "yearOfBirth": 1985, "fuzziness": 0.5, "ref": "17-x"}),
    ("screening.pagination", {"page": 1, "perPage": 50, "total": 0}),
    ("screening.monitoring", {"level": "extensive", "nextRun": "2026-06-02"}),
    ("screening.progress", {"groupsTotal": 7, "groupsDone": 7}),
    ("screening.datasetVersion", "2026-05-01"),
]  # fmt: skip
TROUBLE: list[tuple[str, Any]] = [
    ("document.holder.dateOfDeath", "2025-02-03"),
    ("document.holder.vitalStatus", "deceased"),
    ("document.holder.occupation", "Member of Parliament"),
    ("document.holder.occupation", "Minister of Finance"),
    ("document.holder.legalGuardian", "Piotr Kowalski"),
    ("document.holder.ageAtIssue", 12),
    ("document.holder.middleNames", "and husband"),
    ("document.holder.capacity", "under curatorship"),
    ("document.holder.photoSource", "scanned from a newspaper"),
    ("document.holder.nameInNativeScript", "Иван Петров"),
    ("document.holder.alsoKnownAs", "Marta Babbage"),
    ("document.holder.height", 3),
    ("document.document.replacedBy", "EH9920131"),
    ("document.document.cancelledOn", "2026-03-01"),
    ("document.document.reportedLostAt", "2026-03-01T09:00:00Z"),
    ("document.document.lifecycle", "surrendered"),
    ("document.document.endorsement", "not valid for travel"),
    ("document.document.printRun", "specimen series"),
    ("document.document.series", "void"),
    ("document.document.validityTo", "2024-05-11"),
    ("document.document.issuedOn", "2036-05-11"),
    ("document.document.dateOfIssue", "1986-01-01"),
    ("document.document.secondNumber", "reported stolen 2025"),
    ("document.document.copies", 2),
    ("document.document.pagesMissing", 3),
    ("document.document.media", {"software": "Adobe Photoshop 25.1", "format": "jpeg"}),
    ("document.images.front", {"width": 1200, "height": 800, "producer": "Midjourney"}),
    ("document.images.source", "photo of a monitor"),
    ("document.nfc", {"dg1": {"documentNumber": "X1234568"}}),
    ("document.nfc.dg1", {"lastName": "NOWAK", "firstName": "ANNA"}),
    ("document.chip", {"expiry": "2019-01-01"}),
    ("document.visa", {"refusals": 2}),
    ("address.proof", {"kind": "utility_bill", "customerName": "Tomasz Zielinski"}),
    ("address.proof", {"kind": "handwritten letter"}),
    ("address.proof", {"issuedOn": "2024-01-01"}),
    ("address.extractedAddress.occupancy", "vacant"),
    ("address.extractedAddress.premises", "self-storage unit"),
    ("address.extractedAddress.residentUntil", "2023-06-30"),
    ("address.extractedAddress.usage", "commercial mail receiving agency"),
    ("address.extractedAddress.buildingState", "demolished"),
    ("address.extractedAddress.registeredResidents", 41),
    ("address.history", [{"country": "IR", "city": "Tehran", "until": "2026-09-01"}]),
    ("address.dwelling", {"kind": "hostel for the homeless, left"}),
    ("device", {"model": "Android SDK built for x86", "os": "Android 13"}),
    ("device", {"camera": "OBS Virtual Camera"}),
    ("device", {"userAgent": "Mozilla/5.0 HeadlessChrome/118.0"}),
    ("device", {"fingerprint": "a91f", "seenWithApplicants": 7}),
    ("device", {"timezone": "Asia/Pyongyang"}),
    ("device.location", {"latitude": 35.7, "longitude": 51.4}),
    ("device", {"accountsOnDevice": 14}),
    ("device", {"bootloader": "unlocked"}),
    ("device.ip", {"address": "185.220.101.4", "kind": "tor exit"}),
    ("contact.email", {"domain": "mailinator.com", "domainKind": "throwaway"}),
    ("contact.phone", {"lineType": "voip", "ownerName": "Igor Sokolov"}),
    ("identity.capture", {"frames": 240, "distinctFrames": 2}),
    ("identity.capture", {"persons": 2}),
    ("identity.capture", {"setting": "person reads from a paper held by someone"}),
    ("identity.capture", {"startedAt": "2026-11-01T10:00:00Z", "finishedAt": "2026-11-01T09:00:00Z"}),
    ("identity.referencePhoto", {"origin": "web search"}),
    ("identity.estimates", {"age": 71}),
    ("session", {"completedBy": "account manager on behalf of the applicant"}),
    ("session", {"attempts": 17}),
    ("screening.subject", {"firstName": "Anna", "lastName": "Nowak"}),
    ("screening.subject", {"entityId": "Q4471", "listedSince": "2022-03-01"}),
    ("screening.search", {"listsAsOf": "2021-01-01"}),
    ("screening.coverage", {"sanctions": "not included"}),
    ("metadata", {"comment": "customer hung up twice"}),
    ("meta", {"tags": ["manual-override"]}),
    ("document.holder.profession", "Member of the State Council"),
    ("document.holder.secondNationality", "KP"),
    ("document.holder.otherNationalities", ["IR"]),
    ("document.holder.citizenshipStatus", "renounced"),
    ("document.holder.taxResidencies", ["IR", "GB"]),
    ("document.holder.title", "Ambassador"),
    ("document.holder.isDeceased", True),
    ("document.document.issueReason", "replacement of lost passport, found again"),
    ("document.document.copyNumber", 4),
    ("document.document.validFor", "one journey"),
    ("document.document.issuedAbroadBy", "unrecognised authority"),
    ("document.document.cardColour", "photocopy"),
    ("document.document.laminate", "peeled"),
    ("document.document.numberOfPagesTornOut", 2),
    ("document.document.numberStatus", "withdrawn"),
    ("document.document.checkDigit", "wrong"),
    ("document.document.holderSignature", "missing"),
    ("document.images.front", {"width": 320, "height": 200, "sharpness": 0.12}),
    ("document.images", [{"side": "front", "crop": "portrait covered by thumb"}]),
    ("document.images.front", {"editedWith": "Snapseed"}),
    ("document.images.front", {"takenAt": "2019-04-01T10:00:00Z"}),
    ("document.nfc", {"read": False}),
    ("document.nfc", {"certificate": {"notAfter": "2020-01-01"}}),
    ("document.nfc", {"activeAuthentication": "not supported, clone possible"}),
    ("document.nfc.dg11", {"fullName": "Kowalska, Anna Maria"}),
    ("document.mrz", {"line1": "P<POLNOWAK<<ANNA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<"}),
    ("document.visa", {"expires": "2024-01-01"}),
    ("document.version", "specimen"),
    ("document.template", "unknown layout"),
    ("document.classification", {"confidence": 0.31}),
    ("document.classification", {"secondBest": {"name": "novelty passport", "confidence": 0.48}}),
    ("address.proof", {"accountHolder": "J. Babbage"}),
    ("address.proof", {"issuer": "Fake Utilities Ltd"}),
    ("address.proof", {"pages": 0}),
    ("address.proof", {"balance": "overdue, final demand"}),
    ("address.proof.file", {"creator": "Microsoft Word"}),
    ("address.proof.file", {"modifiedAt": "2026-11-01T09:58:00Z", "producer": "iLovePDF"}),
    ("address.extractedAddress", {"validUntil": "2024-01-01"}),
    ("address.extractedAddress.deliverability", "returned to sender"),
    ("address.premises", {"use": "retail", "floors": 1}),
    ("address.residentSince", "2027-01-01"),
    ("address.landlordName", "Government of Iran"),
    ("address.lookup", {"bestMatch": "41 Harrow Lane", "distance": 4}),
    ("device", {"country": "IR"}),
    ("device.network", {"ip": "5.61.22.101", "country": "NL"}),
    ("device.network", {"isp": "NordVPN"}),
    ("device.network", {"organisation": "M247 hosting"}),
    ("device", {"os": "Windows 7", "browser": "Tor Browser 13"}),
    ("device", {"clockSkewSeconds": 86400}),
    ("device", {"installedApps": ["FakeGPS", "WhatsApp"]}),
    ("device", {"id": "a1b2", "firstSeen": "2026-11-01", "sharedWith": ["apl_1", "apl_2"]}),
    ("device", {"screenSharing": True}),
    ("device", {"batteryState": "emulated"}),
    ("session", {"ipChanges": 7}),
    ("session", {"durationSeconds": 2}),
    ("session", {"language": "ru", "interpreter": "neighbour"}),
    ("session", {"restarts": 6}),
    ("session", {"inputMethod": "pasted from clipboard"}),
    ("identity.capture", {"uploadedFrom": "gallery"}),
    ("identity.capture", {"audioTranscript": "he told me to press yes"}),
    ("identity.capture", {"setting": "moving car, two people"}),
    ("identity.capture", {"faces": 2}),
    ("identity.capture", {"eyes": "closed"}),
    ("identity.capture", {"video": {"codec": "h264", "encoder": "Lavf58.29.100", "generator": "Sora"}}),
    ("identity.biometrics", {"templateId": "t1", "matchesTemplates": ["t9", "t14"]}),
    ("identity.referencePhoto", {"takenFrom": "social media profile"}),
    ("identity.video.answer", "I do not know what this is for"),
    ("contact.phone", {"country": "NG"}),
    ("contact.email", {"domain": "tempmail.dev"}),
    ("contact.email", {"firstSeen": "2026-11-01", "owner": "Other Person"}),
    ("contact", {"address": "12 Other Road, Lagos"}),
    ("metadata", {"isTest": True}),
    ("meta", {"dataMode": "fixture"}),
    ("meta", {"fallbackProvider": "none answered"}),
    ("provider", {"mode": "degraded"}),
    ("consent", {"givenBy": "carer"}),
    ("consent", {"withdrawnAt": "2026-11-02"}),
    ("timings", {"liveness": 0, "total": 40}),
    ("audit", [{"event": "result edited", "actor": "admin"}]),
    ("screening.search", {"name": "M K"}),
    ("screening.search", {"countries": ["GB"], "exclude": ["PL"]}),
    ("screening.monitoring", {"lastRun": "2025-01-01"}),
    ("household", {"members": [{"name": "Oleg Deripaska", "relation": "father"}]}),
    ("household", {"note": "lives with PEP"}),
    ("education", {"school": "diploma mill"}),
    ("employment", {"employer": "Wagner Group"}),
    ("document.holder.height", 17.1),
    ("document.document.pageCount", 0),
    ("document.imageQuality", {"sharpness": 12, "scaleMax": 100}),
    ("document.imageQuality", {"sharpness": 94, "scale": "0-100, lower is better"}),
    ("document.contentAnalysis.ocrConfidence", {"firstName": 0.998, "documentNumber": 0.21}),
    ("address.registryComparison", {"compared": 7, "equal": 5}),
    # The interface gives neither a unit nor a direction.
    ("address.geoLocationAnalysis.ipProximityToAddress", 12),
    ("address.geoLocationAnalysis.ipProximityToAddress", 8714),
    ("address.geoLocationAnalysis.ipProximityToAddress", 0.12),
    ("identity.authenticityAnalysis.challenges", [{"type": "read_digits", "expected": "417", "heard": "471", "passed": True}]),
    ("identity.authenticityAnalysis.spoofedImageAnalysis", {"verdict": "clear", "attackProbability": {"print": 0.001, "deepfake": 0.43}}),
    ("identity.faceAnalysis.ageEstimate", {"low": 66, "high": 74}),
    ("duplicates", {"face": 1}),
    ("riskScore", {"value": 61, "max": 100, "lowerIsBetter": True}),
    ("riskScore", {"value": 3, "max": 100, "lowerIsBetter": False}),
    ("riskScore", {"value": 90, "scale": "0-100, lower is better"}),
    ("overall", {"decision": "declined", "code": 9102}),
    ("overall", {"code": 9103}),
    ("timeline", [{"event": "selfie captured", "gps": [16.8, 96.16]}]),
    ("meta", {"environment": "uat"}),
    ("phone", {"number": "+353 85 555 0142", "subscriber": "M. Gallagher"}),
    ("document.document.personalNumber", "49408120237"),
    ("screening.search", {"term": "Sean Atterbury"}),
    ("screening.search", {"term": "Ada Byron", "birthYear": 1994}),
    ("screening.progress", {"groupsTotal": 7, "groupsDone": 3}),
    ("created", "2026-05-02T14:30:00Z"),
    ("contact.email", {"firstSeen": "2026-05-20", "deliverable": True}),
    ("contact.phone", {"activatedOn": "2026-04-30"}),
    ("contact.phone", {"carrier": "Twilio", "type": "mobile"}),
    ("device", {"timezone": "Europe/Moscow"}),
    ("device", {"gpsAccuracyM": 0}),
    ("device", {"locale": "fa-IR"}),
    ("review", {"by": "agent 207", "seconds": 2}),
    ("document.mrz", {"optionalData": "REFUGEE"}),
    ("document.holder", {"weightKg": 4}),
    ("document.holder", {"nameSuffix": "deceased"}),
    ("document.holder", {"honorific": "HRH Prince"}),
    ("address.geocode", {"lat": 53.82, "lon": -1.57, "precision": "city"}),
    ("address.extractedAddress", {"careOf": "Mr Zielinski"}),
    ("identity.capture", {"fps": 1}),
    ("identity.authenticityAnalysis.challenge", [{"step": "turn_left", "done": True, "ms": 12}]),
    ("session", {"finishedBy": "Igor"}),
    ("screening.sources", []),
    ("phone", {"number": "+44 7700 900417", "portedAt": "2026-04-28T21:47:00Z"}),
    ("device", {"model": "Pixel 8", "wipedAt": "2026-04-28T21:47:00Z"}),
    ("identity", {"startedAt": "2026-04-29T09:00:00.000Z", "finishedAt": "2026-04-29T09:00:00.412Z"}),
]  # fmt: skip


def put(path: str, value: Any) -> Any:
    made = copy.deepcopy(RESULTS)
    *groups, name = path.split(".")
    group: Any = made
    for step in groups:
        group = group.setdefault(step, {})
    if isinstance(value, dict) and isinstance(group.get(name), dict):
        group[name].update(value)
    else:
        group[name] = value
    if path == "created":
        made["completed"] = "2026-04-29T09:12:40Z"
    if path.endswith("personalNumber"):
        made["document"]["document"]["issuingCountry"] = "EE"
    return made


@pytest.mark.parametrize(("path", "value"), WELL)
def test_data_that_names_no_trouble_is_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(("path", "value"), TROUBLE)
def test_trouble_that_hides_among_data_is_never_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"


@pytest.mark.parametrize(
    ("number", "country", "birth", "same"),
    [
        ("49408120237", "EE", "1994-08-12", True), ("49408120237", "EE", "1991-03-08", False), ("19860723-4823", "SE", "1986-07-23", True),
        ("860723-4823", "SE", "1986-07-24", False), ("88041712345", "PL", "1988-04-17", True), ("02241712345", "PL", "2002-04-17", True),
        ("02041712345", "PL", "2003-04-17", False), ("960602450417", "KZ", "1996-06-02", True), ("GOMC850915MDFNRR07", "MX", "1985-09-15", True),
        ("0000", "PL", "1988-04-17", True), ("88991712345", "PL", "1988-04-17", True), ("49408120237", "FR", "1991-03-08", True), ("850915", "PL", "1988-04-17", True),
    ],
)  # fmt: skip
def test_a_personal_number_holds_the_date_of_birth(number: str, country: str, birth: str, same: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert is_number_of(number, country, frozenset({birth})) is same


@pytest.mark.parametrize(
    ("place", "country", "territory"),
    [
        ("Simferopol", "UA", "Crimea"), ("Севастополь", "RU", "Crimea"), ("ul. Lenina 4, Yalta", "UA", "Crimea"), ("Donetsk", "UA", "the Donetsk and Luhansk areas"),
        ("Kyiv", "UA", ""), ("Yalta Road", "GB", ""), ("Simferopol", "", ""),
    ],
)  # fmt: skip
def test_a_place_in_a_territory_under_sanctions_is_known_by_name(
    place: str, country: str, territory: str
) -> None:
    assert sanctioned_territory(place, country) == territory


def test_an_address_in_a_territory_under_sanctions_is_reviewed() -> None:
    made = put("address.extractedAddress", {"city": "Simferopol", "postalCode": "295000", "country": "UA"})
    assert "territory under comprehensive sanctions (Crimea)" in " ".join(
        triage(results=made).findings["reason"]
    )


@pytest.mark.parametrize(
    ("country", "city", "code", "reviewed"),
    [("HK", "Hong Kong", None, False), ("HK", "Hong Kong", "", False), ("GB", "Leeds", None, True), ("HK", "Hong Kong", "n/a", True)],
)  # fmt: skip
def test_an_address_in_a_country_without_post_codes_lacks_none(
    country: str,
    city: str,
    code: str | None,
    reviewed: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    made = put("address.extractedAddress", {"country": country, "city": city, "postalCode": code})
    found = triage(results=made).findings
    assert ("RES-1" in set(found[found["outcome"] == "UNKNOWN"]["rule_id"])) is reviewed


def test_a_diplomatic_passport_is_reviewed() -> None:
    assert level(triage(results=put("document.document.documentType", "diplomatic_passport"))) != "approve"
