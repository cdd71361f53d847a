"""Money in and out of a customer's accounts, without own transfers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.frames.rows import frame_of
from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of
from kycpack.wealth.prepare.intake import Book, to_datetimes


def flows_of(book: Book, counted: Mask, own: Codes) -> pd.DataFrame:
    """Return money in and out by customer and currency.

    Args:
        book: Transactions.
        counted: Rows that are booked, are counted, and do not duplicate another one.
        own: Rows, credits and debits, that are own transfers.

    Returns:
        customer_id, currency, in_minor, out_minor, first_on, last_on: credits and debits in minor units, both as positive numbers, without own transfers; and the days of the first and
        the last transaction of any kind.
    """
    rows = np.flatnonzero(counted)
    owner, width = book.owners(rows), max(len(book.currency.distinct), 1)
    size = len(book.customer.distinct) * width
    is_own = np.zeros(len(book), dtype=np.bool_)
    is_own[own] = True
    amount = np.where(is_own[rows], 0, book.amount[rows])
    into, out = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    np.add.at(into, owner, np.maximum(amount, 0))
    np.add.at(out, owner, np.maximum(-amount, 0))
    first, last = bounds_of(owner, book.day[rows], size)
    distinct = np.flatnonzero(np.bincount(owner, minlength=size))
    return frame_of(
        {
            "customer_id": book.customer.distinct[distinct // width],
            "currency": book.currency.distinct[distinct % width],
            "in_minor": into[distinct],
            "out_minor": out[distinct],
            "first_on": to_datetimes(first[distinct]),
            "last_on": to_datetimes(last[distinct]),
        }
    )
