"""Our sources beside those of the service's statement: what is absent is a dash, and what is there is its figure."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from kycpack.render.review.statements import _row

BOTH = {
    "evidence_id": "E-07",
    "position": 0,
    "verdict": "explained",
    "our_type": "employment",
    "their_type": "employment",
    "our_frequency": 12,
    "their_frequency": 11,
    "our_amount": Decimal("2450.00"),
    "their_amount": Decimal("2450.00"),
    "our_total": Decimal("29400.00"),
    "their_total": Decimal("26950.00"),
    "difference": Decimal("2450.00"),
    "explanation": "one payment after the statement",
}


def _texts(**changes: Any) -> list[str]:
    return [
        cell.text
        for cell in _row(
            pd.Series({**BOTH, **changes}, dtype=object), {"currency": "GBP", "may_be_twice_minor": 0}
        )
    ]


def test_a_source_of_both_sides_shows_both_figures_where_they_differ_and_the_difference() -> None:
    verdict, kind, count, currency, amount, total, difference, explanation = _texts()
    assert (verdict, count, explanation) == ("Explained", "12 / 11", "one payment after the statement")
    assert "/" not in kind
    assert currency == "GBP"
    assert "2,450.00" in amount
    assert "/" not in amount
    assert "29,400.00" in total
    assert "26,950.00" in total
    assert "2,450.00" in difference


@pytest.mark.parametrize("absent", [None, pd.NA, float("nan")])
def test_what_one_side_does_not_have_is_a_dash(absent: Any) -> None:
    texts = _texts(
        verdict="only_ours", their_type=absent, their_frequency=absent, their_amount=absent, their_total=absent,
        difference=absent, explanation=absent,
    )  # fmt: skip
    assert texts[0] == "Only ours"
    assert texts[2] == "12 / \N{EN DASH}"
    assert texts[6:] == ["\N{EN DASH}"] * 2
    assert "29,400.00 / " in texts[5]


def test_a_source_without_a_difference_of_totals_is_not_called_unexplained() -> None:
    assert _texts(verdict="unexplained", difference=Decimal("0.00"))[0] == "Not settled"
    assert _texts(verdict="unexplained", difference=Decimal("0.01"))[0] == "Unexplained"
