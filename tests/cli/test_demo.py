from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from kycpack.cli import app
from kycpack.evidence import load_evidence
from kycpack.frames import flatten

STATEMENT = """Date,Description,Amount In,Amount Out,Balance
1/2/2018,ACME LTD SALARY,"£1,500.00",,"£1,600.00"
2/2/2018,RENT,,£700.50,£899.50
2/2/2018,COFFEE,,£2.50,£897.00
2/2/2018,COFFEE,,£2.50,£894.50
"""


def test_the_demo_runs_twice_and_replaces_what_it_made(tmp_path: Path) -> None:
    file = tmp_path / "statement.csv"
    file.write_text(STATEMENT)
    out = tmp_path / "demo"
    for _ in range(2):
        answer = CliRunner().invoke(
            app,
            ["demo", "--customers", "1", "--statement", str(file), "--out", str(out), "--json"],
            env={"KYCPACK_ANALYST": "Somebody Real"},
        )
        assert answer.exit_code == 0, answer.stderr
        run = json.loads(answer.stdout)
        assert (run["in_scope"], run["produced"]) == (2, 2)
        packs = {entry["pack"] for entry in run["entries"]}
        assert {path.parent.name for path in out.glob("*/bagit.txt")} == packs
        cases = [json.loads((out / pack / "data/manifest.json").read_text())["case"] for pack in packs]
        assert {case["prepared_by"] for case in cases} == {"Demo Analyst"}
    desk = out / ".kycpack" / "desk"
    people = CliRunner().invoke(
        app, ["keys", "list", "--json"], env={"KYCPACK_WORKSPACE": str(desk / "kycpack.db")}
    )
    assert "Demo Analyst" in people.stdout
    assert {path.stat().st_mode & 0o077 for path in (desk, *desk.glob("*.pem"), desk / "kycpack.db")} == {0}
    evidence = load_evidence(out / run["entries"][1]["pack"] / "data" / "evidence")
    rows = flatten(evidence).transactions
    assert len(rows) == 4
    assert rows["amount_minor"].sum() == 150000 - 70050 - 500


def test_a_broken_line_is_named_before_anything_starts(tmp_path: Path) -> None:
    file = tmp_path / "statement.csv"
    file.write_text(STATEMENT.replace("2/2/2018,RENT", "31/2/2018,RENT"))
    answer = CliRunner().invoke(app, ["demo", "--statement", str(file), "--out", str(tmp_path / "demo")])
    assert answer.exit_code == 2
    assert "statement.csv:3" in answer.stderr
    assert not (tmp_path / "demo").exists()


def test_what_others_put_there_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "demo" / "case-1"
    other.mkdir(parents=True)
    (other / "bagit.txt").write_text("somebody's")
    for _ in range(2):
        CliRunner().invoke(app, ["demo", "--customers", "0", "--out", str(tmp_path / "demo")])
    assert (other / "bagit.txt").read_text() == "somebody's"
