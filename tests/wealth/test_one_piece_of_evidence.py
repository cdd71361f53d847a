"""One piece of evidence that the payer, the calendar or another word contradicts establishes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.references import read_tags

Ledger = Callable[..., pd.DataFrame]


def type_of(
    ledger: Ledger, text: str, payer: str | None, amount: int, count: int, *, days: int = 0, **extra: object
) -> str:
    """Derive equal payments by the month, or some days apart, and return the type of all credits."""
    end = pd.Timestamp("2025-06-24")
    ends = [
        end - (pd.Timedelta(days=days * number) if days else pd.DateOffset(months=number))
        for number in range(count)
    ]
    fields = {"counterparty_name": payer, **extra} if payer else extra
    wealth = derive(ledger(*[(str(day.date()), amount, text, fields) for day in ends]), as_of="2025-06-30")
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("RENT", "LLOYDS BANK"),
        ("GIFT", "TESCO STORES LTD"),
        ("CRYPTO CASH OUT", "AVIVA"),
        ("LOAN", "TESCO STORES LTD"),
    ],
)
def test_what_a_listed_payer_is_not_known_to_pay_is_not_established(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert type_of(ledger, text, payer, 41_217, 6) == "other"


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("SALARY", "LLOYDS BANK", "employment"),
        ("COMPENSATION", "TESCO STORES LTD", "settlement"),
        ("INVOICE 12 SIGN PAINTING", "TESCO STORES LTD", "self_employment"),
        ("INTEREST", "LLOYDS BANK", "interest"),
    ],
)
def test_anybody_owes_wages_bills_and_damages(ledger: Ledger, text: str, payer: str, type_: str) -> None:
    assert type_of(ledger, text, payer, 141_217, 6) == type_


def test_payroll_of_a_bookmaker_is_pay_by_its_calendar_and_never_a_win(ledger: Ledger) -> None:
    assert type_of(ledger, "LADBROKES PAYROLL SHOP 77", None, 141_217, 6) == "employment"
    assert type_of(ledger, "LADBROKES PAYROLL SHOP 77", None, 141_217, 1) != "gambling"
    assert type_of(ledger, "LADBROKES 77", None, 141_217, 1) == "gambling"


def test_who_pays_through_a_service_that_carries_money_is_not_known(ledger: Ledger) -> None:
    assert type_of(ledger, "CASH APP*LITTLE JOE*PAYROLL", None, 220_000, 12, days=7) != "employment"


@pytest.mark.parametrize("days", [7, 14])
def test_large_round_pay_by_the_week_is_not_worked_out_by_hours(ledger: Ledger, days: int) -> None:
    assert type_of(ledger, "WAGES", "TARN RECRUITMENT LTD", 180_000, 9, days=days) == "other"
    assert type_of(ledger, "WAGES", "TARN RECRUITMENT LTD", 101_264, 9, days=days) == "employment"


def test_staff_before_another_word_says_whose_and_not_what(ledger: Ledger) -> None:
    assert type_of(ledger, "OXMOOR QUARRY STAFF S'ANN 7712", None, 61_733, 12) == "other"
    assert type_of(ledger, "TARN ENERGY STAFF PEN FD 88", None, 61_733, 12) == "pension"
    assert type_of(ledger, "OXMOOR QUARRY STAFF 7712 BACS", None, 161_733, 12) == "employment"


def test_a_firm_that_names_lodgings_pays_no_rent_once(ledger: Ledger) -> None:
    assert type_of(ledger, "TARN HAULAGE FUEL AND DIGS", None, 18_417, 1) == "other"


def test_what_friends_share_is_nobodys_work(ledger: Ledger) -> None:
    text = "ZELLE FROM WINSLADE T MY HALF OF VACATION"
    assert type_of(ledger, text, None, 41_000, 1) == "person_transfer"


def test_the_word_benefit_beside_an_unknown_name_is_no_state_benefit(ledger: Ledger) -> None:
    assert type_of(ledger, "OXMOOR DIST FIREMENS SYS BENEFIT", None, 161_733, 12) == "other"
    assert type_of(ledger, "010203040506-CHB", None, 10_240, 12, days=28) == "state_benefit"


def test_the_sales_of_a_market_place_for_ones_own_things_are_things_sold(ledger: Ledger) -> None:
    assert type_of(ledger, "GUMTREE SALES", None, 2_750, 5) == "asset_sale"


@pytest.mark.parametrize(
    "text",
    [
        "DEUTSCHE RENTENVERSICHERUNG RHEINLAND RENTE 06/25",
        "DRV SCHWABEN RENTE 12 040350 M 007",
        "PVA PENSION 06/25",
        "GUTSCHRIFT AUSGLEICHSKASSE KT BERN AHV RENTE",
        "VIR CARSAT NORMANDIE RETRAITE",
        "BONIFICO INPS PENSIONE CAT SO 4471",
        "SVB AOW PENSIOEN",
        "FEDERALE PENSIOENDIENST PENSIOEN",
        "ZUS EMERYTURA",
        "DWP RETIREMENT PENSION",
    ],
)
@pytest.mark.parametrize("purpose", [None, "PENS"])
def test_what_a_scheme_of_the_state_calls_a_pension_is_a_benefit(
    ledger: Ledger, text: str, purpose: str | None
) -> None:
    assert type_of(ledger, text, None, 121_733, 12, purpose=purpose) == "state_benefit"


def test_a_pension_from_a_private_insurer_is_a_pension(ledger: Ledger) -> None:
    assert type_of(ledger, "TARN RENTENVERSICHERUNG PRIVAT RENTE", None, 61_733, 12) == "pension"


def test_a_receipt_that_gives_the_reference_first_is_paid_by_who_stands_after_from(ledger: Ledger) -> None:
    text = "FASTER PAYMENTS RECEIPT REF.SHARE OF MEAL FROM T WINSLADE"
    assert read_tags(text) == "FASTER PAYMENTS RECEIPT T WINSLADE MOTIF SHARE OF MEAL"
    assert type_of(ledger, text, None, 4_315, 1) == "person_transfer"
    claimed = "FASTER PAYMENTS RECEIPT REF.DWP PIP FROM T WINSLADE"
    assert type_of(ledger, claimed, None, 60_000, 11, days=7) != "state_benefit"
