"""Rows that say the same thing twice: a second fetch, with the same ids or new ones, and an account that was linked twice.

Equal rows are counted, not looked for: two equal transfers on one day are two, and stay two. Only what one source says twice,
or what two links to one account both say, is set aside. That two links are one account is known by its number alone; accounts that
look alike without it may be pay split over two of them, so their rows are named as possible repeats and stay.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd

from kycpack.frames.rows import rows as frame_rows
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.pending import link_pending
from kycpack.wealth.prepare.second_fetches import find_second_fetches

_FEWEST_SHARED = 5
_SHARED_SHARE = 0.8
_FEWEST_DIGITS = 6  # a shorter number is a mask whose hidden part was left out
_BETWEEN_DIGITS = re.compile(r"[\s-]")
_MASKED = re.compile(r"[^0-9A-Z]+|X{2,}")


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Which rows are repeats.

    Args:
        repeated: Rows that repeat another one.
        kept: For each row that repeats, the row that is kept; for a pending one its booked twin, where there is one; -1 elsewhere.
        maybe: For each row that may repeat another one, that row; -1 elsewhere.
        same_account: For each account, the account it is another link to; itself where there is none.
        maybe_account: Likewise, with the accounts that may be another link to one.
    """

    repeated: Mask
    kept: Codes
    maybe: Codes
    same_account: Codes
    maybe_account: Codes


def find_duplicates(book: Book, accounts: pd.DataFrame | None = None) -> Duplicates:
    """Return which counted rows repeat another one.

    Args:
        book: Transactions.
        accounts: Frame `accounts`, for the numbers.

    Returns:
        Repeats of one id in one account with equal content; rows of an account whose days are there whole times over; and, where two
        accounts of a customer have one number, the rows of a day and amount beyond the larger of the two counts.
    """
    kept = np.full(len(book), -1, dtype=np.int64)
    _repeats_of_ids(book, kept)
    rows = np.flatnonzero(book.counted & (kept < 0))
    again, maybe = find_second_fetches(book, rows, _content(book, rows), partial(_content, book, of=_KIND))
    kept = np.where(again >= 0, again, kept)
    repeated = kept >= 0
    rows = rows[~repeated[rows]]
    numbers = _numbers(accounts)
    same = _by_number(book, numbers)
    _beyond_larger_count(book, rows, _MOVED, same, kept)
    repeated = kept >= 0
    once = rows[~repeated[rows]]
    twice = once[_in_two_accounts(book, once)]
    alike = _alike(book, once, twice, same, numbers)
    by_mask = _alike(book, once, twice, same, numbers, by_mask=True)
    rows = rows[~repeated[rows] & (maybe[rows] < 0)]
    _beyond_larger_count(book, rows, _CONTENT, alike, maybe)
    rows = rows[maybe[rows] < 0]
    _beyond_larger_count(book, rows, _MOVED, by_mask, maybe)
    link_pending(book, repeated, kept)
    own = np.arange(len(same))
    either = np.where(same != own, same, np.where(alike != own, alike, by_mask))
    return Duplicates(
        repeated=repeated, kept=kept, maybe=maybe, same_account=same, maybe_account=either[either]
    )


_KIND = ("amount", "currency", "text")
_MOVED = ("day", "amount", "currency")
_CONTENT = ("day", "amount", "currency", "text")


def _content(book: Book, rows: Codes, of: tuple[str, ...] = _CONTENT) -> Codes:
    """Return a code for some of day, amount, currency and description of rows; equal codes mean equal content."""
    columns = {
        "day": book.day,
        "amount": book.amount,
        "currency": book.currency.codes,
        "text": book.columns["description_raw"].codes,
    }
    return joint_code(*(columns[name][rows] for name in of))


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


_Number = tuple[str, str]  # account number and sort code, masked where they are


def _numbers(accounts: pd.DataFrame | None) -> dict[tuple[str, str], _Number]:
    """Return the numbers of accounts by customer and account id."""
    if accounts is None or "account_number" not in accounts.columns:
        return {}
    names = [name for name in ("account_number", "sort_code") if name in accounts.columns]
    return {
        (str(row.customer_id), str(row.account_id)): (
            _visible(row.account_number),
            _visible(getattr(row, "sort_code", None)),
        )
        for row in frame_rows(accounts, "customer_id", "account_id", *names)
        if not pd.isna(row.account_number)
    }


def _visible(value: Any) -> str:
    """Return a number in capitals without blanks and hyphens, each masked character a `*`."""
    if pd.isna(value):
        return ""
    plain = _BETWEEN_DIGITS.sub("", str(value)).upper()
    return _MASKED.sub(lambda found: "*" * len(found.group()), plain)


def compare_numbers(one: _Number, other: _Number) -> str:
    """Return whether two accounts are `same`, `different`, or `unclear`, by what can be seen of their numbers."""
    unclear = False
    for mine, theirs in zip(one, other, strict=True):
        shorter = min(len(mine), len(theirs))
        pairs = list(zip(mine[len(mine) - shorter :], theirs[len(theirs) - shorter :], strict=True))
        if any("*" not in pair and pair[0] != pair[1] for pair in pairs):
            return "different"
        unclear |= any("*" in pair for pair in pairs)
    whole = min(len(one[0]), len(other[0])) >= _FEWEST_DIGITS and "*" not in one[0] + other[0]
    return "same" if whole and not unclear else "unclear"


def _by_number(book: Book, numbers: dict[tuple[str, str], _Number]) -> Codes:
    """Return for each account the first one of its customer with the same number; itself where there is none."""
    same = np.arange(len(book.account_ids), dtype=np.int64)
    if not numbers:
        return same
    of_customer: dict[int, list[int]] = defaultdict(list)
    for index, customer in enumerate(book.account_customer.tolist()):
        mine = _number_of(book, index, numbers)
        if mine is None:
            continue
        for other in of_customer[customer]:
            theirs = _number_of(book, other, numbers)
            if theirs is not None and compare_numbers(mine, theirs) == "same":
                same[index] = same[other]
                break
        of_customer[customer].append(index)
    return same


def _number_of(book: Book, account: int, numbers: dict[tuple[str, str], _Number]) -> _Number | None:
    customer = str(book.customer.distinct[book.account_customer[account]])
    return numbers.get((customer, str(book.account_ids[account])))


def _alike(
    book: Book,
    rows: Codes,
    candidates: Codes,
    same: Codes,
    numbers: dict[tuple[str, str], _Number],
    *,
    by_mask: bool = False,
) -> Codes:
    """Return for each account the one it may be another link to, because they say the same and no number tells them apart.

    Two links may spell a text in two ways: where what can be seen of both numbers is equal, days and amounts are enough.
    """
    alike = np.arange(len(book.account_ids), dtype=np.int64)
    if not candidates.size:
        return alike
    content = (
        _content(book, candidates, of=_MOVED if by_mask else _CONTENT) * len(book.customer.distinct)
        + book.customer.codes[candidates]
    )
    counts = (
        pd.DataFrame({"content": content, "account": book.account[candidates]})
        .value_counts(sort=False)
        .rename("count")
        .reset_index()
    )
    pairs = counts.merge(counts, on="content", suffixes=("", "_other"))
    pairs = pairs[pairs["account"] < pairs["account_other"]]
    if pairs.empty:
        return alike
    pairs["shared"] = np.minimum(pairs["count"], pairs["count_other"])
    totals = pairs.groupby(["account", "account_other"], sort=True)["shared"].sum().reset_index()
    for one, other, count in totals.itertuples(index=False, name=None):
        mine, theirs = _number_of(book, one, numbers), _number_of(book, other, numbers)
        apart = by_mask if mine is None or theirs is None else compare_numbers(mine, theirs) == "different"
        if same[one] == same[other] or apart or alike[other] != other:
            continue
        if count >= _FEWEST_SHARED and count >= _SHARED_SHARE * _smaller_overlap(book, rows, one, other):
            alike[other] = alike[one]
    return alike


def _in_two_accounts(book: Book, rows: Codes) -> Mask:
    """Return which rows have a day and an amount that are seen in two accounts of their customer: few are, and only those are looked at closely."""
    if len(book.account_ids) == len(book.customer.distinct):
        return np.zeros(len(rows), dtype=np.bool_)
    code = joint_code(book.day[rows], book.amount[rows], book.customer.codes[rows])
    first = np.empty(int(code.max(initial=-1)) + 1, dtype=np.int64)
    first[code] = book.account[rows]
    several = np.zeros(len(first), dtype=np.bool_)
    several[code[book.account[rows] != first[code]]] = True
    return cast("Mask", several[code])


def _smaller_overlap(book: Book, rows: Codes, one: int, other: int) -> int:
    """Return how many rows the quieter of two accounts has in the time that both cover."""
    first, second = book.day[rows[book.account[rows] == one]], book.day[rows[book.account[rows] == other]]
    start, end = max(first.min(), second.min()), min(first.max(), second.max())
    return min(int(((days >= start) & (days <= end)).sum()) for days in (first, second))


def _beyond_larger_count(book: Book, rows: Codes, of: tuple[str, ...], same: Codes, kept: Codes) -> None:
    """Name, for rows of linked accounts beyond the larger of the two counts, the row that stays."""
    rows = rows[np.isin(same[book.account[rows]], same[same != np.arange(len(same))])]
    if not rows.size:
        return
    frame = pd.DataFrame(
        {
            "row": rows,
            "key": pd.factorize(_content(book, rows, of) * (len(same) + 1) + same[book.account[rows]])[0],
            "account": book.account[rows],
            "text": book.columns["description_raw"].texts(rows),
            "id": book.txn_id[rows],
        }
    ).sort_values(["key", "account", "text", "id"], kind="stable")
    frame["ordinal"] = frame.groupby(["key", "account"]).cumcount()
    # The n-th of equal rows in one link is the n-th in the other; the account that sorts first keeps it.
    first = frame.groupby(["key", "ordinal"])["row"].transform("first")
    repeat = first.to_numpy() != frame["row"].to_numpy()
    kept[frame["row"].to_numpy()[repeat]] = first.to_numpy()[repeat]
