"""Money that comes back: a credit no larger than an earlier debit to the same party."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.intake import Book, Codes, Mask
from kycpack.wealth.lexicon import Lexicon
from kycpack.wealth.payers import Payers, party_keys


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
    order = np.lexsort((debits, book.day[debits], code))
    debits, code = debits[order], code[order]
    low = int(book.day.min()) - within_days
    span = int(book.day.max()) - low + 2
    moment = code * span + (book.day[debits] - low)
    wanted = _party(book, rows[candidates], payers.key[candidates], len(payers.keys))
    at = wanted * span + (book.day[rows[candidates]] - low)
    first = np.searchsorted(moment, at - within_days, side="left")
    last = np.searchsorted(moment, at, side="right")
    named = payers.keys[payers.key[candidates]] != ""
    for index in np.flatnonzero((last > first) & named):
        window = debits[first[index] : last[index]]
        fits = window[-book.amount[window] >= book.amount[rows[candidates[index]]]]
        if fits.size:
            latest = fits[book.day[fits] == book.day[fits].max()]
            refunded[candidates[index]] = min(latest, key=lambda row: (book.amount[row], book.txn_id[row]))
    return refunded


def _party(book: Book, rows: Codes, key: Codes, keys: int) -> Codes:
    return (book.customer.codes[rows] * len(book.currency.distinct) + book.currency.codes[rows]) * keys + key
