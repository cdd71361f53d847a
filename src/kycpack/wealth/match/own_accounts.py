"""Whether a party is the customer's own account, by its number."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
import pandas as pd

from kycpack.frames.rows import rows as rows_of
from kycpack.wealth.prepare.coded import Codes, Mask, pick
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
    for customer, number in rows_of(accounts, "customer_id", "account_number"):
        seen = None if pd.isna(number) else _TRAILING_DIGITS.search(str(number).replace(" ", ""))
        if seen is not None:
            (whole if len(seen.group()) >= _FEWEST_DIGITS else ends)[str(customer)].add(seen.group())
    for name in ("counterparty_account", "description_raw"):
        if name in book.columns:
            column = book.columns[name].of_rows(rows)
            numbers = [_LONG_NUMBERS.findall(text.replace("-", "")) for text in column.distinct.tolist()]
            at = np.flatnonzero(
                pick(np.array(list(map(bool, numbers)), dtype=np.bool_), column.codes, missing=False)
            )
            customers = book.customer.texts(rows[at]).tolist()
            for row, code, customer in zip(at.tolist(), column.codes[at].tolist(), customers, strict=True):
                mine = (*whole.get(customer, ()), *(ends.get(customer, ()) if transfer[row] else ()))
                result[row] |= any(number.endswith(mine) for number in numbers[code])
    return result
