"""Which due diligence a customer needs, and when the next review is due."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from kycpack.triage.diligence import DEFAULT
from kycpack.triage.levels import LEVELS

DAY = dt.date(2026, 6, 1)
LOW = {"country": "GB", "product": "savings", "channel": "branch", "purpose": "salary"}
KNOWN = replace(DEFAULT, risks={factor: {value.casefold(): "low"} for factor, value in LOW.items()})


@pytest.mark.parametrize("level", LEVELS)
def test_from_enhanced_due_diligence_upwards_the_next_review_is_due_in_a_year(level: str) -> None:
    is_softer = LEVELS.index(level) < LEVELS.index("edd")
    days = {
        kind: (DEFAULT.next_review(kind, level, DAY) - DAY).days
        for kind in ("simplified", "standard", "enhanced")
    }
    assert days == {
        "simplified": 1_095 if is_softer else 365,
        "standard": 730 if is_softer else 365,
        "enhanced": 365,
    }


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({}, "simplified"),
        ({"pep": "none"}, "simplified"),
        ({"pep": "former"}, "enhanced"),
        ({"channel": "online"}, "standard"),
    ],
)
def test_one_factor_that_is_not_known_to_be_low_ends_simplified_diligence(
    said: dict[str, str], kind: str
) -> None:
    assert KNOWN.kind(LOW | said) == kind


@pytest.mark.parametrize("factor", LOW)
def test_a_factor_that_the_file_leaves_out_counts_as_medium(factor: str) -> None:
    assert KNOWN.kind({one: value for one, value in LOW.items() if one != factor}) == "standard"
