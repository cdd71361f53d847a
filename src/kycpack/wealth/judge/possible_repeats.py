"""Credits that may be counted twice, or were taken back, all or in part: they are listed, and their sum is given as a range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kycpack.wealth.judge.coverage import DISPOSITIONS
from kycpack.wealth.judge.dispositions import Disposed
from kycpack.wealth.match.reversals import Reversals
from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.duplicates import Duplicates
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.streams.grouping import Grouping


@dataclass(frozen=True, eq=False)
class Repeats:
    """Credits that may be counted twice, or were taken back, all or in part; one element per credit.

    Args:
        of_credit: The row that it may duplicate; -1 if there is none.
        twice: Its amount if it may duplicate another one, minor units; otherwise 0.
        returned: The part of it, or all of it, that a later debit took back, minor units; 0 if it may duplicate another one.
        may_be_returned: The part of it, or all of it, that a later debit may have taken back, minor units; 0 if it may duplicate another one.
        in_stream: Whether it is part of a stream.
        group: Its group by payer; -1 if it is in none.
    """

    of_credit: Codes
    twice: Codes
    returned: Codes
    may_be_returned: Codes
    in_stream: Mask
    group: Codes

    def counted_twice(self, size: int) -> Codes:
        """Return how many credits of the streams may be counted twice, by group."""
        return np.bincount(self.group[self.in_stream & (self.of_credit >= 0)], minlength=size)

    def of_groups(self, minor: Codes, size: int) -> Codes:
        """Return the sums of one of the amounts over the streams, minor units by group.

        Args:
            minor: `twice`, `returned` or `may_be_returned`.
            size: Number of groups.
        """
        sums = np.zeros(size, dtype=np.int64)
        np.add.at(sums, self.group[self.in_stream], minor[self.in_stream])
        return sums


def possible_repeats(
    book: Book, rows: Codes, duplicates: Duplicates, back: Reversals, grouping: Grouping, disposed: Disposed
) -> Repeats:
    """Return the credits that may be counted twice, and the parts of credits that were or may have been taken back.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        duplicates: Rows that may duplicate another one.
        back: Credits that were taken back, all or in part.
        grouping: Groups by payer.
        disposed: Disposition of each credit.
    """
    maybe = duplicates.maybe[rows]
    less = np.where(maybe < 0, back.minor, 0)
    return Repeats(
        maybe,
        twice=np.where(maybe >= 0, book.amount[rows], 0),
        returned=np.where(back.supposed, 0, less),
        may_be_returned=np.where(back.supposed, less, 0),
        in_stream=disposed.disposition == DISPOSITIONS.index("stream"),
        group=grouping.group,
    )
