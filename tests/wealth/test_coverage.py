"""How much of the credits is of known nature, and by which evidence."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given, settings
from tests.wealth.test_laws import derived, frame_of, rows_of

from kycpack.wealth import derive
from kycpack.wealth.judge.coverage import natures_of, with_nature

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def monthly(text: str, amount: int, **extra: object) -> list[tuple[object, ...]]:
    return [(f"2025-{month:02d}-12", amount, text, extra) for month in range(1, 13)]


def totals(frame: pd.DataFrame) -> dict[str, int]:
    natures = derive(frame, as_of=AS_OF).nature("C1")
    return {
        f"{row.nature} {row.evidence_level}": row.total_minor
        for row in natures.itertuples()
        if row.total_minor
    }


def test_known_by_code_by_payer_and_by_words_are_told_apart(ledger: Ledger) -> None:
    frame = ledger(
        *monthly("ACME", 200_000, bank_code="PMNT-RCDT-SALA"),
        *monthly("BET365", 30_000),
        *monthly("BARROW LTD PENSION", 10_000),
    )
    assert totals(frame) == {"known code": 2_400_000, "known entity": 360_000, "known keyword": 120_000}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("P HALLIDAY RENT", False),
        ("NOVOTRADE LTD DIVIDEND", False),
        ("ORBIS CONSULT OU INVOICE", False),
        ("BARROW LTD PENSION", True),
        ("BARROW LTD SALARY", True),
    ],
)
def test_page_one_and_the_means_for_a_payment_agree_on_what_only_the_senders_words_support(
    ledger: Ledger, text: str, *, known: bool
) -> None:
    wealth = derive(ledger(*monthly(text, 95_000)), as_of=AS_OF)
    kind = "known" if known else "cash_or_named"
    (shown,) = (row for row in wealth.nature("C1").itertuples() if row.total_minor)
    assert (shown.nature, shown.total_minor) == (kind, 12 * 95_000)
    basis = wealth.sufficiency("C1", None, "50000.00", "GBP").basis
    said = "Credits whose nature is supported only by the sender's words: 11,400.00 GBP, from 1 stream or single credit."
    assert (said in basis) is not known


def test_the_frame_of_a_pack_keeps_the_natures_that_it_was_made_with(ledger: Ledger) -> None:
    wealth = derive(ledger(*monthly("P HALLIDAY RENT", 95_000)), as_of=AS_OF)
    made = with_nature(wealth.credits, wealth.streams).assign(nature="known", known_by="keyword")
    assert set(natures_of(made, wealth.streams)) == {("known", "keyword")}
    assert set(natures_of(wealth.credits, wealth.streams)) == {("cash_or_named", "none")}


def test_a_regular_payer_of_unknown_nature_is_not_explained(ledger: Ledger) -> None:
    assert totals(ledger(*monthly("ZORVIK HOLDCO SERVICES", 50_000))) == {"regular_unknown none": 600_000}
    assert (
        derive(ledger(*monthly("ZORVIK HOLDCO SERVICES", 50_000)), as_of=AS_OF).explained_share("C1", "GBP")
        == 0
    )


def test_three_large_credits_on_odd_days_are_of_unknown_nature(ledger: Ledger) -> None:
    days = ("2025-01-07", "2025-03-19", "2025-08-02")
    assert totals(ledger(*[(day, 5_000_000, "OFFSHORE HOLDCO SERVICES") for day in days])) == {
        "irregular_unknown none": 15_000_000
    }


def test_two_payments_of_a_person_a_year_apart_are_no_stream(ledger: Ledger) -> None:
    frame = ledger(("2024-06-03", 2_500_000, "J MARLOWE"), ("2025-06-03", 4_000_000, "J MARLOWE"))
    assert derive(frame, as_of=AS_OF).streams.empty
    assert totals(frame) == {"irregular_unknown none": 6_500_000}


def test_cash_and_a_single_credit_with_a_word_are_named_and_not_known(ledger: Ledger) -> None:
    frame = ledger(("2025-02-03", 90_000, "CASH DEPOSIT"), ("2025-03-03", 9_000_000, "ESTATE OF J BYRON"))
    assert totals(frame) == {"cash_or_named none": 9_090_000}


def test_a_gift_is_a_word_and_no_nature(ledger: Ledger) -> None:
    frame = ledger(
        *[(day, 800_000, "OFFSHORE HOLDCO GIFT") for day in ("2025-01-07", "2025-03-19", "2025-08-02")]
    )
    assert "known keyword" not in totals(frame)


def test_what_was_taken_back_is_in_no_part(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-07-08", 900_000, "FASTER PAYMENT VELD TRADING"),
        ("2025-07-10", -900_000, "RECALL FASTER PAYMENT VELD TRADING"),
        ("2025-03-09", 20_000, "SOMEBODY"),
    )
    assert totals(frame) == {"irregular_unknown none": 20_000}


def test_own_transfers_are_in_no_part(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", -50_000, "TRANSFER TO SAVINGS", {"account_id": "A1"}),
        ("2025-03-04", 50_000, "FROM CURRENT", {"account_id": "A2"}),
        ("2025-03-09", 20_000, "SOMEBODY"),
    )
    assert totals(frame) == {"irregular_unknown none": 20_000}


@settings(max_examples=15)
@given(rows_of())
def test_the_parts_add_up_to_all_credits_but_own_transfers_and_what_was_taken_back(
    rows: list[dict[str, object]],
) -> None:
    wealth = derived(frame_of(rows))
    for customer in wealth.credits["customer_id"].unique():
        mine = wealth.of(wealth.credits, customer)
        rest = mine[mine["disposition"] != "own_transfer"]
        expected = {str(name): int(part.sum()) for name, part in rest.groupby("currency")["most_minor"]}
        natures = wealth.nature(customer)
        found = {str(name): int(part.sum()) for name, part in natures.groupby("currency")["total_minor"]}
        assert found == expected
        assert natures["count"].sum() == len(rest)
