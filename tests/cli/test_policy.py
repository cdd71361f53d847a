from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from kycpack.assets import asset_text
from kycpack.cli import app


def test_the_policy_that_comes_with_kycpack_passes_its_own_tests() -> None:
    answer = CliRunner().invoke(app, ["policy", "check", "--json"])
    assert answer.exit_code == 0
    document = json.loads(answer.stdout)
    assert document["failures"] == []
    assert document["tests"] > 10


def test_a_file_that_is_no_policy_is_wrong_input(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(asset_text("policies/default-uk.yaml") + "\nsurprise: 1\n")
    answer = CliRunner().invoke(app, ["policy", "check", str(file)])
    assert answer.exit_code == 2
    assert "policy.yaml" in answer.stderr
