"""Invented customers, from the wire to a recommendation: each ends at the level it was made for, and none at a softer one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from tests.evaluate.levels import recommended

from kycpack.synthetic import generate
from kycpack.triage import load_policy
from kycpack.triage.levels import rank


def test_the_first_twelve_end_at_the_level_they_were_made_for() -> None:
    today = datetime.now(UTC).date()
    population = generate(12, seed=6, as_of=today, history_days=220)
    found = {scenario: level for scenario, _, level in recommended(population, load_policy())}
    assert found == {plan.scenario: plan.meant_level for plan in population.customers}


def test_what_is_done_in_the_accounts_is_never_recommended_softer_than_meant() -> None:
    today = datetime.now(UTC).date()
    names = ("gambler", "crypto trader", "unexplained lump", "pass-through", "structuring")
    made = [
        generate(2, seed=14, as_of=today, history_days=200, first=2 * place, scenario=name)
        for place, name in enumerate(names)
    ]
    together = replace(made[0], customers=tuple(plan for one in made for plan in one.customers))
    for scenario, meant, level in recommended(together, load_policy()):
        assert rank(level) >= rank(meant), scenario
