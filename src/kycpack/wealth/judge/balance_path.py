"""What a customer held at the end of each day, from running balances or from a balance that was requested, adjusted for later flows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.prepare.coded import Codes

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


def balance_path(
    account_ids: Objects, day: Codes, amount: Codes, after: Objects, balances: Iterable[dict[str, Any]]
) -> BalancePath:
    """Return what one customer held in one currency.

    Args:
        account_ids: The account of each counted transaction.
        day: Its booking day, in days since 1970-01-01.
        amount: Its amount in minor units.
        after: Balance after it, in minor units; missing where it is not known.
        balances: Rows of frame `balances` in this currency; if an account has several, the last one counts.
    """
    days = np.unique(day)
    asked = {str(row["account_id"]): row for row in balances if not pd.isna(row.get("current_minor"))}
    held = np.zeros(len(days), dtype=np.int64)
    bases = set()
    for account in sorted(set(account_ids.tolist())):
        mine = np.flatnonzero(account_ids == account)
        anchor = _running(day[mine].tolist(), amount[mine].tolist(), after[mine]) or _asked(
            asked.get(str(account)), int(days[-1])
        )
        if anchor is None:
            return BalancePath(days, None, "")
        known_on, balance, basis = anchor
        bases.add(basis)
        flow = np.zeros(len(days), dtype=np.int64)
        np.add.at(flow, np.searchsorted(days, day[mine]), amount[mine])
        moved = np.cumsum(flow)
        known = int(moved[np.searchsorted(days, known_on, side="right") - 1]) if known_on >= days[0] else 0
        # A bank's overdraft is not the customer's money.
        held += np.maximum(balance - known + moved, 0)
    return BalancePath(days, held, " and ".join(sorted(bases)))


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
