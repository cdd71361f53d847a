"""Payments that wait: the earliest of some amounts, and no more steps than the number of payments bears."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from decimal import Decimal
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wealth.flag_parts import movement

from kycpack.wealth.judge.red_flags.cycles import Waiting, cycles
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import Finder
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.returns import purchases_cancelled, round_trips
from kycpack.wealth.thresholds import Thresholds

_ROWS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9), st.sampled_from("PQR")), max_size=20)


@given(_ROWS, st.data())
def test_the_earliest_of_some_amounts_that_nobody_took_is_found(
    made: list[tuple[int, int, str]], data: st.DataObject
) -> None:
    rows = [movement(day, amount, party, is_credit=True) for day, amount, party in sorted(made)]
    waiting, left = Waiting(rows), list(rows)
    for _ in rows:
        least, most = sorted((data.draw(st.integers(0, 10)), data.draw(st.integers(0, 10))))
        party = data.draw(st.sampled_from([None, "P", "Q"]))
        found = waiting.earliest(
            bisect_left(waiting.amounts, least), bisect_right(waiting.amounts, most), not_of=party
        )
        fit = (one for one in left if least <= one.amount <= most and one.party != party)
        assert found is next(fit, None)
        if found is not None:
            waiting.take(found)
            left = [one for one in left if one is not found]
    waiting.take_before(5)
    first = waiting.earliest(0, len(rows))
    assert first is next((one for one in left if one.day >= 5), None)


def _steps(finder: Finder, rows: list[Movement]) -> int:
    """Return how many lines of Python a search takes."""
    steps = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        return trace

    life = Life("GBP", rows, Thresholds(cycle_total=Decimal(10**9), cancelled_total=Decimal(10**9)))
    sys.settrace(trace)
    try:
        list(finder.find(life))
    finally:
        sys.settrace(None)
    return steps


def _both_ways(count: int, days: int) -> list[Movement]:
    """Return payments to and from one party, no two of like amounts."""
    rows = [
        movement(place * days // count, 100_000 * 2 ** (1 + place % 40) + is_credit * 70_000, "ACME TRADING", is_credit=is_credit)
        for place in range(count)
        for is_credit in (True, False)
    ]  # fmt: skip
    return sorted(rows, key=lambda one: (one.day, not one.is_credit))


@pytest.mark.parametrize("finder", [round_trips, cycles, purchases_cancelled])
@pytest.mark.parametrize("days", [20, 900])
def test_twice_the_payments_of_one_party_take_little_more_than_twice_the_steps(
    finder: Finder, days: int
) -> None:
    few, many = (_steps(finder, _both_ways(count, days)) for count in (100, 400))
    assert many <= 7 * few
