"""The setting that names the shape of bank data, as the commands that collect follow it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.evidence import load_evidence

if TYPE_CHECKING:
    from tests.cli.conftest import Town


def test_pages_are_kept_under_the_adapter_of_the_setting(town: Town, tmp_path: Path) -> None:
    answer = town.run(
        "collect", *town.customers, "--out", str(tmp_path), "--json", KYCPACK_BANK_ADAPTER="berlin-group"
    )
    pages = [
        entry
        for item in json.loads(answer.stdout)["items"]
        for entry in load_evidence(item["folder"]).select("bank_accounts.transactions")
        if entry.outcome == "answered"
    ]
    assert pages
    assert {entry.adapter for entry in pages} == {"berlin-group"}


def test_an_adapter_nobody_knows_is_one_line(town: Town, tmp_path: Path) -> None:
    answer = town.run("collect", town.customers[0], "--out", str(tmp_path), KYCPACK_BANK_ADAPTER="berlin")
    assert answer.exit_code != 0
    assert "no adapter 'berlin'" in answer.stderr
    assert "Traceback" not in answer.output
    assert not list(tmp_path.iterdir())
