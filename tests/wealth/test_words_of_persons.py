"""What a person writes beside a payment is that person's word: it never makes work of money that is not paid as work is."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def judged(ledger: Ledger, text: str, payer: str, amount: int, count: int) -> tuple[str, str]:
    """Return the type and the confidence in it of weekly payments."""
    days = pd.date_range(end="2025-06-27", periods=count, freq="7D")
    extra = {"counterparty_name": payer} if payer else {}
    wealth = derive(ledger(*((str(day.date()), amount, text, extra) for day in days)), as_of="2025-12-31")
    (type_,) = set(wealth.credits["type"].astype("string").fillna("other"))
    (sure,) = set(wealth.streams["type_confidence"]) or {"single"}
    return str(type_), str(sure)


@pytest.mark.parametrize(
    "text", ["ZELLE FROM CLARA VANTERPOOL TUITION HELP", "CLARA VANTERPOOL CLEANING", "TUTORING"]
)
@pytest.mark.parametrize("count", [3, 6, 13])
def test_large_round_sums_week_after_week_are_no_work_by_a_persons_word(
    ledger: Ledger, text: str, count: int
) -> None:
    assert judged(ledger, text, "CLARA VANTERPOOL", 110_000, count)[0] in {"person_transfer", "other"}


@pytest.mark.parametrize("text", ["PIANO LESSONS", "CLEANING THANKS"])
def test_work_for_persons_is_known_by_their_word_with_low_confidence(ledger: Ledger, text: str) -> None:
    assert judged(ledger, text, "MRS C VANTERPOOL", 4_250, 10) == ("self_employment", "low")
    assert judged(ledger, text, "MRS C VANTERPOOL", 120_000, 1)[0] == "self_employment"


def test_the_invoice_of_a_firm_keeps_its_confidence(ledger: Ledger) -> None:
    assert judged(ledger, "INVOICE WEB DESIGN", "VANTERPOOL MEDIA LTD", 41_233, 10)[1] == "medium"


@pytest.mark.parametrize("count", [1, 3, 12])
@pytest.mark.parametrize(
    "text",
    [
        "NOT SALARY",
        "ACME LTD NOT WAGES",
        "THIS IS NOT RENT",
        "NOT FOR RENT",
        "NOT A GIFT",
        "NO LONGER SALARY",
        "KEIN GEHALT",
        "IST NICHT MIETE",
        "PAS DE LOYER",
    ],
)
def test_a_word_that_the_text_denies_gives_no_nature(ledger: Ledger, text: str, count: int) -> None:
    assert judged(ledger, text, "", 24_315, count)[0] in {"person_transfer", "other"}


def test_only_the_word_that_is_denied_is_left_out(ledger: Ledger) -> None:
    assert judged(ledger, "ACME TOOLS LTD NOT RENT SALARY", "", 61_250, 12)[0] == "employment"
    assert judged(ledger, "REF NO RENT JUNE", "", 61_250, 12)[0] == "rental_income"
