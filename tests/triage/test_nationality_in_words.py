"""A nationality that a member gives again in words is compared; one that nobody knows is not taken for the same."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

from kycpack.assets import asset_yaml
from kycpack.triage.countries import country_name, country_of_people

PATHS = (
    "document.holder.nationalityName",
    "document.nationalityName",
    "document.holder.citizenship",
    "document.holder.staatsangehörigkeit",
)


def test_the_document_is_british() -> None:
    assert RESULTS["document"]["holder"]["nationality"] == "GB"


@pytest.mark.parametrize("path", PATHS)
def test_another_nationality_in_words_is_a_finding(path: str) -> None:
    for word in ("Russian", "IRANIAN", "Irish", "russisch", "Iranienne", "Russland", "Syrian citizen"):
        made = triage(results=put(path, word))
        assert level(made) == "review", word
        assert "another nationality " in finding(made, "RES-5")["sentence"], word


@pytest.mark.parametrize("path", PATHS)
def test_the_same_nationality_in_words_is_fine(path: str) -> None:
    for word in (
        "British",
        "British Citizen",
        "Britisch",
        "Großbritannien",
        "Britannique",
        "United Kingdom",
        "GBR",
    ):
        assert level(triage(results=put(path, word))) == "approve", word


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_nationality_is_not_taken_for_the_same(path: str) -> None:
    for word in ("Ruritanian", "Dominican", "Staatsangehörigkeit: russisch"):
        assert level(triage(results=put(path, word))) == "review", word


def test_a_country_in_another_language_is_compared() -> None:
    assert level(triage(results=put("document.issuingCountryName", "Russland"))) == "review"


def test_every_people_has_a_country_and_no_word_has_two() -> None:
    known = asset_yaml("countries/peoples.yaml")
    words = [word for each in known.values() for word in each]
    assert len(words) == len(set(words)) > 300
    assert all(country_name(code) for code in known)
    assert all(word == word.casefold() for word in words)
    assert country_of_people("Ruritanian") is None
