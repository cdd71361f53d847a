"""What a payer's name alone shows: it establishes a nature only where calendar and amounts are those of such payments."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def type_of(
    ledger: Ledger, text: str, payer: str, *amounts: int, country: str = "GB", **extra: object
) -> str:
    """Derive payments by the month, the latest first, and return the type of all credits."""
    end = pd.Timestamp("2025-06-24")
    rows = [
        (str((end - pd.DateOffset(months=at)).date()), amount, text, {"counterparty_name": payer, **extra})
        for at, amount in enumerate(amounts)
    ]
    wealth = derive(ledger(*rows), as_of="2025-06-30", country=country)
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


UNEVEN = (312_417, 311_882, 312_417, 318_090, 312_417, 312_417)


def test_similar_uneven_sums_by_the_month_from_an_exchange_are_no_sale_of_coins(ledger: Ledger) -> None:
    assert type_of(ledger, "KRAKEN 7731", "PAYWARD LTD", *UNEVEN) == "other"
    assert type_of(ledger, "KRAKEN 7731", "PAYWARD LTD", 312_417) == "crypto"
    assert type_of(ledger, "KRAKEN 7731", "PAYWARD LTD", *[30_000] * 6) == "crypto"


@pytest.mark.parametrize("payer", ["US TREASURY", "MINISTRY OF DEFENCE"])
def test_a_public_body_whose_words_are_not_understood_does_not_pay_wages(ledger: Ledger, payer: str) -> None:
    assert type_of(ledger, f"{payer} QUOVIT TRAMBEL 310", payer, *UNEVEN) == "other"
    assert type_of(ledger, payer, payer, *UNEVEN) == "employment"


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("WHG TALWEG 3 ABZGL BK", "Hausverwaltung Kornfeld", "rental_income"),
        ("OPENRENT 7731", "OPENRENT LTD", "rental_income"),
        ("TEACHERS PENSIONS 7731", "TEACHERS PENSIONS", "pension"),
        ("QUOVIT 7731", "OXMOOR PENSION TRUSTEES LTD", "pension"),
    ],
)
def test_what_comes_by_the_month_is_not_known_by_its_payer_when_it_comes_once(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert type_of(ledger, text, payer, *[91_244] * 6) == type_
    assert type_of(ledger, text, payer, 91_244) == "other"


def test_an_office_refunds_no_tax_by_the_week(ledger: Ledger) -> None:
    dates = [str((pd.Timestamp("2025-06-24") - pd.Timedelta(weeks=4 * at)).date()) for at in range(6)]
    fields = {"counterparty_name": "HMRC QUOVIT BENEFIT"}
    wealth = derive(
        ledger(*[(day, 17_980, "HMRC QUOVIT BENEFIT 7731", fields) for day in dates]), as_of="2025-06-30"
    )
    assert set(wealth.credits["type"].fillna("other")) == {"other"}


def test_pay_from_a_public_body_beside_unread_words_needs_a_calendar(ledger: Ledger) -> None:
    assert type_of(ledger, "DFAS-CLEVELAND QUOVIT NAV PAY", "DFAS", 271_844, country="US") == "other"
    assert type_of(ledger, "DFAS PAY", "DFAS", 271_844, country="US") == "employment"


def test_an_ordinary_word_of_anybody_beside_unread_words_shows_nothing(ledger: Ledger) -> None:
    assert type_of(ledger, "QUOVIT ANN PAY 7731", "ZORLEK", 21_438, 21_438, 21_438) == "other"
    assert type_of(ledger, "ANN PAY 7731", "ZORLEK CARPETS LTD", 91_438, 91_511, 91_438) == "employment"
