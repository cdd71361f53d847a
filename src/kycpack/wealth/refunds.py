"""Money that comes back: a credit no larger than an earlier debit to the same party."""

from __future__ import annotations

import numpy as np

from kycpack.wealth.intake import Book, Codes, Mask, pick
from kycpack.wealth.lexicon import Lexicon
from kycpack.wealth.payers import Payers, payer_texts
from kycpack.wealth.signals import either_name


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
    key = _keys_of_debits(book, debits, payers, lexicon)
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


def _keys_of_debits(book: Book, rows: Codes, payers: Payers, lexicon: Lexicon) -> Codes:
    """Return the payer's key that each debit's party has among those of the credits; -1 where it has none."""
    number = {key: index for index, key in enumerate(payers.keys)}
    names = either_name(book, rows)
    texts = book.columns["description_raw"].of_rows(rows)
    of_name = np.array([number.get(key, -1) for key in payer_texts(names.distinct, lexicon)], dtype=np.int64)
    of_text = np.array([number.get(key, -1) for key in payer_texts(texts.distinct, lexicon)], dtype=np.int64)
    by_name = pick(of_name, names.codes, -1)
    return np.where(by_name >= 0, by_name, pick(of_text, texts.codes, -1))
