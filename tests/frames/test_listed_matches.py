"""Only what a results document lists with whom it found is a listed screening match."""

from __future__ import annotations

from typing import Any

import pytest

from kycpack.frames.listed_matches import count_listed

MATCH = {"name": "Ada Byron", "list": "OFAC SDN"}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"screening": {"matches": [MATCH, MATCH]}}, 2),
        ({"screening": {"matches": ["Ada Byron"]}}, 1),
        ({"watchlistMatches": [MATCH]}, 1),
        ({"pepAndSanctions": {"hits": [MATCH]}}, 1),
        ({"matches": [MATCH]}, 1),
        ({"screening": {"hits": ["none"]}}, 0),
        ({"screening": {"hits": ["No hits found", "n/a", " - "]}}, 0),
        ({"screening": {"matchCount": 3}}, 0),
        ({"addressCheck": {"matches": ["street", "postcode"]}}, 0),
        ({"faceComparison": {"faceMatch": {"name": "selfie", "score": 1}}}, 0),
        ({"identity": {"matches": [MATCH]}}, 0),
    ],
)
def test_what_is_counted_as_a_listed_match(document: dict[str, Any], expected: int) -> None:
    assert count_listed(document) == expected
