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


def test_the_same_sum_every_month_from_a_payment_service_is_no_takings(ledger: Ledger) -> None:
    assert type_of(ledger, "SUMUP PAYMENTS 7731", "SUMUP PAYMENTS LTD", *UNEVEN) == "other"
    takings = (312_417, 188_240, 96_655, 402_019, 251_733, 77_108)
    assert type_of(ledger, "SUMUP PAYMENTS 7731", "SUMUP PAYMENTS LTD", *takings) == "business_income"


@pytest.mark.parametrize("payer", ["US TREASURY", "MINISTRY OF DEFENCE"])
def test_a_public_body_whose_words_are_not_understood_does_not_pay_wages(ledger: Ledger, payer: str) -> None:
    assert type_of(ledger, f"{payer} QUOVIT TRAMBEL 310", payer, *UNEVEN) == "other"
    assert type_of(ledger, payer, payer, *UNEVEN) == "employment"


def test_a_paymaster_of_the_state_pays_more_than_refunds_of_tax(ledger: Ledger) -> None:
    payer = "DRFIP OCCITANIE ET HAUTE GARONNE"
    assert type_of(ledger, "VIR DRFIP QUOVIT 0925", payer, 218_042, country="FR") == "other"
    assert type_of(ledger, "VIR DRFIP REMB IMPOTS 0925", payer, 218_042, country="FR") == "tax_refund"
    assert type_of(ledger, "VIR DRFIP IMPOT 0925", payer, 218_042, country="FR") == "tax_refund"


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


def test_a_title_company_that_pays_a_little_paid_no_price_of_a_house(ledger: Ledger) -> None:
    payer = "MERIDIAN TITLE COMPANY"
    assert type_of(ledger, "MERIDIAN TITLE QUOVIT 7731", payer, 3_817) == "other"
    assert type_of(ledger, "MERIDIAN TITLE QUOVIT 7731", payer, 26_891_407) == "property_sale"


def test_a_code_for_pay_tells_the_staff_of_an_office_from_whom_it_pays(ledger: Ledger) -> None:
    payer = "Deutsche Rentenversicherung Bund"
    assert type_of(ledger, "QUOVIT 10.25", payer, *UNEVEN, country="DE", purpose="SALA") == "employment"
    assert type_of(ledger, "QUOVIT 10.25", payer, 312_417, country="DE", purpose="SALA") == "other"
    assert type_of(ledger, "QUOVIT 10.25", payer, *UNEVEN, country="DE", purpose="PENS") == "state_benefit"
    assert type_of(ledger, "QUOVIT 10.25", payer, *UNEVEN, country="DE") == "state_benefit"


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
