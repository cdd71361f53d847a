"""Entries of a list that name a detail and give its value: the value is compared as the detail is."""

from __future__ import annotations

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank

ENTRIES = [
    {"name": "lastName", "value": "?"},
    {"field": "lastName", "extracted": "?"},
    {"label": "surname", "text": "?", "status": "match"},
    {"field": "lastName", "document": "?", "mrz": "?", "match": True},
    {"field": "lastName", "ocr": "?"},
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_value_of_an_entry_is_compared_as_the_detail_that_it_names(entry: dict[str, object]) -> None:
    def of(name: str) -> str:
        given = {member: name if value == "?" else value for member, value in entry.items()}
        return level(triage(results=put("document.fields", [{"field": "firstName", "ocr": "Ada"}, given])))

    assert of("Byron") == "approve"
    assert rank(of("Smith")) >= rank("review")


@pytest.mark.parametrize(
    ("label", "member", "value"),
    [("dateOfBirth", "mrz", "ZZZ"), ("expiryDate", "value", "gone"), ("lastName", "read", "Smith")],
)
def test_the_value_of_an_entry_that_is_another_or_cannot_be_compared_is_reviewed(
    label: str, member: str, value: str
) -> None:
    given = [{"name": label, member: value}]
    assert rank(level(triage(results=put("document.fields", given)))) >= rank("review")


def test_an_entry_of_another_document_is_not_compared() -> None:
    fields = [{"field": "documentNumber", "value": "V-11"}]
    visa = level(triage(results=put("document.visa.fields", fields)))
    assert visa == level(triage(results=put("document.visa.documentNumber", "V-11")))
    assert level(triage(results=put("document.fields", fields))) == "review"
