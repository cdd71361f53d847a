"""Where the evidence is thin, no nature is claimed; and where a word only hints at one, the calendar has to bear it out."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def of(
    ledger: Ledger,
    text: str,
    amount: int = 123_456,
    count: int = 1,
    *,
    days: int = 7,
    **extra: object,
) -> Wealth:
    """Derive equal payments of one text some days apart; 28 days stand for a month, always the same day of it."""
    ends = "2025-06-27"
    dates = (
        [pd.Timestamp(ends) - pd.DateOffset(months=number) for number in range(count)]
        if days == 28
        else pd.date_range(end=ends, periods=count, freq=f"{days}D")
    )
    return derive(ledger(*[(str(day.date()), amount, text, extra) for day in dates]), as_of=AS_OF)


def type_of(wealth: Wealth) -> str:
    """Return the type of all credits."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "amount", "count"),
    [
        ("BERTH 9 ZEPHYR", 31_000, 6),
        ("PADDOCK BOTTOM FIELD", 45_000, 1),
        ("ADMIN FEES ALLOTMENT PLOT", 64_000, 1),
    ],
)
def test_what_a_person_pays_for_is_unknown_where_their_words_are(
    ledger: Ledger, text: str, amount: int, count: int
) -> None:
    assert type_of(of(ledger, text, amount, count, days=28, counterparty_name="T WINSLADE")) == "other"


@pytest.mark.parametrize(
    ("text", "amount"), [("SPROCKET", 1_400), ("T WINSLADE", 31_000), ("CURRY AND BEERS YOUR HALF", 12_500)]
)
def test_small_sums_and_words_between_friends_are_money_from_a_person(
    ledger: Ledger, text: str, amount: int
) -> None:
    assert type_of(of(ledger, text, amount, counterparty_name="T WINSLADE")) == "person_transfer"


def test_a_firms_word_in_a_persons_reference_names_no_firm(ledger: Ledger) -> None:
    wealth = of(ledger, "RENT FLAT OVER THE BUTCHERS", 64_000, 4, days=28, counterparty_name="MISS D OKORO")
    assert type_of(wealth) == "rental_income"


def test_an_initial_a_surname_and_a_trade_are_no_private_person(ledger: Ledger) -> None:
    wealth = of(ledger, "B TREMLETT FENCEWORKS", 81_200, 6, counterparty_name="B TREMLETT FENCEWORKS")
    assert type_of(wealth) == "other"


@pytest.mark.parametrize(
    "text",
    [
        "CLAIMS HANDLER SALARY OXMOOR INSURANCE",
        "PENSIONS OFFICER SAL",
        "TULLY CREDIT UNION CASHIER SAL",
        "LADBROKES SHOP MANAGER WAGES",
    ],
)
def test_pay_for_a_post_is_pay_whatever_the_post_deals_with(ledger: Ledger, text: str) -> None:
    assert type_of(of(ledger, text, 171_315, 4, days=28)) == "employment"


@pytest.mark.parametrize(
    ("text", "amount", "days", "type_"),
    [
        ("MARLOW GARDEN CENTRE TILL STAFF", 161_204, 28, "employment"),
        ("WK18 SALTER AND VINE NURSERIES PICKERS", 41_233, 7, "employment"),
        ("KIRKBY PENS MEMBER DORSET 00412", 41_233, 28, "pension"),
        ("VESTRY RENT ARCHES FOUR", 61_000, 28, "rental_income"),
    ],
)
def test_a_hint_and_a_calendar_that_fits_say_it_together_and_apart_they_do_not(
    ledger: Ledger, text: str, amount: int, days: int, type_: str
) -> None:
    assert type_of(of(ledger, text, amount, 6, days=days)) == type_
    assert type_of(of(ledger, text, amount)) == "other"
    assert type_of(of(ledger, text, amount * 100, 6, days=days)) == "other"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("HM REVENUE CT OVERPAID 5512", "tax_refund"),
        ("DVLA REFUND 7712", "tax_refund"),
        ("CTAX REFUND MOLE VALLEY DC", "tax_refund"),
        ("HMRC REFUNDS CONSULTANCY LTD", "other"),
        ("DELAY REPAY NORTHERN", "settlement"),
        ("HOLDING DEPOSIT RETURNED KNIGHT FRANK", "other"),
        ("FIVERR INT 4410", "self_employment"),
        ("CASH BACK 4410", "other"),
        ("LOTTERY FUND GRANT BANDSTAND", "other"),
        ("PRUDENTIAL BONUS BOND 17", "other"),
        ("HALIFAX LOYALTY BONUS PAY", "other"),
    ],
)
def test_an_ordinary_word_gives_way_to_who_pays(ledger: Ledger, text: str, type_: str) -> None:
    assert type_of(of(ledger, text, 23_456)) == type_


@pytest.mark.parametrize(
    ("name", "text", "amount", "count"),
    [
        ("VOSTOK NINE SERVICES LTD", "PAYROLL", 964_000, 2),
        ("VOSTOK NINE SERVICES LTD", "INV PAID", 1_740_000, 5),
        ("VOSTOK NINE SERVICES LTD", "SHOP TAKINGS", 610_000, 6),
        ("R BEAMISH", "LOAN", 985_000, 1),
        (None, "CRYPTO PROFIT MINE AND YOURS", 520_000, 1),
        ("VOSTOK NINE SERVICES LTD", "WAGES", 440_000, 6),
    ],
)
def test_sums_that_do_not_fit_their_calendar_and_only_the_sender_explains_have_no_nature(
    ledger: Ledger, name: str | None, text: str, amount: int, count: int
) -> None:
    assert type_of(of(ledger, text, amount, count, counterparty_name=name)) in {"other", "person_transfer"}


def test_what_a_body_that_employs_people_pays_each_month_is_no_pay_where_nobody_earns_so_much(
    ledger: Ledger,
) -> None:
    assert type_of(of(ledger, "LEGAL AID AGENCY", 2_711_400, 4, days=28)) == "other"
    assert type_of(of(ledger, "LEGAL AID AGENCY", 271_140, 4, days=28)) == "employment"


@pytest.mark.parametrize("text", ["KELSO PARTNER PAY", "GREENHALGH SUPPL"])
def test_the_beginning_of_a_phrase_that_is_a_word_by_itself_is_that_word(ledger: Ledger, text: str) -> None:
    assert type_of(of(ledger, text, 123_456)) not in {"self_employment", "business_income"}


def test_the_office_of_a_state_pension_may_call_it_a_pension(ledger: Ledger) -> None:
    wealth = of(ledger, "DRV BUND REGELALTERSRENTE", 112_233, 4, days=28, purpose="PENS")
    assert type_of(wealth) == "state_benefit"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("SOCIAL SECURITY SCOTLAND 5512", "state_benefit"),
        ("DVLA LTD REFUNDED", "other"),
        ("KRAKEN PAYWARD 5512", "crypto"),
    ],
)
def test_an_office_has_no_legal_form_and_an_exchange_is_known_by_its_name(
    ledger: Ledger, text: str, type_: str
) -> None:
    assert type_of(of(ledger, text, 423_456)) == type_


@pytest.mark.parametrize(
    "text",
    ["CASH DEPOSIT 1200 E MAPLE ST", "ATM CASH DEPOSIT 09/14 77 N LARCH RD", "CASH DEPOSIT J TAYLOR SQUARE"],
)
def test_cash_that_a_bank_books_is_cash_wherever_it_was_paid_in(ledger: Ledger, text: str) -> None:
    assert type_of(of(ledger, text, 74_000)) == "cash_deposit"


def test_what_friends_write_is_no_loan_for_a_word_of_another_language(ledger: Ledger) -> None:
    wealth = of(ledger, "DINNER AT PRET", 2_400, counterparty_name="MISS TESSA WINSLADE")
    assert type_of(wealth) == "person_transfer"


def test_a_firm_that_is_called_a_crypto_exchange_is_one(ledger: Ledger) -> None:
    assert type_of(of(ledger, "PIPIT CRYPTO EXCHANGE PAYOUT", 80_000, 6, days=28)) == "crypto"
    bought = of(ledger, "Pipit Crypto Exchange", -90_000, 24, days=7)
    assert {flag for flag in bought.flags["code"] if flag.startswith("crypto")}
