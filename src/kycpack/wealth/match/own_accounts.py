"""Whether a party is the customer's own account, by its number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Coded, Codes, Mask
from kycpack.wealth.prepare.intake import Book

_FEWEST_DIGITS = 6  # four visible digits are shared by one account in ten thousand
_TRAILING_DIGITS = re.compile(r"[0-9]{4,}$")
_LONG_NUMBERS = re.compile(r"[0-9]{4,}")


def has_own_number(book: Book, rows: Codes, transfer: Mask, accounts: pd.DataFrame | None) -> Mask:
    """Return which rows name one of the customer's own accounts, linked or not, as the other side.

    Args:
        book: Transactions.
        rows: Rows to look at.
        transfer: Which of these rows contain words for a transfer.
        accounts: Frame `accounts`; for a masked `account_number` the visible digits count, together with a word
            for a transfer.
    """
    result = np.zeros(len(rows), dtype=np.bool_)
    if accounts is None or "account_number" not in accounts.columns:
        return result
    whole: dict[str, set[str]] = defaultdict(set)
    ends: dict[str, set[str]] = defaultdict(set)
    for customer, number in zip(accounts["customer_id"], accounts["account_number"], strict=True):
        seen = None if pd.isna(number) else _TRAILING_DIGITS.search(str(number).replace(" ", ""))
        if seen is not None:
            (whole if len(seen.group()) >= _FEWEST_DIGITS else ends)[str(customer)].add(seen.group())
    for name in ("counterparty_account", "description_raw"):
        if name in book.columns:
            column = book.columns[name].of_rows(rows)
            numbers = [_LONG_NUMBERS.findall(text.replace("-", "")) for text in column.distinct.tolist()]
            for own, counts in ((whole, True), (ends, transfer)):
                if own:
                    result |= _per_pair(book, rows, column, numbers, own) & counts
    return result


def _per_pair(
    book: Book,
    rows: Codes,
    column: Coded,
    said: Sequence[Collection[str]],
    own: Mapping[str, Collection[str]],
) -> Mask:
    """Return which rows name something of the customer's own.

    Args:
        book: Transactions.
        rows: Rows to look at.
        column: A column of these rows.
        said: What each distinct value of the column names.
        own: What belongs to each customer; a text that ends with it names it.
    """
    result = np.zeros(len(rows), dtype=np.bool_)
    ends = [tuple(own.get(customer, ())) for customer in book.customer.distinct.tolist()]
    # Few rows name anything, and for even fewer are the customer's own details known.
    speaks = np.array([bool(parts) for parts in (*said, ())])[column.codes]
    known = np.array([bool(mine) for mine in ends], dtype=np.bool_)[book.customer.codes[rows]]
    for row in np.flatnonzero(speaks & known).tolist():
        mine = ends[int(book.customer.codes[rows[row]])]
        result[row] = any(part.endswith(mine) for part in said[int(column.codes[row])])
    return result
