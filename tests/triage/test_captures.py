"""One file cannot be two captures, and a document's authority cannot be another country's."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import KNOWN, RECORD, RESULTS, SESSION, STATUS, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY, finding, level, triage
from tests.triage.test_repeated_details import put

from kycpack.frames import flatten
from kycpack.triage import evaluate

HASH, OTHER_HASH = "7b1e0c92f4aa5d13", "9f2b6c1e77a0d413"


def put_all(members: dict[str, Any]) -> Any:
    made = RESULTS
    for path, value in members.items():
        made = put(path, value, made)
    return made


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (
            {"identity.media.selfie.sha256": HASH, "identity.media.documentPortrait.sha256": HASH.upper()},
            "one file for the selfie and the portrait under “document portrait” in the section “identity”",
        ),
        (
            {
                "identity.images": [
                    {"role": "selfie", "sha256": HASH},
                    {"role": "documentPortrait", "sha256": HASH},
                ]
            },
            "one file for the selfie and the portrait under “images” in the section “identity”",
        ),
        (
            {"identity.selfie.imageId": "img-90817", "document.portrait.imageId": "img-90817"},
            "one file for the portrait and the selfie under “selfie” in the section “identity”",
        ),
        (
            {"identity.selfieFileId": "f-2210", "identity.livenessVideo.fileId": "f-2210"},
            "one file for the selfie and the video of the person under “liveness video”",
        ),
        (
            {
                "identity.selfie.url": "https://media.example/s/81c2?signature=aa&expires=1",
                "document.front.url": "https://media.example/s/81c2?signature=bb&expires=2",
            },
            "one file for the front of the document and the selfie under “selfie”",
        ),
        (
            {"document.front_md5": HASH, "document.back_md5": f"md5:{HASH}"},
            "one file for the front of the document and the back of the document in the section “document”",
        ),
        (
            {"document.images.front": HASH, "address.fileSha256": HASH},
            "one file for the front of the document and the proof of address in the section “address”",
        ),
        (
            {"files": {"liveness": "clip_20260502", "utilityBill": "clip_20260502"}},
            "one file for the video of the person and the proof of address",
        ),
        (
            {"identity.imageSha256": HASH, "document.imageSha256": HASH},
            "one file for the document and the identity check in the section “identity”",
        ),
    ],
)
def test_one_file_for_two_captures_is_a_finding(members: dict[str, Any], said: str) -> None:
    made = triage(results=put_all(members))
    assert level(made) != "approve"
    sentences = made.findings[made.findings["rule_id"] == "RES-5"]["sentence"]
    assert any(said in sentence for sentence in sentences), list(sentences)


@pytest.mark.parametrize(
    "members",
    [
        {"identity.media.selfie.sha256": HASH, "identity.media.documentPortrait.sha256": OTHER_HASH},
        {"identity.selfie.sha256": HASH, "identity.selfie.checksum": HASH},
        {"document.sha256": HASH, "document.front.sha256": HASH},
        {"identity.selfie.sessionId": HASH, "document.front.sessionId": HASH},
        {"identity.selfie.provider.id": HASH, "document.front.provider.id": HASH},
        {"document.portrait.sourceFileId": HASH, "document.front.fileId": HASH},
        {"identity.selfie.documentId": HASH, "document.front.documentId": HASH},
        {"identity.selfie.fileName": "image1.jpg", "document.front.fileName": "image1.jpg"},
        {"identity.selfie.url": "https://media.example/", "document.front.url": "https://media.example/"},
        {"identity.images": [{"role": "selfie", "id": 1}], "document.images": [{"role": "front", "id": 1}]},
        {"files": {"selfie": "2026-05-02", "front": "2026-05-02"}},
        {"engines": {"selfie": "lens-v41", "front": "lens-v41"}},
    ],
)
def test_two_files_or_what_is_no_file_is_no_finding(members: dict[str, Any]) -> None:
    assert finding(triage(results=put_all(members)), "RES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("second", "expected"),
    [(b"same", "HIT"), (b"another", "CLEAR")],
)
def test_one_file_among_a_sessions_media_for_two_captures_is_a_finding(second: bytes, expected: str) -> None:
    maker = EvidenceMaker()
    maker.answer("customers.get", RECORD)
    maker.session(RESULTS, STATUS)
    maker.answer("bank_accounts.list", {"items": []})
    maker.known(KNOWN)
    entry = maker.answer(
        "onboarding.media",
        {
            "sessionId": SESSION,
            "media": [{"id": "m-1", "type": "document_front"}, {"id": "m-2", "type": "portrait"}],
        },
        session_id=SESSION,
    )
    for media_id, content in (("m-1", b"same"), ("m-2", second)):
        maker.answer(
            "onboarding.download", content, content_type="image/png", session_id=SESSION, media_id=media_id
        )
    found = finding(evaluate(flatten(maker.make()), POLICY, as_of=AS_OF), "RES-5")
    assert found["outcome"] == expected
    if expected == "HIT":
        said = "one file in the session's media for the front of the document and the portrait"
        assert said in found["sentence"]
        assert entry in found["evidence_ids"]


@pytest.mark.parametrize(
    ("authority", "expected"),
    [
        ("Bundesdruckerei", "HIT"),
        ("Préfecture du Rhône, Lyon", "HIT"),
        ("Stadt Köln", "HIT"),
        ("Government of Kenya", "HIT"),
        ("U.S. Department of State", "HIT"),
        ("HM Passport Office", "CLEAR"),
        ("Belfast, Northern Ireland", "CLEAR"),
        ("Government of Bermuda", "CLEAR"),
        ("British Embassy, Paris, France", "CLEAR"),
        ("Georgia", "CLEAR"),
        ("Somewhere Passport Office", "CLEAR"),
    ],
)
@pytest.mark.parametrize("place", ["document.document.issuingAuthority", "document.issuer.name"])
def test_an_authority_of_another_country_is_a_finding(place: str, authority: str, expected: str) -> None:
    made = triage(results=put(place, authority))
    assert finding(made, "RES-5")["outcome"] == expected
    if expected == "HIT":
        assert level(made) != "approve"
        assert "another country's issuing authority" in finding(made, "RES-5")["sentence"]


def test_who_issued_the_proof_of_address_is_not_the_documents_authority() -> None:
    for place in ("address.proof.issuer", "address.bill.issuedBy", "identity.provider.name"):
        assert finding(triage(results=put(place, "Bank of Ireland")), "RES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("country", "authority"),
    [("FR", "Préfecture de Police, Paris"), ("DEU", "Landeshauptstadt München"), ("Germany", "Stadt Köln")],
)
def test_an_authority_of_the_documents_own_country_is_no_finding(country: str, authority: str) -> None:
    results = put("document.document.issuingAuthority", authority)
    results["document"]["document"]["issuingCountry"] = country
    results["document"]["holder"]["nationality"] = country
    assert finding(triage(results=results), "RES-5")["outcome"] == "CLEAR"
