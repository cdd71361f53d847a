"""The first twelve customers, from the wire to a recommendation: each ends at the level it was made for."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import kycpack as kp
from kycpack.cli.wire_target import WireTarget
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load
from kycpack.synthetic import generate
from kycpack.workspace import Register, Workspace


def test_the_first_twelve_end_at_the_level_they_were_made_for(tmp_path: Path) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    population = generate(12, seed=6, as_of=now.date(), history_days=220)
    policy = kp.load_policy()
    found = {}
    with (
        EmbeddedService(f"sqlite:///{tmp_path}/service.db") as service,
        Workspace.open(tmp_path / "workspace.db") as workspace,
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
                as_of=now,
            )
            recommended = kp.evaluate(frames, policy, wealth=wealth, as_of=now).recommendations
            found[plan.scenario] = recommended["level"].tolist()
    assert found == {plan.scenario: [plan.meant_level] for plan in population.customers}
