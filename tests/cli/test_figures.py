"""`kycpack trace` and `kycpack redact`, as a person calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kycpack.assets import asset_path
from kycpack.cli import app

AS_OF = "2026-06-30T12:00:00Z"


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A pack that `kycpack review` made, and the environment it was made in."""
    folder = tmp_path_factory.mktemp("figures")
    environment = {"KYCPACK_WORKSPACE": str(folder / "kycpack.db")}
    evidence = asset_path("samples/evidence/index.json").parent
    command = ["review", str(evidence), "--out", str(folder / "packs"), "--as-of", AS_OF, "--json"]
    done = CliRunner().invoke(app, command, env=environment)
    assert done.exit_code == 0, done.output
    return Path(json.loads(done.stdout)["path"]), environment


def test_a_figure_is_traced_to_its_rows_and_all_are_recomputed(pack: tuple[Path, dict[str, str]]) -> None:
    made, environment = pack
    traced = CliRunner().invoke(app, ["trace", str(made), "54,878.55", "--json"], env=environment)
    figures = json.loads(traced.stdout)["figures"]
    assert any(len(one["rows"]) == 17 for one in figures)
    assert all(row["evidence"] for one in figures for row in one["rows"])
    checked = CliRunner().invoke(app, ["trace", str(made), "--check", "--json"], env=environment)
    assert checked.exit_code == 0
    assert json.loads(checked.stdout)["problems"] == []
    assert CliRunner().invoke(app, ["trace", str(made), "no such figure"], env=environment).exit_code == 1


def test_a_copy_is_made_with_the_key_of_the_workspace_and_verified(
    pack: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    made, environment = pack
    copy = tmp_path / "copy"
    done = CliRunner().invoke(
        app, ["redact", str(made), "--profile", "customer", "--to", str(copy)], env=environment
    )
    assert done.exit_code == 0, done.output
    checked = CliRunner().invoke(app, ["verify", str(copy), "--full", str(made), "--json"], env=environment)
    assert checked.exit_code == 0, checked.output
    assert json.loads(checked.stdout)["ok"] is True
