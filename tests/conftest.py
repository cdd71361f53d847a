"""What every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("kycpack", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kycpack")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of data that is measured against and not shipped; a test that asks for it is skipped without it."""
    given = os.environ.get("KYCPACK_SHARED_DATA")
    folder = Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("measuring data is not on this machine")
    return folder
