from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kycpack.cli.application import app
from kycpack.cli.exit_codes import exit_code_of
from kycpack.errors import BatchError, RateLimitError, ServerError
from kycpack.service.embedded import EmbeddedService

WRONG = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"KYCPACK_SECRET": WRONG, "KYCPACK_KEY_ID": "k", "KYCPACK_WORKSPACE": str(tmp_path / "work.db")}


def test_a_service_that_cannot_be_reached_is_exit_code_2(environment: dict[str, str]) -> None:
    answer = CliRunner().invoke(
        app, ["register", "fetch"], env={**environment, "KYCPACK_BASE_URL": "http://127.0.0.1:9"}
    )
    assert answer.exit_code == 2
    assert "the connection failed" in answer.output


def test_a_refused_key_is_exit_code_2(environment: dict[str, str], tmp_path: Path) -> None:
    with EmbeddedService(str(tmp_path / "service.db")) as service:
        answer = CliRunner().invoke(
            app, ["register", "fetch"], env={**environment, "KYCPACK_BASE_URL": service.base_url}
        )
    assert answer.exit_code == 2
    assert "check two things" in answer.output


def test_results_that_cannot_be_written_are_exit_code_2() -> None:
    # No customer need have failed, so 1 would send the operator to a list of none.
    assert exit_code_of(BatchError("the results of the run cannot be written to out")) == 2


@pytest.mark.parametrize("error", [RateLimitError("wait", status=429), ServerError("busy", status=503)])
def test_what_the_service_may_answer_later_is_exit_code_3(error: Exception) -> None:
    assert exit_code_of(error) == 3
