"""Details that the results give again, under a name nobody has listed, have to agree with the listed ones, and their dates have to be possible."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import RESULTS, SESSION, clear_customer
from tests.triage.test_evaluate import finding, level, triage

from kycpack.frames import flatten
from kycpack.triage import evaluate


def put(path: str, value: Any, results: Any = RESULTS) -> Any:
    made = copy.deepcopy(results)
    *groups, name = path.split(".")
    group: Any = made
    for step in groups:
        group = group.setdefault(step, {})
    group[name] = value
    return made


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("document.chip.surname", "Lovelace", "another family name under “chip” in the section “document”"),
        ("document.holder.mrz.givenNames", "AUGUSTA", "another given name under “mrz”"),
        ("identity.person.name", "Charles Babbage", "another name under “person” in the section “identity”"),
        ("document.barcode.dob", "10/12/1986", "another date of birth under “barcode”"),
        ("document.nfc.birth_date", "861210", "another date of birth under “nfc”"),
        ("document.viz.YEAR_OF_BIRTH", 1986, "another year of birth"),
        ("document.mrz.documentNumber", "X1234568", "another document number under “mrz”"),
        ("document.mrz.nationality", "IRL", "another nationality under “mrz”"),
        ("document.back.issuingState", "France", "another issuing country under “back”"),
        ("document.mrz.expiryDate", "2032-01-01", "another date of expiry under “mrz”"),
        (
            "document.visa2.validUntil",
            "2026-05-31",
            "a date of expiry that has passed under “visa2”",
        ),
        ("document.validityPeriod.to", "01.02.2026", "a date of expiry that has passed"),
        (
            "document.pages",
            [{"documentNumber": "X1234567"}, {"documentNumber": "Y7654321"}],
            "another document number under “pages”",
        ),
        ("capture.selfie.place", "Manila, PH", "another country of a picture under “selfie”"),
        ("address.residency.to", "2018-08-30", "an end of residence that has passed under “residency”"),
        (
            "address.tenancyEndDate",
            "30/08/2018",
            "an end of residence that has passed in the section “address”",
        ),
        ("address.register.postcode", "LS1 1AB", "another post code under “register”"),
        ("document.mrz.lines", ["P<GBRLOVELACE<<ADA<<<<<<<<<<<<<<<<<<<<<<<<<<"], "another name under “mrz”"),
        (
            "document.mrz.line2",
            "X123456784GBR8612101F3101017<<<<<<<<<<<<<<08",
            "another date of birth under “mrz”",
        ),
        (
            "document.mrz.line1",
            "P<UTOBYRON<<ADA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<",
            "another issuing country under “mrz”",
        ),
        ("bankAccount.accountHolder", "Charles Babbage", "another name in the section “bank account”"),
        ("document.holder.nativeName", "Борис Образцов", "another name under “holder”"),
        ("identity.person.legalLastName", "Lovelace", "another family name under “person”"),
        ("document.chip.session_id", "33333333-2222-4222-8222-222222222222", "another session's id"),
        ("identity.liveness.sessionId", "0fd3c1aa-0000-4000-8000-00000000000a", "another session's id"),
    ],
)
def test_a_detail_that_differs_is_a_finding_and_never_approved(path: str, value: Any, said: str) -> None:
    made = triage(results=put(path, value))
    assert level(made) != "approve"
    sentences = made.findings[made.findings["rule_id"] == "RES-5"]["sentence"]
    assert any(
        said in sentence and (isinstance(value, list) or str(value) in sentence) for sentence in sentences
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.chip.surname", "BYRON"),
        ("document.chip.givenNames", "ADA"),
        ("document.mrz.fullName", "BYRON ADA"),
        ("document.nfc.dateOfBirth", "10 Dec 1985"),
        ("document.mrz.birthDate", "851210"),
        ("document.mrz.documentNumber", "X1234567<4"),
        ("document.mrz.nationality", "GBR"),
        ("document.back.issuingCountry", "United Kingdom"),
        ("document.mrz.expiryDate", "01/01/2031"),
        ("document.mrz.expires", "310101"),
        ("address.register.postcode", "ls11aa"),
        ("address.residency.to", "2027-08-30"),
        ("document.pages", [{"documentNumber": "X1234567"}, {"documentNumber": "x123-4567"}]),
        ("capture.selfie.place", "Leeds, GB"),
        ("capture.selfie.place", "Leeds, West Yorkshire"),
        ("document.birth.place", "Lagos, NG"),
        ("applicant", {"applicantId": "A-1", "again": {"applicantId": "a 1"}, "personId": "B-2"}),
        ("address.previous.residency.to", "2018-08-30"),
        ("document.mrz.line1", "P<GBRBYRON<<ADA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<"),
        ("document.mrz.line2", "X1234567<7GBR8512109F3101012<<<<<<<<<<<<<<<2"),
        ("document.holder.mother.surname", "Noel"),
        ("document.extracted", {"printed": {"sex": "F"}, "chip": {"gender": "female"}}),
        ("document.holder.previousSurname", "Lovelace"),
        ("document.holder.nativeName", "Ада Байрон"),
        ("document.document.issuer.name", "Home Office"),
        ("session.link.expires", "2026-05-02"),
        ("sessionId", SESSION),
        ("sessionId", SESSION.upper()),
        ("identity.liveness.sessionId", "liv-20260502-0017"),
    ],
)
def test_a_detail_that_agrees_or_is_somebody_elses_is_no_finding(path: str, value: Any) -> None:
    made = triage(results=put(path, value))
    assert finding(made, "RES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("document.document.issueDate", "2034-06-30", "a date of issue in the future under “document”"),
        ("document.chip.dateOfIssue", "12/11/1979", "a date of issue before the date of birth under “chip”"),
        ("document.document.issuedOn", "2026-05-03T00:00:00Z", None),
        ("document.document.issuedOn", "2026-05-20", "a date of issue after the session under “document”"),
        ("address.proof.issuedOn", "2026-05-20", "a date of issue after the session under “proof”"),
        (
            "document.images.front.takenAt",
            "2026-04-20T10:00:00Z",
            "a picture that was taken before the session",
        ),
        (
            "document.images.front.exif.dateTimeOriginal",
            "2019-04-20T10:00:00Z",
            "a time long before the session",
        ),
        ("document.captures", {"front": "2026-04-20T10:00:00Z"}, "a picture that was taken before"),
        ("identity.selfie.capturedAt", "2026-05-02T09:00:00Z", None),
        ("document.photoTakenAt", "2026-05-02T08:58:00Z", None),
        (
            "address.fileMetadata",
            {"createdAt": "2026-04-04", "modifiedAt": "2026-05-01"},
            "a file that was changed after it was made",
        ),
        ("address.fileMetadata", {"createdAt": "2026-04-04", "modifiedAt": "2026-04-04"}, None),
        ("document.document.expirationDate", "2131-06-30", "a date of expiry more than 15 years ahead"),
        ("identity.selfie.capturedAt", "2027-01-01T09:00:00Z", "a time in the future under “selfie”"),
        ("screening.provider.checkedAt", "2029-01-01T09:00:00Z", "a time in the future under “provider”"),
        (
            "timings",
            {"startedAt": "2026-05-02T10:05:00Z", "completedAt": "2026-05-02T10:04:59Z"},
            "an end before",
        ),
        ("timings", {"startedAt": "2026-05-02T10:05:00Z", "completedAt": "2026-05-02T11:05:01+01:00"}, None),
        ("screening.performedAt", "2021-05-09T07:00:00Z", "a time long before the session"),
        ("address.proof.issued", "2024-02-11", "a proof of address that was issued more than a year ago"),
        ("address.proof.issued", "2026-04-11", None),
        ("address.residentSince", "1962-04-01", "a date before the date of birth"),
        ("document.holder.mother.dateOfBirth", "1962-04-01", None),
        ("identity.applicant.createdAt", "2019-04-01T07:00:00Z", None),
        ("monitoring.next.createdAt", "2029-01-01T09:00:00Z", None),
    ],
)
def test_a_date_that_cannot_be_is_a_finding(path: str, value: Any, said: str | None) -> None:
    made = triage(results=put(path, value))
    found = finding(made, "RES-6")
    assert (found["outcome"] == "HIT") is (said is not None)
    assert said is None or said in str(found["sentence"])
    assert said is None or level(made) != "approve"


@pytest.mark.parametrize(
    ("latitude", "longitude", "outside"),
    [
        (53.8, -1.55, False),
        ("53.8", "-1.55", False),
        (-33.87, 151.21, True),
        (53.8, 15.5, True),
        (953.8, -1.5, True),
        (None, 15.5, False),
    ],
)
def test_coordinates_outside_the_country_of_the_address_are_a_finding(
    latitude: Any, longitude: Any, *, outside: bool
) -> None:
    made = triage(results=put("identity.device", {"lat": latitude, "lng": longitude}))
    sentences = "".join(made.findings[made.findings["rule_id"] == "RES-5"]["sentence"])
    assert ("coordinates outside the country of the address under “device”" in sentences) is outside
    assert (level(made) == "approve") is not outside or latitude is None


def test_two_sexes_are_a_finding() -> None:
    made = triage(results=put("document.extracted", {"printed": {"sex": "F"}, "chip": {"gender": "M"}}))
    assert "another sex under “chip”" in str(finding(made, "RES-5")["sentence"])


def test_two_ids_of_one_applicant_are_a_finding() -> None:
    results = put("document.applicantId", "A-2204817")
    results["identity"]["applicantId"] = "A-7731045"
    made = triage(results=results)
    assert "another applicant id in the section “identity”" in str(finding(made, "RES-5")["sentence"])
    assert level(made) != "approve"


def test_a_document_was_not_issued_after_it_expired() -> None:
    results = put("document.document.expirationDate", "2026-07-30")
    results["document"]["document"]["issueDate"] = "30 April 2026"
    assert finding(triage(results=results), "RES-6")["outcome"] == "CLEAR"
    results["document"]["document"]["expirationDate"] = "2026-04-29"
    assert "after the date of expiry" in str(finding(triage(results=results), "RES-6")["sentence"])


@pytest.mark.parametrize(
    ("kind", "issued", "fits"),
    [
        ("passport", "2021-06-30", True),
        ("passport", "2020-06-30", True),
        ("passport", "2019-06-30", False),
        ("Service passport", "2006-06-30", False),
        ("national_identity_card", "2006-06-30", True),
    ],
)
def test_a_passport_is_not_valid_for_more_than_eleven_years(kind: str, issued: str, *, fits: bool) -> None:
    results = put("document.document.expirationDate", "2031-03-30")
    results["document"]["document"] |= {"documentType": kind, "issueDate": issued}
    found = finding(triage(results=results), "RES-6")
    assert (found["outcome"] == "CLEAR") is fits
    assert fits or "a passport that is valid for more than eleven years" in str(found["sentence"])


def test_without_results_nobody_says_that_details_agree() -> None:
    assert finding(triage(results=None), "RES-5")["outcome"] == "UNKNOWN"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.isExpired", False),
        ("identity.fraudSuspected", False),
        ("document.contentAnalysis.forgeryOrTampering", "none found"),
        ("identity.emailVerified", True),
        ("document.chip.signatureValid", True),
        ("device.model", "iPhone 14 Pro"),
        ("identity.videoSeconds", 6.4),
        ("document.image.widthPx", 2480),
    ],
)
def test_what_plainly_says_that_all_is_well_or_only_measures_is_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.passedAway", True),
        ("document.fraudChecked", False),
        ("document.notTampered", False),
        ("identity.ruledOut.fraud", False),
        ("identity.deathRegister.confirmed", True),
        ("identity.approvedByOverride", True),
        ("identity.emailVerified", False),
        ("document.fraudDetection", "none"),
        ("device.model", "Android emulator"),
        ("screening.summary.sanctionsFound.document", False),
        ("screening.summary.watchlist.cleared", False),
        ("screening.summary.adverseMedia.searchCompleted", False),
        ("screening.summary.pep.listsCovered", 0),
        ("document.isExpired", True),
    ],
)
def test_what_may_be_turned_round_is_not_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("dateOfBirth", "1950-01-01", "RES-5"),
        ("firstName", "Boris", "RES-5"),
        ("documentNumber", "ZZ99887", "RES-5"),
        ("postcode", "M1 1AA", "RES-5"),
        ("validUntil", "2026-01-31", "RES-5"),
        ("resultValidUntil", "2026-01-31", "RES-5"),
        ("issuedAt", "2199-01-01", "RES-6"),
        ("verifiedAt", "2011-01-01", "RES-6"),
        ("1", {"2": "1890-01-01"}, "RES-6"),
        ("", {"": "1890-01-01"}, "RES-6"),
    ],
)
def test_what_stands_at_the_top_of_the_results_is_looked_at_as_well(name: str, value: Any, rule: str) -> None:
    """A date there stopped the evaluation, and another name was approved."""
    made = evaluate(flatten(clear_customer({**RESULTS, name: value})), as_of="2026-06-01")
    found = made.findings[made.findings["outcome"] == "HIT"]
    assert rule in set(found["rule_id"])
    assert made.recommendations["level"].iloc[0] != "approve"


def test_details_at_the_top_of_the_results_that_agree_ask_for_nothing() -> None:
    more = {
        "firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1985-12-10", "validUntil": "2031-01-01", "name": "kyc-run",
    }  # fmt: skip
    made = evaluate(flatten(clear_customer({**RESULTS, **more})), as_of="2026-06-01")
    assert made.recommendations["level"].iloc[0] == "approve"


@given(
    st.dictionaries(
        st.text(max_size=6)
        | st.sampled_from(["dateOfBirth", "0", "7", "issuedAt", "lat", "lon", "selfieHash"]),
        st.recursive(
            st.sampled_from(["2199-01-01", "1890-01-01", "clear", True, 1, None, "Boris"]),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(
                    st.text(max_size=4) | st.sampled_from(["0", "lat", "issuedAt"]), inner, max_size=2
                )
            ),
            max_leaves=4,
        ),
        max_size=3,
    )
)
@settings(max_examples=40, deadline=None)
def test_no_member_of_the_results_stops_the_evaluation(more: dict[str, Any]) -> None:
    made = evaluate(flatten(clear_customer({**more, **RESULTS})), as_of="2026-06-01")
    assert len(made.recommendations) == 1


@pytest.mark.parametrize(
    ("kind", "issuer", "born", "fits"),
    [
        ("national_identity_card", "ES", "1949-02-17", True),
        ("national_identity_card", "ES", "1969-02-17", False),
        ("passport", "ES", "1949-02-17", False),
        ("national_identity_card", "MA", "1949-02-17", False),
    ],
)
def test_an_identity_card_of_the_old_may_have_no_end(
    kind: str, issuer: str, born: str, *, fits: bool
) -> None:
    results = put("document.document.expirationDate", "9999-01-01")
    results["document"]["document"] |= {"documentType": kind, "issuingCountry": issuer}
    results["document"]["holder"]["dateOfBirth"] = born
    assert (finding(triage(results=results), "RES-6")["outcome"] == "CLEAR") is fits


@pytest.mark.parametrize("group", ["mrzChecksums", "mrz", "checkDigits"])
@pytest.mark.parametrize("word", ["pass", "Passed", "ok", "valid", "correct"])
def test_a_word_for_passing_is_not_another_document_number(group: str, word: str) -> None:
    made = triage(results=put(f"document.{group}.documentNumber", word))
    assert level(made) == "approve"
    assert finding(made, "RES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize("group", ["mrzChecksums", "mrz", "checkDigits"])
@pytest.mark.parametrize(
    "word", ["fail", "FAILED", "invalid", "incorrect", "mismatch", "no_match", "not passed", "F"]
)
def test_any_other_word_in_the_place_of_a_document_number_stays_trouble(group: str, word: str) -> None:
    assert level(triage(results=put(f"document.{group}.documentNumber", word))) != "approve"


@pytest.mark.parametrize("register", ["stolenDocuments", "lostRegister", "revokedDocuments", "duplicates"])
@pytest.mark.parametrize("word", ["confirmed", "verified", "match"])
def test_a_number_in_a_register_of_lost_documents_stays_trouble(register: str, word: str) -> None:
    assert level(triage(results=put(f"document.{register}.documentNumber", word))) != "approve"


@pytest.mark.parametrize(
    "path",
    [
        "address.extractedAddress.occupantName",
        "address.bill.occupant",
        "address.bill.resident",
        "address.bill.tenant",
        "address.bill.householder",
    ],
)
def test_whoever_lives_at_the_address_is_compared_with_the_holder(path: str) -> None:
    assert level(triage(results=put(path, "Ada Byron"))) == "approve"
    assert level(triage(results=put(path, "Eva Lovelace"))) == "review"
