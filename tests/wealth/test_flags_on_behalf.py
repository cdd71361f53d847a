"""A firm's money that a relative pays in beside a salary; and what a spouse, the family's own firm and a parent pay in."""

from __future__ import annotations

import pytest
from tests.wealth.flag_parts import codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary


def _paid_in(d: Diary, text: str, *, times: int = 9, name: str = "") -> None:
    """Book round sums that always differ, in no rhythm, from somebody with the customer's surname."""
    relative = name or f"Marlon {d.customer.split()[1]}"
    day = 40
    for number in range(times):
        day += (19, 44, 27, 13)[number % 4]
        d.pay(day, 250 * d.rng.randint(6, 16), relative, text)
        if d.rng.random() < 0.5:
            d.rows[-1]["counterparty_name"] = None


def for_a_contractor(d: Diary) -> None:
    _paid_in(d, "FROM ROESLER GROUNDWORKS LTD")


def for_a_contractor_in_germany(d: Diary) -> None:
    _paid_in(d, "VON TIEFBAU ROESLER GMBH")


def spouse_who_pays_in_now_and_then(d: Diary) -> None:
    """A spouse who works for herself pays what she can spare; that alone cannot be told from a family that is paid for a favour."""
    _paid_in(d, "HOUSEHOLD")


def firm_of_the_family(d: Diary) -> None:
    surname = d.customer.split()[1]
    _paid_in(d, f"FROM {surname} ROOFING LTD".upper())


def father_who_sells_a_firms_shares(d: Diary) -> None:
    _paid_in(d, "FROM ROESLER GROUNDWORKS LTD", times=2)


@pytest.mark.parametrize("kind", [for_a_contractor, for_a_contractor_in_germany])
def test_a_firms_money_through_a_relative_beside_a_salary_is_found(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, True)], salary=2_400)).values()  # type: ignore[list-item]
    assert all(one.get("firms_beside_salary") == "edd" for one in found)


@pytest.mark.parametrize(
    "kind", [spouse_who_pays_in_now_and_then, firm_of_the_family, father_who_sells_a_firms_shares]
)
def test_what_the_family_itself_pays_in_is_not(kind: object) -> None:
    (found,) = codes_by_kind(derived_kinds([(kind, False)], salary=2_400)).values()  # type: ignore[list-item]
    assert not any("firms_beside_salary" in one or "persons_beside_salary" in one for one in found)
