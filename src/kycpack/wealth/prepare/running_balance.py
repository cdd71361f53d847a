"""Does each account's running balance go on from row to row?

A row takes the balance from what it was before to what it is after. Whatever the order of the rows, in a complete history
every balance that a row starts from is one that another row ended at, but for the first; each further one is a break: rows
are missing, doubled or wrong there.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.intake import Book, Codes, Mask, whole_minor

BREAK_COLUMNS = ("customer_id", "account_id", "txn_id", "booked_on", "currency", "opens_minor", "reason")
_COLUMN = "balance_after_minor"
_REASON = (
    "no other row ends at the balance that this one starts from: rows before it are missing, doubled or wrong"
)


def balance_breaks(book: Book, transactions: pd.DataFrame, counted: Mask) -> pd.DataFrame:
    """Return the rows at which a running balance does not go on.

    Args:
        book: The transactions as they were taken in.
        transactions: The same rows as they were given; without `balance_after_minor` there is nothing to compare.
        counted: Which rows count.

    Returns:
        A row a break, with `BREAK_COLUMNS`; `opens_minor` is the balance before the row, minor units.

    Raises:
        FrameError: A balance is not a whole number of minor units; `place` names column and row.
    """
    if _COLUMN not in transactions:
        return _frame(book, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    given = transactions[_COLUMN].notna().to_numpy()
    rows = np.flatnonzero(counted & given)
    ends = whole_minor(_without_holes(transactions[_COLUMN]))[rows]
    starts = ends - book.amount[rows]
    holder = book.account[rows] * len(book.currency.distinct) + book.currency.codes[rows]
    steps = pd.DataFrame(
        {"holder": holder, "balance": starts, "day": book.day[rows], "row": rows, "opens": starts}
    )
    keys = ["holder", "balance"]
    sides = pd.concat([steps.assign(side=1), steps.assign(balance=ends, side=-1)])
    surplus = sides.groupby(keys)["side"].sum().reset_index()
    steps = steps.merge(surplus[surplus["side"] > 0], on=keys).sort_values(["holder", "day", "row"])
    loose = steps[steps.groupby(keys).cumcount() < steps["side"]]
    breaks = loose[loose["holder"].duplicated()]
    return _frame(book, breaks["row"].to_numpy(), breaks["opens"].to_numpy())


def _without_holes(column: pd.Series) -> pd.Series:
    filled = column if pd.api.types.is_numeric_dtype(column.dtype) else column.astype(object)
    return filled.where(filled.notna(), 0)


def _frame(book: Book, rows: Codes, opens: Codes) -> pd.DataFrame:
    account = book.account[rows]
    made = pd.DataFrame(
        {
            "customer_id": book.customer.distinct[book.account_customer[account]],
            "account_id": book.account_ids[account],
            "txn_id": book.txn_id[rows],
            "booked_on": pd.to_datetime(book.day[rows], unit="D"),
            "currency": book.currency.distinct[book.currency.codes[rows]],
            "opens_minor": opens,
            "reason": _REASON,
        }
    )
    return made[list(BREAK_COLUMNS)]
