"""A detail below a group of checks is the result of its check: passed is fine, and what is no detail and no result is not known."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.checks.firstName", "pass"),
        ("document.checks", {"lastName": "clear", "dateOfBirth": "passed"}),
        ("document.mrzChecksums.expirationDate", "pass"),
        ("document.mrzChecksums", {"documentNumber": "pass", "dateOfBirth": "pass"}),
        ("document.mrzChecksums", {"expirationDate": True, "dateOfBirth": True, "documentNumber": True}),
        ("document.validation.nationality", "match"),
        ("document.comparison.firstName", "Ada"),
        ("document.chip.dateOfBirth", "1985-12-10"),
        ("document.document.dateOfIssue", "2021-01-01"),
        ("person.dateOfBirth", "10 Dec 1985"),
        ("document.chip.expiryDate", "310101"),
    ],
)
def test_a_detail_that_passed_its_check_is_fine(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.mrzChecksums.dateOfBirth", "F"),
        ("document.mrzChecksums.expirationDate", 0),
        ("document.mrzChecksums.sex", "F"),
        ("document.mrzChecksums.expirationDate", False),
        ("document.mrzChecks.expired", True),
        ("document.checks.lost", True),
        ("document.chipChecks.lost", True),
        ("document.checks.dateOfBirth", "N"),
        ("document.checks.postcode", "0"),
        ("document.checks.firstName", "fail"),
        ("document.checks.firstName", "Rosa"),
        ("document.crossCheck.lastName", "SHARP"),
        ("document.mrzChecksums.lastName", "PASS"),
        ("identity.matches.firstName", "LIVE"),
        ("document.validation.dateOfBirth", "-"),
        ("address.comparison.street", "X"),
        ("address.matches.city", "N"),
        ("document.expirationDate", "passed"),
        ("document.holder.mrz.surname", "pass"),
        ("document.chip.dateOfBirth", "11-12-85"),
        ("document.mrz.expiry", "30-04-19"),
        ("person.dateOfBirth", "illegible"),
        ("person.dateOfBirth", "не пройдено"),
        ("document.chip.dateOfBirth", "Manipuliert"),
        ("document.document.dateOfIssue", "never"),
        ("document.mrz.expiry", "Ablauf"),
        ("document.holder.dateOfIssue", "12%"),
        ("screening.searchedAt", "error 500"),
        ("completedAt", "-1"),
    ],
)
def test_what_is_no_detail_and_no_result_is_reviewed(path: str, value: Any) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize("path", ["document.checks.hologram.result", "decision", "identity.review.verdict"])
@pytest.mark.parametrize("value", [None, ""])
def test_a_verdict_without_a_value_is_not_known(path: str, value: object) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")
