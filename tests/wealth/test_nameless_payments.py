"""Payments whose text names nobody: each red flag is still worked out, and none is about nobody."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pandas as pd
import pytest
from tests.wealth.cash_trades import trades
from tests.wealth.handled import handled
from tests.wealth.losses import losses
from tests.wealth.money_patterns import patterns
from tests.wealth.schemes import schemes

from kycpack.wealth import derive

_SEED = 7
_NAMELESS = 0.3
_NOBODY = (
    "",
    "CARD PAYMENT",
    "REFUND",
    "POS PURCHASE",
    "FEE",
    "AUTOMATIC PAYMENT - THANK YOU",
    "RENT",
    "WAGES",
    "INVOICE",
)
_Stories = Callable[..., Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]]


@pytest.mark.parametrize("stories", [patterns, handled, losses, schemes, trades])
def test_payments_that_name_nobody_stop_no_red_flag(stories: _Stories) -> None:
    rng = random.Random(_SEED)  # noqa: S311 - texts of made-up payments
    made = list(stories(_SEED, per_kind=1))
    rows, accounts = (
        pd.concat(
            [story[part].assign(customer_id=f"C{number}") for number, story in enumerate(made)],
            ignore_index=True,
        )
        for part in (2, 3)
    )
    blank = pd.Series([rng.random() < _NAMELESS for _ in range(len(rows))], index=rows.index)
    nameless = rows.assign(
        description_raw=rows["description_raw"].mask(blank, [rng.choice(_NOBODY) for _ in range(len(rows))])
    )
    if "counterparty_name" in nameless:
        nameless["counterparty_name"] = nameless["counterparty_name"].mask(blank, None)
    flags = derive(nameless, accounts=accounts, as_of="2026-06-27").flags
    assert flags["customer_id"].nunique() > len(made) / 4
    assert (flags["message"].str.len() > 0).all()
    assert flags[flags["message"].str.contains("  |from ,|to ,", regex=True)].empty


@pytest.mark.parametrize("text", ["NETFLIX", "VIS TAVERNA BLUE SPLIT", "SPLIT", "DINNER"])
def test_a_word_that_people_pay_each_other_back_for_stops_nothing_where_it_stands_last(
    ledger: Callable[..., pd.DataFrame], text: str
) -> None:
    rows = ledger(("2026-03-02", -1_299, text), ("2026-03-09", 1_299, text), ("2026-03-12", 2_400, text))
    credits_ = derive(rows.assign(counterparty_name=text), as_of="2026-06-27").credits
    assert set(credits_["txn_id"]) == {"T0001", "T0002"}
