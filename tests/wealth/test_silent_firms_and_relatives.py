"""What firms pay without a word for it, what relatives pay for living together, and words that a number, a bank or a scam makes mean something else."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.wealth import derive
from kycpack.wealth.judge.open_questions import open_questions
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.plain_text import keeps_its_words
from kycpack.wealth.thresholds import Thresholds

Ledger = Callable[..., pd.DataFrame]
WEEKLY, MONTHLY = 7, 28


def said(ledger: Ledger, text: str, amount: int, count: int = 1, days: int = WEEKLY, **extra: object) -> str:
    """Return the type of equal payments some days apart."""
    dates = pd.date_range(end="2025-06-27", periods=count, freq=f"{days}D")
    rows = [(str(day.date()), amount, text, extra) for day in dates]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    (type_,) = set(credits_["type"].astype("string").fillna("other"))
    return str(type_)


@pytest.mark.parametrize(
    ("text", "code", "days", "amount", "type_"),
    [
        ("ORMSKIRK HOMECARE", "", MONTHLY, 131_617, "employment"),
        ("THE TALBOT HOTEL", "", WEEKLY, 31_218, "employment"),
        ("PENDLE CASTINGS", "BAC", WEEKLY, 51_218, "employment"),
        # A round amount is a rent, a pension comes by the month, a firm that anybody can be pays without the banks' scheme.
        ("THE TALBOT HOTEL", "", MONTHLY, 95_000, "other"),
        ("PENDLE CASTINGS", "BAC", MONTHLY, 51_218, "other"),
        ("PENDLE CASTINGS", "", WEEKLY, 51_218, "other"),
        ("PENDLE TRADING FZE", "BAC", WEEKLY, 51_218, "other"),
        (
            "QUARRYMEN PS QPS 0412",
            "BGC",
            WEEKLY,
            18_754,
            "other",
        ),  # only the scheme shows a firm, and it pays pensions too
        ("ORMSKIRK HOMECARE", "", WEEKLY, 251_218, "other"),
    ],
)
def test_a_silent_firm_pays_wages_only_if_its_trade_or_the_scheme_leaves_nothing_else(
    ledger: Ledger, text: str, code: str, days: int, amount: int, type_: str
) -> None:
    assert said(ledger, text, amount, 12, days, bank_code=code or None) == type_


@pytest.mark.parametrize(
    "text", ["ORMSKIRK HOMECARE RENT FLAT 2", "ORMSKIRK HOMECARE LOAN", "ORMSKIRK HOMECARE SELF BILL 0412"]
)
def test_a_firm_that_says_something_is_not_silent(ledger: Ledger, text: str) -> None:
    assert said(ledger, text, 131_617, 12, MONTHLY) != "employment"


@pytest.mark.parametrize(("code", "type_"), [("BAC", "employment"), ("", "other")])
def test_equal_sums_of_a_shop_are_wages_by_the_scheme_of_payrolls(
    ledger: Ledger, code: str, type_: str
) -> None:
    rows = [
        (f"2025-{month:02d}-25", 151_022, "AMAZON UK SERVICES", {"bank_code": code or None})
        for month in range(1, 11)
    ]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    assert set(credits_["type"].astype("string").fillna("other")) == {type_}


@pytest.mark.parametrize(
    ("payer", "type_"),
    [
        ("GOLDMAN SACHS INTL", "savings"),  # the bank behind it
        ("K ASHWORTH", "other"),  # who only writes its name
    ],
)
def test_a_bank_for_savings_may_be_part_of_another_bank(ledger: Ledger, payer: str, type_: str) -> None:
    text = "MARCUS BY GS JUDITH SPENCE J SPENCE"
    assert said(ledger, text, 100_000, 6, 49, counterparty_name=payer) == type_


def test_the_name_of_the_payer_again_is_no_unread_word(ledger: Ledger) -> None:
    text = "SILVER BIRCH NURSERY , SILVER BIRCH , FP 28/03/25 , 40 , 28110347291600000N"
    assert said(ledger, text, 132_417, 12, MONTHLY, counterparty_name="SILVER BIRCH NURSERY") == "employment"


@pytest.mark.parametrize(
    ("text", "type_"),
    [("DAD RENT", "person_transfer"), ("RENT FROM MUM", "person_transfer"), ("RENT FLAT 2", "rental_income")],
)
def test_what_a_relative_pays_for_living_there_is_no_rent(ledger: Ledger, text: str, type_: str) -> None:
    assert said(ledger, text, 42_000, 12, MONTHLY, counterparty_name="G ORMEROD") == type_


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("M&G SECURITIES DISTRIBUTION 44/1872", "investment_income"),
        ("EMPOWER RETIREMENT 401K DIST", "pension"),
    ],
)
def test_a_distribution_is_a_pension_only_from_a_plan(ledger: Ledger, text: str, type_: str) -> None:
    assert said(ledger, text, 7_360, 6, 91) == type_


@given(st.sampled_from(["401k dist", "rg2 claims", "9 dist"]))
def test_a_phrase_that_lost_a_number_is_found_out(phrase: str) -> None:
    (plain,) = load_lexicon().words_of([phrase])
    assert keeps_its_words(phrase, plain) == (phrase != "9 dist")


def test_the_date_of_a_payment_between_people_is_no_unread_word(ledger: Ledger) -> None:
    text = "Zelle from DINAH ALDRICH on 08/14 ref # BACk4471"
    assert said(ledger, text, 15_000, 6, 49, counterparty_name="DINAH ALDRICH") == "person_transfer"


def test_the_depot_of_a_shop_is_no_distribution(ledger: Ledger) -> None:
    assert said(ledger, "ASDA DISTRIBUTION", 201_736, 12, MONTHLY, bank_code="BAC") == "employment"


def test_an_office_that_only_the_reference_names_bears_nothing_out(ledger: Ledger) -> None:
    payer = "VERTEX GRP HLDGS"
    text = f"{payer} HMRC TAX REBATE"
    assert said(ledger, text, 399_900, counterparty_name=payer) == "other"


def test_a_payer_named_twice_still_says_what_it_pays(ledger: Ledger) -> None:
    assert said(ledger, "NS&I NSI WITHDRAWAL PB 44188", 500_000) == "savings"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("INVOICE", "other"),  # a large round sum, and not even a number
        ("INVOICE 0447", "self_employment"),
    ],
)
def test_a_large_round_bill_without_a_number_is_only_a_word(ledger: Ledger, text: str, type_: str) -> None:
    payer = "HOLLINWOOD CONSULTANCY"
    assert said(ledger, f"{payer} {text}", 900_000, 8, MONTHLY, counterparty_name=payer) == type_


@pytest.mark.parametrize(
    "words", ["remote job task comm 4", "task commission may", "money transfer agent pay"]
)
def test_what_such_jobs_pay_is_no_work(ledger: Ledger, words: str) -> None:
    assert said(ledger, words, 86_000, 8, MONTHLY, counterparty_name="LIGHTWAY SOLUTIONS LTD") == "other"


@pytest.mark.parametrize(
    ("text", "amount", "count", "days", "type_"),
    [
        ("ME STATE STTAXRFD 118820", 31_200, 1, WEEKLY, "tax_refund"),
        ("UTAH STATE TAX COMM TAX REFUND", 31_200, 1, WEEKLY, "tax_refund"),
        ("BRECON COUNTY COUNCIL FOSTERING ALLOW 8812", 93_412, 12, 14, "self_employment"),
        ("KELLS GROUNDWORKS LTD RCT NET WK 20", 89_811, 12, WEEKLY, "self_employment"),
        ("PRAIRIE FREIGHT SETTLEMENT DRV 44188", 138_840, 12, WEEKLY, "employment"),
        ("HARTLAND UK PEN", 61_288, 12, MONTHLY, "pension"),
        ("LEGAL & GEN PMT ANN 40226195", 14_390, 12, MONTHLY, "pension"),
        ("YARROW COURIERS SELF BILL 0412", 74_011, 12, WEEKLY, "self_employment"),
        ("BARCLAYCARD PAYMENT PROTECTION REFUND", 185_050, 1, WEEKLY, "settlement"),
        ("NSI GUARANTEED GROWTH BOND", 2_500_000, 1, WEEKLY, "savings"),
        ("ROYAL LONDON ENDOWMENT", 1_850_000, 1, WEEKLY, "savings"),
        ("STRIKE PAY HAULIERS UNION", 21_200, 6, 14, "other"),
        ("UDARAS CHORCA DHUIBHNE TUARASTAL", 254_430, 12, MONTHLY, "employment"),
        ("REV POCKET GBP RAINY DAY To main", 15_000, 6, 49, "savings"),
        ("EQUINITI SHARESAVE MATURITY", 640_000, 1, WEEKLY, "savings"),
        ("SCOTTISH WIDOWS DEATH BEN POL 8812", 2_631_840, 1, WEEKLY, "settlement"),
        ("HOLYWELL LIVESTOCK STK 00481", 387_210, 12, 49, "business_income"),
    ],
)
def test_kinds_of_rows(ledger: Ledger, text: str, amount: int, count: int, days: int, type_: str) -> None:
    assert said(ledger, text, amount, count, days) == type_


@pytest.mark.parametrize(
    ("payer", "code"),
    [
        ("THE TALBOT HOTEL", None),
        ("QXZ GRILL", None),
        ("SUNRISE CARE LTD", None),
        ("A1 CLEANING SERVICES LTD", None),
        ("PENDLE CASTINGS", "BAC"),
    ],
)
def test_the_name_of_a_payer_and_its_calendar_make_no_nature_known(
    ledger: Ledger, payer: str, code: str | None
) -> None:
    days = pd.date_range(end="2025-12-26", periods=52, freq="7D")
    more = {"counterparty_name": payer, "bank_code": code, "status": "booked", "evidence_id": "E-07"}
    rows = [
        (str(day.date()), 140_018 + index * 37 % 211, payer, more | {"balance_after_minor": 0})
        for index, day in enumerate(days)
    ]
    frame = ledger(*rows).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
    wealth = derive(frame, as_of="2025-12-31")
    assert set(wealth.credits["type"]) == {"employment"}
    assert wealth.explained_share("C1", "GBP") == 0
    assert [
        message for message in wealth.flags["message"] if "Much unexplained money from one payer" in message
    ]
    (asked,) = [
        one.message
        for one in open_questions(frame, None, wealth.credits, wealth.streams, Thresholds())
        if one.code == "nature_not_known"
    ]
    assert asked.startswith("The source of none of the credits is established")
    assert wealth.statement("C1").primary_source is None
    assert wealth.sufficiency("C1", None, 100_000, "GBP").answer == "not supported"
    (stream,) = wealth.streams["description"]
    assert "perhaps employment, nature not established" in stream
    assert (
        "reads like employment, not established: only the payer's name and the pattern of the payments speak for pay"
        in wealth.credits["reason"].iloc[0]
    )
