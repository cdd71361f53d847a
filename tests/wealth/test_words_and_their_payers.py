"""Words that mean something else beside their payer, and words that come too often within days to be more than one story."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]
MONTHS = [f"2025-{month:02d}-05" for month in range(3, 9)]
DAYS = [f"2025-06-{day:02d}" for day in (2, 2, 3, 3, 3, 4, 4, 4)]


@pytest.mark.parametrize(
    ("payer", "text", "expected"),
    [
        ("CROUS DE LYON", "VIR BOURSE OCT", "state_benefit"),
        ("CROUS DE LYON", "VIREMENT 0021", "state_benefit"),
        ("SUSI", "STUDENT GRANT", "state_benefit"),
        ("SAAS", "STUDENT GRANT", "state_benefit"),
        ("STUDENT LOANS COMPANY", "INSTALMENT 2", "loan"),
        ("NS&I", "NS&I PRIZE WARRANT 0047", "investment_income"),
        ("NS&I", "NS&I REPAYMENT", "savings"),
    ],
)
def test_a_payer_of_several_things_pays_what_the_words_say(
    ledger: Ledger, payer: str, text: str, expected: str
) -> None:
    rows = [(day, 31_275, text, {"counterparty_name": payer}) for day in MONTHS]
    wealth = derive(ledger(*rows), as_of="2025-12-31")
    assert set(wealth.credits["type"]) == {expected}
    assert not any("against it" in reason for reason in wealth.credits["reason"])


@pytest.mark.parametrize("text", ["HOLIDAY RENT MONEY BACK", "MONEY BACK FOR THE SALARY ADVANCE"])
def test_money_back_is_no_income_whatever_it_was_for(ledger: Ledger, text: str) -> None:
    wealth = derive(
        ledger(("2025-06-02", 45_000, text, {"counterparty_name": "P PROWSE"})), as_of="2025-12-31"
    )
    assert set(wealth.credits["type"].fillna("other")) <= {"other", "person_transfer"}


@pytest.mark.parametrize(("days", "expected"), [(DAYS, set()), (MONTHS, {("rental_income", "medium")})])
def test_words_that_come_often_within_days_are_one_story(
    ledger: Ledger, days: list[str], expected: set[tuple[str, str]]
) -> None:
    rows = [(day, 78_000 + 1_731 * number, "ROOM RENT", {}) for number, day in enumerate(days)]
    streams = derive(ledger(*rows), as_of="2025-12-31").streams
    assert set(zip(streams["type"], streams["type_confidence"], strict=True)) == expected
