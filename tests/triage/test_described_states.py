"""A word for the state of a document is no name, no place and no number, in whatever member it stands."""

from __future__ import annotations

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank

MEMBERS = [
    "document.holder.birthName",
    "document.holder.maidenName",
    "document.holder.middleName",
    "document.holder.placeOfBirth",
    "document.holder.fathersName",
    "document.holder.placeOfBirth.city",
    "document.document.issuingAuthority",
    "document.document.placeOfIssue",
    "document.chip.placeOfBirth",
    "address.extractedAddress.addressLine2",
    "address.extractedAddress.county",
    "address.bill.supplier",
]
STATES = [
    "overprinted", "OVERPRINTED", "Illegible", "not readable", "Partly covered", "void", "Blank", "smudged", "scuffed and creased",
    "unleserlich", "illisible",
]  # fmt: skip


@pytest.mark.parametrize("path", MEMBERS)
@pytest.mark.parametrize("value", STATES)
def test_a_state_in_place_of_data_is_reviewed(path: str, value: str) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize("value", ["washed out", "rubbed off", "behind a thumb"])
def test_a_description_that_nobody_listed_is_reviewed_in_place_of_a_name_or_a_place(value: str) -> None:
    for path in MEMBERS[:4]:
        assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize("value", ["Void", "BLANK", "Sample"])
def test_somebody_with_such_a_name_is_looked_at(value: str) -> None:
    assert level(triage(results=put("document.holder.birthName", value))) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.holder.birthName", "Kowalska"),
        ("document.holder.birthName", "GRANT"),
        ("document.holder.middleName", "Anne-Marie"),
        ("document.holder.middleName", "Amber"),
        ("document.holder.maidenName", "de la Cruz"),
        ("document.holder.placeOfBirth", "LEEDS"),
        ("document.holder.placeOfBirth", "Łódź"),
        ("document.document.issuingAuthority", "HM Passport Office"),
        ("document.document.placeOfIssue", "Leer"),
        ("address.extractedAddress.addressLine2", "Flat 2"),
        ("address.extractedAddress.county", "West Yorkshire"),
        ("address.bill.supplier", "Northern Water"),
    ],
)
def test_a_name_or_a_place_is_data(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"
