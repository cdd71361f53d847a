from __future__ import annotations

from datetime import date

from kycpack.frames.adapters.balance_chain import BalanceStep, Break, chain_balances

DAY = date(2025, 1, 2)


def step(line: int, before: int, after: int) -> BalanceStep:
    return BalanceStep(line, DAY, before, after)


def test_nothing_to_chain() -> None:
    assert chain_balances([]) is None


def test_one_walk_in_any_order_is_whole() -> None:
    chain = chain_balances([step(3, 30, 20), step(1, 0, 50), step(2, 50, 30)])
    assert chain is not None
    assert (chain.opening_minor, chain.closing_minor, chain.breaks) == (0, 20, ())


def test_a_missing_row_is_a_break_with_its_size() -> None:
    chain = chain_balances([step(1, 0, 50), step(3, 30, 20)])
    assert chain is not None
    assert chain.breaks == (Break(after_line=1, next_line=3, stands_minor=50, opens_minor=30),)
    assert chain.breaks[0].opens_minor - chain.breaks[0].stands_minor == -20


def test_a_loop_of_its_own_is_a_break() -> None:
    chain = chain_balances([step(1, 0, 50), step(2, 900, 905), step(3, 905, 900)])
    assert chain is not None
    assert len(chain.breaks) == 1


def test_a_statement_that_ends_where_it_began() -> None:
    chain = chain_balances([step(1, 10, 5), step(2, 5, 10)])
    assert chain is not None
    assert (chain.opening_minor, chain.closing_minor, chain.breaks) == (10, 10, ())
