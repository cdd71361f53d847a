"""The evidence of one customer of the demo, who has two bank accounts and two years of history."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

from kycpack.api import Client, collect
from kycpack.cli.service.wire_target import WireTarget
from kycpack.evidence import Evidence, load_evidence
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load_customer
from kycpack.synthetic import generate
from kycpack.workspace import Register, Workspace

_SEED = 1
_ACCOUNTS = 2


def collect_evidence(folder: Path, today: date) -> Evidence:
    """Load the first customer of the demo with two accounts into a service, and collect what it answers.

    Args:
        folder: Where the evidence is stored.
        today: Day on which the history ends.
    """
    plans = generate(12, _SEED, today).customers
    plan = next(one for one in plans if len(one.accounts) == _ACCOUNTS and "transactions" in one.scopes)
    with (
        tempfile.TemporaryDirectory() as scratch,
        EmbeddedService(f"sqlite:///{scratch}/service.db") as service,
        Workspace.open(Path(scratch) / "kycpack.db") as workspace,
    ):
        register = Register(workspace)
        with WireTarget(
            service.base_url,
            service.control_url,
            key_id=service.key_id,
            secret=service.secret,
            recorder=register,
        ) as target:
            customer_id = load_customer(plan, target).customer_id
        with Client(service.base_url, key_id=service.key_id, secret=service.secret) as client:
            collect(client, customer_id, known=register.known(customer_id)).save(folder)
    return load_evidence(folder)
