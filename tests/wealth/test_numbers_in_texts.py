"""Numbers in texts: joined to a word, and of an invoice that is paid again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]
_NO_NATURE = {"other", "person_transfer"}
_MONTHS = ("2025-03-05", "2025-04-04", "2025-05-05", "2025-06-05", "2025-07-04", "2025-08-05")


def judged(
    ledger: Ledger, payer: str, texts: Sequence[str], amounts: Sequence[int], country: str = "GB"
) -> tuple[set[str], set[str]]:
    """Return the types of monthly payments, and the confidence in them."""
    currency = {"GB": "GBP", "US": "USD"}.get(country, "EUR")
    rows = (
        (day, amount, texts[number % len(texts)], {"counterparty_name": payer, "currency": currency})
        for number, (day, amount) in enumerate(zip(_MONTHS, amounts, strict=False))
    )
    wealth = derive(ledger(*rows), country=country, as_of="2025-12-31")
    types = set(wealth.credits["type"].astype("string").fillna("other"))
    return types, set(wealth.streams["type_confidence"])


@pytest.mark.parametrize(
    ("country", "payer", "text", "type_"),
    [
        ("GB", "LINCOLNSHIRE COUNTY COUNCIL", "LINCS CC SALARIES0088121", "employment"),
        ("GB", "HARWELL TOOLS LTD", "WAGES0091", "employment"),
        ("GB", "HARWELL TOOLS LTD", "SALARY202610 HARWELL", "employment"),
        ("GB", "SEVERN JOINERY LTD", "PAYROLL000412", "employment"),
        ("DE", "NORDWERK GMBH", "GEHALT102026", "employment"),
        ("GB", "HARWELL PENSION TRUSTEES", "PENSION123456", "pension"),
    ],
)
def test_a_word_joined_to_a_long_number_reads_as_the_word(
    ledger: Ledger, country: str, payer: str, text: str, type_: str
) -> None:
    assert judged(ledger, payer, [text], [178_912], country)[0] == {type_}


@pytest.mark.parametrize("text", ["ABSAL0088121", "AB12WAGES0091", "WAGES0091B7", "PAY0091223"])
def test_letters_of_a_reference_are_no_word(ledger: Ledger, text: str) -> None:
    assert judged(ledger, "HARWELL TOOLS LTD", [text], [43_217])[0] == {"other"}


@pytest.mark.parametrize(
    ("country", "payer", "text", "amount"),
    [
        ("DE", "Stahlhandel Ems UG", "Beratung Rg. 2026-014", 595_000),
        ("GB", "Delmar Trading Ltd", "INVOICE 1042", 240_000),
        ("GB", "Delmar Trading Ltd", "INV1042 CONSULTING", 241_240),
        ("FR", "SARL OPALE", "FACTURE NO 2026-07", 240_000),
    ],
)
@pytest.mark.parametrize("count", [3, 6])
def test_one_invoice_paid_again_and_again_is_only_a_word(
    ledger: Ledger, country: str, payer: str, text: str, amount: int, count: int
) -> None:
    assert judged(ledger, payer, [text], [amount] * count, country)[1] == {"low"}


@pytest.mark.parametrize(
    ("texts", "amounts"),
    [
        (["INVOICE 1042", "INVOICE 1043", "INVOICE 1044", "INVOICE 1047"], [241_240] * 4),
        (["INVOICE 1042", "INVOICE 1042", "INVOICE 1043", "INVOICE 1044"], [241_240] * 4),
        (["INV 1042 INSTALMENT 1", "INV 1042 INSTALMENT 2", "INV 1042 INSTALMENT 3"], [41_240] * 3),
        (["INVOICE 1042 CONSULTING"], [41_240, 11_015, 28_177]),
        (["INVOICE CONSULTING"], [41_240] * 4),
    ],
)
def test_invoices_paid_once_or_in_parts_are_a_trades_income(
    ledger: Ledger, texts: list[str], amounts: list[int]
) -> None:
    assert judged(ledger, "Delmar Trading Ltd", texts, amounts)[0] <= {"self_employment", "business_income"}
