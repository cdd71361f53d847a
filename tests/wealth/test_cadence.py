from __future__ import annotations

import csv
from datetime import date, timedelta
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.wealth import CADENCES, classify_cadence
from kycpack.wealth.streams.cadence import IRREGULAR, classify_cadences
from kycpack.wealth.streams.calendars import (
    business_calendar,
    month_index,
    month_start,
    to_date,
    to_day_number,
)

EVERY = {"weekly": 7, "fortnightly": 14, "four_weekly": 28}
MONTHS = {"monthly": 1, "quarterly": 3, "semi_annual": 6, "annual": 12}
starts = st.dates(date(2012, 1, 1), date(2024, 12, 31))


def every_days(start: date, step: int, count: int, roll: int = 0) -> list[date]:
    nominal = to_day_number(start) + step * np.arange(count, dtype=np.int64)
    return rolled(nominal, roll)


def every_months(start: date, step: int, count: int, day: int, roll: int = 0) -> list[date]:
    months = month_index(np.array([to_day_number(start)]))[0] + step * np.arange(count, dtype=np.int64)
    return rolled(np.minimum(month_start(months) + day, month_start(months + 1)) - 1, roll)


def rolled(nominal: np.ndarray, roll: int) -> list[date]:
    calendar = business_calendar("GB", int(nominal.min()), int(nominal.max()))
    return [to_date(day) for day in calendar.rolled(nominal, np.full(1, roll, dtype=np.int64))]


@given(name=st.sampled_from(sorted(EVERY)), start=starts, roll=st.sampled_from([0, 1, 2]))
@example(name="weekly", start=date(2015, 1, 1), roll=0)
def test_steps_of_days_are_recognised_on_either_side_of_holidays(name: str, start: date, roll: int) -> None:
    found = classify_cadence(every_days(start, EVERY[name], 14, roll))
    assert found.name == name
    assert not found.ambiguous
    assert found.filled == found.expected == 14


@given(
    name=st.sampled_from(sorted(MONTHS)),
    start=starts,
    day=st.integers(1, 31),
    roll=st.sampled_from([0, 1, 2]),
)
def test_steps_of_months_are_recognised_on_any_day_of_the_month(
    name: str, start: date, day: int, roll: int
) -> None:
    found = classify_cadence(every_months(start, MONTHS[name], 6, day, roll))
    assert found.name == name
    assert not found.ambiguous


@given(start=starts, day=st.integers(1, 14))
def test_two_days_of_every_month_are_semi_monthly(start: date, day: int) -> None:
    dates = every_months(start, 1, 8, day) + every_months(start, 1, 8, day + 15)
    assert classify_cadence(dates).name == "semi_monthly"


@pytest.mark.parametrize("weekday", range(5))
def test_the_last_weekday_of_the_month_is_monthly_and_not_four_weekly(weekday: int) -> None:
    ends = [date(2025, month, 28) for month in range(1, 13)]
    dates = []
    for end in ends:
        day = (end.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        dates.append(day - timedelta(days=(day.weekday() - weekday) % 7))
    found = classify_cadence(dates)
    assert found.name == "monthly"
    assert found.anchor.startswith("last ")


@given(dates=st.lists(st.dates(date(2020, 1, 1), date(2023, 1, 1)), max_size=20), seed=st.randoms())
def test_order_and_repeats_of_dates_change_nothing(dates: list[date], seed: object) -> None:
    shuffled = [*dates, *dates[:3]]
    seed.shuffle(shuffled)  # type: ignore[attr-defined]
    assert classify_cadence(shuffled) == classify_cadence(dates)


@given(dates=st.lists(st.dates(date(2020, 1, 1), date(2023, 1, 1)), max_size=20))
def test_the_name_is_one_of_nine_and_figures_are_shares(dates: list[date]) -> None:
    found = classify_cadence(dates)
    assert found.name in CADENCES
    assert 0 <= found.score <= 1
    assert 0 <= found.margin <= 1
    assert found.filled <= found.expected
    assert (found.next_on is None) == (found.name == "irregular")


def test_fewer_than_three_payments_are_irregular() -> None:
    assert classify_cadence([]).name == "irregular"
    assert classify_cadence(["2025-01-31"]).name == "irregular"
    assert classify_cadence(["2025-01-31", "2025-02-28"]).name == "irregular"
    assert classify_cadence(["2024-03-28", "2025-03-28"]).name == "irregular"
    assert classify_cadence(["2023-03-28", "2024-03-28", "2025-03-28"]).name == "annual"


def test_a_missing_payment_lowers_the_score_but_not_the_class() -> None:
    dates = every_months(date(2024, 1, 1), 1, 12, 25)
    del dates[4]
    found = classify_cadence(dates)
    assert (found.name, found.filled, found.expected) == ("monthly", 11, 12)
    assert found.score < 1


def test_three_payments_four_weeks_apart_in_one_week_of_the_month_are_too_close_to_call() -> None:
    found = classify_cadence(["2019-01-28", "2019-02-25", "2019-03-25"])
    assert found.ambiguous
    assert {found.name, found.runner_up} == {"monthly", "four_weekly"}


def test_the_next_date_moves_off_a_holiday() -> None:
    found = classify_cadence(["2024-09-25", "2024-10-25", "2024-11-25"])
    assert found.next_on == date(2024, 12, 24)
    assert found.anchor == "25th, else the preceding working day"


def test_regions_have_their_own_holidays() -> None:
    # 2 January is a holiday in Scotland alone.
    dates = ["2023-11-02", "2023-12-01", "2024-01-01"]
    assert classify_cadence(["2023-10-02", "2023-11-02", "2023-12-02"], country="GB-SCT").name == "monthly"
    calendar = business_calendar("GB-SCT", to_day_number(date(2024, 1, 2)), to_day_number(date(2024, 1, 2)))
    assert not calendar.business[to_day_number(date(2024, 1, 2)) - calendar.first]
    assert classify_cadence(dates, country="DE").name in CADENCES


@pytest.mark.parametrize("country", ["XX", "GB-XXX", "GBR", "Germany", ""])
def test_an_unknown_country_is_named_as_the_fault(country: str) -> None:
    with pytest.raises(InputError, match="country"):
        classify_cadence(["2024-01-01", "2024-02-01", "2024-03-01"], country=country)


@pytest.mark.parametrize("dates", [["2024-13-01"], ["soon"], [None]])
def test_a_date_that_cannot_be_read_is_an_error(dates: list[str]) -> None:
    with pytest.raises(InputError, match="date"):
        classify_cadence(dates)


def test_random_dates_are_rarely_taken_for_a_habit() -> None:
    random = np.random.default_rng(7)
    days = np.concatenate([random.choice(365, 6, replace=False) + 19000 for _ in range(500)])
    found = classify_cadences(np.repeat(np.arange(500), 6), days, 500)
    assert (found.code != IRREGULAR).mean() < 0.03


def test_many_lists_at_once_give_what_each_gives_alone() -> None:
    lists = [every_days(date(2024, 1, 5), 7, 9), every_months(date(2024, 1, 1), 1, 7, 31), [date(2024, 5, 5)]]
    groups = np.repeat(np.arange(3), [len(dates) for dates in lists])
    days = np.array([to_day_number(day) for dates in lists for day in dates])
    together = classify_cadences(groups, days, 3)
    assert [together.one(index).name for index in range(3)] == [
        classify_cadence(dates).name for dates in lists
    ]


def test_every_published_sequence_is_classified(shared_data: Path) -> None:
    with (shared_data / "moj" / "payment_dates_odd.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    groups = [index for index, row in enumerate(rows) for day in row[5:] if day]
    days = [to_day_number(date.fromisoformat(day)) for row in rows for day in row[5:] if day]
    found = classify_cadences(np.array(groups), np.array(days), len(rows))
    named = {"two_weekly": "fortnightly"}
    wrong = [
        row[0] for index, row in enumerate(rows) if CADENCES[found.code[index]] != named.get(row[1], row[1])
    ]
    assert len(rows) == 1012
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "step", "moved"),
    [
        ("fortnightly", 14, (0, 1, 0)),
        ("fortnightly", 14, (1, 0, 0)),
        ("fortnightly", 14, (0, 0, -1)),
        ("four_weekly", 28, (0, 1, 0)),
        ("four_weekly", 28, (1, -1, 0)),
        ("weekly", 7, (0, 1, 0, -1)),
        ("weekly", 7, (0, 1, 0, -1, 1)),
        ("four_weekly", 28, (2, -3, 1, 3, -1)),
        ("fortnightly", 14, (3, -2, 0, 3, -3, 1, -1, 2, 0)),
    ],
)
def test_payments_beside_their_slots_show_the_habit(name: str, step: int, moved: tuple[int, ...]) -> None:
    start = date(2025, 2, 4)
    dates = [start + timedelta(days=step * number + by) for number, by in enumerate(moved)]
    found = classify_cadence(dates)
    assert found.name == name
    assert found.next_on is not None
    assert found.next_on > dates[-1]


def median_gap_scores(lists: list[np.ndarray]) -> list[tuple[float, str]]:
    """The peer: the class nearest to the median gap, and how far it and the spread of the gaps are from it."""
    usual = {"weekly": 7.0, "fortnightly": 14.0, "four_weekly": 28.0, "monthly": 30.44, "quarterly": 91.3}
    scores = []
    for days in lists:
        gaps = np.diff(days)
        median = float(np.median(gaps))
        spread = float(np.median(np.abs(gaps - median)))
        name, period = min(usual.items(), key=lambda item: abs(item[1] - median) / item[1])
        scores.append((max(spread, abs(median - period)) / period, name))
    return scores


def cadences_of(lists: list[np.ndarray]) -> list[str]:
    groups = np.repeat(np.arange(len(lists)), [len(days) for days in lists])
    return [CADENCES[code] for code in classify_cadences(groups, np.concatenate(lists), len(lists)).code]


@pytest.mark.parametrize("payments", [3, 4, 5])
@pytest.mark.parametrize("jitter", [0, 1])
def test_few_payments_are_recognised_as_often_as_by_the_median_gap_at_as_few_false_ones(
    payments: int, jitter: int
) -> None:
    rng = np.random.default_rng(77)
    random = [np.sort(20_000 + rng.choice(90, payments, replace=False)) for _ in range(4_000)]
    false = sum(name != "irregular" for name in cadences_of(random))
    bound = sorted(score for score, _ in median_gap_scores(random))[false]
    for name, step in (("weekly", 7), ("fortnightly", 14), ("four_weekly", 28)):
        starts = 20_000 + rng.integers(0, 1_400, 400)
        true = [
            start + step * np.arange(payments) + rng.integers(-jitter, jitter + 1, payments)
            for start in starts
        ]
        ours = np.mean([found == name for found in cadences_of(true)])
        peers = np.mean([score < bound and found == name for score, found in median_gap_scores(true)])
        assert ours >= peers - 0.05


def test_a_year_of_weekly_payments_on_any_day_of_the_week_is_weekly() -> None:
    moved = [-3, 2, 0, 3, -2, 1, -1, 3, -3, 0, 2, -1, 1] * 4
    found = classify_cadence(
        [date(2025, 1, 8) + timedelta(days=7 * number + by) for number, by in enumerate(moved)]
    )
    assert found.name == "weekly"
    assert found.expected in (52, 53)
    assert found.filled >= 44


def test_random_dates_in_a_year_are_no_habit_once_in_a_hundred_times() -> None:
    random = np.random.default_rng(31)
    for count in (3, 5, 8, 13):
        lists = [np.unique(19_000 + random.choice(365, count, replace=False)) for _ in range(600)]
        groups = np.repeat(np.arange(len(lists)), [len(days) for days in lists])
        found = classify_cadences(groups, np.concatenate(lists), len(lists))
        assert (found.code != IRREGULAR).mean() <= 0.012


@pytest.mark.parametrize("window", [60, 90, 120])
@pytest.mark.parametrize("payments", [3, 4, 5, 6, 8, 10, 12])
def test_random_dates_of_a_short_history_are_seldom_called_regular(window: int, payments: int) -> None:
    """Aim: one list in a hundred; half as many again is what 2,000 draws may show by chance."""
    rng, lists = np.random.default_rng(44), 2_000
    days = [np.sort(rng.choice(window, payments, replace=False)) + 20_000 for _ in range(lists)]
    assert np.mean([name != "irregular" for name in cadences_of(days)]) <= 0.015


def test_of_three_dates_at_random_at_most_one_in_a_hundred_is_regular_whatever_their_span() -> None:
    """Every two gaps up to 35 days, from days all over six years, as often as they occur within a span; longer ones are seldom regular within 180 days."""
    gaps, starts = np.indices((35, 35)).reshape(2, -1).T + 1, 19_000 + 101 * np.arange(21)
    lists = [start + np.array([0, first, first + second]) for first, second in gaps for start in starts]
    regular = (
        np.array([name != "irregular" for name in cadences_of(lists)]).reshape(len(gaps), -1).mean(axis=1)
    )
    spans = range(20, 181)
    rates = [(np.maximum(span - gaps.sum(axis=1), 0) * regular).sum() / comb(span, 3) for span in spans]
    assert max(rates) <= 0.0105  # 1.00% by all days of eight years


def test_a_weekly_payment_is_said_to_come_on_the_day_on_which_it_is_booked() -> None:
    holidays = {date(2025, 4, 21), date(2025, 5, 5), date(2025, 5, 26), date(2025, 8, 25)}
    mondays = [date(2025, 3, 3) + timedelta(7 * week) for week in range(30)]
    booked = [day + timedelta(1) if day in holidays else day for day in mondays]
    assert classify_cadence(booked).anchor == "every Monday"
