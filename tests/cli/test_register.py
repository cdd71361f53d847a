from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from kycpack.cli import app
from kycpack.workspace import Register, Workspace

if TYPE_CHECKING:
    from tests.cli.conftest import Town


def _run(tmp_path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["register", *arguments, "--workspace", str(tmp_path / "kycpack.db")])


def _file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "known.csv"
    path.write_text(text)
    return str(path)


def test_what_was_imported_is_listed(tmp_path: Path) -> None:
    file = _file(tmp_path, "customer_id,session_id\nc-1,s-1\nc-[red]2,\n")
    read = _run(tmp_path, "import", file, "--json")
    assert json.loads(read.stdout) == {"lines": 2, "customers": 2, "sessions": 1, "payments": 0}
    listed = _run(tmp_path, "list")
    assert "c-1" in listed.stdout
    assert "c-[red]2" in listed.stdout
    items = json.loads(_run(tmp_path, "list", "--json").stdout)["items"]
    assert {row["customer_id"]: (row["sessions"], row["payments"]) for row in items} == {
        "c-1": (1, 0),
        "c-[red]2": (0, 0),
    }
    one = json.loads(_run(tmp_path, "list", "c-1", "--json").stdout)
    assert [(row["kind"], row["id"], row["learned_from"]) for row in one["items"]] == [
        ("session", "s-1", "import")
    ]


def test_the_customers_that_the_service_lists_are_learned(town: Town, tmp_path: Path) -> None:
    place = str(tmp_path / "kycpack.db")
    first = json.loads(town.run("register", "fetch", "--json", KYCPACK_WORKSPACE=place).stdout)
    again = json.loads(town.run("register", "fetch", "--json", KYCPACK_WORKSPACE=place).stdout)
    assert first["new"] == first["listed"] >= len(town.customers)
    assert (again["listed"], again["new"]) == (first["listed"], 0)
    items = json.loads(_run(tmp_path, "list", "--json").stdout)["items"]
    assert set(town.customers) <= {item["customer_id"] for item in items}
    assert {item["learned_from"] for item in items} == {"list"}


def test_a_wrong_line_is_wrong_input(tmp_path: Path) -> None:
    answer = _run(tmp_path, "import", _file(tmp_path, "customer_id\n\nc 1\n"))
    assert answer.exit_code == 2
    assert "line 3" in answer.stderr


def test_a_lost_create_is_settled(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        register = Register(workspace)
        intent = register.intend("onboarding.create", {"customerId": "c-1"})
        register.failed(intent, "OutcomeUnknownError", unknown=True)
    listed = json.loads(_run(tmp_path, "list", "--intents", "--json").stdout)
    assert [(row["intent_id"], row["state"]) for row in listed["items"]] == [(intent, "unknown")]
    assert _run(tmp_path, "resolve", intent).exit_code == 2
    assert _run(tmp_path, "resolve", intent, "--made", "s-1").exit_code == 0
    assert json.loads(_run(tmp_path, "list", "--intents", "--json").stdout) == {"items": []}
    assert "s-1" in _run(tmp_path, "list", "c-1").stdout


@pytest.mark.parametrize(
    "line",
    [
        "register list",
        "register list c-1",
        "register list --intents",
        "register resolve i-1 --nothing",
        "inbox list",
        "inbox list --json",
        "runs list",
        "keys list",
        "case list",
        "ledger verify",
    ],
)
def test_a_command_that_only_reads_makes_no_workspace(tmp_path: Path, line: str) -> None:
    nowhere = tmp_path / "kycpack.db"
    answer = CliRunner().invoke(app, line.split(), env={"KYCPACK_WORKSPACE": str(nowhere)})
    assert answer.exit_code == 2
    assert f"there is no workspace at {nowhere}" in answer.stderr
    assert answer.stdout == ""
    assert not nowhere.exists()
