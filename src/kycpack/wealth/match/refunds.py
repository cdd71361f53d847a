"""Money that comes back: a credit no larger than what is left of an earlier debit to the same party."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.intake import Book, Codes, Mask
from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.payers import Payers, party_keys


def match_refunds(
    book: Book,
    rows: Codes,
    candidates: Codes,
    spent: Mask,
    payers: Payers,
    lexicon: Lexicon,
    within_days: int,
) -> Codes:
    """Return the debit that each credit pays back.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        candidates: Credits, as indexes into `rows`, that nothing else explains.
        spent: Rows of the book that are debits and count.
        payers: Who paid the credits.
        lexicon: Words that do not name a party.
        within_days: How long before.

    Returns:
        For each credit a row of the book, the latest of those that fit, or -1.
    """
    refunded = np.full(len(rows), -1, dtype=np.int64)
    if not candidates.size:
        return refunded
    customers = np.zeros(len(book.customer.distinct), dtype=np.bool_)
    customers[book.customer.codes[rows[candidates]]] = True
    debits = np.flatnonzero(spent & customers[book.customer.codes])
    number = {text: index for index, text in enumerate(payers.keys)}
    party, texts = pd.factorize(party_keys(book, debits, lexicon))
    key = np.array([number.get(text, -1) for text in texts], dtype=np.int64)[party]
    debits, key = debits[key >= 0], key[key >= 0]
    code = _party(book, debits, key, len(payers.keys))
    rank = pd.factorize(book.txn_id[debits], sort=True)[0]
    order = np.lexsort((rank, book.account[debits], book.amount[debits], book.day[debits], code))
    debits, code = debits[order], code[order]
    low = int(book.day.min()) - within_days
    span = int(book.day.max()) - low + 2
    moment = code * span + (book.day[debits] - low)
    wanted = _party(book, rows[candidates], payers.key[candidates], len(payers.keys))
    at = wanted * span + (book.day[rows[candidates]] - low)
    first = np.searchsorted(moment, at - within_days, side="left")
    last = np.searchsorted(moment, at, side="right")
    pool = _Spent(-book.amount[debits], int(book.amount[rows[candidates]].min()))
    named = payers.keys[payers.key[candidates]] != ""
    for index in np.flatnonzero((last > first) & named):
        taken = pool.take(int(first[index]), int(last[index]), int(book.amount[rows[candidates[index]]]))
        if taken >= 0:
            refunded[candidates[index]] = debits[taken]
    return refunded


class _Spent:
    """What is left of debits to be paid back.

    Args:
        amounts: Minor units of each debit.
        smallest: Smallest amount that is asked for; a debit with less left is passed over.
    """

    def __init__(self, amounts: Codes, smallest: int) -> None:
        self._left = amounts.tolist()
        self._smallest = smallest
        self._before = list(range(len(self._left) + 1))

    def take(self, first: int, last: int, amount: int) -> int:
        """Return the last debit of a range that has an amount left, and take it from that; -1 where none has."""
        at = self._open(last)
        while at > first:
            if self._left[at - 1] >= amount:
                self._left[at - 1] -= amount
                if self._left[at - 1] < self._smallest:
                    self._before[at] = at - 1
                return at - 1
            at = self._open(at - 1)
        return -1

    def _open(self, at: int) -> int:
        while self._before[at] != at:
            self._before[at] = self._before[self._before[at]]
            at = self._before[at]
        return at


def _party(book: Book, rows: Codes, key: Codes, keys: int) -> Codes:
    return (book.customer.codes[rows] * len(book.currency.distinct) + book.currency.codes[rows]) * keys + key
