"""`kycpack internal-report` when the settings name nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kycpack.cli import app


@pytest.mark.parametrize(
    "line",
    [
        ["setup", "STORE", "--public-key", "00" * 32],
        ["add", "STORE", "c-1"],
        ["read", "STORE", "--key", "mlro.pem"],
    ],
)
@pytest.mark.parametrize("name", ["", " "])
def test_without_an_analyst_the_setting_to_give_is_named(tmp_path: Path, line: list[str], name: str) -> None:
    store = tmp_path / "reports.jsonl"
    words = ["internal-report", *(str(store) if word == "STORE" else word for word in line)]
    answer = CliRunner().invoke(app, words, input="a suspicion", env={"KYCPACK_ANALYST": name})
    assert answer.exit_code == 2
    assert "set KYCPACK_ANALYST" in answer.stderr
    assert not store.exists()
