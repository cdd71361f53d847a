"""Red flags that are not looked for where they cannot be: what says so is true of every life that has one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.blind.patterns import variants
from tests.evaluate.population_frames import to_accounts_frame, to_transactions_frame
from tests.wealth.flag_parts import SEED, lives_of, movement
from tests.wealth.gathered import gathered
from tests.wealth.money_patterns import END, patterns
from tests.wealth.schemes import schemes

from kycpack.synthetic import generate
from kycpack.wealth import derive
from kycpack.wealth.judge.flags import FINDERS
from kycpack.wealth.judge.red_flags.causes import collection_spent
from kycpack.wealth.judge.red_flags.flag import Flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import Lives
from kycpack.wealth.judge.red_flags.merchants import takings_drawn
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.stock import passages
from kycpack.wealth.prepare.coded import Mask
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS, Thresholds

_KINDS = (
    "",
    "",
    "",
    "",
    "retailer",
    "crypto",
    "gambling",
    "payment_processor",
    "tax_office",
    "bank",
    "car_buyer",
)
_TYPES = ("other", "other", "employment", "rental_income", "state_benefit", "pension", "inheritance", "tax_refund", "person_transfer", "gift", "crypto", "interest", "loan", "savings")  # fmt: skip
_PARTIES = ("", "HUGH MARSH", "LENA DRURY", *(f"{name} {what}" for name in ("ACME", "BOLT", "CRAY", "DOVE") for what in ("LTD", "PARTS", "HALL", "SHOP")))  # fmt: skip


def _small(draw: random.Random) -> Thresholds:
    """Return thresholds that few payments of small sums reach."""
    found: dict[str, Any] = {}
    for one in fields(Thresholds):
        value = getattr(DEFAULT_THRESHOLDS, one.name)
        if isinstance(value, Decimal):
            least = (
                draw.choice([1, 5, 20]) if value > 2 else value * Decimal(draw.choice(["0.05", "0.4", "1"]))
            )
            found[one.name] = Decimal(least)
        elif isinstance(value, int):
            found[one.name] = value if "days" in one.name else draw.randint(1, 2)
    return replace(DEFAULT_THRESHOLDS, **(found | {"dormant_days": 40}))


def _life(draw: random.Random) -> list[Movement]:
    parties = draw.sample(_PARTIES, draw.randint(1, 5))
    story = {name: draw.random() ** 3 for name in Movement._fields}
    rhythm = draw.choice([0, 7, 30])
    kinds, types = (draw.sample(every, 2) for every in (_KINDS, _TYPES))
    rows = []
    for number in range(draw.randint(2, 30)):
        is_credit = draw.random() < 0.5
        marks = {
            name: draw.random() < story[name]
            for name, value in movement(0, 0, "", is_credit=True)._asdict().items()
            if isinstance(value, bool) and name != "is_credit"
        }
        own = marks["own"] and not marks["stranger"]
        returned = is_credit and marks["returned"] and not own
        day = 10_000 + (number * rhythm // 2 if rhythm and draw.random() < 0.9 else draw.randint(0, 400))
        one = movement(
            day, draw.choice([900, 1_000, 1_050, 5_000, 12_345]), draw.choice(parties), is_credit=is_credit
        )
        rows.append(
            one._replace(
                **marks | {
                    "own": own,
                    "returned": returned,
                    "is_open": is_credit and marks["is_open"] and not own and not returned,
                    "unproven": is_credit and not own and (marks["unproven"] or (marks["is_open"] and not returned)),
                },
                account=draw.choice("AAAB"),
                txn_id=str(number),
                type=draw.choice(types),
                kind=draw.choice(kinds),
                place=draw.choice(["", "LEEDS", "YORK"]),
                partner="B" if own else "",
                number=draw.choice(["", "11", "22"]),
            )
        )  # fmt: skip
    return sorted(rows, key=lambda one: (one.day, not one.is_credit, one.account))


@pytest.fixture(scope="module")
def populations() -> list[Lives]:
    draw = random.Random(SEED)  # noqa: S311 - not a secret
    return [lives_of([_life(draw) for _ in range(60)], _small(draw)) for _ in range(70)]


def _by_life(lives: Lives) -> Iterator[tuple[int, Life]]:
    return ((place, lives.at(place)) for place in range(len(lives.owners)))


def _check_words(flag: Flag) -> None:
    """Assert that no credit is said to be of no established nature that others call established income."""
    if "whose nature is not established" in flag.message:
        assert all(one.is_open or one.cash for one in flag.rows if one.is_credit), flag.message


def test_a_flag_is_found_wherever_it_would_be_found_if_it_were_always_looked_for(
    populations: list[Lives],
) -> None:
    found: Counter[str] = Counter()
    spared: Counter[str] = Counter()
    for lives in populations:
        possible = {finder.find.__name__: finder.possible(lives) for finder in FINDERS}
        for place, life in _by_life(lives):
            for finder in FINDERS:
                name = finder.find.__name__
                flags = list(finder.find(life))
                assert possible[name][place] or not flags, name
                for flag in flags:
                    _check_words(flag)
                found[name] += bool(flags)
                spared[name] += not possible[name][place]
    assert set(spared) == {finder.find.__name__ for finder in FINDERS}
    assert min(spared.values()) >= 20
    # The stories of `test_flag_stories.py` have the others.
    assert sum(count > 0 for count in found.values()) >= len(FINDERS) * 2 / 3


def _everywhere(lives: Lives) -> Mask:
    return np.ones(len(lives.owners), dtype=np.bool_)


def test_households_and_patterns_have_the_flags_that_looking_everywhere_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    homes = generate(40, SEED, END, profile="evaluation", history_days=365)
    stories = [*variants(SEED, per_kind=2), *patterns(SEED, per_kind=2), *schemes(SEED), *gathered(SEED)]
    rows, accounts = (
        pd.concat(
            [of_homes, *(one[part].assign(customer_id=f"{n}") for n, one in enumerate(stories))],
            ignore_index=True,
        )
        for part, of_homes in ((2, to_transactions_frame(homes)), (3, to_accounts_frame(homes)))
    )
    found = derive(rows, accounts=accounts, as_of="2027-01-01").flags
    monkeypatch.setattr(
        "kycpack.wealth.judge.flags.FINDERS", [replace(one, possible=_everywhere) for one in FINDERS]
    )
    pd.testing.assert_frame_equal(found, derive(rows, accounts=accounts, as_of="2027-01-01").flags)
    assert found["code"].nunique() > len(FINDERS) / 3


def test_what_is_known_of_all_lives_is_what_is_known_of_each(populations: list[Lives]) -> None:
    for lives in populations[:20]:
        columns = {
            name: [getattr(lives, name)[lives.life == place] for place in range(len(lives.owners))]
            for name in (
                "every_credit",
                "credits",
                "debits",
                "exits",
                "open",
                "income",
                "unproven",
                "habitual",
            )
        }
        for place, life in _by_life(lives):
            rows = life.movements
            expected = {
                "every_credit": life.every_credit, "credits": life.credits, "debits": life.debits, "exits": life.exits,
                "open": life.open_credits, "income": life.income, "unproven": life.unproven_credits,
                "habitual": [one for one in life.credits if one.party in life.regular_payers],
            }  # fmt: skip
            for name, chosen in expected.items():
                assert [
                    one for one, is_chosen in zip(rows, columns[name][place], strict=True) if is_chosen
                ] == chosen
            assert lives.all_credits_minor[place] == life.all_credits_minor
            assert lives.income_minor[place] == life.income_minor
            assert lives.span_days[place] == life.span_days


_ROWS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 50), st.sampled_from("PQ")), min_size=1, max_size=12
)


def _rows(made: list[tuple[int, int, str]], *, is_credit: bool) -> list[Movement]:
    return [movement(day, amount, party, is_credit=is_credit) for day, amount, party in sorted(made)]


@given(_ROWS, _ROWS, st.integers(0, 7), st.sampled_from(["0", "0.5", "0.9", "1"]), st.data())
def test_what_was_moved_on_was_followed_by_enough(
    into: list[tuple[int, int, str]],
    out: list[tuple[int, int, str]],
    days: int,
    share: str,
    data: st.DataObject,
) -> None:
    credits_, debits = _rows(into, is_credit=True), _rows(out, is_credit=False)
    some = [one for one in debits if data.draw(st.booleans())]
    rows = sorted([*credits_, *debits], key=lambda one: (one.day, not one.is_credit))
    lives = lives_of([rows, rows], DEFAULT_THRESHOLDS)
    chosen = lives.followed(lives.every_credit, ~lives.every_credit, days, Decimal(share))
    for mine in (chosen[: len(rows)], chosen[len(rows) :]):
        enough = {id(one) for one, is_chosen in zip(rows, mine, strict=True) if is_chosen}
        for whoever in (False, True):
            found = passages(credits_, some, days, Decimal(share), whoever=whoever)
            assert {id(one.credit) for one in found} <= enough


def test_pay_of_which_one_wage_is_established_is_a_salary() -> None:
    """The other payments of the employer are expenses, say; that it pays regularly is known from all of them."""
    paid = [
        movement(day, 200_000, "ACME LTD", is_credit=True)._replace(stranger=False, is_open=False, type=type_)
        for day, type_ in ((10_000, "employment"), (10_030, "other"), (10_060, "employment"))
    ]
    beside = [
        movement(day, 500_000, "BOLT LTD", is_credit=True)._replace(stranger=False)
        for day in (10_003, 10_011, 10_024, 10_029, 10_041, 10_055)
    ]
    bought = [
        movement(one.day + 1, one.amount, "DOVE SHOP", is_credit=False)._replace(
            purchase=True, stranger=False
        )
        for one in beside
    ]
    lives = lives_of([sorted([*paid, *beside, *bought])], DEFAULT_THRESHOLDS)
    found = [one for one in FINDERS if list(one.find(lives.at(0)))]
    assert {"sums_beside_salary", "bought_by_firms"} <= {one.find.__name__ for one in found}
    assert all(one.possible(lives)[0] for one in found)


def _card_takings() -> list[Movement]:
    return [
        movement(10_000 + number, 200_000, "ACME LTD", is_credit=True)._replace(
            kind="payment_processor", stranger=False
        )
        for number in range(8)
    ]


def test_card_takings_that_go_to_a_stranger_in_one_piece_are_looked_for() -> None:
    sent = movement(10_008, 1_500_000, "CRAY HALL", is_credit=False)
    lives = lives_of([[*_card_takings(), sent]], DEFAULT_THRESHOLDS)
    assert [flag.code for flag in takings_drawn.find(lives.at(0))] == ["takings_to_persons"]
    assert takings_drawn.possible(lives)[0]


def test_card_takings_that_were_all_charged_back_and_not_drawn_are_not_said_to_be_drawn() -> None:
    cash = [movement(9_000 + day, 20_000, "", is_credit=False)._replace(cash=True) for day in range(3)]
    back = movement(10_020, 1_600_000, "ACME LTD", is_credit=False)._replace(
        kind="payment_processor", collected=True, stranger=False
    )
    lives = lives_of([[*cash, *_card_takings(), back]], DEFAULT_THRESHOLDS)
    assert not list(takings_drawn.find(lives.at(0)))


def test_a_collection_is_looked_at_for_the_share_that_the_policy_names() -> None:
    bought = movement(9_900, 1_000, "ACME SHOP", is_credit=False)._replace(purchase=True, stranger=False)
    given = [movement(10_000 + 3 * n, 13_333, f"GIVER{n} HALL", is_credit=True) for n in range(30)]
    drawn = [
        movement(day, 30_000, "", is_credit=False)._replace(cash=True)
        for day in (10_020, 10_040, 10_060, 10_080)
    ]
    rows = sorted([bought, *given, *drawn], key=lambda one: (one.day, not one.is_credit))
    lives = lives_of([rows], replace(DEFAULT_THRESHOLDS, collected_share=Decimal("0.25")))
    assert [flag.code for flag in collection_spent.find(lives.at(0))] == ["gifts_taken"]
    assert collection_spent.possible(lives)[0]


def test_a_dealer_whose_name_is_written_out_once_sells_goods() -> None:
    wage = [
        movement(10_000 + 30 * month, 200_000, "ACME LTD", is_credit=True)._replace(
            stranger=False, is_open=False, type="employment"
        )
        for month in range(12)
    ]
    cash = [
        movement(10_004 + 9 * number, 100_000, "", is_credit=True)._replace(cash=True) for number in range(36)
    ]
    cars = [
        movement(10_030 + 60 * number, 700_000, "BOLT CARS", is_credit=False)._replace(
            kind="" if number else "car_buyer"
        )
        for number in range(5)
    ]
    lives = lives_of(
        [sorted([*wage, *cash, *cars], key=lambda one: (one.day, not one.is_credit))], DEFAULT_THRESHOLDS
    )
    (finder,) = (one for one in FINDERS if one.find.__name__ == "goods_for_others")
    assert list(finder.find(lives.at(0)))
    assert finder.possible(lives)[0]
