"""A prize that is shared with those who had put in is no passage of money; one that is sent on to people who had not is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, Stories, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary

_PASSAGE = frozenset({"pass_through", "fan_out", "gambling_beyond_income", "gambling_washed"})


def _prize(d: Diary, *, put_in: bool) -> None:
    colleagues = d.people(7)
    if put_in:
        for month in range(8):
            for name in colleagues:
                d.pay(30.4 * month + d.rng.randint(1, 5), 10, name, "SYNDICATE")
                d.pay(30.4 * month + 7, -10, "NATIONAL LOTTERY", code="PMNT-CCRD-POSD")
    d.pay(250, 64_000, "NATIONAL LOTTERY", "PRIZE")
    for place, name in enumerate(colleagues):
        d.pay(252 + place % 3, -8_000, name, "SHARE")


def syndicate_wins(d: Diary) -> None:
    _prize(d, put_in=True)


def prize_for_strangers(d: Diary) -> None:
    _prize(d, put_in=False)


@pytest.fixture(scope="module")
def stories() -> Stories:
    return derived_kinds([(syndicate_wins, False), (prize_for_strangers, True)])


@pytest.mark.parametrize(("make", "is_flagged"), [(syndicate_wins, False), (prize_for_strangers, True)])
def test_a_shared_prize_is_told_from_one_that_is_sent_on(
    stories: Stories,
    make: Callable[[Diary], None],
    is_flagged: bool,  # noqa: FBT001
) -> None:
    found = codes_by_kind(stories)[make.__name__]
    assert [bool(_PASSAGE & {code for code, level in one.items() if level == "edd"}) for one in found] == [
        is_flagged
    ] * len(SEEDS)
