from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.evidence import load_evidence

if TYPE_CHECKING:
    from tests.cli.conftest import Town

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def test_evidence_of_customers_is_kept(town: Town, tmp_path: Path) -> None:
    answer = town.run("collect", *town.customers, "--out", str(tmp_path), "--json")
    assert answer.exit_code == 0, answer.stderr
    items = json.loads(answer.stdout)["items"]
    assert [item["customer_id"] for item in items] == list(town.customers)
    for item in items:
        evidence = load_evidence(item["folder"])
        assert len(evidence.select("onboarding.get")) == 1
        assert len(evidence.select("register.known")) == 1


def test_an_unknown_customer_fails_alone_and_is_kept_as_evidence(town: Town, tmp_path: Path) -> None:
    answer = town.run("collect", UNKNOWN, town.customers[1], "--out", str(tmp_path), "--json")
    assert answer.exit_code == 1
    unknown, known = json.loads(answer.stdout)["items"]
    assert "refused" in unknown["error"]
    assert load_evidence(unknown["folder"]).select("customers.get")[0].status == 404
    assert known["error"] is None


def test_what_is_fresh_enough_is_not_fetched_again(town: Town, tmp_path: Path) -> None:
    customer = town.customers[1]
    folder = tmp_path / customer

    def requests() -> set[str | None]:
        entries = load_evidence(folder).entries
        return {entry.request_id for entry in entries if entry.outcome == "answered"}

    town.run("collect", customer, "--out", str(tmp_path))
    first = requests()
    town.run("collect", customer, "--out", str(tmp_path), "--since", "1h")
    assert requests() == first
    town.run("collect", customer, "--out", str(tmp_path))
    assert len(requests() & first) < len(first) / 2


def test_a_wrong_secret_is_one_line(town: Town, tmp_path: Path) -> None:
    wrong = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    answer = town.run("collect", town.customers[0], "--out", str(tmp_path), KYCPACK_SECRET=wrong)
    assert answer.exit_code == 1
    assert "401" in answer.stderr
    assert wrong not in answer.output
    assert "Traceback" not in answer.output


def test_wrong_usage_is_told_before_anything_is_asked(town: Town, tmp_path: Path) -> None:
    for since in ("yesterday", "2999-01-01", "2026-01-01T00:00:00"):
        assert town.run("collect", "c", "--out", str(tmp_path), "--since", since).exit_code == 2
    assert town.run("collect", "c", KYCPACK_BASE_URL="", KYCPACK_KEY_ID="").exit_code == 2
    assert town.run("collect").exit_code == 2
