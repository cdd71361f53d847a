"""Funds whose names hold the trade of their members: the head of the name decides."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

from kycpack.wealth import derive


@pytest.mark.parametrize(
    ("payer", "text", "country", "expected"),
    [
        ("BAKERY WORKERS PENSION FUND", "PAYROLL", "GB", "pension"),
        (None, "BAKERY WORKERS PENSION PAYROLL", "GB", "pension"),
        ("HAIRDRESSERS PENSION TRUST", "BENEFIT", "GB", "pension"),
        ("CAISSE DE RETRAITE DU BATIMENT", "VIREMENT", "FR", "pension"),
        (None, "CAISSE RETRAITE BOULANGERIE", "FR", "pension"),
        ("PENSIOENFONDS BOUW", "UITKERING", "NL", "pension"),
        ("FONDO PENSIONI ELETTRICI", "BONIFICO", "IT", "pension"),
        ("ELAKEKASSA RAKENTAJAT", "TILISIIRTO", "FI", "pension"),
        ("BERUFSGENOSSENSCHAFT METALL", "RENTE", "DE", "state_benefit"),
        ("BAU BERUFSGENOSSENSCHAFT", "UNFALLRENTE", "DE", "state_benefit"),
        # What is not a fund stays what it is.
        ("CROSS PENS LTD", "CROSS PENS LTD", "GB", "other"),
        ("PENSION CONSULTANTS LTD", "SALARY", "GB", "employment"),
        ("BOULANGERIE DUPONT", "RETRAITE", "FR", "other"),
    ],
)
def test_the_head_of_a_funds_name_decides(payer: str | None, text: str, country: str, expected: str) -> None:
    rows = [
        {
            "customer_id": "C",
            "account_id": "A",
            "txn_id": f"T{month}",
            "booked_on": pd.Timestamp(dt.date(2026, month, 26)),
            "amount_minor": 93_417,
            "currency": "GBP" if country == "GB" else "EUR",
            "description_raw": text,
            "counterparty_name": payer,
        }
        for month in range(1, 7)
    ]
    wealth = derive(pd.DataFrame(rows), country=country, as_of=dt.date(2026, 6, 30))
    assert set(wealth.credits["type"].fillna("other")) == {expected}
