"""The gaps between payments that show a habit by themselves, and those that are a day too wide for it."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest

from kycpack.wealth.streams.gaps import median_gaps, steady_gaps
from kycpack.wealth.streams.slots import FAMILIES


def classes(*lists: list[int], one_amount: bool = False) -> list[set[str]]:
    """Return the classes that each list of gaps keeps to."""
    days = [np.array([20_000, *accumulate(gaps, initial=20_000)][1:], dtype=np.int64) for gaps in lists]
    groups = np.repeat(np.arange(len(lists)), [len(each) for each in days])
    found = steady_gaps(groups, np.concatenate(days), len(lists), np.full(len(lists), one_amount))
    return [{family.name for family, holds in zip(FAMILIES, row, strict=True) if holds} for row in found]


@pytest.mark.parametrize(
    ("name", "gaps", "too_wide"),
    [
        ("weekly", [7, 8, 7], [8, 8, 7]),
        ("weekly", [6, 9, 7], [5, 9, 7]),
        ("weekly", [7, 7, 7, 9], [7, 7, 8, 9]),
        ("weekly", [5, 7, 9, 7], [4, 7, 9, 7]),
        ("weekly", [8, 8, 7, 7], [6, 8, 8, 8]),
        ("weekly", [5, 9, 5, 9], [5, 8, 5, 9]),
        ("weekly", [5, 9, 9, 9, 9], [5, 9, 9, 9, 10]),
        ("weekly", [5, 5, 5, 5, 5], [4, 5, 5, 5, 5]),
        ("fortnightly", [13, 15], [15, 15]),
        ("fortnightly", [13, 14], [14, 15]),
        ("fortnightly", [14, 13], [15, 14]),
        ("fortnightly", [12, 16, 14], [14, 14, 15]),
        ("fortnightly", [11, 17, 14, 17], [11, 17, 15, 17]),
        ("fortnightly", [10, 18, 18, 14, 16], [10, 18, 18, 15, 16]),
        ("fortnightly", [10, 18, 14, 14, 14], [9, 18, 14, 14, 15]),
        ("fortnightly", [8, 20, 14, 14, 14, 14, 14], [7, 20, 15, 14, 14, 14, 14]),
        ("four_weekly", [26, 29], [26, 30]),
        ("four_weekly", [30, 27], [30, 26]),
        ("four_weekly", [27, 28], [27, 27]),
        ("fortnightly", [14, 14, 14, 14, 14, 14, 20], [15, 14, 14, 14, 14, 14, 20]),
        ("four_weekly", [25, 31, 28], [24, 32, 28]),
        ("four_weekly", [28, 28, 30], [28, 29, 30]),
        ("four_weekly", [28, 28, 28, 34], [29, 28, 28, 34]),
        ("monthly", [31, 31], [32, 31]),
        ("monthly", [30, 30, 29], [29, 30, 29]),
        ("monthly", [31, 32, 32, 32], [32, 32, 32, 32]),
        ("quarterly", [91, 92, 98], [92, 92, 98]),
        ("four_weekly", [22, 34, 28, 28], [21, 35, 28, 28]),
        ("monthly", [31, 30], [32, 32]),
        ("monthly", [29, 32], [28, 33]),
        ("monthly", [27, 34, 31], [26, 34, 31]),
        ("monthly", [24, 37, 30, 30], [23, 37, 31, 30]),
        ("quarterly", [88, 95], [87, 95]),
        ("quarterly", [84, 98, 91], [83, 98, 91]),
    ],
)
def test_gaps_keep_to_a_class_up_to_a_day(name: str, gaps: list[int], too_wide: list[int]) -> None:
    inside, outside = classes(gaps, too_wide)
    assert name in inside
    assert name not in outside


@pytest.mark.parametrize(
    ("name", "gaps", "too_wide"),
    [
        ("weekly", [7, 9], [8, 9]),
        ("weekly", [5, 7, 9], [4, 8, 9]),
        ("weekly", [9, 9, 9, 9], [10, 7, 7, 7]),
        ("fortnightly", [12, 16], [11, 17]),
        ("fortnightly", [12, 16, 16], [13, 16, 16]),
        ("fortnightly", [10, 18, 18, 16], [10, 18, 18, 17]),
    ],
)
def test_payments_of_one_amount_may_be_a_day_further_from_their_slots(
    name: str, gaps: list[int], too_wide: list[int]
) -> None:
    inside, outside = classes(gaps, too_wide, one_amount=True)
    assert name in inside
    assert name not in outside


@pytest.mark.parametrize(
    ("name", "gaps", "too_short", "too_long"),
    [
        ("weekly", [6, 9, 7], [5, 9, 7], [6, 10, 6]),
        ("weekly", [5, 9, 7, 7], [4, 9, 7, 7], [5, 10, 7, 6]),
        ("fortnightly", [13, 15], [12, 15], [13, 16]),
        ("fortnightly", [12, 16, 14], [11, 16, 15], [12, 17, 13]),
        ("fortnightly", [11, 17, 14, 14], [10, 17, 14, 15], [11, 18, 14, 13]),
        ("fortnightly", [10, 18, 14, 14, 14], [9, 18, 14, 14, 15], [10, 19, 14, 14, 14]),
        (
            "fortnightly",
            [8, 20, 14, 14, 14, 14, 14],
            [7, 20, 15, 14, 14, 14, 14],
            [8, 21, 13, 14, 14, 14, 14],
        ),
        ("four_weekly", [26, 29], [25, 30], [26, 31]),
        ("four_weekly", [25, 31, 28], [24, 31, 29], [25, 32, 27]),
        ("four_weekly", [22, 34, 28, 28], [21, 34, 28, 29], [22, 35, 27, 28]),
        ("monthly", [29, 32], [28, 32], [29, 33]),
        ("monthly", [27, 34, 31], [26, 34, 31], [27, 35, 30]),
        ("monthly", [24, 37, 30, 30], [23, 37, 31, 30], [24, 38, 30, 30]),
        ("quarterly", [88, 95], [87, 95], [88, 96]),
        ("quarterly", [84, 98, 91], [83, 98, 91], [84, 99, 91]),
    ],
)
def test_one_gap_that_is_a_day_too_short_or_too_long_is_no_habit(
    name: str, gaps: list[int], too_short: list[int], too_long: list[int]
) -> None:
    assert [name in each for each in classes(gaps, too_short, too_long)] == [True, False, False]


@pytest.mark.parametrize(
    ("name", "gaps", "too_short", "too_long"),
    [
        ("weekly", [5, 9], [4, 9], [5, 10]),
        ("weekly", [5, 9, 7, 7], [4, 9, 7, 7], [5, 10, 7, 7]),
        ("fortnightly", [12, 16], [11, 16], [12, 17]),
        ("fortnightly", [10, 18, 14, 14], [9, 18, 14, 14], [10, 19, 14, 14]),
    ],
)
def test_nor_is_it_for_payments_of_one_amount(
    name: str, gaps: list[int], too_short: list[int], too_long: list[int]
) -> None:
    found = classes(gaps, too_short, too_long, one_amount=True)
    assert [name in each for each in found] == [True, False, False]


@pytest.mark.parametrize(
    ("name", "gaps"),
    [
        ("weekly", [7, 8]),
        ("weekly", [5, 7, 9]),
        ("weekly", [9, 9, 9, 9]),
        ("fortnightly", [12, 16]),
        ("fortnightly", [11, 17, 14]),
        ("fortnightly", [10, 18, 14, 14]),
        ("fortnightly", [8, 20, 14, 14, 14, 14]),
        ("four_weekly", [25, 31]),
        ("four_weekly", [22, 34, 28]),
        ("monthly", [27, 34]),
        ("monthly", [24, 37, 31]),
        ("quarterly", [84, 98]),
    ],
)
def test_wide_gaps_are_no_habit_while_there_are_few(name: str, gaps: list[int]) -> None:
    (found,) = classes(gaps)
    assert name not in found


def test_what_is_known_of_one_payer_is_not_taken_for_another() -> None:
    assert classes([7, 7, 7], [28, 28, 28], [7, 28, 91]) == [{"weekly"}, {"four_weekly"}, set()]


@pytest.mark.parametrize(("weeks", "found"), [(10, False), (11, True)])
def test_one_payment_in_each_of_eleven_weeks_is_weekly_whatever_the_day(weeks: int, found: bool) -> None:  # noqa: FBT001
    days = [7 * week + (0, 6)[week % 2] for week in range(weeks)]
    (seen,) = classes(np.diff(days).tolist())
    assert ("weekly" in seen) is found


@pytest.mark.parametrize(
    ("weeks", "missed", "found"),
    [
        (12, (5,), False),
        (13, (5,), True),
        (13, (5, 9), False),
        (19, (5, 9, 14), False),
        (20, (5, 9, 14), True),
        (20, (3, 5, 9, 14), False),
    ],
)
def test_of_thirteen_weeks_one_and_of_twenty_three_may_have_no_payment(
    weeks: int,
    missed: tuple[int, ...],
    found: bool,  # noqa: FBT001
) -> None:
    days = [7 * week + (0, 6)[week % 2] for week in range(weeks) if week not in missed]
    (seen,) = classes(np.diff(days).tolist())
    assert ("weekly" in seen) is found


def test_the_median_gap_of_an_even_number_is_the_lower_of_the_middle_two() -> None:
    groups = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
    days = np.array([0, 2, 12, 16, 24, 100, 130, 131, 138])
    assert median_gaps(groups, days, 2).tolist() == [4.0, 7.0]
