"""What says that a party is the customer: their own account's number, or their own name."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from kycpack.wealth.intake import Book, Coded, Codes, Mask, pick
from kycpack.wealth.lexicon import Lexicon, matches, to_plain_text

_FEWEST_CHARACTERS = 6  # four digits behind a mask are shared by one account in ten thousand


def has_own_number(book: Book, rows: Codes, accounts: pd.DataFrame | None) -> Mask:
    """Return which rows name one of the customer's own accounts, linked or not, as the counterparty's account.

    Args:
        book: Transactions.
        rows: Rows to look at.
        accounts: Frame `accounts`; its `account_number` counts where enough of it can be seen.
    """
    column = book.columns.get("counterparty_account")
    if accounts is None or column is None or "account_number" not in accounts.columns:
        return np.zeros(len(rows), dtype=np.bool_)
    own = {
        (str(customer), _compact(str(number)))
        for customer, number in zip(accounts["customer_id"], accounts["account_number"], strict=True)
        if not pd.isna(number) and len(re.sub(r"[^0-9A-Za-z]", "", str(number))) >= _FEWEST_CHARACTERS
    }
    return _is_pair(
        book,
        rows,
        column.of_rows(rows),
        [_compact(str(value)) for value in column.of_rows(rows).distinct],
        own,
    )


def has_own_name(
    book: Book, rows: Codes, names: Coded, customers: pd.DataFrame | None, lexicon: Lexicon
) -> Mask:
    """Return which rows name the customer as the other party; a firm of that name is not the customer.

    Args:
        book: Transactions.
        rows: Rows to look at.
        names: Other party of the rows.
        customers: Frame `customers`, for first and last names.
        lexicon: Legal forms.
    """
    if customers is None or not {"customer_id", "first_name", "last_name"} <= set(customers.columns):
        return np.zeros(len(rows), dtype=np.bool_)
    known = customers[["customer_id", "first_name", "last_name"]].dropna()
    plain = to_plain_text(
        [f"{first} {last}" for first, last in zip(known["first_name"], known["last_name"], strict=True)]
    )
    own = {
        (str(customer), frozenset(name.split()))
        for customer, name in zip(known["customer_id"], plain, strict=True)
    }
    texts = to_plain_text(names.distinct)
    firm = matches(texts, lexicon.suffix_pattern)
    words = [
        frozenset() if is_firm else frozenset(text.split()) - lexicon.titles
        for text, is_firm in zip(texts, firm, strict=True)
    ]
    return _is_pair(book, rows, names, words, own)


def _compact(number: str) -> str:
    return re.sub(r"[\s-]", "", number).upper()


def _is_pair(
    book: Book,
    rows: Codes,
    column: Coded,
    values: list[str] | list[frozenset[str]],
    own: set[tuple[str, str]] | set[tuple[str, frozenset[str]]],
) -> Mask:
    customer = book.customer.codes[rows]
    width = len(values) + 1
    cells, where = np.unique(customer * width + column.codes + 1, return_inverse=True)
    known = np.array(
        [
            bool(cell % width) and (book.customer.distinct[cell // width], values[cell % width - 1]) in own
            for cell in cells.tolist()
        ],
        dtype=np.bool_,
    )
    return np.asarray(pick(known, where.astype(np.int64), missing=False), dtype=np.bool_)
