"""What a provider says of a person's work, schooling and belief is data, and a verdict, trouble or a public function in its place is none."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

TOLD: list[tuple[str, str]] = [
    ("occupation", "Civil engineer"),
    ("occupation", "teacher"),
    ("occupation", "NURSE"),
    ("occupation", "self-employed"),
    ("occupation", "Hotel manager"),
    ("occupation", "General practitioner"),
    ("occupation", "Magazine editor"),
    ("occupation", "Test engineer"),
    ("employer", "Halden Shipping Ltd"),
    ("employer", "Royal Mail"),
    ("currentEmployer", "Marks & Spencer plc"),
    ("employerName", "Leeds City Council"),
    ("jobTitle", "Head of Accounts"),
    ("job_title", "Senior Software Developer"),
    ("industry", "financial services"),
    ("profession", "Lehrerin"),
    ("educationLevel", "Bachelor"),
]
NOT_TOLD = [
    "forged", "REJECTED", "suspected", "potential match", "not verified", "verified", "mismatch", "high", "High risk", "overwritten", "XXXX", "????", "unknown", "Test", "Limited", "yes",
    "imposter", "fraudster", "échoué", "подделка", "Member of Parliament", "Head of State", "Attorney General", "MP", "Embassy of Iran", "Shell company", "casino owner",
    "money trafficker", "Launderer", "dictator", "Taliban Commander", "Member of the House of Lords", "councillor", "Bürgermeister", "Diputada", "Chief Justice", "Cartel Member", "Ghost employer", "Flagged", "Nonexistent Ltd", "Unlicensed Broker", "None",
    "cannot be confirmed", "Does not exist", "Someone else", "manual review", "Employment could not be confirmed",
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), TOLD)
def test_a_fact_of_the_person_is_data(name: str, value: str) -> None:
    assert level(triage(results=put(f"document.holder.{name}", value))) == "approve"


@pytest.mark.parametrize(
    "path", ["document.occupation", "occupation", "person.occupation", "identity.applicant.occupation"]
)
def test_it_is_data_wherever_data_of_the_person_is(path: str) -> None:
    assert level(triage(results=put(path, "Plumber"))) == "approve"


@pytest.mark.parametrize("value", NOT_TOLD)
@pytest.mark.parametrize("name", ["occupation", "employer", "jobTitle", "industry"])
def test_anything_else_under_such_a_name_is_no_data(name: str, value: str) -> None:
    assert level(triage(results=put(f"document.holder.{name}", value))) != "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("employment.employer", "Wagner Group"),
        ("document.contentAnalysis.occupation", "Plumber"),
        ("document.fraudSignals.occupation", "Plumber"),
        ("document.spouse.occupation", "Senator"),
        ("document.holder.occupationCheck", "Teacher"),
        ("document.holder.occupation", True),
        ("document.holder.occupation", 3),
        ("screening.occupation", "Plumber"),
        ("screening.matches.0.occupation", "Plumber"),
    ],
)
def test_such_a_fact_anywhere_else_is_looked_at(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"


@pytest.mark.parametrize("path", ["document.document.issuingAuthority", "document.media.fileName"])
def test_a_possible_match_in_place_of_a_name_is_no_data(path: str) -> None:
    for value in ("potential match", "possible match", "likely forged"):
        assert level(triage(results=put(path, value))) != "approve"
