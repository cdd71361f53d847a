"""What a person pays for another's car, told by its number plate, make or model: weak evidence, and none from a firm or again and again."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.lexicon import load_lexicon

Ledger = Callable[..., pd.DataFrame]


def said(ledger: Ledger, text: str, payer: str, amounts: list[int]) -> set[tuple[str, str]]:
    """Return types and evidence levels of payments nine days apart."""
    days = pd.date_range(end="2025-06-27", periods=len(amounts), freq="9D")
    extra = {"counterparty_name": payer}
    rows = [(str(day.date()), amount, text, extra) for day, amount in zip(days, amounts, strict=True)]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    return set(
        zip(credits_["type"].astype("string").fillna("other"), credits_["evidence_level"], strict=True)
    )


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("NISSAN MICRA", "GRAHAM PLUMLEY"),
        ("FN62 KHB", "GRAHAM PLUMLEY"),
        ("BALANCE FOR FN62 KHB", "G PLUMLEY"),
        ("Restzahlung Skoda Fabia", "Ansgar Tiedemann"),
        ("ACHAT TWINGO", "MME DELPHINE ROCHER"),
        ("TOYOTA YARIS 2011", "P GERAGHTY"),
    ],
)
def test_one_payment_by_a_person_for_a_car_is_a_sale_by_the_senders_words(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(ledger, text, payer, [385_000]) == {("asset_sale", "keyword")}


@pytest.mark.parametrize(
    ("text", "payer", "amounts"),
    [
        ("FN62 KHB", "MR IVO KRASTEV", [640_000, 790_000, 910_000]),
        ("SKODA FABIA", "MR IVO KRASTEV", [640_000, 790_000, 910_000, 560_000]),
        ("SKODA FABIA", "KRASTEV PHONES LTD", [640_000, 790_000, 910_000]),
        ("PARKING FN62 KHB", "GRAHAM PLUMLEY", [3_500]),
        ("CAR INSURANCE SKODA", "GRAHAM PLUMLEY", [35_500]),
        ("GOLF TRIP", "GRAHAM PLUMLEY", [35_500]),
    ],
)
def test_a_car_in_the_text_is_no_sale_from_firms_again_and_again_or_for_its_upkeep(
    ledger: Ledger, text: str, payer: str, amounts: list[int]
) -> None:
    assert "asset_sale" not in {type_ for type_, _ in said(ledger, text, payer, amounts)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("FN62 KHB", "vrm"),
        ("WEBUYANYCAR FN62 RTD", "webuyanycar vrm"),
        ("WK12 OCT", "wk no oct"),
        ("PH24 LTD", "ph24 ltd"),
        ("INV62 KHB", "inv no khb"),
        ("FN62 KHBS", "fn62 khbs"),
    ],
)
def test_a_number_plate_is_one_word(text: str, words: str) -> None:
    assert load_lexicon().words_of([text]) == [words]


def test_a_car_buyer_that_names_a_plate_returns_nothing(ledger: Ledger) -> None:
    assert said(ledger, "WEBUYANYCAR FN62 RTD", "WE BUY ANY CAR LTD", [514_000]) == {("asset_sale", "entity")}
