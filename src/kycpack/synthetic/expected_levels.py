"""The triage level that fits the events in an account, from the truth about each payment and not from its text.

The limits are the author's view of an analyst's task: they are independent of the policy's thresholds, which are not read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from kycpack.synthetic.records import Account, StatementLine

LEVELS = ("approve", "review", "edd", "escalate", "reject")
_GRAVE = frozenset({"structuring", "pass_through"})
_INCOMPLETE = frozenset(
    {"relinked", "missing_months"}
)  # somebody has to ask what is counted twice or missing
_INCOME = frozenset(
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
_PLAYED = {"gambling": "7995", "crypto": "6051"}
_MUCH_PLAYED, _SOME_PLAYED, _LEAST_PLAYED = 0.6, 0.12, 60_000
_GRAVE_PLAYED = 600_000
_LARGE_LUMP, _GRAVE_LUMP = 1_100_000, 2_750_000
_MUCH_CASH, _LEAST_CASH = 0.35, 250_000
_YEAR_DAYS = 365
_OUT_OF_WORK, _OF_CARERS = frozenset({"ESA", "JSA"}), "CA"
_WAGES_BESIDE = 2
_MOST_OF_CARERS = 20_000  # a week
_WEEK_DAYS = 7


def level_of_deeds(events: Iterable[str], accounts: Iterable[Account]) -> str:
    """Return the level that fits a customer's payments, one of `LEVELS`.

    Args:
        events: The generated events, names in `events.EVENTS`.
        accounts: The customer's accounts with the truth about each payment; duplicate accounts are left out.
    """
    rows = list(_booked(accounts))
    grave = ("edd" for name in events if name in _GRAVE)
    asked = ("review" for name in events if name in _INCOMPLETE)
    played = (_level_of_play(rows, kind) for kind in _PLAYED)
    money = (_level_of_lumps(rows), _level_of_cash(rows), _level_of_benefit(rows))
    return highest_level([*grave, *asked, *played, *money])


def highest_level(levels: Iterable[str]) -> str:
    """Return the highest of some levels, approve if there are none."""
    return max(levels, key=LEVELS.index, default="approve")


def _booked(accounts: Iterable[Account]) -> Iterator[StatementLine]:
    for account in accounts:
        if account.duplicate_of is None and account.currency == "GBP":
            yield from (one.movement for one in account.postings if one.movement.status == "booked")


def _level_of_play(rows: Sequence[StatementLine], kind: str) -> str:
    """Return the level of gambling or crypto, compared with all money in and with income."""
    paid = -sum(one.amount_minor for one in rows if one.amount_minor < 0 and one.mcc == _PLAYED[kind])
    won = sum(one.amount_minor for one in rows if one.amount_minor > 0 and _type(one) == kind)
    stake = max(paid, won)
    if stake >= max(_MUCH_PLAYED * _income(rows), _GRAVE_PLAYED):
        return "edd"
    return "review" if stake >= max(_SOME_PLAYED * _all_credits(rows), _LEAST_PLAYED) else "approve"


def _level_of_lumps(rows: Sequence[StatementLine]) -> str:
    """Return the level of the largest single unexplained credit."""
    lumps = [
        one.amount_minor
        for one in rows
        if one.amount_minor > 0
        and one.truth
        and one.truth.disposition == "unexplained"
        and _type(one) == "other"
    ]
    largest = max(lumps, default=0)
    days = [one.booked_on for one in rows] or [date(1970, 1, 1)]
    year = _income(rows) * _YEAR_DAYS / max((max(days) - min(days)).days, _YEAR_DAYS // 2)
    if largest >= max(_GRAVE_LUMP, 1.2 * year):
        return "edd"
    share = 0.22 * _all_credits(rows)
    return "review" if largest >= max(_LARGE_LUMP, min(share, 2 * _LARGE_LUMP)) else "approve"


def _level_of_cash(rows: Sequence[StatementLine]) -> str:
    """Return the level of cash, compared with all money in."""
    cash = sum(one.amount_minor for one in rows if one.amount_minor > 0 and _type(one) == "cash_deposit")
    return "review" if cash >= max(_MUCH_CASH * _all_credits(rows), _LEAST_CASH) else "approve"


def _level_of_benefit(rows: Sequence[StatementLine]) -> str:
    """Return the level of wages beside an out-of-work benefit, or of more than carers may earn: somebody has to ask."""
    paid = {word for one in rows if _type(one) == "state_benefit" for word in one.text.split()}
    wages = [(one.booked_on, one.amount_minor) for one in rows if _type(one) == "employment"]
    if len(wages) < _WAGES_BESIDE:
        return "approve"
    days = (max(wages)[0] - min(wages)[0]).days
    much = _WEEK_DAYS * sum(minor for _, minor in wages) > _MOST_OF_CARERS * days
    return "review" if _OUT_OF_WORK & paid or (much and _OF_CARERS in paid) else "approve"


def _income(rows: Sequence[StatementLine]) -> int:
    return sum(one.amount_minor for one in rows if one.amount_minor > 0 and _type(one) in _INCOME)


def _all_credits(rows: Sequence[StatementLine]) -> int:
    aside = ("own_transfer", "refund")
    return sum(
        one.amount_minor
        for one in rows
        if one.amount_minor > 0 and (one.truth is None or one.truth.disposition not in aside)
    )


def _type(one: StatementLine) -> str | None:
    return one.truth.type if one.truth else None
