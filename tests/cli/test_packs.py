from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from kycpack.batch.lock import locked_output
from kycpack.cli import app

if TYPE_CHECKING:
    from tests.cli.conftest import Town


@pytest.fixture(scope="module")
def packs(town: Town, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("packs")
    answer = town.run("batch", town.customers[1], "--out", str(out), "--as-of", "2026-06-01")
    assert answer.exit_code == 0, answer.stderr
    assert "1 in scope = 1 produced + 0 incomplete + 0 failed + 0 skipped + 0 unchanged" in answer.stderr
    assert town.customers[1] in answer.stdout
    return out


def test_a_sound_pack_verifies_and_replays(packs: Path) -> None:
    verified = CliRunner().invoke(app, ["verify", str(packs), "--json"])
    assert verified.exit_code == 0, verified.output
    answer = json.loads(verified.stdout)
    assert answer["ok"] is True
    assert answer["items"][0]["checked"] > 20
    replayed = CliRunner().invoke(app, ["replay", str(packs), "--json"])
    assert replayed.exit_code == 0
    assert json.loads(replayed.stdout)["identical"] is True


def test_an_altered_pack_is_a_defect(packs: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(next(packs.glob("*/bagit.txt")).parent, pack)
    (pack / "data" / "note.txt").write_text("by hand")
    answer = CliRunner().invoke(app, ["verify", str(pack)])
    assert answer.exit_code == 1
    assert "DEFECT" in answer.stdout
    assert "data/note.txt should not be there" in answer.stderr


def test_many_packs_are_checked_side_by_side_and_named_in_their_order(packs: Path, tmp_path: Path) -> None:
    pack = next(packs.glob("*/bagit.txt")).parent
    for number in range(24):
        shutil.copytree(pack, tmp_path / "packs" / f"{number:02}")
    (tmp_path / "packs" / "07" / "data" / "note.txt").write_text("by hand")
    command = ["verify", "--hashes-only", str(tmp_path / "packs"), "--json"]
    together = CliRunner().invoke(app, [*command, "--workers", "2"])
    assert together.exit_code == 1
    items = json.loads(together.stdout)["items"]
    assert [Path(item["pack"]).name for item in items] == [f"{number:02}" for number in range(24)]
    assert [Path(item["pack"]).name for item in items if not item["ok"]] == ["07"]
    assert "data/note.txt should not be there" in items[7]["problems"][0]
    assert "24" in together.stderr


def test_a_trust_file_that_is_not_there_is_wrong_usage_whatever_the_pack_has(packs: Path) -> None:
    answer = CliRunner().invoke(app, ["verify", str(packs), "--trust", "no-such.pem"])
    assert answer.exit_code == 2
    assert "no-such.pem" in answer.stderr


def test_a_folder_without_packs_is_wrong_usage(tmp_path: Path) -> None:
    for command in ("verify", "replay"):
        assert CliRunner().invoke(app, [command, str(tmp_path)]).exit_code == 2
        assert CliRunner().invoke(app, [command, str(tmp_path / "none")]).exit_code == 2


def test_a_run_that_is_at_work_is_not_checked_and_is_called_no_defect(packs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(packs, out)
    (out / "run.json").unlink()
    for share in (False, True):
        with locked_output(out, share=share):
            answer = CliRunner().invoke(app, ["verify", str(out)])
        assert answer.exit_code == 2
        assert "a run is writing to this folder; check it when the run has ended" in answer.stderr
        assert "DEFECT" not in answer.stdout
    assert CliRunner().invoke(app, ["verify", str(out)]).exit_code == 1


def test_what_a_killed_process_left_unfinished_is_a_defect_in_one_sentence(
    packs: Path, tmp_path: Path
) -> None:
    pack = next(path.parent for path in sorted(packs.glob("*/bagit.txt")))
    shutil.copytree(pack, tmp_path / f".{pack.name}.123.abcdefgh.partial")
    answer = CliRunner().invoke(app, ["verify", str(tmp_path), "--json"])
    assert answer.exit_code == 1
    (item,) = json.loads(answer.stdout)["items"]
    assert item["problems"] == [
        "this is not a pack: a process that was killed left it unfinished, and the next run on this folder removes it"
    ]


def test_a_run_that_lost_its_pack_or_a_customer_is_a_defect(packs: Path, town: Town, tmp_path: Path) -> None:
    names = tmp_path / "in-scope.csv"
    names.write_text(f"customer_id\n{town.customers[1]}\n{town.customers[0]}\n")
    command = [
        "verify",
        "--hashes-only",
        str(packs),
        "--customers",
        str(names),
        "--html",
        str(tmp_path / "a.html"),
    ]
    answer = CliRunner().invoke(app, command)
    assert answer.exit_code == 1
    assert f"customer {town.customers[0]} was not in scope of the run" in answer.stderr
    assert "was not in scope of the run" in (tmp_path / "a.html").read_text()
    run = Path(shutil.copytree(packs, tmp_path / "run"))
    shutil.rmtree(run / town.customers[1])
    answer = CliRunner().invoke(app, ["verify", str(run)])
    assert answer.exit_code == 1
    assert f"the pack of customer {town.customers[1]} is missing" in answer.stderr
