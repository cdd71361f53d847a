"""One weak piece of evidence establishes nothing; it stands in the evidence as what the payment reads like."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def of(
    ledger: Ledger, text: str, amount: int, payer: str | None = None, count: int = 1, weeks: int = 4
) -> Wealth:
    """Derive equal payments of one text, some weeks apart."""
    days = pd.date_range(end="2025-06-27", periods=count, freq=f"{7 * weeks}D")
    extra = {"counterparty_name": payer} if payer else {}
    return derive(ledger(*[(str(day.date()), amount, text, extra) for day in days]), as_of=AS_OF)


def type_of(wealth: Wealth) -> str:
    """Return the type of all credits."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "amount", "payer"),
    [
        ("PAY", 2_500, None),
        ("BINDING FEE SPRING ISSUE", 41_000, "OLD QUAY BINDERY"),
        ("CONTRACT 3M TRAY SILVER", 190_000, "LOMBARD & PYKE"),
        ("CASTING FEE", 81_000, None),
        ("GIFT JAR OWN", 7_500, None),
    ],
)
def test_an_ordinary_word_alone_establishes_nothing(
    ledger: Ledger, text: str, amount: int, payer: str | None
) -> None:
    assert type_of(of(ledger, text, amount, payer)) == "other"


@pytest.mark.parametrize(
    ("text", "amount", "payer", "count", "type_"),
    [
        ("INT TO 30JUN", 1_741, None, 1, "interest"),
        ("ENGRAVING FEE", 41_000, "OLD QUAY BINDERY LTD", 1, "self_employment"),
        ("PAY", 214_417, "OLD QUAY BINDERY LTD", 1, "employment"),
        ("PAY", 214_417, "OLD QUAY BINDERY", 6, "employment"),
        ("RENT", 81_000, "MISS T WINSLADE", 1, "rental_income"),
    ],
)
def test_an_ordinary_word_counts_where_payer_amount_or_calendar_bears_it_out(
    ledger: Ledger, text: str, amount: int, payer: str | None, count: int, type_: str
) -> None:
    assert type_of(of(ledger, text, amount, payer, count)) == type_


@pytest.mark.parametrize(
    "text",
    [
        "NACHLASS TANTE HERTA ANTEIL 1",
        "SALE OF CARAVAN",
        "INVOICE 7 CONSULTING",
        "LOAN FROM A MATE",
        "DAMAGES AWARD",
    ],
)
@pytest.mark.parametrize("amount", [1_000_000, 2_317_741])
def test_a_large_sum_of_nobody_needs_more_than_a_word(ledger: Ledger, text: str, amount: int) -> None:
    wealth = of(ledger, text, amount)
    assert type_of(wealth) == "other"
    assert "not established" in wealth.credits["reason"].iloc[0]
    assert set(wealth.evidence["force"]) >= {"hints"}


def test_a_large_sum_of_nobody_is_believed_where_the_trade_pays_it(ledger: Ledger) -> None:
    assert type_of(of(ledger, "HOLT SOLICITORS CLIENT ACCOUNT SALE 4 OAK RD", 18_231_741)) == "property_sale"


def test_a_large_sum_from_relatives_is_money_between_people(ledger: Ledger) -> None:
    assert type_of(of(ledger, "GIFT FROM AUNTIE", 1_500_000)) == "person_transfer"


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("PI SETTLEMENT CLIENT", "HARVEY AND GORDON"),
        ("ANNUITY DRAWDOWN", "R QUAYSIDE"),
        ("DIVIDEND 2ND QTR", "K FENWICK"),
    ],
)
def test_what_no_person_pays_for_leaves_open_whether_a_person_paid(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert type_of(of(ledger, text, 432_117, payer)) == "other"
    assert type_of(of(ledger, text, 1_200, payer)) == "person_transfer"  # a joke


@pytest.mark.parametrize(
    ("text", "amount", "count", "weeks", "type_"),
    [
        ("RESTO DU PORT", 40_211, 6, 1, "other"),
        ("PIZZA WITH THE LADS", 1_850, 1, 1, "person_transfer"),
        ("CHILD MAINTENANCE ELSA", 31_000, 6, 4, "person_transfer"),
    ],
)
def test_words_between_friends_are_about_little_or_about_a_month(
    ledger: Ledger, text: str, amount: int, count: int, weeks: int, type_: str
) -> None:
    assert type_of(of(ledger, text, amount, None, count, weeks)) == type_


def test_who_rides_for_a_platform_is_paid_by_it_and_by_no_friend(ledger: Ledger) -> None:
    assert type_of(of(ledger, "DELIVEROO PIZZA NIGHT", 12_350, None, 6, 1)) != "person_transfer"
    assert type_of(of(ledger, "UBER EATS COURSES SEM 14", 12_350, None, 6, 1)) == "self_employment"


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("CLAIM 7714209", "LONDON BOROUGH OF NEWHAM", "other"),
        ("HB CLAIM 7714209", "LONDON BOROUGH OF NEWHAM", "state_benefit"),
        ("HOUSING BENEFIT 7714209", "LONDON BOROUGH OF NEWHAM", "state_benefit"),
        ("WINDOW CLEANING INV 77", "BETFRED", "other"),
        ("KARTENUMSAETZE BATCH 9", "ADYEN N.V.", "business_income"),
        ("VIR M ETRENNES", "M ETRENNES", "person_transfer"),
    ],
)
def test_what_a_listed_payer_does_not_pay_is_not_established(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert type_of(of(ledger, text, 41_217, payer)) == type_


def test_the_sale_of_a_business_is_no_house(ledger: Ledger) -> None:
    wealth = of(ledger, "SALE OF BAKERY BUSINESS COMPLETION MONIES", 4_217_300, "HOLT SOLICITORS")
    assert type_of(wealth) == "business_sale"


@pytest.mark.parametrize(
    "text",
    ["SALE OF MACHINERY", "SALE OF VESSEL", "SALE PROCEEDS RACEHORSE", "BALANCE OF SALE TRACTOR", "SALE PRICE MACHINERY", "VERKAUF MASCHINEN", "VENTE MATERIEL", "DISBURSEMENT", "PROCEEDS", "SALE 4471"],
)  # fmt: skip
def test_what_a_lawyer_pays_out_is_a_home_only_if_the_words_say_so(ledger: Ledger, text: str) -> None:
    assert type_of(of(ledger, text, 18_231_741, "HOLT SOLICITORS")) == "other"
    assert type_of(of(ledger, f"HOLT SOLICITORS CLIENT ACCOUNT {text}", 18_231_741)) == "other"


@pytest.mark.parametrize(
    "text",
    ["SALE OF OAK COTTAGE", "SALE 4 OAK RD", "SALE OF LAND AT HOLT", "VENTE 12 R DES LILAS", "VERKAUF LINDENSTRASSE 4", "NET PROCEEDS OF SALE", "SALE PROCEEDS", "COMPLETION MONIES 3 HAY LANE"],
)  # fmt: skip
def test_the_home_that_a_lawyer_names_was_sold(ledger: Ledger, text: str) -> None:
    assert type_of(of(ledger, text, 18_231_741, "HOLT SOLICITORS")) == "property_sale"
    assert type_of(of(ledger, f"HOLT SOLICITORS CLIENT ACCOUNT {text}", 18_231_741)) == "property_sale"


def test_a_cheque_paid_in_is_no_cash(ledger: Ledger) -> None:
    assert type_of(of(ledger, "COUNTER DEPOSIT CK 2207", 64_000)) == "other"
    assert type_of(of(ledger, "COUNTER DEPOSIT 2207", 64_000)) == "cash_deposit"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("VIREMENT EN VOTRE FAVEUR DE MME LEBRUN ODILE REMBOURSEMENT RESTO", "person_transfer"),
        ("VIR SEPA RECU /DE M VASSEUR LOUIS /MOTIF COURSES /REF X1", "person_transfer"),
        ("VIR INST RE 771203 DE MLLE VASSEUR ANNE", "person_transfer"),
        ("VIR SEPA RECU /DE MME LEBRUN ODILE /MOTIF PENSION CHEVAL /REF NOTPROVIDED", "other"),
        ("VIR SEPA RECU /DE SARL VASSEUR BOIS /MOTIF SOLDE TOUT COMPTE", "employment"),
        ("VIR SEPA RECU /FRM LOUIS VASSEUR /EID 7712 /RNF LOYER MAI", "rental_income"),
    ],
)
def test_french_banks_write_the_payer_before_the_motif(ledger: Ledger, text: str, type_: str) -> None:
    assert type_of(of(ledger, text, 18_817)) == type_


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("PROBATE MARGARET HALL", None, "inheritance"),
        ("EXECUTORS OF DOROTHY PUGH", None, "inheritance"),
        ("NACHLASS ERNA MUELLER", None, "inheritance"),
        ("VIR SUCCESSION DUBOIS", None, "inheritance"),
        ("NACHLASS ERNA MUELLER", "RA DR WEBER", "inheritance"),
        ("NACHLASS MUELLER", "KANZLEI WEBER", "inheritance"),
        ("SUCCESSION DUBOIS", "MAITRE LEFEVRE", "inheritance"),
        ("EXECUTORS OF DOROTHY PUGH", "THORNBY LEGAL LTD", "inheritance"),
        ("FINAL DIST", "EST OF MARGARET HALL", "inheritance"),
        ("LEGACY", "P ORMESBY & L ORMESBY EXORS", "inheritance"),
        ("EXECUTORS OF DOROTHY PUGH", "ZEPHYR TRADING LTD", "other"),
        ("NACHLASS MUELLER", "ORBIT HANDELS GMBH", "other"),
        ("SUCCESSION DUBOIS", "M LEFEVRE", "other"),
        ("INHERITANCE BORIS", None, "other"),
        ("NACHLASS", None, "other"),
    ],
)
def test_an_estate_by_a_dead_persons_name_is_one_as_its_sender_says_unless_a_firm_of_another_trade_pays(
    ledger: Ledger, text: str, payer: str | None, type_: str
) -> None:
    wealth = of(ledger, text, 1_823_110, payer)
    assert type_of(wealth) == type_
    assert wealth.credits["evidence_level"].tolist() == [{"other": "none"}.get(type_, "keyword")]


@pytest.mark.parametrize("text", ["KARST BRIDGE CAPITAL LLP LOAN AGREEMENT", "KARST BRIDGE LTD LOAN"])
def test_a_word_after_a_firms_legal_form_does_not_make_the_firm_a_lender(ledger: Ledger, text: str) -> None:
    assert type_of(of(ledger, text, 21_000_000)) == "other"
    assert type_of(of(ledger, "KARST LOANS LTD LOAN", 441_300)) == "loan"


def test_an_estate_is_not_paid_out_month_after_month(ledger: Ledger) -> None:
    assert type_of(of(ledger, "FINAL DIST", 182_311, "EST OF MARGARET HALL", count=12)) == "other"


@pytest.mark.parametrize(
    ("text", "first", "sure"),
    [
        ("RENT", "2025-01-24", "low"),
        ("RENT", "2025-01-01", "medium"),
        ("RENT MILL LANE", "2025-01-24", "medium"),
    ],
)
def test_the_word_rent_from_nobody_is_one_word_until_it_comes_as_rent_does(
    ledger: Ledger, text: str, first: str, sure: str
) -> None:
    days = [pd.Timestamp(first) + pd.DateOffset(months=month) for month in range(10)]
    streams = derive(ledger(*[(str(day.date()), 75_000, text) for day in days]), as_of=AS_OF).streams
    assert streams[["type", "type_confidence"]].to_numpy().tolist() == [["rental_income", sure]]


@pytest.mark.parametrize("text", ["PAYROLL", "WAGES", "RETURN"])
def test_a_payer_of_ordinary_words_pays_the_same_wherever_it_is_named(ledger: Ledger, text: str) -> None:
    pairs = [(f"POTTERY BARN {text}", None), (text, "POTTERY BARN"), (f"POTTERY BARN {text}", "POTTERY BARN")]
    assert len({type_of(of(ledger, one, 75_000, payer, count=10)) for one, payer in pairs}) == 1


def test_a_word_of_what_is_paid_does_not_make_the_payer_a_law_firm(ledger: Ledger) -> None:
    of_stranger = of(ledger, "LEGAL SETTLEMENT KESTREL POINT INC", 6_125_000, "KESTREL POINT INC")
    assert type_of(of_stranger) == "other"
    of_lawyers = of(ledger, "SETTLEMENT HODGE AND TARN LEGAL", 6_125_000, "HODGE AND TARN LEGAL")
    assert type_of(of_lawyers) == "settlement"


@pytest.mark.parametrize("payer", [None, "ALDERNEY MARINE BROKERS", "MISS T WINSLADE", "MOORE LETTINGS LTD"])
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("RENT FLAT 2", ("2025-06-02", "2025-06-02", "2025-06-03", "2025-06-05")),
        ("RENT JUNE 14 ASH GROVE", ("2025-06-02", "2025-06-05", "2025-06-09")),
        ("MIETE WHG 3 OG", ("2025-06-02", "2025-06-03", "2025-06-04", "2025-06-06", "2025-06-10")),
    ],
)
def test_the_rent_of_one_home_paid_again_within_days_is_only_a_word(
    ledger: Ledger, payer: str | None, text: str, days: tuple[str, ...]
) -> None:
    extra = {"counterparty_name": payer} if payer else {}
    rows = [(day, 95_000 + 1_317 * number, text, extra) for number, day in enumerate(days)]
    assert type_of(derive(ledger(*rows), as_of=AS_OF)) == "other"


@pytest.mark.parametrize(
    "rows",
    [
        [("2025-06-02", f"RENT FLAT {flat}") for flat in (1, 2, 3)],
        [(f"2025-{month:02}-02", "RENT FLAT 2") for month in range(1, 7)],
        [(f"2025-06-{day:02}", "RENT FLAT 2") for day in (2, 9, 16, 23)],
    ],
    ids=["three flats on one day", "by the month", "by the week"],
)
def test_rents_of_several_homes_or_of_several_times_are_rent(
    ledger: Ledger, rows: list[tuple[str, str]]
) -> None:
    wealth = derive(
        ledger(*[(day, 95_000, text, {"counterparty_name": "MOORE LETTINGS LTD"}) for day, text in rows]),
        as_of=AS_OF,
    )
    assert type_of(wealth) == "rental_income"


@pytest.mark.parametrize(
    ("text", "amount", "type_"),
    [
        ("ROCKET MTG ESC SURPLUS", 91_233, "other"),
        ("LENDING STREAM", 21_417, "other"),
        ("LENDING STREAM", 21_400, "loan"),
        ("ROCKET MORTGAGE LOAN PROCEEDS", 9_121_733, "loan"),
    ],
)
def test_an_odd_sum_of_a_lender_is_a_loan_only_where_a_word_says_so(
    ledger: Ledger, text: str, amount: int, type_: str
) -> None:
    payer = "ROCKET MORTGAGE LLC" if text.startswith("ROCKET") else "LENDING STREAM"
    wealth = of(ledger, text, amount, payer)
    assert type_of(wealth) == type_
    assert ("left over or paid back" in wealth.credits["reason"].iloc[0]) == (type_ == "other")
