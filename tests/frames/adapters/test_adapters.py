"""Each provider's document becomes the normal form of transactions."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from tests.frames.adapters.provider_documents import (
    CARD,
    EXAMPLES,
    IDS,
    PLAID,
    TRUELAYER,
    UK_V31,
    given_as,
    rows,
)

from kycpack.assets import asset_path
from kycpack.errors import FrameError, InputError
from kycpack.frames.adapters import ADAPTERS, AdapterResult, read_statement
from kycpack.frames.schema import SCHEMAS
from kycpack.models.json import parse_json


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_every_adapter_gives_the_normal_form(name: str) -> None:
    result = read_statement(given_as(EXAMPLES[name]), name, **IDS)
    assert list(result.rows.columns) == list(SCHEMAS["transactions"].names)
    assert result.count == len(result.rows) >= 2
    assert set(result.rows["evidence_id"]) == {"E-01"}
    assert result.rows["txn_id"].is_unique


@pytest.mark.parametrize(
    ("name", "minors"),
    [
        ("service-v1", [245000, -500]),
        ("uk-open-banking-3.1", [1000, -330]),
        ("uk-open-banking-4", [245000, -100]),
        ("berlin-group", [-25667, 34301, -10003]),
        ("plaid", [-7210, 207850]),
        ("plaid-sandbox", [750000, 750000]),
        ("truelayer", [-299, 2525]),
        ("truelayer-card", [-999, 5000]),
    ],
)
def test_plus_is_into_the_account(name: str, minors: list[int]) -> None:
    assert rows(name)["amount_minor"].tolist() == minors


def test_open_banking_tells_payer_codes_and_balance() -> None:
    first, second = rows("uk-open-banking-3.1").to_dict("records")
    assert (first["counterparty_name"], first["status"]) == ("Aubrey", "booked")
    assert first["balance_after_minor"] == -23000
    assert str(first["value_on"].date()) == "2017-04-06"
    assert "12345678" not in first["counterparty_account"]
    assert first["proprietary_code"] == "Transfer"
    assert (second["status"], second["mcc"], second["merchant_name"]) == ("pending", "5812", "Cafe")
    assert second["description_raw"] == ""


def test_open_banking_4_writes_iso_codes() -> None:
    first, second = rows("uk-open-banking-4").to_dict("records")
    assert (first["bank_code"], first["purpose"]) == ("PMNT-RCDT-SALA", "SALA")
    assert second["status"] == "future"


def test_the_version_is_not_guessed() -> None:
    with pytest.raises(FrameError, match="Status is not a status of this version") as caught:
        rows("uk-open-banking-4", UK_V31)
    assert caught.value.place == "Data.Transaction[0]"


def test_berlin_group_takes_the_status_from_the_list() -> None:
    frame = rows("berlin-group")
    assert frame["status"].tolist() == ["booked", "booked", "pending"]
    assert frame["description_raw"].tolist() == ["Example 1", "Line 1 Line 2", ""]
    assert frame["balance_after_minor"].tolist()[1] == -100
    assert frame["counterparty_name"].tolist()[:2] == ["John Miles", "Paul Simpson"]
    assert str(frame["booked_on"].iloc[2].date()) == "2017-10-26"


def test_plaid_tells_pending_and_reads_numbers_exactly() -> None:
    frame = rows("plaid", '{"added": [' + PLAID.split("[", 1)[1].replace("72.10", "0.1"))
    assert frame["amount_minor"].tolist()[0] == -10
    assert frame["status"].tolist() == ["booked", "pending"]


def test_a_card_is_not_a_bank_account() -> None:
    with pytest.raises(FrameError, match="give different directions"):
        rows("truelayer", CARD)
    with pytest.raises(FrameError, match="give different directions"):
        rows("truelayer-card", TRUELAYER)


def test_nothing_gives_the_same_columns() -> None:
    result = read_statement({"items": []}, "service-v1", **IDS)
    assert list(result.rows.columns) == list(SCHEMAS["transactions"].names)
    assert list(result.rejects.columns) == ["customer_id", "account_id", "place", "reason", "evidence_id"]


def test_a_csv_statement_reads_through_the_same_door() -> None:
    data = asset_path("samples/uk_statement.csv").read_bytes()
    result = read_statement(data, "uk-csv", **IDS)
    assert result.count == 9
    assert result.rows["amount_minor"].sum() == 231045 + 10240 + 1240 - 85000 - 2 * 1240 - 2 * 320 - 10000
    assert str(result.rows["booked_on"].dtype) == "datetime64[s]"
    with pytest.raises(InputError, match="reads a file or its bytes"):
        read_statement({}, "uk-csv", **IDS)
    assert read_statement(b"Date,Description,Amount\n", "uk-csv", **IDS).count == 0


def test_published_sandbox_users(shared_data: Path) -> None:
    users = sorted((shared_data / "plaid_sandbox").rglob("*.json"))
    assert users
    for path in users:
        document = parse_json(path.read_bytes())
        for account in document["override_accounts"]:
            if "transactions" not in account:
                continue
            result: AdapterResult = read_statement(account, "plaid-sandbox", **IDS)
            assert result.count == len(result.rows) == len(account["transactions"])
            total = -sum(Decimal(record["amount"]) for record in account["transactions"])
            assert result.rows["amount_minor"].sum() == total * 100


def test_several_accounts_in_one_plaid_answer_stay_apart() -> None:
    first, second = json.loads(PLAID)["added"]
    document = parse_json(
        json.dumps({"transactions": [{**first, "account_id": "p1"}, {**second, "account_id": "p2"}]})
    )
    rows = read_statement(document, "plaid", customer_id="c1").rows
    assert rows["account_id"].tolist() == ["p1", "p2"]
    with pytest.raises(InputError, match="contains 2 accounts"):
        read_statement(document, "plaid", **IDS)
    with pytest.raises(InputError, match="does not name its account"):
        read_statement(EXAMPLES["berlin-group"], "berlin-group", customer_id="c1")


def test_an_open_banking_page_without_transactions_is_empty() -> None:
    for data in ({}, {"Transaction": []}, {"Transaction": None}):
        assert read_statement({"Data": data, "Links": {}}, "uk-open-banking-3.1", **IDS).count == 0


def test_an_instant_falls_on_the_day_of_the_zone_that_is_given() -> None:
    record = {**json.loads(TRUELAYER)["results"][0], "timestamp": "2026-06-30T23:30:00Z"}
    document = parse_json(json.dumps({"results": [record]}))

    def day(zone: str | None) -> str:
        return str(read_statement(document, "truelayer", **IDS, zone=zone).rows["booked_on"].iloc[0].date())

    assert (day("Europe/London"), day("America/New_York"), day(None)) == (
        "2026-07-01",
        "2026-06-30",
        "2026-06-30",
    )
