"""Strangers' sums around paid nights that one party shares in; and people who work on the road and keep what they are paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pandas as pd
import pytest
from tests.wealth.flag_parts import SEEDS, codes_by_kind, derived
from tests.wealth.money_patterns import Diary

_LODGING = ("TRAVELODGE LEEDS", "PREMIER INN YORK", "IBIS BUDGET HULL", "BRITANNIA HOTEL")


def on_the_road(d: Diary, *, most: int = 4, lodging: Sequence[str] = _LODGING) -> Iterator[tuple[int, int]]:
    """Book what strangers pay each fortnight away, and yield the day after with the sum."""
    for day in range(60, 330, 14):
        taken = 0
        for name in d.people(d.rng.randint(2, most)):
            taken += (amount := d.rng.choice((60, 80, 100, 120, 150)))
            d.pay(day + d.rng.randint(0, 1), amount, name, d.rng.choice(("", "THANKS", "X", "HOUR")))
        if lodging:
            d.pay(day + 1, -d.rng.uniform(45, 95), d.rng.choice(lodging), code="PMNT-CCRD-POSD")
            d.rows[-1]["counterparty_name"] = None
        yield day + 2, taken


def takings_handed_over(d: Diary) -> None:
    taker = d.person()
    for day, taken in on_the_road(d):
        d.pay(day, -round(taken * d.rng.uniform(0.3, 0.5), -1), taker, d.rng.choice(("", "HOUSE")))


def takings_handed_over_in_france(d: Diary) -> None:
    """A bank that writes sentences names the hotel after the way of paying."""
    taker = d.person()
    hotels = [
        f"PAIEMENT PAR CARTE {name} LE 03/04"
        for name in ("IBIS BUDGET LYON", "KYRIAD DIJON", "CAMPANILE METZ")
    ]
    for day, taken in on_the_road(d, lodging=hotels):
        d.pay(day, -round(taken * d.rng.uniform(0.3, 0.5), -1), taker, d.rng.choice(("", "HOUSE")))


def sells_at_fairs(d: Diary) -> None:
    """A potter sleeps where the fair is, and pays the organiser the same for each stand."""
    organiser = d.person()
    for day, _ in on_the_road(d, most=6):
        d.pay(day - 1, -85, organiser, "STAND")


def plays_at_weddings(d: Diary) -> None:
    """Two musicians stay in hotels; the other one is paid half, and has a name on the bills of neither."""
    for day, taken in on_the_road(d):
        d.pay(day, -taken / 2, d.person(), "HALF")


def cuts_hair_at_home(d: Diary) -> None:
    """What the owner of the salon gets varies with the work."""
    owner = d.person()
    for day, taken in on_the_road(d, lodging=()):
        d.pay(day, -round(taken * d.rng.uniform(0.3, 0.5), -1), owner, "CHAIR")


def massages_on_the_road(d: Diary) -> None:
    for _ in on_the_road(d, most=6):
        pass


def codes_of(make: Callable[[Diary], None]) -> list[dict[str, str]]:
    """Return the codes of a year in which the rent is the same each month."""

    def stories() -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
        for seed in SEEDS:
            diary = Diary(f"{make.__name__} {seed}")
            diary.live(rent=700)
            make(diary)
            yield ("", False, *diary.frames())

    (found,) = codes_by_kind(derived(stories)).values()
    return found


@pytest.mark.parametrize("kind", [takings_handed_over, takings_handed_over_in_france])
def test_strangers_sums_around_nights_away_that_one_party_shares_in_are_found(
    kind: Callable[[Diary], None],
) -> None:
    assert all(one.get("collected_for_one") == "edd" for one in codes_of(kind))


@pytest.mark.parametrize("kind", [sells_at_fairs, plays_at_weddings, cuts_hair_at_home, massages_on_the_road])
def test_work_on_the_road_and_work_at_home_that_is_shared_are_not(kind: Callable[[Diary], None]) -> None:
    assert not any("collected_for_one" in one for one in codes_of(kind))
