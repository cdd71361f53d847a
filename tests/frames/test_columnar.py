"""Reading by column gives what reading item by item gives, or steps back."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import EvidenceMaker

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.frames.columnar import read_pages
from kycpack.wealth import derive

ITEM: dict[str, Any] = {
    "id": "t1",
    "bookingDate": "2026-05-25",
    "amount": "2450.00",
    "creditDebitIndicator": "Credit",
    "currency": "GBP",
    "description": "ACME LTD SALARY",
}
ITEMS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["t1", "t2", "t3", "t4", "t5", "t6", " ", "", None, 7]),
        "bookingDate": st.sampled_from(["2026-05-25", "0001-01-01", "9999-12-31", "", None, "2026-05-25T09:00:00Z", "2026-13-01"]),
        "valueDate": st.sampled_from(["2026-05-26", None, ""]),
        "status": st.sampled_from(["booked", "pending", "", None, "odd"]),
        "amount": st.sampled_from(["0", "0.01", "12.5", "12.500", "12.345", "123456789012345", "-1", "+1", "1e3", " 1", 5, 1.5, None]),
        "creditDebitIndicator": st.sampled_from(["Credit", "Debit", "credit", "DEBIT", "x", None]),
        "currency": st.sampled_from(["GBP", "JPY", "BHD", "XXQ", None]),
        "description": st.sampled_from(["", " ", "PAY", "=1+1", "\u202ex", "نور", None]),
        "balanceAfter": st.sampled_from(["-12.5", "1000", "", None, 3, "1.2345"]),
        "merchantName": st.sampled_from(["SHOP", " ", "", None, 5, []]),
        "purposeCode": st.sampled_from(["SALA", "", None]),
        "extra": st.sampled_from([None, {"deep": [1, {"er": "x"}]}]),
    }
)  # fmt: skip


def evidence_of(pages: list[list[Any]]) -> Evidence:
    made = EvidenceMaker()
    for number, items in enumerate(pages):
        made.answer("bank_accounts.transactions", {"items": items}, account_id=f"a{number % 2}")
    return made.make()


@settings(max_examples=40)
@given(st.lists(st.lists(ITEMS, max_size=4), min_size=1, max_size=3))
def test_by_column_is_as_item_by_item(pages: list[list[Any]]) -> None:
    evidence = evidence_of(pages)
    by_column = flatten(evidence)
    with patch("kycpack.frames.bank_data.read_pages", return_value=None):
        by_item = flatten(evidence)
    pd.testing.assert_frame_equal(by_column.transactions, by_item.transactions)
    pd.testing.assert_frame_equal(by_column.gaps, by_item.gaps)


def test_pages_that_keep_the_rules_are_read_by_column() -> None:
    pages = [[{**ITEM, "id": f"{page}-{number}"} for number in range(3)] for page in range(2)]
    assert (
        read_pages([json.dumps({"items": page, "nextCursor": None}, indent=2).encode() for page in pages])
        is not None
    )
    frames = flatten(evidence_of(pages))
    assert frames.transactions["evidence_id"].tolist() == ["E-01"] * 3 + ["E-02"] * 3
    assert frames.transactions["account_id"].tolist() == ["a0"] * 3 + ["a1"] * 3


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"items": null}',
        b'{"items": [null]}',
        b'{"items": []} {"items": []}',
        b'{"items": [], "items": []}',
        b'{"items": [{"id": "a", "id": "b"}]}',
        b'{"items": [], "x": NaN}',
        b'{"items": [{"id": "\\ud800"}]}',
        b"\xff",
    ],
)
def test_pages_of_another_form_are_left_to_the_careful_reader(body: bytes) -> None:
    assert read_pages([body]) is None


@pytest.mark.parametrize("member", ["description", "id", "reference"])
def test_a_byte_that_is_not_utf_8_hides_no_other_row(member: str) -> None:
    items = [{**ITEM, "id": f"t{number}", "reference": "r"} for number in range(3)]
    body = (
        json.dumps({"items": [{**items[0], member: "KESTREL"}, *items[1:]]})
        .encode()
        .replace(b"KESTREL", b"KESTR\xc9L")
    )
    assert read_pages([body]) is None
    made = EvidenceMaker()
    made.answer("bank_accounts.transactions", body, account_id="a0")
    frames = flatten(made.make())
    assert {"t1", "t2"} <= set(frames.transactions["txn_id"])
    assert (frames.gaps["code"] == "wrong_type").any()
    assert len(derive(frames.transactions, as_of="2026-06-30").credits) >= 2


def test_an_empty_page_has_no_rows() -> None:
    frames = flatten(evidence_of([[], []]))
    assert frames.transactions.empty
    assert read_pages([]) is None
