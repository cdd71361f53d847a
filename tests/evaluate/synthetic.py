"""Measured on invented customers whose truth is known; nothing was tuned on these seeds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from tests.evaluate.baselines import BASELINES
from tests.evaluate.degradation import DEGRADATIONS, degrade
from tests.evaluate.measures import Score, measure
from tests.evaluate.population_frames import to_accounts_frame, to_transactions_frame

from kycpack.synthetic import Population, generate
from kycpack.synthetic.truth_frames import to_credit_truth, to_stream_truth
from kycpack.wealth import derive

SEEDS = (44_001_907, 8_675_311)
CUSTOMERS = 250
AS_OF = date(2026, 6, 30)
HISTORIES = (90, 180, 365, 730)


def scores(customers: int = CUSTOMERS) -> Iterator[tuple[str, str, Score]]:
    """Yield method, setting and score: by length of history, with degradations, and the baselines."""
    for days in HISTORIES:
        yield from _all_seeds("kycpack", f"{days} days", customers, days, None)
    for kind in DEGRADATIONS:
        yield from _all_seeds("kycpack", f"365 days, {kind.replace('_', ' ')}", customers, 365, kind)
    for name in BASELINES:
        for days in (90, 365):
            yield from _all_seeds(name, f"{days} days", customers, days, None)
        yield from _all_seeds(name, "365 days, shifted dates", customers, 365, "shifted_dates")


def _all_seeds(
    method: str, setting: str, customers: int, days: int, kind: str | None
) -> Iterator[tuple[str, str, Score]]:
    for seed in SEEDS:
        population = generate(customers, seed, AS_OF, profile="evaluation", history_days=days)
        if kind is not None:
            population = degrade(population, kind, seed=seed)
        yield method, f"{setting}, seed {seed}", _score(population, method)


def _score(population: Population, method: str) -> Score:
    transactions, truth = to_transactions_frame(population), to_credit_truth(population)
    if method == "kycpack":
        wealth = derive(transactions, accounts=to_accounts_frame(population), as_of=AS_OF)
        credits_, streams = wealth.credits, wealth.streams
    else:
        credits_, streams = BASELINES[method](transactions)
    return measure(credits_, streams, truth, to_stream_truth(truth))
