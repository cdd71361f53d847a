"""Many customers judged together: each as alone, and what is clear only when it is asked for."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest
from tests.triage.invented_customers import evidence

import kycpack as kp
from kycpack.synthetic import generate
from kycpack.triage import Triage, load_policy
from kycpack.triage.judgement import judge_case

AS_OF = dt.date(2026, 6, 1)
CUSTOMERS = 24
MADE = ("recommendations", "findings", "consistency", "supersessions")


def judged(some: list[kp.Evidence]) -> Triage:
    frames, policy = kp.flatten(some), load_policy()
    wealth = kp.derive(frames.transactions, thresholds=policy.thresholds, as_of=AS_OF)
    return kp.evaluate(frames, policy, wealth=wealth, as_of=AS_OF)


@pytest.fixture(scope="module")
def population() -> list[kp.Evidence]:
    return [
        evidence(plan, with_expired=True)
        for plan in generate(CUSTOMERS, 5, AS_OF, history_days=120).customers
    ]


def test_customers_judged_together_are_judged_as_each_alone(population: list[kp.Evidence]) -> None:
    together = judged(population)
    alone = [judged([one]) for one in population]
    assert together.recommendations["level"].nunique() > 2
    for name in MADE:
        parts: list[Any] = [getattr(one, name) for one in alone]
        expected = pd.concat([part for part in parts if len(part)], ignore_index=True)
        pd.testing.assert_frame_equal(getattr(together, name), expected)


def test_what_is_clear_adds_findings_and_changes_nothing(population: list[kp.Evidence]) -> None:
    made = judged(population)
    for case in made.cases:
        short, whole = (judge_case(made.policy, case, AS_OF, with_clear=every) for every in (False, True))
        assert short.recommendation == whole.recommendation
        assert short.supersessions == whole.supersessions
        assert short.findings == tuple(one for one in whole.findings if one.outcome != "CLEAR")
        assert len(whole.findings) > len(short.findings)
    assert {str(name) for name in made.findings["customer_id"]} == {one.customer_id for one in population}
