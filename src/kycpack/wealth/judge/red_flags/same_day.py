"""Which of two payments came first: a date does not show it of two payments of one day, and a sentence must not claim what nothing shows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap

from kycpack.wealth.judge.red_flags.movements import Movement

Pair = tuple[Movement, Movement]
"""Two payments, of which the second is said to follow the first."""


def came_first(one: Movement, other: Movement) -> bool | None:
    """Return whether one payment came before another one; None if they are of one day and nothing shows it."""
    if one.day != other.day:
        return one.day < other.day
    if one.account == other.account and one.turn and other.turn:
        return one.turn < other.turn
    return None


def is_in_order(pairs: Iterable[Pair]) -> bool:
    """Return whether at least one of the pairs is known to be in its order."""
    return any(starmap(came_first, pairs))


def order_facts(pairs: Iterable[Pair]) -> dict[str, int]:
    """Return the facts of a flag about the pairs that are not known to be in their order; those that count none are left out."""
    found = list(starmap(came_first, pairs))
    facts = {"undecided_pairs": found.count(None), "reversed_pairs": found.count(False)}
    return {name: count for name, count in facts.items() if count}


def order_words(undecided_pairs: int = 0, reversed_pairs: int = 0) -> str:
    """Return what a sentence adds about such pairs, with placeholders; nothing if there are none."""
    said = []
    if undecided_pairs:
        said.append("for {undecided_words} of same-day payments the data does not show which came first")
    if reversed_pairs:
        said.append("in {reversed_words} of same-day payments the money went out before it came in")
    return "".join(f"; {one}" for one in said)
