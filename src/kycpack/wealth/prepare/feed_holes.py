"""Holes in the feed: periods in which transactions of an account are missing.

If the running balance before a period, however short, does not match the one after it, or an otherwise busy account has no
transaction for a month, the data is incomplete. If the account is quiet and has no balances, both are possible. If the balances match,
nothing happened.

A row takes the balance from its opening value to its closing value. In a complete history, in whatever order, every opening
balance but the first is the closing balance of another row. Any other is a break: rows are missing, repeated or wrong there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.frames.rows import frame_of
from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of, joint_code, ordinals, sorted_by
from kycpack.wealth.prepare.intake import Book, to_datetimes

HOLE, POSSIBLE = "hole", "possible"

MONTH_DAYS = 28
"""From so many days on, a time without any transaction may be a hole by itself."""
_FEWEST_USUAL = 8.0  # by chance, none of so many occurs once in 3,000 times
_FEWEST_POSSIBLE = 2.0
_FEWEST_ROWS = 6
_MOST, _CLEARLY_LONGER = 0.75, 1.5
_REASON = (
    "no other row ends at the balance that this one starts from: rows before it are missing, doubled or wrong"
)


@dataclass(frozen=True, eq=False)
class Silences:
    """Times of a month or longer without any transaction of an account in which payments may be missing, whatever the balances show.

    Args:
        account: Index into the accounts of the book.
        start: Day of the last transaction before it, or the first day of the customer's data, days since 1970-01-01.
        end: Day of the first transaction after it, or the last day of the customer's data.
    """

    account: Codes
    start: Codes
    end: Codes


@dataclass(frozen=True, eq=False)
class FeedHoles:
    """Holes, one element per hole.

    Args:
        account: Index into the accounts of the book.
        start: Day of the last transaction before it, days since 1970-01-01.
        end: Day of the first transaction after it.
        sure: Whether it is certain; otherwise it is possible.
        broken: Whether balances show it; then rows may be missing on its first and last day as well.
        frame: The same as a frame: customer_id, account_id, from_on, to_on, days, usual_count, verdict, reason.
        quiet: The silent times of busy accounts that are no holes because the balances before and after join, as a frame: customer_id, account_id,
            from_on, to_on, days, usual_count.
        silences: The long holes that are certain, the quiet times, and the time before the first and after the last transaction of a busy account.
    """

    account: Codes
    start: Codes
    end: Codes
    sure: Mask
    broken: Mask
    frame: pd.DataFrame
    quiet: pd.DataFrame
    silences: Silences


def balance_breaks(book: Book, counted: Mask) -> pd.DataFrame:
    """Return the rows at which the running balance breaks.

    Args:
        book: The transactions; without balances there is nothing to compare.
        counted: Which rows count.

    Returns:
        One row per break: customer_id, account_id, txn_id, booked_on, currency, opens_minor, reason; `opens_minor` is the balance before the row, minor units.
    """
    rows = np.flatnonzero(counted & book.balance_known)
    ends = book.balance[rows]
    starts = ends - book.amount[rows]
    holder = book.holdings(rows)
    step = joint_code(np.concatenate([holder, holder]), np.concatenate([starts, ends]))
    begins, arrives = step[: len(rows)], step[len(rows) :]
    surplus = np.bincount(begins, minlength=len(step)) - np.bincount(arrives, minlength=len(step))
    # Nearly every opening balance is another row's closing balance; only the others are examined in order.
    open_ = np.flatnonzero(surplus[begins] > 0)
    in_order = open_[sorted_by(holder[open_], book.day[rows[open_]], book.place[rows[open_]])]
    loose = in_order[ordinals(begins[in_order]) < surplus[begins[in_order]]]
    breaks = loose[1:][holder[loose[1:]] == holder[loose[:-1]]]
    broken, account = rows[breaks], book.account[rows[breaks]]
    return frame_of(
        {
            "customer_id": book.customer.distinct[book.account_customer[account]],
            "account_id": book.account_ids[account],
            "txn_id": book.txn_id[broken],
            "booked_on": to_datetimes(book.day[broken]),
            "currency": book.currency.distinct[book.currency.codes[broken]],
            "opens_minor": starts[breaks],
            "reason": [_REASON] * len(broken),
        }
    )


def find_feed_holes(book: Book, counted: Mask, breaks: pd.DataFrame) -> FeedHoles:
    """Return the holes in the feed of each account.

    Args:
        book: The transactions.
        counted: Which rows are booked and count.
        breaks: From `balance_breaks`.
    """
    rows = np.flatnonzero(counted)
    rows = rows[sorted_by(book.account[rows], book.day[rows])]
    account, day = book.account[rows], book.day[rows]
    size = len(book.account_ids)
    count = np.bincount(account, minlength=size)
    first, last = bounds_of(account, day, size)
    gap = np.diff(day)
    same = account[1:] == account[:-1]
    known = book.balance_known[rows]
    torn = _torn(book, rows, known, breaks)
    at = np.flatnonzero(same & (gap >= MONTH_DAYS) & (count[account[1:]] >= _FEWEST_ROWS))
    at = at[[place not in torn for place in zip(account[at].tolist(), day[at + 1].tolist(), strict=True)]]
    of = np.array([one for one, _ in torn] + account[at].tolist(), dtype=np.int64)
    start = np.array([*torn.values(), *day[at].tolist()], dtype=np.int64)
    end = np.array([until for _, until in torn] + day[at + 1].tolist(), dtype=np.int64)
    broken = np.arange(len(of)) < len(torn)
    busy_days = np.maximum(last[of] - first[of] + 1 - (end - start), 1)
    usual = count[of] / busy_days * (end - start)
    # An account that moves once a month is silent between its days, and balances that join show that nothing happened.
    apart = same & (gap > 0)
    usual_gap = _usual_gaps(account[1:][apart], gap[apart], size)
    unusual = np.zeros(len(of), dtype=np.bool_)
    unusual[len(torn) :] = gap[at] > _CLEARLY_LONGER * usual_gap[account[at]]
    joined = np.zeros(len(of), dtype=np.bool_)
    joined[len(torn) :] = known[at] & known[at + 1]
    quiet = np.flatnonzero(unusual & joined & (usual >= _FEWEST_USUAL))
    unusual &= ~joined
    sure = broken | ((usual >= _FEWEST_USUAL) & unusual)
    listed = np.flatnonzero(sure | ((usual >= _FEWEST_POSSIBLE) & unusual))
    listed = listed[sorted_by(of[listed], end[listed])]
    quiet = quiet[sorted_by(of[quiet], end[quiet])]
    quiet_frame = frame_of(_times(book, of[quiet], start[quiet], end[quiet], usual[quiet]))
    long_ = np.r_[listed[sure[listed] & (end[listed] - start[listed] >= MONTH_DAYS)], quiet]
    edges = _edges(book, count, first, last, usual_gap)
    silences = Silences(*(np.r_[one[long_], edge] for one, edge in zip((of, start, end), edges, strict=True)))
    usual = usual[listed]
    of, start, end, sure, broken = of[listed], start[listed], end[listed], sure[listed], broken[listed]
    frame = frame_of(
        _times(book, of, start, end, usual)
        | {
            "verdict": np.where(sure, HOLE, POSSIBLE).astype(object),
            "reason": np.select(
                [broken, sure],
                ["the balances before and after do not join", "no transaction of any kind on a busy account"],
                "no transaction of any kind, and no balances that show whether something is missing",
            ).astype(object),
        }
    )
    return FeedHoles(of, start, end, sure, broken, frame, quiet_frame, silences)


def _times(
    book: Book, of: Codes, start: Codes, end: Codes, usual: npt.NDArray[np.float64]
) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of times of accounts in which so many transactions are usual."""
    return {
        "customer_id": book.customer.distinct[book.account_customer[of]],
        "account_id": book.account_ids[of],
        "from_on": to_datetimes(start),
        "to_on": to_datetimes(end),
        "days": (end - start).astype(np.int64),
        "usual_count": np.rint(usual).astype(np.int64),
    }


def _usual_gaps(account: Codes, gap: Codes, size: int) -> npt.NDArray[np.float64]:
    """Return the gap that `_MOST` of an account's gaps do not exceed, between two of them in proportion; NaN for an account without any."""
    in_order = np.append(gap[sorted_by(account, gap)], 0)
    count = np.bincount(account, minlength=size)
    share, whole = np.modf(_MOST * (count - 1))
    at = np.where(count, np.cumsum(count) - count + whole.astype(np.int64), -1)
    below, above = in_order[at], in_order[np.where(share > 0, at + 1, at)]
    return np.where(count, below + (above - below) * share, np.nan)


def _edges(
    book: Book, count: Codes, first: Codes, last: Codes, usual_gap: npt.NDArray[np.float64]
) -> tuple[Codes, Codes, Codes]:
    """Return the times before and after the data of busy accounts, within the data of their customers: account, first day, last day."""
    some = np.flatnonzero(count >= _FEWEST_ROWS)
    customers = len(book.customer.distinct)
    begin, _ = bounds_of(book.account_customer[count > 0], first[count > 0], customers)
    _, final = bounds_of(book.account_customer[count > 0], last[count > 0], customers)
    of = np.r_[some, some]
    owner = book.account_customer[some]
    start, end = np.r_[begin[owner], last[some]], np.r_[first[some], final[owner]]
    usual = count[of] / (last[of] - first[of] + 1) * (end - start)
    unusual = end - start > _CLEARLY_LONGER * usual_gap[of]
    chosen = (end - start >= MONTH_DAYS) & (usual >= _FEWEST_USUAL) & unusual
    return of[chosen], start[chosen], end[chosen]


def _torn(book: Book, rows: Codes, known: Mask, breaks: pd.DataFrame) -> dict[tuple[int, int], int]:
    """Return the first day of each period whose balances do not join, by account and last day.

    Args:
        book: The transactions.
        rows: Those that count, by account and day.
        known: Which of them have a balance; where one has none, nothing shows whether the balances around it join.
        breaks: From `balance_breaks`.
    """
    if breaks.empty:
        return {}
    without, rows = rows[~known], rows[known]
    silent_day = pd.Series(book.day[without]).groupby(book.account[without]).agg(list).to_dict()
    holder = book.holdings(rows)
    order = sorted_by(holder, book.day[rows], book.place[rows])
    rows, holder = rows[order], holder[order]
    day, amount = book.day[rows], book.amount[rows]
    balance = book.balance[rows]
    begins = np.flatnonzero(np.r_[True, (np.diff(holder) != 0) | (np.diff(day) != 0)])
    moved = np.add.reduceat(amount, begins)
    ends = _last_of_days(begins, balance, amount)
    at = np.flatnonzero(np.diff(holder[begins], prepend=-1) == 0)
    # A bank that gives only the balance at the end of the day breaks within days, and joins from day to day.
    at = at[balance[ends[at - 1]] + moved[at] != balance[ends[at]]]
    broken = set(
        zip(
            breaks["customer_id"].astype(str),
            breaks["account_id"].astype(str),
            breaks["currency"].astype(str),
            breaks["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64).tolist(),
            strict=True,
        )
    )
    found: dict[tuple[int, int], int] = {}
    account = book.account[rows[begins]]
    owner = book.customer.distinct[book.account_customer[account]]
    code = book.currency.distinct[book.currency.codes[rows[begins]]]
    for place in at.tolist():
        one, until, start = int(account[place]), int(day[begins[place]]), int(day[begins[place - 1]])
        silent = silent_day.get(one, [])
        if bisect_left(silent, start) < bisect_right(silent, until):
            continue
        if (str(owner[place]), str(book.account_ids[one]), str(code[place]), until) in broken:
            found.setdefault((one, until), start)
    return found


def _last_of_days(begins: Codes, balance: Codes, amount: Codes) -> Codes:
    """Return the last row of each day: one whose balance no other row of the day starts from.

    Args:
        begins: First row of each day.
        balance: Balance after each row, minor units.
        amount: Amount of each row, minor units.
    """
    size = len(balance)
    of_day = np.zeros(size, dtype=np.int64)
    of_day[begins] = 1
    of_day = np.cumsum(of_day)
    step = joint_code(np.concatenate([of_day, of_day]), np.concatenate([balance, balance - amount]))
    surplus = np.bincount(step[:size], minlength=len(step)) - np.bincount(step[size:], minlength=len(step))
    last = np.maximum.reduceat(np.where(surplus[step[:size]] > 0, np.arange(size), -1), begins)
    return np.where(last >= 0, last, np.r_[begins[1:], size] - 1)
