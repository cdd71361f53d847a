"""Holes in the feed: periods in which an account has no transactions, and whether the feed is the reason.

If an otherwise busy account has none, or the running balance before the period does not match the one after it, the data is
incomplete. If the account is quiet and has no balances, both are possible. If the balances match, nothing happened.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.frames.rows import frame_of
from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.intake import Book, to_datetimes

HOLE, POSSIBLE = "hole", "possible"

_SHORTEST_DAYS = 28  # a month without any transaction
_FEWEST_USUAL = 8.0  # by chance, none of so many occurs once in 3,000 times
_FEWEST_POSSIBLE = 2.0
_FEWEST_ROWS = 6
_MOST, _CLEARLY_LONGER = 0.75, 1.5
_BALANCE = "balance_after_minor"


@dataclass(frozen=True, eq=False)
class FeedHoles:
    """Holes, one element per hole.

    Args:
        account: Index into the accounts of the book.
        start: Day of the last transaction before it, days since 1970-01-01.
        end: Day of the first transaction after it.
        sure: Whether it is certain; otherwise it is possible.
        frame: The same as a frame: customer_id, account_id, from_on, to_on, days, usual_count, verdict, reason.
    """

    account: Codes
    start: Codes
    end: Codes
    sure: Mask
    frame: pd.DataFrame


def find_feed_holes(book: Book, transactions: pd.DataFrame, counted: Mask, breaks: pd.DataFrame) -> FeedHoles:
    """Return the holes in the feed of each account.

    Args:
        book: The transactions as read by `take_in`.
        transactions: The same rows as given, for `balance_after_minor`.
        counted: Which rows are booked and count.
        breaks: From `balance_breaks`.
    """
    rows = np.flatnonzero(counted)
    rows = rows[np.lexsort((book.day[rows], book.account[rows]))]
    account, day = book.account[rows], book.day[rows]
    size = len(book.account_ids)
    count = np.bincount(account, minlength=size)
    first, last = np.full(size, np.iinfo(np.int64).max), np.full(size, np.iinfo(np.int64).min)
    np.minimum.at(first, account, day)
    np.maximum.at(last, account, day)
    gap = np.diff(day)
    same = account[1:] == account[:-1]
    long = same & (gap >= _SHORTEST_DAYS) & (count[account[1:]] >= _FEWEST_ROWS)
    at = np.flatnonzero(long)
    of, start, end = account[at], day[at], day[at + 1]
    busy_days = np.maximum(last[of] - first[of] + 1 - (end - start), 1)
    usual = count[of] / busy_days * (end - start)
    broken = _breaks_at_end(book, breaks, of, end)
    known = _balance_known(transactions, rows)
    # An account that moves once a month is silent between its days, and balances that join show that nothing happened.
    apart = same & (gap > 0)
    usual_gap = pd.Series(gap[apart]).groupby(account[1:][apart]).quantile(_MOST)
    unusual = gap[at] > _CLEARLY_LONGER * usual_gap.reindex(of).to_numpy()
    unusual &= ~(known[at] & known[at + 1])
    sure = broken | ((usual >= _FEWEST_USUAL) & unusual)
    listed = np.flatnonzero(sure | ((usual >= _FEWEST_POSSIBLE) & unusual))
    of, start, end, sure = of[listed], start[listed], end[listed], sure[listed]
    frame = frame_of(
        {
            "customer_id": book.customer.distinct[book.account_customer[of]],
            "account_id": book.account_ids[of],
            "from_on": to_datetimes(start),
            "to_on": to_datetimes(end),
            "days": (end - start).astype(np.int64),
            "usual_count": np.rint(usual[listed]).astype(np.int64),
            "verdict": np.where(sure, HOLE, POSSIBLE).astype(object),
            "reason": np.select(
                [broken[listed], sure],
                ["the balances before and after do not join", "no transaction of any kind on a busy account"],
                "no transaction of any kind, and no balances that show whether something is missing",
            ).astype(object),
        }
    )
    return FeedHoles(of, start, end, sure, frame)


def _breaks_at_end(book: Book, breaks: pd.DataFrame, account: Codes, end: Codes) -> Mask:
    """Return which periods end on a day on which the running balance of the account breaks."""
    if breaks.empty or not len(account):
        return np.zeros(len(account), dtype=np.bool_)
    broken = set(
        zip(
            breaks["customer_id"].astype(str),
            breaks["account_id"].astype(str),
            breaks["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64).tolist(),
            strict=True,
        )
    )
    owners = book.customer.distinct[book.account_customer[account]]
    keys = zip(owners, book.account_ids[account], end.tolist(), strict=True)
    return np.array([(str(owner), str(one), day) in broken for owner, one, day in keys], dtype=np.bool_)


def _balance_known(transactions: pd.DataFrame, rows: Codes) -> npt.NDArray[np.bool_]:
    if _BALANCE not in transactions:
        return np.zeros(len(rows), dtype=np.bool_)
    return np.asarray(transactions[_BALANCE].notna().to_numpy()[rows], dtype=np.bool_)
