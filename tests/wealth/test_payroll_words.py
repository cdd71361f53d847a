"""Words that every payroll writes, for wages, pensions and drivers' fees alike, and what outranks them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def said(ledger: Ledger, text: str, payer: str, amount: int = 61_733, **codes: str) -> str:
    """Return the type of 12 monthly payments."""
    days = pd.date_range(end="2025-06-27", periods=12, freq="MS")
    extra = ({"counterparty_name": payer} if payer else {}) | codes
    wealth = derive(ledger(*((str(day.date()), amount, text, extra) for day in days)), as_of="2025-12-31")
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("OAKMERE BREWERY RETIREES PAY", "OAKMERE BREWERY RETIREES"),
        ("FELLBECK MUT STAFF PEN FD 4471", "FELLBECK MUT STAFF PEN FD"),
        ("TARN VALLEY STEEL RETIREMNT 00299", "TARN VALLEY STEEL RETIREMNT"),
        ("ORWELL & HYDE TRUSTEES PAYROLL 00318 ANNUITY", "ORWELL & HYDE TRUSTEES"),
        ("SALTWICK FOUNDRY RETIRE BEN SCH", "SALTWICK FOUNDRY RETIRE"),
    ],
)
def test_words_of_a_pension_outrank_those_of_any_payroll(ledger: Ledger, text: str, payer: str) -> None:
    assert said(ledger, text, payer) == "pension"


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("OAKMERE RETIREES CLUB LTD SALARY", "OAKMERE RETIREES CLUB LTD", "employment"),
        ("PENSION FUND AUDITORS INC SALARY", "PENSION FUND AUDITORS INC", "employment"),
        ("SUNSET RETIREMENT LIVING 88120", "SUNSET RETIREMENT LIVING", "other"),
        ("SUNSET RETIREMENT HOMES WAGES", "SUNSET RETIREMENT HOMES", "employment"),
    ],
)
def test_a_salary_stays_one_whoever_pays_it(ledger: Ledger, text: str, payer: str, type_: str) -> None:
    assert said(ledger, text, payer) == type_


@pytest.mark.parametrize(
    "payer", ["Landesamt für Finanzen Nordmark", "Landesamt für Besoldung und Versorgung"]
)
def test_the_code_for_pay_is_also_that_of_pensions_paid_by_a_payroll(ledger: Ledger, payer: str) -> None:
    assert said(ledger, "RUHEGEHALT A12 PERSNR 55103924", payer, purpose="SALA") == "pension"
    assert said(ledger, "BEZUEGE A12 PERSNR 55103924", payer, purpose="SALA") == "employment"


def test_a_code_and_words_of_the_sender_that_disagree_show_nothing(ledger: Ledger) -> None:
    assert said(ledger, "MIETE WOHNUNG 3", "HOLTKAMP BAU GMBH", purpose="SALA") == "other"
    assert said(ledger, "DIVIDENDE 2024", "HOLTKAMP BAU GMBH", purpose="SALA") == "other"
    assert said(ledger, "GEHALT 03", "HOLTKAMP BAU GMBH", purpose="SALA") == "employment"


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("LYFT INC DRIVER PAY WK0417", "LYFT INC"),
        ("BOLT SERVICES UK PAY WK12", "BOLT SERVICES UK"),
        ("DOORDASH INC DASHER NET PAY", "DOORDASH INC"),
    ],
)
def test_what_a_platform_pays_by_a_payroll_is_for_own_work(ledger: Ledger, text: str, payer: str) -> None:
    assert said(ledger, text, payer) == "self_employment"
    assert said(ledger, f"{payer} SALARY", payer) == "employment"


@pytest.mark.parametrize(
    ("days", "amounts", "type_"),
    [
        (28, (164_218, 171_305, 158_877), "employment"),
        (28, (165_000,), "other"),  # a round sum
        (28, (930_018, 912_477), "other"),  # too much for four weeks in a shop
        (30, (164_218, 171_305, 158_877), "other"),
        (7, (41_218, 43_305, 39_877), "other"),
    ],
)
def test_a_shop_pays_its_staff_every_four_weeks(
    ledger: Ledger, days: int, amounts: tuple[int, ...], type_: str
) -> None:
    dates = pd.date_range(end="2025-06-27", periods=12, freq=f"{days}D")
    rows = [
        (str(day.date()), amounts[number % len(amounts)], "TESCO STORES LTD 40871263")
        for number, day in enumerate(dates)
    ]
    wealth = derive(ledger(*rows), as_of="2025-12-31")
    assert set(wealth.credits["type"].astype("string").fillna("other")) == {type_}
    assert set(wealth.streams["type_confidence"]) == {"low"}


@pytest.mark.parametrize(
    ("text", "code", "count", "type_"),
    [
        ("ICELAND FOODS LTD 0041882", "BGC", 4, "employment"),
        ("ICELAND FOODS LTD 0041882", "BGC", 3, "other"),
        ("ICELAND FOODS LTD 0041882", "FPI", 4, "other"),
        ("LIDL DIENSTLEISTUNG", "153", 2, "employment"),
        ("LIDL DIENSTLEISTUNG", "166", 2, "other"),
    ],
)
def test_a_scheme_for_firms_or_the_code_for_pay_bears_out_a_shops_pay(
    ledger: Ledger, text: str, code: str, count: int, type_: str
) -> None:
    dates = pd.date_range(end="2025-06-27", periods=count, freq="28D")
    sums = (164_218, 171_305, 158_877, 166_012)
    rows = [
        (str(day.date()), minor, text, {"bank_code": code}) for day, minor in zip(dates, sums, strict=False)
    ]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    assert set(credits_["type"].astype("string").fillna("other")) == {type_}
