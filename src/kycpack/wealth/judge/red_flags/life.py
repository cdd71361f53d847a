"""A customer's payments in one currency, and which of them are ordinary."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, wraps
from operator import attrgetter
from typing import Any, TypeVar

from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.match.exchange_rates import round_unit, threshold_bounds
from kycpack.wealth.thresholds import Thresholds

INCOME_TYPES = frozenset(
    {
        "employment",
        "self_employment",
        "business_income",
        "pension",
        "state_benefit",
        "rental_income",
        "investment_income",
        "interest",
    }
)
K = TypeVar("K")
T = TypeVar("T")
FEWEST_REGULAR = 3
LONGEST_GAP_DAYS = 100
SHORTEST_HABIT_DAYS = 50
SLACK_SHARE = 0.2
LEAST_SLACK_DAYS = 3.0
ON_TIME = 0.7
_UNEVEN = 0.8
RISING = 0.8
SELDOM_DAYS = 45
_PARENTS = 2
YEAR_DAYS = 365
SHORTEST_SPAN_DAYS = 60  # a few weeks of pay are not projected to a year


class SumsAfter:
    """Sums of payments after a given day, worked out once.

    Args:
        rows: The payments, by day.
    """

    def __init__(self, rows: Sequence[Movement]) -> None:
        self._days = [one.day for one in rows]
        self._sums = [*itertools.accumulate((one.amount for one in reversed(rows)), initial=0)]

    def after(self, day: int) -> int:
        """Return the sum of the payments after a day, minor units."""
        return self._sums[len(self._days) - bisect_right(self._days, day)]


NOTHING_PAID = SumsAfter(())


@dataclass(frozen=True, eq=False)
class Life:
    """The payments of one customer in one currency.

    Args:
        currency: ISO 4217.
        movements: In order of day; on the same day, credits first.
        limits: Thresholds.
        declared_minor: Yearly income that the customer declared, minor units; None if it is not known.
    """

    currency: str
    movements: Sequence[Movement]
    limits: Thresholds
    declared_minor: int | None = None
    _known: dict[Callable[[Life], Any], Any] = field(default_factory=dict, init=False, repr=False)

    def minor(self, amount: Decimal) -> int:
        """Return the lowest value that a threshold may have in this currency, minor units."""
        return threshold_bounds(amount, self.limits.currency, self.currency)[0]

    def most(self, amount: Decimal) -> int:
        """Return the highest value that a threshold may have in this currency, minor units; above all sums if no exchange rate is known."""
        return threshold_bounds(amount, self.limits.currency, self.currency)[1]

    def round_sum(self, pounds: int) -> int:
        """Return the round sum that people pay here where they would pay this many pounds, minor units."""
        return max(pounds * round_unit(self.currency), 1)

    def known(self, about: Callable[[Life], T]) -> T:
        """Return the result of a function of this life, worked out once for all the red flags that need it."""
        if about not in self._known:
            self._known[about] = about(self)
        found: T = self._known[about]
        return found

    @cached_property
    def credits(self) -> list[Movement]:
        """Credits that are neither own transfers nor refunds."""
        return [one for one in self.every_credit if not one.own and not one.returned]

    @cached_property
    def debits(self) -> list[Movement]:
        """Debits that are not own transfers."""
        return [one for one in self.movements if not one.is_credit and not one.own]

    @cached_property
    def every_credit(self) -> list[Movement]:
        """Credits, including own transfers and refunds."""
        return [one for one in self.movements if one.is_credit]

    @cached_property
    def uncollected(self) -> list[Movement]:
        """Debits that were not collected by the other party."""
        return [one for one in self.debits if not one.collected]

    @cached_property
    def cash_paid_in(self) -> list[Movement]:
        """Deposits of cash."""
        return [one for one in self.credits if one.cash]

    @cached_property
    def taxes(self) -> list[Movement]:
        """Debits to a tax office."""
        return [one for one in self.debits if one.kind == "tax_office"]

    @cached_property
    def trade_purchases(self) -> list[Movement]:
        """Debits for what a trade buys."""
        return [one for one in self.debits if one.trade]

    @cached_property
    def cash_drawn(self) -> list[Movement]:
        """Cash withdrawals."""
        return [one for one in self.debits if one.cash]

    @cached_property
    def sent_abroad(self) -> list[Movement]:
        """Debits that leave the country."""
        return [one for one in self.debits if one.abroad]

    @cached_property
    def paid_in(self) -> Mapping[str, int]:
        """Total that each party paid in, minor units."""
        return sums_by_party(one for one in self.credits if one.party)

    @cached_property
    def paid_later(self) -> Mapping[str, SumsAfter]:
        """Sums that each party was paid after a given day, without cash."""
        return {
            party: SumsAfter([one for one in rows if not one.cash])
            for party, rows in self.payments_to.items()
        }

    @cached_property
    def paid_on(self) -> Mapping[int, list[int]]:
        """Days on which an amount was paid out, by amount, ascending."""
        return _days_by_amount(self.debits)

    @cached_property
    def collected_on(self) -> Mapping[int, list[int]]:
        """Days on which an amount was collected, by amount, ascending."""
        return _days_by_amount(one for one in self.debits if one.collected)

    @cached_property
    def open_credits(self) -> list[Movement]:
        """Credits whose nature is not established."""
        return [one for one in self.credits if one.is_open]

    @cached_property
    def unproven_credits(self) -> list[Movement]:
        """Credits whose nature is not established, or is supported only by the sender's word and not by a habit."""
        return [
            one
            for one in self.credits
            if one.is_open or (one.unproven and not one.loan and one.party not in self.regular_payers)
        ]

    @cached_property
    def exits(self) -> list[Movement]:
        """Debits by which money can be moved on: not a purchase or a bill, not to family, not small."""
        least = self.minor(self.limits.smallest_flow)
        return [one for one in self.debits if one.amount >= least and not one.purchase and not one.kin]

    @cached_property
    def called_parents(self) -> frozenset[str]:
        """Payers who are family by no more than a word, if there are only one or two: a mother may have another surname, but nobody has more parents."""
        called = {one.party for one in self.credits if one.related and not one.kin and one.party}
        return frozenset(called if len(called) <= _PARENTS else ())

    @cached_property
    def claimed_purchases(self) -> list[Movement]:
        """Debits that are purchases by no more than a word in a name, and no firm collected them: anybody can choose a name."""
        least = self.minor(self.limits.smallest_flow)
        return [
            one
            for one in self.debits
            if one.amount >= least and one.purchase and not (one.collected or one.kind or one.kin)
        ]

    @cached_property
    def span_days(self) -> int:
        """Days from the first to the last payment."""
        return self.movements[-1].day - self.movements[0].day + 1

    @property
    def observed(self) -> dict[str, int]:
        """The first and the last of these days, as facts of a flag."""
        return {"observed_from_on": self.movements[0].day, "observed_to_on": self.movements[-1].day}

    @cached_property
    def income(self) -> list[Movement]:
        """Credits of established income; cash is never income, whatever it is called."""
        return [one for one in self.credits if one.type in INCOME_TYPES and not one.is_open and not one.cash]

    @cached_property
    def income_minor(self) -> int:
        """Sum of `income`, minor units."""
        return sum(one.amount for one in self.income)

    @cached_property
    def regular_minor(self) -> int:
        """Sum of what firms pay in as a habit of at least half the time observed although its nature is not established, minor units; cash, exchanges and bookmakers are not included."""
        lasting = {party for party in self.regular_payers if 2 * self._days_of(party) >= self.span_days}
        return sum(
            one.amount
            for one in self.open_credits
            if one.party in lasting and not (one.stranger or one.cash or one.related or one.kind)
        )

    def _days_of(self, payer: str) -> int:
        """Return how many days a payer's credits span."""
        days = [one.day for one in self.payments_of[payer]]
        return max(days) - min(days)

    @cached_property
    def yearly_income(self) -> int:
        """Established income, projected to a year."""
        return self.in_a_year(self.income_minor)

    def in_a_year(self, minor: int) -> int:
        """Return a sum of the time observed, projected to a year, minor units."""
        return minor * YEAR_DAYS // max(self.span_days, SHORTEST_SPAN_DAYS)

    @cached_property
    def all_credits_minor(self) -> int:
        """Sum of all credits, without own transfers and refunds, minor units."""
        return sum(one.amount for one in self.credits)

    @cached_property
    def payments_of(self) -> dict[str, list[Movement]]:
        """Credits by party, without those that name nobody."""
        return _by_party(self.credits)

    @cached_property
    def returned_of(self) -> dict[str, list[Movement]]:
        """Refunds, and credits that were given back, by party, without those that name nobody."""
        return _by_party(one for one in self.every_credit if one.returned and not one.own)

    @cached_property
    def payments_to(self) -> dict[str, list[Movement]]:
        """Debits by party, without those that name nobody."""
        return _by_party(self.debits)

    @cached_property
    def regular_payers(self) -> frozenset[str]:
        """Parties that pay in at regular gaps for weeks."""
        return frozenset(party for party, rows in self.payments_of.items() if is_habit(rows))

    @cached_property
    def regular_payees(self) -> frozenset[str]:
        """Parties that are paid at regular gaps for weeks."""
        return frozenset(party for party, rows in self.payments_to.items() if is_habit(rows))


def once_a_life(about: Callable[[Life], T]) -> Callable[[Life], T]:
    """Return a function of a life that is worked out once for each life, however many red flags call it."""

    @wraps(about)
    def known(life: Life) -> T:
        return life.known(about)

    return known


def within(rows: Sequence[Movement], day: int, days: int) -> Sequence[Movement]:
    """Return the payments from a day up to a number of days later; rows are given, and returned, in order of day."""
    return rows[bisect_left(rows, day, key=day_of) : bisect_right(rows, day + days, key=day_of)]


def falls_within(days: Sequence[int], day: int, most: int) -> bool:
    """Return whether one of the given days, ascending, falls on a day or up to a number of days later."""
    at = bisect_left(days, day)
    return at < len(days) and days[at] <= day + most


def _days_by_amount(rows: Iterable[Movement]) -> Mapping[int, list[int]]:
    return {
        amount: [one.day for one in alike] for amount, alike in grouped(rows, attrgetter("amount")).items()
    }


def largest(rows: Sequence[Movement], days: int) -> list[Movement]:
    """Return the payments in the window with the largest sum."""
    best: list[Movement] = []
    most = end = held = 0
    for start, first in enumerate(rows):
        while end < len(rows) and rows[end].day < first.day + days:
            held += rows[end].amount
            end += 1
        if held > most:
            best, most = list(rows[start:end]), held
        held -= first.amount
    return best


def is_habit(rows: Sequence[Movement]) -> bool:
    """Return whether payments keep to a rhythm, weekly to quarterly, for weeks."""
    if len(rows) < FEWEST_REGULAR:
        return False
    days = sorted({one.day for one in rows})
    if len(days) < FEWEST_REGULAR or days[-1] - days[0] < SHORTEST_HABIT_DAYS:
        return False
    gaps = sorted(later - earlier for earlier, later in itertools.pairwise(days))
    usual = (gaps[len(gaps) // 2] + gaps[~(len(gaps) // 2)]) / 2
    if not FEWEST_REGULAR < usual <= LONGEST_GAP_DAYS:
        return False
    slack = max(LEAST_SLACK_DAYS, SLACK_SHARE * usual)
    return sum([abs(gap - usual) <= slack for gap in gaps]) >= ON_TIME * len(gaps)


def keeps_no_rhythm(life: Life, rows: Sequence[Movement]) -> bool:
    """Return whether a party's payments are not a habit, or are quarterly in sums that always differ."""
    seldom = len(rows) * SELDOM_DAYS <= life.span_days
    uneven = len({one.amount for one in rows}) >= _UNEVEN * len(rows)
    return rows[0].party not in life.regular_payers or (seldom and uneven)


def keeps_rising(rows: Sequence[Movement]) -> bool:
    """Return whether most payments are larger than the one before."""
    steps = [*itertools.pairwise(one.amount for one in rows)]
    return sum(after > before for before, after in steps) >= RISING * len(steps)


def later_half_is(factor: Decimal, rows: Sequence[Movement]) -> bool:
    """Return whether the later half of payments, with the one in the middle, comes to a multiple of the earlier half."""
    half = len(rows) // 2
    early, late = (sum(one.amount for one in part) for part in (rows[:half], rows[half:]))
    return late >= factor * early


def day_of(one: Movement) -> int:
    """Return the day of a payment."""
    return one.day


def grouped(rows: Iterable[Movement], key: Callable[[Movement], K]) -> dict[K, list[Movement]]:
    """Return payments by a key, in order of the first of each."""
    found: dict[K, list[Movement]] = {}
    for one in rows:
        found.setdefault(key(one), []).append(one)
    return found


def by_account(rows: Iterable[Movement]) -> dict[str, list[Movement]]:
    """Return payments by account, in order of account id."""
    return dict(sorted(grouped(rows, attrgetter("account")).items()))


def by_party(rows: Iterable[Movement]) -> dict[str, list[Movement]]:
    """Return payments by party, in order of name."""
    return dict(sorted(grouped(rows, attrgetter("party")).items()))


def sums_by_party(rows: Iterable[Movement]) -> dict[str, int]:
    """Return the sum of the payments of each party, minor units."""
    return {party: sum(one.amount for one in each) for party, each in by_party(rows).items()}


class _Parties(dict[str, list[Movement]]):
    """Payments by party; a party without payments, or a text that names nobody, has an empty list."""

    def __missing__(self, party: str) -> list[Movement]:
        return []


def _by_party(rows: Iterable[Movement]) -> dict[str, list[Movement]]:
    return _Parties(grouped((one for one in rows if one.party), attrgetter("party")))
