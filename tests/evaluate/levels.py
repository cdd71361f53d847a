"""Recommended levels beside those that invented customers were made for, from the wire to the recommendation."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
from tests.evaluate.patterns import share_with_interval

import kycpack as kp
from kycpack.cli.service.wire_target import WireTarget
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load
from kycpack.synthetic import Population, generate
from kycpack.synthetic.truth_frames import CustomerIds
from kycpack.triage.levels import LEVELS, rank
from kycpack.triage.policies.policy import Policy
from kycpack.workspace import Register, Workspace

SEEDS = (71, 2_718, 31_415, 602_214, 9_109_383)
CUSTOMERS = 200
HISTORY_DAYS = 365

_AT_ONCE = 25
_NO_STATEMENT = {"type": "about:blank", "title": "Not Found", "status": 404}

Outcome = tuple[str, str, str]


class _WithoutStatements(httpx.HTTPTransport):
    """The wire, but for the service's own statements, which are answered as absent.

    The service derives source of wealth anew for each of them, up to six times a customer and nine tenths of the time.
    No rule of the policy reads them but the comparison of a name that the service copies from the record.
    """

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/source-of-wealth"):
            headers = {"content-type": "application/problem+json"}
            return httpx.Response(404, json=_NO_STATEMENT, headers=headers)
        return super().handle_request(request)


def recommended(population: Population, policy: Policy) -> Iterator[Outcome]:
    """Yield scenario, meant level and recommended level of each customer of a population, through a service of its own.

    Args:
        population: From `generate`.
        policy: What they are judged by.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedService(f"sqlite:///{Path(folder) / 'service.db'}") as service,
        Workspace.open(Path(folder) / "workspace.db") as workspace,
        httpx.Client(transport=_WithoutStatements(), trust_env=False) as http,
        kp.Client(service.base_url, key_id=service.key_id, secret=service.secret, http_client=http) as client,
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
        for first in range(0, len(population.customers), _AT_ONCE):
            plans = population.customers[first : first + _AT_ONCE]
            levels = _levels((_evidence(client, register, ids[plan.key]) for plan in plans), policy)
            for plan in plans:
                yield plan.scenario, plan.meant_level, levels[ids[plan.key].customer_id]
            done = f"{first + len(plans)} of {len(population.customers)}"
            print(f"levels: seed {population.seed}, {done} customers", file=sys.stderr, flush=True)


def _evidence(client: kp.Client, register: Register, known: CustomerIds) -> kp.Evidence:
    return kp.collect(
        client,
        known.customer_id,
        sessions=known.session_ids,
        payments=known.payment_ids,
        known=register.known(known.customer_id),
        media=False,
    )


def _levels(evidence: Iterable[kp.Evidence], policy: Policy) -> dict[str, str]:
    """Return the recommended level of each customer."""
    frames = kp.flatten(evidence)
    # Now and no earlier: results that are younger than the review are themselves a finding.
    now = datetime.now(UTC)
    wealth = kp.derive(
        frames.transactions,
        customers=frames.customers,
        accounts=frames.accounts,
        balances=frames.balances,
        thresholds=policy.thresholds,
        as_of=now,
    )
    made = kp.evaluate(frames, policy, wealth=wealth, as_of=now).recommendations
    return dict(zip(made["customer_id"].astype(str), made["level"].astype(str), strict=True))


def level_figures(seeds: tuple[int, ...] = SEEDS, customers: int = CUSTOMERS) -> Iterator[tuple[str, str]]:
    """Yield the confusion table of meant and recommended levels, and every scenario that ends elsewhere."""
    today = datetime.now(UTC).date()
    policy = kp.load_policy()
    every: list[Outcome] = []
    for seed in seeds:
        population = generate(customers, seed=seed, as_of=today, history_days=HISTORY_DAYS)
        every += recommended(population, policy)
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
