"""Words that contradict each other or who pays: who can pay such a thing decides, and where that stays open nothing is claimed."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]


def paid(ledger: Ledger, text: str, payer: str = "", amount: int = 123_456, count: int = 1) -> Wealth:
    """Derive equal payments of one text, a month apart."""
    dates = [pd.Timestamp("2025-06-27") - pd.DateOffset(months=number) for number in range(count)]
    extra = {"counterparty_name": payer} if payer else {}
    rows = ledger(*[(str(day.date()), amount, text, extra) for day in dates])
    return derive(rows, as_of="2025-12-31")


def type_of(wealth: Wealth) -> str:
    """Return the type of all credits."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("ZELLE FROM ROSA LOTTERY TACOS", "person_transfer"),
        ("VENMO JOE BITCOIN PIZZA", "person_transfer"),
        ("ZELLE FROM GRACE PENSION RENT", "rental_income"),
        ("KATE RENT", "other"),
        ("ZELLE PAYMENT FROM XOCHITL LOTTO", "person_transfer"),
        ("CASHAPP MARK DIVIDEND", "person_transfer"),
    ],
)
def test_a_surname_may_be_a_word(ledger: Ledger, text: str, type_: str) -> None:
    assert type_of(paid(ledger, text, amount=4_123)) == type_


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("DWP SAL 88213", "employment"),
        ("DSP SAL 331", "employment"),
        ("REVENUE COMMISSIONERS SAL 4471", "employment"),
        ("REV COMM PAYE 22 BAL", "tax_refund"),
        ("DRFIP PAYE ENSEIGNANTS", "employment"),
        ("DWP PIP 4471", "state_benefit"),
        ("CHB HMRC 0044", "state_benefit"),
    ],
)
def test_an_office_pays_its_staff_too(ledger: Ledger, text: str, type_: str) -> None:
    assert type_of(paid(ledger, text, count=6)) == type_


def test_what_a_council_pays_for_care_is_no_pay(ledger: Ledger) -> None:
    words = paid(ledger, "DEVON CC FOSTER ALLCE", "DEVON COUNTY COUNCIL", count=6)
    silent = paid(ledger, "DEVON COUNTY COUNCIL 881", "DEVON COUNTY COUNCIL", count=6)
    # The pay of foster carers is income from self-employment (ITTOIA 2005, part 7, chapter 2, qualifying care relief).
    assert (type_of(words), type_of(silent)) == ("self_employment", "employment")


@pytest.mark.parametrize(
    "text",
    [
        "RETN SO RENT JULY",
        "RTD FPO BENE ACC CLSD INV 201",
        "UNPD DD PENSION PLAN",
        "REJET VIR LOYER JUIN",
        "RUECKGABE UEBERW MIETE",
        "LAKE MORTGAGE ESCROW SURPLUS",
    ],
)
def test_what_came_back_is_not_what_it_was_for(ledger: Ledger, text: str) -> None:
    assert paid(ledger, text, amount=43_456).credits["disposition"].tolist() == ["refund"]


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("WAGES REPAID U OWE ME NOTHING", "SPIKE"),  # a joke and a word for pay
        ("SOLD 0.2 BTC", "R VOSS"),  # coins change hands between persons
        ("PHOTOS OF NEWBORN THANKS", "E LIMB"),  # perhaps work
        ("ZELLE FROM TINA COLE SHED 2ND HALF", ""),
    ],
)
def test_where_words_and_payer_disagree_nothing_is_claimed(ledger: Ledger, text: str, payer: str) -> None:
    assert type_of(paid(ledger, text, payer, amount=81_500)) == "other"


def test_a_payer_named_in_short_forms_is_still_the_payer(ledger: Ledger) -> None:
    wealth = paid(ledger, "DIVIDEND BLDG CONTRS CIS NET", "Dividend Building Contractors", amount=65_520)
    assert type_of(wealth) == "self_employment"


def test_settlements_that_come_again_are_no_compensation(ledger: Ledger) -> None:
    assert type_of(paid(ledger, "ORBIT BAZAAR SETTLEMENT 3", amount=119_006, count=3)) == "other"


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("AMAZON EU SARL 3GQ SETTLEMENT", "", "business_income"),
        ("FENBY DAIRIES MILK", "", "business_income"),
        ("JACKPOT JOINERS 88", "Jackpot Joiners Ltd", "other"),
        ("GEHALT LOTTO ANNAHMESTELLE BIRK", "", "employment"),
        ("P800 REFUND", "", "tax_refund"),
        ("REVENUE MED 1 REFUND", "", "tax_refund"),
    ],
)
def test_who_pays_decides_what_its_words_can_mean(ledger: Ledger, text: str, payer: str, type_: str) -> None:
    assert type_of(paid(ledger, text, payer, amount=41_217)) == type_


def test_a_return_that_no_debit_bears_out_is_not_a_persons_payment(ledger: Ledger) -> None:
    assert type_of(paid(ledger, "FPS RETURN NAME MISMATCH P ABLETT", amount=125_000)) == "other"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("SALTERN HOSPITALS NHS FT", "employment"),
        ("KESTREL FT", "other"),
        ("INGLEWOOD TYRES LTD FINAL PAY INC HOLIDAY", "employment"),
        ("HADDON GLASS WAGES INC BONUS", "employment"),
        ("DEASP JOBSEEKERS 7719204T", "state_benefit"),
    ],
)
def test_a_short_form_that_is_also_something_else_decides_nothing(
    ledger: Ledger, text: str, type_: str
) -> None:
    assert type_of(paid(ledger, text, count=6)) == type_


@pytest.mark.parametrize("text", ["CAR SALE", "CATTLE SALES MART", "CONSULTING INVOICE 22", "GIFT FROM MUM"])
@pytest.mark.parametrize(
    "payer", ["CASH PAID IN AT MOORGATE", "J KIERNAN CASH LODGEMENT ATM", "CASH DEPOSIT"]
)
def test_what_is_written_on_a_slip_for_cash_explains_nothing(ledger: Ledger, text: str, payer: str) -> None:
    assert type_of(paid(ledger, text, payer)) == "cash_deposit"


@pytest.mark.parametrize(
    ("payer", "text"),
    [
        ("HOLMBY TRADING LT", "HOLMBY TRADING LT LOAN GIFT INV 22"),
        ("HOLMBY TRADING LTD", "LOAN INVOICE 22"),
        ("HOLMBY TRADING LTD", "SALARY GIFT"),
        ("HOLMBY TRADING LTD", "WAGES LOAN"),
        ("HOLMBY TRADING LTD", "SALARY RENT"),
        ("Holmby Handels GmbH", "Darlehen Schenkung Rechnung 22"),
        ("HOLMBY NEGOCE SARL", "PRET FACTURE 22"),
        ("HOLMBY NEGOCE SARL", "DON FACTURE 22"),
        ("MARTA HOLMBY", "GIFT LOAN"),
    ],
)
def test_words_of_which_only_one_can_be_true_show_nothing(ledger: Ledger, payer: str, text: str) -> None:
    wealth = paid(ledger, text, payer, amount=281_133, count=7)
    assert type_of(wealth) in {"other", "person_transfer"}
    assert set(wealth.streams["type_confidence"]) == {"low"}


@pytest.mark.parametrize(
    ("payer", "text", "type_"),
    [
        ("", "LOAN DEPOT PAYROLL", "employment"),
        ("", "STUDENT LOANS CO LTD NET PAY", "employment"),
        ("", "PRET A MANGER SALAIRE", "employment"),
        ("THE GIFT WORKSHOP LTD", "SALARY", "employment"),
        ("MARTA HOLMBY", "RENT GIFT", "gift"),
    ],
)
def test_a_word_of_the_payers_name_and_a_gift_for_the_rent_contradict_nothing(
    ledger: Ledger, payer: str, text: str, type_: str
) -> None:
    assert type_of(paid(ledger, text, payer, amount=181_133, count=7)) == type_
