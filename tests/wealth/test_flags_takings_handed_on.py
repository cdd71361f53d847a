"""Takings that one party gets nearly all of, whatever the payments are called; and people who take cards or guests and pay rent, family and helpers."""

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


def cards_charged_for_cash(d: Diary) -> None:
    """Cards are charged in hundreds; what is left after the fee is drawn or sent to ever new people within days."""
    for week in range(8, 46):
        day = week * 7
        taken = 100 * d.rng.randint(5, 20)
        d.pay(day, taken * 0.9831, "SumUp", "PAYOUT")
        for part in range(taken // 300):
            d.pay(day + 1 + part % 3, -250, "LNK", "LEEDS", code="PMNT-CCRD-CWDL")
        if week % 4 == 0:
            d.pay(day + 2, -350, d.person())


def draws_cash_for_stock(d: Diary) -> None:
    """A fruit stall takes uneven sums by card and pays for its fruit in cash."""
    for week in range(52):
        takings(d, week, 500, 1100)
        for part in range(2):
            d.pay(week * 7 + 3 + part, -300, "LNK", "LEEDS", code="PMNT-CCRD-CWDL")


def teaches_at_one_price(d: Diary) -> None:
    """Lessons cost the same, so that payouts repeat; the money pays for living, and some of it is drawn."""
    for week in range(52):
        d.pay(week * 7, 0.9831 * 60 * d.rng.randint(4, 8), "SumUp", "PAYOUT")
        if week % 3 == 0:
            d.pay(week * 7 + 2, -200, "LNK", "LEEDS", code="PMNT-CCRD-CWDL")


@pytest.mark.parametrize("kind", [called_rent, called_wages, called_nothing, cards_charged_for_cash])
def test_takings_that_one_party_gets_are_found_whatever_they_are_called(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, True)])).values()  # type: ignore[list-item]
    assert all(one.get("takings_to_persons") == "edd" for one in found)


@pytest.mark.parametrize(
    "kind", [sells_beside_a_job, pays_a_helper, draws_cash_for_stock, teaches_at_one_price]
)
def test_takings_beside_rent_household_and_wages_are_not(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, False)])).values()  # type: ignore[list-item]
    assert not any("takings_to_persons" in one for one in found)


def _guests_and_a_helper(d: Diary, platform: str, weeks: range) -> None:
    """Guests pay a deposit and a balance each, and one party gets most of it in sums that always differ."""
    helper, paid = d.person(), 0
    for week in range(0, 50, 2):
        guest, rest = d.person(), d.rng.randint(300, 500)
        d.pay(week * 7 + 1, 150, guest, "DEPOSIT")
        d.pay(week * 7 + 9, rest, guest, "BALANCE")
        paid += 150 + rest
        if week % 4 == 2:
            d.pay(week * 7 + 12, -round(paid * d.rng.uniform(0.6, 0.8)), helper, "THANKS")
            paid = 0
    for week in weeks:
        d.pay(week * 7 + 3, d.rng.randint(500, 900), platform, "PAYOUT")


def lets_through_a_platform(d: Diary) -> None:
    _guests_and_a_helper(d, "Airbnb Payments UK", range(50))


def names_a_platform_now_and_then(d: Diary) -> None:
    _guests_and_a_helper(d, "Airbnb Payments UK", range(0, 50, 20))


def is_paid_by_another_firm(d: Diary) -> None:
    _guests_and_a_helper(d, "Marlow Stays Ltd", range(50))


@pytest.mark.parametrize(
    ("kind", "guilty"),
    [
        (lets_through_a_platform, False),
        (names_a_platform_now_and_then, True),
        (is_paid_by_another_firm, True),
    ],
)
def test_guests_pay_a_host_whose_platform_pays_more_and_strangers_pay_somebody_else(
    kind: object, *, guilty: bool
) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, guilty)])).values()  # type: ignore[list-item]
    assert [one.get("collected_for_one") == "edd" for one in found] == [guilty] * len(found)
