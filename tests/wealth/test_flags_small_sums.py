"""Small sums that are gathered and taken out or go to ever new people, and honest lives that look like it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import Stories, derived, is_found
from tests.wealth.gathered import KINDS, gathered
from tests.wealth.money_patterns import Diary
from tests.wealth.test_flag_sentences import of_its_payments, with_payments

_TIMES = 4


@pytest.fixture(scope="module")
def small() -> Stories:
    return derived(lambda: gathered(20_261_130, per_kind=_TIMES))


@pytest.mark.parametrize(("make", "guilty"), KINDS)
def test_what_is_gathered_or_scattered_is_found_and_work_family_and_costs_are_not(
    small: Stories, make: Callable[[Diary], None], *, guilty: bool
) -> None:
    found = [
        is_found(wealth) or [*wealth.flags["message"]]
        for kind, _, _, wealth in small
        if kind == make.__name__
    ]
    if guilty:
        assert found.count(True) >= _TIMES - 1, found
    else:
        assert True not in found, [
            [*wealth.flags["message"]] for kind, _, _, wealth in small if kind == make.__name__
        ]


def test_every_number_of_their_sentences_follows_from_their_payments(small: Stories) -> None:
    seen = set()
    for _, guilty, rows, wealth in small:
        for flag, mine in with_payments(rows, wealth):
            own = of_its_payments(mine, 1)
            facts = flag["facts"]
            for name in ("credits", "credits_minor", "debits", "debits_minor", "first_on", "last_on"):
                assert facts[name] == own[name], (flag["code"], name)
            if guilty:
                seen.add(flag["message"].partition(":")[0])
            if flag["message"].startswith("Small sums to ever new recipients"):
                assert -mine["amount_minor"].min() <= facts["limit_minor"]
    assert {
        "Small sums from many people taken out at once",
        "Small sums to ever new recipients abroad",
        "Money given to a cause that goes to individuals",
    } <= seen
