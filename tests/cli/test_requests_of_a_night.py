"""What a nightly run asks the service about customers of whom nothing changed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import httpx
import pytest
from tests.cli.conftest import Town

from kycpack.api import Client
from kycpack.evidence import load_evidence

RECORD = "/v1/customers/{id}"
WITHOUT_BANK_DATA = 1  # the second of the town's customers


def _requests(town: Town) -> list[dict[str, object]]:
    answer = httpx.get(f"{town.service.control_url}/requests?limit=1000", trust_env=False)
    items: list[dict[str, object]] = answer.raise_for_status().json()["items"]
    return [item for item in items if not str(item["route"]).startswith("/_control")]


def _ids(town: Town) -> set[object]:
    return {item["request_id"] for item in _requests(town)}


def _night(town: Town, tmp_path: Path, **environment: str) -> tuple[int, list[str]]:
    """Review all customers; return the exit code, and the routes that were requested."""
    before = _ids(town)
    arguments = ("--all", "--out", str(tmp_path / "out"), "--as-of", "2026-06-01T12:00:00Z", "--json")
    code = town.run("batch", *arguments, **environment).exit_code
    return code, [str(item["route"]) for item in _requests(town) if item["request_id"] not in before]


def test_an_unchanged_customer_without_bank_access_costs_three_requests(
    own_town: Town, tmp_path: Path
) -> None:
    first, asked_first = _night(own_town, tmp_path)
    second, asked = _night(own_town, tmp_path)
    assert (first, second) == (0, 0)
    customers, sessions = len(own_town.customers), 3
    expected = {
        "/v1/customers": 1,  # the list, once for the whole run
        "/v1/onboard/sessions/{sessionId}": sessions,
        "/v1/onboard/sessions/{sessionId}/results": sessions,
        "/v1/customers/{customerId}/bank-accounts": customers,
        # of the two customers with bank access: JSON and PDF
        "/v1/customers/{customerId}/source-of-wealth": 4,
    }
    counts = Counter(asked)
    assert {route: counts[route] for route in expected} == expected
    assert RECORD not in asked
    assert asked_first.count(RECORD) == customers
    assert own_town.run("verify", str(tmp_path / "out")).exit_code == 0


def test_a_customer_who_was_changed_in_between_is_fetched_again(own_town: Town, tmp_path: Path) -> None:
    _night(own_town, tmp_path)
    changed = own_town.customers[WITHOUT_BANK_DATA]
    service = own_town.service
    with Client(service.base_url, key_id=service.key_id, secret=service.secret) as client:
        client.customers.update(changed, first_name="Renamed")
    _, asked = _night(own_town, tmp_path)
    assert asked.count(RECORD) == 1


def test_a_record_that_is_too_old_is_fetched_again_and_then_reused_from_the_newest_evidence(
    own_town: Town, tmp_path: Path
) -> None:
    _night(own_town, tmp_path)
    code, asked = _night(own_town, tmp_path, KYCPACK_REUSE_DAYS="0")
    assert (code, asked.count(RECORD)) == (0, len(own_town.customers))
    renewed = _records(tmp_path)
    _, asked = _night(own_town, tmp_path)
    assert RECORD not in asked
    assert _records(tmp_path) == renewed


def _records(tmp_path: Path) -> set[str | None]:
    """Return when each customer's record was requested, by the evidence that unchanged packs were checked with."""
    kept = (tmp_path / "out" / ".kycpack" / "evidence").iterdir()
    return {load_evidence(folder).entry("E-01").requested_at for folder in kept if folder.is_dir()}


@pytest.mark.parametrize("days", ["-1", "1.5", "soon", "99999"])
def test_a_limit_that_is_no_number_of_days_is_refused_before_the_run(
    town: Town, tmp_path: Path, days: str
) -> None:
    before = _ids(town)
    result = town.run("batch", "--all", "--out", str(tmp_path / "out"), KYCPACK_REUSE_DAYS=days)
    assert result.exit_code == 2
    assert "KYCPACK_REUSE_DAYS" in result.output
    assert not (tmp_path / "out" / "run.json").exists()
    assert _ids(town) <= before  # the log keeps the last requests only


@pytest.mark.parametrize("command", ["watch", "doctor"])
def test_it_is_also_refused_by_what_runs_later(town: Town, tmp_path: Path, command: str) -> None:
    options = ("--out", str(tmp_path / "out"), *(["--once"] if command == "watch" else []))
    before = _ids(town)
    result = town.run(command, *options, KYCPACK_REUSE_DAYS="soon")
    assert result.exit_code == 2
    assert "KYCPACK_REUSE_DAYS" in result.output
    assert _ids(town) <= before  # the log keeps the last requests only


def test_it_stops_no_command_that_reuses_nothing(town: Town, tmp_path: Path) -> None:
    arguments = (town.customers[0], "--out", str(tmp_path / "evidence"))
    result = town.run("collect", *arguments, KYCPACK_REUSE_DAYS="soon")
    assert result.exit_code == 0, result.output
    assert town.run("register", "fetch", KYCPACK_REUSE_DAYS="soon").exit_code == 0
