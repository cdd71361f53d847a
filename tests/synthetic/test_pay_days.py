from __future__ import annotations

from datetime import date

import pytest

from kycpack.synthetic.pay_days import LAST_DAY, PayRule, pay_dates

START, END = date(2025, 1, 1), date(2025, 12, 31)


def test_the_last_working_day_steps_back_over_weekends_and_holidays() -> None:
    dates = pay_dates(PayRule("monthly", days=(LAST_DAY,)), START, END)
    assert len(dates) == 12
    assert dates[4] == date(2025, 5, 30)  # 31 May is a Saturday
    assert dates[7] == date(2025, 8, 29)  # 31 August is a Sunday
    assert date(2024, 3, 28) in pay_dates(  # 29 March was Good Friday, 31 March Easter Sunday
        PayRule("monthly", days=(LAST_DAY,)), date(2024, 3, 1), date(2024, 3, 31)
    )


def test_the_thirtieth_becomes_the_last_of_february() -> None:
    dates = pay_dates(PayRule("monthly", days=(30,), roll="none"), START, END)
    assert dates[1] == date(2025, 2, 28)


def test_four_weekly_pays_thirteen_times_a_year() -> None:
    rule = PayRule("four_weekly", step_days=28, anchor=date(2025, 1, 6), roll="none")
    assert len(pay_dates(rule, START, END)) == 13


def test_a_standing_order_steps_forward() -> None:
    rule = PayRule("monthly", days=(1,), roll="after")
    assert pay_dates(rule, date(2025, 1, 1), date(2025, 1, 31)) == [date(2025, 1, 2)]


def test_the_last_friday() -> None:
    dates = pay_dates(PayRule("monthly", last_weekday=4), START, END)
    assert {day.weekday() for day in dates[:3]} == {4}
    assert len(dates) == 12


def test_quarters() -> None:
    rule = PayRule("quarterly", days=(15,), months=(1, 4, 7, 10), roll="none")
    assert [day.month for day in pay_dates(rule, START, END)] == [1, 4, 7, 10]


def test_steps_need_an_anchor() -> None:
    with pytest.raises(ValueError, match="anchor"):
        pay_dates(PayRule("weekly", step_days=7), START, END)
