"""A trade whose cash does not fit it: takings that serve as a cover for other cash.

The takings of a trade move together: cash with cards, and both with purchases of stock. The owner draws what is left, whereas somebody else's
cash goes on to that person, or to purchases for that person, in round sums for which the trade receives nothing. Sources: FFIEC BSA/AML Manual,
"Cash-Intensive Businesses" (cash that does not fit the volume, the season or the other takings of the trade) and appendix F (transfers without a
business purpose); FATF, Professional Money Laundering (2018), cash-intensive firms as cover; FATF, Trade-Based Money Laundering (2020), criminal
money mixed with takings.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import sqrt
from operator import attrgetter
from statistics import correlation, mean, median, variance

from kycpack.wealth.judge.red_flags.diverted import carried_off
from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, within
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    card_takings,
    is_trader,
    suppliers,
    takings_minor,
)
from kycpack.wealth.judge.red_flags.payment_words import topics_in

_WINDOW_DAYS = 60  # takings are banked, and stock is bought, weekly or monthly
_STEP_DAYS = 30
_FEWEST_WINDOWS = 5
_SEEN_SHARE = 0.65  # of the windows: what occurs in fewer of them does not measure a trade
_COMMON = 4  # the ratio in the lowest quarter of the windows is taken as the trade's own
_NOTE, _BUNDLE = 10, 50
_TRIFLE = 0.03
_INSTEAD = -0.5  # correlation
_WITH_IT = 0.3  # correlation, from which Cohen, Statistical Power Analysis (1988), speaks of a medium one
_MOSTLY = 0.8
_WEEK_DAYS = 7
_LONGEST_SPELL = _WINDOW_DAYS // 3  # with fewer payments in a window, chance and season cannot be told apart
_NOT_BY_CHANCE = 5  # standard errors


@dataclass(frozen=True)
class _Window:
    """Two months of a trade from a given day on, with sums in minor units."""

    start: int
    cash: Sequence[Movement]
    cards: Sequence[Movement]
    costs: Sequence[Movement]

    @cached_property
    def cash_minor(self) -> int:
        """The sum of the cash."""
        return sum(one.amount for one in self.cash)

    @cached_property
    def cards_minor(self) -> int:
        """The sum that was paid by card."""
        return sum(one.amount for one in self.cards)

    @cached_property
    def costs_minor(self) -> int:
        """The sum of what was bought for the trade."""
        return sum(one.amount for one in self.costs)


def _cash_beside_cards(window: _Window) -> tuple[int, int]:
    return window.cash_minor, window.cards_minor


def _takings_beside_costs(window: _Window) -> tuple[int, int]:
    return window.cash_minor + window.cards_minor, window.costs_minor


@found_where(
    lambda lives: (
        lives.comes_to(lives.cash, lives.limits.cover_total) & lives.has(lives.cash, lives.limits.cover_count)
    )
)
def cash_beyond_takings(life: Life) -> Iterator[Flag]:
    """Yield a trade's cash that is of two kinds, is diverted to others, or does not move with its card takings and purchases."""
    cash = life.cash_paid_in
    if len(cash) < life.limits.cover_count or sum(one.amount for one in cash) < life.minor(
        life.limits.cover_total
    ):
        return
    ways = (_two_kinds, carried_off, _beyond_stock, _out_of_step, _piled_up)
    yield from itertools.islice(itertools.chain.from_iterable(way(life, cash) for way in ways), 1)


def _out_of_step(life: Life, cash: Sequence[Movement]) -> Iterator[Flag]:
    """Yield cash that does not move with the trade's card takings and purchases."""
    costs = [one for one in life.debits if one.trade or (one.party in suppliers(life) and not one.collected)]
    windows = _windows(cash, card_takings(life), costs)
    if len(windows) < _FEWEST_WINDOWS:
        return
    bases = [base for base in (_cash_beside_cards, _takings_beside_costs) if _measures(windows, base)]
    if bases and not (bases == [_cash_beside_cards] and _pays_otherwise(windows)):
        yield from _unlike(life, windows, bases)
        yield from _still(life, cash, windows, bases)


def _measures(windows: Sequence[_Window], base: Callable[[_Window], tuple[int, int]]) -> bool:
    """Return whether a measure occurs nearly all the time and is not trivial compared with the takings."""
    pairs = [base(one) for one in windows]
    seen = sum(measure > 0 for _, measure in pairs)
    taken, measured = (sum(part) for part in zip(*pairs, strict=True))
    return seen >= _SEEN_SHARE * len(windows) and measured >= _TRIFLE * taken


def _pays_otherwise(windows: Sequence[_Window]) -> bool:
    """Return whether cash rises as card takings fall and falls as they rise: customers change how they pay, permanently or while the card machine is broken."""
    return _moves_with(windows, [one.cards_minor for one in windows]) <= _INSTEAD


def _beyond_stock(life: Life, cash: Sequence[Movement]) -> Iterator[Flag]:
    """Yield the cash of a shop whose takings exceed what its stock can have been sold for.

    This can be worked out only for a shop that resells unchanged goods: nearly all its stock comes from wholesalers of groceries, news and tobacco.
    """
    stock = [one for one in life.debits if one.trade]
    resold = [one for one in stock if "resold" in topics_in(one.party)]
    bought, takings = sum(one.amount for one in stock), takings_minor(life)
    least = max(
        life.minor(life.limits.cover_total), 1, int(life.limits.cover_share * sum(o.amount for o in cash))
    )
    if (
        sum(one.amount for one in resold) >= _MOSTLY * bought
        and bought >= life.limits.cover_share * takings
        and _is_shop(resold)
        and takings - int(life.limits.cover_stock * bought) >= least
    ):
        yield make_flag(
            "cash_beyond_takings",
            "Takings beyond a shop's stock: {credits_words} of cash and card takings, {credits_minor} in all, and {debits_words} for stock that is resold unchanged, "
            "{debits_minor} in all, {dates}",
            life.currency,
            sorted([*cash, *card_takings(life)], key=lambda one: one.day),
            stock,
        )


def _piled_up(life: Life, cash: Sequence[Movement]) -> Iterator[Flag]:
    """Yield the cash of a trade whose takings, mostly cash, are far above all that is paid out, for the trade and for its owner.

    Stock, wages, rent, tax and drawings take most of the takings of a trade. Work of one pair of hands alone leaves more, but not so large a sum.
    """
    total, takings = sum(one.amount for one in cash), takings_minor(life)
    kept = takings - sum(one.amount for one in life.debits)
    if (
        is_trader(life)
        and 2 * total >= takings
        and kept >= max(life.minor(life.limits.cover_kept), 1, int(life.limits.cover_margin * takings))
    ):
        yield make_flag(
            "cash_beyond_takings",
            "Takings that a trade leaves untouched: {credits_words} of cash and card takings, {credits_minor} in all, and {debits_words}, {debits_minor} in "
            "all, for the trade and for everything else, {dates}",
            life.currency,
            sorted([*cash, *card_takings(life)], key=lambda one: one.day),
            life.debits,
        )


def _is_shop(resold: Sequence[Movement]) -> bool:
    """Return whether goods are bought that only shops sell: news, tobacco, sweets, lottery tickets; a restaurant also buys at a cash and carry."""
    return any("counter_goods" in topics_in(one.party) for one in resold)


def _two_kinds(life: Life, cash: Sequence[Movement]) -> Iterator[Flag]:
    """Yield round bundles alongside uneven takings: a till is not counted in two ways."""
    limits = life.limits
    uneven = [
        one
        for one in cash
        if one.amount % life.round_sum(_NOTE) and one.amount >= life.minor(limits.cover_takings)
    ]
    bundles = [one for one in cash if not one.amount % life.round_sum(_BUNDLE)]
    total = sum(one.amount for one in bundles)
    if (
        len(uneven) >= limits.cover_count
        and len(bundles) >= limits.cover_count
        and total >= max(life.minor(limits.cover_total), 1)
        and total >= limits.cover_share * sum(one.amount for one in cash)
    ):
        yield make_flag(
            "cash_beyond_takings",
            "Two kinds of cash in one trade: {credits_words} of cash in round sums, {credits_minor} in all, alongside takings in uneven sums, {dates}",
            life.currency,
            bundles,
        )


def _unlike(
    life: Life, windows: Sequence[_Window], bases: Sequence[Callable[[_Window], tuple[int, int]]]
) -> Iterator[Flag]:
    """Yield the cash of the periods in which there is more of it than the trade explains, by every available measure."""
    excess = [min(parts) for parts in zip(*(_beyond(windows, base) for base in bases), strict=True)]
    # Each day belongs to two windows.
    total = sum(excess) * _STEP_DAYS // _WINDOW_DAYS
    held = sum(one.cash_minor for one in windows) * _STEP_DAYS // _WINDOW_DAYS
    odd = [
        one
        for window, more in zip(windows, excess, strict=True)
        if more >= life.limits.cover_share * window.cash_minor
        for one in window.cash
    ]
    if total >= max(life.minor(life.limits.cover_total), 1) and total >= life.limits.cover_share * held:
        yield make_flag(
            "cash_beyond_takings",
            "Cash that does not move with the trade: {credits_words} of cash, {credits_minor} in all, paid in when card takings and purchases for the "
            "trade were low in comparison, {dates}",
            life.currency,
            [*{(one.account, one.txn_id): one for one in odd}.values()],
        )


def _still(
    life: Life,
    cash: Sequence[Movement],
    windows: Sequence[_Window],
    bases: Sequence[Callable[[_Window], tuple[int, int]]],
) -> Iterator[Flag]:
    """Yield cash that stays the same while the trade is busy and quiet, by every available measure."""
    held = sum(one.cash_minor for one in windows)
    measures = [
        base
        for base in bases
        if sum(base(one)[1] for one in windows) >= life.limits.cover_share * held
        and not _is_chance(windows, base)
    ]
    if measures and all(_stands_still(life, windows, base) for base in measures):
        yield make_flag(
            "cash_beyond_takings",
            "Cash that does not follow the trade's season: {credits_words} of cash, {credits_minor} in all, nearly constant, while card takings or "
            "purchases for the trade rise and fall, {dates}",
            life.currency,
            cash,
        )


def _stands_still(life: Life, windows: Sequence[_Window], base: Callable[[_Window], tuple[int, int]]) -> bool:
    """Return whether cash varies between the busiest and quietest windows by less than a given share of the variation in the measure."""
    quiet, busy = _quiet_and_busy(windows, base)
    measure = [sum(base(one)[1] for one in some) for some in (quiet, busy)]
    cash = [sum(one.cash_minor for one in some) for some in (quiet, busy)]
    if not all(cash) or measure[1] < life.limits.cover_season * measure[0]:
        return False
    if not measure[0]:
        return True
    # Cash follows the measure, even if by less: not every purchase is recognised as one for the trade.
    if _moves_with(windows, [base(one)[1] for one in windows]) >= _WITH_IT:
        return False
    rise = Decimal(measure[1]) / measure[0] - 1
    return Decimal(cash[1]) / cash[0] - 1 < life.limits.cover_share * rise


def _is_chance(windows: Sequence[_Window], base: Callable[[_Window], tuple[int, int]]) -> bool:
    """Return whether a measure varies so much from week to week that its busiest and quietest windows need not be a season.

    One of several suppliers or payers that is not recognised makes such a measure. The windows are chosen because they differ, so that the difference must be many
    standard errors.
    """
    measured = attrgetter("cards" if base is _cash_beside_cards else "costs")
    days = sorted({payment.day for one in windows for payment in measured(one)})
    spell = max(
        _WEEK_DAYS, int(median(after - day for day, after in itertools.pairwise(days))) if days[1:] else 0
    )
    if spell > _LONGEST_SPELL:
        return False
    sides = []
    for some in _quiet_and_busy(windows, base):
        sums: Counter[tuple[int, int]] = Counter(
            {(one.start, part): 0 for one in some for part in range(-(-_WINDOW_DAYS // spell))}
        )
        for one in some:
            for payment in measured(one):
                sums[one.start, (payment.day - one.start) // spell] += payment.amount
        sides.append([*sums.values()])
    quiet, busy = sides
    error = sqrt(variance(quiet) / len(quiet) + variance(busy) / len(busy))
    return mean(busy) - mean(quiet) < _NOT_BY_CHANCE * error


def _quiet_and_busy(
    windows: Sequence[_Window], base: Callable[[_Window], tuple[int, int]]
) -> tuple[Sequence[_Window], Sequence[_Window]]:
    """Return the quietest and the busiest windows of a measure."""
    ordered = sorted(windows, key=lambda one: base(one)[1])
    part = max(2, len(ordered) // _COMMON)
    return ordered[:part], ordered[-part:]


def _moves_with(windows: Sequence[_Window], measure: Sequence[int]) -> float:
    """Return the correlation of cash with a measure, one value for each window; 0 if either never changes."""
    parts = [one.cash_minor for one in windows], measure
    return correlation(*parts) if all(len(set(part)) > 1 for part in parts) else 0


def _beyond(windows: Sequence[_Window], base: Callable[[_Window], tuple[int, int]]) -> list[int]:
    """Return by how much the takings in each window exceed those that its measure supports."""
    pairs = [base(one) for one in windows]
    ratios = sorted(Decimal(taken) / measure for taken, measure in pairs if measure)
    usual = ratios[len(ratios) // _COMMON]
    return [
        min(window.cash_minor, max(0, taken - int(usual * measure)))
        for window, (taken, measure) in zip(windows, pairs, strict=True)
    ]


def _windows(cash: Sequence[Movement], cards: Sequence[Movement], costs: Sequence[Movement]) -> list[_Window]:
    """Return the windows from the first to the last sign of the trade."""
    rows = [*cash, *cards, *costs]
    first, last = min(one.day for one in rows), max(one.day for one in rows)
    return [
        _Window(start, *(within(part, start, _WINDOW_DAYS - 1) for part in (cash, cards, costs)))
        for start in range(first, last - _WINDOW_DAYS + 2, _STEP_DAYS)
    ]
