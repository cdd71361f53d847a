"""From which sum unexplained credits are large, with the calculation in words, so that a reader can check it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from kycpack.models.dates import day_words
from kycpack.models.money import format_minor
from kycpack.wealth.judge.red_flags.flag import to_date
from kycpack.wealth.judge.red_flags.life import SHORTEST_SPAN_DAYS, YEAR_DAYS, Life
from kycpack.wealth.judge.red_flags.movements import Movement

MANY = 5
"""Of so many payments, two or three gaps can be alike by chance."""


class Limit(NamedTuple):
    """A limit that depends on the case.

    Attributes:
        minor: The limit, minor units.
        basis: How it is worked out, in words that follow a colon.
    """

    minor: int
    basis: str


def limit_alone(life: Life) -> Limit:
    """Return from which sum a single credit is large: a share of all credits, at least `large_credit` and at most twice that."""
    floor, share, every = (
        life.minor(life.limits.large_credit),
        life.limits.large_credit_share,
        life.all_credits_minor,
    )
    part = int(share * every)
    limit = min(2 * floor, max(floor, part))
    whole, taken, least, most, so = (
        format_minor(minor, life.currency) for minor in (every, part, floor, 2 * floor, limit)
    )
    return Limit(
        limit,
        f"{100 * share:f}".rstrip("0").rstrip(".")
        + f"% of the {whole} of credits, own transfers and refunds left out, is {taken}{_rounded(part, share * every)}; the limit is that, but at "
        f"least {least} and at most {most}, so {so}",
    )


def limit_of_payer(life: Life, rows: Sequence[Movement], floor: int) -> Limit:
    """Return from which sum the open credits of one payer within a year are large: a year of income, at least what `_least_of_one` says and at most `large_payer`."""
    of_one, who = _least_of_one(life, rows, floor)
    most = life.minor(life.limits.large_payer)
    limit = min(most, max(of_one, life.yearly_income))
    income, yearly, least, greatest, so = (
        format_minor(minor, life.currency)
        for minor in (life.income_minor, life.yearly_income, of_one, most, limit)
    )
    days = max(life.span_days, SHORTEST_SPAN_DAYS)
    first, last = (day_words(to_date(one.day)) for one in (life.movements[0], life.movements[-1]))
    counted_as = "" if days == life.span_days else f", counted as {days}"
    return Limit(
        limit,
        f"{income} of established income in {life.span_days} days ({first} to {last}{counted_as}) is {yearly} in {YEAR_DAYS} days{_rounded(life.yearly_income * days, life.income_minor * YEAR_DAYS)}; the limit is that, but at least "
        f"{least} for {who}, and at most {greatest}, so {so}",
    )


def _rounded(minor: int, exact: Decimal | int) -> str:
    """Return what follows a limit that is a little below the exact one: a limit is rounded down, so that nothing that reaches it is missed."""
    return ", rounded down" if minor < exact else ""


def _least_of_one(life: Life, rows: Sequence[Movement], floor: int) -> tuple[int, str]:
    """Return the least that a payer's open credits have to come to within a year to be compared with the income, minor units, and for which payers that is."""
    is_regular = rows[0].party in life.regular_payers
    # What is nearly large by itself does not make its payer a usual one.
    small = [one for one in rows if one.amount < floor]
    usual = rows if is_regular else small or rows
    least = life.minor(life.limits.beyond_income_credit)
    if not (is_regular or len(small) > MANY or any(one.related or one.kind for one in usual)):
        who = "credits from a payer of whom nothing is known"
        if len(rows) <= MANY:
            return 2 * floor, f"a few {who}"
        under = format_minor(floor, life.currency)
        return min(2 * floor, least), f"{who}, no more than {MANY} of them under {under}"
    if all(one.stranger and not one.kind for one in usual):
        return least, "credits that come often from a stranger"
    return 2 * least, "credits from a firm or family"
