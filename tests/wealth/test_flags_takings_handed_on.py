"""Card takings that one party gets nearly all of, whatever the payments are called; and people who take cards and pay rent and family."""

from __future__ import annotations

import pytest
from tests.wealth.flag_parts import codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def takings(d: Diary, week: int, low: int = 500, high: int = 1500) -> float:
    parts = [d.rng.uniform(low, high) / 3 for _ in range(3)]
    for number, part in enumerate(parts):
        d.pay(week * 7 + number, part, "SumUp", "PAYOUT")
    return sum(parts)


def _handed_on(d: Diary, party: str, text: str) -> None:
    for week in range(10, 52):
        d.pay(week * 7 + 4, -takings(d, week) * d.rng.uniform(0.88, 0.98), party, text)


def called_rent(d: Diary) -> None:
    _handed_on(d, "Premier Lettings", "SHOP RENT")


def called_wages(d: Diary) -> None:
    _handed_on(d, d.person(), "STAFF WAGES")


def called_nothing(d: Diary) -> None:
    _handed_on(d, d.person(), "")


def sells_beside_a_job(d: Diary) -> None:
    """The rent and what the household gets are as much as the takings, and are paid from the wage too."""
    partner = d.person()
    for week in range(52):
        takings(d, week, 150, 330)
    for month in range(12):
        d.pay(month * 30.4 + 20, -d.rng.uniform(800, 1100), partner, "HOUSEKEEPING")


def pays_a_helper(d: Diary) -> None:
    helper = d.person()
    for week in range(52):
        d.pay(week * 7 + 4, -takings(d, week) * d.rng.uniform(0.2, 0.35), helper, "WAGES")


@pytest.mark.parametrize("kind", [called_rent, called_wages, called_nothing])
def test_takings_that_one_party_gets_are_found_whatever_they_are_called(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, True)])).values()  # type: ignore[list-item]
    assert all(one.get("takings_to_persons") == "edd" for one in found)


@pytest.mark.parametrize("kind", [sells_beside_a_job, pays_a_helper])
def test_takings_beside_rent_household_and_wages_are_not(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, False)])).values()  # type: ignore[list-item]
    assert not any("takings_to_persons" in one for one in found)
