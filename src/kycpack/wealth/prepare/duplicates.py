"""Rows that say the same thing twice: a second fetch, and an account that was linked twice.

Equal rows are counted, not looked for: two equal transfers on one day are two, and stay two. Only what one source says twice,
or what two links to one account both say, is set aside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.prepare.intake import Book, Codes, Mask

_FEWEST_SHARED = 5
_SHARED_SHARE = 0.8


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Which rows are repeats.

    Args:
        repeated: Rows that repeat another one.
        kept: For each row that repeats, the row that is kept; -1 elsewhere.
        same_account: For each account, the account it is another link to; itself where there is none.
    """

    repeated: Mask
    kept: Codes
    same_account: Codes


def find_duplicates(book: Book) -> Duplicates:
    """Return which counted rows repeat another one.

    Args:
        book: Transactions.

    Returns:
        Repeats of one id in one account with equal content, and, where two accounts of a customer are one, the rows beyond the
        larger of the two counts.
    """
    kept = np.full(len(book), -1, dtype=np.int64)
    _repeats_of_ids(book, kept)
    same_account = _accounts_linked_twice(book, np.flatnonzero(book.counted & (kept < 0)), kept)
    return Duplicates(repeated=kept >= 0, kept=kept, same_account=same_account)


def _content(book: Book, rows: Codes) -> Codes:
    """Return a code for day, amount, currency and description of rows; equal codes mean equal content."""
    order = ("day", "amount", "currency", "text")
    frame = {
        "day": book.day[rows],
        "amount": book.amount[rows],
        "currency": book.currency.codes[rows],
        "text": book.columns["description_raw"].codes[rows],
    }
    code = np.zeros(len(rows), dtype=np.int64)
    for name in order:
        value = pd.factorize(frame[name])[0]
        code = pd.factorize(code * (int(value.max(initial=0)) + 1) + value)[0].astype(np.int64)
    return code


def _repeats_of_ids(book: Book, kept: Codes) -> None:
    rows = np.flatnonzero(book.counted)
    ids = pd.factorize(book.txn_id[rows])[0]
    key = book.account[rows] * (int(ids.max(initial=0)) + 1) + ids
    again = pd.Series(key).duplicated(keep=False).to_numpy()
    if not again.any():
        return
    rows, key = rows[again], key[again]
    content = _content(book, rows)
    both = pd.factorize(key)[0] * (int(content.max(initial=0)) + 1) + content
    _, first, where = np.unique(both, return_index=True, return_inverse=True)
    is_first = np.zeros(len(rows), dtype=np.bool_)
    is_first[first] = True
    kept[rows[~is_first]] = rows[first[where[~is_first]]]


def _accounts_linked_twice(book: Book, rows: Codes, kept: Codes) -> Codes:
    same = np.arange(len(book.account_ids), dtype=np.int64)
    accounts_of_customer = np.bincount(book.account_customer, minlength=len(book.customer.distinct))
    rows = rows[accounts_of_customer[book.customer.codes[rows]] > 1]
    if not rows.size:
        return same
    # A day and an amount seen in two accounts of one customer: few rows are, and only those are looked at closely.
    day_amount = pd.factorize(book.amount[rows])[0].astype(np.int64)
    span = int(book.day[rows].max() - book.day[rows].min()) + 1
    key = (day_amount * span + (book.day[rows] - book.day[rows].min())) * len(
        book.customer.distinct
    ) + book.customer.codes[rows]
    shared = _in_two_accounts(key, book.account[rows])
    if not shared.any():
        return same
    candidates = rows[shared]
    content = _content(book, candidates) * len(book.customer.distinct) + book.customer.codes[candidates]
    counts = (
        pd.DataFrame({"content": content, "account": book.account[candidates]})
        .value_counts(sort=False)
        .rename("count")
        .reset_index()
    )
    pairs = counts.merge(counts, on="content", suffixes=("", "_other"))
    pairs = pairs[pairs["account"] < pairs["account_other"]]
    if pairs.empty:
        return same
    pairs["shared"] = np.minimum(pairs["count"], pairs["count_other"])
    totals = pairs.groupby(["account", "account_other"], sort=True)["shared"].sum().reset_index()
    for one, other, count in totals.itertuples(index=False, name=None):
        if count >= _FEWEST_SHARED and count >= _SHARED_SHARE * _smaller_overlap(book, rows, one, other):
            same[other] = same[one]
    _set_aside_beyond_larger_count(book, rows, same, kept)
    return same


def _in_two_accounts(key: Codes, account: Codes) -> Mask:
    code = pd.factorize(key)[0]
    low = np.full(int(code.max(initial=0)) + 1, np.iinfo(np.int64).max)
    high = np.full(len(low), -1, dtype=np.int64)
    np.minimum.at(low, code, account)
    np.maximum.at(high, code, account)
    return cast("npt.NDArray[np.bool_]", low[code] != high[code])


def _smaller_overlap(book: Book, rows: Codes, one: int, other: int) -> int:
    """Return how many rows the quieter of two accounts has in the time that both cover."""
    first, second = book.day[rows[book.account[rows] == one]], book.day[rows[book.account[rows] == other]]
    start, end = max(first.min(), second.min()), min(first.max(), second.max())
    return min(int(((days >= start) & (days <= end)).sum()) for days in (first, second))


def _set_aside_beyond_larger_count(book: Book, rows: Codes, same: Codes, kept: Codes) -> None:
    linked = np.isin(same[book.account[rows]], same[same != np.arange(len(same))])
    rows = rows[linked]
    if not rows.size:
        return
    content = _content(book, rows)
    frame = pd.DataFrame(
        {
            "row": rows,
            "key": pd.factorize(content * (len(same) + 1) + same[book.account[rows]])[0],
            "account": book.account[rows],
            "id": book.txn_id[rows],
        }
    ).sort_values(["key", "account", "id"], kind="stable")
    frame["ordinal"] = frame.groupby(["key", "account"]).cumcount()
    # The n-th of equal rows in one link is the n-th in the other; the account that sorts first keeps it.
    first = frame.groupby(["key", "ordinal"])["row"].transform("first")
    repeat = first.to_numpy() != frame["row"].to_numpy()
    kept[frame["row"].to_numpy()[repeat]] = first.to_numpy()[repeat]
