"""Damages of accidents that lawyers pay out, compensation for a delay, and what suppliers give back for bad service."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def judged(ledger: Ledger, country: str, payer: str | None, text: str, amount: int) -> str:
    """Return the type of a single payment, or its disposition if that is a refund."""
    currency = {"GB": "GBP", "US": "USD"}.get(country, "EUR")
    row = ("2025-03-06", amount, text, {"counterparty_name": payer, "currency": currency})
    wealth = derive(ledger(row), country=country, as_of="2025-12-31")
    assert set(wealth.streams["type_confidence"]) <= {"low"}
    credit = wealth.credits.iloc[0]
    return "refund" if credit["disposition"] == "refund" else str(credit["type"])


@pytest.mark.parametrize(
    ("country", "payer", "text"),
    [
        ("GB", "TRESCOTT INJURY L", "TRESCOTT INJURY L DAMAGES RTA 0921"),
        ("US", "KERR TRIAL LAWYERS", "CAR ACCIDENT"),
        ("DE", "Rechtsanwalt Behn", "Personenschaden Lindner"),
        ("DE", "RAe Behn und Hold", "VU Regulierung 12.3.24"),
        ("FR", "SELARL BRUNEL AVOCATS", "PREJUDICE CORPOREL"),
        ("FR", "SELARL BRUNEL AVOCATS", "ACCIDENT DE LA ROUTE ROCHER"),
    ],
)
def test_what_lawyers_pay_out_for_an_accident_is_a_settlement(
    ledger: Ledger, country: str, payer: str, text: str
) -> None:
    assert judged(ledger, country, payer, text, 926_031) == "settlement"


@pytest.mark.parametrize(
    ("payer", "text"),
    [
        ("VALMY TRADING LTD", "DAMAGES RTA 0921"),
        ("VALMY TRADING LTD", "RTA INJURY LAW DAMAGES"),
        ("VALMY INJURY LAW HOLDINGS", "RTA DAMAGES"),
        ("VALMY ACCIDENT REPAIRS LTD", "DAMAGES RTA 0921"),
        ("J TRESCOTT", "CAR ACCIDENT"),
        ("SMITH LAW", "RTA"),
        ("SMITH LAW LLC", "MVA"),
        (None, "VALMY TRADING LTD DAMAGES RTA PERSONAL INJURY L"),
    ],
)
def test_nobody_else_is_believed_who_writes_it(ledger: Ledger, payer: str | None, text: str) -> None:
    assert judged(ledger, "GB", payer, text, 926_000) == "other"


@pytest.mark.parametrize(
    ("country", "payer", "text"),
    [
        ("GB", None, "GWR DELAY REPAY 3888133"),
        ("US", "DELTA AIR LINES", "FLIGHT DELAY 0921"),
        ("DE", "DB Vertrieb GmbH", "Verspätungsentschädigung"),
        ("DE", "Lufthansa", "Fluggastentschädigung"),
        ("DE", "Lufthansa", "Ausgleichszahlung Flug"),
        ("FR", "AIR FRANCE", "INDEMNITE VOL RETARDE"),
        ("FR", "SNCF", "GARANTIE VOYAGE"),
    ],
)
def test_compensation_for_a_delay_is_a_settlement(
    ledger: Ledger, country: str, payer: str | None, text: str
) -> None:
    assert judged(ledger, country, payer, text, 14_731) == "settlement"


@pytest.mark.parametrize(
    ("country", "payer", "text"),
    [
        ("GB", "BT GROUP", "GOODWILL PAYMENT"),
        ("GB", "BRITISH GAS", "GUARANTEED STANDARDS PAYMENT"),
        ("US", "COMCAST", "SERVICE CREDIT OUTAGE"),
        ("DE", "Vodafone GmbH", "Kulanz 88213"),
        ("FR", "ENGIE", "GESTE COMMERCIAL"),
    ],
)
def test_what_a_supplier_gives_for_bad_service_is_money_back(
    ledger: Ledger, country: str, payer: str, text: str
) -> None:
    assert judged(ledger, country, payer, text, 3_000) == "refund"


@pytest.mark.parametrize(
    ("payer", "text"),
    [
        ("VALMY TRADING LTD", "GOODWILL PAYMENT"),
        ("VALMY TRADING LTD", "DELAY REPAY"),
        ("VALMY NEGOCE SARL", "INDEMNITE RETARD"),
    ],
)
def test_an_unknown_firm_that_writes_so_of_a_large_sum_is_not_believed(
    ledger: Ledger, payer: str, text: str
) -> None:
    assert judged(ledger, "GB", payer, text, 1_250_000) == "other"
