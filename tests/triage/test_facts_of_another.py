"""Facts that a document or a bill repeats and that are those of somebody or something else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.chip.fullName", "Ada Byron Jr"),
        ("document.chip.fullName", "Ada Byron II"),
        ("address.bill", {"date": "2019-01-01"}),
        ("address.components", {"house_number": "2"}),
        ("address.streetNumber", "1A"),
    ],
)
def test_what_is_of_another_is_reviewed(path: str, value: Any) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.chip.fullName", "Ada Byron"),
        ("address.bill", {"date": "2026-04-11"}),
        ("search", {"date": "2026-05-02"}),
        ("address.components", {"house_number": "1"}),
    ],
)
def test_what_is_the_customers_is_fine(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


def test_the_letter_of_a_house_may_be_left_out_and_a_flat_has_a_number_too() -> None:
    of_flat = put("address.extractedAddress.addressLine1", "Flat 3, 14A High Street")
    fine = put("address.components", {"house_number": "14"}, of_flat)
    other = put("address.components", {"house_number": "15"}, of_flat)

    def found(results: Any) -> str:
        said = triage(results=results).findings
        return str(said.loc[said["reason"].str.contains("house number"), "outcome"].tolist())

    assert found(fine) == "[]"
    assert found(other) == "['HIT']"
