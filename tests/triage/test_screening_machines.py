"""Below screening, links to its own report, thresholds and what the provider's machines are called are data; anybody who may have been found is not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

LINK = "https://api.provider.example/s/1"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("screening.provider", {"name": "ListWatch", "dataset": "2026.19", "region": "eu-west-2"}),
        ("screening.engine", {"name": "screen-core", "version": "8.1"}),
        ("screening.links", {"self": LINK}),
        ("screening.reportUrl", f"{LINK}.pdf"),
        ("screening.request", {"id": "rq-1", "sentAt": "2026-05-02T08:54:00Z"}),
        ("screening.metadata", {"durationMs": 311, "region": "eu-west-1"}),
        ("screening.matchThreshold", 85),
        ("screening.positiveMatches", 0),
        ("screening.unresolvedHits", 0),
    ],
)
def test_what_a_screening_says_of_machines_is_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("screening.provider", {"name": "OFAC SDN"}),
        ("screening.provider", {"name": "SanctionedPerson"}),
        ("screening.provider", {"name": "pep"}),
        ("screening.service", {"name": "Designated"}),
        ("screening.metadata", {"name": "Byron"}),
        ("screening.metadata", {"region": "PEP"}),
        ("screening.response", {"id": "terrorist-1"}),
        ("screening.entity", {"id": "Q-22"}),
        ("screening.reportUrl", "https://api.provider.example/sanctions/hit/1.pdf"),
        ("screening.articleUrl", "https://news.example/1"),
        ("screening.url", "https://news.example/1"),
        ("screening.href", "https://news.example/1"),
        ("screening.links", {"article": "https://news.example/1"}),
        ("screening.links", [{"url": "https://news.example/1"}]),
        ("screening.provider", {"hitUrl": LINK}),
        ("screening.matchThreshold", 0),
        ("screening.positiveMatches", 1),
        ("screening.unresolvedHits", 2),
        ("screening.notMatches", 0),
    ],
)
def test_what_may_be_about_somebody_who_was_found_is_not(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) in {"edd", "escalate", "reject"}


@pytest.mark.parametrize("said", ["Timeout", "error 500", "Service unavailable", "EU: timed out"])
def test_a_list_that_could_not_be_searched_is_no_list_that_was(said: str) -> None:
    for name in ("listsSearched", "sourcesSearched"):
        assert level(triage(results=put(f"screening.{name}", ["OFSI", "OFAC SDN", said]))) == "edd"
        assert level(triage(results=put(f"screening.{name}", ["OFSI", "OFAC SDN", "Interpol"]))) == "approve"


@pytest.mark.parametrize("member", ["sanctions", "pep", "adverseMediaSearch"])
def test_a_search_that_found_somebody_goes_to_the_nominated_officer(member: str) -> None:
    for value in ({"found": True}, "Treffer"):
        assert level(triage(results=put(f"screening.{member}", value))) == "escalate"
    assert level(triage(results=put(f"screening.{member}", {"found": False}))) == "approve"
