"""Names and addresses of specimens and tests are findings, and people with names like them are none."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import RECORD, RESULTS
from tests.triage.test_contradictions import at_address
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage import Triage


def named(first: str, last: str) -> Triage:
    results = put("document.holder.lastName", last, put("document.holder.firstName", first, RESULTS))
    return triage(record={**RECORD, "firstName": first, "lastName": last}, results=results)


@pytest.mark.parametrize(
    ("first", "last"),
    [("Test", "Byron"), ("Ada", "Specimen"), ("Erika", "Mustermann"), ("John", "Doe"), ("Joe", "BLOGGS"), ("Vorname", "Nachname"), ("Qwerty", "Asdf"), ("Ada", "Byron2")],
)  # fmt: skip
def test_a_name_of_a_specimen_is_a_finding(first: str, last: str) -> None:
    made = named(first, last)
    assert finding(made, "RES-8")["outcome"] == "HIT"
    assert level(made) != "approve"


@pytest.mark.parametrize(
    ("first", "last"),
    [("Testa", "Bianchi"), ("Ian", "Sample"), ("Hans", "Muster"), ("Jan", "Kowalski"), ("Jane", "Dough"), ("John", "Doerr"), ("Tess", "Testino"), ("Juan", "P\u00e9rez")],
)  # fmt: skip
def test_a_name_like_one_is_no_finding(first: str, last: str) -> None:
    assert level(named(first, last)) == "approve"


@pytest.mark.parametrize(
    "line", ["12 Test Street", "Musterstra\u00dfe 1", "1 Fake Street", "Teststrasse 4", "Address line 1"]
)
def test_an_address_of_a_form_is_a_finding(line: str) -> None:
    assert finding(at_address(addressLine1=line), "RES-8")["outcome"] == "HIT"


@pytest.mark.parametrize(
    "line", ["1 Testwood Road", "4 Contest Close", "12 Sample Lane Court", "Street Farm 3", "1 Muster Green"]
)
def test_an_address_like_one_is_no_finding(line: str) -> None:
    assert finding(at_address(addressLine1=line), "RES-8")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.holder.placeOfBirth", "<PLACE>"),
        ("document.holder.birthName", "__NAME__"),
        ("document.document.placeOfIssue", "<Place of issue>"),
        ("document.document.issuingAuthority", "Republic of Nowhere"),
    ],
)
def test_a_mark_of_a_template_in_capitals_and_a_state_that_is_nowhere_are_findings(
    path: str, value: str
) -> None:
    assert finding(triage(results=put(path, value)), "RES-8")["outcome"] == "HIT"


def test_the_lines_of_a_document_are_no_template() -> None:
    lines = ["P<GBRBYRON<<ADA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<"]
    assert finding(triage(results=put("document.mrz.lines", lines)), "RES-8")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.document.issuingAuthority", "Test Valley Borough Council"),
        ("document.document.placeOfIssue", "Specimen Hill"),
        ("document.holder.placeOfBirth", "Nowhere Creek"),
        ("address.supplier", "Test Valley Borough Council"),
        ("address.bill.supplier", "River Test Water Ltd"),
        ("address.proof.issuer", "Sealand Community Council"),
    ],
)
def test_a_real_place_with_a_word_of_specimens_is_no_finding(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"


def test_a_home_in_such_a_place_is_no_finding() -> None:
    for line in ("14 Test Valley Close", "River Test Cottage"):
        assert finding(at_address(addressLine1=line), "RES-8")["outcome"] == "CLEAR"
    assert finding(at_address(city="Test Valley"), "RES-8")["outcome"] == "CLEAR"
    assert finding(at_address(city="Test City"), "RES-8")["outcome"] == "HIT"


@pytest.mark.parametrize(
    "value",
    ["Test Authority", "Test Council", "Sample Borough Council", "Specimen Passport Office", "Test Passport Office London", "Principality of Sealand"],
)  # fmt: skip
def test_an_authority_with_only_words_of_offices_beside_that_of_a_specimen_is_a_finding(value: str) -> None:
    assert (
        finding(triage(results=put("document.document.issuingAuthority", value)), "RES-8")["outcome"] == "HIT"
    )


def test_a_town_that_is_called_like_a_state_that_is_none_has_authorities() -> None:
    results = put("document.document.issuingCountry", "IT")
    for value, outcome in (
        ("Comune di Seborga", "CLEAR"),
        ("Principato di Seborga", "HIT"),
        ("Principato di Seborga, Imperia", "HIT"),
        ("Principality of Sealand Town Hall", "HIT"),
    ):
        made = triage(results=put("document.document.issuingAuthority", value, results))
        assert finding(made, "RES-8")["outcome"] == outcome


@pytest.mark.parametrize("value", ["Specimen lower left", "Upper specimen", "Specimen Water"])
def test_where_on_a_document_the_word_stands_makes_no_place_of_it(value: str) -> None:
    assert level(triage(results=put("document.document.issuingOffice", value))) != "approve"
