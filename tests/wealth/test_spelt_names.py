"""Numbers of different parties: spellings of one person count once, and different people count apart."""

from __future__ import annotations

import numpy as np
import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, pay

from kycpack.wealth import derive
from kycpack.wealth.judge.red_flags.other_parties import of_one_person
from kycpack.wealth.prepare.coded import words_of
from kycpack.wealth.prepare.lexicon import load_lexicon

PEOPLE = [
    "ANNA SCHMIDT",
    "PETER MARSH",
    "RUTH OKONJO",
    "HUGH MBEKI",
    "SARAH DRURY",
    "DAVID LUND",
    "EMMA VOSS",
]


def spelt(
    names: list[str],
    accounts: list[str] | None = None,
    customers: list[int] | None = None,
    paid: tuple[int, ...] = (),
) -> list[str]:
    every = np.arange(len(names))
    owner = np.array(customers or [0] * len(names))
    number = words_of(np.array(accounts or [""] * len(names), dtype=object), every)
    party = words_of(np.array(names, dtype=object), every)
    return [str(one) for one in of_one_person(owner, party, number, np.isin(every, paid), load_lexicon())[:]]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["j bloggs", "joe bloggs", "mr j bloggs", "mr joe bloggs"], ["joe bloggs"] * 4),
        (["mr j bloggs", "j bloggs"], ["j bloggs"] * 2),
        (["mr joe bloggs", "joe bloggs", "j smith"], ["joe bloggs", "joe bloggs", "j smith"]),
        (["t renner", "tess renner"], ["tess renner"] * 2),
        (["mr j a bloggs", "joe bloggs", "j a bloggs"], ["joe bloggs"] * 3),
    ],
)
def test_spellings_of_one_person_are_one_party(names: list[str], expected: list[str]) -> None:
    assert spelt(names) == expected
    assert spelt(names[::-1]) == expected[::-1]


@pytest.mark.parametrize(
    "names",
    [
        ["j bloggs", "joe bloggs", "jane bloggs"],
        ["mr j bloggs", "mrs j bloggs", "j bloggs"],
        ["mr j bloggs", "mr j smith", "mr k bloggs"],
        ["joe bloggs", "joseph bloggs"],
        ["j a bloggs", "j b bloggs", "j bloggs"],
        ["j builders", "joinery builders"],
        ["bloggs", "mr bloggs"],
    ],
)
def test_different_people_stay_apart(names: list[str]) -> None:
    assert spelt(names) == names


def test_accounts_and_customers_tell_people_of_one_name_apart() -> None:
    names = ["j bloggs", "joe bloggs"]
    assert spelt(names, ["GB1", "GB2"]) == names
    assert spelt(names, ["GB1", "GB1"]) == spelt(names, ["GB1", ""]) == ["joe bloggs"] * 2
    assert spelt(names, customers=[1, 2]) == names


def test_whoever_is_paid_keeps_each_spelling() -> None:
    """A stranger called like the landlord is not the landlord, and a payer's initial fits the landlord too."""
    assert spelt(["j bloggs", "joe bloggs"], paid=(1,)) == ["j bloggs", "joe bloggs"]
    several = ["j bloggs", "mr j bloggs", "joe bloggs"]
    assert spelt(several, paid=(2,)) == ["j bloggs", "j bloggs", "joe bloggs"]
    assert spelt(["mr j bloggs", "mrs j bloggs", "j bloggs"], paid=(0,)) == [
        "mr j bloggs",
        "mrs j bloggs",
        "j bloggs",
    ]
    assert spelt([*several, "jane bloggs"], paid=(2,)) == [*several, "jane bloggs"]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    ("last", "found"),
    [
        (["J BLOGGS", "JOE BLOGGS", "MR J BLOGGS"], False),
        (["J BLOGGS", "JOE SMITH", "MR J WINSLADE"], True),
        (["MR J BLOGGS", "MR J SMITH", "MR J WINSLADE"], True),
    ],
)
def test_a_number_of_strangers_is_not_reached_by_spellings_of_one(
    ledger: Ledger, last: list[str], *, named: bool, found: bool
) -> None:
    rows = [
        (
            f"2025-05-{day:02d}",
            60_000 + 100 * day,
            "" if named else f"{name} 4411",
            {"counterparty_name": name} if named else {},
        )
        for day, name in enumerate([*PEOPLE, *last], 3)
    ]
    out = ("2025-05-14", -600_000, "", {"counterparty_name": "IVAN DRAGAN"})
    assert ("fan_in" in codes(derive(ledger(*pay(), *rows, out), as_of=AS_OF))) == found
