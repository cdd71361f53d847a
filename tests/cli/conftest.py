from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kycpack.cli import app
from kycpack.cli.service.wire_target import WireTarget
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load_customer
from kycpack.synthetic import generate
from kycpack.workspace import Register, Workspace

AS_OF = date(2026, 6, 1)


@dataclass(frozen=True)
class Town:
    """A service with a few customers, and the workspace that knows of them."""

    service: EmbeddedService
    workspace: Path
    customers: tuple[str, ...]
    target: WireTarget

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a command that is configured for the service."""
        return {
            "KYCPACK_BASE_URL": self.service.base_url,
            "KYCPACK_KEY_ID": self.service.key_id,
            "KYCPACK_SECRET": self.service.secret,
            "KYCPACK_WORKSPACE": str(self.workspace),
        }

    def run(self, *arguments: str, **environment: str) -> Result:
        """Run a command that is configured for the service."""
        return CliRunner().invoke(app, list(arguments), env={**self.environment, **environment})


@contextmanager
def a_town(place: Path) -> Iterator[Town]:
    """Three customers: an employee, one without bank data, one with a hostile name."""
    plans = generate(8, 1, AS_OF, history_days=200).customers
    with EmbeddedService() as service, Workspace.open(place) as workspace:
        target = WireTarget(
            service.base_url,
            service.control_url,
            key_id=service.key_id,
            secret=service.secret,
            recorder=Register(workspace),
        )
        with target:
            ids = tuple(load_customer(plans[index], target).customer_id for index in (0, 6, 7))
            yield Town(service, place, ids, target)


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """A town that tests share, so that none may add to what the service has of its customers."""
    with a_town(tmp_path_factory.mktemp("town") / "kycpack.db") as made:
        yield made


@pytest.fixture(scope="module")
def own_town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """A town for the tests of one file, which may add sessions to the service."""
    with a_town(tmp_path_factory.mktemp("own") / "kycpack.db") as made:
        yield made
