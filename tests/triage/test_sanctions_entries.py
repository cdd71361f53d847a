"""An entry of a list that says of itself that it is about sanctions or terrorism goes to the MLRO as a match, wherever the list lies."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import level, triage

from kycpack.triage import Triage

NAME = {"name": "Ada Byron"}


def screened(**members: Any) -> Triage:
    return triage(results={**RESULTS, "screening": {**RESULTS["screening"], **members}})


def fired(made: Triage) -> list[str]:
    rows = made.findings[(made.findings["rule_id"] == "SAN-3") & (made.findings["outcome"] == "HIT")]
    return [str(sentence) for sentence in rows["sentence"]]


@pytest.mark.parametrize("name", ["results", "entries", "records", "alerts", "watchlistResults", "data"])
@pytest.mark.parametrize(
    "entry",
    [
        {"category": "sanctions", **NAME},
        {"type": "SAN"},
        {"listType": "OFAC SDN"},
        {"topics": ["sanction"], **NAME},
        {"source": "UN sanctions list", **NAME},
        {"sources": [{"name": "HMT consolidated list"}], **NAME},
        {"types": ["terrorism"], **NAME},
        {"source": "UN Security Council Consolidated List", **NAME},
        {"category": "Specially Designated Nationals", **NAME},
        {"category": "SIP, SAN", **NAME},
        {"category": "\u0441\u0430\u043d\u043a\u0446\u0438\u0438", **NAME},
        {"onSanctionsList": "yes", **NAME},
        {"list": "Sanktionsliste der EU", "status": "not reviewed", **NAME},
        {"category": "sanctions", "status": "potential match", **NAME},
    ],
)
def test_an_entry_about_sanctions_or_terrorism_is_escalated(name: str, entry: dict[str, Any]) -> None:
    made = screened(**{name: [entry]})
    assert level(made) == "escalate"
    assert "MLRO" in made.recommendations["routes"].iloc[0]
    assert len(fired(made)) == 1


@pytest.mark.parametrize("section", ["vendor", "watchlistResults"])
def test_an_entry_in_a_section_of_its_own_is_escalated(section: str) -> None:
    made = triage(results={**RESULTS, section: [{"category": "sanctions", **NAME}]})
    assert level(made) == "escalate"
    assert "category 'sanctions', name 'Ada Byron' for the entry" in fired(made)[0]


@pytest.mark.parametrize(
    "members",
    [
        {"profile": {"category": "sanctions", **NAME}},
        {"results": {"M-1": {"list": "OFAC", "name": "BYRON, Ada"}}},
    ],
)
def test_a_group_with_the_customers_name_is_escalated(members: dict[str, Any]) -> None:
    assert level(screened(**members)) == "escalate"


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"listsSearched": ["OFAC SDN", "UN"]}, "approve"),
        ({"sources": [{"name": "OFAC SDN", "entries": 12000, "updated": "2026-05-01"}]}, "approve"),
        ({"searchedLists": [{"name": "OFAC", "type": "sanctions", "result": "clear"}]}, "approve"),
        ({"results": [{"category": "sanctions", "result": "clear"}]}, "edd"),
        ({"results": [{"category": "sanctions", "matches": 0}]}, "edd"),
        ({"results": [{"category": "sanctions", "match": False, **NAME}]}, "edd"),
        ({"results": [{"category": "sanctions", "status": "false positive", **NAME}]}, "edd"),
        ({"results": [{"category": "no sanctions", **NAME}]}, "edd"),
        ({"search": {"list": "OFAC", **NAME}}, "edd"),
        ({"provider": {"name": "Ada Byron's vendor", "product": "Screening"}}, "edd"),
        ({"results": [{"category": "PEP", "nationality": "SDN", **NAME}]}, "edd"),
        ({"results": [{"category": "PEP", "employer": "Sanctions Board Ltd", **NAME}]}, "edd"),
        ({"results": [{"listsSearched": ["OFAC"], **NAME}]}, "edd"),
        ({"results": [{"category": "PEP", **NAME}]}, "edd"),
        ({"results": [{"category": "adverse media", "city": "San Marino", **NAME}]}, "edd"),
        ({"sources": [{"name": "OFAC SDN", "category": "sanctions"}]}, "edd"),
    ],
)
def test_a_search_that_found_nobody_or_another_category_stays_as_it_is(
    members: dict[str, Any], expected: str
) -> None:
    made = screened(**members)
    assert level(made) == expected
    assert fired(made) == []


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("matches", [{"list": "OFAC", **NAME}]),
        ("hits", [{"list": "OFAC SDN", "score": 0.98, **NAME}]),
        ("aml", {"matches": [{"category": "sanctions", **NAME}]}),
        ("aml", {"match": {"list": "OFAC", "name": "BYRON, A"}}),
        ("sanctions", {"matches": [NAME]}),
        ("provider", {"matches": ["OFAC"]}),
        ("results", [{"category": "sanctions", "match": True, "status": "completed", **NAME}]),
        ("results", [{"category": "sanctions", "hits": 2, "status": "completed"}]),
        ("steps", [{"type": "sanctions screening", "status": "failed"}]),
        ("failedChecks", [{"name": "sanctions check"}]),
        ("reasons", [{"code": "SANCTIONS_SCREENING"}]),
        ("events", [{"action": "sanctions hit found"}]),
    ],
)
def test_a_match_outside_screening_and_a_search_that_is_done_and_found_somebody_are_escalated(
    section: str, value: Any
) -> None:
    made = triage(results={**RESULTS, section: value})
    assert level(made) == "escalate"
    assert len(fired(made)) == 1


@pytest.mark.parametrize(
    ("section", "value", "expected"),
    [
        ("timeline", [{"event": "sanctions check", "at": "2026-05-01T10:00:00Z"}], "review"),
        ("consents", [{"type": "sanctions screening", "given": True}], "review"),
        ("audit", {"events": [{"action": "sanctions screening completed", "actor": "system"}]}, "approve"),
        ("products", [{"name": "Sanctions & PEP screening"}], "review"),
        ("steps", [{"type": "sanctions_screening", "status": "completed"}], "approve"),
        ("faces", {"matches": [{"name": "selfie"}]}, "approve"),
        ("sanctions", {"matches": [{"status": "false positive", **NAME}]}, "edd"),
    ],
)
def test_a_log_that_names_a_search_for_sanctions_found_nobody(
    section: str, value: Any, expected: str
) -> None:
    made = triage(results={**RESULTS, section: value})
    assert level(made) == expected
    assert fired(made) == []


def test_a_search_without_a_result_is_unknown_and_no_match() -> None:
    made = screened(searches=[{"list": "OFAC", "searchedName": "Ada Byron"}])
    assert level(made) == "edd"
    assert fired(made) == []


def test_an_entry_of_a_list_of_matches_that_says_nothing_is_unknown() -> None:
    assert level(screened(matches=[{}])) == "edd"
