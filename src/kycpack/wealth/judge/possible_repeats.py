"""Credits that may be counted twice, or were partly taken back: they are listed, and their sum is given as a range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kycpack.wealth.judge.coverage import DISPOSITIONS
from kycpack.wealth.judge.dispositions import Disposed
from kycpack.wealth.prepare.coded import Codes
from kycpack.wealth.prepare.duplicates import Duplicates
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.streams.grouping import Grouping


@dataclass(frozen=True, eq=False)
class Repeats:
    """Credits that may be counted twice.

    Args:
        of_credit: For each credit, the row that it may duplicate; -1 if there is none.
        of_group: For each group, the minor units of its stream that may be counted twice or were partly taken back. If there are any, the
            confidence is never high.
        twice_of_group: The part of `of_group` that may be counted twice. If there is any, the confidence in the type is never high either.
    """

    of_credit: Codes
    of_group: Codes
    twice_of_group: Codes


def possible_repeats(
    book: Book, rows: Codes, duplicates: Duplicates, partly: Codes, grouping: Grouping, disposed: Disposed
) -> Repeats:
    """Return the credits that may be counted twice.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        duplicates: Rows that may duplicate another one.
        partly: For each credit, the row of the debit that took part of it back; -1 if there is none.
        grouping: Groups by payer.
        disposed: Disposition of each credit.
    """
    maybe = duplicates.maybe[rows]
    twice = np.where(maybe >= 0, book.amount[rows], 0)
    less = np.where(maybe >= 0, twice, np.where(partly >= 0, -book.amount[partly], 0))
    in_stream = disposed.disposition == DISPOSITIONS.index("stream")
    sums = np.zeros((2, len(grouping.groups)), dtype=np.int64)
    for sum_, part in zip(sums, (less, twice), strict=True):
        np.add.at(sum_, grouping.group[in_stream], part[in_stream])
    return Repeats(maybe, of_group=sums[0], twice_of_group=sums[1])
