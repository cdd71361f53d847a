"""The payments of many customers as columns: lives in which a red flag is impossible are ruled out for all of them at once.

Only lives that may have a flag are examined payment by payment, because few customers have any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, partial, reduce
from operator import or_
from typing import Any

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.red_flags.flag import Flag
from kycpack.wealth.judge.red_flags.life import (
    FEWEST_REGULAR,
    INCOME_TYPES,
    LEAST_SLACK_DAYS,
    LONGEST_GAP_DAYS,
    ON_TIME,
    RISING,
    SHORTEST_HABIT_DAYS,
    SLACK_SHARE,
    Life,
)
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.match.exchange_rates import ABOVE_ALL, threshold_bounds
from kycpack.wealth.prepare.coded import Codes, Mask, Words, distinct_of, is_in, joint_code
from kycpack.wealth.streams.streams import grouped_median
from kycpack.wealth.thresholds import Thresholds

_NEARLY = 1 - 1e-9  # a share of a sum is rounded here, but exact in the search for flags


@dataclass(frozen=True, eq=False)
class Lives:
    """The payments of customers, each in one currency, one life after another.

    Args:
        owners: Customer and currency of each life.
        starts: Index of the first payment of each life.
        each: A `Movement` of columns: the values of all payments in each field, in the order of `Life.movements`; texts as `Words`.
        limits: Thresholds.
        declared: Yearly incomes that customers declared, minor units, by customer and currency.
    """

    owners: Sequence[tuple[str, str]]
    starts: Codes
    each: Any
    limits: Thresholds
    declared: Mapping[tuple[str, str], int]
    _at_least: dict[Decimal, Mask] = field(default_factory=dict, init=False, repr=False)
    _of_thresholds: dict[Decimal, Codes] = field(default_factory=dict, init=False, repr=False)

    def at(self, place: int) -> Life:
        """Return one life with its payments."""
        owner = self.owners[place]
        mine = slice(*np.append(self.starts, len(self.day))[place : place + 2].tolist())
        rows = zip(*(column[mine].tolist() for column in self.each), strict=True)
        # Like `Movement._make`, which would check each row's length again.
        movements = list(map(partial(tuple.__new__, Movement), rows))
        return Life(owner[1], movements, self.limits, self.declared.get(owner))

    @cached_property
    def life(self) -> Codes:
        """The life of each payment."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.day)))).astype(
            np.int64
        )

    @cached_property
    def day(self) -> Codes:
        """The booking day of each payment."""
        return np.asarray(self.each.day, dtype=np.int64)

    @cached_property
    def amount(self) -> Codes:
        """The amount of each payment, minor units."""
        return np.asarray(self.each.amount, dtype=np.int64)

    def marked(self, *fields: str) -> Mask:
        """Return the payments that have any of the given marks, such as `cash`."""
        found: Mask = reduce(or_, (getattr(self.each, one) for one in fields))
        return found

    def written(self, field: str) -> Mask:
        """Return the payments in which a text field, such as `number`, is not empty."""
        words: Words = getattr(self.each, field)
        return words.present

    @cached_property
    def named(self) -> Mask:
        """Payments whose other party is named."""
        return self.written("party")

    @cached_property
    def party(self) -> Codes:
        """The other party of each payment: one number for each party of a life."""
        return joint_code(self.life, self.each.party.codes)

    def of_kind(self, *kinds: str) -> Mask:
        """Return the payments whose other party is of one of the given kinds; an empty text means no known kind."""
        found: Mask = self.each.kind.are(*kinds)
        return found

    def of_type(self, *types: str) -> Mask:
        """Return the payments of the given types."""
        found: Mask = self.each.type.are(*types)
        return found

    @cached_property
    def unknown(self) -> Mask:
        """Payments whose other party is of no known kind."""
        return self.of_kind("")

    @cached_property
    def every_credit(self) -> Mask:
        """As `Life.every_credit`."""
        return self.marked("is_credit")

    @cached_property
    def credits(self) -> Mask:
        """As `Life.credits`."""
        return self.every_credit & ~self.marked("own") & ~self.marked("returned")

    @cached_property
    def debits(self) -> Mask:
        """As `Life.debits`."""
        return ~self.every_credit & ~self.marked("own")

    @cached_property
    def exits(self) -> Mask:
        """As `Life.exits`."""
        return (
            self.debits
            & self.at_least(self.limits.smallest_flow)
            & ~self.marked("purchase")
            & ~self.marked("kin")
        )

    @cached_property
    def exits_and_claims(self) -> Mask:
        """As `Life.exits`, with `Life.claimed_purchases`."""
        claimed = self.marked("purchase") & ~self.marked("collected", "kin") & self.unknown
        return self.exits | (self.debits & self.at_least(self.limits.smallest_flow) & claimed)

    @cached_property
    def cash(self) -> Mask:
        """Credits of cash."""
        return self.credits & self.marked("cash")

    @cached_property
    def open(self) -> Mask:
        """As `Life.open_credits`."""
        return self.credits & self.marked("is_open")

    @cached_property
    def habitual(self) -> Mask:
        """Credits of `Life.regular_payers`."""
        chosen = self.credits & self.named
        party, day = np.divmod(distinct_of((self.party[chosen] << 32) + self.day[chosen]), 1 << 32)
        again = np.diff(party) == 0
        payer, gap = party[1:][again], np.diff(day)[again]
        count = np.bincount(payer, minlength=len(self.party))
        usual = grouped_median(payer, 2 * gap, count) / 2
        on_time = np.abs(gap - usual[payer]) <= np.maximum(LEAST_SLACK_DAYS, SLACK_SHARE * usual[payer])
        habit = (
            (count >= FEWEST_REGULAR - 1)
            & (np.bincount(payer, gap, len(count)) >= SHORTEST_HABIT_DAYS)
            & (usual > FEWEST_REGULAR)
            & (usual <= LONGEST_GAP_DAYS)
            & (np.bincount(payer[on_time], minlength=len(count)) >= ON_TIME * count)
        )
        return chosen & habit[self.party]

    @cached_property
    def unproven(self) -> Mask:
        """As `Life.unproven_credits`."""
        return self.open | (self.credits & self.marked("unproven") & ~self.marked("loan") & ~self.habitual)

    @cached_property
    def income(self) -> Mask:
        """As `Life.income`."""
        return self.credits & self.of_type(*INCOME_TYPES) & ~self.marked("is_open") & ~self.marked("cash")

    @cached_property
    def times_paid_in(self) -> Codes:
        """Number of credits from the party of each payment; 0 if nobody is named."""
        return self.times(self.credits)

    @cached_property
    def times_paid_out(self) -> Codes:
        """Number of debits to the party of each payment; 0 if nobody is named."""
        return self.times(self.debits)

    @cached_property
    def paid_out(self) -> Codes:
        """Sum of the debits to the party of each payment, minor units; 0 if nobody is named."""
        return self.paid(self.debits)

    @cached_property
    def from_strangers(self) -> Mask:
        """Credits from named strangers who receive nothing back, without cash."""
        unpaid: Mask = self.times_paid_out == 0
        return self.credits & self.marked("stranger") & self.named & ~self.marked("cash") & unpaid

    @cached_property
    def from_unknown(self) -> Mask:
        """Credits whose nature is not established or rests on words, of named parties of no known kind, without cash and family."""
        unproven = self.credits & self.marked("unproven", "is_open")
        return unproven & self.named & self.unknown & ~self.marked("cash", "related")

    @cached_property
    def to_unknown(self) -> Mask:
        """Debits to named parties of no known kind that neither were collected nor are cash."""
        return self.debits & self.named & self.unknown & ~self.marked("collected", "cash")

    @cached_property
    def newly_paid(self) -> Mask:
        """Debits to named parties that were not paid in the first `drawn_more_days` days."""
        early = self.day - self.day[self.starts][self.life] < self.limits.drawn_more_days
        new: Mask = self.times(self.debits & early) == 0
        return self.debits & self.named & new

    @cached_property
    def fetched(self) -> Mask:
        """Credits that bring own money or a loan into an account."""
        return self.every_credit & self.marked("own", "loan", "lent", "self_named")

    @cached_property
    def all_credits_minor(self) -> Codes:
        """As `Life.all_credits_minor`, for each life; the next two likewise."""
        return self.total(self.credits)

    @cached_property
    def income_minor(self) -> Codes:
        """As `Life.income_minor`."""
        return self.total(self.income)

    @cached_property
    def span_days(self) -> Codes:
        """As `Life.span_days`."""
        last = np.append(self.starts[1:], len(self.life)) - 1
        span: Codes = self.day[last] - self.day[self.starts] + 1
        return span

    @cached_property
    def _moment(self) -> Codes:
        """Life and day of each payment, as one number."""
        return (self.life << 32) + self.day

    @cached_property
    def account(self) -> Codes:
        """The account of each payment: one number for each account of a life."""
        return joint_code(self.life, self.each.account.codes)

    def minor(self, amount: Decimal) -> Codes:
        """Return the lowest value of a threshold in each life's currency, minor units."""
        return self._bounds(amount)[:, 0]

    def most(self, amount: Decimal) -> Codes:
        """Return the highest value of a threshold in each life's currency, minor units."""
        return self._bounds(amount)[:, 1]

    def _bounds(self, amount: Decimal) -> Codes:
        """Return both bounds of a threshold, one row per life."""
        if amount not in self._of_thresholds:
            code, currencies = self._currencies
            bounds = [threshold_bounds(amount, self.limits.currency, one) for one in currencies]
            both = np.array(bounds, dtype=np.int64).reshape(-1, 2).clip(max=ABOVE_ALL)
            self._of_thresholds[amount] = both[code]
        return self._of_thresholds[amount]

    @cached_property
    def _currencies(self) -> tuple[Codes, list[str]]:
        """The currency of each life, and the list of currencies."""
        number: dict[str, int] = {}
        code = [number.setdefault(currency, len(number)) for _, currency in self.owners]
        return np.array(code, dtype=np.int64), list(number)

    def at_least(self, amount: Decimal) -> Mask:
        """Return the payments of at least a threshold; red flags share a few thresholds."""
        if amount not in self._at_least:
            least = self.minor(amount)[self.life]
            self._at_least[amount] = np.asarray(self.amount >= least, dtype=np.bool_)
        return self._at_least[amount]

    def total(self, chosen: Mask) -> Codes:
        """Return the sum of the chosen payments in each life, minor units."""
        return np.add.reduceat(self.amount * chosen, self.starts)

    def count(self, chosen: Mask) -> Codes:
        """Return the number of chosen payments in each life."""
        return np.add.reduceat(chosen.astype(np.int64), self.starts)

    def has(self, chosen: Mask, number: int = 1) -> Mask:
        """Return which lives have at least this number of chosen payments."""
        return np.asarray(self.count(chosen) >= number, dtype=np.bool_)

    def comes_to(self, chosen: Mask, amount: Decimal) -> Mask:
        """Return in which lives the chosen payments add up to a threshold."""
        return np.asarray(self.total(chosen) >= self.minor(amount), dtype=np.bool_)

    def parties(self, chosen: Mask, by: Codes | None = None) -> Codes:
        """Return the number of parties that the chosen payments of each life name, or of different numbers of `by`; those that name nobody count as one."""
        code = self.party if by is None else by
        distinct = distinct_of((self.life[chosen] << 32) + code[chosen])
        return np.bincount(distinct >> 32, minlength=len(self.starts))

    def times(self, chosen: Mask, by: Codes | None = None) -> Codes:
        """Return the number of chosen payments with the named party of each payment, 0 if nobody is named, or with the same number of `by`."""
        code, counted = (self.party, chosen & self.named) if by is None else (by, chosen)
        return np.bincount(code[counted], minlength=len(code))[code]

    def paid(self, chosen: Mask, by: Codes | None = None) -> Codes:
        """Return the sum of the chosen payments with the named party of each payment, 0 if nobody is named, or with the same number of `by`, minor units."""
        code, counted = (self.party, chosen & self.named) if by is None else (by, chosen)
        sums = np.zeros(len(code), dtype=np.int64)
        np.add.at(sums, code[counted], self.amount[counted])
        return sums[code]

    def sums(self, chosen: Mask) -> Codes:
        """Return the number of different sums among the chosen payments with the party of each payment; 0 if nobody is named."""
        rows = np.flatnonzero(chosen)
        first = np.zeros(len(chosen), dtype=np.bool_)
        first[rows[np.unique(joint_code(self.party[rows], self.amount[rows]), return_index=True)[1]]] = True
        return self.times(first)

    def rising(self, chosen: Mask) -> Mask:
        """Return the chosen payments with named parties whose chosen payments keep rising, as in `keeps_rising`."""
        rows = np.flatnonzero(chosen)
        rows = rows[np.argsort(self.party[rows], kind="stable")]
        higher = np.zeros(len(chosen), dtype=np.bool_)
        higher[rows[1:]] = (np.diff(self.party[rows]) == 0) & (np.diff(self.amount[rows]) > 0)
        rises: Mask = self.times(higher) >= RISING * (self.times(chosen) - 1)
        return chosen & self.named & rises

    def after(
        self, first: Mask, then: Mask, days: int, before: int = 0, by: Codes | None = None
    ) -> tuple[Codes, Codes]:
        """Return how many payments came within days of each of some other payments, and their sum in minor units.

        Args:
            first: The other payments.
            then: The payments that are counted.
            days: Days after.
            before: Days before.
            by: A number for each payment that both must share, if more than the life is required.
        """
        moment = self._moment if by is None else (by << 32) + self.day
        rows = np.flatnonzero(then)
        if by is not None:
            rows = rows[is_in(by[rows], by[first])]
            rows = rows[np.argsort(moment[rows], kind="stable")]
        sums, moments, asked = np.append(0, np.cumsum(self.amount[rows])), moment[rows], moment[first]
        since = np.searchsorted(moments, asked - before)
        until = np.searchsorted(moments, asked + days, side="right")
        return until - since, sums[until] - sums[since]

    def followed(
        self, first: Mask, then: Mask, days: int, share: Decimal, before: int = 0, by: Codes | None = None
    ) -> Mask:
        """Return which payments were followed by others, as in `after`, that took a share of each within days: `passages` finds no more."""
        found = first.copy()
        _, paid = self.after(first, then, days, before, by)
        found[first] = paid >= self.nearly(share, self.amount[first])
        return found

    @staticmethod
    def nearly(share: Decimal | float, sums: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return a share of sums, rounded very slightly down."""
        return np.asarray(_NEARLY * float(share) * sums, dtype=np.float64)


@dataclass(frozen=True)
class Finder:
    """A search for red flags, and the lives in which it can find any.

    Args:
        possible: Which lives meet the conditions that every life with this flag meets.
        find: The search within one life.
    """

    possible: Callable[[Lives], Mask]
    find: Callable[[Life], Iterator[Flag]]


def found_where(possible: Callable[[Lives], Any]) -> Callable[[Callable[[Life], Iterator[Flag]]], Finder]:
    """Return a decorator that turns a search into a `Finder`.

    Args:
        possible: Which lives meet the conditions that every life with this flag meets, worked out for all lives at once.
    """
    return lambda find: Finder(possible, find)
