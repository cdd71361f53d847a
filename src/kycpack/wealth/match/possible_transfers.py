"""Transfers between own accounts that do not match to the penny and the day: listed beside their credit, never taken out of income.

A fee was taken off, the money came in two parts, it took a week, or it was changed into another currency.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from kycpack.wealth.match.own_transfers import FARTHEST_DAYS, Legs, no_pairs
from kycpack.wealth.prepare.intake import Codes

_LONGEST_LAG_DAYS = 7
_LARGEST_FEE_MINOR = 5_000
_LARGEST_FEE_SHARE = 0.05
_MOST_LOOKED_AT = 40  # rows of the other side for one row, the nearest ones


def match_possible_transfers(credits_: Legs, debits: Legs) -> pd.DataFrame:
    """Return pairs that may be an own transfer.

    Args:
        credits_: Money in that no exact pair explains.
        debits: Money out likewise.

    Returns:
        credit, debit (rows of the book), days_apart, verdict `possible`; a credit once at most. At least one side speaks of an own account
        or of a transfer, and the other side says nothing against it. Two credits that share a debit are its two parts.
    """
    speaks = credits_.side.own | credits_.side.worded, debits.side.own | debits.side.worded
    credits_, said_in = _without_income(credits_, speaks[0])
    debits, said_out = _without_income(debits, speaks[1])
    if not (said_in.any() or said_out.any()) or not len(credits_.row) or not len(debits.row):
        return no_pairs()
    used_in: set[int] = set()
    used_out: set[int] = set()
    found: list[tuple[int, int]] = []
    ins, outs = _ByDay(credits_), _ByDay(debits)
    for one in np.lexsort((credits_.rank, credits_.day)).tolist():
        if said_in[one]:
            near = [other for other in outs.near(credits_, one) if other not in used_out]
            sent = next((other for other in near if _fits(credits_, one, debits, other)), None)
            parts = (sent,) if sent is not None else _two(debits, near, credits_, one)
            if parts:
                found.append((one, parts[0]))
                used_in.add(one)
                used_out.update(parts)
    for one in np.lexsort((debits.rank, debits.day)).tolist():
        if said_out[one] and one not in used_out:
            near = [other for other in ins.near(debits, one) if other not in used_in]
            whole = next((other for other in near if _fits(credits_, other, debits, one)), None)
            halves = (whole,) if whole is not None else _two(credits_, near, debits, one)
            found += [(other, one) for other in halves]
            used_in.update(halves)
    if not found:
        return no_pairs()
    left, right = np.array(sorted(found), dtype=np.int64).T
    return pd.DataFrame(
        {
            "credit": credits_.row[left],
            "debit": debits.row[right],
            "days_apart": np.abs(credits_.day[left] - debits.day[right]),
            "verdict": "possible",
        }
    ).astype({"verdict": "object"})


def _without_income(legs: Legs, speaks: Any) -> tuple[Legs, Any]:
    fine = np.flatnonzero(~legs.side.against)
    return legs.of(fine), speaks[fine]


class _ByDay:
    """Legs by customer and day, for looking around a day."""

    def __init__(self, legs: Legs) -> None:
        self._low = int(legs.day.min()) - _LONGEST_LAG_DAYS
        self._span = int(legs.day.max()) - self._low + 2 * _LONGEST_LAG_DAYS + 2
        moment = self._moment(legs.customer, legs.day)
        self._order = np.lexsort((legs.rank, moment))
        self._moments = moment[self._order]
        self._legs = legs

    def _moment(self, customer: Any, day: Any) -> Any:
        return customer * self._span + np.clip(day - self._low, 0, self._span - 1)

    def near(self, other: Legs, index: int) -> list[int]:
        """Return the legs in other accounts of one customer within a week of a leg of the other side, the nearest first."""
        customer, day = int(other.customer[index]), int(other.day[index])
        first = np.searchsorted(self._moments, self._moment(customer, day - _LONGEST_LAG_DAYS), side="left")
        last = np.searchsorted(self._moments, self._moment(customer, day + _LONGEST_LAG_DAYS), side="right")
        rows: Codes = self._order[first:last]
        away = np.abs(self._legs.day[rows] - day)
        fine = (
            (self._legs.account[rows] != other.account[index])
            & (self._legs.customer[rows] == customer)
            & (away <= _LONGEST_LAG_DAYS)
        )
        chosen: list[int] = rows[fine][np.argsort(away[fine], kind="stable")][:_MOST_LOOKED_AT].tolist()
        return chosen


def _fits(credits_: Legs, one: int, debits: Legs, other: int) -> bool:
    """Tell whether one debit may be one credit: late, less a fee, or changed."""
    days = abs(int(credits_.day[one]) - int(debits.day[other]))
    into, out = int(credits_.amount[one]), int(debits.amount[other])
    named = bool(credits_.side.own[one] or debits.side.own[other])
    if credits_.side.other[one] and debits.side.other[other]:
        return False
    if credits_.currency[one] != debits.currency[other]:
        # Without the rate of the day only the name speaks for it.
        return named and days <= FARTHEST_DAYS
    fee = out - into
    return fee == 0 or (
        0 < fee <= min(_LARGEST_FEE_MINOR, _LARGEST_FEE_SHARE * out) and days <= FARTHEST_DAYS
    )


def _two(parts: Legs, near: list[int], whole: Legs, index: int) -> tuple[int, ...]:
    """Return two legs that add up to one of the other side, within some days and in one currency; none where there are none."""
    wanted, day = int(whole.amount[index]), int(whole.day[index])
    by_amount: dict[int, int] = {}
    for one in near:
        if (
            parts.currency[one] != whole.currency[index]
            or abs(int(parts.day[one]) - day) > FARTHEST_DAYS
            or (parts.side.other[one] and whole.side.other[index])
        ):
            continue
        rest = by_amount.get(wanted - int(parts.amount[one]))
        if rest is not None:
            return (rest, one)
        by_amount.setdefault(int(parts.amount[one]), one)
    return ()
