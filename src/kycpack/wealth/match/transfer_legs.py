"""The rows that may be sides of own transfers, and the pairs among them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from kycpack.wealth.match.own_transfers import (
    FEWEST_ELSEWHERE,
    OWN_TRANSFERS,
    Legs,
    Pairs,
    match_own_transfers,
)
from kycpack.wealth.match.paper import read_paper
from kycpack.wealth.match.possible_transfers import match_possible_transfers
from kycpack.wealth.match.sides import Debits, Sides
from kycpack.wealth.prepare.coded import Codes, distinct_of
from kycpack.wealth.prepare.duplicates import Duplicates
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.payers import Payers
from kycpack.wealth.prepare.signals import Signals


def find_own_transfers(
    book: Book,
    duplicates: Duplicates,
    rows: Codes,
    said: Signals,
    payers: Payers,
    sides: Sides,
    debits: Debits,
) -> Pairs:
    """Return the pairs of a credit and a debit between accounts of one customer, as in `match_own_transfers`.

    Args:
        book: Transactions.
        duplicates: Rows that repeat another one, and accounts that are one.
        rows: Rows of the credits.
        said: What the codes and words of all rows of the book show.
        payers: Who paid them.
        sides: What they show about their other party.
        debits: The debits that count.
    """
    account = duplicates.same_account[book.account]
    several = (
        np.bincount(book.account_customer[distinct_of(account)], minlength=len(book.customer.distinct)) > 1
    )
    into = np.flatnonzero(several[book.customer.codes[rows]] & ~said.refund[rows])
    near = np.flatnonzero(several[book.customer.codes[debits.rows]])
    out = debits.rows[near]
    order = np.lexsort((book.place[out], account[out], book.day[out]))
    near, out = near[order], out[order]
    paid = debits.sides.of(near)
    payer = pd.factorize(book.customer.codes[rows] * len(payers.keys) + payers.key)[0].astype(np.int64)
    credits_ = _legs(book, account, rows[into], sides.of(into), payer[into], into)
    spent = _legs(book, account, out, paid, np.full(len(out), -1, dtype=np.int64), np.arange(len(out)))
    # A shop is somebody else, however little its text shows.
    paid.against[debits.signals.merchant[near] & paid.other] = True
    exact = match_own_transfers(credits_, spent, np.bincount(payer), partial(read_paper, book))
    settled = exact.having(*OWN_TRANSFERS, "possible")
    open_in = np.flatnonzero(~np.isin(credits_.row, settled.credit))
    open_out = np.flatnonzero(~np.isin(spent.row, settled.debit))
    possible = match_possible_transfers(
        credits_.of(open_in), spent.of(open_out), [str(one) for one in book.currency.distinct]
    )
    return exact.with_more(possible)


def find_waiting_transfers(
    book: Book, account: Codes, into: tuple[Codes, Sides], out: tuple[Codes, Sides]
) -> Pairs:
    """Return the own transfers among pending rows.

    Args:
        book: Transactions.
        account: For each account, itself, or the one that it may be another link to.
        into: Rows of pending credits, and what they show about their other party.
        out: The same of pending debits.
    """
    account = account[book.account]
    order = np.arange(len(into[0]))
    credits_ = _legs(book, account, *into, order, order)
    spent = _legs(book, account, *out, np.full(len(out[0]), -1), np.arange(len(out[0])))
    # What else a payer pays is not looked at: each is taken for one who also makes payments without a matching debit.
    paid = np.full(len(order), 1 + FEWEST_ELSEWHERE)
    return match_own_transfers(credits_, spent, paid, partial(read_paper, book)).having(*OWN_TRANSFERS)


def _legs(book: Book, account: Codes, rows: Codes, side: Sides, payer: Codes, rank: Codes) -> Legs:
    return Legs(
        row=rows,
        customer=book.customer.codes[rows],
        currency=book.currency.codes[rows],
        day=book.day[rows],
        account=account[rows],
        amount=np.abs(book.amount[rows]),
        side=side,
        payer=payer,
        rank=rank,
    )
