"""The largest credits outside the sources whose nature is not established: a reader of sums and shares would not see them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.models.dates import day_words
from kycpack.models.listed import listed
from kycpack.models.money import format_minor, format_range
from kycpack.wealth.judge.outlook_words import unsure_words
from kycpack.wealth.judge.wording import NO_NAME, NOT_ESTABLISHED, count_words
from kycpack.wealth.prepare.clues import ONLY_POSSIBLE
from kycpack.wealth.prepare.lexicon import OTHER

CASH = "cash_deposit"
UNEXPLAINED, SMALL = "unexplained", "small_other"
NOT_EXAMINED = NOT_ESTABLISHED | {"gift"}
"""Types of small single credits that count with it, as on page one."""
_MOST_NAMED = 3
_POSSIBLE = {
    ("savings", "pattern"): "the payer has the customer's own name: possibly an own transfer",
    ("rental_income", "pattern"): "possibly rent, by day, amount and person alone",
}
_OF_CREDIT = (
    *("account_id", "txn_id", "booked_on", "least_minor", "most_minor", "may_be_twice_minor"),
    *("type", "evidence_level", "payer", "payer_key"),
)
_BOTH = 2


def is_small_open(row: Any) -> bool:
    """Return whether a row of frame `credits` is a small single credit whose nature is not established, as page one counts it."""
    is_open = row.type in NOT_EXAMINED or (row.type, row.evidence_level) in ONLY_POSSIBLE
    return bool(row.disposition == SMALL and is_open)


def possible_words(type_: str, evidence_level: str) -> str:
    """Return what a credit of `ONLY_POSSIBLE` may be and why, in words; empty for others."""
    return _POSSIBLE.get((type_, evidence_level), "")


@dataclass(frozen=True, slots=True)
class SingleCredit:
    """A credit outside the sources whose nature is not established.

    Attributes:
        account_id: Account id.
        txn_id: Transaction id.
        on: Booking date.
        minor: Amount without what was taken back, in minor units.
        unsure: That it may be counted twice, may have been taken back, or may be an own transfer, in brackets; empty if none of these.
    """

    account_id: str
    txn_id: str
    on: date
    minor: int
    unsure: str = ""


@dataclass(frozen=True, slots=True)
class Unexplained:
    """The credits in one currency that are in no source and whose nature is not established.

    Attributes:
        currency: ISO 4217 code.
        largest: The largest of them, the largest first.
        count: Number of all of them.
        once: Number of those that are no copies.
        types: Their types in frame `credits`.
        small_count: Number of the small ones beside them.
        small: The least and the greatest sum of the small ones beside them, in minor units, which are not examined one by one.
        small_rows: The account and the transaction of each small one.
        are_gifts: Whether all small ones are called gifts, which are small up to another sum than the rest.
        together: Which of them one payer made, in words, such as `all of one person`; empty if nobody paid twice.
    """

    currency: str
    largest: tuple[SingleCredit, ...]
    count: int
    once: int
    types: tuple[str, ...]
    small: tuple[int, int] = (0, 0)
    small_count: int = 0
    small_rows: tuple[tuple[str, str], ...] = ()
    are_gifts: bool = False
    together: str = ""

    @property
    def of_small(self) -> dict[str, Any]:
        """The conditions for the rows of frame `credits` that are the small ones."""
        return {
            "currency": self.currency,
            "disposition": SMALL,
            "account_id": sorted({account for account, _ in self.small_rows}),
            "txn_id": [txn for _, txn in self.small_rows],
        }

    @property
    def words(self) -> str:
        """The largest of them with their dates, how many there are if not all are named, and whether one payer made several."""
        said = [
            f"{format_minor(one.minor, self.currency)} on {day_words(one.on)}{one.unsure}"
            for one in self.largest
        ]
        if self.count > len(said):
            who = f", {self.together}," if self.together else ""
            return f"the largest of {count_words(self.once, self.count)}{who} are {listed(said)}"
        return f"{listed(said)}{', ' if self.together else ''}{self.together}"

    @property
    def small_words(self) -> str:
        """What follows where the small ones are in a total as well; empty if there are none."""
        if not self.small[1]:
            return ""
        sum_ = format_range(*self.small, self.currency)
        if self.small_count == 1:
            return f", beside a small one{', called a gift,' if self.are_gifts else ''} of {sum_}"
        return f", beside small ones{', called gifts,' if self.are_gifts else ''} of {sum_} in all"


def unexplained_of(credits_: pd.DataFrame, base_currency: str | None = None) -> tuple[Unexplained, ...]:
    """Return the credits outside the sources whose nature is not established, by currency, without cash.

    Args:
        credits_: The customer's rows of frame `credits`.
        base_currency: The currency that comes first; the others follow in alphabetical order.
    """
    found: dict[str, list[Any]] = {}
    small: dict[str, list[Any]] = {}
    for row in rows(credits_, "currency", "disposition", *_OF_CREDIT):
        if row.disposition == UNEXPLAINED and row.type != CASH:
            found.setdefault(str(row.currency), []).append(row)
        elif is_small_open(row):
            small.setdefault(str(row.currency), []).append(row)
    order = sorted(found, key=lambda currency: (currency != base_currency, currency))
    return tuple(_of_currency(currency, found[currency], small.get(currency, [])) for currency in order)


def largest_of(currency: str, credits_: pd.DataFrame) -> Unexplained:
    """Return the largest of some credits.

    Args:
        currency: Their currency.
        credits_: Rows of frame `credits`.
    """
    return _of_currency(currency, list(rows(credits_, *_OF_CREDIT)), [])


def beside_sources_of(credits_: pd.DataFrame) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the least and the greatest sum of the credits that are not in a source although they may matter, minor units, by currency and type.

    Args:
        credits_: The customer's rows of frame `credits`.

    Returns:
        Cash that was paid in now and then, as type `cash_deposit`, and all other credits whose nature is not established, small ones as well, as
        `other`; without what was taken back.
    """
    least: Counter[tuple[str, str]] = Counter()
    most: Counter[tuple[str, str]] = Counter()
    names = ("currency", "type", "evidence_level", "disposition", "least_minor", "most_minor")
    for row in rows(credits_, *names):
        is_cash = row.type == CASH and row.disposition in {UNEXPLAINED, SMALL}
        if is_cash or row.disposition == UNEXPLAINED or is_small_open(row):
            key = str(row.currency), CASH if is_cash else OTHER
            least[key] += int(row.least_minor)
            most[key] += int(row.most_minor)
    return {key: (least[key], total) for key, total in most.items()}


def unexplained_words(found: tuple[Unexplained, ...], *, with_small: bool = False) -> tuple[str, ...]:
    """Return a sentence that names the largest credits of each currency; nothing if there are none.

    Args:
        found: From `unexplained_of`.
        with_small: Whether it gives the sum of the small ones as well.
    """
    if not found:
        return ()
    alone = len(found) == 1 and found[0].count == 1
    which = "Credits" if any(one.together for one in found) else f"Single credit{'' if alone else 's'}"
    listed = "; ".join(f"{one.words}{one.small_words if with_small else ''}" for one in found)
    return (f"{which} outside the listed sources whose nature is not established: {listed}.",)


def _single(row: Any) -> SingleCredit:
    on = pd.Timestamp(row.booked_on).date()
    unsure = "; ".join(filter(None, (unsure_words(row), possible_words(row.type, row.evidence_level))))
    return SingleCredit(
        str(row.account_id), str(row.txn_id), on, int(row.most_minor), f" ({unsure})" if unsure else ""
    )


def _of_currency(currency: str, mine: list[Any], small: list[Any]) -> Unexplained:
    # On a tie as in frame `credits`.
    ordered = sorted(map(_single, mine), key=lambda one: (-one.minor, one.on))
    least, most = (sum(int(getattr(row, name)) for row in small) for name in ("least_minor", "most_minor"))
    return Unexplained(
        currency,
        tuple(ordered[:_MOST_NAMED]),
        len(mine),
        sum(not row.may_be_twice_minor for row in mine),
        tuple(sorted({str(row.type) for row in mine})),
        (least, most),
        len(small),
        tuple((str(row.account_id), str(row.txn_id)) for row in small),
        {row.type for row in small} == {"gift"},
        _together(mine),
    )


def _together(mine: list[Any]) -> str:
    """Return which of some credits one payer made; empty if nobody who is named paid twice."""
    paid = ((row.payer_key, str(row.payer)) for row in mine)
    named = Counter(key for key, payer in paid if isinstance(key, str) and key and payer != NO_NAME)
    several = [payer for payer, count in named.items() if count > 1]
    if not several:
        return ""
    if len(several) > 1:
        return "several of the same payers"
    theirs = {str(row.type) for row in mine if row.payer_key == several[0]}
    who = "person" if theirs == {"person_transfer"} else "payer"
    every = named[several[0]] == len(mine)
    return f"{('both' if len(mine) == _BOTH else 'all') if every else 'several'} of one {who}"
