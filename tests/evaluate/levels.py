"""Recommended levels beside those that invented customers were made for, from the wire to the recommendation."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.evaluate.patterns import share_with_interval

import kycpack as kp
from kycpack.cli.wire_target import WireTarget
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load
from kycpack.synthetic import Population, generate
from kycpack.triage.levels import LEVELS, rank
from kycpack.workspace import Register, Workspace

SEEDS = (71, 2_718, 31_415, 602_214, 9_109_383)
CUSTOMERS = 200
HISTORY_DAYS = 365

Outcome = tuple[str, str, str]


def recommended(population: Population, now: datetime) -> Iterator[Outcome]:
    """Yield scenario, meant level and recommended level of each customer of a population, through a service of its own.

    Args:
        population: From `generate`.
        now: The moment of the review.
    """
    policy = kp.load_policy()
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedService(f"sqlite:///{Path(folder) / 'service.db'}") as service,
        Workspace.open(Path(folder) / "workspace.db") as workspace,
        kp.Client(service.base_url, key_id=service.key_id, secret=service.secret) as client,
    ):
        register = Register(workspace)
        with WireTarget(
            service.base_url,
            service.control_url,
            key_id=service.key_id,
            secret=service.secret,
            recorder=register,
        ) as target:
            ids = load(population, target)
        for plan in population.customers:
            known = ids[plan.key]
            evidence = kp.collect(
                client,
                known.customer_id,
                sessions=known.session_ids,
                payments=known.payment_ids,
                known=register.known(known.customer_id),
                media=False,
            )
            frames = kp.flatten(evidence)
            wealth = kp.derive(
                frames.transactions,
                customers=frames.customers,
                accounts=frames.accounts,
                balances=frames.balances,
                thresholds=policy.thresholds,
                as_of=now,
            )
            made = kp.evaluate(frames, policy, wealth=wealth, as_of=now).recommendations
            yield plan.scenario, plan.meant_level, str(made["level"].iloc[0])


def level_figures(seeds: tuple[int, ...] = SEEDS, customers: int = CUSTOMERS) -> Iterator[tuple[str, str]]:
    """Yield the confusion table of meant and recommended levels, and every scenario that ends elsewhere."""
    now = datetime.now(UTC).replace(microsecond=0)
    every: list[Outcome] = []
    for seed in seeds:
        population = generate(customers, seed=seed, as_of=now.date(), history_days=HISTORY_DAYS)
        every += recommended(population, now)
    table = Counter((meant, level) for _, meant, level in every)
    yield "customers", f"{len(every)} over {len(seeds)} seeds"
    for meant in LEVELS:
        cells = ", ".join(f"{level} {table[meant, level]}" for level in LEVELS if table[meant, level])
        yield f"meant {meant}: recommended", cells or "none"
    softer = sum(rank(level) < rank(meant) for _, meant, level in every)
    harder = sum(rank(level) > rank(meant) for _, meant, level in every)
    approve = [level for _, meant, level in every if meant == "approve"]
    yield "softer than meant", share_with_interval(softer, len(every))
    yield "harder than meant", share_with_interval(harder, len(every))
    yield "meant approve and approved", share_with_interval(approve.count("approve"), len(approve))
    off = Counter(one for one in every if one[1] != one[2])
    for (scenario, meant, level), count in sorted(off.items()):
        yield f"elsewhere: {scenario}", f"{count} meant {meant}, recommended {level}"
