"""Matches pending rows with the booked rows that they became."""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, joint_code
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.plain_text import to_plain_text

_EARLIEST_DAYS, _LATEST_DAYS = -1, 7  # of a booking, relative to the pending row


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
    key = joint_code(book.account, book.currency.codes, book.amount)
    booked = np.flatnonzero(book.counted & ~repeated & np.isin(key, key[waiting]))
    texts = book.columns["description_raw"].read(to_plain_text).texts(np.arange(len(book)))
    by_key: dict[int, dict[str, deque[tuple[int, int]]]] = defaultdict(lambda: defaultdict(deque))
    for place, row in enumerate(
        booked[np.lexsort((book.txn_id[booked].astype(str), book.day[booked]))].tolist()
    ):
        by_key[int(key[row])][texts[row] or ""].append((place, row))
    order = np.lexsort((book.txn_id[waiting].astype(str), book.day[waiting]))
    for row in waiting[order].tolist():
        # Of several twins with one text the first remaining one will do, and one that is too early is never considered again.
        first: list[deque[tuple[int, int]]] = []
        for text, twins in by_key[int(key[row])].items():
            while twins and book.day[twins[0][1]] < book.day[row] + _EARLIEST_DAYS:
                twins.popleft()
            near = twins and book.day[twins[0][1]] <= book.day[row] + _LATEST_DAYS
            if near and _share_a_word(texts[row] or "", text):
                first.append(twins)
        if first:
            kept[row] = min(first, key=lambda twins: twins[0]).popleft()[1]


def _share_a_word(one: str, other: str) -> bool:
    first, second = set(one.split()), set(other.split())
    return not first or not second or bool(first & second)
