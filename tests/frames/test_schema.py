"""Frames keep what the catalogue promises, and what does not fit is named by its place."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from kycpack.errors import FrameError
from kycpack.frames.schema import SCHEMAS, conform, empty

TRANSACTION: dict[str, Any] = {
    "customer_id": "c",
    "account_id": "a",
    "txn_id": "t1",
    "booked_on": "2026-05-25",
    "amount_minor": 245_000,
    "currency": "GBP",
    "description_raw": "ACME LTD SALARY",
}


def transactions(**changes: Any) -> pd.DataFrame:
    return pd.DataFrame([TRANSACTION, {**TRANSACTION, "txn_id": "t2", **changes}])


def test_the_catalogue_has_every_frame_of_the_design() -> None:
    assert list(SCHEMAS) == [
        "customers", "sessions", "results", "checks", "screening", "documents", "media", "accounts", "balances",
        "transactions", "payments", "attempts", "statements", "sources", "gaps",
    ]  # fmt: skip
    assert all("evidence_id" in schema.names for schema in SCHEMAS.values())


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_an_empty_frame_already_has_the_promised_form(name: str) -> None:
    made = empty(name)
    assert tuple(made.columns) == SCHEMAS[name].names
    assert made.dtypes.astype(str).equals(conform(name, made).dtypes.astype(str))


def test_the_normal_form_of_transactions() -> None:
    made = conform("transactions", transactions())
    assert made.dtypes.astype(str).to_dict() == {
        "customer_id": "category",
        "account_id": "category",
        "txn_id": "string",
        "booked_on": "datetime64[s]",
        "value_on": "datetime64[s]",
        "status": "category",
        "amount_minor": "int64",
        "currency": "category",
        "balance_after_minor": "Int64",
        "description_raw": "string",
        "counterparty_name": "string",
        "merchant_name": "string",
        "counterparty_account": "string",
        "bank_code": "category",
        "purpose": "category",
        "mcc": "string",
        "proprietary_code": "string",
        "evidence_id": "string",
    }
    assert made["status"].tolist() == ["booked", "booked"]
    assert made["amount_minor"].tolist() == [245_000, 245_000]
    assert made["counterparty_name"].isna().all()


@pytest.mark.parametrize(
    "dates", [["1969-02-03", "0001-01-01"], [dt.date(1969, 2, 3), dt.date(9999, 12, 31)]]
)
def test_dates_before_1970_and_at_the_ends_of_the_calendar_are_kept(dates: list[Any]) -> None:
    frame = transactions()
    frame["booked_on"] = pd.Series(dates, dtype=object)
    assert [str(day.date()) for day in conform("transactions", frame)["booked_on"]] == [
        str(d)[:10] for d in dates
    ]


def test_whole_numbers_that_a_hole_turned_into_floats_are_read() -> None:
    frame = transactions()
    frame["balance_after_minor"] = [100.0, None]
    assert conform("transactions", frame)["balance_after_minor"].tolist() == [100, pd.NA]


@pytest.mark.parametrize(
    ("column", "value", "complaint"),
    [
        ("amount_minor", 1.5, "not a whole number"),
        ("amount_minor", None, "empty"),
        ("amount_minor", 2**70, "64 bits"),
        ("amount_minor", "12.50", "not a whole number"),
        ("amount_minor", True, "not a whole number"),
        ("booked_on", "31/12/2026", "not a date"),
        ("booked_on", "2026-02-30", "not a date"),
        ("currency", None, "empty"),
        ("description_raw", 1.5, "not text"),
    ],
)
def test_what_does_not_fit_is_named_by_frame_column_and_row(column: str, value: Any, complaint: str) -> None:
    frame = transactions().astype({column: object})
    frame.loc[1, column] = value
    with pytest.raises(FrameError, match=complaint) as raised:
        conform("transactions", frame)
    assert raised.value.place == f"transactions, column {column}, row 1"
    assert str(value) not in str(raised.value).replace("row 1", "") or value is None


def test_a_missing_column_is_named() -> None:
    with pytest.raises(FrameError) as raised:
        conform("transactions", transactions().drop(columns="currency"))
    assert raised.value.place == "transactions, column currency"


def test_an_id_that_comes_twice_in_an_account_is_named_and_in_two_accounts_it_is_fine() -> None:
    with pytest.raises(FrameError, match="row 1"):
        conform("transactions", transactions(txn_id="t1"))
    assert len(conform("transactions", transactions(txn_id="t1", account_id="b"))) == 2
    assert len(conform("transactions", transactions(txn_id="t1"), unique=False)) == 2


def test_columns_nobody_promised_are_kept() -> None:
    assert conform("transactions", transactions(note="kept"))["note"].iloc[1] == "kept"


def test_exact_decimals_stay_exact_and_floats_are_refused() -> None:
    row = {"customer_id": "c", "payment_id": "p", "evidence_id": "E-01", "amount": Decimal("10.10")}
    assert conform("payments", pd.DataFrame([row]))["amount"].iloc[0] == Decimal("10.10")
    with pytest.raises(FrameError, match="exact decimal"):
        conform("payments", pd.DataFrame([{**row, "amount": 10.1}]))


def test_dates_have_no_zone_and_instants_have_one() -> None:
    with pytest.raises(FrameError, match="the bank's own"):
        conform("transactions", transactions().assign(booked_on=pd.Timestamp("2026-05-25", tz="UTC")))
    row = {
        "customer_id": "c",
        "account_id": "a",
        "evidence_id": "E-01",
        "token_expires_at": pd.Timestamp("2026-05-01"),
    }
    with pytest.raises(FrameError, match="zone"):
        conform("accounts", pd.DataFrame([row]))


def test_a_frame_that_does_not_exist_is_told() -> None:
    with pytest.raises(FrameError, match="the frames are customers"):
        empty("transaction")


def test_a_column_that_is_there_twice_is_named() -> None:
    frame = pd.concat([transactions(), transactions()[["currency"]]], axis=1)
    with pytest.raises(FrameError, match="is repeated") as raised:
        conform("transactions", frame)
    assert raised.value.place == "transactions, column currency"


def test_what_is_written_to_a_conformed_frame_stays_in_it() -> None:
    given = conform("transactions", transactions())
    made = conform("transactions", given)
    for column, value in {
        "currency": pd.NA,
        "amount_minor": 1,
        "balance_after_minor": 1,
        "txn_id": "new",
    }.items():
        made.loc[0, column] = value
    pd.testing.assert_frame_equal(given, conform("transactions", transactions()))
    emptied = empty("transactions")
    emptied.loc[0, "txn_id"] = "t1"
    assert len(empty("transactions")) == 0


def test_many_distinct_words_and_holes_become_categories_in_order() -> None:
    codes = [f"W{number:03d}" for number in range(140)]
    frame = pd.concat([transactions(txn_id=code).iloc[[1]] for code in codes], ignore_index=True)
    frame["bank_code"] = [*reversed(codes[1:]), None]
    made = conform("transactions", frame)["bank_code"]
    assert made.cat.categories.tolist() == codes[1:]
    assert made.cat.codes.dtype == "int16"
    assert made.tolist()[:2] == codes[:-3:-1]
    assert made.isna().sum() == 1
