"""The red flags name who was paid, and a payer as the tables of credits do."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pytest

from kycpack.render.document_parts import Table
from kycpack.render.review.flagged import flags_section
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import Sums, payers_of, totals_of

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


def test_the_payments_shown_of_many_go_both_ways() -> None:
    rows = [
        {
            "account_id": "A",
            "txn_id": f"T{at}",
            "booked_on": pd.Timestamp("2026-01-02"),
            "amount_minor": minor,
        }
        for at, minor in enumerate([*range(90_000, 98_000, 1_000), *range(-18_000, -10_000, 1_000)])
    ]
    flag = {
        "severity": "edd",
        "code": "gambling",
        "message": "Gambling: 8 payments out",
        "account_ids": ["A"] * len(rows),
        "txn_ids": [row["txn_id"] for row in rows],
        "evidence_ids": [],
    }
    *_, shown = flags_section([flag], pd.DataFrame(rows).assign(currency="GBP"), ShortNames(())).blocks
    assert isinstance(shown, Table)
    assert Counter(row[2].text for row in shown.rows) == {"In": 3, "Out": 3}
    assert {row[3].text for row in shown.rows} >= {"970.00 GBP", "180.00 GBP"}


def test_the_payer_of_a_credit_is_named_as_in_the_tables_of_credits() -> None:
    (payment,) = tables(account_ids=["A"], txn_ids=["T1"])["Booked on"]
    assert payment[4] == "HERON WINNINGS"


@pytest.mark.parametrize("turned", [False, True])
def test_the_same_payments_are_those_of_the_same_red_flag_in_whatever_order(*, turned: bool) -> None:
    said = {
        name: frozenset(("A", txn) for txn in ids)
        for name, ids in (
            ("Matching sums in and out: 4", "ABCD"),
            ("Money moved on: 5", "ABCDE"),
            ("Large unexplained credit: 1", "A"),
        )
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
            "txn_ids": sorted(txn for _, txn in said[one]),
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


@pytest.mark.parametrize(
    ("paid", "parties", "words"),
    [
        ({"K Ferrant": 5}, 1, "; payer: K Ferrant"),
        (
            {"K Ferrant": 5, "(cash)": 9, "(no name)": 9},
            3,
            "; payer: K Ferrant; 1 credit has no payer's name",
        ),
        ({"K Ferrant": 5, "(no name)": 9, "": 1}, 3, "; payer: K Ferrant; 2 credits have no payer's name"),
        ({"(cash)": 9}, 1, ""),
        ({"B Low": 1, "A High": 3, "C Mid": 2}, 3, "; payers: A High, C Mid and B Low"),
        (
            {"D Least": 1, "B Low": 2, "A High": 4, "C Mid": 3},
            4,
            "; 4 names of payers, among them A High, C Mid and B Low",
        ),
        ({"Heron Ltd": 5, "HERON": 1}, 1, "; payer: Heron Ltd"),  # one party in two spellings
    ],
)
def test_a_red_flag_names_who_paid_its_credits(paid: dict[str, int], parties: int, words: str) -> None:
    credits_ = {
        ("A", payer): {"account_id": "A", "txn_id": payer, "payer": payer, "amount_minor": minor}
        for payer, minor in paid.items()
    }
    flag = {
        "code": "fan_in",
        "severity": "edd",
        "message": "Money: seen",
        "account_ids": ["A"] * (len(paid) + 1),
        "txn_ids": [*paid, "OUT"],
        "evidence_ids": ["E-07"],
        "facts": {"payers": parties},
    }
    found = payers_of([flag], credits_)
    assert [one.words for one in found.values()] == ([words] if words else [])
    columns = ("account_id", "txn_id", "booked_on", "amount_minor", "currency", "evidence_id")
    transactions = pd.DataFrame({name: ["1"] for name in columns})
    shown, *_ = flags_section([flag], transactions, ShortNames(()), {}, found).blocks
    assert isinstance(shown, Table)
    assert shown.rows[0][2].text == f"Seen{words}"


@pytest.mark.parametrize(
    ("code", "payees", "word"),
    [("gambling", 1, "counterparty"), ("gambling", 2, "payer"), ("fan_in", 1, "payer")],
)
def test_who_is_paid_and_pays_is_a_counterparty(code: str, payees: int, word: str) -> None:
    credit = {"account_id": "A", "txn_id": "1", "payer": "Luckmoor Bet", "amount_minor": 5}
    flag = {"code": code, "message": "Gambling: seen", "account_ids": ["A", "A"], "txn_ids": ["1", "2"]}
    flag["facts"] = {"payers": 1, "payees": payees, "debits_minor": 9}
    (paid,) = payers_of([flag], {("A", "1"): credit}).values()
    assert paid.words == f"; {word}: Luckmoor Bet"


def test_two_red_flags_in_the_same_words_name_both_payers_and_come_to_the_sum_of_both() -> None:
    """Two strangers who pay the same sum on the same day have one finding."""
    message = "Large unexplained credit: 12,000.00 GBP on 5 May 2025."
    credits_ = {
        ("A", payer): {"account_id": "A", "txn_id": payer, "payer": payer, "amount_minor": 1_200_000}
        for payer in ("ALPHA", "BETA")
    }
    facts = {"payers": 1, "credits_minor": 1_200_000, "debits_minor": 0}
    flags = [
        {"message": message, "account_ids": ["A"], "txn_ids": [payer], "facts": facts, "currency": "GBP"}
        for payer in ("ALPHA", "BETA")
    ]
    (paid,) = payers_of(flags, credits_).values()
    assert paid.words == "; 2 such findings; payers: ALPHA and BETA"
    columns = ("code", "message", "amount_minor", "least_minor", "currency")
    none = pd.DataFrame({name: [] for name in columns})
    assert [*totals_of(pd.DataFrame(flags), none, ShortNames(())).values()] == [
        ("Large unexplained credit", "24,000.00 GBP")
    ]
