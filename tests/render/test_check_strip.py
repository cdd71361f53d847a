"""The strip of checks on page one says no more than the evidence does."""

from __future__ import annotations

import copy

import pandas as pd
import pytest
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker

from kycpack.frames import flatten
from kycpack.render.review.check_strip import check_strip


@pytest.mark.parametrize(("count", "words"), [(0, "Clear"), (1, "1 match"), (2, "2 matches")])
def test_screening_that_counts_matches_is_not_shown_as_clear(count: int, words: str) -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"]["matchCount"] = count
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session(results)
    made.known()
    strip = dict(check_strip(flatten(made.make()), pd.DataFrame(), []))
    assert strip["Screening"].text == words
