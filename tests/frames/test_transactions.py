"""Transactions of the service's own shape, in the normal form."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.frames.evidence_maker import EvidenceMaker

from kycpack.frames import Frames, flatten
from kycpack.frames.adapters import fields
from kycpack.frames.transactions import MisfitError

ITEM: dict[str, Any] = {
    "id": "t1",
    "bookingDate": "2026-05-25",
    "valueDate": "2026-05-26",
    "status": "booked",
    "amount": "2450.00",
    "creditDebitIndicator": "Credit",
    "currency": "GBP",
    "description": "ACME LTD SALARY",
    "counterpartyName": "ACME LTD",
    "purposeCode": "SALA",
    "bankTransactionCode": "PMNT-RCDT-SALA",
    "merchantCategoryCode": "6011",
    "balanceAfter": "-12.50",
}


def flattened(*items: Any, pages: int = 1) -> Frames:
    made = EvidenceMaker()
    for page in range(pages):
        made.answer("bank_accounts.transactions", {"items": list(items[page::pages])}, account_id="a1")
    return flatten(made.make())


def misfits(frames: Frames) -> list[str]:
    return frames.gaps.loc[frames.gaps["code"] == "transaction_misfit", "message"].tolist()


def test_one_transaction_in_the_normal_form() -> None:
    row = flattened(ITEM).transactions.iloc[0]
    assert row["amount_minor"] == 245_000
    assert row["balance_after_minor"] == -1_250
    assert (str(row["booked_on"].date()), str(row["value_on"].date())) == ("2026-05-25", "2026-05-26")
    assert (row["bank_code"], row["purpose"], row["mcc"]) == ("PMNT-RCDT-SALA", "SALA", "6011")
    assert row["evidence_id"] == "E-01"


@pytest.mark.parametrize(
    ("changes", "minor"),
    [
        ({"creditDebitIndicator": "Debit"}, -245_000),
        ({"amount": 2450}, 245_000),
        ({"amount": "0.01"}, 1),
        ({"amount": "1500", "currency": "JPY", "balanceAfter": None}, 1500),
        ({"amount": "1.234", "currency": "BHD", "balanceAfter": None}, 1234),
    ],
)
def test_plus_is_into_the_account_in_minor_units_of_the_currency(changes: dict[str, Any], minor: int) -> None:
    assert flattened({**ITEM, **changes}).transactions["amount_minor"].tolist() == [minor]


def test_what_only_must_be_there_is_enough() -> None:
    needed = {
        name: ITEM[name]
        for name in ("bookingDate", "amount", "creditDebitIndicator", "currency", "description")
    }
    row = flattened(needed).transactions.iloc[0]
    assert row["status"] == "booked"
    assert row["txn_id"].startswith("h-")


def test_the_booking_date_falls_back_to_the_value_date() -> None:
    row = flattened({**ITEM, "bookingDate": None}).transactions.iloc[0]
    assert str(row["booked_on"].date()) == "2026-05-26"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"currency": None}, "no currency"),
        ({"currency": "XXQ"}, "currency"),
        ({"creditDebitIndicator": None}, "no creditDebitIndicator"),
        ({"creditDebitIndicator": "Sideways"}, "neither Credit nor Debit"),
        ({"amount": None}, "no amount"),
        ({"amount": "-5.00"}, "sign"),
        ({"amount": "12.345"}, "decimals"),
        ({"amount": "1e3"}, "amount"),
        ({"amount": "99999999999999999999"}, "64 bits"),
        ({"amount": True}, "amount"),
        ({"bookingDate": "2026-02-30"}, "booking date"),
        ({"bookingDate": None, "valueDate": None}, "neither"),
        ({"description": None}, "no description"),
        ({"status": "maybe"}, "status"),
        ({"balanceAfter": "1.234"}, "decimals"),
    ],
)
def test_what_does_not_fit_is_left_out_and_named_by_page_and_place(
    changes: dict[str, Any], complaint: str
) -> None:
    frames = flattened(ITEM, {**ITEM, "id": "t2", **changes}, {**ITEM, "id": "t3"})
    assert frames.transactions["txn_id"].tolist() == ["t1", "t3"]
    (message,) = misfits(frames)
    assert message.startswith("transaction 1 of page E-01: ")
    assert complaint in message


def test_a_thing_that_is_no_transaction_is_named() -> None:
    assert len(misfits(flattened(ITEM, "text", None, [1]))) == 3


def test_a_number_of_twenty_digits_hides_no_transaction() -> None:
    wide = {**ITEM, "id": None, "terminal": 12_345_678_901_234_567_890_123}
    frames = flattened(wide, {**wide, "terminal": wide["terminal"] + 1}, ITEM)
    assert len(set(frames.transactions["txn_id"])) == 3
    assert frames.gaps.loc[frames.gaps["area"] == "bank", "code"].tolist() == []


def test_two_that_are_alike_are_two_unless_they_are_one_by_id() -> None:
    nameless = {**ITEM, "id": None}
    frames = flattened(ITEM, ITEM, {**ITEM, "amount": "1.00"}, nameless, nameless)
    ids = frames.transactions["txn_id"].tolist()
    assert len(ids) == len(set(ids)) == 4
    assert ids[:2] == ["t1", "t1#2"]
    codes = frames.gaps["code"].tolist()
    assert codes.count("transaction_repeated") == 1
    assert codes.count("transaction_id_reused") == 1


def test_pages_that_overlap_give_two_transactions_of_one_id_once_each() -> None:
    one, other = {**ITEM, "id": "t1"}, {**ITEM, "id": "t1", "amount": "9.00"}
    last = {**ITEM, "id": "t2"}
    frames = flattened(one, one, other, other, last, pages=2)
    assert frames.transactions["txn_id"].tolist() == ["t1", "t1#2", "t2"]
    assert frames.gaps["code"].tolist().count("transaction_repeated") == 2


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "amount": st.sampled_from(["0.00", "1.00", "12.345", -1, None, "x"]),
                "creditDebitIndicator": st.sampled_from(["Credit", "Debit", None, 1]),
                "id": st.sampled_from(["t1", "t2", None, "", 7]),
                "bookingDate": st.sampled_from(["2026-05-25", None, "no", "2026-05-25T10:00:00Z"]),
            }
        ),
        max_size=12,
    ),
    st.integers(1, 3),
)
@example([{}] * 4, 2)
def test_every_item_is_a_row_or_a_gap(changes: list[dict[str, Any]], pages: int) -> None:
    items = [{**copy.deepcopy(ITEM), **change} for change in changes]
    frames = flattened(*items, pages=pages)
    repeated = (frames.gaps["code"] == "transaction_repeated").sum()
    pages_again = frames.gaps.loc[frames.gaps["code"] == "page_repeated", "evidence_id"]
    left_out = sum(len(items[int(entry.removeprefix("E-")) - 1 :: pages]) for entry in pages_again)
    assert len(frames.transactions) + len(misfits(frames)) + repeated + left_out == len(items)
    assert frames.transactions["txn_id"].is_unique


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2025-06-26T23:00:00Z", "2025-06-27"),
        ("2025-06-26T23:30:00+00:00", "2025-06-27"),
        ("2025-01-26T23:30:00Z", "2025-01-26"),
        ("2025-06-27T00:00:00Z", "2025-06-27"),
        ("2025-06-27T23:30:00+01:00", "2025-06-27"),
        ("2025-06-27", "2025-06-27"),
    ],
)
def test_a_stamp_in_utc_becomes_the_banks_day(written: str, day: str) -> None:
    found = fields.booking_day({"BookingDateTime": written}, "BookingDateTime", zone="Europe/London")
    assert found.date().isoformat() == day


@pytest.mark.parametrize("written", ["0001-01-01T00:00:30Z", "9999-12-31T23:30:00Z"])
def test_a_stamp_beyond_the_calendar_does_not_fit(written: str) -> None:
    with pytest.raises(MisfitError, match="does not exist"):
        fields.booking_day({"at": written}, "at", zone="Europe/London" if written < "2" else "Europe/Berlin")
