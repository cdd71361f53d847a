"""Finds repeated rows: from a second fetch, with the same ids or new ones, and from an account that was linked twice.

Equal rows alone are not repeats: two equal transfers on one day are two transfers. Rows are left out only if one source gives them
twice, or two links to one account both give them. Only the account number shows that two links are one account; accounts that
look alike without it may share split pay, so their rows are marked as possible repeats and kept. A pending row is matched with the
booked row that it became.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames.rows import rows as frame_rows
from kycpack.wealth.prepare.coded import Codes, Mask, first_of_each, is_in, joint_code, ordinals
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.second_fetches import find_second_fetches

_FEWEST_SHARED = 5
_SHARED_SHARE = 0.8
_FEWEST_DIGITS = 6  # a shorter number is a masked one without its hidden part
_BETWEEN_DIGITS = re.compile(r"[\s-]")
_EARLIEST_DAYS, _LATEST_DAYS = -1, 7  # of a booking, relative to the pending row
_MASKED = re.compile(r"[^0-9A-Z]+|X{2,}")


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Which rows are repeats.

    Args:
        repeated: Rows that repeat another one.
        kept: For each repeated row, the row that is kept; for a pending row its booked twin, if there is one; -1 for others.
        maybe: For each possible repeat, the other row; -1 for others.
        same_account: For each account, the account that it is another link to; otherwise itself.
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
        Rows with the same id and content in one account; rows of an account in which whole days are repeated; and, if two accounts
        of a customer have the same number, rows of a day and amount in excess of the larger of the two counts.
    """
    kept = np.full(len(book), -1, dtype=np.int64)
    _repeats_of_ids(book, np.flatnonzero(book.counted), kept)
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
    """Return a code for some of the day, amount, currency and description of rows; equal codes mean equal content."""
    columns = {
        "day": book.day,
        "amount": book.amount,
        "currency": book.currency.codes,
        "text": book.columns["description_raw"].codes,
    }
    return joint_code(*(columns[name][rows] for name in of))


def _repeats_of_ids(book: Book, rows: Codes, kept: Codes) -> None:
    alike = joint_code(book.account[rows], _content(book, rows))
    again = (np.bincount(alike) > 1)[alike]
    rows, alike = rows[again], alike[again]
    both = joint_code(alike, pd.factorize(book.txn_id[rows])[0])
    first = rows[first_of_each(both, book.place[rows])][both]
    kept[rows[rows != first]] = first[rows != first]


_Number = tuple[str, str]  # account number and sort code, masked if they are masked


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
    """Return a number in capitals without spaces and hyphens, with `*` for each masked character."""
    if pd.isna(value):
        return ""
    plain = _BETWEEN_DIGITS.sub("", str(value)).upper()
    return _MASKED.sub(lambda found: "*" * len(found.group()), plain)


def compare_numbers(one: _Number, other: _Number) -> str:
    """Return whether two accounts are `same`, `different`, or `unclear`, by the visible part of their numbers."""
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
    """Return for each account the customer's first account with the same number; itself if there is no other."""
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
    """Return for each account the one that it may be another link to: their rows agree, and no number shows that they differ.

    Two links may spell a text differently: if the visible parts of the numbers are equal, days and amounts are enough.
    """
    alike = np.arange(len(book.account_ids), dtype=np.int64)
    if not candidates.size:
        return alike
    content = (
        _content(book, candidates, of=_MOVED if by_mask else _CONTENT) * len(book.customer.distinct)
        + book.customer.codes[candidates]
    )
    cells, counts = np.unique(content * len(alike) + book.account[candidates], return_counts=True)
    content, account = np.divmod(cells, len(alike))
    shared: Counter[tuple[int, int]] = Counter()
    for step in range(1, len(cells)):
        at = np.flatnonzero(content[step:] == content[:-step])
        if not at.size:
            break
        both = np.minimum(counts[at], counts[at + step])
        for one, other, count in zip(
            *(part.tolist() for part in (account[at], account[at + step], both)), strict=True
        ):
            shared[one, other] += count
    for (one, other), count in sorted(shared.items()):
        mine, theirs = _number_of(book, one, numbers), _number_of(book, other, numbers)
        apart = by_mask if mine is None or theirs is None else compare_numbers(mine, theirs) == "different"
        if same[one] == same[other] or apart or alike[other] != other:
            continue
        if count >= _FEWEST_SHARED and count >= _SHARED_SHARE * _smaller_overlap(book, rows, one, other):
            alike[other] = alike[one]
    return alike


def _in_two_accounts(book: Book, rows: Codes) -> Mask:
    """Return which rows have a day and an amount that occur in two accounts of the customer. There are few, and only these are compared."""
    found = (np.bincount(book.account_customer) > 1)[book.customer.codes[rows]]
    rows = rows[found]
    code = joint_code(book.day[rows], book.amount[rows], book.customer.codes[rows])
    first = np.empty(int(code.max(initial=-1)) + 1, dtype=np.int64)
    first[code] = book.account[rows]
    several = np.zeros(len(first), dtype=np.bool_)
    several[code[book.account[rows] != first[code]]] = True
    found[found] = several[code]
    return found


def _smaller_overlap(book: Book, rows: Codes, one: int, other: int) -> int:
    """Return the number of rows of the quieter of two accounts in the period that both cover."""
    first, second = book.day[rows[book.account[rows] == one]], book.day[rows[book.account[rows] == other]]
    start, end = max(first.min(), second.min()), min(first.max(), second.max())
    return min(int(((days >= start) & (days <= end)).sum()) for days in (first, second))


def _beyond_larger_count(book: Book, rows: Codes, of: tuple[str, ...], same: Codes, kept: Codes) -> None:
    """Return the row that is kept, for each row of linked accounts in excess of the larger of the two counts."""
    rows = rows[np.isin(same[book.account[rows]], same[same != np.arange(len(same))])]
    if not rows.size:
        return
    account = book.account[rows]
    content = _content(book, rows, of)
    # The n-th of equal rows in one link is the n-th in the other; the account that sorts first keeps its rows.
    nth = ordinals(joint_code(content, account), book.place[rows])
    group = joint_code(content, same[account], nth)
    first = rows[first_of_each(group, account)][group]
    kept[rows[first != rows]] = first[first != rows]


def link_pending(book: Book, repeated: Mask, kept: Codes) -> None:
    """Find the booked twin of pending rows: same account, currency and amount, within a week, with a word in common.

    Args:
        book: Transactions.
        repeated: Rows that repeat another one.
        kept: The row that each row repeats; this function fills it in for pending rows.
    """
    waiting = np.flatnonzero(book.pending)
    if not waiting.size:
        return
    booked = np.flatnonzero(book.counted & ~repeated & np.isin(book.account, book.account[waiting]))
    booked = booked[is_in(book.amount[booked], book.amount[waiting])]
    either = np.concatenate([waiting, booked])
    texts = dict(
        zip(either.tolist(), book.columns["description_raw"].read(to_plain_text).texts(either), strict=True)
    )
    keys = zip(book.holdings(either).tolist(), book.amount[either].tolist(), strict=True)
    key = dict(zip(either.tolist(), keys, strict=True))
    by_key: dict[tuple[int, int], dict[str, deque[tuple[int, int]]]] = defaultdict(lambda: defaultdict(deque))
    for place, row in enumerate(booked[np.argsort(book.place[booked])].tolist()):
        by_key[key[row]][texts[row] or ""].append((place, row))
    for row in waiting[np.argsort(book.place[waiting])].tolist():
        # Of several twins with one text the first remaining one will do, and one that is too early is never considered again.
        first: list[deque[tuple[int, int]]] = []
        for text, twins in by_key[key[row]].items():
            while twins and book.day[twins[0][1]] < book.day[row] + _EARLIEST_DAYS:
                twins.popleft()
            near = twins and book.day[twins[0][1]] <= book.day[row] + _LATEST_DAYS
            if near and _share_a_word(texts[row] or "", text):
                first.append(twins)
        if first:
            kept[row] = min(first, key=lambda twins: twins[0]).popleft()[1]


def not_booked_yet(book: Book, again: Duplicates) -> Codes:
    """Return the pending rows without a booked twin, each once: a second fetch, or a second link to an account, repeats them.

    Args:
        book: Transactions.
        again: Their repeats, and the accounts that are one or may be.
    """
    rows = np.flatnonzero(book.pending)
    kept = np.full(len(book), -1, dtype=np.int64)
    _repeats_of_ids(book, rows, kept)
    _beyond_larger_count(book, rows[kept[rows] < 0], _CONTENT, again.maybe_account, kept)
    first = np.where(kept >= 0, kept, np.arange(len(book)))
    booked = first[first][rows[again.kept[rows] >= 0]]
    once = rows[(kept[rows] < 0) & ~np.isin(rows, booked)]
    return once[np.argsort(book.place[once])]


def _share_a_word(one: str, other: str) -> bool:
    first, second = set(one.split()), set(other.split())
    return not first or not second or bool(first & second)
