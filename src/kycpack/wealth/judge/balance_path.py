"""What a customer held at the end of each day, from running balances or from a balance that was requested, adjusted for later flows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, distinct_of

Objects = npt.NDArray[np.object_]

RUNNING, ASKED = "running balances", "a balance that the bank gave"


@dataclass(frozen=True, eq=False)
class BalancePath:
    """One customer's money in one currency, by day.

    Args:
        days: Days with a booking, in days since 1970-01-01, in order.
        held: Sum of the accounts' balances at the end of each day, in minor units; an overdrawn account counts as 0. None if
            the balance of an account is not known.
        basis: Which balances it was worked out from, in words; empty if it is not known.
    """

    days: Codes
    held: Codes | None
    basis: str

    def less(self, minor: int) -> BalancePath:
        """Return the same path with less money at the end of the last day, minor units."""
        if self.held is None:
            return self
        return replace(self, held=np.append(self.held[:-1], max(int(self.held[-1]) - minor, 0)))


def balance_path(
    account_ids: Objects, day: Codes, amount: Codes, after: Objects, balances: Iterable[dict[str, Any]]
) -> BalancePath:
    """Return what one customer held in one currency.

    Args:
        account_ids: The account of each counted transaction.
        day: Its booking day, in days since 1970-01-01.
        amount: Its amount in minor units.
        after: Balance after it, in minor units; missing where it is not known.
        balances: Rows of frame `balances` in this currency; if an account has several, the last one counts. One from the last day, or
            later, that is lower than the running balances shows that money left: no more than it is held on the last day.
    """
    days = distinct_of(day)
    last = int(days[-1])
    asked = {str(row["account_id"]): row for row in balances if not pd.isna(row.get("current_minor"))}
    held = np.zeros(len(days), dtype=np.int64)
    bases = set()
    for account in sorted(set(account_ids.tolist())):
        mine = np.flatnonzero(account_ids == account)
        row = asked.get(str(account))
        opened = _opened(day[mine], amount[mine], after[mine], row, last)
        if opened is None:
            return BalancePath(days, None, "")
        opening, basis = opened
        bases.add(basis)
        flow = np.zeros(len(days), dtype=np.int64)
        np.add.at(flow, np.searchsorted(days, day[mine]), amount[mine])
        # A bank's overdraft is not the customer's money.
        mine_held = np.maximum(opening + np.cumsum(flow), 0)
        given = _asked(row, last)
        if given is not None and given[0] >= last and given[1] < mine_held[-1]:
            mine_held[-1] = max(given[1], 0)
            bases.add(ASKED)
        held += mine_held
    return BalancePath(days, held, " and ".join(sorted(bases)))


def opening_balance(
    day: Codes, amount: Codes, after: Objects, balances: Sequence[dict[str, Any]]
) -> int | None:
    """Return what was in an account before its first transaction, in minor units; None if that is not known.

    Args:
        day: Booking day of each of its transactions, at least one, in days since 1970-01-01.
        amount: Its amount in minor units.
        after: Balance after it, in minor units; missing where it is not known.
        balances: The account's rows of frame `balances`; the last one counts.
    """
    asked = next((row for row in reversed(balances) if not pd.isna(row.get("current_minor"))), None)
    opened = _opened(day, amount, after, asked, int(day.max()))
    return None if opened is None else opened[0]


def _opened(
    day: Codes, amount: Codes, after: Objects, asked: dict[str, Any] | None, last_day: int
) -> tuple[int, str] | None:
    """Return what was in an account before its first transaction, and the basis of that in words."""
    anchor = _running(day.tolist(), amount.tolist(), after) or _asked(asked, last_day)
    if anchor is None:
        return None
    known_on, balance, basis = anchor
    return balance - int(amount[day <= known_on].sum()), basis


def _running(days: list[int], amounts: list[int], after: Objects) -> tuple[int, int, str] | None:
    """Return a day and the balance at its end: the balance that no other row of the account starts from."""
    known = np.flatnonzero(~pd.isna(after)).tolist()
    if not known:
        return None
    ends = [int(after[place]) for place in known]
    starts = [end - amounts[place] for end, place in zip(ends, known, strict=True)]
    left = list((Counter(ends) - Counter(starts)).elements())
    if len(known) == len(days) and len(left) == 1:
        return max(days), left[0], RUNNING
    on_day = Counter(days)
    alone = [(days[place], end) for place, end in zip(known, ends, strict=True) if on_day[days[place]] == 1]
    return (*max(alone), RUNNING) if alone else None


def _asked(row: dict[str, Any] | None, last_day: int) -> tuple[int, int, str] | None:
    if row is None:
        return None
    at = row.get("balance_at")
    day = (
        last_day
        if at is None or pd.isna(at)
        else int(pd.Timestamp(at).tz_localize(None).to_datetime64().astype("datetime64[D]").astype(np.int64))
    )
    return day, int(row["current_minor"]), ASKED
