"""Checks whether the running balance of a file reconciles, whatever the order of its rows.

Every row is a step from the balance before it to the balance after it. The steps of a complete statement form one unbroken
chain; each place where the chain cannot continue is a break. The order of rows in the file does not matter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class BalanceStep:
    """One row's effect on the balance.

    Args:
        line: Line of the file, from 1.
        booked_on: Booking date.
        before_minor: Balance before the row, minor units.
        after_minor: Balance after the row, minor units.
    """

    line: int
    booked_on: date
    before_minor: int
    after_minor: int


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the running balance does not continue.

    Args:
        after_line: The line whose closing balance no other line starts from.
        next_line: The line that starts from another balance.
        stands_minor: Balance after `after_line`, minor units.
        opens_minor: Balance before `next_line`, minor units.
    """

    after_line: int
    next_line: int
    stands_minor: int
    opens_minor: int


@dataclass(frozen=True, slots=True)
class Chain:
    """The result of chaining: the opening balance, the closing balance, and the breaks."""

    opening_minor: int
    closing_minor: int
    breaks: tuple[Break, ...]


def chain_balances(steps: Sequence[BalanceStep]) -> Chain | None:
    """Chain the steps by value.

    Args:
        steps: One step for each row that has a balance, in any order.

    Returns:
        The chain, or None when there are no steps. A complete chain has no breaks.
    """
    if not steps:
        return None
    dated = sorted(steps, key=lambda step: (step.booked_on, step.line))
    starts, ends = _loose_ends(dated)
    for loop in _closed_walks(dated, {step.line for step in (*starts, *ends)}, keep_one=not starts):
        starts.append(loop[0])
        ends.append(next(step for step in reversed(loop) if step.after_minor == loop[0].before_minor))
    starts.sort(key=lambda step: (step.booked_on, step.line))
    ends.sort(key=lambda step: (step.booked_on, step.line))
    if not starts:
        whole = dated[0].before_minor
        return Chain(whole, whole, ())
    breaks = tuple(
        Break(end.line, start.line, end.after_minor, start.before_minor)
        for end, start in zip(ends, starts[1:], strict=False)
    )
    return Chain(starts[0].before_minor, ends[-1].after_minor, breaks)


def _loose_ends(dated: Sequence[BalanceStep]) -> tuple[list[BalanceStep], list[BalanceStep]]:
    """Return the steps without a predecessor, and the steps without a successor."""
    leaving = Counter(step.before_minor for step in dated)
    arriving = Counter(step.after_minor for step in dated)
    starts_left = leaving - arriving
    ends_left = arriving - leaving
    starts = [step for step in dated if _take(starts_left, step.before_minor)]
    ends = [step for step in reversed(dated) if _take(ends_left, step.after_minor)]
    return starts, ends


def _take(left: Counter[int], balance: int) -> bool:
    if left[balance] <= 0:
        return False
    left[balance] -= 1
    return True


def _closed_walks(
    dated: Sequence[BalanceStep], loose: Iterable[int], *, keep_one: bool
) -> list[list[BalanceStep]]:
    """Return the chains that end at the balance they start from and are not linked to any other chain.

    Args:
        dated: All steps, oldest first.
        loose: Lines of the steps without a predecessor or successor.
        keep_one: Whether the oldest closed chain is the statement itself, because no chain has loose ends.
    """
    home: dict[int, int] = {}

    def find(balance: int) -> int:
        while home.setdefault(balance, balance) != balance:
            home[balance] = balance = home[home[balance]]
        return balance

    for step in dated:
        home[find(step.before_minor)] = find(step.after_minor)
    walks: defaultdict[int, list[BalanceStep]] = defaultdict(list)
    for step in dated:
        walks[find(step.before_minor)].append(step)
    loose_lines = set(loose)
    closed = [walk for walk in walks.values() if not loose_lines.intersection(step.line for step in walk)]
    return closed[1:] if keep_one else closed
