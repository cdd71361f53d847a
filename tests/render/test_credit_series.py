"""The stacks of the chart by month: every credit that is income is in one of them, and what is not known is not drawn as known."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from kycpack.render.charts import series_fills
from kycpack.render.palette import SERIES, UNEXPLAINED_FILL, UNKNOWN_FILLS
from kycpack.render.plots import plot_credits
from kycpack.render.review.credit_series import credit_series
from kycpack.wealth import Wealth, derive


@pytest.fixture(scope="module")
def found() -> Wealth:
    """Pay, regular money whose nature nothing shows, regular cash, a large credit that nothing explains, a small one."""
    rows: list[tuple[str, int, str]] = []
    for month in range(1, 13):
        rows += [
            (f"2025-{month:02d}-27", 250_000, "TESCO STORES SALARY"),
            (f"2025-{month:02d}-03", 900_017, "KX HOLDINGS LTD"),
            (f"2025-{month:02d}-11", 20_000, "CASH DEPOSIT"),
        ]
    rows += [("2025-05-19", 2_300_000, "SOMEBODY"), ("2025-06-19", 900, "ODD")]
    frame = pd.DataFrame(rows, columns=["booked_on", "amount_minor", "description_raw"])
    frame = frame.assign(
        customer_id="C", account_id="A", currency="GBP", txn_id=[str(one) for one in range(len(frame))]
    )
    return derive(frame, as_of="2025-12-31")


def stacks(found: Wealth, most: int) -> dict[str, Any]:
    made = credit_series(found.credits, found.streams, lambda row: str(row["payer"]), most)
    return {one.name: one for one in made}


@pytest.mark.parametrize("most", [0, 1, 2, 5])
def test_the_stacks_add_up_to_all_credits(found: Wealth, most: int) -> None:
    drawn = sum(sum(one.by_month.values()) for one in stacks(found, most).values())
    assert drawn == found.credits["amount_minor"].sum()


def test_a_stream_whose_nature_is_not_known_is_stronger_than_pay(found: Wealth) -> None:
    made = stacks(found, 5)
    kinds = {name: one.kind for name, one in made.items()}
    pay = next(name for name in kinds if "TESCO" in name)
    unknown = next(name for name in kinds if "KX" in name)
    assert (kinds[pay], kinds[unknown], kinds["Unexplained"]) == ("known", "unknown", "unexplained")
    order = ("known", "rest", "unknown", "unexplained")
    assert [*kinds.values()] == sorted(kinds.values(), key=order.index)
    fills = dict(zip(made, series_fills(list(made.values())), strict=True))
    assert fills[pay] in SERIES
    assert fills[unknown] in UNKNOWN_FILLS
    assert fills["Unexplained"] == UNEXPLAINED_FILL


def test_what_is_left_over_is_parted_by_whether_it_is_known(found: Wealth) -> None:
    made = stacks(found, 0)
    assert {name: one.kind for name, one in made.items()} == {
        "Other credits, nature known": "rest",
        "Other credits, nature not known": "unknown",
        "Unexplained": "unexplained",
    }


def test_the_notebooks_plot_draws_the_same_colours(found: Wealth) -> None:
    fills = {getattr(mark, "fill", None) for mark in plot_credits(found).drawings[0].marks}
    assert {SERIES[0], UNKNOWN_FILLS[0], UNEXPLAINED_FILL} <= fills
