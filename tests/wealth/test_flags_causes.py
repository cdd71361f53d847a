"""Cash and small sums that one person collects and sends abroad, to somebody new each time; and trips, families, appeals and traders that do nearly the same."""

from __future__ import annotations

import pytest
from tests.wealth.flag_parts import codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def collects(d: Diary, day: int, *, people: int = 6, text: str = "DONATION") -> int:
    """Book a collection of some weeks and return what came in."""
    total = 0
    for name in d.people(people):
        total += (amount := d.rng.choice((10, 20, 25, 50, 100)))
        d.pay(day - d.rng.randint(0, 20), amount, name, d.rng.choice((text, "WELL", "")))
    return total


def cash_in(d: Diary, day: int) -> int:
    amount = 5 * d.rng.randint(60, 140)
    d.pay(day, amount, "CASH PAID IN", d.rng.choice(("LEEDS", "YORK")))
    return amount


def away(d: Diary, day: int, amount: float, name: str, text: str = "AID") -> None:
    d.pay(day, -amount, name, f"INTERNATIONAL PAYMENT {text}")


def collection_sent_to_ever_new_people(d: Diary) -> None:
    for month in range(1, 9):
        day = 40 + 30 * month
        total = collects(d, day) + cash_in(d, day)
        away(d, day + 3, round(total * d.rng.uniform(0.85, 1), -1), d.person())


def collection_that_is_staked(d: Diary) -> None:
    for month in range(4, 11):
        day = 20 + 30 * month
        total = collects(d, day, people=9) + cash_in(d, day)
        for part in range(4):
            d.pay(day + 1 + part, -total * 0.22, "Ladbrokes", "LADBROKES")


def collection_that_is_drawn(d: Diary) -> None:
    for month in range(4, 11):
        day = 20 + 30 * month
        total = collects(d, day, people=9) + cash_in(d, day)
        for part in range(max(total // 250, 1)):
            d.pay(day + 1 + part, -240, "LNK", "LEEDS", code="PMNT-CCRD-CWDL")


def sells_small_things(d: Diary) -> None:
    """Buyers pay small sums once; as much is drawn in cash as before."""
    for day in range(10, 350, 9):
        d.pay(day, -60, "LNK", "LEEDS", code="PMNT-CCRD-CWDL")
    for month in range(4, 11):
        collects(d, 20 + 30 * month, people=9, text="EBAY LAMP")
        cash_in(d, 20 + 30 * month)


def begins_to_bet_beside_a_collection(d: Diary) -> None:
    """What is staked is little compared with what is collected, and the charity gets it all."""
    for month in range(4, 11):
        day = 20 + 30 * month
        total = collects(d, day, people=9) + cash_in(d, day)
        d.pay(day + 2, -total, "British Heart Foundation", "DONATION")
        d.pay(day + 5, -20, "Ladbrokes", "LADBROKES")


def appeal_for_one_family(d: Diary) -> None:
    family = d.person()
    for month in range(1, 9):
        day = 40 + 30 * month
        away(d, day + 3, round((collects(d, day) + cash_in(d, day)) * 0.95, -1), family)


def trip_of_a_club(d: Diary) -> None:
    """Members pay and bring cash, and hotels, guides and a coach abroad are paid within weeks."""
    day = d.day(120, 250)
    for number in range(3):
        total = collects(d, day + 10 * number, people=10, text="TRIP") + cash_in(d, day + 10 * number)
        for name in (d.person(), "Hotel Bellavista"):
            away(d, day + 10 * number + 3, total / 2, name, "TRIP")


def waiter_with_a_family_abroad(d: Diary) -> None:
    names = d.people(6)
    for month in range(1, 11):
        day = 20 + 30 * month
        away(d, day + 3, cash_in(d, day) * 0.9, names[month % 6], "FAMILY")


def friends_repay_and_tips_go_home(d: Diary) -> None:
    """Some who pay in are friends, and the cash is tips; what goes to relatives abroad comes from the wage."""
    for month in range(1, 9):
        day = 40 + 30 * month
        collects(d, day, people=3, text="PIZZA")
        cash_in(d, day)
        away(d, day + 3, 120, d.person(), "FAMILY")


def test_a_collection_that_goes_to_somebody_new_each_time_is_found() -> None:
    (found,) = codes_by_kind(derived_kinds([(collection_sent_to_ever_new_people, True)])).values()
    assert all(one.get("collected_abroad") == "edd" for one in found)


@pytest.mark.parametrize("kind", [collection_that_is_staked, collection_that_is_drawn])
def test_a_collection_that_is_staked_or_drawn_is_found(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, True)])).values()  # type: ignore[list-item]
    assert all(one.get("gifts_taken") == "edd" for one in found)


@pytest.mark.parametrize("kind", [sells_small_things, begins_to_bet_beside_a_collection])
def test_small_things_sold_and_a_collection_that_is_given_are_not(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, False)])).values()  # type: ignore[list-item]
    assert not any({"gifts_taken", "collected_abroad"} & set(one) for one in found)


@pytest.mark.parametrize(
    "kind",
    [appeal_for_one_family, trip_of_a_club, waiter_with_a_family_abroad, friends_repay_and_tips_go_home],
)
def test_an_appeal_a_trip_and_money_for_a_family_are_not(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, False)])).values()  # type: ignore[list-item]
    assert not any("collected_abroad" in one for one in found)
