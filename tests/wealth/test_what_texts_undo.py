"""Texts that take back what one of their words says: sent back, sent by mistake, to be passed on, bought instead of let."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]


def monthly(
    ledger: Ledger, text: str, amounts: Sequence[int], country: str = "GB", **more: str | None
) -> Wealth:
    days = pd.date_range("2025-01-28", periods=len(amounts), freq="MS") + pd.Timedelta(days=27)
    rows = [(day, amount, text, more) for day, amount in zip(days, amounts, strict=True)]
    return derive(ledger(*rows), country=country, as_of="2025-12-31")


def said(wealth: Wealth) -> set[str]:
    """What is said of the credits: a type, or that they came back."""
    return set(wealth.credits["type"].where(wealth.credits["disposition"] != "refund", "refund").astype(str))


SIX = [180_000] * 6


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("RENTE FEHLUEBERWEISUNG ZURUECK", "DE"),
        ("GEHALT FEHLÜBERWEISUNG", "DE"),
        ("LOHN IRRTUEMLICH UEBERWIESEN", "DE"),
        ("MIETE ZURUECK", "DE"),
        ("PENSION WRONG TRANSFER BACK", "GB"),
        ("SALARY SENT BY MISTAKE", "GB"),
        ("RENT MISDIRECTED PAYMENT", "GB"),
        ("LOYER VIREMENT ERRONE", "FR"),
        ("SALAIRE ERREUR DE VIREMENT", "FR"),
        ("NOMINA TRANSFERENCIA ERRONEA", "ES"),
        ("STIPENDIO BONIFICO ERRATO", "IT"),
    ],
)
def test_money_sent_by_mistake_is_no_income(ledger: Ledger, text: str, country: str) -> None:
    assert said(monthly(ledger, text, SIX, country)) <= {"other", "refund"}


@pytest.mark.parametrize(
    "text",
    [
        "AUFTRAG PAKETSERVICE LOHN 8% EINBEHALTEN REST WEITERLEITEN",
        "SALARY KEEP 10% AND SEND ON THE REST",
        "WAGES FORWARD THE BALANCE AS AGREED",
        "SALAIRE GARDEZ 5% ET REVERSEZ LE SOLDE",
        "PAYROLL TO BE FORWARDED TO SUPPLIER",
    ],
)
@pytest.mark.parametrize("name", [None, "Jelena Marusic", "Orben Supplies Ltd"])
def test_money_that_is_to_be_passed_on_is_nobodys_pay(ledger: Ledger, text: str, name: str | None) -> None:
    for amounts in ([389_000, 412_000], SIX):
        wealth = monthly(ledger, text, amounts, counterparty_name=name)
        assert said(wealth) <= {"other", "person_transfer"}


def test_a_word_for_sending_alone_takes_nothing_back(ledger: Ledger) -> None:
    assert said(monthly(ledger, "FORWARD HOUSING LTD SALARY", [213_417] * 6)) == {"employment"}
    assert said(monthly(ledger, "WEITER GMBH GEHALT", [213_417] * 6, "DE")) == {"employment"}


@pytest.mark.parametrize("form", ["FZE", "FZCO", "DMCC", "BVI LTD", "SEYCHELLES IBC"])
@pytest.mark.parametrize("word", ["SALARY", "CONSULTANCY FEES", "DIVIDEND"])
def test_what_a_firm_of_a_free_zone_calls_its_payments_shows_nothing(
    ledger: Ledger, form: str, word: str
) -> None:
    for amounts in (SIX, [183_417, 183_417, 191_230, 183_417, 183_417, 183_417, 183_417]):
        assert said(monthly(ledger, f"JADE PALM TRADING {form} {word}", amounts)) == {"other"}


def test_pay_from_a_company_of_a_neighbouring_register_is_pay(ledger: Ledger) -> None:
    assert said(monthly(ledger, "TARTU TARKVARA OU SALARY", [213_417] * 6)) == {"employment"}


@pytest.mark.parametrize(
    "text",
    [
        "RENTAL BIKE BOUGHT FROM YOU",
        "PENSION SIDEBOARD BOUGHT OFF YOU",
        "LOYER TABLE ACHETEE A TOI",
        "MIETE SCHRANK DIR ABGEKAUFT",
    ],
)
def test_what_was_bought_is_not_let(ledger: Ledger, text: str) -> None:
    assert said(monthly(ledger, text, [4_000])) <= {"asset_sale", "other"}
    assert said(monthly(ledger, text, SIX)) <= {"asset_sale", "other"}


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("EXPENSES CLAIMED", "GB"),
        ("ACME LTD EXPENSES CLAIM 0425", "GB"),
        ("ACME LTD MILEAGE CLAIM", "GB"),
        ("ACME GMBH REISEKOSTEN", "DE"),
        ("ACME GMBH SPESENABRECHNUNG", "DE"),
        ("SARL MOREL NOTE DE FRAIS", "FR"),
    ],
)
def test_expenses_are_paid_back_and_are_no_pay(ledger: Ledger, text: str, country: str) -> None:
    assert said(monthly(ledger, text, [18_437, 7_215, 22_140], country)) == {"refund"}
    assert said(monthly(ledger, text, [480_000] * 6, country)) == {"other"}


@pytest.mark.parametrize(
    ("text", "payer", "country"),
    [
        ("UNIV LEEDS EXP CLAIM 7718", "UNIVERSITY OF LEEDS", "GB"),
        ("GITLAB GMBH AUSLAGEN HOMEOFFICE", "GitLab GmbH", "DE"),
        ("SPESEN 06/25", "Hollenbeck GmbH", "DE"),
        ("VIR MOREL FRAIS DE MISSION", "SARL MOREL", "FR"),
    ],
)
def test_expenses_beside_pay_are_not_in_its_stream(
    ledger: Ledger, text: str, payer: str, country: str
) -> None:
    named = {"counterparty_name": payer}
    pay = {"GB": "PAYROLL", "DE": "GEHALT", "FR": "PAIE"}[country]
    rows = [(f"2025-{month:02d}-28", 231_290, f"{payer} {pay}", named) for month in range(1, 8)]
    wealth = derive(ledger(*rows, ("2025-04-09", 6_120, text, named)), country=country, as_of="2025-08-02")
    assert wealth.streams["total_minor"].tolist() == [7 * 231_290]
    assert "refund" in said(wealth)


@pytest.mark.parametrize(
    ("text", "payer", "country"),
    [
        ("SCHOLARSHIP PAYMENT", "UNIVERSITY OF LEEDS", "GB"),
        ("LEEDS BURSARY 25/26", "UNIVERSITY OF LEEDS", "GB"),
        ("MUSIC SCHOLARSHIP", "UNIVERSITY OF NEWTOWN", "GB"),
        ("DEUTSCHLANDSTIPENDIUM WS25/26", "Universität Leipzig", "DE"),
        ("PHD STIPEND", "UNIVERSITY OF LEEDS", "GB"),
        ("EPSRC STIPEND Q2", "UNIVERSITY OF BRISTOL", "GB"),
        ("STIPEND 0427", "UNIVERSITY OF BRISTOL", "GB"),
        ("TRAINING ALLOWANCE", "CORK ETB", "IE"),
        ("SUSI MAINT GRANT", "CITY OF DUBLIN ETB", "IE"),
        ("PROMOTIONSSTIPENDIUM", "TU Dresden", "DE"),
        ("BOURSE DE MERITE", "UNIVERSITE DE BORDEAUX", "FR"),
    ],
)
def test_a_grant_to_study_is_no_pay_though_a_university_employs_people(
    ledger: Ledger, text: str, payer: str, country: str
) -> None:
    assert said(monthly(ledger, text, [30_000] * 9, country, counterparty_name=payer)) == {"other"}


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("PAYROLL 8812", "UNIVERSITY OF LEEDS"),
        ("STAFF BURSARY TEAM SALARY", "UNIVERSITY OF LEEDS"),
        ("SALARY", "SCHOLARSHIP AMERICA"),
    ],
)
def test_pay_of_a_university_or_from_an_office_for_grants_is_pay(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(monthly(ledger, text, [165_022] * 9, counterparty_name=payer)) == {"employment"}


@pytest.mark.parametrize(
    "text", ["ESTATE INHERITANCE CRYPTO PROFIT", "BITCOIN WITHDRAWAL", "CRYPTO PROFIT", "LOTTERY WINNINGS"]
)
@pytest.mark.parametrize(
    "payer", ["TRUSTWAY ESCROW SERVICES INTL", "HALDANE SOLICITORS", "GARNET TITLE AGENCY"]
)
def test_an_office_that_holds_money_for_others_pays_out_no_coins_and_no_winnings(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(monthly(ledger, text, [7_250_000], counterparty_name=payer)) == {"other"}


def test_a_commission_in_the_payers_name_is_no_bonus(ledger: Ledger) -> None:
    named = {"counterparty_name": "STATE EXAMINATIONS COMMISSION"}
    wealth = monthly(ledger, "SEC 20417", [61_200], "IE", **named)
    assert not wealth.credits["bonus"].any()
    assert monthly(ledger, "COMMISSION JUNE", [61_200], counterparty_name="TARN LTD").credits["bonus"].all()


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("FROM MY OWN ACCOUNT", "GB"),
        ("VON MEINEM KONTO", "DE"),
        ("DE MON COMPTE", "FR"),
        ("MY OWN ACCOUNT", "GB"),
    ],
)
def test_the_customers_own_word_for_an_account_is_savings_that_prove_nothing(
    ledger: Ledger, text: str, country: str
) -> None:
    wealth = monthly(ledger, text, SIX, country)
    assert said(wealth) == {"savings"}
    assert wealth.statement("C1").primary_source is None


@pytest.mark.parametrize(
    "name", ["DR PATEL SURGERY", "DR A PATEL DENTAL PRACTICE", "DR WEBER PRAXIS", "PROF KLEIN KLINIK"]
)
def test_a_practice_called_after_a_doctor_is_a_firm(ledger: Ledger, name: str) -> None:
    assert said(monthly(ledger, f"{name} LOCUM FEES", [92_340, 88_120, 91_000, 94_455, 92_340, 90_210])) == {
        "self_employment"
    }
    assert said(monthly(ledger, f"{name} SALARY", [213_417] * 6)) == {"employment"}


def test_a_doctor_who_pays_for_a_school_is_a_person(ledger: Ledger) -> None:
    assert said(monthly(ledger, "DR PATEL", [18_000] * 6)) == {"person_transfer"}


@pytest.mark.parametrize("purpose", ["SALA", None])
def test_uneven_sums_of_a_private_person_are_not_pay(ledger: Ledger, purpose: str | None) -> None:
    sums = [123_400, 87_000, 210_050, 45_000, 99_000, 178_000]
    wealth = monthly(ledger, "Gehalt", sums, "DE", counterparty_name="Peter Klein", purpose=purpose)
    assert said(wealth) == {"person_transfer"}


def test_a_carer_whom_a_private_person_pays_by_the_month_is_paid(ledger: Ledger) -> None:
    sums = [53_817, 53_817, 53_817, 56_120, 53_817, 53_817]
    wealth = monthly(ledger, "Gehalt Minijob", sums, "DE", counterparty_name="Peter Klein", purpose="SALA")
    assert said(wealth) == {"employment"}
    assert set(wealth.streams["type_confidence"]) == {"low"}


def test_large_sums_within_days_are_not_pay(ledger: Ledger) -> None:
    sums = zip(
        ["2025-06-02", "2025-06-03", "2025-06-03", "2025-06-06"], [1990, 1995, 1980, 1990], strict=True
    )
    for name in ("Mei Ling Zhou", "Orben Supplies Ltd", "Kelda Vance"):
        rows = [
            (day, 100 * amount, "DIRECT DEP PAYROLL", {"counterparty_name": name}) for day, amount in sums
        ]
        wealth = derive(ledger(*rows), country="US", as_of="2025-12-31")
        assert "employment" not in said(wealth)


@pytest.mark.parametrize(
    "price", ["SALE PRICE", "PURCHASE PRICE", "PRECIO DE VENTA", "KAUFPREIS", "PRIX DE VENTE"]
)
def test_a_price_is_for_property_if_a_notary_or_solicitor_pays_it(ledger: Ledger, price: str) -> None:
    for text, name in (
        (f"{price} 14 ELM ROAD", "HARTLEY AND CO SOLICITORS"),
        (f"{price} 14 ELM ROAD", "Notar Dr. Weiss"),
        (f"HARTLEY SOLICITORS {price}", None),
    ):
        assert said(monthly(ledger, text, [28_512_340], counterparty_name=name)) == {"property_sale"}
    for name in (None, "Orben Supplies Ltd", "Klaus Behrens"):
        assert said(monthly(ledger, price, [28_500_000], counterparty_name=name)) <= {
            "other",
            "person_transfer",
        }


def test_one_refund_of_two_purchases_is_confirmed_by_both(ledger: Ledger) -> None:
    bought = [("2025-05-01", -150_000, "ZARA LEEDS"), ("2025-05-03", -132_000, "ZARA LEEDS")]
    back = ("2025-05-10", 282_000, "ZARA LEEDS REFUND")
    wealth = derive(ledger(*bought, back), as_of="2025-12-31")
    assert wealth.credits["disposition"].tolist() == ["refund"]
    again = derive(ledger(*bought, back, ("2025-05-12", *back[1:])), as_of="2025-12-31")
    assert sorted(again.credits["disposition"]) == ["refund", "unexplained"]
    more = derive(ledger(*bought, ("2025-05-10", 282_100, "ZARA LEEDS REFUND")), as_of="2025-12-31")
    assert more.credits["disposition"].tolist() == ["unexplained"]
