"""The stacks of the chart by month: every credit that is income is in one of them, and what is not known is not drawn as known."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pytest

from kycpack.render.charts import NATURE_FILLS, series_fills
from kycpack.render.palette import UNEXPLAINED_FILL
from kycpack.render.plots import plot_credits
from kycpack.render.review.credit_series import credit_series, nature_of_most
from kycpack.render.review.shares import NATURE_WORDS
from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, KNOWN, NATURES, REGULAR


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


def test_a_stream_is_of_known_nature_only_if_more_than_half_of_it_is() -> None:
    """And otherwise of the largest other nature, although the known part may be larger."""
    kinds = ((KNOWN, 450), (REGULAR, 300), (CASH_OR_NAMED, 250))
    rows = [{"nature": nature, "most_minor": minor} for nature, minor in kinds]
    assert nature_of_most(rows) == REGULAR
    assert nature_of_most([*rows, {"nature": KNOWN, "most_minor": 200}]) == KNOWN


def test_a_stream_whose_nature_is_not_known_is_stronger_than_pay(found: Wealth) -> None:
    made = stacks(found, 5)
    kinds = {name: one.nature for name, one in made.items()}
    pay = next(name for name in kinds if "TESCO" in name)
    unknown = next(name for name in kinds if "KX" in name)
    cash = next(name for name in kinds if "cash" in name.lower())
    others = "Other credits: irregular, nature not established"
    assert [kinds[name] for name in (pay, unknown, cash, others)] == [*NATURES]
    assert [*kinds.values()] == sorted(kinds.values(), key=NATURES.index)
    fills = dict(zip(made, series_fills(list(made.values())), strict=True))
    for name, nature in kinds.items():
        assert fills[name] in NATURE_FILLS[nature]
    assert fills[others] == UNEXPLAINED_FILL


def test_what_is_left_over_is_parted_by_whether_it_is_known(found: Wealth) -> None:
    made = stacks(found, 0)
    assert {name: one.nature for name, one in made.items()} == {
        f"Other credits: {'cash' if nature == CASH_OR_NAMED else NATURE_WORDS[nature]}": nature
        for nature in NATURES
    }


def test_the_stacks_of_each_nature_add_up_to_its_part_of_the_bar_on_page_one(found: Wealth) -> None:
    drawn: Counter[str] = Counter()
    for one in stacks(found, 5).values():
        drawn[one.nature] += sum(one.by_month.values())
    bar = found.nature("C").groupby("nature")["total_minor"].sum()
    assert drawn == Counter({nature: int(total) for nature, total in bar.items() if total})


def test_what_was_taken_back_is_in_no_stack() -> None:
    rows = [
        (f"2025-{month:02d}-28", 290_000 if month == 5 else 200_000, "ACME LTD SALARY")
        for month in range(1, 13)
    ]
    rows.append(("2025-06-06", -90_000, "ACME LTD SALARY OVERPAID"))
    frame = pd.DataFrame(rows, columns=["booked_on", "amount_minor", "description_raw"])
    frame = frame.assign(
        customer_id="C", account_id="A", currency="GBP", txn_id=[str(one) for one in frame.index]
    )
    wealth = derive(frame, as_of="2025-12-31")
    (pay,) = stacks(wealth, 5).values()
    assert pay.by_month == {(2025, month): 200_000 for month in range(1, 13)}
    assert sum(pay.by_month.values()) == wealth.nature("C")["total_minor"].sum()


def test_the_notebooks_plot_draws_the_same_colours(found: Wealth) -> None:
    fills = {getattr(mark, "fill", None) for mark in plot_credits(found).drawings[0].marks}
    assert {NATURE_FILLS[nature][0] for nature in NATURES} <= fills
