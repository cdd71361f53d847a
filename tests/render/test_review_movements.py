"""Charts of what moved in the accounts, as the review shows them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from types import SimpleNamespace

import pandas as pd
import pytest
from tests.render.specimen_review import AS_OF, inputs_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render.charts import PART_MONTH, Series, chart_months
from kycpack.render.document_parts import Figure, Subheading
from kycpack.render.drawing import Label
from kycpack.render.history_charts import chart_flows
from kycpack.render.plots import plot_balance, plot_credits
from kycpack.render.review import inputs, movements, outlook
from kycpack.render.review.contents import build_contents
from kycpack.render.review.credit_sources import strip_of
from kycpack.render.review.short_names import ShortName, ShortNames, short_names


def test_balances_stand_in_the_order_of_the_short_names() -> None:
    """And not in that of the ids, which nobody reads: the list of names says A1, A2, and so does the legend."""
    ids = [f"{99 - number}-id" for number in range(11)]
    names = ShortNames(
        tuple(ShortName(f"A{place}", id_, "", None) for place, id_ in enumerate(ids, start=1))  # type: ignore[arg-type]
    )
    booked = [
        SimpleNamespace(account_id=id_, booked_on=pd.Timestamp("2026-03-02"), balance_after_minor=100)
        for id_ in ids
    ]
    assert [one.name for one in movements._balances(booked, names)] == [f"A{place}" for place in range(1, 12)]


def test_the_chart_of_money_in_and_out_says_what_may_be_counted_twice(specimen: Evidence) -> None:
    frames = flatten(specimen)
    names = short_names(frames)
    for twice, is_said in (({"GBP"}, True), (set(), False)):
        captions = [
            block.caption
            for block in movements.movement_blocks(frames, names, twice=twice)
            if isinstance(block, Figure) and block.caption.startswith("All booked")
        ]
        assert captions
        assert all(("What may be counted twice is included." in caption) == is_said for caption in captions)


@pytest.mark.parametrize(
    ("disposition", "said"), [("own_transfer", [False, True]), ("stream", [True, True]), ("", [False, False])]
)
def test_only_charts_with_what_may_be_counted_twice_say_so(
    specimen: Evidence, disposition: str, said: list[bool]
) -> None:
    """The chart of credits leaves out own transfers, and that of money in and out does not."""
    made = inputs_of(specimen)
    credits_ = made.wealth.credits.copy()
    credits_.loc[credits_.index[0], "disposition"] = disposition or "stream"
    if disposition:
        credits_.loc[credits_.index[0], "may_be_twice_minor"] = credits_["amount_minor"].iloc[0]
    shown = build_contents(replace(made, wealth=replace(made.wealth, credits=credits_)))
    captions = [
        block.caption
        for section in shown.sections
        for block in section.blocks
        if isinstance(block, Figure) and block.caption.startswith(("Without own", "All booked"))
    ]
    assert ["What may be counted twice is included." in caption for caption in captions] == said


def test_the_charts_begin_with_the_base_currency(specimen: Evidence) -> None:
    frames = flatten(specimen)
    other = frames.transactions.assign(currency="EUR", account_id="acc_eur")
    both = replace(frames, transactions=pd.concat([frames.transactions, other], ignore_index=True))
    for base in ("GBP", "EUR"):
        blocks = movements.movement_blocks(both, short_names(frames), base_currency=base)
        heads = [block.text for block in blocks if isinstance(block, Subheading)]
        assert heads[0].endswith(f", {base}")


def test_the_split_of_months_is_worked_out_once_for_a_review(
    specimen: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[datetime] = []
    work_out = movements.part_months

    def counting(transactions: pd.DataFrame, as_of: datetime) -> frozenset[tuple[int, int]]:
        calls.append(as_of)
        return work_out(transactions, as_of)

    for module in (movements, inputs):
        monkeypatch.setattr(module, "part_months", counting)
    build_contents(inputs_of(specimen))
    assert len(calls) == 1


def test_what_happened_on_one_day_stands_in_the_order_in_which_it_happens(specimen: Evidence) -> None:
    """A session is created before access to the bank is given in it."""
    frames = flatten(specimen)
    day = pd.Timestamp("2026-06-20T10:00:00Z")
    times = {name: day for name, _ in movements._SESSION_EVENTS}
    one_day = replace(frames, sessions=frames.sessions.head(1).assign(**times))
    _, figure = movements.timeline_blocks(one_day, short_names(frames), AS_OF)
    assert isinstance(figure, Figure)
    said = [mark.text for mark in figure.drawing.marks if isinstance(mark, Label)]
    places = [
        said.index(f"S1 {words}") for words in ("created", "identity step finished", "bank access given")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("last", "as_of", "part"),
    [
        ("2026-06-23", datetime(2026, 6, 30, 12, tzinfo=UTC), True),  # the month of the review is not over
        (
            "2026-06-27",
            datetime(2026, 7, 1, 12, tzinfo=UTC),
            True,
        ),  # a payment of its last day cannot be seen
        ("2026-06-29", datetime(2026, 11, 30, 12, tzinfo=UTC), True),
        ("2026-06-30", datetime(2026, 7, 1, 12, tzinfo=UTC), False),
        ("2026-06-30", datetime(2026, 6, 30, 12, tzinfo=UTC), True),
    ],
)
def test_the_month_in_which_the_data_may_end_is_a_part_month(
    last: str, as_of: datetime, *, part: bool
) -> None:
    days = pd.DataFrame(
        {"booked_on": pd.to_datetime(["2025-01-01", last]), "currency": "GBP", "account_id": "A"}
    )
    assert movements.part_months(days, as_of) == {"GBP": frozenset({(2026, 6)}) if part else frozenset()}


def test_each_currency_has_the_part_months_of_its_own_data() -> None:
    """The data of one account may begin in the middle of a month in which another one's has long begun."""
    days = ("2025-01-01", "2026-05-31", "2025-03-02", "2026-06-02")
    rows = pd.DataFrame({"booked_on": pd.to_datetime(days), "currency": ["GBP", "GBP", "EUR", "EUR"]})
    found = movements.part_months(rows.assign(account_id=["A", "A", "B", "B"]), AS_OF)
    assert found == {"GBP": frozenset(), "EUR": frozenset({(2025, 3), (2026, 6)})}


def test_a_month_in_which_the_data_of_a_second_account_begins_is_a_part_month() -> None:
    days = ("2024-12-01", "2026-05-31", "2024-12-12", "2026-05-31")
    rows = pd.DataFrame(
        {"booked_on": pd.to_datetime(days), "currency": "GBP", "account_id": ["A", "A", "B", "B"]}
    )
    assert movements.part_months(rows, AS_OF) == {"GBP": frozenset({(2024, 12)})}
    assert movements.part_months(rows.head(2), AS_OF) == {"GBP": frozenset()}


@pytest.mark.parametrize("as_of", [AS_OF, datetime(2026, 9, 30, 12, tzinfo=UTC)])
def test_every_chart_by_month_marks_the_month_in_which_the_data_ends(
    specimen: Evidence, as_of: datetime
) -> None:
    made = inputs_of(specimen, as_of)
    shown = build_contents(made)
    by_month = [
        block
        for section in shown.sections
        for block in section.blocks
        if isinstance(block, Figure) and block.caption.startswith(("Without own", "All booked"))
    ]
    plots = (plot_credits(made.wealth), plot_balance(made.frames.transactions, as_of=as_of))
    assert shown.months is not None
    drawings = [*(one.drawing for one in by_month), shown.months, *(one.drawings[-1] for one in plots)]
    assert len(by_month) == 2
    for drawing in drawings:
        said = [mark.text for mark in drawing.marks if isinstance(mark, Label) and mark.text.endswith("*")]
        assert said == ["Jan 25*", "Jun 26*"]
    assert all(one.caption.endswith(f"{PART_MONTH}.") for one in (*by_month, *plots))


def test_a_part_month_whose_name_has_no_room_on_the_axis_is_named_below_it() -> None:
    sums = {(year, month): 100 for year in (2024, 2025) for month in range(1, 13)}
    for in_part, said in (
        ({(2024, 1), (2024, 2)}, f" {PART_MONTH}; also Feb 2024."),
        ({(2024, 1)}, f" {PART_MONTH}."),
        ({(2024, 2)}, " Part of a month: the data of an account begins or ends in it: Feb 2024."),
        (set(), ""),
    ):
        drawn = chart_flows(sums, {}, "GBP", part_months=frozenset(in_part))
        assert movements.part_month_note(drawn, part_months=in_part) == said
    assert movements.part_month_note(drawn, part_months={(2024, 2), (2024, 5)}, most=1).endswith(": others.")


def test_page_one_names_the_same_part_months_as_the_pages_behind_it() -> None:
    months = frozenset({(2024, 1), (2024, 2)})
    named = Series("A", {(2024 + place // 12, place % 12 + 1): 1_00 for place in range(24)})
    strip = strip_of({"GBP": partial(chart_months, [named], "GBP", part_months=months)}, "GBP")
    assert strip is not None
    assert strip.note == f"{PART_MONTH}; also Feb 2024"


def test_a_payment_that_is_due_after_the_end_of_the_data_is_not_said_to_be_late() -> None:
    due, today = pd.Timestamp("2026-11-30"), pd.Timestamp("2026-12-01")
    row = {"next_on": due, "next_minor": 46_304, "currency": "GBP"}
    for ends, said in (
        ("2026-11-27", "not yet seen: the data end on 27 Nov 2026"),
        ("2026-11-30", "was expected before the review"),
    ):
        shown = outlook._next({**row, "data_to_on": pd.Timestamp(ends)}, today)
        assert shown == f"463.04 GBP on 30 Nov 2026, {said}"
