from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.batch.test_finished_run import AS_OF
from tests.batch.test_policy_backtest import written
from typer.testing import CliRunner

from kycpack.assets import asset_text
from kycpack.cli import app
from kycpack.triage import load_policy


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


def other_version(folder: Path) -> Path:
    file = folder / "ours.yaml"
    text = asset_text("policies/default-uk.yaml")
    version = f"version: {load_policy().version}"
    file.write_text(
        text.replace(version, f"{version}.1").replace("large_credit: 10000", "large_credit: 5000")
    )
    return file


def test_two_policies_differ_in_words(tmp_path: Path) -> None:
    before = tmp_path / "before.yaml"
    before.write_text(asset_text("policies/default-uk.yaml"))
    answer = CliRunner().invoke(app, ["policy", "diff", str(before), str(other_version(tmp_path))])
    assert answer.exit_code == 0, answer.output
    assert "Threshold large_credit: was 10000; now 5000." in answer.output
    assert "2 differences" in answer.output


def test_a_rule_is_explained_and_an_unknown_one_is_wrong_input() -> None:
    answer = CliRunner().invoke(app, ["policy", "explain", "pep-1"])
    assert answer.exit_code == 0, answer.output
    for words in ("Basis: ", "Hits when: screening.summary.pep.level1", "A hit raises to: edd"):
        assert words in answer.output
    assert CliRunner().invoke(app, ["policy", "explain", "PEP-99"]).exit_code == 2


def test_a_backtest_writes_its_memo_and_what_people_found_is_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KYCPACK_WORKSPACE", str(tmp_path / "none.db"))
    run = written(tmp_path / "run", "run-1", AS_OF)
    policies = [str(other_version(tmp_path)), str(other_version(tmp_path))]
    out = tmp_path / "memo"
    answer = CliRunner().invoke(app, ["policy", "backtest", *policies, str(run), "--out", str(out)])
    assert answer.exit_code == 0, answer.output
    assert "1 customers: 0 softer, 0 harder" in answer.output
    assert (out / "change-memo.pdf").read_bytes().startswith(b"%PDF")
    assert {file.name for file in out.iterdir()} == {
        "change-memo.html",
        "change-memo.pdf",
        "customers.csv",
        "sample.csv",
    }
    looked_at = (out / "sample.csv").read_text().replace(",\n", ",agrees\n")
    (tmp_path / "found.csv").write_text(looked_at)
    again = ["policy", "backtest", *policies, str(run), "--verdicts", str(tmp_path / "found.csv")]
    assert CliRunner().invoke(app, [*again, "--out", str(tmp_path / "memo-2")]).exit_code == 0
    assert "agrees" in (tmp_path / "memo-2" / "sample.csv").read_text()
    assert CliRunner().invoke(app, [*again, "--out", str(out)]).exit_code == 2
    told = CliRunner().invoke(app, ["policy", "explain", "PEP-1", "--run", str(run), "--json"])
    counts = json.loads(told.stdout)["runs"][0]
    assert (counts["customers"], counts["hits"], counts["clear"]) == (1, 0, 1)
