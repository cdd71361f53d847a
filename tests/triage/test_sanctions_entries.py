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
