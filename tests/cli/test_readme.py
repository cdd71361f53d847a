"""The Python of the README, the tutorial and the cookbook, run as it stands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kycpack.workspace import Register, Workspace

if TYPE_CHECKING:
    from tests.cli.conftest import Town


def blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def test_the_code_of_the_readme_the_tutorial_and_the_cookbook_runs(
    town: Town, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = blocks(checkout / "README.md")
    assert len(found) == 3
    recipes = blocks(checkout / "docs" / "cookbook.md")
    assert len(recipes) == 15
    run = town.run("batch", *town.customers, "--out", str(tmp_path / "reports/demo"), "--as-of", "2026-06-01")
    assert run.exit_code == 0, run.output
    shutil.copytree(tmp_path / "reports/demo", tmp_path / "reports/last-night")
    with Workspace.open(town.workspace) as workspace:
        customer = town.customers[0]
        session_id = Register(workspace).known_of([customer])[customer]["sessions"][0]["sessionId"]
    for name, value in {
        "KYCPACK_BASE_URL": town.service.base_url,
        "KYCPACK_KEY_ID": town.service.key_id,
        "KYCPACK_SECRET": town.service.secret,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("getpass.getpass", lambda _prompt: "a")
    names: dict[str, Any] = {"customer_id": customer, "session_id": session_id}
    for code in found:
        exec(compile(code, "README.md", "exec"), names)  # noqa: S102 - the README's own code
    names["client"].close()
    assert not names["triage"].findings.empty
    assert names["booked"]
    assert (tmp_path / "run.xlsx").is_file()
    (tmp_path / "run.xlsx").unlink()
    lesson: dict[str, Any] = {}
    for code in blocks(checkout / "docs" / "tutorial.md"):
        exec(compile(code, "tutorial.md", "exec"), lesson)  # noqa: S102 - the page's own code
    assert lesson["verification"].ok
    assert lesson["customer_id"] in town.customers
    recipe: dict[str, Any] = {}
    for code in recipes:
        exec(compile(code, "cookbook.md", "exec"), recipe)  # noqa: S102 - the page's own code
    run = recipe["run"]
    assert len(recipe["pep"]) > 0
    assert set(recipe["why"]["outcome"]) <= {"HIT", "UNKNOWN"}
    documents, transactions = run.frames.documents, run.frames.transactions
    booked = transactions[transactions["status"] == "booked"]
    assert len(recipe["no_date"]) == int(documents["expires_on"].isna().sum())
    assert recipe["by_payer"]["sum"].sum() == run.wealth.credits["amount_minor"].sum()
    assert recipe["moved"].empty
    assert recipe["by_month"]["amount_minor"].sum() == booked["amount_minor"].sum()
    assert dict(recipe["levels"]) == run.overview["level"].value_counts().to_dict()
    assert (recipe["salary"]["amount_minor"] > 0).all()
    assert repr(recipe["review"].plot_credits()).startswith("Credits by month and source")
    drawn = [file.read_text(encoding="utf-8") for file in sorted(tmp_path.glob("salary*.svg"))]
    assert len(drawn) == len(recipe["plot"].drawings)
    assert all(text.startswith("<svg") for text in drawn)
    assert (recipe["decided"].outcome, recipe["decided"].effect) == ("hold", "hold")
    assert list(recipe["side_by_side"].columns) == recipe["pair"]
    assert {"kind", "before", "after"} <= set(recipe["moves"].columns)
    assert (tmp_path / "run.xlsx").is_file()
