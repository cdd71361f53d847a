"""How many people the name of an account's holder names."""

from __future__ import annotations

import pytest

from kycpack.wealth.match.own_accounts import count_holders


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("Mr O Brannigan, Ms D Falk", 2),
        ("MR O BRANNIGAN,MRS D FALK, MISS A FALK", 3),
        ("Mr O Brannigan & Ms D Falk", 2),
        ("Brannigan, Oluwaseun", 1),
        ("Brannigan, Mr Oluwaseun", 1),
        ("Brannigan, Dr. Oluwaseun", 1),
        ("M Brannigan t/a Andover Crafts", 1),
        ("O Brannigan Trading As Land & Sea", 1),
        ("O Brannigan & D Falk T/A Land & Sea", 2),
        ("Mr O Brannigan t/a Brannigan Roofing and Mrs D Falk", 2),
        ("Mr O Brannigan t/a Land & Sea and Mrs D Falk & Miss A Falk", 3),
        ("O Brannigan trading as Land & Sea, Mrs D Falk", 2),
        ("O Brannigan t/a Roofing & D Falk", 2),
        ("BRANNIGAN O T/A ROOFING + FALK D", 2),
        ("O Brannigan t/a A & B Cars", 1),
        ("Marks & Spencer", 1),
        ("Dolce & Gabbana Ltd", 1),
    ],
)
def test_people_are_counted_and_firms_are_one(name: str, count: int) -> None:
    assert count_holders(name) == count
