"""What stands in place of a name, a place or an authority is a finding: what is left of a template, a remark, an issuer that is no state; real names are none."""

from __future__ import annotations

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put
from tests.triage.test_specimens import named

LEFT_OVER = ["%s", "%(name)s", "{name}", "{{ name }}", "${name}", "<name>", "[object Object]"]
MARKS = ["<CITY>", "<<NAME>>", "[city]", "%CITY%", "__CITY__", "$city", "#NAME?", "#REF!"]
NOTHING = ["null", "undefined", "NaN"]
REMARKS = ["Overprinted By Hand", "Added In Pen", "Glued Twice", "Crossed Out"]


def said(path: str, value: str) -> str:
    made = triage(results=put(path, value))
    assert level(made) != "approve"
    return str(finding(made, "RES-8")["sentence"])


@pytest.mark.parametrize("value", LEFT_OVER)
@pytest.mark.parametrize(
    "path",
    ["document.issuingAuthority", "document.holder.birthName", "document.placeOfBirth", "address.issuer"],
)
def test_what_is_left_of_a_template_is_a_finding(path: str, value: str) -> None:
    assert "an unfilled placeholder of a template" in said(path, value)


@pytest.mark.parametrize("value", MARKS)
@pytest.mark.parametrize("path", ["document.holder.birthName", "document.placeOfBirth"])
def test_so_is_a_mark_of_another_template_or_a_spreadsheet(path: str, value: str) -> None:
    assert "an unfilled placeholder of a template" in said(path, value)


@pytest.mark.parametrize(
    ("path", "value"),
    [("document.placeOfBirth", "Place of birth"), ("document.holder.birthName", "BIRTH NAME"), ("document.issuingAuthority", "Issuing Authority")],
)  # fmt: skip
def test_the_name_of_a_member_is_not_its_value(path: str, value: str) -> None:
    assert "the name of the member in place of its value" in said(path, value)


@pytest.mark.parametrize("value", [*LEFT_OVER, *NOTHING, *REMARKS, "Fnu", "LNU"])
def test_so_is_it_in_place_of_the_customers_name(value: str) -> None:
    assert finding(named("Ada", value), "RES-8")["outcome"] == "HIT"
    assert finding(named(value, "Byron"), "RES-8")["outcome"] == "HIT"


@pytest.mark.parametrize("value", ["John Doe", "Fnu", "Lnu", "Unknown", "Not Known", *NOTHING, *REMARKS])
@pytest.mark.parametrize(
    "path", ["document.holder.birthName", "document.nameAtBirth", "document.mothersName"]
)
def test_a_further_name_that_is_none_is_a_finding(path: str, value: str) -> None:
    assert f"'{value}'" in said(path, value)


@pytest.mark.parametrize(
    "value",
    ["Unknown Authority", "World Service Authority", "Sample Ministry", "Test Ministry", "Fantasy Ministry", "Principality of Sealand", "Donetsk People's Republic", "Transnistria", "Republic of Artsakh", "Fantasia Police"],
)  # fmt: skip
def test_an_authority_of_no_state_is_a_finding(value: str) -> None:
    assert "an authority of no state" in said("document.issuingAuthority", value)


@pytest.mark.parametrize("value", REMARKS)
@pytest.mark.parametrize(
    "path", ["document.issuingAuthority", "document.placeOfBirth", "document.issuingOffice"]
)
def test_a_remark_in_place_of_data_is_a_finding(path: str, value: str) -> None:
    assert "a remark in place of data" in said(path, value)


@pytest.mark.parametrize(
    "last", ["Null", "Doe", "Sample", "Penn", "Inkster", "Handley", "None", "Na", "True"]
)
def test_a_real_name_is_approved(last: str) -> None:
    assert level(named("Ada", last)) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.holder.birthName", "Doe"),
        ("document.holder.birthName", "Lovelace"),
        ("document.holder.birthName", "None"),
        ("document.mothersName", "Anne Null"),
        ("document.issuingAuthority", "HM Passport Office"),
        ("document.issuingAuthority", "Ministry of the Interior"),
        ("document.issuingAuthority", "Sovereign Military Order"),
        ("document.placeOfBirth", "Penrith"),
        ("document.documentName", "Passport 100%"),
    ],
)
def test_a_real_name_a_place_or_an_authority_is_approved(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"
