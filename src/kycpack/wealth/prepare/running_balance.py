"""Checks each account's running balance from row to row.

A row takes the balance from its opening value to its closing value. In a complete history, in whatever order, every opening
balance but the first is the closing balance of another row. Any other is a break: rows are missing, repeated or wrong there.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, Mask, joint_code
from kycpack.wealth.prepare.intake import Book, whole_minor

_COLUMN = "balance_after_minor"
_REASON = (
    "no other row ends at the balance that this one starts from: rows before it are missing, doubled or wrong"
)


def balance_breaks(book: Book, transactions: pd.DataFrame, counted: Mask) -> pd.DataFrame:
    """Return the rows at which the running balance breaks.

    Args:
        book: The transactions as read by `take_in`.
        transactions: The same rows as given; without `balance_after_minor` there is nothing to compare.
        counted: Which rows count.

    Returns:
        One row per break: customer_id, account_id, txn_id, booked_on, currency, opens_minor, reason; `opens_minor` is the balance before the row, minor units.

    Raises:
        FrameError: A balance is not a whole number of minor units; `place` names column and row.
    """
    if _COLUMN not in transactions:
        return _frame(book, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    given = transactions[_COLUMN].notna().to_numpy()
    rows = np.flatnonzero(counted & given)
    ends = whole_minor(_without_holes(transactions[_COLUMN]))[rows]
    starts = ends - book.amount[rows]
    holder = book.holdings(rows)
    step = joint_code(np.concatenate([holder, holder]), np.concatenate([starts, ends]))
    begins, arrives = step[: len(rows)], step[len(rows) :]
    surplus = np.bincount(begins, minlength=len(step)) - np.bincount(arrives, minlength=len(step))
    # Nearly every opening balance is another row's closing balance; only the others are examined in order.
    open_ = np.flatnonzero(surplus[begins] > 0)
    in_order = open_[np.lexsort((rows[open_], book.day[rows[open_]], holder[open_]))]
    loose = in_order[_number_of_its_kind(begins[in_order]) < surplus[begins[in_order]]]
    breaks = loose[1:][holder[loose[1:]] == holder[loose[:-1]]]
    return _frame(book, rows[breaks], starts[breaks])


def _number_of_its_kind(kind: Codes) -> Codes:
    """Return how many of the same kind come before each."""
    by_kind = np.argsort(kind, kind="stable")
    first = np.searchsorted(kind[by_kind], kind[by_kind], side="left")
    number = np.empty(len(kind), dtype=np.int64)
    number[by_kind] = np.arange(len(kind)) - first
    return number


def _without_holes(column: pd.Series) -> pd.Series:
    filled = column if pd.api.types.is_numeric_dtype(column.dtype) else column.astype(object)
    return filled.where(filled.notna(), 0)


def _frame(book: Book, rows: Codes, opens: Codes) -> pd.DataFrame:
    account = book.account[rows]
    return pd.DataFrame(
        {
            "customer_id": book.customer.distinct[book.account_customer[account]],
            "account_id": book.account_ids[account],
            "txn_id": book.txn_id[rows],
            "booked_on": book.day[rows].astype("datetime64[D]").astype("datetime64[us]"),
            "currency": book.currency.distinct[book.currency.codes[rows]],
            "opens_minor": opens,
            "reason": pd.array([_REASON] * len(rows), dtype="str"),
        },
        copy=False,
    )
