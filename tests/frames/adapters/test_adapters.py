"""Examples written by hand from each provider's published reference."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.assets import asset_path
from kycpack.errors import FrameError, InputError
from kycpack.frames.adapters import ADAPTERS, AdapterResult, read_statement
from kycpack.frames.schema import SCHEMAS
from kycpack.models.json import parse_json

IDS: dict[str, Any] = {"customer_id": "c1", "account_id": "a1", "evidence_id": "E-01"}

SERVICE = {
    "items": [
        {
            "id": "t1",
            "bookingDate": "2026-05-25",
            "valueDate": "2026-05-26",
            "status": "booked",
            "amount": "2450.00",
            "creditDebitIndicator": "Credit",
            "currency": "GBP",
            "description": "ACME LTD SALARY",
            "purposeCode": "SALA",
            "bankTransactionCode": "PMNT-RCDT-SALA",
            "balanceAfter": "3000.10",
        },
        {
            "bookingDate": "2026-05-27",
            "amount": 5,
            "creditDebitIndicator": "Debit",
            "currency": "GBP",
            "description": "Shop",
        },
    ]
}

UK_V31 = {
    "Data": {
        "Transaction": [
            {
                "AccountId": "22289",
                "TransactionId": "123",
                "TransactionReference": "Ref 123",
                "Amount": {"Amount": "10.00", "Currency": "GBP"},
                "CreditDebitIndicator": "Credit",
                "Status": "Booked",
                "BookingDateTime": "2017-04-05T10:43:07+00:00",
                "ValueDateTime": "2017-04-06T10:45:22+00:00",
                "TransactionInformation": "Cash from Aubrey",
                "BankTransactionCode": {
                    "Code": "ReceivedCreditTransfer",
                    "SubCode": "DomesticCreditTransfer",
                },
                "ProprietaryBankTransactionCode": {"Code": "Transfer", "Issuer": "AlphaBank"},
                "Balance": {
                    "Amount": {"Amount": "230.00", "Currency": "GBP"},
                    "CreditDebitIndicator": "Debit",
                    "Type": "InterimBooked",
                },
                "DebtorAccount": {"Identification": "20-45-14 12345678", "Name": "Aubrey"},
            },
            {
                "Amount": {"Amount": "3.30", "Currency": "GBP"},
                "CreditDebitIndicator": "Debit",
                "Status": "Pending",
                "BookingDateTime": "2017-04-07T00:00:00+00:00",
                "MerchantDetails": {"MerchantName": "Cafe", "MerchantCategoryCode": "5812"},
            },
        ]
    }
}

UK_V4 = {
    "Data": {
        "Transaction": [
            {
                "TransactionId": "123",
                "Amount": {"Amount": "2450.00", "Currency": "GBP"},
                "CreditDebitIndicator": "Credit",
                "Status": "BOOK",
                "BookingDateTime": "2026-04-05T10:43:07+00:00",
                "TransactionInformation": "ACME",
                "BankTransactionCode": {"Code": "RCDT", "SubCode": "SALA"},
                "CategoryPurposeCode": "SALA",
            },
            {
                "TransactionId": "124",
                "Amount": {"Amount": "1.00", "Currency": "GBP"},
                "CreditDebitIndicator": "Debit",
                "Status": "FUTR",
                "BookingDateTime": "2026-05-05T00:00:00+00:00",
            },
        ]
    }
}

BERLIN = {
    "account": {"iban": "DE2310010010123456788"},
    "transactions": {
        "booked": [
            {
                "transactionId": "1234567",
                "creditorName": "John Miles",
                "creditorAccount": {"iban": "DE67100100101306118605"},
                "transactionAmount": {"currency": "EUR", "amount": "-256.67"},
                "bookingDate": "2017-10-25",
                "valueDate": "2017-10-26",
                "remittanceInformationUnstructured": "Example 1",
                "bankTransactionCode": "PMNT-ICDT-ESCT",
            },
            {
                "entryReference": "e-2",
                "debtorName": "Paul Simpson",
                "debtorAccount": {"iban": "NL76RABO0359400371"},
                "transactionAmount": {"currency": "EUR", "amount": "343.01"},
                "bookingDate": "2017-10-25",
                "remittanceInformationUnstructuredArray": ["Line 1", "Line 2"],
                "purposeCode": "PENS",
                "balanceAfterTransaction": {
                    "balanceType": "interimBooked",
                    "balanceAmount": {"currency": "EUR", "amount": "-1.00"},
                },
            },
        ],
        "pending": [
            {"transactionAmount": {"currency": "EUR", "amount": "-100.03"}, "valueDate": "2017-10-26"}
        ],
        "_links": {"account": {"href": "/v1/accounts/1"}},
    },
}

PLAID = """{"added": [
  {"transaction_id": "lPNjeW1nR6CDn5okmGQ6hEpMo4lLNoSrzqDje", "account_id": "x", "amount": 72.10,
   "iso_currency_code": "USD", "date": "2023-09-24", "authorized_date": "2023-09-22", "pending": false,
   "name": "PURCHASE WM SUPERCENTER #1700", "merchant_name": "Walmart",
   "personal_finance_category": {"primary": "GENERAL_MERCHANDISE", "detailed": "GENERAL_MERCHANDISE_SUPERSTORES"}},
  {"transaction_id": "p2", "amount": -2078.5, "iso_currency_code": "USD", "date": "2023-09-24", "pending": true,
   "name": "ACME PAYROLL", "payment_meta": {"payer": "Acme"}}]}"""

TRUELAYER = """{"results": [
  {"transaction_id": "03c333979b729315545816aaa365c33f", "timestamp": "2018-03-06T00:00:00", "description":
   "GOOGLE PLAY STORE", "amount": -2.99, "currency": "GBP", "transaction_type": "DEBIT", "transaction_category":
   "PURCHASE", "merchant_name": "Google play", "running_balance": {"amount": 1238.60, "currency": "GBP"},
   "meta": {"provider_transaction_category": "DEB"}},
  {"transaction_id": "3484333edb2078e77cf2ed58f1dec11e", "timestamp": "2018-02-18T00:00:00", "description": "PAY",
   "amount": 25.25, "currency": "GBP", "transaction_type": "CREDIT", "transaction_category": "TRANSFER"}]}"""

CARD = """{"results": [
  {"transaction_id": "1", "timestamp": "2018-03-06T00:00:00Z", "description": "SHOP", "amount": 9.99, "currency": "GBP",
   "transaction_type": "DEBIT"},
  {"transaction_id": "2", "timestamp": "2018-03-07T00:00:00Z", "description": "PAYMENT, THANK YOU", "amount": -50,
   "currency": "GBP", "transaction_type": "CREDIT"}]}"""

EXAMPLES: dict[str, Any] = {
    "service-v1": SERVICE,
    "uk-open-banking-3.1": UK_V31,
    "uk-open-banking-4": UK_V4,
    "berlin-group": BERLIN,
    "plaid": PLAID,
    "truelayer": TRUELAYER,
    "truelayer-card": CARD,
    "plaid-sandbox": {
        "transactions": [
            {"date_transacted": "2026-08-21", "date_posted": "2026-08-22", "amount": -7500, "description": "In",
             "currency": "USD"},
            {"date_transacted": "2026-08-21", "date_posted": "2026-08-22", "amount": -7500, "description": "In",
             "currency": "USD"},
        ]
    },
}  # fmt: skip


def rows(name: str, data: Any = None) -> pd.DataFrame:
    return read_statement(_given(data if data is not None else EXAMPLES[name]), name, **IDS).rows


def _given(document: Any) -> Any:
    """Text is a path; a document is given as bytes or parsed."""
    return document.encode() if isinstance(document, str) else document


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_every_adapter_gives_the_normal_form(name: str) -> None:
    result = read_statement(_given(EXAMPLES[name]), name, **IDS)
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
    with pytest.raises(FrameError, match="Status is not a word of this version") as caught:
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
    with pytest.raises(FrameError, match="disagree about the direction"):
        rows("truelayer", CARD)
    with pytest.raises(FrameError, match="disagree about the direction"):
        rows("truelayer-card", TRUELAYER)


BROKEN = [
    ("service-v1", "items", {"creditDebitIndicator": "Cr"}),
    ("service-v1", "items", {"currency": None}),
    ("uk-open-banking-3.1", "Data.Transaction", {"Amount": {"Amount": "-10.00", "Currency": "GBP"}}),
    ("uk-open-banking-3.1", "Data.Transaction", {"Amount": {"Amount": "10.00"}}),
    ("uk-open-banking-3.1", "Data.Transaction", {"CreditDebitIndicator": "Sideways"}),
    ("uk-open-banking-4", "Data.Transaction", {"BookingDateTime": "yesterday"}),
    ("berlin-group", "transactions.booked", {"transactionAmount": {"currency": "EUR", "amount": "1,00"}}),
    ("berlin-group", "transactions.booked", {"transactionAmount": {"currency": "EUR", "amount": "1.001"}}),
    ("berlin-group", "transactions.booked", {"transactionAmount": "1.00"}),
    ("plaid", "added", {"iso_currency_code": None, "unofficial_currency_code": "BTC"}),
    ("plaid", "added", {"pending": None}),
    ("truelayer", "results", {"amount": Decimal("1e30")}),
    ("truelayer", "results", {"amount": True}),
]


@pytest.mark.parametrize(("name", "where", "change"), BROKEN)
def test_a_record_that_does_not_fit_is_an_error_or_a_reject_and_counts_add_up(
    name: str, where: str, change: dict[str, Any]
) -> None:
    example = EXAMPLES[name]
    document = parse_json(example if isinstance(example, str) else json.dumps(example))
    records = document
    for part in where.split("."):
        records = records[part]
    records[1] = {**records[1], **change}
    whole = read_statement(_given(EXAMPLES[name]), name, **IDS).count
    with pytest.raises(FrameError) as caught:
        read_statement(document, name, **IDS)
    assert caught.value.place == f"{where}[1]"
    result = read_statement(document, name, **IDS, on_misfit="reject")
    assert len(result.rejects) == 1
    assert result.rejects["place"].tolist() == [f"{where}[1]"]
    assert result.count == whole


def test_a_record_given_twice_is_listed_and_one_id_on_two_records_is_two_rows() -> None:
    first, second = records = json.loads(PLAID)["added"]
    changed = {**first, "amount": 1}
    result = read_statement(json.dumps({"added": [*records, first, changed]}).encode(), "plaid", **IDS)
    assert result.rows["txn_id"].tolist() == [
        first["transaction_id"],
        second["transaction_id"],
        first["transaction_id"] + "#2",
    ]
    assert result.rejects["reason"].tolist() == ["given a second time under the same id"]
    assert result.count == 4


def test_documents_of_another_shape_are_refused() -> None:
    for name in ADAPTERS:
        for document in ({}, [1], {"Data": []}, {"items": {}}, {"transactions": 3}, {"results": None}):
            if name == "service-v1" and document == [1]:
                continue
            with pytest.raises(FrameError):
                read_statement(document, name, **IDS)
    with pytest.raises(InputError, match="no layout 'quicken'"):
        read_statement({}, "quicken", **IDS)


def test_nothing_gives_the_same_columns() -> None:
    result = read_statement({"items": []}, "service-v1", **IDS)
    assert list(result.rows.columns) == list(SCHEMAS["transactions"].names)
    assert list(result.rejects.columns) == ["customer_id", "account_id", "place", "reason", "evidence_id"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["amount", "Amount", "Currency", "currency", "id"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(sorted(ADAPTERS)), st.lists(JSON, max_size=4))
def test_whatever_comes_is_a_row_or_a_reject(name: str, records: list[Any]) -> None:
    wrap: dict[str, Any] = {
        "service-v1": {"items": records},
        "berlin-group": {"transactions": {"booked": records}},
        "plaid": {"added": records},
        "plaid-sandbox": {"transactions": records},
    }
    document = wrap.get(
        name, {"results": records} if name.startswith("true") else {"Data": {"Transaction": records}}
    )
    assert read_statement(document, name, **IDS, on_misfit="reject").count == len(records)


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
    with pytest.raises(InputError, match="holds 2 accounts"):
        read_statement(document, "plaid", **IDS)
    with pytest.raises(InputError, match="does not name its account"):
        read_statement(EXAMPLES["berlin-group"], "berlin-group", customer_id="c1")


def test_a_plaid_answer_that_changes_an_earlier_one_is_refused() -> None:
    document = {"added": [], "modified": [{"transaction_id": "t"}], "removed": []}
    with pytest.raises(FrameError, match="modified change an earlier answer"):
        read_statement(document, "plaid", **IDS)


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
