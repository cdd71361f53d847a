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


@pytest.mark.parametrize("column", ["bank_code", "proprietary_code"])
@pytest.mark.parametrize(
    ("text", "word", "country", "said"),
    [
        ("AMZNMktplace amazon.co.uk", "Card refund", "GB", "refund"),
        ("Osterby Outdoor", "CARD_REFUND", "IE", "refund"),
        ("OSTERBY OUTDOOR", "Refund Transaction", "US", "refund"),
        ("Osterby GmbH", "Presentment Refund", "DE", "refund"),
        ("OSTERBY GMBH", "Lastschriftrückgabe", "DE", "refund"),
        ("OSTERBY SARL", "Rejet de prélèvement", "FR", "refund"),
        ("OSTERBY SARL", "Avoir carte", "FR", "refund"),
        ("TESCO STORES 2291", "Visa credit", "GB", "refund"),
        ("PAID IN 03JUL", "Cash deposit", "GB", "cash_deposit"),
        ("FILIALE 12", "Bargeldeinzahlung", "DE", "cash_deposit"),
        ("AGENCE 12", "Versement espèces", "FR", "cash_deposit"),
        ("JUNE", "Interest paid", "US", "interest"),
        ("2. QUARTAL", "Habenzinsen", "DE", "interest"),
        ("AU 30/06", "Intérêts créditeurs", "FR", "interest"),
        ("LOHN OSTERBY GMBH", "Lohn, Gehalt, Rente", "DE", "employment"),
    ],
)
def test_a_kind_of_booking_that_a_bank_prints_in_words_is_read_as_its_code(
    ledger: Ledger, text: str, word: str, country: str, said: str, column: str
) -> None:
    currency = {"GB": "GBP", "US": "USD"}.get(country, "EUR")
    frame = ledger(*[(day, 2_799, text, {column: word, "currency": currency}) for day in MONTHLY[:3]])
    found = derive(frame, country=country, as_of="2025-12-31").credits
    assert (found["type"].where(found["disposition"] != "refund", "refund") == said).all()


@pytest.mark.parametrize(
    "word",
    [
        "Direct credit",
        "Bank credit",
        "Faster payment received",
        "ACH_CREDIT",
        "Überweisungsgutschrift",
        "Virement reçu",
    ],
)
def test_words_for_any_transfer_say_nothing(ledger: Ledger, word: str) -> None:
    assert bank_code_of(word, load_lexicon().bank_codes) == UNKNOWN_CODE
    assert stream(ledger, "OSTERBY", bank_code=word)["type"] == "other"


def test_a_code_of_iso_20022_comes_before_the_banks_own_word(ledger: Ledger) -> None:
    codes = {"bank_code": "PMNT-RCDT-SALA", "proprietary_code": "Card refund"}
    assert stream(ledger, "OSTERBY RETAIL", **codes)["type"] == "employment"


def test_a_banks_word_counts_for_the_rows_that_have_no_code(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", 2_799, "OSTERBY", {"bank_code": "FPI", "proprietary_code": "Card refund"}),
        ("2025-04-03", 2_799, "HOLMBY", {"bank_code": None, "proprietary_code": "Card refund"}),
        ("2025-05-03", 2_799, "KELBY", {"bank_code": None, "proprietary_code": None}),
    )
    found = derive(frame, as_of="2025-12-31").credits
    assert [one == "refund" for one in found["disposition"]] == [False, True, False]


@pytest.mark.parametrize(("payer", "type_"), [("BET365", "gambling"), ("COINBASE", "crypto")])
def test_what_a_bookmaker_pays_to_a_card_is_no_refund_even_if_the_bank_calls_it_one(
    ledger: Ledger, payer: str, type_: str
) -> None:
    odd = [("2025-02-03", 24_050), ("2025-02-09", 6_120), ("2025-04-22", 31_700)]
    frame = ledger(*[(day, minor, payer, {"bank_code": "Card refund"}) for day, minor in odd])
    found = derive(frame, as_of="2025-12-31").credits
    assert set(found["type"]) == {type_}
    assert "refund" not in set(found["disposition"])
