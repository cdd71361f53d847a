"""Words without their vowels are read as the words they are short for, and words that only look like that are not."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.phrases import ShortForms

Ledger = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("GEHLT JUNI", "employment"),
        ("INSURNCE CLM 5512", "settlement"),
        ("INTREST PD NET", "interest"),
        ("RENTL INCME FLAT 2", "rental_income"),
        ("COMPNSATION PAYMT", "settlement"),
        ("AUSSCHUETTG FONDS 88", "investment_income"),
        ("MATRNITY PAY", "employment"),
        ("WITHDRWL PREMIUM BNDS", "savings"),
    ],
)
def test_words_without_vowels_are_read(ledger: Ledger, text: str, type_: str) -> None:
    wealth = derive(ledger(("2025-06-27", 123_456, text)), as_of="2025-12-31")
    assert wealth.credits["type"].tolist() == [type_]


def test_a_word_that_fits_two_words_or_loses_no_inner_vowel_is_no_short_form() -> None:
    forms = ShortForms(
        {"sal": "salary"}, ["salary", "stripe", "bookies", "lodger", "lodgment", "ledger"], {"lodgr"}
    )
    assert forms["sal"] == forms["slry"] == forms["salry"] == "salary"
    assert forms["ldgr"] == "ldgr"  # a ledger or a lodger
    assert [forms[word] for word in ("strip", "books", "lodgr", "clam")] == [
        "strip",
        "books",
        "lodgr",
        "clam",
    ]


def test_no_listed_word_is_taken_for_another() -> None:
    lexicon = load_lexicon()
    listed = lexicon.phrases.words
    assert {
        word for word in listed if lexicon.classes.of([word]) != lexicon.classes.of([word, word])[:1]
    } == set()
    assert not lexicon.phrases.find(["penson"])  # a surname


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("FIRMENRENTE HOESCH", "pension"),
        ("BEAMTENRUHEGEHALT 0625", "pension"),
        ("NACHTDIENSTENTGELT", "employment"),
        ("ERTRAGSAUSSCHUETTUNG LUX", "investment_income"),
        ("SCHEUNENMIETE", "rental_income"),
        ("WITWENRENTE", "state_benefit"),
        ("KITA ISERLOHN", "other"),
        ("CONTO CORRENTE", "other"),
        ("FINDERLOHN", "other"),
    ],
)
def test_german_compounds_are_read_by_their_last_part(ledger: Ledger, text: str, type_: str) -> None:
    wealth = derive(ledger(("2025-06-27", 43_217, text)), as_of="2025-12-31")
    assert wealth.credits["type"].astype("string").fillna("other").tolist() == [type_]


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("NET PROCS 3 BEECH GROVE", "OSTERBY CONVEYANCERS LLP", "property_sale"),
        ("INJ RES BRD AWD", "FBD INSURANCE PLC", "settlement"),
        ("DFAS-CLEVELAND RET ARMY PAY", "DFAS", "pension"),
        ("DFAS-CLEVELAND ARMY ACT PAY", "DFAS", "employment"),
        ("FRANCE TRAVAIL PAIE ARE 31J", "FRANCE TRAVAIL", "state_benefit"),
        ("FRANCE TRAVAIL SALAIRE", "FRANCE TRAVAIL", "employment"),
        ("SEV PKG 0625", "HALDEN TRADING LTD", "employment"),
        ("SEV TRENT 4411", "SEV TRENT", "other"),
    ],
)
def test_offices_shorten_what_they_pay(ledger: Ledger, text: str, payer: str, type_: str) -> None:
    rows = ledger(("2025-06-27", 243_217, text, {"counterparty_name": payer}))
    assert derive(rows, as_of="2025-12-31").credits["type"].tolist() == [type_]


@pytest.mark.parametrize(
    ("text", "payer", "type_", "is_refund"),
    [
        ("ERST", None, "other", False),
        ("ERST BANK", None, "other", False),
        ("ERST GROUP", None, "other", False),
        ("COMPN LTD", None, "other", False),
        ("DIVD LTD", "DIVD LTD", "other", False),
        ("RBT LTD", "RBT LTD", "other", False),
        ("ERST NK 24", None, "other", True),
        ("ERST", "STADTWERKE ULM", "other", True),
        ("REMB CPAM", None, "other", True),
        ("COMPN PAYMENT CRIMINAL INJ", None, "settlement", False),
        ("DIVD", "VODAFONE PLC", "investment_income", False),
        ("VODAFONE PLC DIVD", None, "investment_income", False),
    ],
)
def test_a_short_form_of_few_letters_is_a_name_where_nothing_stands_beside_it(
    ledger: Ledger, text: str, payer: str | None, type_: str, *, is_refund: bool
) -> None:
    found = derive(
        ledger(("2025-06-27", 23_456, text, {"counterparty_name": payer})), as_of="2025-12-31"
    ).credits
    assert found["type"].tolist() == [type_]
    assert (found["disposition"] == "refund").tolist() == [is_refund]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("OAKHAM FENCING SLRY", "employment"),
        ("ADMIRAL MOTOR STLMNT", "settlement"),
        ("STADTWERKE HALLE GEHAL", "employment"),
        ("CARTIER LOCATION SALLE", "other"),
        ("THE OLD CACHE", "other"),
    ],
)
def test_doubled_letters_and_the_ends_of_payroll_words_may_be_missing(
    ledger: Ledger, text: str, type_: str
) -> None:
    wealth = derive(ledger(("2025-06-27", 123_456, text)), as_of="2025-12-31")
    assert wealth.credits["type"].astype("string").fillna("other").tolist() == [type_]
