"""Many people who each pay the same share of one purchase, and the same money where nothing is bought."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def _collect(d: Diary, share: Callable[[], int]) -> tuple[int, int]:
    """Book what a dozen people pay within a fortnight; return the last day and the sum."""
    start, names = d.day(60, 250), d.people(12)
    paid = [share() for _ in names]
    for name, amount in zip(names, paid, strict=True):
        d.pay(start + d.rng.randint(0, 12), amount, name)
    return start + 13, sum(paid)


def trip(d: Diary) -> None:
    share = d.rng.randint(70, 160) * 5
    last, total = _collect(d, lambda: share)
    seller, code = d.rng.choice(
        (("BOOKING.COM", None), ("AIRBNB", None), ("Alpine Coaches Ltd", "PMNT-CCRD-POSD"))
    )
    d.pay(last + d.rng.randint(1, 6), -(total + share), seller, code=code)


def tickets_never_bought(d: Diary) -> None:
    share = d.rng.randint(70, 160) * 5
    last, total = _collect(d, lambda: share)
    d.pay(last + 2, -total * 0.95, d.person(), d.rng.choice(("", "HOTEL", "TICKETS")))


def sums_of_their_own(d: Diary) -> None:
    last, total = _collect(d, lambda: d.rng.randint(350, 900))
    d.pay(last + 2, -total, "BOOKING.COM")


def firm_that_is_called_a_shop(d: Diary) -> None:
    share = d.rng.randint(70, 160) * 5
    last, total = _collect(d, lambda: share)
    d.pay(last + 2, -total, "Halden Holdings Ltd", "HOTEL BOOKING")


def goods_and_top_ups(d: Diary) -> None:
    share = d.rng.randint(70, 160) * 5
    last, total = _collect(d, lambda: share)
    seller = d.rng.choice(("APPLE STORE", "CURRYS", "AMAZON", "PAYPAL", "REVOLUT"))
    d.pay(last + 2, -total, seller, code="PMNT-CCRD-POSD")


_KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (trip, False),
    (tickets_never_bought, True),
    (sums_of_their_own, True),
    (firm_that_is_called_a_shop, True),
    (goods_and_top_ups, True),
)


@pytest.fixture(scope="module")
def collected() -> dict[str, list[dict[str, str]]]:
    return codes_by_kind(derived_kinds(_KINDS))


@pytest.mark.parametrize(("make", "guilty"), _KINDS)
def test_equal_shares_of_one_purchase_are_no_money_from_strangers(
    collected: dict[str, list[dict[str, str]]], make: Callable[[Diary], None], *, guilty: bool
) -> None:
    found = ["fan_in" in one for one in collected[make.__name__]]
    assert found == [guilty] * len(SEEDS), collected[make.__name__]
