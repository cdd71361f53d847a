"""Words that a bank joins with a date, a month or a legal form, or breaks where a line ends, are read as they were."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.lexicon import load_lexicon

Ledger = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("GEHALT04", "gehalt"),
        ("BESOLDUNG12", "besoldung"),
        ("WAGESFEB 26", "wages feb"),
        ("SALAIREMARS26", "salaire mars"),
        ("THORNBYJOINERYLTD", "thornbyjoinery ltd"),
        ("OSTSEEBAUGMBH RECHN", "ostseebau gmbh rechn"),
        ("KIND ERGELD 118", "kindergeld"),
        ("WITW ENRENTE", "witwenrente"),
    ],
)
def test_joined_and_split_words_are_mended(text: str, words: str) -> None:
    assert load_lexicon().words_of([text]) == [words]


@pytest.mark.parametrize(
    "text",
    [
        "plus500",
        "lotto649",
        "alg2",
        "unlimited",
        "chelsea04",
        "net pay",
        "school fees",
        "bet365",
        "may flower",
    ],
)
def test_names_and_known_words_are_not_mended(text: str) -> None:
    assert load_lexicon().words_of([text]) == [text]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("PACHT03 WIESE", "rental_income"),
        ("HALLAMFORGELTD WAGES", "employment"),
        ("BEZUE GE LANDESAMT", "employment"),
        ("HOLLINGTON FUND PEN SIONS", "pension"),
    ],
)
def test_mended_words_say_what_is_paid(ledger: Ledger, text: str, type_: str) -> None:
    payments = [(f"2025-{month:02}-27", 123_456, text) for month in range(1, 7)]
    wealth = derive(ledger(*payments), as_of="2025-12-31")
    assert wealth.credits["type"].astype("string").fillna("other").unique().tolist() == [type_]


@pytest.mark.parametrize("name", ["Sal Aris", "Ren Tal", "No Mina"])
def test_the_two_names_of_a_payer_are_no_word_for_what_is_paid(ledger: Ledger, name: str) -> None:
    for text in ("", name.upper(), f"FPI {name.upper()} REF 118"):
        payments = ledger(*((f"2025-{month:02}-27", 123_456, text) for month in range(1, 7)))
        wealth = derive(payments.assign(counterparty_name=name), as_of="2025-12-31")
        assert set(wealth.credits["type"].astype("string").fillna("other")) <= {"person_transfer", "other"}


@pytest.mark.parametrize("name", ["Reza Salar", "Salar Ahmadi", "Ivan Stipe", "Mario Stipe"])
def test_a_name_like_a_word_that_is_cut_says_nothing(ledger: Ledger, name: str) -> None:
    payments = ledger(*((f"2025-{month:02}-27", 123_456, name.upper()) for month in range(1, 7)))
    wealth = derive(payments.assign(counterparty_name=name), as_of="2025-12-31")
    assert set(wealth.credits["type"].astype("string").fillna("other")) <= {"person_transfer", "other"}
