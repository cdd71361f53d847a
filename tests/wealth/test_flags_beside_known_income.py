"""Flags on what strangers and firms pay beside a wage or a pension: they are looked for wherever there is one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from tests.wealth.flag_parts import SEED, lives_of, movement

from kycpack.wealth.judge.flags import FINDERS
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS

_SOUGHT = (
    "sums_beside_salary",
    "moved_on",
    "moved_on_slowly",
    "bought_for_strangers",
    "bills_met_by_strangers",
    "cycles",
    "benefits_moved_on",
    "pay_drawn",
    "pension_taken",
)
_LIMITS = replace(
    DEFAULT_THRESHOLDS,
    beside_count=2,
    beside_total=Decimal(1_500),
    pass_through_count=2,
    pass_through_total=Decimal(600),
    slow_parties=2,
    slow_amount=Decimal(300),
    cycle_total=Decimal(800),
    taken_count=3,
    drawn_more_days=40,
    drawn_more_total=Decimal(600),
    taken_share=Decimal("0.1"),
    benefit_count=2,
    drawn_count=2,
    drawn_beside=Decimal("0.1"),
)
_FIRMS = ("ACME LTD", "BOLT PARTS", "CRAY LTD", "MARSH TRADING", "DOVE EXCHANGE")
_PEOPLE = ("HUGH MARSH", "LENA DRURY", "OLA FENN", "PIA CRAY", "SAM BOLT", "TESS DOVE", "")
_SELLERS = ("ELM SHOP", "GILT HOMES")


def _paid_in(draw: random.Random, party: str, number: int) -> list[Movement]:
    """Return what one party pays: once or twice or in a rhythm, in one sum or several, round or not, and what the data says of it."""
    person = party in _PEOPLE
    times, step = draw.choice([(1, 0), (2, 50), (3, 95), (4, 30), (6, 30), (7, 11)])
    sums = draw.choice(
        [[100_000], [50_000], [40_000, 75_000], [61_235], [150_000, 200_000], [33_333, 41_217, 52_111]]
    )
    marks: dict[str, Any] = {
        "stranger": person and draw.random() < 0.9,
        "related": draw.random() < 0.05,
        "lent": draw.random() < 0.05,
        "type": draw.choice(["other", "other", "self_employment", "employment", "crypto", "gift"]),
        "kind": draw.choice(["", "", "", "", "crypto"]),
    }
    is_open = draw.random() < 0.6
    start = 10_000 + draw.randint(0, 200)
    return [
        movement(start + place * step + draw.choice([0, 0, 1]), draw.choice(sums), party, is_credit=True)._replace(
            **marks, is_open=is_open, unproven=is_open or draw.random() < 0.9, txn_id=f"in {number} {place}"
        )
        for place in range(times)
    ]  # fmt: skip


def _paid_out(draw: random.Random, one: Movement, payees: Sequence[str]) -> list[Movement]:
    """Return what leaves after a credit, if anything: whole or nearly so, to a stranger, a shop or a lender, or in cash."""
    party = draw.choice(payees)
    lender = party == "GILT HOMES"
    amount = one.amount * draw.choice([100, 98, 95, 60, 103]) // 100
    row = movement(one.day + draw.choice([0, 1, 2, 5, 12, 30]), amount, party, is_credit=False)._replace(
        stranger=bool(party) and party not in _SELLERS,
        purchase=party == "ELM SHOP",
        kind="lender" if lender else "",
        loan=lender,
        collected=lender,
        cash=not party,
        txn_id=f"out {one.txn_id}",
    )
    return [row] if draw.random() < 0.7 else []


def _life(draw: random.Random) -> list[Movement]:
    income = draw.choice(["employment", "state_benefit", "pension", "interest"])
    known = [
        movement(10_000 + 30 * month, draw.choice([120_000, 120_000, 125_000]), "HALL LTD", is_credit=True)._replace(
            type=income, stranger=False, is_open=False, unproven=False, txn_id=f"known {month}"
        )
        for month in range(draw.choice([4, 9]))
    ]  # fmt: skip
    parties = draw.sample([*_FIRMS, *_PEOPLE], draw.randint(1, 7))
    beside = [row for number, party in enumerate(parties) for row in _paid_in(draw, party, number)]
    strangers = [f"{name} WREN" for name in ("ADA", "BEN", "CLEO", "DAN", "EVA", "FAY")]
    spread, sums = draw.choice([(60, [40_000, 75_000]), (190, [100_000])])
    given = [
        movement(10_050 + draw.randint(0, spread), draw.choice(sums), name, is_credit=True)
        for name in strangers[: draw.choice([0, 0, 4, 5])]
    ]
    payees = draw.choice([(*_PEOPLE, *_SELLERS), ("",), ("ELM SHOP",), ("GILT HOMES",), strangers[4:]])
    left = [*given, *beside, *(known if draw.random() < 0.3 else [])]
    out = [row for one in left for row in _paid_out(draw, one, payees)]
    return sorted([*known, *beside, *given, *out], key=lambda one: (one.day, not one.is_credit, one.txn_id))


def test_sums_beside_a_known_income_are_looked_for_wherever_they_would_be_found() -> None:
    draw = random.Random(SEED)  # noqa: S311 - not a secret
    lives = lives_of([_life(draw) for _ in range(1_000)], _LIMITS)
    finders = {one.find.__name__: one for one in FINDERS if one.find.__name__ in _SOUGHT}
    found = Counter[str]()
    for name, finder in finders.items():
        possible = finder.possible(lives)
        assert not possible.all()
        for place in range(len(lives.owners)):
            flags = list(finder.find(lives.at(place)))
            assert possible[place] or not flags, (name, place)
            found[name] += bool(flags)
    assert min(found[name] for name in _SOUGHT) > 0, found
