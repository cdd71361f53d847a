"""Red flags over seeded stories: the guilty ones are found, and the honest ones that look like them are not."""

from __future__ import annotations

from collections import Counter
from functools import partial

from tests.wealth.cash_trades import trades
from tests.wealth.flag_parts import SEED, Stories, derived, is_found


def missed_and_falsely_found(stories: Stories) -> tuple[list[str], list[str]]:
    missed = [kind for kind, guilty, _, wealth in stories if guilty and not is_found(wealth)]
    return missed, [kind for kind, guilty, _, wealth in stories if not guilty and is_found(wealth)]


def test_patterns_of_laundering_are_found_and_ordinary_life_is_not(
    made: Stories,
) -> None:
    guilty = Counter(kind for kind, bad, _, wealth in made if bad and is_found(wealth))
    missed = {kind for kind, bad, _, _ in made if bad} - set(guilty)
    assert not missed
    falsely = [kind for kind, bad, _, wealth in made if not bad and is_found(wealth)]
    found = sum(guilty.values())
    assert found >= 0.7 * sum(bad for _, bad, _, _ in made)
    assert found >= 0.8 * (found + len(falsely)), falsely


def test_tills_and_rents_that_cover_other_money_are_found_and_honest_ones_are_not(
    kept: Stories,
) -> None:
    found = Counter(kind for kind, guilty, _, wealth in kept if guilty and is_found(wealth))
    assert set(found) == {kind for kind, guilty, _, _ in kept if guilty}
    assert found.total() >= 0.9 * sum(guilty for _, guilty, _, _ in kept)
    falsely = [kind for kind, guilty, _, wealth in kept if not guilty and is_found(wealth)]
    assert len(falsely) <= 0.05 * sum(not guilty for _, guilty, _, _ in kept), falsely


def test_pay_loans_and_collections_that_hide_other_money_are_found_and_honest_ones_are_not(
    schemed: Stories,
) -> None:
    missed, falsely = missed_and_falsely_found(schemed)
    assert len(missed) <= 1, missed
    assert not falsely


def test_what_is_lost_shared_or_answered_is_found_and_a_trade_a_house_and_a_habit_are_not(
    lost: Stories,
) -> None:
    missed, falsely = missed_and_falsely_found(lost)
    assert not missed
    assert not falsely


def test_who_handles_others_money_is_found_and_who_spends_it_as_meant_is_not(
    entrusted: Stories,
) -> None:
    missed, falsely = missed_and_falsely_found(entrusted)
    assert not missed
    assert not falsely


def test_a_trade_that_covers_other_cash_is_found_and_honest_trades_and_landlords_are_not() -> None:
    stories = derived(partial(trades, SEED, per_kind=2))
    missed, falsely = missed_and_falsely_found(stories)
    assert not missed
    assert len(falsely) <= 0.05 * sum(not guilty for _, guilty, _, _ in stories), falsely


def test_trades_loans_and_pay_that_are_a_cover_are_found_and_honest_ones_are_not(covered: Stories) -> None:
    missed, falsely = missed_and_falsely_found(covered)
    assert not missed
    assert not falsely


def test_who_keeps_what_is_others_is_found_and_who_lays_out_shares_or_repays_is_not(
    held_in_trust: Stories,
) -> None:
    missed, falsely = missed_and_falsely_found(held_in_trust)
    assert not missed
    assert not falsely
