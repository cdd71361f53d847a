"""Credits that may be counted twice, or were taken back in part: named, and their sum said as a range."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.duplicates import Duplicates
from kycpack.wealth.prepare.intake import Book, Codes, pick


def with_possible_repeats(
    book: Book,
    rows: Codes,
    duplicates: Duplicates,
    partly: Codes,
    credits_: pd.DataFrame,
    streams: pd.DataFrame,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return credits and streams with what may be counted twice.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        duplicates: Rows that may repeat another one.
        partly: For each credit the row of the debit that took a part of it back, -1 where none did.
        credits_: Frame `credits`, in the order of `rows`.
        streams: Frame `streams`.

    Returns:
        `credits` with `may_repeat_txn_id`, the id of the credit that a credit may repeat; and `streams` with
        `least_total_minor`, the total without those and without what was taken back in part, minor units. Where the two totals differ the confidence is never high.
    """
    maybe = duplicates.maybe[rows]
    credits_ = credits_.assign(may_repeat_txn_id=pd.array(pick(book.txn_id, maybe, None), dtype="string"))
    less = np.where(maybe >= 0, book.amount[rows], np.where(partly >= 0, -book.amount[partly], 0))
    doubtful = pd.Series(less, index=credits_.index).groupby(credits_["stream_id"]).sum()
    twice = streams["stream_id"].map(doubtful).fillna(0).to_numpy(dtype=np.int64)
    unsure = (twice > 0) & (streams["confidence"] == "high").to_numpy(dtype=np.bool_)
    return credits_, streams.assign(
        least_total_minor=streams["total_minor"] - twice,
        confidence=streams["confidence"].mask(unsure, "medium"),
    )
