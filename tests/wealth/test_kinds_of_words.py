"""Words of whole classes: payroll, farms, lets, schemes, savings and claims, as systems and banks print them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("WEAVERHAM BAKERS P45 88", "employment"),
        ("TRONCMASTER CASTLE INN 4", "employment"),
        ("AUSHILFSLOHN KW 22 BLUMEN HARTWIG", "employment"),
        ("STC SOLDE TT COMPTE LEROUX BATIMENT", "employment"),
        ("SUPERANN NI LOCAL GOVT", "pension"),
        ("ARF INCOME 7712", "pension"),
        ("WITWENRENTE 5512", "state_benefit"),
        ("VA CH35 DEA 5512", "state_benefit"),
        ("HSG BEN LHA 5512", "state_benefit"),
        ("MILK CHEQUE MAY LITRES", "business_income"),
        ("AIDES PAC 2025", "business_income"),
        ("MERCH SETTL 5512", "business_income"),
        ("NOTE HONO 17 LEVEE", "self_employment"),
        ("SHEEP SHEARING 212 HD", "self_employment"),
        ("VERMITTLUNGSPROVISION 5512", "self_employment"),
        ("WAYLEAVE POLES 5512", "rental_income"),
        ("GRAZING KEEP 9AC", "rental_income"),
        ("LOYER STUDIO JUIN", "rental_income"),
        ("CLOTURE LEP 5512", "savings"),
        ("ISA TO CURRENT 5512", "savings"),
        ("NOTES PAID IN 5512", "cash_deposit"),
        ("EC261 COMP 5512", "settlement"),
        ("HAFTPFLICHTSCHADEN 5512", "settlement"),
        ("EXORS T BELL PEC LEGACY", "inheritance"),
        ("COMPL FUNDS LAND AT COOMBE", "property_sale"),
        ("DEF CONSIDERATION YR1", "business_sale"),
        ("DARLEHENSAUSZ 5512", "loan"),
        ("GILT CPN 5512", "investment_income"),
        ("INTERETS LDDS 2024", "interest"),
        ("MOTORRAD VERKAUF 5512", "asset_sale"),
        ("EUROJACKPOT 5512", "gambling"),
        ("CTAX REFUND 5512", "tax_refund"),
    ],
)
def test_what_banks_and_systems_print_is_read(ledger: Ledger, text: str, type_: str) -> None:
    wealth = derive(ledger(("2025-06-27", 123_456, text)), as_of="2025-12-31")
    assert wealth.credits["type"].tolist() == [type_]


@pytest.mark.parametrize(
    "text", ["RTD SEPA AC CLOSED", "KAUTION ZURUECK HV", "VIR REJETE 5512", "STO UNPAID 5512"]
)
def test_what_comes_back_is_a_refund(ledger: Ledger, text: str) -> None:
    wealth = derive(ledger(("2025-06-27", 43_456, text)), as_of="2025-12-31")
    assert wealth.credits["disposition"].tolist() == ["refund"]


@pytest.mark.parametrize(
    ("text", "type_"),
    [("COUNTER CREDIT MORPETH", "cash_deposit"), ("COUNTER CREDIT CHQ MORPETH", "other")],
)
def test_what_is_paid_in_over_a_counter_is_cash_unless_it_is_a_cheque(
    ledger: Ledger, text: str, type_: str
) -> None:
    wealth = derive(ledger(("2025-06-27", 43_456, text)), as_of="2025-12-31")
    assert wealth.credits["type"].astype("string").fillna("other").tolist() == [type_]


def _paid_monthly(ledger: Ledger, text: str, **said: object) -> pd.DataFrame:
    rows = [(f"2025-{month:02d}-27", 220_000, text) for month in range(1, 13)]
    return derive(ledger(*rows, **said), as_of="2025-12-31").streams


@pytest.mark.parametrize("name", ["REFUND", "REFUND LTD", "Refunds", "REVERSAL LTD"])
@pytest.mark.parametrize("text", ["SALARY", "{name} SALARY", "WAGES MAY"])
def test_a_firm_called_by_a_word_pays_what_the_payment_says(ledger: Ledger, name: str, text: str) -> None:
    streams = _paid_monthly(ledger, text.format(name=name), counterparty_name=name)
    assert streams["type"].tolist() == ["employment"]
    # Where the payment says nothing, or the same, the word is all there is.
    assert _paid_monthly(ledger, "MAY", counterparty_name=name).empty
    assert _paid_monthly(ledger, "REFUND OF SALARY", counterparty_name="ACME LTD").empty


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("REFUND RIGHTS LTD WAGES", "employment"),
        ("SWIFT REFUNDS LTD SALARY", "employment"),
        ("REFUND RIGHTS LTD PENSION", "pension"),
        ("DIVIDEND CLEANING LTD WAGES", "employment"),
        ("PENSION PLUMBING LTD PENSION", "pension"),
        ("DIVIDEND HOTEL CHOCOLAT PLC", "investment_income"),
        ("PENSION SERVICES LTD", "pension"),
        ("DIVIDEND CLEANING LTD", "other"),
        ("PENSION PLUMBING LTD", "other"),
        ("LETTINGS ROOFING LTD", "other"),
        ("BONUS CATERING LTD", "other"),
        ("LOAN CONSTRUCTION LLC", "other"),
    ],
)
def test_a_legal_form_closes_the_name_and_what_follows_is_what_is_paid(
    ledger: Ledger, text: str, type_: str
) -> None:
    streams = _paid_monthly(ledger, text)
    assert streams["type"].tolist() == [type_]
    assert streams["type_confidence"].tolist() != ["high"] or type_ == "investment_income"
    named = _paid_monthly(ledger, text, counterparty_name=text.partition(" LTD")[0] + " LTD")
    assert type_ in ("investment_income", "pension", "other") or named["type"].tolist() == [type_]


@pytest.mark.parametrize(
    "text",
    [
        "REFUND ACME LTD INVOICE 12",
        "REFUND ACME LTD",
        "REFUNDED ACME LTD SALARY",
        "RUECKBUCHUNG KRAUS GMBH GEHALT",
    ],
)
def test_what_can_be_paid_back_before_a_firms_name_is_a_refund_of_it(ledger: Ledger, text: str) -> None:
    wealth = derive(ledger(("2025-06-27", 43_456, text)), as_of="2025-12-31")
    assert wealth.credits["disposition"].tolist() == ["refund"]
