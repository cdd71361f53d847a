"""Wages of offices that also pay the public, fees of panel doctors, and prices that a notary pays out."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def judged(
    ledger: Ledger, country: str, payer: str | None, text: str, amount: int, count: int, every: str = "28D"
) -> tuple[set[str], set[str]]:
    """Return the types of payments, and the confidence in them."""
    more = {"counterparty_name": payer, "currency": "GBP" if country == "GB" else "EUR"}
    days = pd.date_range("2025-03-06", periods=count, freq=every)
    rows = ((str(day.date()), amount + 17 * number, text, more) for number, day in enumerate(days))
    wealth = derive(ledger(*rows), country=country, as_of="2025-12-31")
    types = set(wealth.credits["type"].astype("string").fillna("other"))
    return types, set(wealth.streams["type_confidence"])


@pytest.mark.parametrize("count", [3, 8])
@pytest.mark.parametrize(
    ("country", "payer", "text", "every"),
    [
        ("IE", "REVENUE COMMISSIONERS", "NSSO PAY REVENUE", "14D"),
        ("IE", "REVENUE COMMISSIONERS", "SALARY 00412", "14D"),
        ("IE", "REVENUE COMMISSIONERS", "NSSO PAY REVENUE", "7D"),
        ("GB", "HM REVENUE & CUSTOMS", "HMRC PAY 88121", "28D"),
        ("GB", "HM REVENUE & CUSTOMS", "HMRC SALARIES", "28D"),
        ("GB", "HMRC", "HMRC PAYROLL", "28D"),
        ("GB", "HMRC", "WAGES", "14D"),
        ("GB", "DWP", "DWP SALARY", "28D"),
    ],
)
def test_an_office_that_pays_wages_is_an_employer_by_the_words_alone(
    ledger: Ledger, country: str, payer: str, text: str, every: str, count: int
) -> None:
    types, sure = judged(ledger, country, payer, text, 141_122, count, every)
    assert types == {"employment"}
    assert "high" not in sure


@pytest.mark.parametrize(
    ("country", "payer", "text", "count", "every", "type_"),
    [
        ("GB", "HMRC", "HMRC CHILD BENEFIT", 5, "28D", "state_benefit"),
        ("GB", "HMRC", "HMRC WTC", 5, "14D", "state_benefit"),
        ("GB", "HMRC", "HMRC PAYE REFUND", 1, "28D", "tax_refund"),
        ("GB", "HMRC", "HMRC PAY", 1, "28D", "tax_refund"),
        ("IE", "REVENUE COMMISSIONERS", "REVENUE PAY REFUND VAT", 1, "28D", "tax_refund"),
    ],
)
def test_an_offices_benefits_and_refunds_stay_what_they_are(
    ledger: Ledger, country: str, payer: str, text: str, count: int, every: str, type_: str
) -> None:
    assert judged(ledger, country, payer, text, 10_240, count, every)[0] == {type_}


@pytest.mark.parametrize(
    ("payer", "text", "count"),
    [
        ("Kassenärztliche Vereinigung Nordrhein", "KVNO RESTZAHLUNG 1/25", 4),
        ("Kassenaerztliche Vereinigung Hessen", "KVH HONORAR Q2", 1),
        ("KV Bayerns", "KVB ABSCHLAG 04/25 BSNR 99", 3),
        ("KZV Baden-Wuerttemberg", "KZV BW ABSCHLAGSZAHLUNG", 3),
        ("Kassenzahnärztliche Vereinigung Sachsen", "HONORARABSCHLAG", 1),
        ("Kassenärztl. Vereinigung Berlin", "Abschlagszahlung", 3),
        ("KVBW", "RESTZAHLUNG 4/24", 1),
    ],
)
def test_what_a_panel_association_pays_is_the_income_of_a_practice(
    ledger: Ledger, payer: str, text: str, count: int
) -> None:
    assert judged(ledger, "DE", payer, text, 1_281_122, count)[0] == {"self_employment"}


@pytest.mark.parametrize(
    ("payer", "text", "type_"),
    [
        ("Kassenärztliche Vereinigung Nordrhein", "GEHALT 06/25", "employment"),
        ("Bauverein Nord eG", "ABSCHLAG 3/25", "other"),
        ("DRK KV Bremen", "ABSCHLAG 3/25", "other"),
        ("Kunstvereinigung Hessen", "RESTZAHLUNG", "other"),
    ],
)
def test_a_panel_association_also_employs_and_others_pay_in_parts_too(
    ledger: Ledger, payer: str, text: str, type_: str
) -> None:
    assert judged(ledger, "DE", payer, text, 281_122, 3)[0] == {type_}


@pytest.mark.parametrize(
    ("payer", "text"),
    [
        ("Notarin Petra Hold Anderkonto", "KAUFPREIS URNR 88/2025"),
        ("Notar Dr. J. Behn Anderkto", "KPR Gemarkung Rodau Flst 12/4"),
        ("Notariat Behn und Kolle", "URNR 14/25 FLURSTUECK 9"),
        ("Notar Behn Anderkonto", "KAUFPREISRATE Grundstück"),
    ],
)
def test_the_price_that_a_notary_pays_out_is_a_property_sale(ledger: Ledger, payer: str, text: str) -> None:
    assert judged(ledger, "DE", payer, text, 18_650_000, 1)[0] == {"property_sale"}


@pytest.mark.parametrize(
    ("payer", "text"),
    [
        ("Notar Behn Anderkonto", "AUSZAHLUNG 14/25"),
        ("Autohaus Behn GmbH", "KPR 14/25"),
        ("Karl Behn", "KPR Flst 14"),
    ],
)
def test_without_the_notary_or_the_words_it_stays_open(ledger: Ledger, payer: str, text: str) -> None:
    assert judged(ledger, "DE", payer, text, 9_650_000, 1)[0] <= {"other", "person_transfer"}


@pytest.mark.parametrize(
    ("country", "payer", "text", "type_"),
    [
        ("GB", "UNUM LIMITED", "UNUM LTD GIP 00611834", "settlement"),
        ("GB", "CANADA LIFE LTD", "GROUP INCOME PROTECTION 4471", "settlement"),
        ("IE", "", "REVENUE COMMRS PREM 2 REF", "tax_refund"),
        ("GB", "HARWELL TOOLS LTD", "GIP 00611834", "other"),
    ],
)
def test_short_names_of_offices_and_of_cover_are_read(
    ledger: Ledger, country: str, payer: str, text: str, type_: str
) -> None:
    assert judged(ledger, country, payer or None, text, 73_311, 1)[0] == {type_}


@pytest.mark.parametrize(
    ("country", "payer", "text"),
    [
        ("FR", "SCP BRUNEL ET LACAZE NOTAIRES", "VIR SCP BRUNEL ET LACAZE NOTAIRES VENTE ROCHER/TISSOT"),
        ("FR", "", "VIR OFFICE NOTARIAL BRUNEL VENTE ROCHER A TISSOT"),
        ("DE", "Notar Dr. Behn", "Kaufvertrag Lindner/Voss"),
        ("DE", "Notarin Petra Hold", "KV Lindner ./. Voss UR 12/24"),
        ("DE", "Notare Behn und Hold", "Verkauf Lindner an Voss"),
        ("IT", "NOTAIO BELLINI", "VENDITA CONTI/FERRERO"),
        ("NL", "DE WIT NOTARISSEN", "VERKOOP JANSEN/BAKKER"),
    ],
)
def test_what_a_notary_calls_a_sale_by_its_parties_is_that_of_a_home(
    ledger: Ledger, country: str, payer: str, text: str
) -> None:
    types, sure = judged(ledger, country, payer or None, text, 16_430_000, 1)
    assert types == {"property_sale"}
    assert not sure


@pytest.mark.parametrize(
    ("country", "payer", "text", "type_"),
    [
        ("FR", "SCP BRUNEL NOTAIRES", "VENTE TABLEAU", "other"),
        ("FR", "SCP BRUNEL NOTAIRES", "VENTE", "other"),
        ("FR", "SCP BRUNEL NOTAIRES", "VENTE COLLECTION", "other"),
        ("FR", "SCP BRUNEL NOTAIRES", "VENTE ACTIFS", "other"),
        ("FR", "SCP BRUNEL NOTAIRES", "VENTE FONDS ROCHER", "business_sale"),
        ("FR", "SCP BRUNEL NOTAIRES", "SUCCESSION ROCHER", "inheritance"),
        ("FR", "SELARL BRUNEL AVOCATS", "VENTE ROCHER/TISSOT", "other"),
        ("FR", "SCP BRUNEL HUISSIERS", "VENTE ROCHER/TISSOT", "other"),
        ("FR", "BRUNEL NOTAIRES HOLDING", "VENTE ROCHER/TISSOT", "other"),
        ("FR", "BRUNEL NEGOCE SARL", "VENTE ROCHER/TISSOT NOTAIRE", "other"),
        ("DE", "Notar Dr. Behn", "Verkauf Maschine", "other"),
        ("DE", "Kanzlei Behn", "Kaufvertrag Lindner/Voss", "other"),
        ("IE", "BYRNE HALLORAN SOLICITORS", "SALE MURPHY TO KELLY", "other"),
        ("GB", "NOTARY PUBLIC SMIT", "SALE KLINE/BERG", "other"),
    ],
)
def test_another_thing_or_another_office_that_sells_is_not_taken_for_it(
    ledger: Ledger, country: str, payer: str, text: str, type_: str
) -> None:
    assert judged(ledger, country, payer, text, 16_430_000, 1)[0] == {type_}


@pytest.mark.parametrize(
    ("payer", "text", "type_"),
    [
        ("", "NHS BSA PAYROLL", "employment"),
        ("", "NHSBSA PAYROLL", "employment"),
        ("NHSBSA", "NHSBSA PAYROLL", "employment"),
        ("NHS BUSINESS SERVICES AUTHORITY", "PAYROLL 88121", "employment"),
        ("", "NHSBSA PENS PAYROLL", "pension"),
        ("NHSBSA", "PENSIONS PAYROLL", "pension"),
        ("NHSBSA", "PENSION 88121", "pension"),
        ("NHSBSA", "NHSBSA", "other"),
        ("", "BREWERY PENSION FUND PAYROLL", "pension"),
    ],
)
def test_the_payroll_of_an_authority_that_also_pays_pensions_is_that_of_its_staff(
    ledger: Ledger, payer: str, text: str, type_: str
) -> None:
    assert judged(ledger, "GB", payer or None, text, 182_033, 12)[0] == {type_}


@pytest.mark.parametrize(
    ("payer", "text"),
    [("NHS BSA", "RETIREMENT LUMP SUM"), ("", "NHSBSA LUMP SU EB 77120"), ("", "NHSBSA PENS LS 77120")],
)
def test_an_authority_that_pays_a_lump_sum_still_pays_a_pension(
    ledger: Ledger, payer: str, text: str
) -> None:
    assert judged(ledger, "GB", payer or None, text, 3_820_033, 1)[0] == {"pension"}
