"""The red flags name who was paid, and a payer as the tables of credits do."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from kycpack.render.document_parts import Table
from kycpack.render.review.flagged import flags_section
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import Sums

OUT = {"T2": -30_000, "T3": -20_000, "T4": -10_000}


def tables(**changed: Any) -> dict[str, list[list[str]]]:
    names = {"T2": "AURELIA SA", "T3": "AURELIA SA", "T4": None, "T1": None}
    rows = [
        {
            "account_id": "A",
            "txn_id": txn,
            "booked_on": pd.Timestamp("2026-01-02"),
            "amount_minor": minor,
            "currency": "GBP",
            "evidence_id": "E-07",
            "counterparty_name": names[txn],
            "description_raw": f"TEXT OF {txn}",
        }
        for txn, minor in {"T1": 61_000, **OUT}.items()
    ]
    flag = {
        "code": "pass_through",
        "severity": "edd",
        "message": "Money moved on: 1 credit in",
        "account_ids": ["A"] * 4,
        "txn_ids": ["T1", *OUT],
        "evidence_ids": ["E-07"],
    }
    section = flags_section(
        [flag | changed], pd.DataFrame(rows), ShortNames(()), {("A", "T1"): "HERON WINNINGS"}
    )
    found = [block for block in section.blocks if isinstance(block, Table)]
    return {one.columns[1].title: [[cell.text for cell in row] for row in one.rows] for one in found}


def test_the_payments_out_behind_a_flag_are_summed_by_who_was_paid() -> None:
    assert tables()["Who was paid"] == [
        ["Money moved on", "AURELIA SA", "2", "500.00 GBP"],
        ["Money moved on", "TEXT OF T4", "1", "100.00 GBP"],
    ]
    assert "Who was paid" not in tables(account_ids=["A"], txn_ids=["T1"])


def test_the_payer_of_a_credit_is_named_as_in_the_tables_of_credits() -> None:
    (payment,) = tables(account_ids=["A"], txn_ids=["T1"])["Booked on"]
    assert payment[4] == "HERON WINNINGS"


@pytest.mark.parametrize("turned", [False, True])
def test_the_same_payments_are_those_of_the_same_red_flag_in_whatever_order(*, turned: bool) -> None:
    said = {
        "Matching sums in and out: 4": frozenset("ABCD"),
        "Money moved on: 5": frozenset("ABCDE"),
        "Large unexplained credit: 1": frozenset("A"),
    }
    *wide, small = said
    order = [*(reversed(wide) if turned else wide), small]
    note, _ = Sums(flagged=said).notes_of(order)[-1]
    assert note == "; this payment is among those of “Money moved on”"
    flags = [
        {
            "code": one,
            "severity": "review" if one == small else "edd",
            "message": one,
            "account_ids": ["A"] * len(said[one]),
            "txn_ids": sorted(said[one]),
            "evidence_ids": ["E-07"],
        }
        for one in order
    ]
    columns = ("account_id", "txn_id", "booked_on", "amount_minor", "currency", "evidence_id")
    shown, *_ = flags_section(flags, pd.DataFrame({name: ["1"] for name in columns}), ShortNames(())).blocks
    assert isinstance(shown, Table)
    texts = {row[0].text: row[2].text for row in shown.rows}
    for title in ("Matching sums in and out", "Large unexplained credit"):
        assert texts[title].endswith("among those of “Money moved on”")
