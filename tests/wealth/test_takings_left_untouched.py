"""Cash that is out of proportion to a trade all year and stays where it is, and the takings of honest trades, which pay for them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from tests.wealth.flag_parts import is_found
from tests.wealth.money_patterns import Diary
from tests.wealth.tills import Till

from kycpack.triage import load_policy
from kycpack.wealth import derive

# A week's takings, the share that goes on stock, the share paid by card, the staff and the rent.
TRADES: dict[str, tuple[str, int, float, float, int, int]] = {
    "off licence": ("Bestway Cash & Carry", 3_000, 0.74, 0.6, 1, 1_100),
    "restaurant": ("Brakes", 4_000, 0.3, 0.7, 3, 1_800),
    "takeaway": ("JJ Foodservice", 3_500, 0.33, 0.5, 2, 1_200),
    "hairdresser": ("Salon Services", 2_200, 0.1, 0.5, 1, 900),
    "taxi": ("Shell", 1_100, 0.2, 0.4, 0, 0),
    "kiosk": ("Smiths News", 1_200, 0.78, 0.35, 0, 400),
}


def _flags(trade: str, seed: int, *, other_cash: float) -> pd.DataFrame:
    """Return the flags of a year of a trade, with other cash beside its takings as a multiple of them."""
    supplier, weekly, cost, by_card, staff, rent = TRADES[trade]
    diary = Diary(f"{trade} {seed} {other_cash}")
    diary.live()
    till = Till(diary, weeks=52)
    for week in till.each():
        busy = weekly * diary.rng.uniform(0.85, 1.15) * (1.25 if 4 <= week < 12 else 1)
        till.cards(week, busy * by_card)
        till.cash(week, busy * (1 - by_card + other_cash * diary.rng.uniform(0.9, 1.1)))
        till.buy(week, busy * cost, supplier)
        till.wages(week, staff)
        if rent:
            till.premises(week, rent)
    rows, accounts = diary.frames()
    return derive(
        rows,
        accounts=accounts,
        thresholds=load_policy().thresholds,
        as_of=rows["booked_on"].max().date(),
    ).flags


@pytest.mark.parametrize("trade", ["off licence", "restaurant", "takeaway", "hairdresser"])
def test_cash_that_no_cost_of_the_trade_supports_asks_for_enhanced_diligence(trade: str) -> None:
    found = _flags(trade, 1, other_cash=2)
    assert "edd" in set(found["severity"])
    if trade == "restaurant":
        (message,) = found.loc[found["code"] == "cash_beyond_takings", "message"]
        assert message.startswith("Takings that a trade leaves untouched: ")


@pytest.mark.parametrize("trade", TRADES)
def test_an_honest_trade_stays_below_enhanced_diligence(trade: str) -> None:
    for seed in (1, 2):
        assert "edd" not in set(_flags(trade, seed, other_cash=0)["severity"])


def _stall(seed: int) -> Diary:
    """Return a market stall that takes only cash, and pays its tax and one supplier that no list knows."""
    diary = Diary(f"stall {seed}")
    for week in range(52):
        sold = 1_100 * diary.rng.uniform(0.8, 1.2)
        diary.pay(week * 7 + 1, round(sold, 2), "Cash Paid In")
        diary.pay(week * 7 + 4, -round(0.5 * sold, 2), "Old Vale Greens", f"INV {4_000 + week}")
    for day in (30, 215):
        diary.pay(day, -1_460.4, "HMRC", "SELF ASSESSMENT")
    return diary


def _grocer_on_cards(seed: int) -> Diary:
    """Return a grocer that pays its suppliers out of card takings within days, and its tax."""
    diary = Diary(f"grocer {seed}")
    for week in range(52):
        sold = 3_000 * diary.rng.uniform(0.85, 1.15)
        for part in range(3):
            diary.pay(week * 7 + 2 * part, round(sold / 3, 2), "Dojo Payouts")
        diary.pay(week * 7 + 6, -round(0.66 * sold, 2), ("Tarn Vale Dist", "Old Vale Greens")[week % 2])
    for day in range(20, 365, 80):
        diary.pay(day, -1_460.4, "HMRC", "VAT")
    return diary


@pytest.mark.parametrize("trade", [_stall, _grocer_on_cards])
@pytest.mark.parametrize("seed", range(3))
def test_a_trade_whose_suppliers_no_list_knows_stays_below_enhanced_diligence(
    trade: Callable[[int], Diary], seed: int
) -> None:
    rows, accounts = trade(seed).frames()
    found = derive(
        rows, accounts=accounts, thresholds=load_policy().thresholds, as_of=rows["booked_on"].max().date()
    )
    assert not is_found(found), found.flags["message"].to_list()
