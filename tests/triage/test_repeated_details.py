"""A detail of the person or the document that the results give again, under a name nobody has listed, has to agree with the listed one."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import finding, level, triage


def put(path: str, value: Any) -> Any:
    made = copy.deepcopy(RESULTS)
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
        ("address.register.postcode", "LS1 1AB", "another post code under “register”"),
        ("bankAccount.accountHolder", "Charles Babbage", "another name in the section “bank account”"),
    ],
)
def test_a_detail_that_differs_is_a_finding_and_never_approved(path: str, value: Any, said: str) -> None:
    made = triage(results=put(path, value))
    assert level(made) != "approve"
    sentence = str(finding(made, "RES-5")["sentence"])
    assert said in sentence
    assert str(value) in sentence


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
        ("address.register.postcode", "ls11aa"),
        ("document.holder.mother.surname", "Noel"),
        ("document.holder.previousSurname", "Lovelace"),
        ("document.document.issuer.name", "Home Office"),
        ("session.link.expires", "2026-05-02"),
    ],
)
def test_a_detail_that_agrees_or_is_somebody_elses_is_no_finding(path: str, value: Any) -> None:
    made = triage(results=put(path, value))
    assert finding(made, "RES-5")["outcome"] == "CLEAR"


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
        ("document.isExpired", True),
    ],
)
def test_what_may_be_turned_round_is_not_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"
