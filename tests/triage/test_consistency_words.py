"""What the consistency matrix says beside two values that are the same, or the same in another form."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RECORD, RESULTS
from tests.triage.test_evaluate import changed, triage

LINE = "address.extractedAddress.addressLine1"


def reason(right: str, field: str, **parts: Any) -> str:
    found = triage(**parts).consistency
    (row,) = found[(found["field"] == field) & (found["right"] == right)].itertuples()
    assert row.verdict == "equal"
    return str(row.reason)


@pytest.mark.parametrize(
    ("field", "right"), [("name", "document"), ("date_of_birth", "document"), ("address", "address")]
)
def test_identical_values_are_called_identical(field: str, right: str) -> None:
    assert reason(right, field) == "identical"


def test_identical_names_of_firms_are_called_identical() -> None:
    firm = {"firstName": "Byron Engines", "lastName": "Limited"}
    results = changed("document.holder", {**RESULTS["document"]["holder"], **firm})
    assert reason("document", "name", record={**RECORD, **firm}, results=results) == "identical"


@pytest.mark.parametrize(
    ("field", "right", "path", "value", "said"),
    [
        ("name", "document", "document.holder.lastName", "BYRON", "the same apart from case, accents"),
        ("name", "document", "document.holder.firstName", "Dr Ada", "the same apart from case, accents"),
        ("address", "address", LINE, "1 high st", "the same apart from case, accents"),
        ("address", "address", "address.extractedAddress.country", "United Kingdom", "the same apart from"),
    ],
)
def test_values_in_another_form_are_not_called_identical(
    field: str, right: str, path: str, value: str, said: str
) -> None:
    assert reason(right, field, results=changed(path, value)).startswith(said)
