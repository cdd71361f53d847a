"""What the codes of banks say, and what they do not."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.errors import ConfigurationError
from kycpack.wealth import derive
from kycpack.wealth.prepare.bank_codes import UNKNOWN_CODE, bank_code_of, read_bank_codes
from kycpack.wealth.prepare.lexicon import load_lexicon

Ledger = Callable[..., pd.DataFrame]
MONTHLY = [f"2025-{month:02d}-26" for month in range(1, 13)]


def stream(ledger: Ledger, text: str, amount: int = 183_411, **extra: object) -> pd.Series:
    frame = ledger(*[(day, amount, text, extra) for day in MONTHLY])
    return derive(frame, as_of="2025-12-31").streams.iloc[0]


@pytest.mark.parametrize(
    ("text", "code", "type_", "level"),
    [
        ("OSTERBY RETAIL", "PMNT-RCDT-SALA", "employment", "code"),
        ("Q3 PAYMENT", "SECU-CORP-DVCA", "investment_income", "code"),
        ("ABSCHLUSS", "814", "interest", "code"),
        ("PAID IN", "CDM", "cash_deposit", "code"),
        ("OSTERBY RETAIL", "SAL", "employment", "purpose"),
        ("OSTERBY RETAIL", "SALA", "employment", "purpose"),
        ("VELTHORPE SECURITIES", "Z5", "investment_income", "purpose"),
    ],
)
def test_a_code_that_names_one_nature_gives_it(
    ledger: Ledger, text: str, code: str, type_: str, level: str
) -> None:
    found = stream(ledger, text, bank_code=code)
    assert (found["type"], found["evidence_level"]) == (type_, level)


@pytest.mark.parametrize("code", ["166", "FPI", "05", "XYZ", "PMNT-RCDT-DMCT"])
def test_a_code_for_any_transfer_says_nothing(ledger: Ledger, code: str) -> None:
    assert stream(ledger, "OSTERBY", bank_code=code)["type"] == "other"
    assert bank_code_of(code, load_lexicon().bank_codes) == UNKNOWN_CODE


def test_a_code_for_pay_or_pension_bears_a_word_for_pay_out_and_contradicts_one_for_rent(
    ledger: Ledger,
) -> None:
    pay = stream(ledger, "LOHN OSTERBY GMBH", bank_code="153")
    assert (pay["type"], pay["type_confidence"]) == ("employment", "medium")
    rent = stream(ledger, "MIETE OSTERBY GMBH", bank_code="153")
    assert (rent["type"], rent["type_confidence"]) == ("other", "low")


def test_a_returned_payment_is_no_income_whatever_its_words(ledger: Ledger) -> None:
    for code in ("109", "159", "PMNT-RDDT-PRDD", "NRTI"):
        frame = ledger(("2025-03-03", 45_000, "GEHALT OSTERBY", {"bank_code": code}))
        assert derive(frame, as_of="2025-12-31").credits["type"].tolist() == ["other"]


def test_the_codes_that_come_with_the_package_say_types_that_exist_and_each_stands_once() -> None:
    entry = {"scheme": "one", "codes": {"X1": {"means": "pay", "type": "employment"}}}
    types = frozenset({"employment"})
    assert read_bank_codes({"schemes": [entry]}, types)["X1"].type == "employment"
    with pytest.raises(ConfigurationError, match="X1"):
        read_bank_codes({"schemes": [entry, entry]}, types)
    with pytest.raises(ConfigurationError, match="X1"):
        read_bank_codes({"schemes": [entry]}, frozenset({"pension"}))


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("AS AGREED", "NORTHVANE GENERAL TRADING FZE", "other"),
        ("LOAN REPAYMENT", "NORTHVANE GENERAL TRADING FZE", "other"),
        ("INTEREST", "HALIFAX", "interest"),
        ("GROSS INTEREST", None, "interest"),
    ],
)
def test_the_code_for_interest_is_that_of_the_bank_itself(
    ledger: Ledger, text: str, payer: str | None, type_: str
) -> None:
    assert stream(ledger, text, bank_code="INT", counterparty_name=payer)["type"] == type_


def test_the_code_for_interest_does_not_prove_what_a_person_pays(ledger: Ledger) -> None:
    paid = stream(ledger, "INTEREST", bank_code="INT", counterparty_name="MR J OSTERBY")
    assert (paid["evidence_level"], paid["type_confidence"]) == ("keyword", "low")


@pytest.mark.parametrize("payer", ["CORAL BAY NOMINEES", "HALIFAX", None])
@pytest.mark.parametrize("text", ["HOUSE SALE PROCEEDS", "SALARY OCTOBER", "RENT 14 ELM ROAD"])
def test_words_for_something_else_leave_the_code_for_interest_in_doubt(
    ledger: Ledger, text: str, payer: str | None
) -> None:
    paid = stream(ledger, text, amount=7_000_000, bank_code="INT", counterparty_name=payer)
    assert (paid["type_confidence"], paid["doubtful"]) == ("low", True)
