from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Town


@pytest.fixture(scope="module")
def town(own_town: Town) -> Town:
    return own_town


def test_a_session_that_completed_without_a_delivery_becomes_work_and_a_pack(
    town: Town, tmp_path: Path
) -> None:
    customer = town.customers[1]
    session = town.target.create_session({"customerId": customer}, timedelta())
    before = json.loads(town.run("inbox", "work", "--json").stdout)
    assert session not in {each["session_id"] for each in before["completions"]}
    town.target.finish_session(session, {})
    after = json.loads(town.run("inbox", "work", "--json").stdout)
    assert (session, customer) in {(each["session_id"], each["customer_id"]) for each in after["completions"]}
    assert town.run("inbox", "work").exit_code == 0
    assert json.loads(town.run("inbox", "list", "--json").stdout) == {}

    made = town.run("batch", "--completed", "--out", str(tmp_path / "out"), "--json")
    assert made.exit_code == 0, made.stderr
    assert customer in {entry["customer_id"] for entry in json.loads(made.stdout)["entries"]}
    rest = json.loads(town.run("batch", "--completed", "--out", str(tmp_path / "out"), "--json").stdout)
    assert rest["in_scope"] == 0


def test_without_a_workspace_nobody_is_known(town: Town, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "none.db")
    answer = town.run("batch", "--all", "--out", str(tmp_path / "out"), KYCPACK_WORKSPACE=nowhere)
    assert answer.exit_code == 2
    assert "there is no workspace" in answer.stderr
    assert not (tmp_path / "none.db").exists()


def test_the_receivers_address_is_one_line_of_json(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kycpack", "inbox", "serve", "--port", "0", "--json"]
    receiving = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [*command, "--workspace", str(tmp_path / "kycpack.db")], stdout=subprocess.PIPE, text=True
    )
    try:
        assert receiving.stdout is not None
        url = json.loads(receiving.stdout.readline())["url"]
        assert httpx.post(url, content=b"{}", trust_env=False).status_code == 204
    finally:
        receiving.kill()
        rest, _ = receiving.communicate()
    assert rest == ""
