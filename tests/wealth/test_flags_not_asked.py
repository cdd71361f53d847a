"""Red flags that are not looked for where they cannot be: what says so is true of every life that has one."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal
from inspect import isgenerator

from hypothesis import given
from hypothesis import strategies as st
from tests.wealth.flag_parts import SEED, movement

from kycpack.wealth.judge.flags import FINDERS
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.stock import followed, passages
from kycpack.wealth.thresholds import Thresholds

_SMALL = Thresholds(
    pass_through_amount=Decimal(5),
    pass_through_count=1,
    pass_through_total=Decimal(15),
    smallest_flow=Decimal(5),
    pass_through_single=Decimal(60),
    dormant_days=15,
    dormant_amount=Decimal(40),
    new_account_after_days=20,
    spike_amount=Decimal(20),
)


def _life(draw: random.Random) -> Life:
    accounts = ["A", "B"][: draw.randint(1, 2)]
    moved = []
    for number in range(draw.randint(2, 14)):
        is_credit = draw.random() < 0.5
        one = movement(
            draw.randint(0, 60), draw.choice([900, 1_000, 5_000]), draw.choice("PQRS"), is_credit=is_credit
        )
        moved.append(
            one._replace(
                account=draw.choice(accounts),
                txn_id=str(number),
                type=draw.choice(["other", "other", "interest", "crypto"]),
                is_open=is_credit and draw.random() < 0.7,
                unproven=is_credit and draw.random() < 0.7,
                purchase=not is_credit and draw.random() < 0.5,
                related=draw.random() < 0.1,
                own=draw.random() < 0.1,
            )
        )
    return Life("GBP", sorted(moved, key=lambda one: (one.day, not one.is_credit)), _SMALL)


def test_a_flag_is_found_wherever_it_would_be_found_if_it_were_always_looked_for() -> None:
    draw = random.Random(SEED)  # noqa: S311 - not a secret
    lives = [_life(draw) for _ in range(800)]
    found: Counter[str] = Counter()
    spared: Counter[str] = Counter()
    for find in FINDERS:
        always = getattr(find, "__wrapped__", None)
        for life in lives if always else ():
            flags = list(always(life))
            assert list(find(life)) == flags
            found[find.__name__] += bool(flags)
            spared[find.__name__] += not isgenerator(find(life))
    assert set(found) == {"moved_on", "awakened_accounts", "new_accounts"}
    assert min(found.values()) >= 20
    assert min(spared.values()) >= 20


_ROWS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 50), st.sampled_from("PQ")), max_size=12)


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
    enough = {id(one) for one in followed(credits_, debits, days, Decimal(share))}
    for whoever in (False, True):
        found = passages(credits_, some, days, Decimal(share), whoever=whoever)
        assert {id(one.credit) for one in found} <= enough
