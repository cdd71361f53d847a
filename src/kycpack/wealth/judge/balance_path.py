"""What a customer held at the end of each day, from running balances or from a balance that was asked for, less later flows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Codes

RUNNING, ASKED = "running balances", "a balance that the bank gave"


@dataclass(frozen=True, eq=False)
class BalancePath:
    """Money of one customer and currency by day.

    Args:
        days: Days with a booking, days since 1970-01-01, in order.
        held: Sum of what the accounts held at the end of each day, minor units; an overdrawn account holds nothing. None where
            the balance of an account is not known.
        basis: What it was followed from, in words; empty where it is not known.
    """

    days: Codes
    held: Codes | None
    basis: str


def balance_path(bookings: pd.DataFrame, balances: Iterable[dict[str, Any]]) -> BalancePath:
    """Return what one customer held in one currency.

    Args:
        bookings: Counted rows: account_id, day (days since 1970-01-01), amount (minor units), balance (after the row, minor units or None).
        balances: Rows of frame `balances` in this currency; of several of an account the last one counts.
    """
    days = np.unique(bookings["day"].to_numpy(dtype=np.int64))
    asked = {str(row["account_id"]): row for row in balances if not pd.isna(row.get("current_minor"))}
    held = np.zeros(len(days), dtype=np.int64)
    bases = set()
    for account, rows in bookings.groupby("account_id", sort=True):
        anchor = _running(rows) or _asked(asked.get(str(account)), int(days[-1]))
        if anchor is None:
            return BalancePath(days, None, "")
        day, balance, basis = anchor
        bases.add(basis)
        flow = np.zeros(len(days), dtype=np.int64)
        np.add.at(
            flow,
            np.searchsorted(days, rows["day"].to_numpy(dtype=np.int64)),
            rows["amount"].to_numpy(dtype=np.int64),
        )
        after = np.cumsum(flow)
        known = int(after[np.searchsorted(days, day, side="right") - 1]) if day >= days[0] else 0
        # A bank's overdraft is not the customer's money.
        held += np.maximum(balance - known + after, 0)
    return BalancePath(days, held, " and ".join(sorted(bases)))


def _running(rows: pd.DataFrame) -> tuple[int, int, str] | None:
    """Return a day and the balance at its end: the one that no row of the account starts from."""
    known = rows[rows["balance"].notna()]
    if known.empty:
        return None
    ends = [int(value) for value in known["balance"]]
    starts = [end - int(amount) for end, amount in zip(ends, known["amount"], strict=True)]
    left = list((Counter(ends) - Counter(starts)).elements())
    if len(known) == len(rows) and len(left) == 1:
        return int(rows["day"].max()), left[0], RUNNING
    alone = known[~known["day"].isin(rows.loc[rows["day"].duplicated(keep=False), "day"])]
    if alone.empty:
        return None
    place = int(alone["day"].to_numpy().argmax())
    return int(alone["day"].iloc[place]), int(alone["balance"].iloc[place]), RUNNING


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
