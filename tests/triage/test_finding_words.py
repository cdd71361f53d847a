"""What findings say of data that is not there or has another form: in a bank's words, and nothing twice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.frames.evidence_maker import STATUS
from tests.triage.test_evaluate import changed, triage

from kycpack.triage.judge.sentences import _LABELS, value_words
from kycpack.triage.observations.bank_observations import _said_of
from kycpack.wealth.judge.sufficiency import _BY_BALANCE, Sufficiency

PROGRAMMER = re.compile(
    r"\b(object or a list|a word was expected|to look at|identity step|details? given twice|answer about the)\b"
)


def said(**parts: Any) -> list[str]:
    found = triage(**parts).findings
    return [str(text) for text in found.loc[found["outcome"].isin(["HIT", "UNKNOWN"]), "sentence"]]


@pytest.mark.parametrize(
    "parts",
    [
        {"results": changed("document.outcome", {"value": "clear"})},
        {"results": changed("screening.matchCount", [0])},
        {"results": changed("identity.faceAnalysis", {"facialSimilarity": ["clear"]})},
        {"status": {**STATUS, "progress": {}}},
        {"results": changed("document", {})},
    ],
)
def test_findings_about_data_that_is_missing_or_nested_are_in_plain_words(parts: Any) -> None:
    sentences = said(**parts)
    assert sentences
    assert [text for text in sentences if PROGRAMMER.search(text)] == []


def test_the_names_of_observations_are_in_plain_words() -> None:
    assert [label for label in _LABELS.values() if PROGRAMMER.search(label)] == []
    assert value_words(None) == "no value"


def test_a_payment_of_which_support_is_not_known_says_so_once() -> None:
    found = Sufficiency(
        customer_id="C-1",
        payment_id="pay_1",
        answer="cannot tell",
        amount_minor=8_500_000,
        currency="GBP",
        supported_minor=2_435_798,
        shortfall_minor=6_064_202,
        from_on=None,
        to_on=None,
        basis=("A document has to show what it was.",),
        source_ids=(),
        assumptions=(_BY_BALANCE,),
    )
    word, note = _said_of(found, 1_000_000, "")
    assert word is None
    assert (
        note
        == "Payment of 85,000.00 GBP: at least 60,642.02 GBP of it is not known to be supported by what was observed. A document has to show what it was."
    )


def test_the_number_of_matches_is_said_to_be_that_of_all_lists_together() -> None:
    """The provider counts matches once, so that the number is not one of sanctions lists where terrorism lists have a match too."""
    results = changed("screening.matchCount", 4)
    results["screening"]["summary"]["watchlist"] = {"sanctionsLists": "attention", "terror": "attention"}
    (counted,) = [text for text in said(results=results) if text.startswith("Number of screening matches")]
    assert counted.startswith("Number of screening matches on all lists together: 4; ")
