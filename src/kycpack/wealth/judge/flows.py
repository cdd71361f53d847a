"""Money in and out of a customer's accounts, without own transfers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.frames.rows import frame_of
from kycpack.wealth.prepare.coded import Codes, Mask
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
    owner = book.customer.codes[rows] * max(len(book.currency.distinct), 1) + book.currency.codes[rows]
    distinct, where = np.unique(owner, return_inverse=True)
    is_own = np.zeros(len(book), dtype=np.bool_)
    is_own[own] = True
    amount = np.where(is_own[rows], 0, book.amount[rows])
    into, out = np.zeros(len(distinct), dtype=np.int64), np.zeros(len(distinct), dtype=np.int64)
    np.add.at(into, where, np.maximum(amount, 0))
    np.add.at(out, where, np.maximum(-amount, 0))
    first = np.full(len(distinct), np.iinfo(np.int64).max)
    last = np.full(len(distinct), np.iinfo(np.int64).min)
    np.minimum.at(first, where, book.day[rows])
    np.maximum.at(last, where, book.day[rows])
    width = max(len(book.currency.distinct), 1)
    return frame_of(
        {
            "customer_id": book.customer.distinct[distinct // width],
            "currency": book.currency.distinct[distinct % width],
            "in_minor": into,
            "out_minor": out,
            "first_on": to_datetimes(first),
            "last_on": to_datetimes(last),
        }
    )
