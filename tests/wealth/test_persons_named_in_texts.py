"""Names beside words: a payer's own name is no word for a payment, and a firm that a person's text names is not the payer."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]
_NO_NATURE = {"other", "person_transfer"}
_MONTHS = ("2025-04-04", "2025-05-05", "2025-06-04")


def types(ledger: Ledger, payer: str, text: str, count: int, amount: int) -> set[str]:
    rows = ((day, amount, text, {"counterparty_name": payer}) for day in _MONTHS[:count])
    wealth = derive(ledger(*rows), as_of="2025-12-31")
    return set(wealth.credits["type"].astype("string").fillna("other"))


@pytest.mark.parametrize(
    ("payer", "text"),
    [
        ("NGUYEN THI LOAN", "LOAN NGUYEN OCT"),
        ("LOAN TRAN", "LOAN TRAN"),
        ("TRAN LOAN", "TRAN LOAN HOUSE BILLS"),
        ("HOANG THI LOAN", "OCTOBER"),
        ("GIFT OKAFOR", "GIFT OKAFOR"),
        ("OKAFOR GIFT", "GIFT OKAFOR OCT"),
        ("DOLE FRANCIS", "FRANCIS DOLE"),
        ("MRS A BONUS", "BONUS A"),
        ("JANE RENT", "RENT JANE OCT"),
        ("MARIA WAGE", "M WAGE"),
    ],
)
def test_a_payers_own_name_is_no_word_for_the_payment(ledger: Ledger, payer: str, text: str) -> None:
    assert types(ledger, payer, text, 3, 48_000) <= _NO_NATURE


@pytest.mark.parametrize(
    ("payer", "text", "count", "type_"),
    [
        ("LE THI LOAN", "RENT LOAN LE", 3, "rental_income"),
        ("HOANG THI LOAN", "LOAN HOANG RENT RM 2", 3, "rental_income"),
        ("PHAM VAN DUC", "LOAN FROM DUC PHAM", 1, "loan"),
        ("J PHAM", "LOAN FROM J PHAM", 1, "loan"),
        ("ABENA MENSAH", "BIRTHDAY GIFT ABENA", 1, "gift"),
        ("STUDENT LOANS COMPANY", "SLC LOAN STUDENT", 1, "loan"),
    ],
)
def test_a_word_beside_the_name_still_counts(
    ledger: Ledger, payer: str, text: str, count: int, type_: str
) -> None:
    assert types(ledger, payer, text, count, 48_000) == {type_}


@pytest.mark.parametrize(
    ("payer", "text"),
    [
        ("R VOSS", "AIRBNB PAYOUT"),
        ("R VOSS", "VRBO PAYOUT"),
        ("SARAH KLEIN", "UBER DRIVER EARNINGS"),
        ("SARAH KLEIN", "DELIVEROO FEES"),
        ("D PRICE", "NHS SALARY"),
        ("D PRICE", "TESCO WAGES"),
        ("D PRICE", "HARWELL TOOLS LTD SALARY"),
        ("D PRICE", "DWP UNIVERSAL CREDIT"),
    ],
)
def test_a_person_does_not_pay_what_a_firm_in_the_text_would(ledger: Ledger, payer: str, text: str) -> None:
    assert types(ledger, payer, text, 3, 64_022) <= _NO_NATURE


@pytest.mark.parametrize(
    ("payer", "text", "amount", "type_"),
    [
        ("D PRICE", "CLEANING AIRBNB FLAT", 9_050, "self_employment"),
        ("D PRICE", "CLEANING AT HARWELL TOOLS LTD", 9_050, "self_employment"),
        ("AIRBNB PAYMENTS UK LTD", "AIRBNB PAYOUT D PRICE", 73_422, "rental_income"),
        ("STRIPE", "AIRBNB PAYOUT", 73_422, "rental_income"),
        ("HARWELL TOOLS LTD", "SALARY D PRICE", 173_422, "employment"),
        ("J HALE", "J HALE BUILDERS LTD WAGES", 173_422, "employment"),
        ("HALE J", "HALE BUILDERS LTD WAGES", 173_422, "employment"),
        ("ST JAMES", "ST JAMES HOSPITAL SALARY", 173_422, "employment"),
        ("ROSS S", "ROSS STORES PAYROLL", 173_422, "employment"),
    ],
)
def test_a_firm_that_pays_itself_or_is_where_the_work_is_contradicts_nothing(
    ledger: Ledger, payer: str, text: str, amount: int, type_: str
) -> None:
    assert types(ledger, payer, text, 3, amount) == {type_}
