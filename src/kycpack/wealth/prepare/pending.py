"""Pending rows and the booked ones that they became."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, joint_code
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.plain_text import to_plain_text

_EARLIEST_DAYS, _LATEST_DAYS = -1, 7  # of a booking, against the pending row


def link_pending(book: Book, repeated: Mask, kept: Codes) -> None:
    """Name the booked twin of pending rows: same account, currency and amount, within a week, texts that share a word.

    Args:
        book: Transactions.
        repeated: Rows that repeat another one.
        kept: Row that each row repeats; filled in for pending ones.
    """
    waiting = np.flatnonzero(book.pending)
    if not waiting.size:
        return
    key = joint_code(book.account, book.currency.codes, book.amount)
    booked = np.flatnonzero(book.counted & ~repeated & np.isin(key, key[waiting]))
    by_key: dict[int, list[int]] = defaultdict(list)
    for row in booked[np.lexsort((book.txn_id[booked].astype(str), book.day[booked]))].tolist():
        by_key[int(key[row])].append(row)
    texts = book.columns["description_raw"].read(to_plain_text).texts(np.arange(len(book)))
    taken: set[int] = set()
    order = np.lexsort((book.txn_id[waiting].astype(str), book.day[waiting]))
    for row in waiting[order].tolist():
        for twin in by_key[int(key[row])]:
            after = int(book.day[twin] - book.day[row])
            if (
                twin not in taken
                and _EARLIEST_DAYS <= after <= _LATEST_DAYS
                and _share_a_word(texts[row] or "", texts[twin] or "")
            ):
                taken.add(twin)
                kept[row] = twin
                break


def _share_a_word(one: str, other: str) -> bool:
    first, second = set(one.split()), set(other.split())
    return not first or not second or bool(first & second)
