"""What a nightly run asks the service about customers of whom nothing changed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import httpx
from tests.cli.conftest import Town

from kycpack.api import Client

RECORD = "/v1/customers/{id}"
WITHOUT_BANK_DATA = 1  # the second of the town's customers


def _requests(town: Town) -> list[dict[str, object]]:
    answer = httpx.get(f"{town.service.control_url}/requests?limit=1000", trust_env=False)
    items: list[dict[str, object]] = answer.raise_for_status().json()["items"]
    return items


def _night(town: Town, tmp_path: Path) -> tuple[int, list[str]]:
    """Review all customers; return the exit code, and the routes that were requested."""
    before = {item["request_id"] for item in _requests(town)}
    arguments = ("--all", "--out", str(tmp_path / "out"), "--as-of", "2026-06-01T12:00:00Z", "--json")
    code = town.run("batch", *arguments).exit_code
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
