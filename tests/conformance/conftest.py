"""A service that conformance tests share, and which row of the interface each of them covers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.conformance.rows import rows_covered_by
from tests.service.running import running
from tests.service.signed import Caller

from kycpack.service.embedded import EmbeddedService


@pytest.fixture(scope="session")
def covered_rows(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    return rows_covered_by(request.session.items)


@pytest.fixture(scope="session")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[EmbeddedService, Caller]]:
    with running(tmp_path_factory.mktemp("conformance")) as pair:
        yield pair


@pytest.fixture
def embedded(running_service: tuple[EmbeddedService, Caller]) -> EmbeddedService:
    running_service[1].control("/reset")
    return running_service[0]


@pytest.fixture
def call(embedded: EmbeddedService, running_service: tuple[EmbeddedService, Caller]) -> Caller:
    return running_service[1]
